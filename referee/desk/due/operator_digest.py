"""The operator's daily digest, sent only if something needs the operator's attention."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from referee.desk.base import ledger
from referee.desk.base.desk import Desk
from referee.desk.base.outbox_writer import tell_operator
from referee.letters.outgoing.notices import OperatorDigest
from referee.rules.wording import counted
from referee.store import Session
from referee.store.database.base import Span
from referee.store.games import games
from referee.store.letter_states import InboxState, OutboxState
from referee.store.mail import call_outs, inbox, mailboxes, outbox
from referee.store.mail.call_outs import CallOutRow
from referee.store.people import people

HOUR_OF_DAY: Final = 6
"""In UTC; early enough for most working days."""
MOST: Final = 20
"""The most lines of each kind; `referee mail list` shows all of them."""
_DAY: Final = timedelta(days=1)


def next_morning(desk: Desk) -> datetime | None:
    """Return when the next digest is written, or None without an operator."""
    morning = _morning(desk.now)
    following = morning if desk.now < morning else morning + _DAY
    return following if desk.site.operator else None


def last_morning(now: datetime) -> datetime:
    """Return when the last digest was due."""
    morning = _morning(now)
    return morning if morning <= now else morning - _DAY


def send_digest(desk: Desk) -> int:
    """Send the operator the digest of the last day; return the number of letters.

    At most one a day, and none if there is no problem.
    """
    until = _morning(desk.now)
    if not desk.site.operator or desk.now < until:
        return 0
    last = outbox.newest_of(desk.session, OperatorDigest.__name__)
    if last is not None and last >= until:
        return 0
    since = until - _DAY if last is None else last.replace(hour=HOUR_OF_DAY, minute=0, second=0)
    problems = _problems(desk.session, Span(since.replace(microsecond=0), until))
    # Stalled games were reported at once, so they are listed but do not cause a digest.
    if not any(problems):
        return 0
    notice = _notice(desk.session, problems, Span(since.replace(microsecond=0), until))
    tell_operator(desk, notice, f"digest{until:%Y%m%d}")
    return 1


class _Problems(NamedTuple):
    """The problems that cause a digest, in words."""

    quarantined: tuple[str, ...]
    unasked: tuple[str, ...]
    failed: tuple[str, ...]
    bouncing: tuple[str, ...]
    withheld: tuple[str, ...]


def _morning(now: datetime) -> datetime:
    return now.replace(hour=HOUR_OF_DAY, minute=0, second=0, microsecond=0)


def _problems(session: Session, span: Span) -> _Problems:
    """Return the problems in *span*. Queried often all day, so each query has an index."""
    return _Problems(
        quarantined=tuple(_concluded(session, InboxState.QUARANTINED, span)),
        unasked=tuple(_concluded(session, InboxState.UNASKED, span)),
        failed=(*_unsent(session, span), *_of_hooks(call_outs.in_trouble(session, span))),
        bouncing=tuple(
            f"account #{person.account}: {counted(person.bounces, 'email')} bounced, the last on "
            f"{person.bounced_at:%Y-%m-%d}"
            for person in people.bounced_in(session, span, MOST)
        ),
        withheld=tuple(
            f"{box.source}: UID {uid}" for box in mailboxes.cursors(session) for uid in box.withheld
        )[:MOST],
    )


def _concluded(session: Session, state: InboxState, span: Span) -> Iterator[str]:
    rows = inbox.concluded_in(session, state, span, MOST + 1)
    yield from (f"email #{row.id}: {row.note}" for row in rows[:MOST])
    if len(rows) > MOST:
        yield f"and more: referee mail list --state {state.value}"


def _unsent(session: Session, span: Span) -> Iterator[str]:
    for row in outbox.failed_in(session, span, MOST):
        yield f"outgoing {row.id}, {row.kind}: {row.error or 'no reason given'}"


def _of_hooks(calls: Sequence[CallOutRow]) -> Iterator[str]:
    """Yield a line for each hook with call-outs in trouble, and the cause of the last of them."""
    for hook in sorted({call.hook for call in calls}):
        own = [call for call in calls if call.hook == hook]
        given_up = sum(call.state is OutboxState.FAILED for call in own)
        told = f"{given_up} given up, {len(own) - given_up} tried again"
        yield f"hook {hook}: {counted(len(own), 'call-out')} failed, {told}: {own[-1].error}"


def _notice(session: Session, problems: _Problems, span: Span) -> OperatorDigest:
    return OperatorDigest(
        quarantined=problems.quarantined,
        unasked=problems.unasked,
        failed=problems.failed,
        stalled=tuple(
            f"{game.name}: {f'turn {game.turn}' if game.turn else 'start'}, "
            f"{_times(game.stalls)} without success"
            for game in games.stalled(session)[:MOST]
        ),
        health=tuple(_health(session, span)),
        bouncing=problems.bouncing,
        withheld=problems.withheld,
        used_up=tuple(ledger.used_up(session, span.until))[:MOST],
    )


def _health(session: Session, span: Span) -> Iterator[str]:
    """Return the statistics of the day."""
    statuses = {status: number for status, number in games.counts(session).items() if number}
    yield f"games: {_listed({status.value: n for status, n in statuses.items()}) or 'none'}"
    yield f"turns resolved: {games.resolved_in(session, span)}"
    yield f"emails sent: {outbox.sent_in(session, span)}"
    incoming = inbox.counts(session, InboxState.WAITING, InboxState.HELD)
    held = f"{incoming[InboxState.HELD]} waiting for confirmation"
    yield f"emails in: {incoming[InboxState.WAITING]} waiting, {held}"
    outgoing = outbox.counts(session, OutboxState.WAITING)
    yield f"emails out: {outgoing[OutboxState.WAITING]} waiting"


def _listed(numbers: Mapping[str, int]) -> str:
    return ", ".join(f"{number} {word}" for word, number in numbers.items())


def _times(number: int) -> str:
    return "tried once" if number == 1 else f"tried {number} times"
