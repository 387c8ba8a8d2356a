"""Letters of several notices: the daily digest of a game, and the turns of a GM's games."""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import groupby

from referee.desk.base.desk import Desk
from referee.desk.base.outbox_writer import Addressing, mailbox, post
from referee.desk.base.site import Site
from referee.desk.reports import turn_summaries
from referee.letters.incoming.reply_marker import is_marker
from referee.letters.outgoing.address_notices import DailyDigest, DigestItem
from referee.letters.outgoing.local_time import Moment
from referee.store import Session, Store
from referee.store.games import games
from referee.store.mail import digests
from referee.store.mail.digests import PendingNotice
from referee.store.models import Person, SeatRow
from referee.store.people import people


def send_daily_letters(store: Store, site: Site, now: datetime) -> int:
    """Write the digests that are due, one per reader and game or for a GM; return how many."""
    with store.read() as session:
        if not digests.is_due(session, now):
            return 0
    count = 0
    with store.write() as session:
        for notices in _by_letter(digests.due(session, now)):
            count += _write(Desk(session, site, now), notices)
            for notice in notices:
                session.delete(notice)
    return count


def _by_letter(notices: Sequence[PendingNotice]) -> Iterator[Sequence[PendingNotice]]:
    """Yield the notices that go into one letter, oldest first."""

    def letter(notice: PendingNotice) -> tuple[int, bool, int, int]:
        is_summary = notice.kind == turn_summaries.KIND
        about = (0, 0) if is_summary else (notice.game_id or 0, notice.seat_id or 0)
        return notice.person_id, is_summary, *about

    for _, together in groupby(sorted(notices, key=lambda each: (letter(each), each.id)), letter):
        yield list(together)


def _write(desk: Desk, notices: Sequence[PendingNotice]) -> int:
    first = notices[0]
    if first.kind == turn_summaries.KIND:
        return turn_summaries.send(desk, notices, [_bare(each.text) for each in notices])
    game = games.by_id(desk.session, first.game_id) if first.game_id is not None else None
    seat = games.seat_by_id(desk.session, first.seat_id) if first.seat_id is not None else None
    reader = _reader(desk.session, first, seat)
    if reader is None:
        return 0
    daily = DailyDigest(
        game=game.name if game is not None else "",
        notices=tuple(
            DigestItem(each.subject, Moment(each.written_at, reader.zone), _bare(each.text))
            for each in notices
        ),
    )
    turn = game.turn or None if game is not None else None
    addressing = Addressing(mailbox(reader), f"daily{first.id}", game=game, seat=seat, turn=turn)
    post(desk, daily, addressing)
    return 1


def _reader(session: Session, notice: PendingNotice, seat: SeatRow | None) -> Person | None:
    """Return the reader: the current player of the seat, or else the person written to."""
    return seat.person if seat is not None else people.by_id(session, notice.person_id)


def _bare(text: str) -> str:
    """Return the text of a letter without the reply marker."""
    kept = "\n".join(line for line in text.split("\n") if not is_marker(line))
    return re.sub(r"\n{3,}", "\n\n", kept)
