"""Rulings before the deadline: the sheet is played with what its player knows.

Orders that are possible but probably do nothing, or not yet, get a warning.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from referee.rules.dice import Dice
from referee.rules.ruleset import Ruling, Seat
from referee.rules.turns import SheetOrder
from referee.rules.wording import accepted, counted, listed, rejected, warned
from referee.rulesets.singularity import doctrine, economy, factions, movement, politics
from referee.rulesets.singularity.board import COLOURS
from referee.rulesets.singularity.knowledge import known_state
from referee.rulesets.singularity.language import written_segment
from referee.rulesets.singularity.orders import (
    Build,
    Declare,
    FireArmed,
    FireAtShip,
    FireWeakest,
    FirstPlayers,
    FirstTypes,
    Jump,
    Move,
    Order,
    Resign,
    Segment,
    SetAlliance,
    Terraform,
)
from referee.rulesets.singularity.replaced import replace_earlier
from referee.rulesets.singularity.sections import ACCEPTED, objection_to_section
from referee.rulesets.singularity.state import Edge, Section, Ship, State
from referee.rulesets.singularity.turn_state import Turn

ALLY: Final = "{} is your ally, so your ships do not fire at each other"


def _caution(turn: Turn, seat: Seat, expected: Turn) -> None:
    """Add a warning to each order that has none and probably does nothing.

    *expected* is the turn after the player's own economy and movement.
    """
    for given in turn.sheets[seat]:
        if not given.failed and not given.remark and type(given.order) in CAUTIONS:
            given.remark = CAUTIONS[type(given.order)](expected, given)


def _of_place(turn: Turn, given: SheetOrder[Any]) -> str:
    """Return a warning if no ship that can fire is expected in the space of a doctrine."""
    place = given.order.place
    if place is None:
        return ""
    name = f"{place.column}{place.level}"
    here = (s for s in turn.state.fleet(given.seat) if turn.space(s.at) == name and s.shots)
    return (
        "" if any(not s.dark for s in here) else f"none of your armed ships is expected at {name}"
    )


def _of_players(turn: Turn, given: SheetOrder[FirstPlayers]) -> str:
    allies = [p for p in given.order.players if turn.state.allied(given.seat, Seat(p))]
    return ALLY.format(turn.name(Seat(allies[0]))) if allies else _of_place(turn, given)


def _of_shots(turn: Turn, given: SheetOrder[FireAtShip]) -> str:
    ships = turn.state.ships
    unseen = [f"S{number}" for number in given.order.targets if number not in ships]
    if unseen:
        return f"you do not see {listed(unseen)} now"
    allies = [ships[n].owner for n in given.order.targets
              if turn.state.allied(given.seat, ships[n].owner)]  # fmt: skip
    return ALLY.format(turn.name(allies[0])) if allies else doctrine.absent(turn, given)


def _of_colour(turn: Turn, given: SheetOrder[Terraform]) -> str:
    planet = turn.state.planets[given.order.planet]
    own = turn.player(given.seat).colour
    steps = politics.next_colours(turn.state, planet.colour, own)
    if not steps:
        return f"W{planet.column} has your colour already"
    if given.order.colour not in steps:
        colours = " or ".join(COLOURS[step] for step in steps)
        return f"W{planet.column} becomes {colours} next. Your choice is kept for later"
    if not politics.has_terraformer(turn.state, planet):
        return f"no terraformer of yours is expected to stay at W{planet.column}"
    return ""


CAUTIONS: Final[Mapping[type[Order], Callable[[Turn, SheetOrder[Any]], str]]] = {
    FirstPlayers: _of_players,
    FirstTypes: _of_place,
    FireArmed: _of_place,
    FireWeakest: _of_place,
    FireAtShip: _of_shots,
    Terraform: _of_colour,
}


_NO_DICE: Final = Dice(b"nothing is drawn before the deadline")


def validate(state: State, seat: Seat, orders: Sequence[Order]) -> Sequence[Ruling]:
    """Return a ruling on each order of a sheet, from only what the player knows."""
    turn = plan(state, seat, orders)
    if any(type(order) in CAUTIONS for order in orders):
        _caution(turn, seat, foreseen(state, seat, orders))
    return [_ruling(given) for given in turn.sheets[seat]]


def plan(state: State, seat: Seat, orders: Sequence[Order]) -> Turn:
    """Play the economy of one player, check all other orders, and return the turn."""
    turn = Turn(known_state(state, seat), {seat: orders}, _NO_DICE)
    for given in turn.sheets[seat]:
        if not isinstance(given.order, ACCEPTED[state.section]):
            given.fail(objection_to_section(state, given.order))
    if leaving := [*turn.given(Resign)]:
        for given in leaving:
            _check_resignation(turn, given)
        politics.fail_others(turn, seat)
        return turn
    if state.section in (Section.TURN, Section.PLAN, Section.ECONOMIC):
        economy.collect(turn)
        economy.scrap(turn)
        economy.maintain(turn)
        economy.repair(turn)
        economy.hide(turn)
        economy.build(turn)
        economy.account(turn)
    for given in turn.sheets[seat]:
        if not given.failed and type(given.order) in _CHECKS:
            _CHECKS[type(given.order)](turn, given)
    doctrine.settle(turn)
    replace_earlier(turn, Terraform, SetAlliance)
    return turn


def _check_move(turn: Turn, given: SheetOrder[Move]) -> None:
    ship = turn.ship(given)
    if ship is None:
        return
    if reason := movement.objection(turn, ship, given.order.segments):
        given.fail(reason)
    elif _has_moved(turn, given):
        given.fail(movement.ALREADY.format(ship.number))
    elif movement.meets(turn.state, ship):
        _check_encounter(turn, given)
    else:
        given.remark = _check_way(turn, ship, given.order.segments)


def _has_moved(turn: Turn, given: SheetOrder[Move]) -> bool:
    """Return whether an earlier order moves the same ship."""
    earlier = (each for each in turn.given(Move) if each.place < given.place)
    return any(each.seat == given.seat and each.order.ship == given.order.ship for each in earlier)


def _check_encounter(turn: Turn, given: SheetOrder[Move]) -> None:
    """Reject a move out of an encounter, unless others can still hide before it (rules 9, 12)."""
    name = f"S{given.order.ship}"
    if turn.state.section is Section.MOVEMENT:
        given.fail(f"{name} is in an encounter, so it cannot move")
    else:
        given.remark = f"{name} is in an encounter now. It moves only if that is over by then"


def _check_way(turn: Turn, ship: Ship, segments: Sequence[Segment]) -> str:
    """Return a warning if the way leads off the board, or off the player's charts (T3)."""
    at = ship.at
    for segment in segments:
        if isinstance(segment, Jump):
            chart = turn.state.chart_from(at)
            if chart is None:
                return "you do not know yet where this jump leads"
            at = chart.end
        elif (to := movement.flown(turn.state, at, segment)) is not None:
            at = to
        else:
            void = "that is left out" if turn.state.rules.edge is Edge.SKIP else VOID
            return f"{written_segment(segment)} leads off the board from {turn.space(at)}: {void}"
    return ""


VOID: Final = "that and all after it is void"


def foreseen(state: State, seat: Seat, orders: Sequence[Order]) -> Turn:
    """Play economy and movement of one player, as if nobody else did anything."""
    turn = plan(state, seat, orders)
    if Move in ACCEPTED[state.section]:
        movement.mark_stationary(turn)
        movement.move(turn)
    return turn


def _check_planet(turn: Turn, given: SheetOrder[Terraform]) -> None:
    planet = turn.state.planets.get(given.order.planet)
    if given.order.colour not in turn.state.rules.wheel:
        given.fail(politics.objection_to_colour(turn.state, given))
    elif planet is None or turn.state.section is Section.ECOPOLITICAL:
        turn.planet(given)
    elif planet.owner != given.seat:
        given.remark = f"W{planet.column} is not your planet now"


def _check_alliance(turn: Turn, given: SheetOrder[SetAlliance]) -> None:
    if reason := politics.objection_to_alliance(turn.state, given):
        given.fail(reason)
    elif (given.order.player in turn.player(given.seat).votes) is given.order.yes:
        name = turn.name(Seat(given.order.player))
        given.remark = f"that is your setting for {name} already"


def _check_faction(turn: Turn, given: SheetOrder[Declare]) -> None:
    if reason := factions.objection_to_size(turn.state, given):
        given.fail(reason)
    else:
        given.remark = "it is declared at the beginning of the next turn, if it is possible then"


def _check_resignation(turn: Turn, given: SheetOrder[Resign]) -> None:
    if turn.player(given.seat).resigned:
        given.fail(politics.LEFT)
        return
    turn.player(given.seat).resigned = True
    given.remark = f"{turn.state.left_behind}. You cannot undo this after the deadline"


_CHECKS: Final[Mapping[type[Order], Callable[[Turn, SheetOrder[Any]], None]]] = {
    Move: _check_move,
    Terraform: _check_planet,
    SetAlliance: _check_alliance,
    Declare: _check_faction,
}


def _ruling(given: SheetOrder[Order]) -> Ruling:
    if given.failed:
        return rejected(given.remark)
    return warned(given.remark) if given.remark else accepted()


def is_leaving(orders: Sequence[Order]) -> bool:
    """Return whether the player of these orders leaves the war before anything else happens."""
    return any(isinstance(order, Resign) for order in orders)


def unused(state: State, seat: Seat, orders: Sequence[Order]) -> Sequence[str]:
    """Return the points that are left, and the ships that could move but have no order."""
    if is_leaving(orders):
        return []
    turn, lines = plan(state, seat, orders), []
    here = ACCEPTED[state.section]
    if Build in here:
        saved = turn.player(seat).points
        lines.append(f"You save {counted(saved, 'point')}." if saved else "You save no points.")
    if Move in here:
        ordered = {given.order.ship for given in turn.given(Move)}
        idle_ships = [
            f"S{ship.number}"
            for ship in turn.state.fleet(seat)
            if ship.number not in ordered and ship.drive and not ship.dark
            and ship.number in state.ships
        ]  # fmt: skip
        if idle_ships:
            lines.append(f"{', '.join(idle_ships)}: no order to move.")
    return lines
