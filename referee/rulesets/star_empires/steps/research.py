"""Research: salvaging, creating and giving of designs (RULES 6.5)."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from referee.rules.ruleset import Seat, UserError
from referee.rulesets.star_empires.class_names import is_met, learn, names_in_use, new_key
from referee.rulesets.star_empires.hulls import Hull, Ratings, ShipClass, design, design_missile
from referee.rulesets.star_empires.lookup import class_called
from referee.rulesets.star_empires.names import LONGEST
from referee.rulesets.star_empires.orders import Design, Give
from referee.rulesets.star_empires.roster import Roster
from referee.rulesets.star_empires.state import Empire, State
from referee.rulesets.star_empires.turn_state import (
    Called,
    Cause,
    EmpireOrder,
    Gift,
    Stage,
    Turn,
    Wreck,
)

SALVAGE: Final = 3
"""The ratio of guns to the DP of the wreck's own side that a salvager must exceed."""


def salvage(turn: Turn) -> None:
    """Salvage this turn's designs for the empires that control the sectors (R6.5.1)."""
    wrecks = (wreck for wreck in turn.wrecks if wreck.cause is not Cause.EXPLOSION)
    for wreck in sorted(wrecks, key=lambda wreck: wreck.callsign.casefold()):
        seat = _salvager(turn.roster, wreck)
        if seat is None or wreck.kind in turn.empire(seat).classes:
            continue
        _learn(turn, seat, None, wreck.kind)
        text = "You salvage the design of %s at %s."
        turn.tell(Stage.RESEARCH, {seat}, text, Called(wreck.kind), wreck.at)
        _show_salvage(turn, seat, wreck)


def _learn(turn: Turn, seat: Seat, giver: Seat | None, kind: str) -> None:
    """Add a design to an empire's knowledge: a gift, or salvaged (None)."""
    if kind not in turn.empire(seat).classes:
        turn.learn(seat, kind)
        name = turn.written(seat, Called(kind))
        turn.gifts.append(Gift(seat, giver, "the design of", name))


def _show_salvage(turn: Turn, salvager: Seat, wreck: Wreck) -> None:
    """Inform the others there; the class is named only to those who have met it."""
    others = turn.witnesses(wreck.at) - {salvager}
    knowing = {seat for seat in others if is_met(turn.empire(seat), wreck.kind)}
    text = f"{turn.name(salvager)} salvages the design of %s at %s."
    turn.tell(Stage.RESEARCH, knowing, text, Called(wreck.kind), wreck.at)
    text = f"{turn.name(salvager)} salvages a design at %s."
    turn.tell(Stage.RESEARCH, others - knowing, text, wreck.at)


def _salvager(roster: Roster, wreck: Wreck) -> Seat | None:
    """Return the empire with strictly the most, and enough, conquering guns there, or None."""
    guns: defaultdict[Seat, int] = defaultdict(int)
    guard = 0
    state = roster.state
    for ship in roster.at(wreck.at):
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
        add_design(turn.state, turn.empire(given.seat), kind)
        given.done = True
        text = f"You design the {kind.hull.title} {kind.name} at {world.name} for {kind.fee} RU."
        turn.tell(Stage.RESEARCH, {given.seat}, text)


def _drafted(turn: Turn, given: EmpireOrder[Design]) -> ShipClass | None:
    if objection := objection_to_name(turn.empire(given.seat), given.order.name):
        given.note(objection)
        return None
    try:
        return drafted(turn.state, given.order)
    except UserError as mistake:
        given.note(str(mistake).rstrip("."))
        return None


def objection_to_name(empire: Empire, name: str) -> str:
    """Return why an empire cannot give a class a name, or "" if it can.

    It depends only on the classes that the empire has met, so it reveals no other class.
    """
    return (
        f"there is already a class called {name}" if name.casefold() in names_in_use(empire) else ""
    )


def add_design(state: State, empire: Empire, kind: ShipClass) -> None:
    """Add a class that an empire has designed, and its knowledge of it (R6.5.2)."""
    key = new_key(empire, kind.name, state.classes)
    state.classes[key] = replace(kind, name=key)
    learn(empire, key)


def drafted(state: State, order: Design) -> ShipClass:
    """Return the class of a DESIGN order (R4.2).

    Raises UserError if the hull does not allow it.
    """
    hull, numbers = Hull(order.hull), order.numbers
    if len(order.name) > LONGEST:
        raise UserError(f"{order.name} is too long. A name has at most {LONGEST} characters.")
    if hull is Hull.DEVICE:
        raise UserError("you cannot design devices.")
    if hull is Hull.MISSILE and len(numbers) == 2:
        return design_missile(state.table, order.name, *numbers)
    if len(numbers) != 5:
        wanted = "2 numbers (guns and tonnage)"
        if hull is not Hull.MISSILE:
            wanted = "5 numbers (guns, DP, engines, scan and racks)"
        raise UserError(f"expected {wanted} for {hull.one}, but found {len(numbers)}.")
    return design(state.table, order.name, hull, Ratings(*numbers))


def give_designs(turn: Turn) -> None:
    """Send designs that the givers had before this step to other empires (R6.5.3)."""
    gifts = [
        (given, kind, empire)
        for given in turn.given(Give)
        for kind in _own_classes(turn, given)
        for empire in turn.met(given, given.order.empires)
    ]
    for given, kind, empire in gifts:
        _learn(turn, empire.seat, given.seat, kind.name)
        given.done = True
        text = f"{turn.name(given.seat)} gives you the design of %s."
        turn.tell(Stage.RESEARCH, {empire.seat}, text, Called(kind.name))


def _own_classes(turn: Turn, given: EmpireOrder[Give]) -> Iterator[ShipClass]:
    """Return the classes of an order that its empire has the design of; remark on the others."""
    for name in given.order.classes:
        kind = class_called(turn.state, turn.empire(given.seat), name)
        if kind is None:
            given.note(f"you do not know a class called {name}")
        else:
            yield kind
