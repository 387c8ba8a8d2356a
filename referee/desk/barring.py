"""A way in that is in trouble, and a database that was: the operator is told."""

import hashlib
from dataclasses import dataclass, replace
from datetime import datetime

from referee.desk.house import House
from referee.desk.posting import Slip, post
from referee.letters.letter import Mailbox
from referee.letters.moments import Moment
from referee.letters.notices import OperatorAlert
from referee.store import Session, pulses


@dataclass(frozen=True, slots=True)
class Barred:
    """A mailbox or Maildir (``imap:NAME``) in trouble: since when, and what is the matter."""

    source: str
    since: datetime
    words: str

    @property
    def reference(self) -> str:
        """Under what the trouble stands in the log."""
        digest = hashlib.sha256(self.source.encode()).hexdigest()
        return f"{self.since:%Y%m%d%H%M%S}x{digest[:6]}"


def tell_of_bar(session: Session, house: House, seen: Barred, now: datetime) -> Barred:
    """Tell the operator of a trouble; told again, the letter is the same and goes once.

    Gives the trouble as it is told: from the last sign of life on, however often the referee was
    started since and met it as new.
    """
    pulse = next(iter(pulses.among(session, [seen.source])), None)
    barred = seen if pulse is None else replace(seen, since=min(seen.since, pulse.beat_at))
    if not house.operator:
        return barred
    what = (
        f"There has been trouble with {barred.source} since {Moment(barred.since, house.zone)}: "
        f"{barred.words.rstrip('.')}. It is tried again by itself, and all other ways in are "
        "read meanwhile. A turn that falls due waits for the letters that may lie there."
    )
    to_do = (
        "`referee doctor` tries every way in and says what to mend. When it works again nobody "
        "need do anything, and letters count by when they reached your server."
    )
    alert = OperatorAlert(what, barred.reference, to_do)
    slip = Slip(Mailbox("", house.operator), f"barred{barred.reference}")
    post(session, house, alert, slip, now)
    return barred


def tell_of_silence(session: Session, house: House, since: datetime, now: datetime) -> None:
    """Tell the operator that the database could not be written for long, now that it can."""
    if not house.operator:
        return
    what = (
        f"The database could not be written from {Moment(since, house.zone)} to "
        f"{Moment(now, house.zone)}. Letters and turns waited meanwhile: nothing is lost, and the "
        "work goes on."
    )
    to_do = (
        "look into the log of that time for what the database said: a full disk, a right that was "
        "missing, or another program that held it."
    )
    serial = f"database{since:%Y%m%d%H%M%S}"
    alert = OperatorAlert(what, f"{since:%Y%m%d-%H%M%S}", to_do)
    post(session, house, alert, Slip(Mailbox("", house.operator), serial), now)
