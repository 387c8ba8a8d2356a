"""Errors of every command: whatever is unreadable, missing or broken, there is no traceback."""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

import click
import pytest

from referee.app import build
from referee.cli import COMMANDS, main
from referee.settings import load
from tests.support.every_command import NOBODY, Ended, is_root, run_all

SETTINGS: Final = """
state_dir = "state"
[site]
address = "games@example.org"
operator = "you@example.org"
[[maildir]]
name = "orders"
path = "in"
[sending]
kind = "maildir"
path = "sent"
"""
FILE: Final = "FILE"
"""Stands for the file that a command reads or writes."""
# Of each command at least one line. demo takes a minute and reads nothing; golden reads the kept
# games of the rulesets, which are packages.
LINES: Final = (
    "demo chess",
    "play chess",
    "play --folder FILE chess",
    "init FILE",
    "run",
    "doctor",
    "doctor settings state disk database letters work clock receiver imap smtp",
    "status",
    "backup FILE",
    "backup --force FILE",
    "restore FILE",
    "restore --force FILE",
    "tidy",
    "tidy --rebuild",
    "move-database postgresql+psycopg://u@127.0.0.1:1/x",
    "move-database --password-file FILE postgresql+psycopg://u@127.0.0.1:1/x",
    "site new-secret --yes",
    "site new-database --yes",
    "mail list",
    "mail list outbox",
    "mail list --game SW-1 --seat CERES --day 2026-09-01",
    "games",
    "games SW-1",
    "players",
    "players --game SW-1 frodo",
    "mail show 1",
    "mail explain 1",
    "mail retry 1",
    "mail release 1",
    "mail resume",
    "mail in",
    "person show a@example.org",
    "person forget --yes a@example.org",
    "person move --yes a@example.org b@example.org",
    "check FILE --game SW-1 --seat CERES",
    "game archive SW-1 FILE",
    "publish",
    "publish FILE",
    "replay SW-1",
    "replay FILE",
    "scenario FILE",
    "golden chess",
    "tournament chess",
    "conversation FILE",
    "game export SW-1 FILE",
    "game export --force SW-1 FILE",
    "game record SW-1 FILE",
    "game promote SW-1 a@example.org --yes",
    "game demote SW-1 a@example.org --yes",
    "game new starweb FILE --seat CERES",
    "game new starweb --force FILE --seat CERES --seat MARS",
    "resolve FILE --out out",
    "resolve FILE FILE --out FILE",
)
WITH_FILE: Final = [line for line in LINES if FILE in line]
OF_A_SITE: Final = [line for line in LINES if not line.startswith("play ")]
"""The lines that a site can concern; a game at the terminal has none."""


def commands(lines: Sequence[str] = LINES, file: str = "file") -> list[list[str]]:
    """Return the command lines, with a file in place of FILE."""
    return [[file if word == FILE else word for word in line.split()] for line in lines]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a site that has run."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "referee.toml").write_text(SETTINGS)
    build(load(folder / "referee.toml")).close()
    return folder


@pytest.fixture
def folder(installed: Path) -> Iterator[Path]:
    """Return a site that has run and that belongs to the user of the commands."""
    # The folders of pytest are closed to other users.
    folder = Path(tempfile.mkdtemp(prefix="referee-test-"))
    shutil.copytree(installed, folder, dirs_exist_ok=True)
    if is_root():
        for place in (folder, *folder.rglob("*")):
            os.chown(place, NOBODY, NOBODY)
    yield folder
    for place in (folder, *folder.rglob("*")):
        if not place.is_symlink():
            place.chmod(0o700)
    shutil.rmtree(folder)


def close(place: Path) -> None:
    """Take all rights to a file or folder from the user of the commands."""
    if is_root():
        os.chown(place, 0, 0)
    place.chmod(0o700 if is_root() else 0)


def plain(ended: list[Ended]) -> None:
    """Check that no command showed a traceback, and that each failure was explained."""
    traces = {" ".join(each.command): each.trace for each in ended if each.trace}
    assert not traces, "\n\n".join(f"{name}\n{trace}" for name, trace in traces.items())
    silent = [each.command for each in ended if each.status and not each.output.strip()]
    assert not silent
    assert [each.command for each in ended if "Traceback" in each.output] == []


def test_every_command_has_a_line() -> None:
    def names(command: click.Command, name: str) -> Iterator[str]:
        if not isinstance(command, click.Group):
            yield name
            return
        context = click.Context(command)
        for each in command.list_commands(context):
            inner = command.get_command(context, each)
            assert inner is not None
            yield from names(inner, f"{name} {each}".strip())

    known = set(names(main, ""))
    assert {name.split()[0] for name in known} == set(COMMANDS)
    assert {
        name for name in known if not any(f"{line} ".startswith(f"{name} ") for line in LINES)
    } == set()


@pytest.mark.slow
@pytest.mark.skipif(not is_root(), reason="only root can give a process a folder it cannot read")
def test_a_working_folder_that_the_user_cannot_read_has_no_settings(folder: Path) -> None:
    close(folder)
    ended = run_all(commands(), folder)
    plain(ended)
    (status,) = (each for each in ended if each.command == ("status",))
    assert "referee: settings: no file found, neither referee.toml nor /etc" in status.output
    (named,) = run_all([("--settings", str(folder / "referee.toml"), "status")], folder)
    assert (
        named.output
        == f"""\
referee: settings: cannot be read: Permission denied
  file      {folder}/referee.toml
  to do     run this as the referee's user (sudo -u referee), or name another one
"""
    )


def test_a_working_folder_that_was_deleted_has_no_settings(folder: Path) -> None:
    (folder / "gone").mkdir()
    ended = run_all([("status",), ("--settings", "x", "status")], folder / "gone", and_delete=True)
    plain(ended)
    assert "settings: no file found" in ended[0].output
    assert "settings: the working folder does not exist" in ended[1].output


def damage_settings(kind: str, file: Path) -> None:
    """Make a settings file unreadable, missing or broken."""
    file.unlink()
    if kind == "folder":
        file.mkdir()
    elif kind != "missing":
        file.write_bytes({"bytes": b"\xff\xfe\0", "words": b"hello"}.get(kind, b""))
    if kind == "closed":
        close(file)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["closed", "missing", "folder", "bytes", "words", "empty"])
def test_the_settings_file_cannot_be_used(folder: Path, kind: str) -> None:
    damage_settings(kind, folder / "referee.toml")
    lines = commands(OF_A_SITE)
    plain(run_all(lines, folder))
    named = [["--settings", str(folder / "referee.toml"), *line] for line in lines]
    plain(run_all(named, folder))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["state", "state/referee.db", "state/secret", "referee.toml"])
def test_a_part_of_the_site_is_closed(folder: Path, name: str) -> None:
    close(folder / name)
    ended = run_all(commands(OF_A_SITE), folder)
    plain(ended)
    if name != "referee.toml":
        (checked,) = (each for each in ended if each.command[:2] == ("doctor", "settings"))
        # It has not stopped at the first fault.
        assert "FAULT" in checked.output
        assert "\nsmtp " in checked.output


FOLDERS: Final = ("state", "in", "sent")
FILES: Final = ("state/referee.db", "state/secret")


@pytest.mark.slow
@pytest.mark.sampled
@pytest.mark.parametrize(
    ("name", "kind"),
    [
        *((name, kind) for name in FOLDERS for kind in ("missing", "file")),
        *(
            (name, kind)
            for name in FILES
            for kind in ("missing", "folder", "file", "garbage", "torn")
        ),
    ],
)
def test_a_part_of_the_site_is_missing_or_broken(folder: Path, name: str, kind: str) -> None:
    place = folder / name
    octets = place.read_bytes() if place.is_file() else b"x"
    shutil.rmtree(place) if place.is_dir() else place.unlink(missing_ok=True)
    contents: dict[str, Callable[[], object]] = {
        "missing": lambda: None,
        "folder": place.mkdir,
        "file": place.touch,
        "garbage": lambda: place.write_bytes(b"\xff\xfe\0garbage" * 1000),
        "torn": lambda: place.write_bytes(octets[: len(octets) // 2]),
    }
    contents[kind]()
    if place.exists() and is_root():
        os.chown(place, NOBODY, NOBODY)
    # A referee that could start would run until it is stopped.
    can_start = kind == "missing" or not name.startswith("state/")
    lines = [line for line in OF_A_SITE if line != "run" or not can_start]
    plain(run_all(commands(lines), folder))


@pytest.mark.slow
@pytest.mark.sampled
@pytest.mark.parametrize(
    "octets",
    [None, b"", b"\xff\xfe\0", b"{}", b"[]", b"null", b"1", b"[[case]]\nname = 1\n", b"=== x\n"],
)
def test_a_file_of_a_command_is_broken(folder: Path, octets: bytes | None) -> None:
    for name in ("file", "file.gz", "file.toml", "CERES.txt"):
        if octets is not None:
            (folder / name).write_bytes(octets)
        plain(run_all(commands(WITH_FILE, name), folder))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["file", "shut/file", "none/file", "folder", "link", "file/below"])
def test_a_file_of_a_command_cannot_be_read_or_written(folder: Path, name: str) -> None:
    (folder / "file").write_text("x")
    (folder / "shut").mkdir()
    (folder / "folder").mkdir()
    (folder / "link").symlink_to("link")
    close(folder / "file")
    close(folder / "shut")
    plain(run_all(commands(WITH_FILE, name), folder))
