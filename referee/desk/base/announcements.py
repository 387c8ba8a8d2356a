"""What changes when or how players have to write is told at once, and written down."""

import zlib
from dataclasses import replace

from referee.desk.base.attachments import appointment
from referee.desk.base.desk import Desk
from referee.desk.base.outbox_writer import Addressing, mailbox, post
from referee.letters.outgoing.local_time import Moment
from referee.letters.outgoing.notices import GameChanged
from referee.store.games import audit
from referee.store.models import Game, Person, SeatRow

REFEREE = "referee"
"""Who stands in the audit log for what no GM did."""


def tell(
    desk: Desk,
    game: Game,
    person: Person,
    what: str,
    occasion: str,
    seat: SeatRow | None = None,
    *,
    can_wait: bool = False,
) -> None:
    """Tell a person what changed; *occasion* makes the letter, and the same again is the same.

    What leaves him more time *can_wait* for who wants it so.
    """
    due = game.deadline_at
    deadline = Moment(due, person.zone) if due is not None and due > desk.now else None
    notice = GameChanged(game.name, game.turn, what, deadline)
    # One occasion may change a game more than once, and each change is told.
    serial = f"{occasion}x{zlib.crc32(what.encode()):08x}"
    files = appointment(desk.site, game, seat, desk.now) if seat is not None else ()
    turn = game.turn or None
    slip = Addressing(mailbox(person), serial, game=game, seat=seat, turn=turn, files=files)
    slip = replace(slip, can_wait=can_wait)
    post(desk, notice, slip)


def proclaim(desk: Desk, game: Game, what: str, occasion: str, note: str = "") -> None:
    """Tell every player and GM what the referee did of itself.

    The next report tells it too, in the words of *note* if they are others.
    """
    audit.note(desk.session, game, REFEREE, note or what, desk.now, public=True)
    for row in game.seats:
        if row.person is not None:
            tell(desk, game, row.person, what, occasion, seat=row)
    for master in game.masters:
        tell(desk, game, master.person, what, occasion, can_wait=True)
