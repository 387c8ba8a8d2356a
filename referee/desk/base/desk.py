"""What every use case works with: an open transaction, the referee's own affairs, and a moment."""

from dataclasses import dataclass
from datetime import datetime

from referee.desk.base.site import Site
from referee.store import Session


@dataclass(frozen=True, slots=True)
class Desk:
    """One piece of work: all of it happens in one transaction and at one moment."""

    session: Session
    site: Site
    now: datetime
