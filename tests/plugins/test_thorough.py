"""The slow checks of rulesets from outside, by the daemon and the doctor."""

import pytest

from referee.errors import PluginError
from referee.plugins import installed_rulesets
from referee.plugins.thorough import checked_rulesets
from tests.support.outsiders import TOY, Outsiders, toy, with_grammar, with_rulebook

BEGINNING = "referee: the ruleset 'toy' of toys 1.0 cannot be used: "
STARWEB = "the ruleset 'starweb' of referee 1.0.0"


def error_message() -> str:
    """Return the operator's error message when the daemon starts."""
    with pytest.raises(PluginError) as caught:
        checked_rulesets()
    return caught.value.told()


def test_a_ruleset_without_a_fault_is_accepted(outsiders: Outsiders) -> None:
    book = {"book.md": "# Toy\n\n## 1. Start: how\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"}
    outsiders.install("toys", with_rulebook("toys:book.md"), files=book)
    assert checked_rulesets()["toy"].info.title == "Toy"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("order: throw\nthrow: HAND\n", "GrammarError in its grammar{}: Rule 'HAND' used but not"),
        ("order: (", "GrammarError in its grammar{}: "),
        (
            'order: throw | fold\nthrow: "X"\nfold: "Y"\n',
            "ValueError in its grammar{}: no order class",
        ),
        ("", "GrammarError in its grammar{}: Using an undefined rule"),
    ],
)
def test_a_grammar_that_is_not_valid_is_rejected(
    outsiders: Outsiders, text: str, words: str
) -> None:
    # The text of a file is cached as long as the program runs.
    file = f"{len(text)}.lark"
    outsiders.install("toys", with_grammar(f"toys:{file}"), files={file: text})
    assert error_message().startswith(BEGINNING + words.format(f" 'toys:{file}'"))
    (outsiders.folder / "toys" / "__init__.py").write_text(with_grammar(text))
    outsiders.forget("toys")
    assert error_message().startswith(BEGINNING + words.format(""))
    assert "toy" in installed_rulesets()


def test_a_grammar_of_a_later_phase_is_checked(outsiders: Outsiders) -> None:
    outsiders.install(
        "toys",
        f"{toy(phases=('move', 'fight'))}SOURCES = {{'move': SOURCE, 'fight': 'order: ('}}\n"
        "Toy.grammar = lambda self, phase: Grammar(SOURCES[phase.key], {'throw': str})\n",
    )
    assert " in its grammar: " in error_message()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"\xff\xfe", "UnicodeDecodeError in its rulebook 'toys:book.md': 'utf-8' codec can't"),
        (
            b"## 1. Start\n\n| a | b | c |\n|---|\n| 1 |\n",
            "IndexError in its rulebook 'toys:",
        ),
    ],
)
def test_a_rulebook_that_cannot_be_mailed_is_rejected(
    outsiders: Outsiders, content: bytes, words: str
) -> None:
    outsiders.install("toys", with_rulebook("toys:book.md"))
    (outsiders.folder / "toys" / "book.md").write_bytes(content)
    assert error_message().startswith(BEGINNING + words)


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ({"title": "Join"}, "its title 'Join' is already a page of HELP"),
        ({"title": "End Game"}, "its title 'End Game' is already a page of HELP"),
        ({"title": "Orders"}, "its title 'Orders' is already a page of HELP"),
        ({"key": "gm"}, "its key 'gm' is already a page of HELP"),
    ],
)
def test_a_page_of_help_is_not_replaced(
    outsiders: Outsiders, names: dict[str, str], words: str
) -> None:
    key = names.get("key", "toy")
    outsiders.install("toys", toy(**names), f"[referee.rulesets]\n{key} = toys:RULESET\n")
    assert words in error_message()


def test_all_faults_are_reported_together_and_each_once(outsiders: Outsiders) -> None:
    source = with_grammar("order: (") + "Toy.extras = Extras(rulebook='toys:none.md')\n"
    outsiders.install("toys", source + "Toy.info = replace(INFO, title='Join', prefix='SW')\n")
    outsiders.install(
        "zoos",
        f"{toy(key='zoo', prefix='ZOO', title='Zoo')}Toy.grammar = lambda *_: 1 / 0\n",
        "[referee.rulesets]\nzoo = zoos:RULESET\n",
    )
    messages = [line.partition(" cannot be used: ") for line in error_message().splitlines()]
    assert [(who[-8:], fault.partition(": ")[0]) for who, _, fault in messages if fault] == [
        ("toys 1.0", "its rulebook 'toys:none.md' does not exist"),
        ("toys 1.0", f"its prefix 'SW' is read as 'SW', a name of {STARWEB}"),
        ("zoos 1.0", "ZeroDivisionError while it was checked"),
        ("toys 1.0", "its title 'Join' is already a page of HELP"),
        ("toys 1.0", "GrammarError in its grammar"),
    ]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("robots = 1\n", "KeyError in its tutorial 'toys:{}': 'seed'"),
        ("seed =\n", "TOMLDecodeError in its tutorial 'toys:{}': Invalid value"),
        (
            "seed = 'a'\nrobots = 'b'\nend = 'c'\nstep = []\n",
            "its tutorial.robots is 'b', but must be int",
        ),
        (
            "seed = 'a'\nrobots = 1\nend = 'c'\nstep = []\nlesson = 1\n",
            "TypeError in its tutorial 'toys:{}': Tutorial.__init__() got an unexpected keyword",
        ),
    ],
)
def test_a_tutorial_that_cannot_be_read_is_rejected(
    outsiders: Outsiders, content: str, words: str
) -> None:
    file = f"{len(content)}.toml"
    extras = f"Extras(robot=lambda *_: (), tutorial='toys:{file}')"
    outsiders.install("toys", f"{TOY}Toy.extras = {extras}\n", files={file: content})
    assert error_message().startswith(BEGINNING + words.format(file))


def test_a_tutorial_needs_its_file_and_a_robot(outsiders: Outsiders) -> None:
    outsiders.install("toys", f"{TOY}Toy.extras = Extras(tutorial='toys:none.toml')\n")
    assert error_message().startswith(
        f"{BEGINNING}its tutorial 'toys:none.toml' does not exist\n",
    )
    assert "it has a tutorial, but no robot to play against" in error_message()
