"""News in a report: under their headings, in the sequence of the headings."""

from dataclasses import dataclass

from referee.rules.views import Verbatim, news


@dataclass(frozen=True)
class Note:
    """A note."""

    heading: str
    text: str


def test_news_stand_under_their_headings_as_they_happened() -> None:
    notes = [Note("Trade", "one"), Note("Battles", "two"), Note("Trade", "three")]
    assert list(news(notes, ("Battles", "Moves", "Trade"))) == [
        Verbatim("two", "Battles"),
        Verbatim("one\nthree", "Trade"),
    ]


def test_a_long_note_is_broken_with_its_lines_further_in() -> None:
    (block,) = news([Note("Trade", "word " * 20)], ("Trade",))
    first, second = block.text.splitlines()
    assert (len(first) <= 76, second[:3]) == (True, "  w")
