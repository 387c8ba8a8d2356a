"""Alerts about failures: of a mail source, of the database, of the web pages."""

import hashlib
from dataclasses import dataclass, replace
from datetime import datetime

from referee.desk.base.announcements import tell
from referee.desk.base.desk import Desk
from referee.desk.base.faults import Part
from referee.desk.base.outbox_writer import tell_operator
from referee.domain.schedules import roughly
from referee.letters.outgoing.local_time import Moment
from referee.letters.outgoing.notices import OperatorAlert
from referee.store.games import due_games, games
from referee.store.letter_states import Lane
from referee.store.mail import heartbeats


@dataclass(frozen=True, slots=True)
class SourceFailure:
    """The failure of a mailbox or Maildir (``imap:NAME``): since when, and the error in words."""

    source: str
    since: datetime
    words: str

    @property
    def reference(self) -> str:
        """The reference of the failure in the log."""
        digest = hashlib.sha256(self.source.encode()).hexdigest()
        return f"{self.since:%Y%m%d%H%M%S}x{digest[:6]}"


def report_failed_source(desk: Desk, seen: SourceFailure) -> SourceFailure:
    """Report a failed source to the operator. Idempotent: the same failure makes the same letter.

    Returns the failure as reported: it begins at the last heartbeat of the source, however often
    the referee has been restarted since.
    """
    heartbeat = next(iter(heartbeats.among(desk.session, [seen.source])), None)
    failure = seen if heartbeat is None else replace(seen, since=min(seen.since, heartbeat.beat_at))
    since = Moment(failure.since, desk.site.zone)
    what = (
        f"{failure.source} has failed since {since}: {failure.words.rstrip('.')}. It is retried "
        "automatically, and all other mail sources are read. A turn that falls due waits for "
        "the emails that may be there."
    )
    to_do = (
        "Run `referee doctor imap maildir`, which says what to fix. When the source "
        "works again, nothing else is needed: emails count by when they reached your server."
    )
    alert = OperatorAlert(f"{failure.source} cannot be read", what, failure.reference, to_do)
    tell_operator(desk, alert, f"barred{failure.reference}")
    return failure


def waiting(desk: Desk, watermark: datetime) -> list[int]:
    """Return the ids of the games that should have been resolved a good while ago.

    They wait because letters are received only up to *watermark*.
    """
    ready = due_games.due(desk.session, desk.now, due_games.Watermark(watermark))
    since = desk.now - desk.site.patience.gap
    return [n for n in due_games.due(desk.session, since) if n not in ready]


def notify_of_wait(desk: Desk, number: int) -> None:
    """Notify the GMs of a game why its turn waits. Idempotent: the letters stay the same."""
    game = games.by_id(desk.session, number)
    if game is None or game.deadline_at is None:
        return
    longest = roughly(desk.site.patience.longest)
    what = (
        f"Turn {game.turn} waits. We cannot read one of our mailboxes since before the deadline, "
        "and orders that came in time may be in it. The operator has been notified. When we can "
        "read it again, the deadline moves by the time that was lost. If we cannot for "
        f"{longest}, the turn is resolved with the orders we have."
    )
    occasion = f"waits{game.turn}b{game.rollbacks}d{int(game.deadline_at.timestamp())}"
    for gm in game.gms:
        tell(desk, game, gm.person, what, occasion)


def report_unread(desk: Desk, lane: Lane, since: datetime) -> None:
    """Report to the operator since when the oldest letter of a lane waits to be read."""
    what = (
        f"The oldest unread email of those from {lane.senders} came {Moment(since, desk.site.zone)}"
        ". Replies to our emails are read first, then emails from known addresses, then all "
        "others. A turn waits for unread emails of the first two kinds that came in time."
    )
    to_do = (
        "Run `referee status`, which shows how many emails wait, and `referee mail list` to see "
        "whose they are. If somebody floods the address, block them at your mail server. If few "
        "emails wait, look for level=error in the log."
    )
    reference = f"{since:%Y%m%d%H%M%S}x{lane.name.lower()}"
    subject = f"emails from {lane.senders} wait to be read"
    alert = OperatorAlert(subject, what, reference, to_do)
    tell_operator(desk, alert, f"unread{reference}")


def report_failed_pages(desk: Desk, reference: str) -> None:
    """Notify the operator that pages cannot be written."""
    what = (
        "Some of the web pages cannot be written, so they may be out of date. All games go on. It "
        "is tried again every 10 minutes."
    )
    to_do = (
        f"Run `referee doctor pages`, which says what to fix. If it finds nothing, find reference "
        f"{reference} in the log."
    )
    alert = OperatorAlert(Part.PAGES.consequence, what, reference, to_do)
    tell_operator(desk, alert, f"pages{reference}")
