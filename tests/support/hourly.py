"""A site in the working folder, with a game of hourly turns, played without waiting."""

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
from tests.support.new_letters import new_letter

NOON: Final = datetime(2026, 9, 1, 12, tzinfo=UTC)
HOUR: Final = timedelta(hours=1)
SETTINGS: Final = """
[site]
address = "games@example.org"
operator = "you@example.org"
[trust]
authserv_ids = ["mx.referee.example"]
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
"""The letters that start the game."""


@contextmanager
def installed() -> Iterator[App]:
    """Return the app for the settings in the working folder."""
    app = build(load(Path("referee.toml")))
    yield app
    app.close()


def begin(app: App) -> None:
    """Start a game, and play it for three turns."""
    write(app, *LETTERS)
    play(app, hours=3)


def write(app: App, *letters: tuple[str, str]) -> None:
    """Receive letters at noon, each with its sender's address and its text."""
    for number, (sender, words) in enumerate(letters):
        name = f"{number}.{sender}"
        raw = new_letter(sender, name.replace("@", "."), words, NOON)
        app.accept(IncomingMail("pipe", name, raw, NOON, sender))


def play(app: App, hours: int, since: datetime = NOON) -> None:
    """Run the referee at a moment, and at every hour after it."""
    daemon = Daemon(app)
    for hour in range(hours + 1):
        daemon.step(since + hour * HOUR)


def turn(store: Store) -> int:
    """Return the current turn of the game."""
    with store.read() as session:
        (game,) = games.listing(session)
        return game.turn


def run(*arguments: str) -> Result:
    """Run a command of the operator."""
    return CliRunner().invoke(main, arguments)
