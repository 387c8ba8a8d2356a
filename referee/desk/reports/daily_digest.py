"""Letters of several notices: the daily digest of a person, and the turns of a GM's games."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from itertools import groupby
from typing import Final

from referee.desk.base.desk import Desk, Site, SparedFault
from referee.desk.base.faults import Part, try_part
from referee.desk.base.outbox_writer import Addressing, mailbox, post
from referee.desk.reports import turn_summaries
from referee.letters.incoming.press_marks import is_marker
from referee.letters.outgoing.address_notices import DailyDigest, DigestItem
from referee.letters.outgoing.layout import MARKED
from referee.letters.outgoing.local_time import Moment
from referee.letters.outgoing.pairs import Drawn, html_of
from referee.store import Session, Store
from referee.store.games import games
from referee.store.mail import digests
from referee.store.mail.digests import PendingNotice
from referee.store.models import Game, Person, SeatRow
from referee.store.people import people

_RETRIED: Final = timedelta(hours=1)
"""The time after which a letter that could not be made is tried again."""


def send_daily_letters(
    store: Store, site: Site, now: datetime, closed: datetime
) -> Sequence[SparedFault]:
    """Write the digests due at *closed*, one per reader, and of GMs' turns; return the faults.

    A letter that cannot be made is tried again an hour later, and all others are written.
    """
    with store.read() as session:
        if not digests.is_due(session, closed):
            return ()
    with store.write() as session:
        notices, desk = digests.due(session, closed), Desk(session, site, now)
        turns = [each for each in notices if each.kind == turn_summaries.KIND]
        late: list[PendingNotice] = []
        for reader, items in _by_reader(session, [each for each in notices if each not in turns]):
            write = partial(_write, desk, reader, items)
            late += try_part(desk, None, Part.DIGEST, write, [each.notice for each in items])
        for own in _by_gm(turns):
            late += try_part(desk, None, Part.DIGEST, partial(_write_turns, desk, own), own)
        for notice in notices:
            if notice in late:
                notice.due_at = now + _RETRIED
            else:
                session.delete(notice)
    return desk.faults


def _write_turns(desk: Desk, notices: Sequence[PendingNotice]) -> Sequence[PendingNotice]:
    """Write the letter on turns to a GM. Return no notice that has to wait."""
    turn_summaries.send(desk, notices, [*map(_bare, notices)])
    return ()


def _by_gm(notices: Sequence[PendingNotice]) -> Iterator[Sequence[PendingNotice]]:
    """Yield the notices of turns that go to one GM, oldest first."""
    ordered = sorted(notices, key=lambda each: (each.person_id, each.id))
    for _, together in groupby(ordered, lambda each: each.person_id):
        yield list(together)


@dataclass(frozen=True, slots=True)
class _Item:
    """A notice, with the game and the seat that it is about."""

    notice: PendingNotice
    game: Game | None
    seat: SeatRow | None


def _by_reader(
    session: Session, notices: Sequence[PendingNotice]
) -> list[tuple[Person, list[_Item]]]:
    """Return the readers, each with all their notices: by game and seat, oldest first."""
    found: dict[int, tuple[Person, list[_Item]]] = {}
    for each in sorted(notices, key=lambda each: (each.game_id or 0, each.seat_id or 0, each.id)):
        game = games.by_id(session, each.game_id) if each.game_id is not None else None
        seat = games.seat_by_id(session, each.seat_id) if each.seat_id is not None else None
        # The current player of the seat, or else the person written to.
        reader = seat.person if seat is not None else people.by_id(session, each.person_id)
        if reader is not None:
            found.setdefault(reader.id, (reader, []))[1].append(_Item(each, game, seat))
    return list(found.values())


def _write(desk: Desk, reader: Person, items: Sequence[_Item]) -> Sequence[PendingNotice]:
    """Write a digest. Return no notice that has to wait.

    A reply to the digest is for a seat only if all of it is about that seat.
    """
    first = items[0]
    is_of_one = all((each.game, each.seat) == (first.game, first.seat) for each in items)
    game, seat = (first.game, first.seat) if is_of_one else (None, None)
    daily = DailyDigest(
        tuple(
            DigestItem(
                each.notice.subject,
                Moment(each.notice.written_at, reader.zone),
                _bare(each.notice),
                each.game.name if each.game is not None else "",
                each.seat.name if each.seat is not None else "",
            )
            for each in items
        ),
        is_of_one,
    )
    turn = game.turn or None if game is not None else None
    serial = f"daily{first.notice.id}"
    post(desk, daily, Addressing(mailbox(reader), serial, game=game, seat=seat, turn=turn))
    return ()


def _bare(notice: PendingNotice) -> Drawn:
    """Return the words of a notice without the reply marker."""
    words = turn_summaries.kept(notice)
    lines = "\n".join(line for line in words.text.split("\n") if not is_marker(line))
    html = words.html.replace(html_of(MARKED), "")
    return Drawn(re.sub(r"\n{3,}", "\n\n", lines), html)
