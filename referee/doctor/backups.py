"""Check of the age of the last backup."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Final

from referee.clock import now
from referee.doctor.opening import opened
from referee.doctor.report import CheckResult, look, well
from referee.settings import Settings
from referee.state_dir import last_backup

_OLD: Final = timedelta(days=2)


def look_at_backups(settings: Settings) -> Iterator[CheckResult]:
    """Check when `referee backup` has last written a backup, if there is anything to lose."""
    with opened(settings) as store:
        if store is None:
            return
    taken_at = last_backup(settings.state_dir)
    remedy = "let cron run `referee backup` every night, as in What to keep of the operators' guide"
    if taken_at is None:
        yield look("backup: `referee backup` has written none yet", remedy)
        return
    words = f"backup: the last one is of {taken_at:%Y-%m-%d %H:%M} UTC"
    if now() - taken_at > _OLD:
        days = (now() - taken_at).days
        yield look(f"{words}, {days} days ago", f"see why there is no newer one; {remedy}")
    else:
        yield well(words)
