"""The people of a soak test: a GM, and players with random habits."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from referee.plugins import installed_rulesets
from referee.rulesets.starweb.state import Character
from referee.testing.casts.cast import Role
from referee.testing.casts.installed import installed_casts
from referee.testing.correspondents import Correspondent, Received, signed
from referee.testing.mailbox import REPORT, Mailbox

HOUSE: Final = "games@referee.example"
GM: Final = "gm@example.org"
OPERATOR: Final = "operator@referee.example"


@dataclass(frozen=True, slots=True)
class Mailed:
    """A letter with its arrival."""

    at: datetime
    raw: bytes


@dataclass(slots=True)
class Player:
    """A person with a seat, for whom a robot writes the orders.

    They forget turns and write late, and their mail server delivers some letters twice.
    """

    game: str
    role: Role
    dice: random.Random
    writer: Correspondent = field(init=False)

    def __post_init__(self) -> None:
        self.writer = Correspondent(f"{self.role.name.lower()}@{self.game.lower()}.example")

    def join(self, now: datetime) -> Mailed:
        """Return the letter that joins the game."""
        joins = f"JOIN {self.game} {self.role.name} {self.role.wishes}"
        return Mailed(now, signed(self.writer.letter(HOUSE, "count me in", joins, now, {})))

    def read(self, letter: Received, now: datetime, mailbox: Mailbox) -> list[Mailed]:
        """Return the replies to a letter, with their arrivals."""
        if (report := REPORT.search(letter.subject)) is None:
            return []
        orders = mailbox.answer(letter.subject, self.role.strength)
        if orders or report["final"]:
            orders += "FINAL\n" if self.dice.random() < 1 / 3 else ""
        if not orders or self.dice.random() < 1 / 10:
            return []
        wait = timedelta(hours=self.dice.choice((0, 1, 5, 20, 44, 70)))
        raw = signed(self.writer.reply(letter, orders, now + wait, {}))
        copies = 2 if self.dice.random() < 1 / 8 else 1
        delay = timedelta(minutes=40)
        return [Mailed(now + wait + delay * copy, raw) for copy in range(copies)]


@dataclass(slots=True)
class Master:
    """The GM of all games, who rolls a turn back now and then and confirms every request."""

    writer: Correspondent = field(default_factory=lambda: Correspondent(GM))

    def writes(self, body: str, now: datetime) -> Mailed:
        """Return a letter from the GM."""
        return Mailed(now, signed(self.writer.letter(HOUSE, "", body, now, {})))

    def read(self, letter: Received, now: datetime, _mailbox: Mailbox) -> list[Mailed]:
        """Confirm a request."""
        if "confirm: " not in letter.subject:
            return []
        return [Mailed(now, signed(self.writer.reply(letter, "CONFIRM\n", now, {})))]


CASTS: Final = installed_casts()
OTHERS: Final = tuple(
    (key, ruleset.info.prefix)
    for key, ruleset in sorted(installed_rulesets().items())
    if key in CASTS and key != "starweb"
)
"""The other games by their casts, with the prefixes of their names."""


@dataclass(frozen=True, slots=True)
class Table:
    """A game of a soak test: how it is created, and who joins it."""

    name: str
    creation: str
    players: tuple[Player, ...]


def tables(count: int, seed: int) -> list[Table]:
    """Return *count* games, every fifth with another ruleset than StarWeb."""
    dice = random.Random(f"players {seed}")
    return [_other(n, dice) if n % 5 == 4 else _starweb(n, dice) for n in range(count)]


def _starweb(number: int, dice: random.Random) -> Table:
    name = f"SW-{number - number // 5 + 1}"
    pairs = zip(("FRODO", "SAM"), dice.sample([*Character], 2), strict=True)
    roles = [Role(seat, f"AS {character.value}") for seat, character in pairs]
    players = _players(name, roles, dice)
    deadline = f"{dice.choice((48, 60, 72, 84))} hours"
    options = "OPTION worlds=36 OPTION introduced=yes"
    return Table(name, f'CREATE STARWEB SEATS 2 DEADLINE "{deadline}"\n{options}', players)


def _other(number: int, dice: random.Random) -> Table:
    key, prefix = OTHERS[number // 5 % len(OTHERS)]
    cast, name = CASTS[key], f"{prefix}-{number // 5 // len(OTHERS) + 1}"
    creation = cast.creation.replace("5 minutes", "72 hours")
    return Table(name, creation, _players(name, cast.roles, dice))


def _players(game: str, roles: Sequence[Role], dice: random.Random) -> tuple[Player, ...]:
    return tuple(Player(game, role, random.Random(dice.random())) for role in roles)
