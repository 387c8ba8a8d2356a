"""The checks of orders that spend or move RU: DESIGN, GIVE, BUILD, REPAIR, POOL and TRANSFER.

Each applies the expected effect to the scratch copy, warns, or raises Rejected.
"""

from itertools import islice

from referee.rules.dice import Dice
from referee.rules.ruleset import UserError
from referee.rules.wording import counted
from referee.rulesets.star_empires.class_names import class_name
from referee.rulesets.star_empires.hulls import ShipClass
from referee.rulesets.star_empires.lookup import class_called
from referee.rulesets.star_empires.orders import Build, Design, Give, Pool, Repair, Transfer
from referee.rulesets.star_empires.scratch import Rejected, Scratch
from referee.rulesets.star_empires.ships import Shipyard
from referee.rulesets.star_empires.state import World
from referee.rulesets.star_empires.steps.maintenance import new_names, pay_for_repair
from referee.rulesets.star_empires.steps.research import add_design, drafted, objection_to_name
from referee.rulesets.star_empires.turn_state import EmpireOrder


def design(scratch: Scratch, order: Design) -> None:
    """Check DESIGN, and add the class to those of the empire (R6.5.2)."""
    world = scratch.workshop(order.world)
    if objection := objection_to_name(scratch.empire, order.name):
        raise Rejected(objection)
    try:
        kind = drafted(scratch.state, order)
    except UserError as mistake:
        raise Rejected(str(mistake)) from mistake
    if kind.fee > world.stockpile:
        raise Rejected(f"{world.name} has {world.stockpile} RU, but the fee is {kind.fee} RU")
    world.stockpile -= kind.fee
    add_design(scratch.state, scratch.empire, kind)


def give(scratch: Scratch, order: Give) -> None:
    """Check GIVE: a design that is got in this turn can be given on (R6.5.3)."""
    known = [class_called(scratch.state, scratch.empire, name) for name in order.classes]
    for name, kind in zip(order.classes, known, strict=True):
        if kind is None:
            # A design that is salvaged this turn can be given this turn (R6.5.1, R6.5.3).
            scratch.warn(f"you do not know a class called {name}")
            scratch.warn("it is given only if you get its design this turn")
    scratch.met(order.empires)


def build(scratch: Scratch, order: Build) -> None:
    """Check BUILD, and add the new ships."""
    world = scratch.workshop(order.world)
    if order.count == 0:
        raise Rejected("build at least one ship")
    kind = class_called(scratch.state, scratch.empire, order.kind)
    if kind is None:
        # A design that is given or salvaged this turn can be built this turn (R6.5.3).
        scratch.warn(f"you do not know a class called {order.kind}")
        scratch.warn("it is built only if you get its design this turn")
        return
    if not kind.buildable:
        raise Rejected(f"a {class_name(scratch.empire, kind.name)} cannot be built")
    count = _payable(scratch, world, kind, order.count)
    names = _names(scratch, order, count)
    world.stockpile -= count * kind.cost
    yard = Shipyard(scratch.roster, scratch.seat)
    for number, name in enumerate(names):
        dice = Dice(b"scratch").at(scratch.state.commissioned, number)
        ship = yard.commission(kind.name, world.at, dice, name)
        scratch.built.add(ship.number)


def _payable(scratch: Scratch, world: World, kind: ShipClass, wanted: int | None) -> int:
    """Return the number of ships to build. Raises Rejected if the world cannot pay for them."""
    payable, number = world.stockpile // kind.cost, wanted or 1
    if payable < number:
        name = class_name(scratch.empire, kind.name)
        price = f"a {name} costs {kind.cost} RU"
        if number > 1:
            price = f"{number} ships of class {name} cost {number * kind.cost} RU"
        raise Rejected(f"{world.name} has {world.stockpile} RU, but {price}")
    return payable if wanted is None else wanted


def _names(scratch: Scratch, order: Build, count: int) -> list[str]:
    """Return a name or "" for each new ship. Raises Rejected if a name is in use or too long."""
    if len(order.names) > count:
        scratch.warn(f"you gave {counted(len(order.names), 'name')} for {counted(count, 'ship')}")
    given = EmpireOrder(scratch.seat, order)
    names = list(islice(new_names(scratch.roster, given), count))
    if given.remarks:
        raise Rejected(*given.remarks)
    return names + [""] * (count - len(names))


def repair(scratch: Scratch, order: Repair) -> None:
    """Check REPAIR, and take its RU from the worlds in turn."""
    ship = scratch.roster.called(scratch.seat, order.ship)
    if ship is None:
        raise Rejected(f"you have no ship {order.ship}")
    if order.dp == 0:
        raise Rejected("repair at least one DP")
    payers = []
    for name in order.worlds:
        world = scratch.world(name)
        if world.owner != scratch.seat:
            scratch.warn(f"{name} is not yours")
        elif world.stockpile < 1:
            scratch.warn(f"{name} has no RU left")
        else:
            scratch.warn_if_lost(name)
            payers.append(world)
    if not payers:
        raise Rejected(*scratch.warnings)
    missing = scratch.state.kind(ship).ratings.dp - ship.dp
    if missing == 0:
        scratch.warn(f"{ship.callsign} is not damaged now")
    wanted = missing if order.dp is None else min(order.dp, missing)
    pay_for_repair(scratch.state, ship, payers, wanted)


def pool(scratch: Scratch, order: Pool) -> None:
    """Check POOL."""
    world = scratch.world(order.world)
    if world.owner != scratch.seat:
        scratch.warn(f"{world.name} is not yours now")
    scratch.warn_if_lost(world.name)
    for name in order.excepted:
        scratch.world(name)


def transfer(scratch: Scratch, order: Transfer) -> None:
    """Check TRANSFER."""
    origin, to = scratch.world(order.origin), scratch.world(order.destination)
    if origin is to:
        raise Rejected("the RU are already there")
    if order.amount == 0:
        raise Rejected("send at least one RU")
    if order.empire and order.empire.casefold() != scratch.empire.name.casefold():
        scratch.met((order.empire,))
    if origin.owner != scratch.seat:
        scratch.warn(f"{origin.name} is not yours now")
    elif origin.blockaded:
        scratch.warn(f"{origin.name} is blockaded now")
    scratch.warn_if_lost(origin.name)
    if not order.empire:
        scratch.warn_if_lost(to.name)
