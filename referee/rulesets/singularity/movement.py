"""Section B, Movement: segments of slipstreams, warps and jumps (rules 11 to 15)."""

from collections.abc import Sequence
from typing import Final

from referee.rules.ruleset import Seat
from referee.rules.turns import SheetOrder
from referee.rules.wording import counted
from referee.rulesets.singularity.board import Space
from referee.rulesets.singularity.orders import Jump, Move, Segment, ShipNumber, Slipstream, Warp
from referee.rulesets.singularity.state import Chart, Edge, Ship, State
from referee.rulesets.singularity.turn_state import MOVEMENT, Turn
from referee.rulesets.singularity.units import JUMP, SLIP

ALREADY: Final = "S{} already has an order to move"
"""The reason to reject a second move of a ship."""


def mark_stationary(turn: Turn) -> None:
    """Mark all ships as stationary until they move (rule 12)."""
    for ship in turn.state.ships.values():
        ship.moving = False


def move(turn: Turn) -> None:
    """Move all ships at once. Only stationary ships stop others (rules 11, 12)."""
    movers: dict[ShipNumber, SheetOrder[Move]] = {}
    for given in turn.given(Move):
        ship = turn.ship(given)
        if ship is None:
            continue
        reason = objection(turn, ship, given.order.segments)
        if meets(turn.state, ship):
            reason = reason or f"S{ship.number} is in an encounter, so it cannot move"
        if ship.number in movers:
            reason = ALREADY.format(ship.number)
        if reason:
            given.fail(reason)
        else:
            movers[ship.number] = given
    for number in movers:
        turn.state.ships[number].moving = True
    posts = _posts(turn.state)
    for number, given in movers.items():
        _travel(turn, turn.state.ships[number], given, posts)


def objection(turn: Turn, ship: Ship, segments: Sequence[Segment]) -> str:
    """Return why a ship can never make this move, or an empty string.

    Encounters are not checked here. Rules 12 and 13, and T1, T2.
    """
    name = f"S{ship.number}"
    steps = sum(isinstance(segment, Warp | Jump) for segment in segments)
    slips = [segment for segment in segments if isinstance(segment, Slipstream)]
    steps += len(slips) if turn.state.rules.slip_consumes_drive else 0
    if ship.number in turn.hidden:
        return f"{name} hides this turn ({name}H), so it cannot move"
    if ship.dark:
        return f"{name} is dark. Repair its system first: {name}RS"
    if not ship.drive:
        return f"{name} has no working drive. Repair it first: {name}RD"
    if steps > ship.drive:
        return f"{name} has {counted(ship.drive, 'drive unit')}, but this way needs {steps}"
    if slips and not ship.units.get(SLIP):
        return f"{name} has no working slip unit"
    if slips and slips[0].steps > ship.drive:
        return f"{name} can slip at most {counted(ship.drive, 'space')}"
    if any(isinstance(each, Jump) for each in segments) and not ship.units.get(JUMP):
        return f"{name} has no working jump unit"
    return ""


def meets(state: State, ship: Ship) -> bool:
    """Return whether a ship is in an encounter with a ship that is not allied and not dark."""
    return any(
        not other.dark and not state.allied(ship.owner, other.owner)
        for other in state.ships_at(ship.at)
    )


def _posts(state: State) -> dict[Space, set[Seat]]:
    """Return the owners of stationary ships by space. Moving ships do not meet each other (T5)."""
    posts: dict[Space, set[Seat]] = {}
    for ship in state.ships.values():
        if not ship.moving and not ship.dark:
            posts.setdefault(ship.at, set()).add(ship.owner)
    return posts


def _travel(turn: Turn, ship: Ship, given: SheetOrder[Move], posts: dict[Space, set[Seat]]) -> None:
    passed = [ship.at]
    for segment in given.order.segments:
        if isinstance(segment, Jump) and turn.state.chart_from(ship.at) is None:
            given.remark = f"the jump from {turn.space(ship.at)} is not on your charts yet"
            break
        to = _end(turn, ship, segment)
        if to is None:
            given.remark = "it stopped at the edge of the board"
            if turn.state.rules.edge is Edge.SKIP:
                continue
            break
        ship.column, ship.level = to
        passed.append(to)
        if any(not turn.state.allied(ship.owner, other) for other in posts.get(to, ())):
            given.remark = f"it met a ship at {turn.space(to)}"
            break
    way = " ".join(turn.space(at) for at in passed)
    ending = f"; {given.remark}" if given.remark else ""
    turn.tell(MOVEMENT, f"S{ship.number}: {way}{ending}.", {ship.owner})


def _end(turn: Turn, ship: Ship, segment: Segment) -> Space | None:
    """Return where a segment ends, or None if off the board. A jump is added to the charts."""
    if not isinstance(segment, Jump):
        return flown(turn.state, ship.at, segment)
    chart = turn.state.chart_from(ship.at)
    if chart is None:
        return None
    _learn(turn, ship.owner, chart)
    return chart.end


def flown(state: State, at: Space, segment: Slipstream | Warp) -> Space | None:
    """Return where a slipstream or a warp ends, or None if off the board (rule 14)."""
    steps = segment.steps if isinstance(segment, Slipstream) else 1
    return state.rules.board.moved(at, segment.vector.direction, segment.vector.up, steps)


def _learn(turn: Turn, seat: Seat, chart: Chart) -> None:
    player = turn.player(seat)
    if chart not in player.charts:
        player.charts.append(chart)
        text = f"The jump from {turn.space(chart.start)} leads to {turn.space(chart.end)}."
        turn.tell(MOVEMENT, text, {seat})
