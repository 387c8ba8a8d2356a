"""Movement: navigation data, moves, portals and storm damage (RULES 6.4.1 to 6.4.6)."""

from typing import NamedTuple

from referee.rules.ruleset import Seat
from referee.rules.wording import counted
from referee.rulesets.star_empires.hulls import SHIELD, STARBASE
from referee.rulesets.star_empires.lookup import one_sector, sector_of, ships_of
from referee.rulesets.star_empires.orders import Move, Transmit, Traverse
from referee.rulesets.star_empires.sectors import Sector, distance
from referee.rulesets.star_empires.ships import cargo_by_carrier
from referee.rulesets.star_empires.state import Empire, KnownPortal, Portal, Ship
from referee.rulesets.star_empires.steps.combat import suffer
from referee.rulesets.star_empires.turn_state import Cause, EmpireOrder, Gift, Stage, Turn, named


class Passage(NamedTuple):
    """The entry and the exit of a ship's journey through a wormnet."""

    entry: Portal
    exit: Portal


def transmit(turn: Turn) -> None:
    """Send navigation data that the sender had before this turn (R6.4.1)."""
    for given in turn.given(Transmit):
        had = turn.before.empires[given.seat].navigation
        for name in given.order.portals:
            if name not in had or name not in turn.state.portals:
                given.note(f"you have no navigation data for {name}")
                continue
            for empire in turn.met(given, given.order.empires):
                _receive(turn, empire, turn.state.portals[name], given.seat)
                given.done = True


def _receive(turn: Turn, empire: Empire, portal: Portal, donor: Seat) -> None:
    if portal.name not in empire.navigation:
        turn.gifts.append(Gift(empire.seat, donor, "the navigation data for", portal.name))
    empire.navigation.add(portal.name)
    remember(turn, empire, portal, heard=True)
    text = f"{turn.name(donor)} sends you the navigation data for {portal.name} at %s."
    turn.tell(Stage.MOVEMENT, {empire.seat}, text, portal.at)


def remember(turn: Turn, empire: Empire, portal: Portal, *, heard: bool) -> None:
    """Add a portal to an empire's knowledge, if it is new; by hearsay only where it is (R6.4.1)."""
    if portal.name not in empire.portals:
        collapsed = portal.collapsed and not heard
        empire.portals[portal.name] = KnownPortal(
            portal.name, portal.at, collapsed, turn.state.turn, heard
        )


def move(turn: Turn) -> None:
    """Move ships to another sector, all at once (R6.4.2)."""
    jumps: dict[int, Sector] = {}
    for given in turn.given(Move):
        to = sector_of(turn.empire(given.seat), given.order.to)
        if to is None:
            given.note(f"you do not know a place called {given.order.to}")
            continue
        for ship in _group(turn, given):
            objection = _objection_to_move(turn, ship, to)
            if ship.number in jumps:
                objection = f"{ship.callsign} already moves by an earlier order"
            if objection:
                given.note(objection)
            else:
                jumps[ship.number] = to
                given.done = True
    _jump(turn, jumps)


def _group(turn: Turn, given: EmpireOrder[Move]) -> tuple[Ship, ...]:
    """Return the ships of an order, or none with a remark if they are not in one sector."""
    found = ships_of(turn.roster, turn.empire(given.seat), given.order.ships)
    given.remarks += found.remarks
    if found.ships and one_sector(found.ships) is None:
        given.note("the ships are not all in one sector")
        return ()
    return found.ships


def _objection_to_move(turn: Turn, ship: Ship, to: Sector) -> str:
    objection = _objection_to_leave(turn, ship)
    far, engines = distance(ship.at, to), turn.state.engines(ship)
    return objection or objection_to_distance(ship, engines, far)


def objection_to_distance(ship: Ship, engines: int, far: int) -> str:
    """Return why a ship cannot move that far, or "" if it can."""
    if far <= engines:
        return ""
    reach = counted(engines, "sector")
    return f"{ship.callsign} can move {reach}, but the destination is {far} away"


def _objection_to_leave(turn: Turn, ship: Ship) -> str:
    if ship.loaded:
        return f"{ship.callsign} is loaded and goes where its carrier goes"
    if turn.shots[ship.number]:
        return f"{ship.callsign} fired and cannot leave"
    if not turn.state.engines(ship):
        return f"{ship.callsign} has no working engine"
    return ""


def _jump(turn: Turn, jumps: dict[int, Sector]) -> None:
    """Move ships at once; empires there before see them leave, those there after see arrivals."""
    ships = [(turn.state.ships[number], to) for number, to in jumps.items()]
    for ship, to in ships:
        text, seers = f"{turn.name(ship.owner)} departs from %s", turn.witnesses(ship.at)
        turn.tell_of(Stage.MOVEMENT, seers - {ship.owner}, text, named(ship), ship.at)
        own = "You move from %s to %s"
        turn.tell_of(Stage.MOVEMENT, {ship.owner}, own, named(ship), ship.at, to)
    cargo = cargo_by_carrier(turn.state)
    for ship, to in ships:
        ship.did.append("moved")
        turn.roster.move((ship, *cargo.get(ship.number, ())), to)
    for ship, to in ships:
        text, seers = f"{turn.name(ship.owner)} arrives at %s", turn.witnesses(to)
        turn.tell_of(Stage.MOVEMENT, seers - {ship.owner}, text, named(ship), to)


def traverse(turn: Turn) -> None:
    """Send ships through wormnets, to a chosen or a random exit, all at once (R6.4.3)."""
    passages: dict[int, Passage] = {}
    for given in turn.given(Traverse):
        _traverse(turn, given, passages)
    _pass(turn, passages)


def _traverse(turn: Turn, given: EmpireOrder[Traverse], passages: dict[int, Passage]) -> None:
    """Record the passages of an order's ships; ships that cannot go stay behind (R6.4.2)."""
    order, empire = given.order, turn.empire(given.seat)
    entry = turn.state.portals.get(order.entry)
    if entry is None or order.entry not in empire.portals:
        given.note(f"you do not know a portal called {order.entry}")
        return
    found = ships_of(turn.roster, empire, order.ships)
    given.remarks += found.remarks
    ships = []
    for ship in found.ships:
        objection = _objection_to_leave(turn, ship)
        if not objection and ship.at != entry.at:
            objection = f"{ship.callsign} is not at {entry.name}"
        if ship.number in passages:
            objection = f"{ship.callsign} already goes through a portal"
        if objection:
            given.note(objection)
        else:
            ships.append(ship)
    exit_ = _exit(turn, given, entry) if ships else None
    if exit_ is not None:
        given.done = True
        passages.update({ship.number: Passage(entry, exit_) for ship in ships})


def _exit(turn: Turn, given: EmpireOrder[Traverse], entry: Portal) -> Portal | None:
    """Return the exit, drawn once for all ships of an order, or None with a remark (R6.4.3)."""
    portals, navigation = turn.state.portals, turn.empire(given.seat).navigation
    if entry.collapsed:
        given.note(f"{entry.name} has collapsed")
        return None
    chosen = given.order.exit
    if chosen is not None and {chosen, entry.name} <= navigation:
        if chosen not in entry.exits or portals[chosen].collapsed:
            given.note(f"{entry.name} does not lead to {chosen} now")
            return None
        return portals[chosen]
    if chosen is not None:
        given.note("the exit is random, because you lack navigation data for both portals")
    open_ = sorted(name for name in entry.exits if not portals[name].collapsed)
    if not open_:
        given.note(f"{entry.name} leads nowhere now")
        return None
    return portals[turn.dice.at("traverse", given.seat, given.place).pick(open_)]


def _pass(turn: Turn, passages: dict[int, Passage]) -> None:
    ships = [(turn.state.ships[number], *passage) for number, passage in passages.items()]
    for ship, entry, exit_ in ships:
        text, seers = f"{turn.name(ship.owner)} enters {entry.name} at %s", turn.witnesses(entry.at)
        turn.tell_of(Stage.MOVEMENT, seers - {ship.owner}, text, named(ship), entry.at)
        own = f"You go through {entry.name} at %s to {exit_.name} at %s"
        turn.tell_of(Stage.MOVEMENT, {ship.owner}, own, named(ship), entry.at, exit_.at)
    cargo = cargo_by_carrier(turn.state)
    for ship, entry, exit_ in ships:
        ship.did.append("traversed")
        turn.roster.move((ship, *cargo.get(ship.number, ())), exit_.at)
        turn.travelled.append((ship.owner, entry.name, exit_.name))
    for ship, _, exit_ in ships:
        text = f"{turn.name(ship.owner)} comes out of {exit_.name} at %s"
        turn.tell_of(
            Stage.MOVEMENT, turn.witnesses(exit_.at) - {ship.owner}, text, named(ship), exit_.at
        )


def acquire_navigation(turn: Turn) -> None:
    """Add the navigation data for the portals that empires have used (R6.4.4)."""
    for seat, *names in turn.travelled:
        empire = turn.empire(seat)
        for name in names:
            portal = turn.state.portals[name]
            if name not in empire.navigation:
                text = f"You now have the navigation data for {name} at %s."
                turn.tell(Stage.MOVEMENT, {seat}, text, portal.at)
            empire.navigation.add(name)
            remember(turn, empire, portal, heard=False)


def apply_storms(turn: Turn) -> None:
    """Apply storm damage to the ships in storms, and remove destroyed ships (R6.4.5)."""
    strengths: dict[Sector, int] = {}
    for storm in turn.state.storms.values():
        strengths[storm.at] = strengths.get(storm.at, 0) + storm.intensity
    hit = []
    for at, strength in strengths.items():
        safe = _sheltered(turn, at)
        for ship in turn.roster.at(at):
            if strength == 0 or ship.loaded:
                continue
            if ship.owner in safe:
                text = f"Your {safe[ship.owner]} protects your ships from the storm at %s"
                turn.tell_of(Stage.MOVEMENT, {ship.owner}, text, named(ship), at)
            else:
                hit.append(ship)
                text = f"The storm at %s does {strength} DP of damage to each of your ships"
                turn.tell_of(Stage.MOVEMENT, {ship.owner}, text, named(ship), at)
                suffer(turn, ship, strength, Stage.MOVEMENT)
    turn.destroy([ship for ship in hit if ship.dp <= 0], Cause.STORM)


def _sheltered(turn: Turn, at: Sector) -> dict[Seat, str]:
    """Return the empires whose ships are protected there, each with what protects them (R6.4.5)."""
    shields = {seat: kind for seat, kind, where in turn.deployed if kind == SHIELD and where == at}
    bases = {s.owner: STARBASE for s in turn.roster.at(at) if turn.state.kind(s).starbase}
    return shields | bases
