"""``referee publish`` and ``referee game archive``."""

import io
import math
import zipfile
from email import message_from_bytes
from email.policy import SMTP
from pathlib import Path

import pytest
from sqlalchemy import select

from referee.daemon import Daemon
from referee.desk.base.desk import Desk
from referee.desk.reports import game_end
from referee.pages.folder import LIST
from referee.store.games import games
from referee.store.models import GameStatus, OutboxLetter
from tests.support.hourly import HOUR, NOON, SETTINGS, installed, run
from tests.support.strict_html import StrictHtml


@pytest.fixture
def folder(site: Path) -> Path:
    """Return a site with a game that has ended after three turns, with observers."""
    with installed() as app, app.store.write() as session:
        (game,) = games.listing(session)
        game.observers_behind = 1
    return site


def end() -> None:
    with installed() as app:
        with app.store.write() as session:
            (game,) = games.listing(session)
            game_end.finish(Desk(session, app.site, NOON + 4 * HOUR), game)
        daemon = Daemon(app)
        daemon.books.seconds = math.inf
        daemon.step(NOON + 5 * HOUR)


@pytest.mark.slow
def test_the_operator_publishes_pages_and_writes_a_book(folder: Path) -> None:
    early = run("game", "archive", "sw-1", "sw-1.zip")
    assert early.exit_code == 1
    assert "SW-1: has not ended" in early.stderr
    nowhere = run("publish")
    assert nowhere.exit_code == 1
    assert "set pages.folder" in nowhere.stderr

    secret = run("publish", "state/public")
    assert secret.exit_code == 1
    assert "pages: in the state folder" in secret.stderr
    assert not (folder / "state" / "public").exists()

    done = run("publish", "public")
    assert (done.exit_code, done.output) == (0, "public: written\n")
    running = StrictHtml((folder / "public" / "sw-1" / "index.html").read_text())
    assert "Public report of turn 3" in running.text

    end()
    (folder / "referee.toml").write_text(
        f'{SETTINGS}[pages]\nfolder = "public"\nurl = "https://games.example.org/sw"\n'
    )
    assert run("publish").exit_code == 0
    page = StrictHtml((folder / "public" / "sw-1" / "index.html").read_text())
    assert "StarWeb, 3 turns, 2 players." in page.text
    feed = (folder / "public" / "games.xml").read_text()
    assert 'href="https://games.example.org/sw/sw-1/index.html"' in feed

    first = run("game", "archive", "sw-1", "sw-1.zip")
    assert first.exit_code == 0
    assert run("game", "archive", "sw-1", "again.zip").exit_code == 0
    assert (folder / "sw-1.zip").read_bytes() == (folder / "again.zip").read_bytes()
    kept = run("game", "archive", "sw-1", "sw-1.zip")
    assert "already exists" in kept.stderr

    with zipfile.ZipFile(folder / "sw-1.zip") as book:
        names = book.namelist()
        assert first.output == f"sw-1.zip: SW-1, {len(names)} files\n"
        assert names == sorted(names)
        assert {info.date_time for info in book.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert not any(name.startswith(("/", "..")) or ".." in name for name in names)
        report = book.read("reports/1-FRODO/turn-02.txt").decode()
        assert "reports/2-SAM/turn-01.txt" in names
        html = [StrictHtml(book.read(n).decode()) for n in names if n.endswith(".html")]
        linked = {link for each in html for link in each.links if "." in link}
        assert linked - {*names} == set()
        book.extract("sw-1-record.json", folder)
    assert "Turn 2" in report
    replayed = run("replay", "sw-1-record.json")
    assert replayed.output == (
        "SW-1: its rules did not end it after turn 3; the GM or a vote did\n"
        "SW-1: 3 turns resolved again, identical\n"
    )


def test_a_folder_of_somebody_else_is_refused(folder: Path) -> None:
    (folder / "public").mkdir()
    (folder / "public" / "index.html").write_text("my home page")
    done = run("publish", "public")
    assert done.exit_code == 1
    assert "an index.html that the referee has not written" in done.stderr
    assert [file.name for file in (folder / "public").iterdir()] == ["index.html"]


@pytest.mark.slow
def test_a_game_whose_ruleset_is_gone_keeps_its_pages(folder: Path) -> None:
    assert run("publish", "public").exit_code == 0
    with installed() as app, app.store.write() as session:
        (game,) = games.listing(session)
        game.ruleset = "chess"
    done = run("publish", "public")
    assert done.exit_code == 0
    written = {file.name for file in (folder / "public").iterdir()}
    assert {LIST, "index.html", "deadlines.ics", "sw-1"} <= written


@pytest.mark.slow
def test_the_books_of_players_have_their_own_reports_only(folder: Path) -> None:
    end()
    with installed() as app, app.store.read() as session:
        letters = session.scalars(select(OutboxLetter).where(OutboxLetter.kind == "FinalStanding"))
        found = {letter.recipient: letter.raw for letter in letters}
    assert {*found} == {"frodo@shire.example", "sam@shire.example", "you@example.org"}
    books = {who: _book(raw) for who, raw in found.items()}
    reports = {w: [n for n in names if n.startswith("reports/")] for w, names in books.items()}
    own = {who: {name.split("/")[1] for name in names} for who, names in reports.items()}
    assert own == {
        "frodo@shire.example": {"1-FRODO"},
        "sam@shire.example": {"2-SAM"},
        "you@example.org": set(),
    }


def _book(raw: bytes) -> list[str]:
    _record, part = message_from_bytes(raw, policy=SMTP).iter_attachments()
    return zipfile.ZipFile(io.BytesIO(part.get_content())).namelist()


def test_a_game_that_ended_without_a_turn_is_no_book(folder: Path) -> None:
    with installed() as app, app.store.write() as session:
        (game,) = games.listing(session)
        game.status = GameStatus.ENDED
        game.turn = 1
    refused = run("game", "archive", "sw-1", "sw-1.zip")
    assert refused.exit_code == 1
    assert "SW-1: ended before its first turn was resolved" in refused.stderr
    assert not (folder / "sw-1.zip").exists()
