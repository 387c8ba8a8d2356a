"""Short games of Starfarers in all modes, with orders of every form."""

from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Any

from referee.parsing.items import Parsed
from referee.parsing.reader import reader_of
from referee.rules.dice import Dice
from referee.rules.ruleset import Seat, SignUp
from referee.rulesets.starfarers import RULESET
from referee.rulesets.starfarers.language import GRAMMAR
from referee.rulesets.starfarers.parts import ACCEPTED
from referee.rulesets.starfarers.state import State, next_to
from referee.testing.contract import Position

NAMES = ("ARGO", "BEAGLE", "CALYPSO")
SEATS = tuple(Seat(number) for number in (1, 2, 3))
BATCHES = {"batch": 30, "serial": 60, "phased": 40, "fog": 36}
OPTIONS: dict[str, dict[str, str]] = {
    **{mode: {"mode": mode} for mode in BATCHES},
    "fog": {"fog": "galaxy"},
}


@cache
def game(kind: str) -> tuple[Position, ...]:
    """Return every position of a game, with the orders sent in it."""
    signups = [SignUp(seat, name) for seat, name in zip(SEATS, NAMES, strict=True)]
    state = RULESET.setup(signups, OPTIONS[kind], Dice(b"stars"))
    positions = []
    for batch in range(BATCHES[kind]):
        awaiting = RULESET.phase(state).awaiting
        sheets = {seat: _orders(state, seat, batch) for seat in sorted(awaiting)}
        positions.append(Position(state, sheets))
        state = RULESET.resolve(state, sheets, frozenset(), Dice(b"stars")).state
    return tuple(positions)


@cache
def order_of(text: str) -> Any:
    """Return the order of a text."""
    (item,) = reader_of(GRAMMAR).read(text)
    assert isinstance(item, Parsed), text
    return item.order


def _orders(state: State, seat: Seat, batch: int) -> tuple[Any, ...]:
    other = seat % len(SEATS) + 1
    words = [f"X{other}:1O>1U", "E1B1C1R", f"M{seat}BS", f"P{other}{'HP'[batch % 2]}", f"P{other}L"]
    for ship in state.fleet(seat):
        here = state.hexes[ship.hex]
        free = [d for d in range(1, 7) if state.hex_at(here.galaxy, next_to(here.at, d)) is None]
        near = [each.number for each in state.neighbours(ship.hex)]
        turn = batch + ship.number
        if free and turn % 2:
            words.append(f"S{ship.number}E{free[turn % len(free)]}")
        elif near:
            words.append(f"S{ship.number}H{near[turn % len(near)]}")
        words += [f"S{ship.number}JM{other}", f"S{ship.number}Y", f"S{ship.number}AM{other}"]
        words += [f"S{ship.number}T1F>1C", f"S{ship.number}I1:1F1C1G", f"S{ship.number}WB"]
        words += [f"H{ship.hex}B{'TCP'[turn % 3]}{'abc'[turn % 3]}", f"S{ship.number}AS{other}"]
    words += [f"B{base.number}R" for base in state.bases_of(seat)]
    orders = map(order_of, words)
    return tuple(order for order in orders if isinstance(order, ACCEPTED[state.stage]))


def busy_sheet(state: State, seat: Seat, random: Random) -> tuple[Any, ...]:
    """Return orders that fit the table, valid or not."""
    words = [word for ship in state.fleet(seat) for word in _busy(state, ship.number, random)]
    other = random.choice(SEATS)
    for number in (*state.bases, state.built_bases + 1):
        words.append(f"B{number}{random.choice(['R', 'BS', 'T1F>1O', 'T1O>1C'])}")
    rest = [f"M{seat}BS", f"M{other}BS", "E2C", "E1B1R", f"X{other}:1F>1O"]
    words += random.sample([*rest, *(f"P{other}{letter}" for letter in "HPLD")], k=3)
    random.shuffle(words)
    return tuple(map(order_of, words))


def _busy(state: State, ship: int, random: Random) -> Sequence[str]:
    here = state.ships[ship].hex
    near, all_ = [here, *(h.number for h in state.neighbours(here))], list(state.hexes)
    other, new = random.choice(SEATS), max(all_) + 1
    moves = [f"E{random.randint(1, 6)}", f"H{random.choice(near)}", f"H{new}", f"JM{other}"]
    moves += [f"H{random.choice(near)}H{random.choice(all_)}", f"JH{random.choice(all_)}"]
    actions = [f"AM{other}", f"AH{random.choice(near)}", f"AS{random.choice([*state.ships])}"]
    actions += [f"AB{number}" for number in state.bases] + ["Q", "N", "WS", "Y", "V", "K1F"]
    actions += ["T1F>1C", "I1:1F1C1G", f"FS{random.choice([*state.ships])}"]
    chosen = [random.choice(moves), *random.sample(moves + actions, k=3)]
    kind, corner = random.choice("TCP"), random.choice(["", "a", "b"])
    site = f"H{random.choice([*near, new])}B{kind}{corner}"
    return [*(f"S{ship}{word}" for word in chosen), site]
