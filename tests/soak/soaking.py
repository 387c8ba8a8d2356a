"""A whole soak test: games start, failures start and end, and everything is checked."""

import gc
import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Final

from sqlalchemy import func, select

from referee.desk.base.loaded_games import kept_states
from referee.domain.shares import SHARES, Thing
from referee.store import Store
from referee.store.games import games
from referee.store.letter_states import OutboxState
from referee.store.mail import outbox
from referee.store.models import GameStatus, TurnRow
from tests.soak import checking
from tests.soak.world import World

_HOUR: Final = timedelta(hours=1)
_QUIET: Final = timedelta(hours=80)
"""Longer than the transit time or the longest deferral of a letter."""
_MOST_GROWTH: Final = 1.5
"""The maximum growth of live objects from half time to the end, which varies with the queue."""


_OTHERS: Final = "referee.store.database.base"
"""The module whose objects may grow: SQLAlchemy caches statements with them at each start."""


@dataclass(frozen=True, slots=True)
class Memory:
    """The memory of the process, and the number of live objects of ours."""

    octets: int
    values: int


@dataclass(frozen=True, slots=True)
class Soaked:
    """The failures of a soak test, its work, and its errors."""

    faults: list[str]
    troubles: Mapping[str, int]
    turns: int
    letters_in: int
    letters_out: int
    starts: int
    copies: int
    memory: tuple[Memory, Memory]


def soak(folder: Path, days: int, games: int, seed: int) -> Soaked:
    """Play *games* games for days with failures, and then for some without."""
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
    """Create the games, and have everybody join, as many as one GM can have waiting at a time."""
    most = SHARES[Thing.FORMING][0].at_once
    for first in range(0, len(world.tables), most):
        tables = world.tables[first : first + most]
        for table in tables:
            world.write(world.master.writes(table.creation, world.now))
        world.pass_to(world.now + _HOUR)
        for player in (player for table in tables for player in table.players):
            world.write(player.join(world.now))
        world.pass_to(world.now + _HOUR)


def _play(world: World, days: float) -> Memory:
    """Play for some days, with a rollback of some game on every other day."""
    until = world.now + timedelta(days=days)
    while world.now < until:
        table = world.dice.choice(world.tables)
        world.write(world.master.writes(f"GM {table.name}\nROLLBACK\n", world.now))
        world.pass_to(min(until, world.now + timedelta(days=2)))
        _retry(world)
    return _memory()


def _calm(world: World) -> None:
    """End all failures, and finish everything that was delayed."""
    world.trouble.end_all()
    world.pass_to(world.now + _QUIET)
    _retry(world)
    # Nobody writes any longer, so that the last letters are read and answered.
    world.silence()
    world.pass_to(world.now + _HOUR)


def _retry(world: World) -> None:
    """Retry the letters that a mail server rejected, like an operator."""
    # The command is a separate process, with a working database by then.
    store = Store(str(world.app.store.url))
    with store.write() as session:
        for letter in outbox.listing(session, OutboxState.FAILED, 1000):
            outbox.retry(session, letter.id, world.now)
    store.close()


def _memory() -> Memory:
    # A few decoded states are cached for the next letters; they grow with their games.
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
