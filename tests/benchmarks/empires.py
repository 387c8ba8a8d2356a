"""A full galaxy of Star Empires in mid-game, with full order sheets."""

from collections.abc import Iterator
from typing import Any

from referee.parsing.reader import read_orders
from referee.rules.dice import Dice
from referee.rules.ruleset import Seat, SignUp
from referee.rulesets.star_empires import RULESET
from referee.rulesets.star_empires.options import DEVICES, RADIUS, WORLD_DENSITY, WORMNETS
from referee.rulesets.star_empires.roster import Roster
from referee.rulesets.star_empires.sectors import written
from referee.rulesets.star_empires.ships import commission
from referee.rulesets.star_empires.state import State
from tests.benchmarks.timing import size

EMPIRES, SHIPS, GALAXY_RADIUS, TURNS = 6, 400, 10, size(4, 1)
DICE = Dice(b"benchmark".ljust(32))

_FLEET = ("probe", "frigate", "carrier", "nuke", "fighter", "battleship", "probe", "station")
_STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, -1))

Sheets = dict[Seat, tuple[Any, ...]]


def galaxy() -> State:
    """Return a game of six empires after some turns, with 400 ships in it."""
    seats = [SignUp(Seat(n + 1), f"E{'ABCDEF'[n]}") for n in range(EMPIRES)]
    options = {RADIUS: GALAXY_RADIUS, WORLD_DENSITY: 10, WORMNETS: 3, DEVICES: True}
    state = RULESET.setup(seats, options, DICE)
    _share_out(state)
    for _ in range(TURNS):
        state = RULESET.resolve(state, sheets(state), frozenset(), DICE).state
    _fill_up(state)
    return state


def sheets(state: State) -> Sheets:
    """Return every empire's orders for the turn, at least one for each ship and world."""
    grammar = RULESET.grammar(RULESET.phase(state))
    return {
        seat: read_orders(grammar, "\n".join((*_of_ships(state, seat), *_of_worlds(state, seat))))
        for seat in state.empires
    }


def _share_out(state: State) -> None:
    """Divide the worlds among the empires, with all contacts and shared scans."""
    for number, world in enumerate(state.worlds.values()):
        if world.owner is None:
            world.owner = Seat(number % EMPIRES + 1)
        commission(state, world.owner, "fighter", world.at, DICE.at("guard", number))
        world.stockpile += 4
    for empire in state.empires.values():
        empire.contacts = set(state.empires) - {empire.seat}
    _fill_up(state)


def _fill_up(state: State) -> None:
    """Add or remove ships until their number is right."""
    worlds = list(state.worlds.values())
    for number in range(len(state.ships), SHIPS):
        world, kind = worlds[number % len(worlds)], _FLEET[number % len(_FLEET)]
        owner = world.owner or Seat(number % EMPIRES + 1)
        commission(state, owner, kind, world.at, DICE.at("fleet", number), f"s{number}")
    for number in sorted(state.ships)[SHIPS:]:
        if not state.cargo(state.ships[number]):
            del state.ships[number]


def _of_ships(state: State, seat: Seat) -> Iterator[str]:
    """Yield orders to load missiles, move ships on, and fire at nearby ones."""
    local = state.empires[seat].frame.local
    roster, fleet = Roster(state), state.fleet(seat)
    carriers = {ship.at: ship for ship in fleet if ship.kind == "carrier"}
    for number, ship in enumerate(fleet):
        others = {s.owner for s in roster.at(ship.at)} - {seat}
        oblique, y = _STEPS[(number + state.turn) % len(_STEPS)]
        to = ship.at[0] + oblique, ship.at[1] + y
        if ship.kind == "nuke" and not ship.loaded and ship.at in carriers:
            yield f"LOAD {ship.callsign} ONTO {carriers[ship.at].callsign}"
        elif others and number % 3 == 0:
            yield f"FIRE {ship.callsign} AT {' '.join(state.empires[s].name for s in others)}"
        elif state.engines(ship) and not ship.loaded:
            yield f"MOVE {ship.callsign} TO {written(local(to))}"
        else:
            yield f"IDENTIFY {ship.callsign} TO {state.empires[Seat(seat % EMPIRES + 1)].name}"


def _of_worlds(state: State, seat: Seat) -> Iterator[str]:
    """Yield orders to design, build and repair, pool the rest, and share all scans."""
    for world in state.worlds_of(seat):
        yield f"DESIGN {world.name} d{seat}_{state.turn}_{world.name} scout 2 1 3 2 0"
        yield f"BUILD {world.name} max probe p*"
    for ship in state.fleet(seat)[:20]:
        yield f"REPAIR {ship.callsign} max {' '.join(w.name for w in state.worlds_of(seat)[:3])}"
    for other, empire in state.empires.items():
        if other != seat:
            yield f"AUTHORIZE ALL TO {empire.name}"
