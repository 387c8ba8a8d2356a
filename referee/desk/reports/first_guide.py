"""The guide for newcomers in the first report of a seat."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from referee.desk.base.loaded_games import LoadedGame
from referee.desk.base.rulebooks import rulebook, ruleset_word
from referee.desk.orders.guides import guide_of, lines_of, possible, possible_together
from referee.letters.outgoing.notices import GuideOrders, GuideText
from referee.rules.ruleset import Seat
from referee.store.models import SeatRow

_MOST: Final = 3
"""The most suggestions in a report."""


def first_guide(table: LoadedGame, row: SeatRow) -> GuideText | None:
    """Return the guide for a seat, or None if its ruleset has none.

    A seat that need not send orders gets no suggestions.
    """
    seat = Seat(row.number)
    guide = guide_of(table, seat)
    if row.eliminated or not guide.position:
        return None
    reading = (*_chapters(table, guide.chapters), "HELP ORDERS: all orders, with examples for you")
    return GuideText(guide.position, tuple(suggested(table, row)), reading, guide.alternatives)


def suggested(table: LoadedGame, row: SeatRow) -> Iterator[GuideOrders]:
    """Yield the orders that the ruleset suggests to a seat, if it still has to send orders."""
    seat = Seat(row.number)
    is_choice = guide_of(table, seat).alternatives
    found = possible(table, seat) if is_choice else possible_together(table, seat)
    for each in islice(found, _MOST) if table.awaits(row) else ():
        yield GuideOrders(lines_of(table, each), each.reason)


def _chapters(table: LoadedGame, words: Sequence[str]) -> Iterator[str]:
    """Yield the commands that mail chapters of the rulebook, with their subjects."""
    book, info = table.once("rulebook", lambda: rulebook(table.ruleset)), table.ruleset.info
    for chapter in book.chapters if book is not None else ():
        if chapter.word in words:
            yield f"HELP {ruleset_word(info.key, info.title)} {chapter.word}: {chapter.about}"
