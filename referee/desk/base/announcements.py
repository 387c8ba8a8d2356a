"""Notices of changes to a game: when orders are due, and how players reach it."""

import zlib
from dataclasses import replace

from referee.desk.base.attachments import appointment
from referee.desk.base.deadline_moments import current_deadline
from referee.desk.base.desk import Desk
from referee.desk.base.outbox_writer import Addressing, mailbox, post
from referee.letters.outgoing.attachments import OutgoingFile
from referee.letters.outgoing.notices import GameChanged
from referee.store.games import audit
from referee.store.models import Game, GameStatus, Person, SeatRow

REFEREE = "referee"
"""The actor named in the audit log for what the referee did, not a GM."""


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
    has_moved: bool = False,
    files: tuple[OutgoingFile, ...] = (),
) -> None:
    """Notify a person of what changed; the *files* go with it, after the deadline of a seat.

    Idempotent: the *occasion* and the text make the Message-ID. A change that gives the person more
    time *can_wait* for the daily digest or the end of quiet hours. Deadlines do not concern a
    person who *has_left* their seat or role, or whose *seat* is eliminated.
    """
    is_concerned = not (has_left or (seat is not None and seat.eliminated))
    due = game.due_at if is_concerned else None
    on_hold = is_concerned and game.status is GameStatus.HELD
    lies_ahead = due is not None and due > desk.now
    deadline = current_deadline(game, person.zone, desk.now) if lies_ahead else None
    notice = GameChanged(game.name, game.turn, what, deadline, on_hold, has_moved)
    # One occasion can change a game more than once, and each change is sent.
    serial = f"{occasion}x{zlib.crc32(what.encode()):08x}"
    if seat is not None:
        files = (*appointment(desk.site, game, seat, desk.now), *files)
    turn = game.turn or None
    addressing = Addressing(mailbox(person), serial, game=game, seat=seat, turn=turn, files=files)
    addressing = replace(addressing, can_wait=can_wait)
    post(desk, notice, addressing)


def proclaim(
    desk: Desk, game: Game, what: str, occasion: str, note: str = "", *, has_moved: bool = False
) -> None:
    """Notify every player and GM of what the referee did automatically.

    *has_moved* means that it moved the deadline. Recorded as public, so the next report says it
    too, in the words of *note* if given.
    """
    audit.note(desk.session, game, REFEREE, note or what, desk.now, public=True)
    for row in game.seats:
        if row.person is not None:
            tell(desk, game, row.person, what, occasion, seat=row, has_moved=has_moved)
    for gm in game.gms:
        tell(desk, game, gm.person, what, occasion, can_wait=True, has_moved=has_moved)
