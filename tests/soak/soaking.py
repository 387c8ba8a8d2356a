"""A whole soak: games begin, trouble begins, trouble ends, and everything is looked at."""

import gc
import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Final

from sqlalchemy import func, select

from referee.desk.base.loaded_games import kept_states
from referee.store import Store
from referee.store.games import games
from referee.store.mail import outbox
from referee.store.models import GameStatus, OutboxState, TurnRow
from tests.soak import checking
from tests.soak.world import World

_HOUR: Final = timedelta(hours=1)
_QUIET: Final = timedelta(hours=80)
"""Longer than any letter is on its way, or is put off."""
_MOST_GROWTH: Final = 1.5
"""What a referee may have alive at the end, to half time: what waits just then is not the same."""


_OTHERS: Final = ("referee.testing.", "referee.store.database.types")
"""What the robots remember of their games grows; and the types of columns are part of the
statements that SQLAlchemy keeps ready for each start, some hundreds before it drops the oldest."""


@dataclass(frozen=True, slots=True)
class Memory:
    """How much the program holds, and how many values of ours are alive in it."""

    octets: int
    values: int


@dataclass(frozen=True, slots=True)
class Soaked:
    """What a soak met, what it did, and what is wrong after it."""

    faults: list[str]
    troubles: Mapping[str, int]
    turns: int
    letters_in: int
    letters_out: int
    starts: int
    copies: int
    memory: tuple[Memory, Memory]


def soak(folder: Path, days: int, games: int, seed: int) -> Soaked:
    """Let that many games be played for days of trouble, and then for some of calm."""
    world = World(folder, games, seed)
    try:
        _begin(world)
        world.trouble.is_calm = False
        half = _play(world, days / 2)
        end = _play(world, days / 2)
        _calm(world)
        return _soaked(world, (half, end))
    finally:
        world.close()


def _begin(world: World) -> None:
    """Create the games, and let everybody join, in two calm hours."""
    for table in world.tables:
        world.write(world.master.writes(table.creation, world.now))
    world.pass_to(world.now + _HOUR)
    for player in world.players.values():
        world.write(player.join(world.now))
    world.pass_to(world.now + _HOUR)


def _play(world: World, days: float) -> Memory:
    """Let days pass, on every other of which the GM undoes a turn of some game."""
    until = world.now + timedelta(days=days)
    while world.now < until:
        table = world.dice.choice(world.tables)
        world.write(world.master.writes(f"GM {table.name}\nROLLBACK\n", world.now))
        world.pass_to(min(until, world.now + timedelta(days=2)))
        _retry(world)
    return _memory()


def _calm(world: World) -> None:
    """End all trouble, and let everything that was delayed by it happen."""
    world.trouble.cease()
    world.pass_to(world.now + _QUIET)
    _retry(world)
    # Nobody writes any more, so the last letters are read and answered.
    world.silence()
    world.pass_to(world.now + _HOUR)


def _retry(world: World) -> None:
    """Do as the operator does with letters that a mail server refused: let them be tried again."""
    # The command is a program of its own, with a database that is well by then.
    store = Store(str(world.app.store.url))
    with store.write() as session:
        for letter in outbox.listing(session, OutboxState.FAILED, 1000):
            outbox.retry(session, letter.id, world.now)
    store.close()


def _memory() -> Memory:
    # A few states are kept decoded for the next letters; they grow as their games do.
    kept_states.cache_clear()
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    homes = [str(type(each).__module__) for each in gc.get_objects()]
    ours = [home for home in homes if home.startswith("referee.") and not home.startswith(_OTHERS)]
    return Memory(pages * os.sysconf("SC_PAGE_SIZE"), len(ours))


def _soaked(world: World, memory: tuple[Memory, Memory]) -> Soaked:
    faults = checking.faults(world)
    half, end = memory
    if end.values > half.values * _MOST_GROWTH:
        faults.append(f"{half.values} values were alive at half time, {end.values} at the end")
    with world.app.store.read() as session:
        query = select(func.count()).where(TurnRow.resolved_at.is_not(None))
        turns = session.scalar(query) or 0
        assert games.counts(session)[GameStatus.FORMING] == 0
    return Soaked(
        faults,
        dict(world.trouble.seen),
        turns,
        world.written.total(),
        world.got.total(),
        world.started,
        sum(count - 1 for count in world.got.values()),
        memory,
    )
