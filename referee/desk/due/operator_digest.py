"""The operator's digest: once a day, if anything has happened that he should look at."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from referee.desk.base.desk import Desk
from referee.desk.base.outbox_writer import Addressing, post
from referee.letters.incoming.letter import MailAddress
from referee.letters.outgoing.notices import OperatorDigest
from referee.store import Session
from referee.store.database.types import Span
from referee.store.games import games
from referee.store.mail import inbox, outbox
from referee.store.models import InboxState, OutboxState
from referee.store.people import people

HOUR_OF_DAY: Final = 6
"""In UTC; early enough for the working day of most."""
MOST: Final = 20
"""How many lines of each kind; a list of all is `referee mail list`."""
_DAY: Final = timedelta(days=1)


def next_morning(desk: Desk) -> datetime | None:
    """Return when the next digest is written, if there is an operator."""
    morning = _morning(desk.now)
    following = morning if desk.now < morning else morning + _DAY
    return following if desk.site.operator else None


def send_digest(desk: Desk) -> int:
    """Tell the operator what has happened from one morning to the next, and return how many
    letters.

    One a day at most, and none when there is nothing to tell.
    """
    until = _morning(desk.now)
    if not desk.site.operator or desk.now < until:
        return 0
    last = outbox.newest_of(desk.session, OperatorDigest.__name__)
    if last is not None and last >= until:
        return 0
    since = until - _DAY if last is None else last.replace(hour=HOUR_OF_DAY, minute=0, second=0)
    troubles = _troubles(desk.session, Span(since.replace(microsecond=0), until))
    # Of a game that cannot go on he was told at once; here it is recalled, and no reason to write.
    if not any(troubles):
        return 0
    notice = _happened(desk.session, troubles, Span(since.replace(microsecond=0), until))
    slip = Addressing(MailAddress("", desk.site.operator), f"digest{until:%Y%m%d}")
    post(desk, notice, slip)
    return 1


class _Troubles(NamedTuple):
    """What makes a digest necessary, each in its words."""

    quarantined: tuple[str, ...]
    failed: tuple[str, ...]
    bouncing: tuple[str, ...]


def _morning(now: datetime) -> datetime:
    return now.replace(hour=HOUR_OF_DAY, minute=0, second=0, microsecond=0)


def _troubles(session: Session, span: Span) -> _Troubles:
    """Return what would be told; all day long that is asked again and again, so each has an
    index."""
    return _Troubles(
        quarantined=tuple(
            f"receipt {row.id}: {row.note}" for row in inbox.quarantined_in(session, span, MOST)
        ),
        failed=tuple(
            f"outgoing {row.id}, {row.kind}: {row.error or 'no reason given'}"
            for row in outbox.failed_in(session, span, MOST)
        ),
        bouncing=tuple(
            f"account #{person.account}: {_counted(person.bounces)} came back, the last on "
            f"{person.bounced_at:%Y-%m-%d}"
            for person in people.bounced_in(session, span, MOST)
        ),
    )


def _happened(session: Session, troubles: _Troubles, span: Span) -> OperatorDigest:
    return OperatorDigest(
        quarantined=troubles.quarantined,
        failed=troubles.failed,
        stalled=tuple(
            f"{game.name}: {f'turn {game.turn}' if game.turn else 'start'}, "
            f"{_times(game.stalls)} in vain"
            for game in games.stalled(session)[:MOST]
        ),
        health=tuple(_health(session, span)),
        bouncing=troubles.bouncing,
    )


def _health(session: Session, span: Span) -> Iterator[str]:
    """Say in figures how the day was, whatever needs a look in it."""
    statuses = {status: number for status, number in games.counts(session).items() if number}
    yield f"games: {_listed({status.value: n for status, n in statuses.items()}) or 'none'}"
    yield f"turns resolved: {games.resolved_in(session, span)}"
    yield f"letters sent: {outbox.sent_in(session, span)}"
    came = inbox.counts(session, InboxState.WAITING, InboxState.HELD)
    yield f"letters in: {_listed({state.value: number for state, number in came.items()})}"
    going = outbox.counts(session, OutboxState.WAITING)
    yield f"letters out: {going[OutboxState.WAITING]} waiting"


def _listed(numbers: Mapping[str, int]) -> str:
    return ", ".join(f"{number} {word}" for word, number in numbers.items())


def _times(number: int) -> str:
    return "tried once" if number == 1 else f"tried {number} times"


def _counted(number: int) -> str:
    return "1 letter" if number == 1 else f"{number} letters"
