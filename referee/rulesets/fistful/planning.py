"""Phase I: landing, reorganization of fleets, production (rules 6 to 10)."""

from collections.abc import Iterable
from typing import Any

from referee.rules.ruleset import Seat
from referee.rules.turns import SheetOrder
from referee.rulesets.fistful.orders import (
    Build,
    Fortify,
    Grow,
    Land,
    Ships,
    StarNumber,
    Transfer,
)
from referee.rulesets.fistful.state import FORTIFYING, Star, State
from referee.rulesets.fistful.turn_state import COLONIES, Turn


def land(turn: Turn) -> None:
    """Land transports and found colonies (rule 6)."""
    for given in turn.given(Land):
        fleet = turn.fleet(given)
        if fleet is None:
            continue
        reason = objection_to_land(turn.state, given.seat, fleet.star, fleet.ships)
        if reason:
            given.fail(reason)
            continue
        fleet.ships -= Ships(transports=1)
        star = turn.state.stars[fleet.star]
        star.owner, star.size, star.colonized = given.seat, 1, True
        turn.tell(
            COLONIES, f"You found a colony at W{star.number}.", star.number, seats={given.seat}
        )
    turn.drop_empty()


def objection_to_land(state: State, seat: Seat, star: StarNumber, ships: Ships) -> str:
    """Return why a fleet cannot land at a star, or "" if it can (rule 6, F7)."""
    if not ships.transports:
        return "the fleet has no transport"
    if state.stars[star].owner is not None:
        return f"there is already a colony at W{star}"
    if state.fleets_at(star, state.other(seat)):
        return f"an enemy fleet is at W{star}"
    return ""


def transfer(turn: Turn) -> None:
    """Move ships between fleets, in the sequence of the orders (rule 7)."""
    for given in turn.given(Transfer):
        fleet = turn.fleet(given)
        if fleet is None:
            continue
        order = given.order
        ships = fleet.ships if order.ships is None else order.ships
        to = turn.state.fleet(given.seat, order.to)
        if not fleet.ships.covers(ships):
            given.fail(f"fleet {order.fleet} has {fleet.ships}, not {ships}")
        elif to is fleet:
            given.fail(f"they are already in fleet {order.to}")
        elif to is not None and to.star != fleet.star:
            given.fail(f"fleet {order.to} is at W{to.star}, not at W{fleet.star}")
        else:
            fleet.ships -= ships
            turn.add(given.seat, order.to, fleet.star, ships)
            turn.drop_empty()


def produce(turn: Turn) -> None:
    """Build ships and fortifications, and grow colonies (rules 8 to 10).

    Orders are paid in their sequence; colonies grow after all orders are carried out (F2).
    """
    works: Iterable[SheetOrder[Any]] = turn.given(Build, Fortify, Grow)
    for given in works:
        match given.order:
            case Build():
                _build(turn, given)
            case Fortify():
                _fortify(turn, given)
            case Grow():
                _grow(turn, given)
    for number, seat in turn.growing.items():
        turn.state.stars[number].size += 1
        size = turn.state.stars[number].size
        turn.tell(COLONIES, f"W{number} grows to size {size}.", number, seats={seat})
    for star in turn.state.stars.values():
        # Without a payment this turn, the first half is lost (F3).
        star.half_fortified = star.number in turn.fortifying and not star.fortified


def points(state: State, star: Star) -> int:
    """Return the points a colony can spend this turn: its size, or 0 if it is idle (rule 8)."""
    if star.colonized or (star.besieged and not state.rules.besieged_produces):
        return 0
    return star.size


def _may_spend(
    turn: Turn, given: SheetOrder[Build] | SheetOrder[Fortify], cost: int
) -> Star | None:
    """Return the colony if it has enough points left, or None with a reason on the order."""
    star = turn.colony(given)
    if star is None:
        return None
    whole = points(turn.state, star)
    left = whole - turn.paid.get(star.number, 0)
    if whole < 2:
        given.fail(f"{_why_idle(turn.state, star)} and cannot build")
        return None
    if cost > left:
        given.fail(f"W{star.number} has {left} of {whole} points left, but this costs {cost}")
        return None
    return star


def _why_idle(state: State, star: Star) -> str:
    """Return why a colony has no points to build with (rule 8)."""
    if star.colonized:
        return f"the colony at W{star.number} was founded this turn"
    if not points(state, star):
        return f"the colony at W{star.number} is besieged"
    return f"the colony at W{star.number} has size {star.size}"


def _build(turn: Turn, given: SheetOrder[Build]) -> None:
    order = given.order
    cost = turn.state.rules.cost(order.ships)
    star = _may_spend(turn, given, cost)
    if star is None:
        return
    fleet = turn.state.fleet(given.seat, order.fleet)
    if fleet is not None and fleet.star != star.number:
        given.fail(f"fleet {order.fleet} is at W{fleet.star}, not at W{star.number}")
        return
    turn.paid[star.number] = turn.paid.get(star.number, 0) + cost
    turn.add(given.seat, order.fleet, star.number, order.ships)


def _fortify(turn: Turn, given: SheetOrder[Fortify]) -> None:
    if turn.colony(given) is not None and turn.state.stars[given.order.star].fortified:
        given.fail(f"W{given.order.star} is already fortified")
    elif given.order.star in turn.fortifying:
        given.fail("only one half can be built in a turn")
    if given.failed:
        return
    star = _may_spend(turn, given, FORTIFYING)
    if star is None:
        return
    turn.paid[star.number] = turn.paid.get(star.number, 0) + FORTIFYING
    turn.fortifying.add(star.number)
    if star.half_fortified:
        star.fortified = True
        turn.tell(COLONIES, f"W{star.number} is fortified.", star.number, seats={given.seat})


def _grow(turn: Turn, given: SheetOrder[Grow]) -> None:
    star = turn.colony(given)
    if star is None:
        return
    reason = objection_to_growth(turn.state, star)
    if not reason and turn.paid.get(star.number, 0):
        reason = f"growing takes all points of W{star.number}, but some are already spent"
    if reason:
        given.fail(reason)
        return
    turn.paid[star.number] = star.size
    turn.growing[star.number] = given.seat


def objection_to_growth(state: State, star: Star) -> str:
    """Return why a colony cannot grow, or "" if it can (rule 8, F1)."""
    if star.size >= star.capacity:
        return f"W{star.number} already has its greatest size"
    if not points(state, star):
        return f"{_why_idle(state, star)} and cannot grow"
    if star.size == 1 and not state.rules.grow_at_1:
        return "a colony of size 1 cannot grow in this game"
    return ""
