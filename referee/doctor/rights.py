"""Checks of who can use a file or folder."""

from collections.abc import Iterator
from pathlib import Path

from referee.doctor.report import CheckResult, fault, well


def closed(place: Path, forbidden: int, mode: str) -> Iterator[CheckResult]:
    """Check that others have none of the *forbidden* rights; the place exists."""
    if place.stat().st_mode & forbidden:
        yield fault(
            f"{place.name}: other users of this machine can access it",
            f"run chmod {mode} {place}",
            "file" if place.is_file() else "folder",
            str(place),
        )
    else:
        yield well(f"{place}: private")


def standing(folder: Path) -> Path:
    """Return the folder, or its nearest parent that we can see."""
    for place in (folder, *folder.parents):
        try:
            if place.exists():
                return place
        except OSError:
            # What this user cannot enter may or may not be there.
            continue
    return Path("/")
