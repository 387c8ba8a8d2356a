"""Commands that only read work on a read-only file system and on a full disk."""

import subprocess
import sys
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


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a site whose game is before the orders of turn 4."""
    (tmp_path / "site").mkdir()
    (tmp_path / "disk").mkdir()
    monkeypatch.chdir(tmp_path / "site")
    monkeypatch.delenv("REFEREE_SETTINGS", raising=False)
    Path("referee.toml").write_text(SETTINGS)
    with installed() as app:
        begin(app)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def on_disk(disk: str, *commands: str) -> str:
    """Run commands of a site on such a disk, which is gone afterwards, and return the output."""
    referee = f"{sys.executable} -m referee --settings disk/referee.toml"
    script = [MOUNTED, DISKS[disk], *(f"{referee} {command}" for command in commands)]
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
def test_status_works_on_a_read_only_disk(folder: Path) -> None:
    assert "SW-1  starweb  running  4" in on_disk("read-only", "status")


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
    shown = on_disk(disk, "doctor state disk database letters work || test $? = 1")
    assert "ok     database: the tables have this version, and its pages are not" in shown
    # The emails of the game were never sent.
    assert "letters   FAULT  outbox: an email has been overdue" in shown
    assert "\nwork " in shown
    assert "Traceback" not in shown
    if disk == "read-only":
        assert "database: this user cannot write to it" in shown
        assert "mount it for writing" in shown
        assert "/disk/state: the disk is read-only\n" in shown
    else:
        assert "0 MB free" in shown


@pytest.mark.slow
@pytest.mark.parametrize("disk", DISKS)
def test_what_writes_is_refused_in_one_line(folder: Path, disk: str) -> None:
    shown = on_disk(disk, "tidy || test $? = 1", "mail retry 1 || test $? = 1")
    assert "Traceback" not in shown
    assert shown.count("referee: ") == 2
