"""An installation in the working folder, and its game of a turn an hour, played without waiting."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from click.testing import CliRunner, Result

from referee.app import App, build
from referee.cli import main
from referee.daemon import Daemon
from referee.domain.mail_transfer import IncomingMail
from referee.settings import load
from referee.store import Store
from referee.store.games import games

NOON: Final = datetime(2026, 9, 1, 12, tzinfo=UTC)
HOUR: Final = timedelta(hours=1)
SETTINGS: Final = """
[house]
address = "games@example.org"
operator = "you@example.org"
[sending]
kind = "maildir"
path = "sent"
[outage]
gap_seconds = 86400
"""
LETTERS: Final = (
    ("you@example.org", 'CREATE STARWEB SEATS 2 DEADLINE "1 hour" OPTION introduced=yes'),
    ("frodo@shire.example", "JOIN SW-1 FRODO"),
    ("sam@shire.example", "JOIN SW-1 SAM"),
)
"""With these the game begins."""


@contextmanager
def installed() -> Iterator[App]:
    """Return the program as the settings in the working folder have it."""
    app = build(load(Path("referee.toml")))
    yield app
    app.close()


def begin(app: App) -> None:
    """Let a game begin, and play it for three turns."""
    write(app, *LETTERS)
    play(app, hours=3)


def write(app: App, *letters: tuple[str, str]) -> None:
    """Let letters arrive at noon, each by its sender's address and its words."""
    for number, (sender, words) in enumerate(letters):
        name = f"{number}.{sender}"
        raw = f"From: <{sender}>\r\nMessage-ID: <{name}>\r\n\r\n{words}\r\n".encode()
        app.accept(IncomingMail("pipe", name, raw, NOON, sender))


def play(app: App, hours: int, since: datetime = NOON) -> None:
    """Let the referee work at a moment, and at every hour after it."""
    daemon = Daemon(app)
    for hour in range(hours + 1):
        daemon.step(since + hour * HOUR)


def turn(store: Store) -> int:
    """Return the turn of the game."""
    with store.read() as session:
        (game,) = games.listing(session)
        return game.turn


def run(*arguments: str) -> Result:
    """Run one of the operator's commands."""
    return CliRunner().invoke(main, arguments)
