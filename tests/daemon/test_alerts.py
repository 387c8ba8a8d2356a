"""The database is deleted, moved, replaced, damaged or full while the referee runs."""

import shutil
import smtplib
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from email import message_from_bytes
from email.policy import default
from pathlib import Path

import pytest

from referee.app import App, build
from referee.daemon import Daemon, Service
from referee.domain.mail_transfer import IncomingMail
from referee.errors import ResourceError, StoreGone
from referee.settings import load
from referee.store.mail import inbox
from referee.store.models import InboxLetter
from tests.support.hourly import HOUR, NOON, SETTINGS, run, write

pytestmark = pytest.mark.sqlite("about its file")

MINUTE = timedelta(minutes=1)
MAILDIR = '[[maildir]]\nname = "orders"\npath = "in"\n'
LETTER = b"From: <sam@shire.example>\r\nMessage-ID: <1@shire.example>\r\n\r\nHELP\r\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("REFEREE_SETTINGS", raising=False)
    (tmp_path / "referee.toml").write_text(SETTINGS + MAILDIR)
    return tmp_path


@pytest.fixture
def app(folder: Path) -> Iterator[App]:
    """Return a referee that has answered one email."""
    app = build(load(folder / "referee.toml"))
    daemon = Daemon(app)
    write(app, ("frodo@shire.example", "HELP"))
    daemon.step(NOON)
    daemon.send(NOON)
    assert len(sent(folder)) == 1
    yield app
    app.close()


def sent(folder: Path) -> list[bytes]:
    """Return the emails that were sent, the newest last."""
    files = (folder / "sent" / "new").iterdir()
    return [file.read_bytes() for file in sorted(files, key=lambda file: file.stat().st_mtime_ns)]


def drop(folder: Path) -> Path:
    """Put an email into the Maildir that the referee reads."""
    for name in ("cur", "new", "tmp"):
        (folder / "in" / name).mkdir(parents=True, exist_ok=True)
    file = folder / "in" / "new" / "1.letter"
    file.write_bytes(LETTER)
    return file


def lose(folder: Path, how: str) -> None:
    database = folder / "state" / "referee.db"
    database.rename(folder / "moved.db")
    if how == "deleted":
        (folder / "moved.db").unlink()
    if how == "replaced":
        shutil.copyfile(folder / "moved.db", database)


@pytest.mark.slow
@pytest.mark.parametrize("how", ["deleted", "moved", "replaced"])
def test_letters_are_refused_and_the_operator_is_notified_once(
    app: App, folder: Path, how: str
) -> None:
    daemon = Daemon(app)
    lose(folder, how)
    with pytest.raises(StoreGone):
        app.accept(IncomingMail("pipe", "x", LETTER, NOON))
    waiting = drop(folder)
    for second in range(0, 60, 15):
        daemon.step(NOON + timedelta(seconds=second))
        daemon.send(NOON + timedelta(seconds=second))
    assert waiting.exists()
    (raw,) = sent(folder)[1:]
    alert = message_from_bytes(raw, policy=default)
    text = "".join(alert.get_content().split())
    assert alert["To"] == "you@example.org"
    assert "the database is gone" in alert["Subject"]
    assert f"{folder}/state/referee.db" in text
    assert "`refereerestore--force`onthelastbackup" in text
    assert (folder / "state" / "referee.db").exists() == (how == "replaced")


def damage(folder: Path) -> None:
    """Overwrite every page but the first one, as a broken disk does."""
    with sqlite3.connect(folder / "state" / "referee.db") as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with (folder / "state" / "referee.db").open("r+b") as file:
        size = file.seek(0, 2)
        file.seek(4096)
        file.write(b"\xff" * (size - 4096))


@pytest.mark.slow
def test_a_damaged_database_is_reported_once(
    app: App, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    app.store.close()
    damage(folder)
    daemon = Daemon(app)
    for second in range(0, 1200, 5):
        daemon.step(NOON + timedelta(seconds=second))
        daemon.send(NOON + timedelta(seconds=second))
    (raw,) = sent(folder)[1:]
    alert = message_from_bytes(raw, policy=default)
    text = " ".join(alert.get_content().split())
    assert "the database is damaged" in alert["Subject"]
    assert "database disk image is malformed" in text
    assert "`referee restore --force` the last backup" in text
    (logged,) = [words for words in caplog.messages if 'event="the database is damaged"' in words]
    assert 'to_do="stop the referee, keep the file' in logged


def test_a_failure_of_the_database_is_logged_at_growing_distances(
    app: App, folder: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = Service(Daemon(app))
    service._is_at_work = True
    seconds = iter(range(10**6))
    monkeypatch.setattr(
        "referee.daemon.service.now", lambda: NOON + timedelta(seconds=next(seconds))
    )
    lose(folder, "deleted")
    for _ in range(400):
        service._keep_alive()
    assert len(caplog.messages) < 20


@pytest.mark.slow
@pytest.mark.parametrize("how", ["deleted", "replaced"])
def test_a_lost_log_is_saved_and_no_more_mail_is_taken(app: App, folder: Path, how: str) -> None:
    daemon = Daemon(app)
    write(app, ("sam@shire.example", "HELP"))
    log = folder / "state" / "referee.db-wal"
    log.unlink()
    if how == "replaced":
        # A command of the operator opens the database, and SQLite makes another one.
        run("status")
        assert log.exists()
    waiting = drop(folder)
    for second in range(0, 60, 15):
        daemon.step(NOON + timedelta(seconds=second))
        daemon.send(NOON + timedelta(seconds=second))
    with pytest.raises(StoreGone):
        app.accept(IncomingMail("pipe", "x", LETTER, NOON))
    assert waiting.exists()
    (raw,) = sent(folder)[1:]
    alert = message_from_bytes(raw, policy=default)
    text = " ".join(alert.get_content().split())
    assert "the log of the database is gone" in alert["Subject"]
    assert "referee.db-wal" in text
    assert "Restart the referee: everything that was stored is in the database again." in text
    # The program is killed: its connections save nothing.
    copy = folder / "copy.db"
    shutil.copyfile(folder / "state" / "referee.db", copy)
    with closing(sqlite3.connect(copy)) as database:
        assert database.execute("SELECT count(*) FROM inbox").fetchone() == (2,)


def test_what_is_committed_while_the_log_is_deleted_is_saved(app: App, folder: Path) -> None:
    with app.store.write() as session:
        session.get_one(InboxLetter, 1).note = "changed"
        (folder / "state" / "referee.db-wal").unlink()
    copy = folder / "copy.db"
    shutil.copyfile(folder / "state" / "referee.db", copy)
    with closing(sqlite3.connect(copy)) as database:
        assert database.execute("SELECT note FROM inbox").fetchone() == ("changed",)


def test_a_log_that_is_moved_and_put_back_is_used_again(app: App, folder: Path) -> None:
    log = folder / "state" / "referee.db-wal"
    log.rename(folder / "moved")
    with pytest.raises(StoreGone):
        app.store.check_presence()
    (folder / "moved").rename(log)
    write(app, ("sam@shire.example", "HELP"))
    with app.store.read() as session:
        assert inbox.by_id(session, 2) is not None


@pytest.mark.slow
def test_commands_of_the_operator_do_not_delete_the_log(app: App, folder: Path) -> None:
    for command in ("status", "backup copy.tar.gz", "tidy --rebuild", "mail list"):
        assert run(*command.split()).exit_code == 0
        app.store.check_presence()
        write(app, (f"{command.partition(' ')[0]}@shire.example", "HELP"))


def test_a_file_that_is_put_back_is_used_again(app: App, folder: Path) -> None:
    daemon = Daemon(app)
    waiting = drop(folder)
    lose(folder, "moved")
    daemon.step(NOON)
    daemon.send(NOON)
    (folder / "moved.db").rename(folder / "state" / "referee.db")
    daemon.step(NOON + HOUR)
    daemon.send(NOON + HOUR)
    assert not waiting.exists()
    with app.store.read() as session:
        assert inbox.by_id(session, 2) is not None
    lose(folder, "moved")
    daemon.send(NOON + HOUR + MINUTE)
    assert b"the database is gone" in sent(folder)[-1]


def test_a_failure_is_reported_again_after_a_clock_that_was_ahead(app: App, folder: Path) -> None:
    daemon = Daemon(app)
    lose(folder, "moved")
    daemon.send(NOON + timedelta(days=365))
    (folder / "moved.db").rename(folder / "state" / "referee.db")
    lose(folder, "moved")
    daemon.send(NOON)
    assert len(sent(folder)) == 3


def test_the_receiver_answers_with_try_later(folder: Path) -> None:
    # Port 0 is no setting, so the socket is a file.
    with (folder / "referee.toml").open("a") as settings:
        settings.write('[receiver]\nsocket = "lmtp"\nprotocol = "lmtp"\n')
    app = build(load(folder / "referee.toml"))
    app.open_receiver()
    try:
        lose(folder, "deleted")
        with closing(smtplib.LMTP(str(folder / "lmtp"))) as server:
            with pytest.raises(smtplib.SMTPDataError) as refused:
                server.sendmail("sam@shire.example", "games@example.org", LETTER)
            assert refused.value.smtp_code == 451
    finally:
        assert app.receiver is not None
        app.receiver.stop(5)
        app.close()


@pytest.mark.slow
@pytest.mark.parametrize("trace", ["secret", "referee.db-wal", "monday.tar.gz"])
def test_no_new_database_is_made_where_one_was(folder: Path, trace: str) -> None:
    (folder / "state").mkdir()
    (folder / "state" / trace).write_text("00" * 32)
    for command in ("run", "status", "doctor database"):
        done = run(*command.split())
        assert done.exit_code == 1
        assert f"database: missing, but {trace} shows that there was one" in done.output
        assert "`referee restore --force` a backup; `referee site new-database`" in done.output
    assert not (folder / "state" / "referee.db").exists()
    asked = run("site", "new-database")
    assert asked.exit_code == 1
    assert f"Found: {folder}/state/{trace}" in asked.output
    assert run("site", "new-database", "--yes").exit_code == 0
    assert "database: already exists" in run("site", "new-database", "--yes").output
    assert run("status").exit_code == 0
    build(load(folder / "referee.toml")).close()


def test_a_database_without_tables_is_not_used(folder: Path) -> None:
    (folder / "state").mkdir()
    (folder / "state" / "secret").write_text("00" * 32)
    (folder / "state" / "referee.db").touch()
    with pytest.raises(ResourceError, match="empty, but secret shows that there was one"):
        build(load(folder / "referee.toml"))
    for command in ("status", "doctor database"):
        assert "database: empty, it has no tables" in run(*command.split()).output


@pytest.mark.slow
def test_a_lost_secret_stops_the_referee_until_there_is_one(app: App, folder: Path) -> None:
    secret = folder / "state" / "secret"
    secret.unlink()
    for command in ("run", "doctor state"):
        done = run(*command.split())
        assert done.exit_code == 1
        assert "secret: missing, but the database has emails that were signed" in done.output
        assert "`referee site new-secret` makes a new one and says what is lost" in done.output
    assert not secret.exists()
    asked = run("site", "new-secret")
    assert asked.exit_code == 1
    assert "Replies to emails sent until now are not recognised" in asked.output
    assert not secret.exists()
    assert run("site", "new-secret", "--yes").exit_code == 0
    assert secret.stat().st_mode & 0o777 == 0o600
    assert "secret: already exists" in run("site", "new-secret", "--yes").output
    build(load(folder / "referee.toml")).close()


@pytest.mark.slow
def test_another_secret_stops_the_referee(app: App, folder: Path) -> None:
    app.close()
    secret = folder / "state" / "secret"
    right = secret.read_text()
    secret.write_text("00" * 32 + "\n")
    for command in ("run", "doctor state", "backup copy.tar.gz"):
        done = run(*command.split())
        assert done.exit_code == 1
        assert "secret: not the one that emails of this database were signed with" in done.output
        assert "move this one away, then `referee site new-secret`" in done.output
    secret.unlink()
    assert run("site", "new-secret", "--yes").exit_code == 0
    build(load(folder / "referee.toml")).close()
    secret.write_text(right)
    assert run("doctor", "state").exit_code == 1


def test_a_second_referee_without_the_secret_of_the_first_does_not_start(folder: Path) -> None:
    settings = load(folder / "referee.toml")
    build(settings).close()
    secret = folder / "state" / "secret"
    secret.write_text("00" * 32 + "\n")
    with pytest.raises(ResourceError, match="secret: not the one"):
        build(settings)
    secret.unlink()
    with pytest.raises(ResourceError, match="secret: missing"):
        build(settings)


def test_a_secret_that_is_deleted_is_written_again(
    app: App, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    service = Service(Daemon(app))
    secret = folder / "state" / "secret"
    before = secret.read_text()
    secret.unlink()
    service._keep_secret()
    assert secret.read_text() == before
    assert secret.stat().st_mode & 0o777 == 0o600
    (logged,) = [words for words in caplog.messages if "secret" in words]
    assert "the secret was deleted, and is written again" in logged
