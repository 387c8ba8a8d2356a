"""Owed letters, made outside the loop: an atlas of many turns, a report that lacked a part."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from referee.desk.base.atlases import atlas_file
from referee.desk.base.desk import Desk, Site, SparedFault, spare
from referee.desk.base.faults import Part, try_part
from referee.desk.base.loaded_games import load
from referee.desk.base.outbox_writer import Addressing, mailbox, post
from referee.desk.reports.turn_reports import RETRIED, complete_report
from referee.letters.outgoing.compose import OutgoingFile
from referee.letters.outgoing.notices import Atlas
from referee.store import Session, Store
from referee.store.games import games
from referee.store.mail import digests, outbox
from referee.store.mail.digests import OwedKind, PendingNotice
from referee.store.models import SeatRow
from referee.store.people import deputies

LEASE: Final = timedelta(minutes=10)
"""The time in which a letter is made, before it is tried again."""


@dataclass(frozen=True, slots=True)
class Owed:
    """A letter to make, and the game it is about."""

    number: int
    game: int | None


def due(store: Store, now: datetime) -> list[Owed]:
    """Return the letters that are due, the oldest first."""
    with store.read() as session:
        return [Owed(each.id, each.game_id) for each in digests.owed(session, now)]


def claim(store: Store, owed: Owed, now: datetime) -> bool:
    """Put a letter off by the lease, so that nobody else makes it; return whether it was due."""
    with store.write() as session:
        return digests.put_off(session, owed.number, now, now + LEASE)


def carry_out(store: Store, site: Site, owed: Owed, now: datetime) -> Sequence[SparedFault]:
    """Make and mail a letter, unless its seat has another player now; return the faults.

    The atlas is made in a transaction that only reads, so that nobody waits for it. If a turn was
    resolved since, or the atlas fails, it is tried again.
    """
    atlas, before = None, None
    with store.read() as session:
        found = _found(session, owed)
        if found is not None and found.notice.kind == OwedKind.ATLAS.value:
            atlas, before = found.made(Desk(session, site, now)), found.state
    with store.write() as session:
        found = _found(session, owed)
        if found is None:
            digests.drop(session, owed.number)
            return ()
        desk = Desk(session, site, now)
        if atlas is None:
            is_mailed = _mail_report(desk, found)
        else:
            is_mailed = found.state == before and _mail_atlas(desk, found, atlas)
        if is_mailed:
            digests.drop(session, owed.number)
        else:
            found.notice.due_at = now + RETRIED * bool(desk.faults)
    return desk.faults


@dataclass(frozen=True, slots=True)
class _Found:
    """An owed letter, its seat, and the addressing of its reader, who still has the seat."""

    notice: PendingNotice
    row: SeatRow
    addressing: Addressing

    @property
    def state(self) -> tuple[int, int, int]:
        """The numbers that change with the state of the game and the player of the seat."""
        return self.row.game.turn, self.row.game.rollbacks, self.row.epoch

    def made(self, desk: Desk) -> Callable[[], OutgoingFile | None]:
        """Make the atlas. Return a function that returns it, or raises what was raised."""

        def failed(error: BaseException) -> Callable[[], OutgoingFile | None]:
            def again() -> OutgoingFile | None:
                raise error

            return again

        def make() -> Callable[[], OutgoingFile | None]:
            table = load(desk.session, desk.site, self.row.game)
            file = atlas_file(desk, table, self.row, self.addressing)
            return lambda: file

        return spare(make, failed)


def _found(session: Session, owed: Owed) -> _Found | None:
    """Return an owed letter, or None if its reader no longer has or deputises for the seat."""
    notice = session.get(PendingNotice, owed.number)
    row = games.seat_by_id(session, notice.seat_id or 0) if notice is not None else None
    if notice is None or row is None or row.person is None:
        return None
    to = Addressing(mailbox(row.person), f"owed{notice.id}", game=row.game, seat=row)
    to = replace(to, turn=row.game.turn)
    if row.person_id == notice.person_id:
        return _Found(notice, row, to)
    deputy = deputies.acting(session, row)
    if deputy is None or deputy.person is None or deputy.person.id != notice.person_id:
        return None
    return _Found(notice, row, replace(to, to=mailbox(deputy.person), deputy=deputy))


def _mail_atlas(desk: Desk, found: _Found, atlas: Callable[[], OutgoingFile | None]) -> bool:
    """Mail an atlas that was made; return whether it is done."""
    file = try_part(desk, found.row.game, Part.ATLAS, atlas, None)
    if file is not None:
        notice = Atlas(found.row.game.name, found.row.game.turn, found.row.name, file.name)
        post(desk, notice, replace(found.addressing, files=(file,)))
    return not desk.faults


def _mail_report(desk: Desk, found: _Found) -> bool:
    """Mail a report with all its parts, unless its turn is over; return whether it is done."""
    if found.notice.subject != digests.about(found.row.game):
        return True
    table = load(desk.session, desk.site, found.row.game)
    letters = complete_report(desk, table, found.row, found.addressing.serial)
    if not desk.faults:
        outbox.put(desk.session, desk.now, *letters)
    return not desk.faults
