"""A played site for the commands of operators."""

import shutil
from contextlib import chdir
from pathlib import Path

import pytest

from tests.support.databases import ON_POSTGRESQL
from tests.support.hourly import SETTINGS, begin, installed


@pytest.fixture
def site(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the working folder, which is a site whose game is before the orders of turn 4."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("REFEREE_SETTINGS", raising=False)
    if ON_POSTGRESQL:
        _play(tmp_path)
    else:
        shutil.copytree(request.getfixturevalue("_played"), tmp_path, dirs_exist_ok=True)
    return tmp_path


@pytest.fixture(scope="session")
def _played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return such a site on SQLite, which no test changes."""
    folder = tmp_path_factory.mktemp("played")
    _play(folder)
    return folder


def _play(folder: Path) -> None:
    (folder / "referee.toml").write_text(SETTINGS)
    with chdir(folder), installed() as app:
        begin(app)
