"""A full galaxy of StarWeb in mid-game, with full order sheets."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from referee.parsing.reader import read_orders
from referee.rules.dice import SECRET, Dice
from referee.rules.ruleset import Seat, SignUp
from referee.rulesets.starweb import RULESET
from referee.rulesets.starweb.setup import CHARACTER, INTRODUCED, OFFERED, WORLDS
from referee.rulesets.starweb.state import State
from tests.benchmarks.timing import size

SEATS, WORLD_COUNT, ORDERS, TURNS = 15, 255, 100, size(4, 1)
DICE = Dice(b"benchmark".ljust(SECRET))

Sheets = dict[Seat, tuple[Any, ...]]


def galaxy() -> State:
    """Return a game of 15 players with 17 worlds and keys each, after some turns."""
    choices = [{CHARACTER: (OFFERED[n % len(OFFERED)].value,)} for n in range(SEATS)]
    seats = [SignUp(Seat(n + 1), f"P{'ABCDEFGHIJKLMNO'[n]}", choices[n]) for n in range(SEATS)]
    state = RULESET.setup(seats, {WORLDS: WORLD_COUNT, INTRODUCED: True}, DICE)
    _share_out(state)
    for _ in range(TURNS):
        state = RULESET.resolve(state, sheets(state), frozenset(), DICE).state
    return state


def sheets(state: State) -> Sheets:
    """Return every seat's orders for the turn, up to 100 each."""
    return {
        seat: read_orders(RULESET.grammar(RULESET.phase(state)), sheet(state, seat))
        for seat in state.players
    }


def sheet(state: State, seat: Seat) -> str:
    """Return the text of a seat's orders: fleets move, fire and carry, worlds build."""
    orders = (*_of_fleets(state, seat), *_of_worlds(state, seat))
    return " ".join(islice(orders, ORDERS))


def _share_out(state: State) -> None:
    for number, world in state.worlds.items():
        if not world.black_hole:
            world.owner = Seat(number % SEATS + 1)
            world.population, world.limit = max(world.population, 40), max(world.limit, 90)
            world.industry, world.metal, world.mines = 20, 60, 12
            world.iships = world.pships = 12
    owned: dict[Seat, list[int]] = {seat: [] for seat in state.players}
    for number, world in sorted(state.worlds.items()):
        if world.owner is not None:
            owned[world.owner].append(number)
    for number, fleet in state.fleets.items():
        fleet.owner = Seat(number % SEATS + 1)
        fleet.ships, fleet.world = 20, owned[fleet.owner][number % len(owned[fleet.owner])]


def _of_fleets(state: State, seat: Seat) -> Iterator[str]:
    for number, fleet in sorted(state.fleets.items()):
        if fleet.owner != seat or fleet.ships == 0:
            continue
        gates = state.worlds[fleet.world].gates
        others = [n for n, f in state.fleets.items() if f.world == fleet.world and f.owner != seat]
        yield f"F{number}L5"
        if others and number % 2:
            yield f"F{number}AF{others[0]}"
        elif number % 5 == 0:
            yield f"F{number}P{gates[0]}"
        else:
            yield f"F{number}W{gates[number % len(gates)]}"


def _of_worlds(state: State, seat: Seat) -> Iterator[str]:
    for number, world in sorted(state.worlds.items()):
        if world.owner == seat:
            yield f"W{number}B{max(1, world.usable // 2)}I"
            yield f"W{number}B{max(1, world.usable // 4)}P"
            yield f"P{number}M1W{world.gates[0]}"
            yield f"I{number}T1P"
    yield from (f"A={player.name}" for other, player in state.players.items() if other != seat)
    # Players who lost nearly everything write orders that are no longer possible.
    yield from (f"Z{number}" for number in state.worlds)
