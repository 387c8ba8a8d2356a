"""The notation of a state, for scenarios and for corrections by GMs.

::

    W12 D B [ABBOT]                planet 12 on level D, blue, owned; [] for a free one
    W1-25 [ABBOT]                  many planets at once
    S17 [ABBOT] F 12D              an undamaged fighter at 12D; S17 - removes it
    S17 [ABBOT] C 12D DDLWAM       a cruiser with these units left
    [ABBOT] 12 points              also: 2 turns, colour B, allies BISHOP, votes BISHOP CANTOR
    [ABBOT] resigned               leaves the war as with Q; [ABBOT] returns undoes it
    JUMP 12D 3A                    where the jump from 12D leads
    FACTION 3 [ABBOT] [BISHOP]     declared on turn 3; EMPIRE with the dominant player first
"""

import re
from typing import Final

from referee.rules.notation import Notation
from referee.rules.ruleset import Seat, UserError
from referee.rules.scenarios import seat_of
from referee.rulesets.singularity.board import LETTERS, Space
from referee.rulesets.singularity.politics import leave
from referee.rulesets.singularity.state import Chart, Faction, Planet, Ship, State
from referee.rulesets.singularity.units import written

_PLANET: Final = re.compile(
    r"W(?P<column>[0-9]{1,2})(?:-(?P<last>[0-9]{1,2}))?(?: (?P<level>[A-I]) (?P<colour>[ROYGBV-]))?"
    r"(?: \[(?P<owner>[A-Z]*)\])?"
)
_SHIP: Final = re.compile(
    r"S(?P<number>[0-9]{1,6}) (?:-|\[(?P<owner>[A-Z]+)\] (?P<kind>[FSRJTCB])"
    r" (?P<space>[0-9]{1,2}[A-I])"
    r"(?: (?P<units>[SDLJWAMNT]+|-))?(?P<moving> moving)?)"
)
_PLAYER: Final = re.compile(r"\[(?P<name>[A-Z]+)\] (?P<rest>.+)")
_JUMP: Final = re.compile(r"JUMP (?P<start>[0-9]{1,2}[A-I]) (?P<end>[0-9]{1,2}[A-I])")
_FACTION: Final = re.compile(
    r"(?P<kind>FACTION|EMPIRE) (?P<since>[0-9]{1,4})(?P<members>(?: \[[A-Z]+\])+)"
)


def _set_planet(state: State, found: re.Match[str]) -> str:
    first, last = int(found["column"]), int(found["last"] or found["column"])
    most = len(state.rules.board.columns)
    if not 1 <= first <= last <= most:
        raise UserError(f"{found[0]}: expected planets from W1 to W{most}.")
    planets = [state.planets[column] for column in range(first, last + 1)]
    for planet in planets:
        _change_planet(state, planet, found)
    return f"Now: {'; '.join(planet_line(state, planet) for planet in planets)}."


def _change_planet(state: State, planet: Planet, found: re.Match[str]) -> None:
    if found["level"]:
        planet.level = _level(state, found["level"])
        planet.colour = found["colour"]
    if found["owner"] is not None:
        planet.owner = seat_of(state, found["owner"]) if found["owner"] else None


def _set_ship(state: State, found: re.Match[str]) -> str:
    number = int(found["number"])
    state.ships.pop(number, None)
    if found["owner"] is None:
        return f"S{number} is removed."
    at, kind = space_of(state, found["space"]), state.rules.types[found["kind"]]
    units = kind.undamaged()
    if found["units"]:
        units = {unit: found["units"].count(unit) for unit in units}
    ship = Ship(
        number, seat_of(state, found["owner"]), kind.letter, at.column, at.level, units,
        moving=bool(found["moving"]),
    )  # fmt: skip
    state.ships[number] = ship
    state.ships = dict(sorted(state.ships.items()))
    state.players[ship.owner].built = max(state.players[ship.owner].built, number // 10)
    return f"Now: {ship_line(state, ship)}."


def _set_player(state: State, found: re.Match[str]) -> str:
    player = state.players[seat_of(state, found["name"])]
    words = found["rest"].split()
    match words:
        case [number, "points"] if number.isdecimal():
            player.points = int(number)
        case [number, "turns"] if number.isdecimal():
            player.successive = int(number)
        case ["resigned"]:
            leave(state, player.seat)
        case ["returns"]:
            player.resigned = False
        case ["colour", colour] if colour in state.rules.wheel:
            player.colour = colour
        case ["allies", *names]:
            player.allies = {seat_of(state, name) for name in names}
        case ["votes", *names]:
            player.votes = {seat_of(state, name) for name in names}
        case _:
            raise UserError(
                f"{found[0]}: expected points, turns, colour, allies, votes, resigned or returns."
            )
    return f"Now: {found[0]}."


def _set_jump(state: State, found: re.Match[str]) -> str:
    start, end = space_of(state, found["start"]), space_of(state, found["end"])
    state.jumps = [chart for chart in state.jumps if chart.start != start]
    state.jumps.append(Chart(start, end))
    return f"The jump from {found['start']} leads to {found['end']}."


def _set_faction(state: State, found: re.Match[str]) -> str:
    members = tuple(seat_of(state, name) for name in re.findall("[A-Z]+", found["members"]))
    state.factions.append(Faction(members, found["kind"] == "EMPIRE", int(found["since"])))
    return f"Now: {found[0]}."


def planet_line(state: State, planet: Planet) -> str:
    """Return the line of a planet."""
    level = state.rules.board.written(planet.at)[-1]
    owner = "" if planet.owner is None else state.players[planet.owner].name
    return f"W{planet.column} {level} {planet.colour} [{owner}]"


def ship_line(state: State, ship: Ship) -> str:
    """Return the line of a ship."""
    units = written(ship.units) or "-"
    at = state.rules.board.written(ship.at)
    return f"S{ship.number} [{state.players[ship.owner].name}] {ship.kind} {at} {units}"


def space_of(state: State, text: str) -> Space:
    """Return the space written as ``12D``. Raises UserError if it is not on the board."""
    column = int(text[:-1])
    if column not in state.rules.board.columns:
        raise UserError(f"{text}: expected a column from 1 to {len(state.rules.board.columns)}.")
    return Space(column, _level(state, text[-1]))


def _level(state: State, letter: str) -> int:
    level = LETTERS.index(letter) - state.rules.board.highest
    if abs(level) > state.rules.board.highest:
        highest = LETTERS[2 * state.rules.board.highest]
        raise UserError(f"Expected a level from A to {highest}, but found {letter}.")
    return level


def _lines(state: State) -> set[str]:
    names = {seat: player.name for seat, player in state.players.items()}
    lines = {planet_line(state, planet) for planet in state.planets.values()}
    lines |= {ship_line(state, ship) for ship in state.ships.values()}
    lines |= {_faction_line(faction, names) for faction in state.factions}
    for player in state.players.values():
        lines.add(f"[{player.name}] {player.points} points")
        lines.add(f"[{player.name}] {player.successive} turns")
        for key, seats in (("allies", player.allies), ("votes", player.votes)):
            lines.add(" ".join([f"[{player.name}] {key}", *(names[s] for s in sorted(seats))]))
    return lines


def _faction_line(faction: Faction, names: dict[Seat, str]) -> str:
    members = faction.members if faction.empire else sorted(faction.members)
    kind = "EMPIRE" if faction.empire else "FACTION"
    return " ".join([kind, str(faction.since), *(f"[{names[seat]}]" for seat in members)])


NOTATION: Final = Notation(
    changes=(
        (_PLANET, _set_planet),
        (_SHIP, _set_ship),
        (_PLAYER, _set_player),
        (_JUMP, _set_jump),
        (_FACTION, _set_faction),
    ),
    lines=_lines,
    forms="W12 [ABBOT], S17 [ABBOT] F 12D or [ABBOT] 12 points",
    example="S17 [ABBOT] F 12D sets a ship",
)
