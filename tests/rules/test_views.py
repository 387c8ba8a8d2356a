"""News in a report, under headings in their sequence."""

from dataclasses import dataclass

from referee.rules.views import Sentences, news


@dataclass(frozen=True)
class Note:
    """A note."""

    heading: str
    text: str


def test_news_are_grouped_by_heading_in_the_sequence_of_events() -> None:
    notes = [Note("Trade", "one"), Note("Battles", "two"), Note("Trade", "three")]
    assert list(news(notes, ("Battles", "Moves", "Trade"))) == [
        Sentences(("two",), "Battles"),
        Sentences(("one", "three"), "Trade"),
    ]
