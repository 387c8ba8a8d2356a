"""Research: salvaging, creating and giving of designs (RULES 6.5)."""

from collections import defaultdict
from typing import Final

from referee.rules.ruleset import Seat, UserError
from referee.rulesets.star_empires.hulls import Hull, Ratings, ShipClass, design, design_missile
from referee.rulesets.star_empires.lookup import class_called
from referee.rulesets.star_empires.names import LONGEST
from referee.rulesets.star_empires.orders import Design, Give
from referee.rulesets.star_empires.state import State
from referee.rulesets.star_empires.turn_state import EmpireOrder, Stage, Turn, Wreck

SALVAGE: Final = 3
"""The ratio of guns to the DP of the wreck's own side that a salvager must exceed."""


def salvage(turn: Turn) -> None:
    """Salvage this turn's designs for the empires that control the sectors (R6.5.1)."""
    for wreck in sorted(turn.wrecks, key=lambda wreck: wreck.callsign.casefold()):
        seat = _salvager(turn.state, wreck)
        if seat is None or wreck.kind in turn.empire(seat).classes:
            continue
        turn.empire(seat).classes.add(wreck.kind)
        text = f"You salvage the design of {wreck.kind} at %s."
        turn.tell(Stage.RESEARCH, {seat}, text, wreck.at)


def _salvager(state: State, wreck: Wreck) -> Seat | None:
    """Return the empire with strictly the most, and enough, conquering guns there, or None."""
    guns: defaultdict[Seat, int] = defaultdict(int)
    guard = 0
    for ship in state.ships_at(wreck.at):
        if state.conquers(ship):
            guns[ship.owner] += state.guns(ship)
            guard += ship.dp if ship.owner == wreck.owner else 0
    most = max(guns.values(), default=0)
    strongest = [seat for seat, number in guns.items() if number == most]
    enough = len(strongest) == 1 and most > SALVAGE * guard
    return strongest[0] if enough else None


def create_designs(turn: Turn) -> None:
    """Create new ship classes for their fees (R6.5.2)."""
    for given in turn.given(Design):
        world = turn.workshop(given, given.order.world)
        if world is None:
            continue
        kind = _drafted(turn, given)
        if kind is None:
            continue
        if kind.fee > world.stockpile:
            given.note(f"{world.name} has {world.stockpile} RU, but the fee is {kind.fee} RU")
            continue
        world.stockpile -= kind.fee
        turn.state.classes[kind.name] = kind
        turn.empire(given.seat).classes.add(kind.name)
        given.done = True
        text = f"You design the {kind.hull.title} {kind.name} at {world.name} for {kind.fee} RU."
        turn.tell(Stage.RESEARCH, {given.seat}, text)


def _drafted(turn: Turn, given: EmpireOrder[Design]) -> ShipClass | None:
    if any(given.order.name.casefold() == name.casefold() for name in turn.state.classes):
        given.note(f"there is already a class called {given.order.name}")
        return None
    try:
        return drafted(turn.state, given.order)
    except UserError as mistake:
        given.note(str(mistake).rstrip("."))
        return None


def drafted(state: State, order: Design) -> ShipClass:
    """Return the class of a DESIGN order (R4.2).

    Raises UserError if the hull does not allow it.
    """
    hull, numbers = Hull(order.hull), order.numbers
    if len(order.name) > LONGEST:
        raise UserError(f"{order.name} is too long. A name has at most {LONGEST} characters.")
    if hull is Hull.DEVICE:
        raise UserError("You cannot design devices.")
    if hull is Hull.MISSILE and len(numbers) == 2:
        return design_missile(state.table, order.name, *numbers)
    if len(numbers) != 5:
        wanted = "2 numbers (guns and tonnage)"
        if hull is not Hull.MISSILE:
            wanted = "5 numbers (guns, DP, engines, scan and racks)"
        raise UserError(f"Expected {wanted} for a {hull.title}, but found {len(numbers)}.")
    return design(state.table, order.name, hull, Ratings(*numbers))


def give_designs(turn: Turn) -> None:
    """Send known designs to other empires (R6.5.3)."""
    for given in turn.given(Give):
        for name in given.order.classes:
            kind = class_called(turn.state, turn.empire(given.seat), name)
            if kind is None:
                given.note(f"you do not know a class called {name}")
                continue
            for empire in turn.met(given, given.order.empires):
                empire.classes.add(kind.name)
                given.done = True
                text = f"{turn.name(given.seat)} gives you the design of {kind.name}."
                turn.tell(Stage.RESEARCH, {empire.seat}, text)
