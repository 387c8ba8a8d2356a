"""``referee backup`` and ``referee restore``: made while the referee runs, restored, replayed."""

import io
import os
import shutil
import sqlite3
import tarfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event, Thread

import pytest
from sqlalchemy import text

from referee import instance_lock
from referee.app import App
from referee.domain.mail_transfer import IncomingMail
from referee.errors import StoreOutdated
from referee.settings import load
from referee.store import Store
from referee.store.mail import inbox
from tests.live.postgresql import Postgres
from tests.store.database.test_schema import NEWEST
from tests.support.databases import BOTH_KINDS
from tests.support.every_command import is_root
from tests.support.hourly import HOUR, LETTERS, NOON, SETTINGS, begin, installed, play, run, turn

BOTH = pytest.mark.parametrize("folder", BOTH_KINDS, indirect=True)


@pytest.fixture
def folder(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a site whose game is before the orders of turn 4."""
    if getattr(request, "param", "sqlite") != "postgresql":
        site: Path = request.getfixturevalue("site")
        return site
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("REFEREE_SETTINGS", raising=False)
    server: Postgres = request.getfixturevalue("postgres")
    url = server.database(tmp_path.name.replace("-", "_"))
    (tmp_path / "referee.toml").write_text(f'{SETTINGS}[database]\nurl = "{url}"\n')
    with installed() as app:
        begin(app)
    return tmp_path


@contextmanager
def writing(app: App) -> Iterator[Event]:
    """Receive letters continuously; the event is set when some have arrived."""
    stop, begun = Event(), Event()

    def write() -> None:
        number = 100
        while not stop.is_set():
            raw = b"From: <x@example.org>\r\nMessage-ID: <%d@x>\r\n\r\nHELP\r\n" % number
            app.accept(IncomingMail("pipe", str(number), raw, NOON, "x@example.org"))
            number += 1
            begun.set()

    writer = Thread(target=write)
    writer.start()
    assert begun.wait(10)
    try:
        yield begun
    finally:
        stop.set()
        writer.join()


@pytest.mark.slow
@pytest.mark.every_case
@BOTH
def test_a_backup_of_a_running_referee_is_restored_and_replayed(folder: Path) -> None:
    with installed() as app:
        with writing(app), instance_lock.running(app.settings):
            done = run("backup", "copy.tar.gz")
        assert done.exit_code == 0, done.stderr
        secret = (folder / "state" / "secret").read_text()
        play(app, hours=2, since=NOON + 4 * HOUR)
        assert turn(app.store) == 7
    assert "copy.tar.gz" in done.output
    assert "checked, of " in done.output
    assert (folder / "copy.tar.gz").stat().st_mode & 0o077 == 0
    assert not list(folder.glob(".backup-*"))

    (folder / "state" / "secret").write_text("0" * 64)
    refused = run("restore", "copy.tar.gz")
    assert refused.exit_code == 1
    assert "site: already exists" in refused.stderr
    done = run("restore", "copy.tar.gz", "--force")
    assert done.exit_code == 0, done.stderr
    assert (folder / "state" / "secret").read_text() == secret
    assert not list((folder / "state").glob(".restore-*"))
    replayed = run("replay", "SW-1")
    assert replayed.output == "SW-1: 3 turns resolved again, identical\n"
    with installed() as app:
        assert turn(app.store) == 4
        with app.store.read() as session:
            assert sum(inbox.counts(session).values()) > len(LETTERS)
        play(app, hours=2, since=NOON + 4 * HOUR)
        assert turn(app.store) == 7
    assert run("replay", "SW-1").output == "SW-1: 6 turns resolved again, identical\n"


@pytest.mark.slow
def test_only_the_owner_can_read_the_members_of_a_backup(folder: Path) -> None:
    assert run("backup", "copy.tar.gz").exit_code == 0
    with tarfile.open(folder / "copy.tar.gz") as archive:
        modes = {member.name: member.mode for member in archive}
    assert modes == dict.fromkeys(("contents.json", "database", "secret"), 0o600)


@pytest.mark.sqlite("the other half is on a server")
def test_a_backup_is_written_to_no_file_that_was_prepared_for_it(folder: Path) -> None:
    (folder / "leak").touch(0o666)
    (folder / "copy.tar.gz.draft").symlink_to(folder / "leak")
    os.mkfifo(folder / "second.tar.gz.draft")
    for name in ("copy.tar.gz", "second.tar.gz"):
        assert run("backup", name).exit_code == 0
        assert (folder / name).stat().st_mode & 0o777 == 0o600
    assert (folder / "leak").read_bytes() == b""
    assert (folder / "copy.tar.gz.draft").is_symlink()


@pytest.mark.sampled
@pytest.mark.skipif(not is_root(), reason="only root can give a folder to another user")
@pytest.mark.parametrize(
    "words",
    [
        "run",
        "restore copy.tar.gz --force",
        "site new-secret",
        "move-database postgresql+psycopg://referee@localhost/referee",
    ],
)
def test_root_makes_no_files_in_the_folder_of_another_user(folder: Path, words: str) -> None:
    os.chown(folder / "state", 65534, 65534)
    refused = run(*words.split())
    assert refused.exit_code == 1
    assert "state folder: belongs to nobody, who could not use the files of root" in refused.output
    assert "sudo -u nobody referee" in refused.output


@pytest.mark.slow
@pytest.mark.sqlite("works on the file")
def test_replaced_files_are_kept_and_an_empty_place_needs_no_force(folder: Path) -> None:
    assert run("backup", "copy.tar.gz").exit_code == 0
    with installed() as app:
        play(app, hours=1, since=NOON + 4 * HOUR)
    assert run("restore", "copy.tar.gz", "--force").exit_code == 0
    (aside,) = (folder / "state").glob("referee.db.before-restore-*Z")
    kept = Store(f"sqlite:///{aside}")
    assert turn(kept) == 6
    kept.close()
    shutil.rmtree(folder / "state")
    assert run("restore", "copy.tar.gz").exit_code == 0
    assert run("replay", "SW-1").output == "SW-1: 3 turns resolved again, identical\n"
    assert run("doctor", "state", "database").exit_code == 0


@pytest.mark.slow
def test_nothing_is_overwritten_without_force(folder: Path) -> None:
    (folder / "copy.tar.gz").write_text("dear to somebody")
    done = run("backup", "copy.tar.gz")
    assert done.exit_code == 1
    assert "overwrite it with --force" in done.stderr
    assert (folder / "copy.tar.gz").read_text() == "dear to somebody"
    assert run("backup", "copy.tar.gz", "--force").exit_code == 0
    assert tarfile.is_tarfile(folder / "copy.tar.gz")


@pytest.mark.slow
@pytest.mark.every_case
@BOTH
def test_nothing_is_restored_under_a_running_referee(folder: Path) -> None:
    settings = load(Path("referee.toml"))
    run("backup", "copy.tar.gz")
    with instance_lock.running(settings):
        done = run("restore", "copy.tar.gz", "--force")
    assert done.exit_code == 1
    assert "database in use: a referee is running" in done.stderr
    with instance_lock.alone(settings, instance_lock.RESTORES):
        done = run("run")
    assert done.exit_code == 1
    assert "database in use: a restore is in progress: process" in done.stderr
    assert run("restore", "copy.tar.gz", "--force").exit_code == 0


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["postgresql"], indirect=True)
def test_several_referees_can_run_on_a_database_server(folder: Path) -> None:
    settings = load(folder / "referee.toml")
    with instance_lock.running(settings), instance_lock.running(settings):
        done = run("restore", "copy.tar.gz", "--force")
    assert "database in use: a referee is running" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["postgresql"], indirect=True)
def test_nothing_is_restored_under_a_referee_on_another_machine(folder: Path) -> None:
    run("backup", "copy.tar.gz")
    elsewhere = Store(str(load(folder / "referee.toml").database.url))
    with elsewhere.read() as session:
        session.execute(text("SELECT 1"))
    done = run("restore", "copy.tar.gz", "--force")
    assert "database in use: other programs are connected to it" in done.stderr
    elsewhere.close()
    assert run("restore", "copy.tar.gz", "--force").exit_code == 0


@pytest.mark.slow
def test_a_damaged_backup_changes_nothing(folder: Path) -> None:
    run("backup", "copy.tar.gz")
    whole = (folder / "copy.tar.gz").read_bytes()
    middle = len(whole) // 2
    (folder / "torn").write_bytes(whole[:middle])
    (folder / "bitten").write_bytes(whole[:middle] + b"\0\0\0\0" + whole[middle + 4 :])
    (folder / "other").write_text("no backup at all")
    for name in ("torn", "bitten", "other", "missing"):
        done = run("restore", name, "--force")
        assert done.exit_code == 1, name
        assert "backup: cannot be used: " in done.stderr
        assert "nothing was changed" in done.stderr
    assert run("replay", "SW-1").output == "SW-1: 3 turns resolved again, identical\n"


def test_a_deeply_nested_backup_changes_nothing(folder: Path) -> None:
    contents = tarfile.TarInfo("contents.json")
    contents.size = 200_000
    with tarfile.open(folder / "deep.tar.gz", "w:gz") as archive:
        archive.addfile(contents, io.BytesIO(b"[" * contents.size))
    done = run("restore", "deep.tar.gz", "--force")
    assert done.exit_code == 1
    assert "backup: cannot be used: not a backup" in done.stderr


@pytest.mark.slow
@pytest.mark.sqlite("works on the file")
def test_a_damaged_database_is_not_backed_up(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "state" / "referee.db")) as database:
        database.execute("PRAGMA foreign_keys=OFF")
        database.execute("DELETE FROM games")
        database.commit()
    done = run("backup", "copy.tar.gz")
    assert done.exit_code == 1
    assert "database: damaged" in done.stderr
    assert not (folder / "copy.tar.gz").exists()


@pytest.mark.slow
@pytest.mark.sqlite("works on the file")
def test_a_backup_by_a_newer_program_is_rejected(folder: Path) -> None:
    database = folder / "state" / "referee.db"
    run("backup", "copy.tar.gz")
    with tarfile.open(folder / "copy.tar.gz") as archive:
        assert sorted(archive.getnames()) == ["contents.json", "database", "secret"]
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
    newer = Store(f"sqlite:///{database}")
    newer.snapshot(folder / "newer.db")
    newer.close()
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = ?", (NEWEST,))
        connection.commit()
    store = Store(f"sqlite:///{database}")
    with pytest.raises(StoreOutdated, match="from a newer program"):
        store.restore(folder / "newer.db", ".aside", lambda _: None)
    store.check()
    store.close()
