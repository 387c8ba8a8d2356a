"""Short wars of The Singularity Trap in all modes, and crowded positions, with their orders."""

from functools import cache, lru_cache
from random import Random
from typing import Any

from referee.parsing.items import Parsed
from referee.parsing.reader import reader_of
from referee.rules.dice import Dice
from referee.rules.ruleset import Seat, SignUp
from referee.rulesets.singularity import RULESET
from referee.rulesets.singularity.language import GRAMMAR
from referee.rulesets.singularity.sections import ACCEPTED
from referee.rulesets.singularity.state import Section, Ship, State
from referee.testing.contract import Position

NAMES = ("ABBOT", "BISHOP", "CANTOR", "DEAN")
SEATS = tuple(Seat(number) for number in (1, 2, 3, 4))
BATCHES = {"single": 9, "two": 14, "full": 24}
_MODES = {
    Section.TURN: "single",
    Section.PLAN: "two",
    Section.SETTLE: "two",
    **dict.fromkeys(
        (Section.ECONOMIC, Section.MOVEMENT, Section.COMBAT, Section.ECOPOLITICAL), "full"
    ),
}


def new_war(**options: int | str | bool) -> State:
    """Return a new war of four players."""
    signups = [SignUp(seat, name) for seat, name in zip(SEATS, NAMES, strict=True)]
    named = {name.replace("__", "."): value for name, value in options.items()}
    return RULESET.setup(signups, named, Dice(b"war"))


@cache
def game(mode: str) -> tuple[Position, ...]:
    """Return every position of a war, with the orders sent in it."""
    state = new_war(mode=mode)
    # Two ships start in one space, because without that nobody meets so early.
    state, _ = RULESET.correct(state, "S991 [ABBOT] C 19C\nS992 [BISHOP] C 19C")
    positions = []
    for batch in range(BATCHES[mode]):
        awaiting = RULESET.phase(state).awaiting
        sheets = {seat: orders(state, seat, batch) for seat in sorted(awaiting)}
        positions.append(Position(state, sheets))
        state = RULESET.resolve(state, sheets, frozenset(), Dice(b"war")).state
    return tuple(positions)


def orders(state: State, seat: Seat, batch: int) -> tuple[Any, ...]:
    """Return orders of all kinds that this section accepts, valid or not."""
    other = (seat % len(SEATS)) + 1
    lines = ["KT", f"KP{other}", "19CKW", "KB,C,F", f"L{other}Y", f"FAC{other}"]
    for planet in state.planets_of(seat):
        kind = "FSRJTCB"[(batch + planet.column) % 7]
        lines += [f"W{planet.column}B1{kind}", f"W{planet.column}T{state.players[seat].colour}"]
    for ship in state.fleet(seat):
        lines += [f"S{ship.number}RSWD", f"S{ship.number}KS{ship.number % 4 + 11},S12"]
        direction = (ship.number + batch) % 7
        way = "J" if ship.kind == "J" else f"W{direction}{'+=-'[batch % 3]}"
        lines.append(f"S{ship.number}{way}" if batch % 6 else f"S{ship.number}H")
    read = reader_of(GRAMMAR).read("\n".join(lines))
    accepted = ACCEPTED[state.section]
    found = (item.order for item in read if isinstance(item, Parsed))
    return tuple(order for order in found if isinstance(order, accepted))


@cache
def _grounds(mode: str, *, public: bool) -> State:
    return new_war(mode=mode, fog__ownership="public" if public else "sight")


@lru_cache(maxsize=64)
def crowded(number: int) -> State:
    """Return a crowded position of a war, always the same one for a *number*."""
    random = Random(number)
    section = random.choice(list(_MODES))
    state = _grounds(_MODES[section], public=random.random() < 0.5).copy()
    state.section, state.turn = section, random.randint(1, 39)
    for planet in state.planets.values():
        planet.owner = random.choice([None, *SEATS])
        planet.colour = random.choice([planet.colour, *"ROYGBV-"])
    for one, other in ((1, 2), (2, 3), (3, 4), (1, 4)):
        if random.random() < 0.4:
            state.players[Seat(one)].allies.add(Seat(other))
            state.players[Seat(other)].allies.add(Seat(one))
    for seat, player in state.players.items():
        player.points = random.randrange(30)
        player.votes = {other for other in SEATS if other != seat and random.random() < 0.5}
        player.charts = random.sample(state.jumps, 5)
        player.built = 12
        for built in range(1, random.randint(4, 12)):
            ship = _ship(state, seat, 10 * built + seat, random)
            state.ships[ship.number] = ship
    return state


def _ship(state: State, seat: Seat, number: int, random: Random) -> Ship:
    """Return a ship near the middle, damaged or not."""
    kind = random.choice(list(state.rules.types.values()))
    units = kind.undamaged()
    for _ in range(random.choice((0, 0, 0, 1, 3))):
        unit = random.choice([unit for unit, count in units.items() if count])
        units[unit] -= 1
    if not units.get("W") and not units.get("D"):
        units = kind.undamaged()
    column = random.choice((12, 13, 18, 19, 20, 25, 26, 28))
    at = state.planets[column].at if random.random() < 0.7 else None
    level = at.level if at is not None else random.randint(-2, 2)
    return Ship(number, seat, kind.letter, column, level, units, moving=random.random() < 0.3)
