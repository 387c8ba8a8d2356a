"""What a release has besides the program: manual pages, completion, licences, a Debian package."""

import os
import re
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
_VERSION: Final = re.compile(r"^## [0-9.]+ \(([0-9-]+)\)$", re.M)


def release_date() -> date:
    """Return the date of the newest version in the changelog.

    ``SOURCE_DATE_EPOCH`` takes precedence, as for other programs that build reproducibly.
    """
    if epoch := os.environ.get("SOURCE_DATE_EPOCH"):
        return datetime.fromtimestamp(int(epoch), UTC).date()
    found = _VERSION.search((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    assert found is not None, "the changelog has no version with a date"
    return date.fromisoformat(found[1])


def release_time() -> datetime:
    """Return the midnight at which the day of the release began, in UTC."""
    return datetime.combine(release_date(), time(), UTC)
