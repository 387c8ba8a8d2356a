"""The guide for newcomers in the first report of a seat, and the lesson in a tutorial's report."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Final

from referee.desk.base.loaded_games import LoadedGame
from referee.desk.base.rulebooks import rulebook, ruleset_word
from referee.desk.base.tutorials import Exercise, Step, tutorial_in
from referee.desk.orders.guides import guide_of, is_accepted, lines_of, possible, possible_together
from referee.letters.outgoing.notices import GuideOrders, GuideText, LessonText
from referee.rules.ruleset import Seat, Suggestion
from referee.rules.wording import listed
from referee.store.models import SeatRow

Results = Sequence[tuple[str, bool]]
"""The orders of a seat in the last turn as canonical text, and whether each was done."""


def lesson(table: LoadedGame, row: SeatRow, results: Results) -> LessonText | None:
    """Return the lesson of the current turn, which reacts to the *results* of the last one.

    Returns None after the tutorial, and in every other game.
    """
    tutorial, turn = tutorial_in(table.game, table.ruleset), table.game.turn
    if tutorial is None or row.person is None or turn > len(tutorial.steps) + 1:
        return None
    before = tutorial.steps[turn - 2].exercises if turn > 1 else ()
    step = tutorial.steps[turn - 1] if turn <= len(tutorial.steps) else None
    return LessonText(
        number=turn if step is not None else None,
        steps=len(tutorial.steps),
        title=step.title if step is not None else table.ruleset.info.title,
        remarks=tuple(filter(None, (_remark(exercise, results) for exercise in before))),
        paragraphs=tuple((step.say if step is not None else tutorial.end).strip().split("\n\n")),
        orders=tuple(_to_try(table, row, step)) if step is not None else (),
    )


def to_try(table: LoadedGame, row: SeatRow) -> tuple[GuideOrders, ...]:
    """Return the orders that the lesson of the current turn says to try; none outside tutorials."""
    found = lesson(table, row, ())
    return found.orders if found is not None else ()


def _remark(exercise: Exercise, results: Results) -> str:
    """Return the report's remark on an exercise of the turn before, or ""."""
    sent = [(text, is_done) for text, is_done in results if exercise.like.fullmatch(text)]
    if not sent:
        return exercise.missing
    failed = dict.fromkeys(text for text, is_done in sent if not is_done)
    if not failed or not exercise.done:
        return exercise.done
    return exercise.failed or f"{listed(failed)} did not work. FAILED ORDERS below says why."


def _to_try(table: LoadedGame, row: SeatRow, step: Step) -> Iterator[GuideOrders]:
    """Yield the orders to try; in a position without them, those that the ruleset suggests."""
    sheet: tuple[Any, ...] = ()
    for exercise in step.exercises:
        orders = table.read(exercise.orders)
        if is_accepted(table, Seat(row.number), (*sheet, *orders)):
            sheet = (*sheet, *orders)
            yield GuideOrders(lines_of(table, Suggestion(orders, exercise.why)), exercise.why)
    if step.exercises and not sheet:
        # All orders of a lesson are to be sent, so of alternatives there is one.
        is_choice = guide_of(table, Seat(row.number)).alternatives
        yield from islice(suggested(table, row), 1 if is_choice else None)


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
