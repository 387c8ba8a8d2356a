"""Commands that only read work on a read-only file system and on a full disk."""

import shlex
import subprocess
import sys
from contextlib import chdir
from pathlib import Path
from typing import Final

import pytest

from tests.support.every_command import is_root
from tests.support.hourly import SETTINGS, begin, installed

pytestmark = [
    pytest.mark.sqlite("about its file"),
    pytest.mark.skipif(not is_root(), reason="only root can mount a file system"),
]

MOUNTED: Final = "mount -t tmpfs -o size=3m referee-test disk && cp -a site/. disk"
DISKS: Final = {
    "read-only": "mount -o remount,ro referee-test disk",
    "full": "cat /dev/zero >disk/fill 2>/dev/null || test -s disk/fill",
}

PROGRAM: Final = """
import sys
from click.testing import CliRunner
from referee.cli import main
for command in sys.argv[2:]:
    arguments = ["--settings", "disk/referee.toml", *command.split()]
    ended = CliRunner().invoke(main, arguments)
    print(ended.output)
    assert isinstance(ended.exception, SystemExit | None), ended
    assert ended.exit_code == int(sys.argv[1]), command
"""
"""Runs commands that must end with a status, in one process."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a site whose game is before the orders of turn 4."""
    site = tmp_path_factory.mktemp("site")
    with chdir(site):
        Path("referee.toml").write_text(SETTINGS)
        with installed() as app:
            begin(app)
    return site


@pytest.fixture
def folder(site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with that site, and the working folder."""
    (tmp_path / "site").symlink_to(site)
    (tmp_path / "disk").mkdir()
    monkeypatch.delenv("REFEREE_SETTINGS", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def on_disk(disk: str, *commands: str, status: int = 0) -> str:
    """Run commands of a site on such a disk, which is gone afterwards, and return the output."""
    program = shlex.join((sys.executable, "-c", PROGRAM, str(status), *commands))
    script = [MOUNTED, DISKS[disk], program]
    done = subprocess.run(
        ["unshare", "--mount", "bash", "-ec", "\n".join(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("disk", DISKS)
def test_status_replay_and_backup_work(folder: Path, disk: str) -> None:
    shown = on_disk(disk, "status", "replay SW-1", "backup copy.tar.gz", "mail list", "games")
    assert "SW-1  starweb  running  4" in shown
    assert "SW-1: 3 turns resolved again, identical\n" in shown
    assert "copy.tar.gz: " in shown
    assert (folder / "copy.tar.gz").exists()
    assert "frodo@shire.example" in shown


@pytest.mark.slow
@pytest.mark.parametrize("disk", DISKS)
def test_the_doctor_checks_the_rest_and_says_what_is_wrong(folder: Path, disk: str) -> None:
    shown = on_disk(disk, "doctor state disk database letters work", status=1)
    assert "ok     database: the tables have this version, and its pages are not" in shown
    # The emails of the game were never sent.
    assert "letters   FAULT  outbox: an email has been overdue" in shown
    assert "\nwork " in shown
    if disk == "read-only":
        assert "database: this user cannot write to it" in shown
        assert "mount it for writing" in shown
        assert "/disk/state: the disk is read-only\n" in shown
    else:
        assert "0 MB free" in shown


@pytest.mark.slow
@pytest.mark.parametrize("disk", DISKS)
def test_what_writes_is_refused_in_one_line(folder: Path, disk: str) -> None:
    shown = on_disk(disk, "tidy", "mail retry 1", status=1)
    assert shown.count("referee: ") == 2
