"""The text notation of a state, for scenarios and GMs' corrections.

::

    W12 (5,3) 4 [ALMA] 3 fortified     star 12 in row 5, column 3, capacity 4; a colony of size 3
    W12 []                             no colony; place and capacity stay as they were
    FA[ALMA] W12 2S1C                  a fleet; FA[ALMA] - for no fleet
    HOME [ALMA] W12                    a homeworld and its owner
"""

import re
from typing import Final

from referee.rules.notation import Notation
from referee.rules.ruleset import UserError
from referee.rules.scenarios import seat_of
from referee.rulesets.fistful.orders import TYPES, Ships
from referee.rulesets.fistful.state import Fleet, Star, State

_STAR: Final = re.compile(
    r"W(?P<number>[0-9]{1,3})(?: \((?P<row>[0-9]{1,2}),(?P<column>[0-9]{1,2})\)"
    r" (?P<capacity>[1-5]))?"
    r"(?: \[(?P<owner>[A-Z]*)\](?: (?P<size>[1-5]))?(?P<flags>(?: [a-z-]+)*))?"
)
_FLEET: Final = re.compile(
    r"F(?P<letter>[A-Z])\[(?P<owner>[A-Z]+)\]"
    r" (?:-|W(?P<star>[0-9]{1,3}) (?P<ships>(?:[0-9]+[TSCD])+))"
)
_HOME: Final = re.compile(r"HOME \[(?P<owner>[A-Z]+)\] W(?P<star>[0-9]{1,3})")
FLAGS: Final = {
    "fortified": "fortified",
    "half-fortified": "half_fortified",
    "besieged": "besieged",
    "new": "colonized",
}


def _set_star(state: State, found: re.Match[str]) -> str:
    number = int(found["number"])
    if found["row"]:
        star = Star(number, int(found["row"]), int(found["column"]), int(found["capacity"]))
        state.stars[number] = star
    star = _star(state, number)
    if found["owner"] is not None:
        star.owner = seat_of(state, found["owner"]) if found["owner"] else None
        star.size = 0 if star.owner is None else int(found["size"] or 1)
        if star.size > star.capacity:
            raise UserError(f"W{number}: a colony there has at most size {star.capacity}.")
        for flag in FLAGS.values():
            setattr(star, flag, False)
        for word in found["flags"].split():
            if word not in FLAGS:
                raise UserError(f"W{number}: expected one of {', '.join(FLAGS)}, but found {word}.")
            setattr(star, FLAGS[word], True)
    return f"Now: {star_line(state, star)}."


def _set_fleet(state: State, found: re.Match[str]) -> str:
    seat, letter = seat_of(state, found["owner"]), found["letter"]
    state.fleets = [f for f in state.fleets if (f.owner, f.letter) != (seat, letter)]
    if found["star"] is None:
        return f"{found['owner']} has no fleet {letter}."
    star = _star(state, int(found["star"]))
    fleet = Fleet(letter, seat, star.number, ships_of(found["ships"]))
    if not fleet.ships:
        raise UserError(f"F{letter}: a fleet has at least one ship.")
    state.fleets.append(fleet)
    return f"Now: {fleet_line(state, fleet)}."


def _set_home(state: State, found: re.Match[str]) -> str:
    star = _star(state, int(found["star"]))
    state.players[seat_of(state, found["owner"])].home = star.number
    return f"W{star.number} is the homeworld of {found['owner']}."


def ships_of(text: str) -> Ships:
    """Return the ships of a text such as ``2S1C``."""
    counts = dict.fromkeys(TYPES, 0)
    for number, letter in re.findall("(?<![0-9])([0-9]+)([TSCD])", text):
        counts[letter] += int(number)
    return Ships(*(counts[letter] for letter in TYPES))


def star_line(state: State, star: Star) -> str:
    """Return the line for a star with its colony."""
    line = f"W{star.number} ({star.row},{star.column}) {star.capacity}"
    if star.owner is None:
        return f"{line} []"
    words = [word for word, flag in FLAGS.items() if getattr(star, flag)]
    return " ".join((line, f"[{state.players[star.owner].name}]", str(star.size), *words))


def fleet_line(state: State, fleet: Fleet) -> str:
    """Return the line for a fleet."""
    owner = state.players[fleet.owner].name
    return f"F{fleet.letter}[{owner}] W{fleet.star} {fleet.ships}"


def _star(state: State, number: int) -> Star:
    if number not in state.stars:
        raise UserError(f"There is no star W{number}.")
    return state.stars[number]


def _lines(state: State) -> set[str]:
    lines = {star_line(state, star) for star in state.stars.values()}
    lines |= {fleet_line(state, fleet) for fleet in state.fleets}
    return lines | {f"HOME [{p.name}] W{p.home}" for p in state.players.values()}


NOTATION: Final = Notation(
    changes=((_STAR, _set_star), (_FLEET, _set_fleet), (_HOME, _set_home)),
    lines=_lines,
    forms="W12 [ALMA] 3, FA[ALMA] W12 2S1C or HOME [ALMA] W12",
    example="FA[ALMA] W12 2S would set a fleet",
)
