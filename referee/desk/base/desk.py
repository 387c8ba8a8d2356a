"""What every use case works with: an open transaction, the referee's own affairs, and a moment."""

from dataclasses import dataclass, field
from datetime import datetime

from referee.desk.base.site import Site
from referee.desk.base.spared_faults import SparedFault
from referee.store import Session


@dataclass(frozen=True, slots=True)
class Desk:
    """One piece of work: all of it happens in one transaction and at one moment."""

    session: Session
    site: Site
    now: datetime
    faults: list[SparedFault] = field(default_factory=list, compare=False)
    """What failed without ending the work; whoever opened the transaction logs it afterwards."""
