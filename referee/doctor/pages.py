"""Check of the folder with the web pages."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from referee.doctor.report import CheckResult, fault, look, well
from referee.doctor.rights import standing
from referee.doctor.unit import how_to_start
from referee.errors import ResourceError
from referee.pages.folder import open_folder
from referee.rules.wording import counted
from referee.settings import Settings
from referee.state_dir import AS_REFEREE

_OTHERS: Final = 0o005


def look_at_pages(settings: Settings) -> Iterator[CheckResult]:
    """Check that the pages can be written, and read by a web server."""
    if settings.pages is None:
        yield well("no web pages")
        return
    folder = settings.pages.folder
    if settings.state_dir == folder or settings.state_dir in folder.parents:
        remedy = "choose a folder outside of it: no web server should read there"
        yield fault("pages: in the state folder", remedy, "setting", "pages.folder")
        return
    place = standing(folder)
    if not os.access(place, os.W_OK | os.X_OK):
        remedy = f"give the folder to the referee's user; or {AS_REFEREE}"
        yield fault("pages: this user cannot write to the folder", remedy, "folder", str(place))
    elif place != folder:
        remedy = f"{how_to_start(settings)}, or run `referee publish`"
        yield look("pages: not written yet", remedy, "folder", str(folder))
    else:
        yield from _written(settings, folder)


def _written(settings: Settings, folder: Path) -> Iterator[CheckResult]:
    try:
        parts = open_folder(folder).parts
    except ResourceError as error:
        yield from (fault(f.what, f.remedy, f.label, f.place) for f in error.findings)
        return
    if folder.stat().st_mode & _OTHERS != _OTHERS:
        remedy = f"run chmod 755 {folder}, so that the web server can read it"
        yield fault("pages: other users cannot read the folder", remedy, "folder", str(folder))
    elif not parts:
        remedy = f"{how_to_start(settings)}, or run `referee publish`"
        yield look("pages: not written yet", remedy, "folder", str(folder))
    else:
        count = sum(len(shelf.files) for shelf in parts.values())
        yield well(f"pages: {counted(count, 'file')} in {folder}")
