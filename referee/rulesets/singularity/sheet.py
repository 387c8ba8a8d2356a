"""Help with writing a sheet: lines to fill in, and a forecast."""

from collections.abc import Iterator, Sequence

from referee.rules.news import with_log
from referee.rules.ruleset import Seat
from referee.rules.views import Log, View
from referee.rules.wording import left_out
from referee.rulesets.singularity.combat import targets_of
from referee.rulesets.singularity.economy import damage
from referee.rulesets.singularity.factions import planets
from referee.rulesets.singularity.knowledge import known_state
from referee.rulesets.singularity.orders import (
    Build,
    FireAtShip,
    Move,
    Order,
    SetAlliance,
)
from referee.rulesets.singularity.politics import next_colours
from referee.rulesets.singularity.report import fleet
from referee.rulesets.singularity.rulings import foreseen, is_leaving
from referee.rulesets.singularity.sections import ACCEPTED, phase
from referee.rulesets.singularity.state import Section, Ship, State
from referee.rulesets.singularity.turn_state import HEADINGS
from referee.rulesets.singularity.units import NAMES, TERRAFORM


def template(state: State, seat: Seat) -> Sequence[str]:
    """Return the lines of an order sheet: orders to complete, each after a comment mark."""
    if seat not in phase(state).awaiting:
        return ()
    known, accepted = known_state(state, seat), ACCEPTED[state.section]
    lines = ["# To use an order, complete it and delete the # in front of it."]
    if Build in accepted:
        lines += _economic(known, seat)
    if Move in accepted:
        lines += _moves(known, seat)
    if FireAtShip in accepted and state.section is not Section.TURN:
        lines += _shots(known, seat)
    if SetAlliance in accepted:
        lines += _political(known, seat)
    return tuple(lines)


def _economic(state: State, seat: Seat) -> Iterator[str]:
    for ship in state.fleet(seat):
        if missing := len(damage(state, ship)):
            yield f"# S{ship.number}R{missing}   ({NAMES[ship.kind]}: all its damage)"
    yield from (f"# W{planet.column}B1F" for planet in state.planets_of(seat))


def _moves(state: State, seat: Seat) -> Iterator[str]:
    for ship in state.fleet(seat):
        if not ship.dark and ship.drive:
            at = state.rules.board.written(ship.at)
            yield f"# S{ship.number}W0=   ({NAMES[ship.kind]} at {at})"


def _shots(state: State, seat: Seat) -> Iterator[str]:
    """Return a line for each ship that can fire, with the first of its targets."""
    for ship in state.fleet(seat):
        targets = targets_of(state, ship)
        if ship.shots and not ship.dark and targets:
            at, target = state.rules.board.written(ship.at), _armed_first(targets)
            whose = f"{state.players[target.owner].name}'s {NAMES[target.kind]}"
            yield f"# S{ship.number}KS{target.number}   ({NAMES[ship.kind]} at {at}; {whose})"


def _armed_first(targets: Sequence[Ship]) -> Ship:
    return next((target for target in targets if target.weapons), targets[0])


def _political(state: State, seat: Seat) -> Iterator[str]:
    yield from _choices(state, seat)
    for other, player in state.players.items():
        if other == seat or player.resigned or player.lost:
            continue
        wanted = other in state.players[seat].votes
        yield f"# L{other}{'N' if wanted else 'Y'}   ({player.name})"
        together = planets(state, (seat, other))
        if state.allied(seat, other) and together >= state.rules.to_win and _can_declare(state):
            yield f"# FAC{other}   (you hold {together} planets together)"


def _choices(state: State, seat: Seat) -> Iterator[str]:
    """Return a line for each other colour that a planet with a terraformer could take."""
    for planet in state.planets_of(seat):
        here = [ship for ship in state.ships_at(planet.at) if ship.owner == seat]
        if any(ship.units.get(TERRAFORM) for ship in here):
            usual, *others = next_colours(state, planet.colour, state.players[seat].colour) or [""]
            yield from (f"# W{planet.column}T{other}   (usually {usual})" for other in others)


def _can_declare(state: State) -> bool:
    return state.rules.factions and len(state.players) > MOST_WITHOUT


MOST_WITHOUT = 3
"""Wars with at most this number of players have no factions (rule 2)."""


def forecast(state: State, seat: Seat, orders: Sequence[Order]) -> View:
    """Return points and ships after the player's own economy and movement.

    A player who leaves has no income, and no ships to move.
    """
    if is_leaving(orders) or not {Build, Move} & {*ACCEPTED[state.section]}:
        return ()
    turn = foreseen(state, seat, orders)
    known = turn.state
    log = with_log((Log(headings=HEADINGS),), turn.log, seat)
    return (*log, *fleet(known, seat), *left_out(_others(known, seat)))


def _others(known: State, seat: Seat) -> Iterator[tuple[str, str]]:
    """Yield the ships of others in the spaces of a player's ships and planets, in words."""
    own = {ship.at for ship in known.fleet(seat)} | {planet.at for planet in known.planets_of(seat)}
    for ship in sorted(known.ships.values(), key=lambda ship: (ship.at, ship.number)):
        if ship.at in own and ship.owner != seat:
            name = known.players[ship.owner].name
            yield known.rules.board.written(ship.at), f"S{ship.number} of {name}"
