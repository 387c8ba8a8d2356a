"""A line that is not an order: the parser is asked once for the reason."""

import pytest

from referee.parsing import language
from referee.parsing.reader import Reader
from referee.rulesets.starweb import RULESET
from tests.benchmarks.galaxy import galaxy
from tests.benchmarks.order_sheet import BAD


@pytest.mark.parametrize("line", [*BAD, "W1B5", "F7W5X", "F5=3"])
def test_the_parser_is_asked_once_about_a_line_that_is_not_an_order(
    monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    asked = []
    ask = language.tree_of

    def heard(parser: object, text: str) -> object:
        asked.append(text)
        return ask(parser, text)  # type: ignore[arg-type]  # it passes on what it gets

    monkeypatch.setattr(language, "tree_of", heard)
    reader = Reader(RULESET.grammar(RULESET.phase(galaxy())))
    asked.clear()
    assert len(reader.read(line)) == 1
    assert len(asked) <= 1
