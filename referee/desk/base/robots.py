"""Robots that play seats: their orders, and the words about them."""

from collections.abc import Container, Iterable, Sequence
from typing import Any

from referee.desk.base.desk import spare
from referee.desk.base.loaded_games import LoadedGame, dice_of
from referee.domain import robots as words
from referee.rules.extras import Strength
from referee.rules.robots import robot_orders
from referee.rules.ruleset import Seat
from referee.rules.wording import counted, listed
from referee.store.models import Game, SeatRow


def orders_of(table: LoadedGame, seat: Seat, strength: Strength) -> Sequence[Any] | None:
    """Return the orders of the robot that plays *seat*, or None if it fails.

    They are read from their canonical texts, as a replay reads them from the record. So the record
    proves the turn without the robot, which can play otherwise in a later edition.
    """

    def play() -> Sequence[Any] | None:
        dice = dice_of(table.game).at("robot", table.game.turn)
        orders = robot_orders(table.ruleset, table.state, seat, strength, dice)
        return table.read(table.render(orders))

    return spare(play, lambda _error: None)


def without_player(row: SeatRow) -> str:
    """Return the word for a seat without a player: ``vacant`` or ``played by a hard robot``."""
    return words.without_player(row.robot)


def of_game(game: Game) -> list[SeatRow]:
    """Return the seats of the game that robots play."""
    return [row for row in game.seats if row.robot is not None]


def in_words(game: Game) -> str:
    """Return how many seats robots play, as a sentence, or ""."""
    if not (count := len(of_game(game))):
        return ""
    return f"{counted(count, 'seat')} {'is' if count == 1 else 'are'} played by {_robots(count)}."


def in_report(game: Game, met: Container[int]) -> str:
    """Return the seats that robots play and a player has *met*, for a report, or "".

    The first report announces the robots, and in a game for one all others are robots.
    """
    rows = of_game(game)
    names = [row.name for row in rows if row.number in met]
    if not rows or game.for_one or game.turn == 1:
        return ""
    if not names:
        return f"{in_words(game)} You have not met {'it' if len(rows) == 1 else 'them'} yet."
    if len(names) < len(rows):
        return f"{in_words(game).removesuffix('.')}, among them {listed(names)}."
    return f"{listed(names)} {'is' if len(rows) == 1 else 'are'} played by {_robots(len(rows))}."


def polite(rows: Iterable[SeatRow]) -> str:
    """Return the note on robots for the sender of a message to these seats, or ""."""
    names = [row.name for row in rows if row.robot is not None]
    if not names:
        return ""
    if len(names) == 1:
        return f"{names[0]} is a robot: it thanks you, but cannot read or answer messages."
    return f"{listed(names)} are robots: they thank you, but cannot read or answer messages."


def _robots(count: int) -> str:
    return "a robot" if count == 1 else "robots"
