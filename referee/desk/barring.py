"""A way in through which no letters come, through some trouble: the operator is told."""

import hashlib
from dataclasses import dataclass
from datetime import datetime

from referee.desk.house import House
from referee.desk.posting import Slip, post
from referee.letters.letter import Mailbox
from referee.letters.moments import Moment
from referee.letters.notices import OperatorAlert
from referee.store import Session


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


def tell_of_bar(session: Session, house: House, barred: Barred, now: datetime) -> None:
    """Tell the operator of a trouble; told again, the letter is the same and goes once."""
    if not house.operator:
        return
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
