"""The sources of a grammar: a file of ours, a file of a package, or the text itself."""

from pathlib import Path

import pytest
from lark.exceptions import GrammarError

from referee.parsing.grammar_text import grammar_text
from referee.parsing.reader import Reader, read_orders
from referee.parsing.reference import about, reference
from referee.rules.ruleset import Grammar

INLINE = """\
order: throw
// what you show                                      ROCK
throw: WORD
WORD: "ROCK"i | "PAPER"i
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    folder = tmp_path / "game_with_grammar"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "orders.lark").write_text(INLINE)
    monkeypatch.syspath_prepend(tmp_path)
    grammar_text.cache_clear()
    return folder.name


def test_our_grammars_are_named_by_file() -> None:
    assert grammar_text("starweb.lark").startswith("// ")


def test_a_grammar_of_a_package_is_named_with_the_package(package: str) -> None:
    assert grammar_text(f"{package}:orders.lark") == INLINE


def test_the_parser_and_the_help_page_have_the_same_text(package: str) -> None:
    for source in (INLINE, f"{package}:orders.lark"):
        assert read_orders(Grammar(source, {"throw": str}), "rock Paper") == ("rock", "Paper")
        assert reference(source).split() == ["what", "you", "show", "ROCK"]


def test_a_grammar_without_comments_has_an_empty_page() -> None:
    bare = INLINE.replace("// what you show                                      ROCK\n", "")
    assert (reference(bare), about(bare, "ROCK")) == ("", "")


def test_a_file_or_package_missing_is_an_error(package: str) -> None:
    with pytest.raises(FileNotFoundError):
        grammar_text(f"{package}:other.lark")
    with pytest.raises(ModuleNotFoundError):
        grammar_text("no_such_game:orders.lark")


def test_a_fault_of_a_grammar_names_its_file() -> None:
    with pytest.raises(ValueError, match=r"no order class for the rules .* in 'fistful.lark'$"):
        Reader(Grammar("fistful.lark", {}))
    with pytest.raises(GrammarError) as caught:
        Reader(Grammar("order: gve", {}))
    assert caught.value.__notes__ == [
        "the grammar is wrong: Rule 'gve' used but not defined (in rule order)"
    ]
