"""A line that is not an order: the parser is asked once for the reason, and never about words."""

import sys
from collections import Counter
from collections.abc import Callable
from types import FrameType
from typing import Final

import pytest

from referee.domain.effort import MOST_ADVISED, UNADVISED, Effort
from referee.parsing import language
from referee.parsing.body import MOST_TYPED, read_body
from referee.parsing.items import Unparsed
from referee.parsing.lines import numbered
from referee.parsing.reader import Reader, reader_of
from referee.rulesets.starweb import RULESET
from tests.benchmarks.galaxy import galaxy
from tests.benchmarks.order_sheet import BAD
from tests.support.corpora import ABOUT, GRAMMARS

COSTLY: Final = frozenset(
    {"arranged", "plainer", "tree_of", "_typed_apart", "_segmentations", "get_close_matches"}
)
"""The functions that try a line, or a part of it, as an order or a command, or correct it."""
FOR_ADVICE: Final = frozenset({"advise", "mistakes", "get_close_matches"})
"""The functions that find out what is wrong with a line."""


def tries(work: Callable[[], object], costly: frozenset[str] = COSTLY) -> Counter[str]:
    """Return how often *work* calls each of the costly functions."""
    called = Counter[str]()

    def note(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call" and frame.f_code.co_name in costly:
            called[frame.f_code.co_name] += 1

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return called


@pytest.mark.sampled
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


@pytest.mark.parametrize("game", GRAMMARS)
def test_a_line_of_words_is_never_tried_as_an_order(game: str) -> None:
    reader = reader_of(GRAMMARS[game])
    lines = numbered("".join(f"this is line {n} of what we said\n" for n in range(99)))
    first = read_body(lines[:1], reader, ABOUT).items
    assert tries(lambda: read_body(lines[1:], reader, ABOUT)) == Counter()
    once = tries(lambda: read_body(lines[1:], reader, ABOUT), frozenset({"fold", "is_words"}))
    assert once == {"fold": len(lines) - 1, "is_words": len(lines) - 1}
    assert [item.is_words for item in first if isinstance(item, Unparsed)] == [True]
    assert tries(lambda: [[*reader.orders_among(line.text)] for line in lines]) == Counter()


@pytest.mark.slow
def test_only_the_first_lines_that_are_no_orders_get_advice() -> None:
    reader = reader_of(GRAMMARS["starweb"])
    lines = numbered("".join(f"F{number}W6 maybe\n" for number in range(1, 2_001)))
    called = tries(lambda: read_body(lines, reader, ABOUT, Effort(int, int)), FOR_ADVICE)
    assert called == dict.fromkeys(FOR_ADVICE, MOST_ADVISED)
    body = read_body(lines, reader, ABOUT, Effort(int, int))
    assert [item.line for item in body.orders] == [*range(1, 2_001)]


def test_the_layouts_of_a_line_are_tried_once() -> None:
    reader = reader_of(GRAMMARS["starweb"])
    lines = numbered("".join(f"F{number}W6 maybe\n" for number in range(1_001, 2_001)))
    called = tries(lambda: read_body(lines, reader, ABOUT, UNADVISED))
    assert called["arranged"] == len(lines)
    assert called["_typed_apart"] == len(lines)


@pytest.mark.slow
def test_long_lines_get_advice_as_several_lines_do() -> None:
    reader = reader_of(GRAMMARS["star_empires"])
    lines = numbered("".join(f"{number}, BUILD 3 x{', BUILD 3 x' * 80}\n" for number in range(99)))
    called = tries(
        lambda: read_body(lines, reader, ABOUT, Effort(int, int)), frozenset({"orders_among"})
    )
    assert 0 < called["orders_among"] <= 2 * MOST_ADVISED // 9


def test_reading_ends_after_so_many_characters_and_says_so() -> None:
    reader = reader_of(GRAMMARS["starweb"])
    lines = numbered("".join(f"{number} {'* - F3W6 ' * 100}\n" for number in range(999)))
    called = tries(lambda: read_body(lines, reader, ABOUT, UNADVISED))
    assert called["arranged"] <= 1 + MOST_TYPED // 900
    *_, last = read_body(lines, reader, ABOUT, UNADVISED).orders
    assert isinstance(last, Unparsed)
    assert last.reason == "Your email is too long. Nothing was read from this line on."
    assert last.line + last.lost == 1_000
