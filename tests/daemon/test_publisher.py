"""The web pages and books in the loop: written when something has changed, and only then."""

import math
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from referee.app import App, build
from referee.daemon import Daemon
from referee.daemon.publisher import EVERY
from referee.desk.base.desk import Desk
from referee.desk.reports import game_end
from referee.settings import load
from referee.store.games import games
from referee.store.models import GameStatus, OutboxLetter
from tests.support.hourly import HOUR, NOON, SETTINGS, begin, write

MINUTE = timedelta(minutes=1)
PAGES = '[pages]\nfolder = "public"\nurl = "https://games.example.org/"\n'


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    (tmp_path / "referee.toml").write_text(SETTINGS + PAGES)
    built = build(load(tmp_path / "referee.toml"))
    yield built
    built.close()


def pages(folder: Path) -> set[str]:
    public = folder / "public"
    return {str(file.relative_to(public)) for file in public.rglob("*.html")}


def stepped(daemon: Daemon, now: datetime) -> None:
    """Take steps until no page is left to be written."""
    assert daemon.publisher is not None
    daemon.step(now)
    while daemon.publisher.is_working:
        assert daemon.next_due(now) == now
        daemon.step(now)


def alerts(app: App) -> list[str]:
    with app.store.read() as session:
        letters = session.query(OutboxLetter).filter(OutboxLetter.kind == "OperatorAlert")
        return [letter.raw.decode() for letter in letters]


@pytest.mark.slow
def test_a_game_that_ends_is_on_the_pages_and_its_players_get_a_book(
    app: App, tmp_path: Path
) -> None:
    begin(app)
    daemon = Daemon(app)
    now = NOON + 3 * HOUR + 2 * MINUTE
    stepped(daemon, now)
    assert pages(tmp_path) == {"index.html", "sw-1/index.html"}
    with app.store.write() as session:
        (game,) = games.listing(session)
        game.observers_behind = 0
        game_end.finish(Desk(session, app.site, now), game)
    # A round that has no time makes one part, and the loop is due again at once.
    daemon.books.seconds = 0
    later = now + MINUTE
    daemon.step(later)
    assert daemon.next_due(later) is not None
    assert kinds(app, "FinalStanding") == 0
    daemon.books.seconds = math.inf
    stepped(daemon, later)
    assert kinds(app, "FinalStanding") == 3
    daemon.step(later + HOUR)
    assert kinds(app, "FinalStanding") == 3
    assert pages(tmp_path) == {
        "index.html",
        *(f"sw-1/{name}.html" for name in ("index", "turn-1", "turn-2", "turn-3", "turn-4")),
    }


def kinds(app: App, kind: str) -> int:
    with app.store.read() as session:
        return session.query(OutboxLetter).filter(OutboxLetter.kind == kind).count()


@pytest.mark.slow
def test_an_idle_referee_compares_the_pages_every_ten_minutes_only(
    app: App, tmp_path: Path
) -> None:
    daemon = Daemon(app)
    stepped(daemon, NOON)
    (tmp_path / "public" / "index.html").unlink()
    for seconds in (5, 60, 300, 590):
        daemon.step(NOON + timedelta(seconds=seconds))
        assert pages(tmp_path) == set()
    stepped(daemon, NOON + EVERY + MINUTE)
    assert pages(tmp_path) == {"index.html"}

    # An email brings the next comparison, but not two within half a minute.
    now = NOON + 3 * EVERY
    stepped(daemon, now)
    write(app, ("you@example.org", 'CREATE STARWEB SEATS 2 DEADLINE "1 hour"'))
    daemon.step(now + timedelta(seconds=5))
    assert pages(tmp_path) == {"index.html"}
    stepped(daemon, now + timedelta(seconds=31))
    assert pages(tmp_path) == {"index.html", "sw-1/index.html"}


def test_a_clock_that_was_ahead_does_not_keep_the_pages_waiting(app: App, tmp_path: Path) -> None:
    daemon = Daemon(app)
    stepped(daemon, NOON + 24 * HOUR)
    (tmp_path / "public" / "index.html").unlink()
    stepped(daemon, NOON)
    assert pages(tmp_path) == {"index.html"}


def test_a_failure_is_reported_once_and_ends_nothing(app: App, tmp_path: Path) -> None:
    (tmp_path / "public").write_text("This is no folder.")
    daemon = Daemon(app)
    stepped(daemon, NOON)
    (alert,) = alerts(app)
    assert "Subject: web pages cannot be written" in alert
    assert "referee doctor pages" in alert
    stepped(daemon, NOON + EVERY)
    stepped(daemon, NOON + 2 * EVERY)
    assert len(alerts(app)) == 1

    (tmp_path / "public").unlink()
    stepped(daemon, NOON + 3 * EVERY)
    assert pages(tmp_path) == {"index.html"}
    (tmp_path / "public" / "index.html").unlink()
    (tmp_path / "public" / "index.html").mkdir()
    stepped(daemon, NOON + 4 * EVERY)
    assert len(alerts(app)) == 2


def test_a_game_that_cannot_be_drawn_loses_its_old_page_and_no_other_does(
    app: App, tmp_path: Path
) -> None:
    write(
        app,
        ("you@example.org", 'CREATE STARWEB SEATS 2 DEADLINE "1 hour"'),
        ("you@example.org", 'CREATE STARWEB SEATS 3 DEADLINE "1 hour"'),
    )
    daemon = Daemon(app)
    stepped(daemon, NOON)
    assert pages(tmp_path) == {"index.html", "sw-1/index.html", "sw-2/index.html"}
    with app.store.write() as session:
        games.listing(session)[0].schedule = "never"
        games.listing(session)[1].title = "Renamed"
    stepped(daemon, NOON + EVERY)
    assert pages(tmp_path) == {"index.html", "sw-2/index.html"}
    assert "Renamed" in (tmp_path / "public" / "sw-2" / "index.html").read_text()
    assert len(alerts(app)) == 1


def test_without_the_section_there_are_no_pages(app: App, tmp_path: Path) -> None:
    daemon = Daemon(replace(app, settings=app.settings.model_copy(update={"pages": None})))
    daemon.step(NOON)
    assert daemon.publisher is None
    assert not (tmp_path / "public").exists()


@pytest.mark.slow
def test_the_pages_are_whole_however_often_the_referee_is_stopped(
    app: App, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(app)
    with app.store.write() as session:
        (game,) = games.listing(session)
        game.observers_behind, game.status, game.ended_at = 0, GameStatus.ENDED, NOON
    monkeypatch.setattr("referee.daemon.publisher._BUDGET_SECONDS", 0.0)
    real = os.fsync
    for stop in range(1, 8):
        left = iter(range(stop))

        def dies(channel: int, left: Iterator[int] = left) -> None:
            if next(left, None) is None:
                raise KeyboardInterrupt
            real(channel)

        monkeypatch.setattr(os, "fsync", dies)
        with suppress(KeyboardInterrupt):
            stepped(Daemon(app), NOON + (2 * stop) * HOUR)
        assert all(text.endswith("</html>") for text in texts(tmp_path))
    monkeypatch.setattr(os, "fsync", real)
    stepped(Daemon(app), NOON + 20 * HOUR)
    assert len(texts(tmp_path)) == 6
    assert all(text.endswith("</html>") for text in texts(tmp_path))


def texts(folder: Path) -> list[str]:
    return [(folder / "public" / page).read_text() for page in pages(folder)]
