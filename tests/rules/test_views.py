"""News in a report, under headings in their sequence."""

from dataclasses import dataclass

from referee.rules.views import Verbatim, news


@dataclass(frozen=True)
class Note:
    """A note."""

    heading: str
    text: str


def test_news_are_grouped_by_heading_in_the_sequence_of_events() -> None:
    notes = [Note("Trade", "one"), Note("Battles", "two"), Note("Trade", "three")]
    assert list(news(notes, ("Battles", "Moves", "Trade"))) == [
        Verbatim("two", "Battles"),
        Verbatim("one\nthree", "Trade"),
    ]


def test_a_long_note_is_broken_with_indented_lines() -> None:
    (block,) = news([Note("Trade", "word " * 20)], ("Trade",))
    first, second = block.text.splitlines()
    assert (len(first) <= 76, second[:3]) == (True, "  w")
