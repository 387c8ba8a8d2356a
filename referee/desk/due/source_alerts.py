"""A way in that is in trouble, and a database that was: who has to know it is told."""

import hashlib
from dataclasses import dataclass, replace
from datetime import datetime

from referee.desk.base.announcements import tell
from referee.desk.base.desk import Desk
from referee.desk.base.outbox_writer import Addressing, post
from referee.domain.schedules import roughly
from referee.letters.incoming.letter import MailAddress
from referee.letters.outgoing.local_time import Moment
from referee.letters.outgoing.notices import OperatorAlert
from referee.store.games import games
from referee.store.mail import heartbeats


@dataclass(frozen=True, slots=True)
class SourceFailure:
    """A mailbox or Maildir (``imap:NAME``) in trouble: since when, and what is the matter."""

    source: str
    since: datetime
    words: str

    @property
    def reference(self) -> str:
        """Under what the trouble stands in the log."""
        digest = hashlib.sha256(self.source.encode()).hexdigest()
        return f"{self.since:%Y%m%d%H%M%S}x{digest[:6]}"


def tell_of_bar(desk: Desk, seen: SourceFailure) -> SourceFailure:
    """Tell the operator of a trouble; told again, the letter is the same and goes once.

    Gives the trouble as it is told: from the last sign of life on, however often the referee was
    started since and met it as new.
    """
    pulse = next(iter(heartbeats.among(desk.session, [seen.source])), None)
    barred = seen if pulse is None else replace(seen, since=min(seen.since, pulse.beat_at))
    if not desk.site.operator:
        return barred
    since = Moment(barred.since, desk.site.zone)
    what = (
        f"There has been trouble with {barred.source} since {since}: "
        f"{barred.words.rstrip('.')}. It is tried again by itself, and all other ways in are "
        "read meanwhile. A turn that falls due waits for the letters that may lie there."
    )
    to_do = (
        "`referee doctor` tries every way in and says what to mend. When it works again nobody "
        "need do anything, and letters count by when they reached your server."
    )
    alert = OperatorAlert(what, barred.reference, to_do)
    slip = Addressing(MailAddress("", desk.site.operator), f"barred{barred.reference}")
    post(desk, alert, slip)
    return barred


def waiting(desk: Desk, read_until: datetime) -> list[int]:
    """Return the ids of the games that should have been resolved a good while ago.

    They wait, because letters are here up to *read_until* only.
    """
    ready = games.due(desk.session, desk.now, games.Watermark(read_until))
    return [n for n in games.due(desk.session, desk.now - desk.site.patience.gap) if n not in ready]


def tell_of_wait(desk: Desk, number: int) -> None:
    """Tell the GMs of a game why its turn waits; said again, the letters are the same."""
    game = games.by_id(desk.session, number)
    if game is None or game.deadline_at is None:
        return
    longest = roughly(desk.site.patience.longest)
    what = (
        f"Turn {game.turn} is not resolved yet: a mailbox of the referee has not been readable "
        "since before the deadline, and orders that came in time may lie in it. The operator has "
        "been told. When it can be read again, the deadline moves by the time that was lost. If "
        f"it cannot for {longest}, the turn is resolved with what is here."
    )
    occasion = f"waits{game.turn}b{game.rollbacks}d{int(game.deadline_at.timestamp())}"
    for master in game.masters:
        tell(desk, game, master.person, what, occasion)


def tell_of_silence(desk: Desk, since: datetime) -> None:
    """Tell the operator that the database could not be written for long, now that it can."""
    if not desk.site.operator:
        return
    zone = desk.site.zone
    what = (
        f"The database could not be written from {Moment(since, zone)} to "
        f"{Moment(desk.now, zone)}. Letters and turns waited meanwhile: nothing is lost, and the "
        "work goes on."
    )
    to_do = (
        "look into the log of that time for what the database said: a full disk, a right that was "
        "missing, or another program that held it."
    )
    serial = f"database{since:%Y%m%d%H%M%S}"
    alert = OperatorAlert(what, f"{since:%Y%m%d-%H%M%S}", to_do)
    post(desk, alert, Addressing(MailAddress("", desk.site.operator), serial))
