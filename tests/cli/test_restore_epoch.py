"""After a restore no receipt and no Message-ID is used a second time."""

import re
import shutil
from pathlib import Path

import pytest

from referee.app import App
from referee.daemon import Daemon
from referee.domain.tokens import Kind, named_in
from referee.store.mail import inbox, outbox
from tests.live.postgresql import Postgres
from tests.support.hourly import NOON, SETTINGS, begin, installed, run, write

_SERVER = pytest.param("postgresql", marks=[pytest.mark.live, pytest.mark.slow])


@pytest.fixture(params=[pytest.param("sqlite", marks=pytest.mark.sqlite("a file")), _SERVER])
def folder(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a site with a game and a backup of it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("REFEREE_SETTINGS", raising=False)
    text = SETTINGS
    if request.param == "postgresql":
        server: Postgres = request.getfixturevalue("postgres")
        text += f'[database]\nurl = "{server.database(tmp_path.name.replace("-", "_"))}"\n'
    (tmp_path / "referee.toml").write_text(text)
    with installed() as app:
        begin(app)
        Daemon(app).send(NOON)
    assert run("backup", "copy.tar.gz").exit_code == 0
    return tmp_path


def answer(sender: str, words: str) -> tuple[int, str]:
    """Send an email and its answer; return its receipt and the Message-ID of the answer."""
    with installed() as app:
        write(app, (sender, words))
        daemon = Daemon(app)
        daemon.step(NOON)
        daemon.send(NOON)
        return newest(app)


def newest(app: App) -> tuple[int, str]:
    with app.store.read() as session:
        (letter,) = inbox.listing(session, None, 1)
        return letter.id, outbox.answers_to(session, letter)[-1].message_id


def restore() -> int:
    """Restore the backup; return the receipt after which receipts continue."""
    done = run("restore", "copy.tar.gz", "--force")
    assert done.exit_code == 0, done.output
    found = re.search(r"Receipts continue after (\d+)", done.output)
    assert found is not None
    return int(found[1])


def delivered(folder: Path) -> int:
    return len(list((folder / "sent" / "new").iterdir()))


@pytest.mark.slow
@pytest.mark.every_case
def test_receipts_and_message_ids_are_new_after_every_restore(folder: Path) -> None:
    used = [answer("frodo@shire.example", "STATUS")]
    sent = delivered(folder)
    for begins in (10_000, 20_000):
        assert restore() == begins
        used.append(answer("sam@shire.example", "HELP DEADLINE"))
        assert used[-1][0] == begins + 1
        # The Maildir has a file for each of them, so none was taken for another.
        sent += 1
        assert delivered(folder) == sent
    assert len({message_id for _, message_id in used}) == 3
    listed = run("mail", "list").output
    assert "20000" in listed
    assert "no email: a backup was restored, and receipts continue here" in listed


@pytest.mark.slow
@pytest.mark.every_case
def test_a_reply_to_an_email_of_the_new_epoch_is_a_reply(folder: Path) -> None:
    restore()
    with installed() as app:
        write(app, ("frodo@shire.example", "STATUS"))
        daemon = Daemon(app)
        daemon.step(NOON)
        _, message_id = newest(app)
        assert re.fullmatch(r"<s-[a-z2-7]{40}@example\.org>", message_id)
        token = named_in(message_id.strip("<>").partition("@")[0], app.site.key)
        assert token is not None
        assert token.kind is Kind.SEAT
        assert token.written == 4


@pytest.mark.release
def test_a_restore_says_where_the_missing_emails_are(folder: Path) -> None:
    restore = ("restore", "--force", "copy.tar.gz")
    assert "What your mail server handed over is only there if it" in run(*restore).output
    with Path("referee.toml").open("a") as settings:
        settings.write('[[maildir]]\nname = "orders"\npath = "in"\n')
    shown = run(*restore).output
    assert f"Maildir orders: move the files of {folder}/in/cur back into new" in shown
    assert "mail server" not in shown


@pytest.mark.slow
@pytest.mark.every_case
def test_a_lost_database_is_restored_beyond_its_backup(folder: Path) -> None:
    for file in (folder / "state").glob("referee.db*"):
        file.unlink()
    assert restore() == 10_000
    assert run("replay", "SW-1").output == "SW-1: 3 turns resolved again, identical\n"
    assert not list((folder / "state").glob(".restore-*"))
    assert not list((folder / "state").glob("*-wal"))
    shutil.rmtree(folder / "sent")
    assert answer("sam@shire.example", "HELP DEADLINE")[0] == 10_001
