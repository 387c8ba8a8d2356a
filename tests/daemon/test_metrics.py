"""Metrics: their values, the Prometheus format, and the page."""

import re
import socket
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from referee.app import App, build
from referee.daemon import Daemon
from referee.daemon.metrics import Metric, MetricsPage, metrics_of
from referee.domain.mail_transfer import IncomingMail
from referee.settings import load
from referee.store import Store
from tests.daemon.test_service import House
from tests.support.new_letters import new_letter
from tests.support.ports import free_port
from tests.support.processes import wait_for

NOON = datetime(2026, 9, 1, 12, tzinfo=UTC)
SETTINGS = """
[site]
address = "games@example.org"
operator = "you@example.org"
[[maildir]]
name = "orders"
path = "nowhere"
[trust]
authserv_ids = ["mx.referee.example"]
[sending]
kind = "maildir"
path = "sent"
"""
LETTERS = (
    ("you@example.org", 'CREATE STARWEB SEATS 2 DEADLINE "1 hour" OPTION introduced=yes'),
    ("frodo@shire.example", "JOIN SW-1 FRODO"),
    ("sam@shire.example", "JOIN SW-1 SAM"),
)
LINE = re.compile(r'(referee_[a-z_]+)(?:\{([a-z]+)="((?:[^"\n]|",key=")*)"\})? (\S+)')


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    file = tmp_path / "referee.toml"
    file.write_text(SETTINGS)
    app = build(load(file))
    yield app
    app.close()


def values(text: str) -> dict[tuple[str, str], float]:
    """Parse the text as strictly as Prometheus: each metric is described before its values."""
    found: dict[tuple[str, str], float] = {}
    told = ""
    for line in text.removesuffix("\n").split("\n"):
        if line.startswith("# HELP "):
            assert f"# TYPE {line.split()[2]} " in text
        elif line.startswith("# TYPE "):
            told = line.split()[2]
        else:
            match = LINE.fullmatch(line)
            assert match is not None, line
            assert match[1] == told
            assert (told, match[3] or "") not in found
            found[told, match[3] or ""] = float(match[4])
    return found


@pytest.mark.slow
def test_letters_turns_and_failures_are_counted(app: App) -> None:
    for number, (sender, words) in enumerate(LETTERS):
        raw = new_letter(sender, number, words, NOON)
        app.accept(IncomingMail("smtp", str(number), raw, NOON, sender))
    daemon = Daemon(app)
    for hour in range(3):
        daemon.step(NOON + timedelta(hours=hour))
    app.accept(IncomingMail("pipe", "9", b"From: <x@example.org>\r\n\r\nHELP\r\n", NOON, ""))
    told = metrics_of(daemon, NOON + timedelta(hours=3))
    found = values(told)
    expected = {
        ("referee_letters_received_total", "smtp"): 3,
        ("referee_letters_received_total", "pipe"): 1,
        ("referee_letters_read_total", ""): 3,
        ("referee_letters_in", "waiting"): 1,
        ("referee_letters_in", "held"): 0,
        ("referee_letters_in", "quarantined"): 0,
        ("referee_letters_out", "failed"): 0,
        ("referee_oldest_unread_seconds", "strangers"): 3 * 3600,
        ("referee_oldest_unread_seconds", "known"): 0,
        ("referee_turns_adjudicated_total", ""): 0,
        ("referee_games", "running"): 1,
        ("referee_games", "ended"): 0,
        ("referee_games_stalled", ""): 0,
        ("referee_way_in_trouble", "maildir:orders"): 1,
        ("referee_database_up", ""): 1,
    }
    assert {key: found[key] for key in expected} == expected
    assert found["referee_troubles_total", ""] > 0
    assert found["referee_letters_out", "waiting"] > 0
    assert found["referee_oldest_unsent_seconds", ""] == 3 * 3600
    assert found["referee_loop_seconds", ""] > 0
    assert 0 <= found["referee_loop_lag_seconds", ""] < 60
    assert "@" not in told


def test_sent_letters_and_resolved_turns_are_counted(app: App, tmp_path: Path) -> None:
    (tmp_path / "nowhere" / "new").mkdir(parents=True)
    for number, (sender, words) in enumerate(LETTERS):
        raw = new_letter(sender, number, words, NOON)
        app.accept(IncomingMail("smtp", str(number), raw, NOON, sender))
    daemon = Daemon(app)
    for minute in range(0, 90, 5):
        daemon.step(NOON + timedelta(minutes=minute))
    daemon.send(NOON + timedelta(hours=2))
    found = values(metrics_of(daemon, NOON + timedelta(hours=2)))
    assert found["referee_turns_adjudicated_total", ""] == 1
    assert found["referee_adjudication_seconds_total", ""] > 0
    sent = found["referee_letters_tried_total", "sent"]
    assert sent > 5
    assert found["referee_letters_out", "waiting"] == 0
    assert found["referee_oldest_unsent_seconds", ""] == 0
    assert found["referee_way_in_trouble", "maildir:orders"] == 0


def test_without_a_database_the_other_metrics_remain(app: App) -> None:
    away = Store("postgresql+psycopg://nobody@127.0.0.1:1/nothing")
    found = values(metrics_of(Daemon(replace(app, store=away)), NOON))
    assert found["referee_database_up", ""] == 0
    assert found["referee_letters_read_total", ""] == 0


def test_a_label_can_have_any_text() -> None:
    expected = 'referee_x{source="a\\"b\\\\c\\nd"} 1.5\n'
    assert Metric("x", "X.", {'a"b\\c\nd': 1.5}, "source").written().endswith(expected)


def test_the_page_answers_only_on_this_machine() -> None:
    port = free_port()
    page = MetricsPage(port, "games@example.org", lambda: "referee_x 1\n")
    page.keep_open()
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
            assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
            assert answer.read() == b"referee_x 1\n"
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=10)
    finally:
        page.close()


def test_a_taken_port_is_logged_once_and_opened_once_it_is_free(
    caplog: pytest.LogCaptureFixture,
) -> None:
    port = free_port()
    page = MetricsPage(port, "games@example.org", lambda: "referee_x 1\n")
    with socket.socket() as other:
        other.bind(("127.0.0.1", port))
        other.listen()
        page.keep_open()
        page.keep_open()
    (logged,) = caplog.messages
    assert f'everything else works" port={port} error="Address already in use" to_do=' in logged
    page.keep_open()
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
            assert answer.read() == b"referee_x 1\n"
    finally:
        page.close()


@pytest.mark.slow
def test_a_running_referee_serves_metrics(tmp_path: Path) -> None:
    house = House(tmp_path)
    port = free_port()
    house.file.write_text(house.file.read_text() + f"[metrics]\nport = {port}\n")
    with house.running() as referee:
        house.write(1, "HELP")
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
            found = values(answer.read().decode())
        assert found["referee_letters_received_total", "smtp"] == 1
        assert found["referee_database_up", ""] == 1
        referee.stop()


@pytest.mark.slow
def test_a_referee_whose_metrics_port_is_taken_works_and_serves_them_later(tmp_path: Path) -> None:
    house = House(tmp_path)
    port = free_port()
    house.file.write_text(house.file.read_text() + f"[metrics]\nport = {port}\n")
    other = MetricsPage(port, "others@example.org", lambda: "")
    other.keep_open()
    with house.running() as referee:
        house.write(1, "HELP")
        house.until_answered(1)
        other.close()
        wait_for(lambda: "referee_database_up 1" in read_page(port))
        log = referee.stop()
    assert log.count("the metrics page cannot be opened") == 1


def read_page(port: int) -> str:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
            page: str = answer.read().decode()
            return page
    except OSError:
        return ""
