"""Authorisation, notification and audit, shared by all GM commands."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from referee.desk.base.announcements import current_deadline
from referee.desk.orders.command_entries import Deed
from referee.desk.orders.letter_context import ClockChange, LetterContext, News, Recipient
from referee.domain.house_rules import VotingRules
from referee.domain.schedules import spelled
from referee.domain.votes import Motion, Quorum
from referee.letters.outgoing.compose import OutgoingFile
from referee.letters.outgoing.local_time import Moment
from referee.rules.ruleset import UserError
from referee.store.games import agenda, audit, games, votes
from referee.store.games.reminders import check_reminders
from referee.store.models import Game, GameStatus, Person, SeatRow
from referee.store.people import same_mailbox

UNDECIDED = (GameStatus.FORMING, GameStatus.RUNNING, GameStatus.HELD)
"""Every status except ended."""
DONE: Final = "Done. "
"""The beginning of the answer to a change."""
BEGUN = (GameStatus.RUNNING, GameStatus.HELD)

_STATUS_WORDS: Final = {
    GameStatus.FORMING: "has not started",
    GameStatus.RUNNING: "is running",
    GameStatus.HELD: "is on hold",
    GameStatus.ENDED: "has ended",
}


class NoChange(UserError):
    """A command that would leave all as it is. It says so, and nobody else is notified."""


def as_it_is(game: Game) -> NoChange:
    """Return the answer to a command that sets what is set already."""
    return NoChange(f"This is so in {game.name} already, so nothing changes.")


def require_gm(context: LetterContext, *statuses: GameStatus, vote: str = "") -> Game:
    """Return the letter's game if its status is one of *statuses*.

    Raises UserError if it is not, if the sender is not the GM of the game, or if the letter of a GM
    of several games names none. *vote* is the command with which a player proposes the same.
    """
    game = context.game()
    if context.identity.about.names_none_of_several:
        raise UserError(f"Which game? Write its name on the first line, as in: GM {game.name}.")
    if game.for_one:
        raise UserError(f"{game.name} has no GM, so nobody can do that.")
    if not context.identity.is_gm:
        advice = f" {vote} proposes it to all players." if vote and context.identity.seat else ""
        raise UserError(f"Only the GM of {game.name} can do that.{advice}")
    called_off = game.status is GameStatus.ENDED and not game.turn
    if game.status not in statuses or called_off:
        raise UserError(f"{game.name} {_STATUS_WORDS[game.status]}, so that cannot be done.")
    return game


def vote_on(context: LetterContext, motion: Motion, command: str) -> str:
    """Return the *command* that proposes a motion, or "" if nobody can propose it now."""
    quorum = VotingRules.of(context.game().options_of_house).quorums[motion]
    is_open = any(vote.motion is motion for vote in votes.running(context.session, context.game()))
    return "" if is_open or quorum is Quorum.NEVER else command


def require_outside_gm(
    context: LetterContext, *statuses: GameStatus, to: str = "see that before the game has ended"
) -> Game:
    """Return the game as ``require_gm`` does, but refuse a GM who plays in it what they want *to*.

    Such a GM would see hidden information, or help their own seat. After the end of the game it is
    allowed. Nothing else is said first, because that could show what they cannot see.
    """
    game = require_gm(context, *statuses)
    if game.status is not GameStatus.ENDED:
        refuse_player(context, game, to)
    return game


def refuse_player(context: LetterContext, game: Game, what: str) -> None:
    """Raise UserError, with *what* they cannot do and who can, if the sender plays in the game."""
    if not plays(game, context.identity.person):
        return
    advice = "The operator can appoint a GM who does not play."
    if any(not plays(game, gm.person) for gm in game.gms):
        advice = "Ask the other GM, who does not play."
    raise UserError(f"You play in {game.name}, so you cannot {what}. {advice}")


def plays(game: Game, person: Person | None) -> bool:
    """Return whether the person holds a seat of the game, also with another of their addresses."""
    return same_mailbox.holds_seat(game, person)


def is_listed(context: LetterContext) -> bool:
    """Return whether the operator knows the GM, whose words then reach people we do not know."""
    address, creators = context.identity.address, context.site.creators
    return address == context.site.operator or (creators is not None and address in creators)


def announce_change(
    context: LetterContext, game: Game, what: str, note: str = "", *, at_once: bool = False
) -> str:
    """Record a public change, notify the other GMs, and return the answer to this one.

    The *note* is for the other GMs, not for the report. *at_once* says that the caller notifies the
    players and the other GMs; the players also read it in the report. Revokes the claim on the
    game, so that a running adjudication starts again.
    """
    record(context, game, what, public=True)
    if not at_once:
        notify_others(context, game, f"{what} {note}".rstrip())
    told = "are notified" if at_once else "read in the next report"
    return f"{DONE}All players {told}: {what}"


def set_column(
    context: LetterContext, game: Game, column: str, value: object, says: str, told: str
) -> Deed:
    """Return the deed that sets a column of the game, of which all players are *told*.

    Raises NoChange if the column has this value.
    """
    if getattr(game, column) == value:
        raise as_it_is(game)

    def change() -> str:
        setattr(game, column, value)
        agenda.schedule(context.session, game)
        check_reminders(game)
        return announce_change(context, game, told)

    return Deed(says, change)


def announce_and_log(context: LetterContext, game: Game, hidden: str, what: str) -> str:
    """Announce *what* as `announce_change` does; only GMs read *hidden*, in one email."""
    record(context, game, hidden)
    record(context, game, what, public=True)
    told = f"All players read in the next report: {what}"
    notify_others(context, game, told, hidden)
    return f"{DONE}{told}"


def due_in_words(context: LetterContext, due: Callable[[datetime], datetime]) -> str:
    """Return when a turn is due once a GM confirms, if it is *due* by the time of that.

    A deadline that moves with the clock is a span after the CONFIRM, however late that comes.
    """
    at = due(context.now)
    if due(context.now + timedelta(minutes=1)) == at:
        return f"on {Moment(at, context.zone)}"
    return f"{spelled(at - context.now)} after that"


def noted_of_clock(
    context: LetterContext, game: Game, what: str, note: str = "", *, at_once: bool = False
) -> str:
    """Announce a change of deadlines; the answer includes the deadline that applies now."""
    done = announce_change(context, game, what, note, at_once=at_once)
    deadline = current_deadline(game, context.zone, context.now)
    if deadline is not None and game.status is GameStatus.RUNNING:
        done += f" The current turn is due on {deadline.in_full}"
    return f"{done} {note}".rstrip()


def log_change(context: LetterContext, game: Game, what: str, answer: str) -> str:
    """Record a change hidden from the players, notify the other GMs, and return *answer*.

    A GM who plays is not notified.
    """
    record(context, game, what)
    notify_others(context, game, "", what)
    return answer


def record(context: LetterContext, game: Game, what: str, *, public: bool = False) -> None:
    """Record a change by this GM. Revokes the claim on the game, so a turn starts again."""
    games.revoke_claim(game)
    who = "GM"
    if len(game.gms) > 1 and context.identity.person is not None:
        who = f"GM #{context.identity.person.account}"
    audit.note(context.session, game, who, what, context.now, public=public)
    context.changes[what] = public


def begin_clock_change(context: LetterContext, game: Game, reason: str = "") -> ClockChange:
    """Record when the turn is due before the letter changes that, and the reason for it."""
    assert game.deadline_at is not None
    if context.clock is None:
        context.clock = ClockChange(game.deadline_at, game.status is GameStatus.HELD)
    if reason:
        context.clock.reasons.append(reason)
    return context.clock


def notify_seat(
    context: LetterContext,
    row: SeatRow,
    what: str,
    files: tuple[OutgoingFile, ...] = (),
) -> None:
    """Notify the player of a seat of a change to the seat."""
    if row.person is not None:
        news_for(context, Recipient(row.person, row.game, row), files).add(what)


def notify_person(
    context: LetterContext,
    person: Person,
    game: Game,
    what: str,
    files: tuple[OutgoingFile, ...] = (),
    *,
    is_outside: bool = False,
) -> None:
    """Notify a GM, or a person who *is_outside*, of a change to the game."""
    news_for(context, Recipient(person, game, is_outside=is_outside), files).add(what)


def notify_gms(context: LetterContext, game: Game, what: str, opposite: str = "") -> None:
    """Notify the GMs, except those who play in the game, of what a player said about a seat.

    If the same email said the *opposite*, they read neither.
    """
    for gm in game.gms:
        if not plays(game, gm.person):
            news_for(context, Recipient(gm.person, game)).add(what, opposite)


def notify_others(context: LetterContext, game: Game, what: str, hidden: str = "") -> None:
    """Notify the other GMs of a change.

    A GM who plays does not read what is *hidden* from the players.
    """
    for gm in others(context, game):
        if told := what if plays(game, gm) else f"{hidden} {what}".strip():
            news_for(context, Recipient(gm, game), can_wait=True).add(told)


def news_for(
    context: LetterContext,
    recipient: Recipient,
    files: tuple[OutgoingFile, ...] = (),
    *,
    can_wait: bool = False,
) -> News:
    """Return the news for a recipient, which get the *files* and wait only if all of them can."""
    news = context.news.setdefault(recipient, News())
    news.files += files
    news.can_wait &= can_wait
    return news


def others(context: LetterContext, game: Game) -> list[Person]:
    """Return the GMs of the game except the sender of the letter."""
    sender = getattr(context.identity.person, "id", None)
    return [gm.person for gm in game.gms if gm.person_id != sender]
