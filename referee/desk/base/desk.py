"""The context of every use case: an open transaction, the site and the time."""

from dataclasses import dataclass, field
from datetime import datetime

from referee.desk.base.site import Site
from referee.desk.base.spared_faults import SparedFault
from referee.store import Session


@dataclass(frozen=True, slots=True)
class Desk:
    """One unit of work, in one transaction and at one moment."""

    session: Session
    site: Site
    now: datetime
    faults: list[SparedFault] = field(default_factory=list, compare=False)
    """Faults that did not end the work. The opener of the transaction logs them after it."""
    unasked: list[int] = field(default_factory=list, compare=False)
    """The letters that were not done, because nobody could be asked about them; logged likewise."""
