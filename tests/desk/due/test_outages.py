"""After an outage, a deadline leaves the time in which other mail servers try again."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from referee.app import App
from referee.daemon import Daemon
from referee.store.games import games, postponements
from referee.store.models import LONG_AGO
from tests.support.hourly import HOUR, NOON, SETTINGS, begin, installed, play


@pytest.mark.slow
@pytest.mark.parametrize(
    ("more", "left"),
    [
        # As much as was left when the outage began.
        ("", HOUR),
        ("[receiver]\nport = 8025\n", 6 * HOUR),
    ],
)
def test_letters_that_mail_servers_kept_are_in_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: str, left: timedelta
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("REFEREE_SETTINGS", raising=False)
    (tmp_path / "referee.toml").write_text(SETTINGS + more)
    with installed() as app:
        begin(app)
        back = NOON + 40 * HOUR
        play(app, hours=0, since=back)
        with app.store.read() as session:
            (game,) = games.listing(session)
            assert (game.turn, game.deadline_at) == (4, back + left)


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[App]:
    """Return a site for which ten minutes without a heartbeat are a gap."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("REFEREE_SETTINGS", raising=False)
    (tmp_path / "referee.toml").write_text(SETTINGS)
    with installed() as app:
        patience = replace(app.site.patience, gap=timedelta(minutes=10))
        yield replace(app, site=replace(app.site, patience=patience))


@pytest.mark.parametrize("is_synchronised", [False, True])
def test_after_a_gap_the_time_is_trusted_at_once_only_if_the_system_says_so(
    app: App, is_synchronised: bool
) -> None:
    daemon = Daemon(app, is_synchronised=lambda _now: is_synchronised)
    daemon.step(NOON)
    assert daemon.closed(NOON) == NOON
    back = NOON + 12 * 24 * HOUR
    daemon.step(back)
    assert daemon.heartbeat.is_trusted == is_synchronised
    assert daemon.closed(back) == (back if is_synchronised else NOON)


@pytest.mark.slow
def test_a_clock_that_runs_on_for_an_hour_is_trusted_and_a_restart_does_not_help(app: App) -> None:
    Daemon(app).step(NOON)
    back = NOON + 5 * HOUR
    for minute in range(60):
        now = back + timedelta(minutes=minute)
        daemon = Daemon(app)
        daemon.step(now)
        assert daemon.closed(now) == NOON
    daemon.step(back + HOUR)
    assert daemon.closed(back + HOUR) == back + HOUR


def test_a_clock_that_is_right_again_in_a_round_lends_the_round_no_trust(app: App) -> None:
    daemon = Daemon(app)
    daemon.step(NOON)
    ahead = NOON + 12 * 24 * HOUR
    daemon.heartbeat.begin_round(ahead)
    # The thread that keeps the heartbeat alive sees the right clock before the round is over.
    daemon.heartbeat.beat(NOON + timedelta(seconds=5))
    assert daemon.closed(ahead) == NOON
    assert not daemon.heartbeat.is_doubtful
    daemon.step(NOON + timedelta(seconds=6))
    assert daemon.heartbeat.is_doubtful


def test_no_moment_is_trusted_in_a_round_without_a_heartbeat(app: App) -> None:
    daemon = Daemon(app)
    daemon.step(NOON)
    daemon.heartbeat.miss(NOON + 12 * 24 * HOUR)
    assert daemon.closed(NOON + 12 * 24 * HOUR) == LONG_AGO
    daemon.step(NOON + HOUR / 60)
    assert daemon.closed(NOON + HOUR / 60) == NOON + HOUR / 60


def test_a_clock_that_goes_back_in_steps_is_trusted_once_it_is_back(app: App) -> None:
    daemon, day, minute = Daemon(app), 24 * HOUR, HOUR / 60
    for now in (NOON, NOON + 12 * day, NOON + 11 * day, NOON + 11 * day + 11 * minute):
        daemon.step(now)
        assert daemon.closed(now) == NOON
    daemon.step(NOON + minute)
    daemon.step(NOON + 12 * minute)
    assert daemon.closed(NOON + 12 * minute) == NOON + 12 * minute


def test_an_outage_gives_emails_that_wait_for_a_confirm_its_time_at_most_three_days(
    app: App,
) -> None:
    for moment in (NOON, NOON + 5 * HOUR, NOON + 300 * HOUR):
        Daemon(app).step(moment)
    with app.store.read() as session:
        assert postponements.lost(session, NOON - HOUR) == 77 * HOUR
        assert postponements.lost(session, NOON + 6 * HOUR) == 72 * HOUR
