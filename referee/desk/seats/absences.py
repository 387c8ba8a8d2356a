"""Absences of players: announced and withdrawn, and their effect on missed turns."""

from collections.abc import Iterator
from typing import Final

from referee.desk.games.absences import REMINDED_BEFORE, when
from referee.desk.orders.gm_authority import notify_gms
from referee.desk.orders.letter_context import LetterContext
from referee.desk.seats import deputies
from referee.domain.absences import check_length
from referee.domain.commands import Absent, NoAbsence
from referee.domain.days import counted, spell
from referee.letters.outgoing.local_time import Moment
from referee.rules.ruleset import UserError
from referee.store.games import audit
from referee.store.games.reminders import look_again
from referee.store.models import Game, SeatRow
from referee.store.people import absences
from referee.store.people.absences import Absence

_BACK: Final = "ABSENT NONE withdraws it."


def announce(context: LetterContext, command: Absent) -> str:
    """Handle ABSENT. No deadline moves, and a turn missed during the absence does not count.

    Raises UserError if the days are over, are too many or overlap with an earlier absence.
    """
    game, row = context.table_for_orders().game, context.seat()
    days = spell(command.first, command.last, context.row.arrived_at, context.zone)
    said = absences.of(context.session, row)
    for other in said:
        if other.begins_at < days.ends and days.begins < other.ends_at:
            raise UserError(f"You have said already that you are away {when(other)}. {_BACK}")
    left = check_length(days, sum(when(other).count for other in said))
    assert row.person_id is not None
    absence = Absence(
        seat_id=row.id,
        person_id=row.person_id,
        # An absence from today does not excuse a deadline earlier today.
        begins_at=max(days.begins, context.row.arrived_at),
        ends_at=days.ends,
        zone=days.zone,
        reminded=days.begins - REMINDED_BEFORE <= context.now,
    )
    context.session.add(absence)
    context.session.flush()
    _notify_gms(context, row, f"The player of {row.name} is away {when(absence)}.")
    return " ".join((f"You are away {when(absence)}.", *_promises(context, game, absence, left)))


def withdraw(context: LetterContext, _command: NoAbsence) -> str:
    """Handle ABSENT NONE. Deputies are dismissed; absent days that are over stay on record."""
    row, now = context.seat(), context.row.arrived_at
    current_and_future = [each for each in absences.of(context.session, row) if each.ends_at > now]
    if not current_and_future:
        raise UserError("You have not said that you are away.")
    for absence in current_and_future:
        if absence.begins_at > now:
            context.session.delete(absence)
        else:
            absence.ends_at = now
    context.session.flush()
    look_again(row.game)
    _notify_gms(context, row, f"The player of {row.name} is away no more.")
    ended = " You have no deputy any more." if deputies.dismiss(context, row) else ""
    return f"You are there. Turns that you miss count, and you are reminded again.{ended}"


def own_lines(context: LetterContext) -> Iterator[str]:
    """Yield the STATUS lines about absences, for the player and for the deputy."""
    who = "The player is" if context.identity.deputy is not None else "You are"
    for absence in absences.of(context.session, context.seat()):
        if absence.ends_at > context.now:
            yield f"{who} away {when(absence)}."


def _promises(context: LetterContext, game: Game, absence: Absence, left: int) -> Iterator[str]:
    """Yield the effects of the absence."""
    due = game.deadline_at
    if due is not None and absence.begins_at <= due < absence.ends_at:
        yield (
            f"Turn {game.turn} is resolved meanwhile, on {Moment(due, context.zone)}: no deadline "
            "moves. If nothing of yours is on file then, your standing orders run, or else what "
            "the rules order, and the turn does not count as missed."
        )
    else:
        yield (
            "No deadline moves. In a turn that is resolved meanwhile and for which nothing of "
            "yours is on file, your standing orders run, or else what the rules order, and it "
            "does not count as missed."
        )
    once = "" if absence.reminded else ", but once the day before"
    yield f"You are not reminded while you are away{once}. ABSENT NONE says that you are back."
    yield (
        "The GM is told, the other players are not. In this game you may be away for "
        f"{counted(left)} more."
    )


def _notify_gms(context: LetterContext, row: SeatRow, what: str) -> None:
    # A GM who plays would know when to attack, so neither the notice nor AUDIT gives the days.
    said = f"The player of {row.name} said when he is away."
    audit.note(context.session, row.game, row.name, said, context.now, public=False)
    notify_gms(context, row.game, what)
