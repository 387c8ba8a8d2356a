"""The first start of a site, killed at its points and repeated."""

import shutil
import sqlite3
from functools import partial
from pathlib import Path

from referee.app import build
from referee.settings import load
from referee.state_dir import SECRET
from referee.testing.faults import run
from tests.exactly_once.disturbing import Story
from tests.exactly_once.house import MAILDIR, SETTINGS

_SECRET_OCTETS = 32


def tell(folder: Path, every: int) -> Story:
    """Start a new referee, with a crash at every *every*-th point, and again."""
    start = partial(_start, folder)
    _empty(folder)
    story = Story(points=list(run(start, folder).points))
    aim = _tables(folder)
    for at, point in enumerate(story.points, 1):
        if at % every:
            continue
        story.tried += 1
        _empty(folder)
        killed = run(start, folder, at).killed
        run(start, folder)
        secret = bytes.fromhex((folder / "state" / SECRET).read_text())
        if not killed or _tables(folder) != aim or len(secret) != _SECRET_OCTETS:
            story.faults.append(f"point {at}, {point}")
    return story


def _empty(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / "referee.toml").write_text(SETTINGS + MAILDIR)


def _start(folder: Path) -> None:
    app = build(load(folder / "referee.toml"), {})
    app.store.check()
    app.close()


def _tables(folder: Path) -> list[tuple[str, str]]:
    database = sqlite3.connect(folder / "state" / "referee.db")
    tables = database.execute("SELECT name, sql FROM sqlite_schema ORDER BY name").fetchall()
    database.close()
    return tables
