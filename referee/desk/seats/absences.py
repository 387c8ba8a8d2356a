"""Absences of players: announced and withdrawn, and their effect on missed turns."""

from collections.abc import Iterator
from typing import Final

from referee.desk.games.absences import when
from referee.desk.orders.command_entries import Deed, Effect, For, command
from referee.desk.orders.gm_authority import notify_gms, plays
from referee.desk.orders.letter_context import LetterContext
from referee.desk.seats.deputies import end
from referee.domain.absences import check_length
from referee.domain.commands import Absent, NoAbsence
from referee.domain.days import spell
from referee.letters.outgoing.local_time import Moment
from referee.rules.ruleset import UserError
from referee.rules.wording import counted
from referee.store.games import audit
from referee.store.games.reminders import check_reminders
from referee.store.models import Game, SeatRow
from referee.store.people import absences, deputies
from referee.store.people.absences import REMINDED_BEFORE, Absence

_BACK: Final = "ABSENT NONE cancels it."
_NOT_AWAY: Final = "You are no longer away."
_ANNOUNCED: Final = "announced an absence"
_CANCELLED: Final = "cancelled an absence"
_ENDED: Final = "is no longer away"


@command(Absent, "ABSENT", For.SEAT, Effect.BINDS, shown_in="absence")
def announce(context: LetterContext, given: Absent) -> Deed:
    """ABSENT. No deadline moves, and a turn missed during the absence does not count.

    Raises UserError if the days are over, are too many or overlap with an earlier absence.
    """
    game, row = _game(context), context.seat()
    days = spell(given.first, given.last, context.row.arrived_at, context.zone)
    said = absences.of(context.session, row)
    for other in said:
        # One that is over since this morning, by ABSENT NONE, does not count.
        if other.begins_at < days.ends and max(days.begins, context.now) < other.ends_at:
            raise UserError(f"You have already said that you are away {when(other)}. {_BACK}")
    left = check_length(days, sum(when(other).count for other in said))

    def leave() -> str:
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
        _note(context, row, _ANNOUNCED)
        notify_gms(context, game, _told(row, absence, _ANNOUNCED), _told(row, absence, _CANCELLED))
        return " ".join(
            (f"You are away {when(absence)}.", *_promises(context, game, absence, left))
        )

    return Deed(f"You are away {days}.", leave)


@command(NoAbsence, "ABSENT", For.SEAT, Effect.BINDS, shown_in="absence")
def withdraw(context: LetterContext, _given: NoAbsence) -> Deed:
    """ABSENT NONE. A deputy for none but absent days ends; days that are over stay on record.

    Raises UserError if no absence is left.
    """
    row, now = context.seat(), context.row.arrived_at
    left = [each for each in absences.of(context.session, row) if each.ends_at > now]
    if not left:
        raise UserError("You have not said that you are away.")
    begun = any(absence.begins_at <= now for absence in left)
    cancelled = [str(when(absence)) for absence in left if absence.begins_at > now]
    said = [f"Your absence {days} is cancelled." for days in cancelled]
    away, mine = [when(each) for each in left], deputies.of(context.session, row)
    over = [each for each in mine if any(each.days in days for days in away)]
    said += [f"{each.address} is no longer your deputy." for each in over]
    said += [
        f"{each.address} is still your deputy {each.days}; DEPUTY NONE ends that."
        for each in mine
        if each not in over
    ]

    def return_home() -> str:
        for absence in left:
            gone = _CANCELLED if absence.begins_at > now else _ENDED
            _note(context, row, gone)
            announced = _told(row, absence, _ANNOUNCED)
            notify_gms(context, row.game, _told(row, absence, gone), announced)
            if gone is _CANCELLED:
                context.session.delete(absence)
            else:
                absence.ends_at = now
        context.session.flush()
        check_reminders(row.game)
        back = f"{_NOT_AWAY} Turns that you miss count, and you get reminders again."
        for deputy in over:
            end(context.desk, deputy)
        return " ".join((*([back] if begun else []), *said))

    here = [_NOT_AWAY] if begun else []
    return Deed(" ".join((*here, *said)), return_home)


def own_lines(context: LetterContext) -> Iterator[str]:
    """Yield the STATUS lines about absences, for the player and for the deputy."""
    who = "The player is" if context.identity.deputy is not None else "You are"
    for absence in absences.of(context.session, context.seat()):
        if absence.ends_at > context.now:
            yield f"{who} away {when(absence)}."


def _game(context: LetterContext) -> Game:
    """Return the game in which the player is away. Raises UserError if nobody waits for them."""
    game = context.table_for_orders().game
    if game.for_one:
        raise UserError(
            f"You play {game.name} on your own: it ends if no orders come for a turn, whether or "
            "not you are away."
        )
    return game


def _promises(context: LetterContext, game: Game, absence: Absence, left: int) -> Iterator[str]:
    """Yield the effects of the absence."""
    due = game.due_at
    if due is not None and absence.begins_at <= due < absence.ends_at:
        yield (
            f"Turn {game.turn} is resolved while you are away, on {Moment(due, context.zone)}; the "
            "deadline does not move. If you have no orders on file then, your standing orders "
            "run. If you have none, you get the default orders of the rules, if the rules have "
            "any. The turn does not count as missed."
        )
    else:
        yield (
            "No deadline moves. If a turn is resolved while you are away and you have no orders on "
            "file, your standing orders run. If you have none, you get the default orders of the "
            "rules, if the rules have any. The turn does not count as missed."
        )
    once = "" if absence.reminded else ", only one on the day before"
    yield f"You get no reminders while you are away{once}. ABSENT NONE says that you are back."
    if any(not plays(game, gm.person) for gm in game.gms):
        yield "The GM is notified, the other players are not."
    else:
        yield "The other players are not notified."
    yield f"You have {counted(left, 'day')} of absence left in this game."


def _note(context: LetterContext, row: SeatRow, what: str) -> None:
    """Record a change in the audit log, without the days: a GM who plays reads it."""
    noted = f"The player of {row.name} {what}."
    audit.note(context.session, row.game, row.name, noted, context.now, public=False)


def _told(row: SeatRow, absence: Absence, what: str) -> str:
    """Return the words about a change for the GMs who do not play."""
    days = f": {when(absence)}" * (what is not _ENDED)
    return f"The player of {row.name} {what}{days}."
