"""Notices of changes to a game: when orders are due, and how players reach it."""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from referee.desk.base.attachments import appointment
from referee.desk.base.desk import Desk
from referee.desk.base.outbox_writer import Addressing, mailbox, post
from referee.letters.outgoing.compose import OutgoingFile
from referee.letters.outgoing.local_time import Deadline, Moment, MovedDeadline
from referee.letters.outgoing.notices import GameChanged
from referee.store.games import audit
from referee.store.models import Game, GameStatus, Person, SeatRow


def current_deadline(game: Game, zone: str, now: datetime) -> Deadline | None:
    """Return the deadline of the current turn for a reader in *zone*; None if it has none now."""
    if game.due_at is None:
        return None
    return Deadline(game.due_at, zone, early_end_in_words(game.ready_at, zone, now))


def early_end_in_words(early: datetime | None, zone: str, now: datetime) -> str:
    """Return the sentence after the deadline of a turn that ends *early*, or ""."""
    if early is None:
        return ""
    if early <= now:
        return "But the turn is resolved now."
    return (
        f"Everyone is ready, so the turn is resolved on {Moment(early, zone)} unless somebody "
        "sends WAIT or new orders without FINAL."
    )


REFEREE = "referee"
"""The actor named in the audit log for what the referee did, not a GM."""


@dataclass(frozen=True, slots=True)
class Move:
    """A deadline that was moved: the beginning of the sentence that says so, and when it was."""

    fact: str
    before: datetime
    event: str = "deadline moved"

    def read_in(self, zone: str, after: datetime) -> MovedDeadline:
        """Return the move as a reader in *zone* sees it; the deadline is now *after*."""
        return MovedDeadline(self.fact, Moment(self.before, zone), Moment(after, zone), self.event)


def shows_move(before: datetime | None, after: datetime | None) -> bool:
    """Return whether a reader can see that a deadline moved: letters name its minute."""
    return _to_the_minute(before) != _to_the_minute(after)


def _to_the_minute(at: datetime | None) -> datetime | None:
    return at.replace(second=0, microsecond=0) if at is not None else None


def tell(
    desk: Desk,
    game: Game,
    person: Person,
    what: str,
    occasion: str,
    seat: SeatRow | None = None,
    *,
    can_wait: bool = False,
    has_left: bool = False,
    move: Move | None = None,
    more: Sequence[str] = (),
    files: tuple[OutgoingFile, ...] = (),
) -> None:
    """Notify a person of what changed; the *files* go with it, after the deadline of a seat.

    Idempotent: the *occasion* and the text make the Message-ID. A change that gives the person more
    time *can_wait* for the daily digest or the end of quiet hours. Deadlines do not concern a
    person who *has_left* their seat or role, or whose *seat* is eliminated. With a *move* of the
    deadline, *what* says the rest; *more* is what else changed.
    """
    is_concerned = not (has_left or (seat is not None and seat.eliminated))
    due = game.due_at if is_concerned else None
    on_hold = is_concerned and game.status is GameStatus.HELD
    lies_ahead = due is not None and due > desk.now
    deadline = current_deadline(game, person.zone, desk.now) if lies_ahead else None
    moved = None
    if move is not None and game.deadline_at is not None:
        moved = move.read_in(person.zone, game.deadline_at)
    notice = GameChanged(game.name, game.turn, what, deadline, on_hold, moved, tuple(more))
    # One occasion can change a game more than once, and each change is sent.
    told = "\n".join((move.fact if move else what, *more))
    serial = f"{occasion}x{zlib.crc32(told.encode()):08x}"
    if seat is not None:
        files = (*appointment(desk.site, game, seat, desk.now), *files)
    turn = game.turn or None
    addressing = Addressing(mailbox(person), serial, game=game, seat=seat, turn=turn, files=files)
    post(desk, notice, replace(addressing, can_wait=can_wait))


def proclaim(
    desk: Desk, game: Game, what: str, occasion: str, note: str = "", move: Move | None = None
) -> None:
    """Notify every player and GM of what the referee did automatically, each of them once.

    With a *move* of the deadline, *what* says the rest. Recorded as public, so the next report says
    it too, in the words of *note* if given.
    """
    if not note:
        note = what
        if move is not None and game.deadline_at is not None:
            note = f"{move.read_in('UTC', game.deadline_at).in_full} {what}".rstrip()
    audit.note(desk.session, game, REFEREE, note, desk.now, public=True)
    for row in game.seats:
        if row.person is not None:
            tell(desk, game, row.person, what, occasion, seat=row, move=move)
    told = {row.person_id for row in game.seats if not row.eliminated}
    for gm in game.gms:
        if gm.person_id not in told:
            tell(desk, game, gm.person, what, occasion, can_wait=True, move=move)
