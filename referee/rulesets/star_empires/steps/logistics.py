"""Logistics: unloading and loading of ships, deployment of devices (RULES 6.2)."""

from referee.rules.wording import counted
from referee.rulesets.star_empires.hulls import Hull
from referee.rulesets.star_empires.lookup import ships_called, ships_of
from referee.rulesets.star_empires.orders import Deploy, Fire, Load, Unload
from referee.rulesets.star_empires.state import Ship, State
from referee.rulesets.star_empires.turn_state import Called, EmpireOrder, Stage, Turn, named


def unload_to_use(turn: Turn) -> None:
    """Unload the missiles to be fired and the devices to be deployed (R6.2.1)."""
    unload_missiles(turn)
    for deploy in turn.given(Deploy):
        for ship in ships_called(turn.roster, deploy.seat, deploy.order.ships).ships:
            if ship.loaded and turn.state.kind(ship).hull is Hull.DEVICE and turn.state.devices:
                _unload(turn, ship)


def unload_missiles(turn: Turn) -> None:
    """Unload the missiles to be fired, including those loaded this turn (R6.3.2)."""
    for fire in turn.given(Fire):
        for ship in ships_of(turn.roster, turn.empire(fire.seat), fire.order.ships).ships:
            if ship.loaded and turn.state.kind(ship).hull is Hull.MISSILE:
                _unload(turn, ship)


def unload(turn: Turn) -> None:
    """Take ships off their carriers, which frees the racks (R6.2.1)."""
    for given in turn.given(Unload):
        found = ships_called(turn.roster, given.seat, given.order.ships)
        given.remarks += found.remarks
        for ship in found.ships:
            if ship.loaded:
                _unload(turn, ship)
            elif ship.number not in turn.unloaded:
                given.note(f"{ship.callsign} is not loaded")
                continue
            given.done = True


def _unload(turn: Turn, ship: Ship) -> None:
    ship.carrier = None
    ship.did.append("unloaded")
    turn.unloaded.add(ship.number)
    text = f"{turn.name(ship.owner)} unloads at %s"
    turn.tell_of(Stage.LOGISTICS, turn.witnesses(ship.at), text, named(ship), ship.at)


def load(turn: Turn) -> None:
    """Load ships onto carriers in their sector that have enough free racks (R6.2.2)."""
    for given in turn.given(Load):
        _load(turn, given)


def _load(turn: Turn, given: EmpireOrder[Load]) -> None:
    found = ships_called(turn.roster, given.seat, given.order.ships)
    given.remarks += found.remarks
    carrier = turn.roster.called(given.seat, given.order.carrier)
    if carrier is None:
        given.note(f"you have no ship {given.order.carrier}")
        return
    for ship in found.ships:
        objection = objection_to_load(turn.state, ship, carrier)
        if objection:
            given.note(objection)
            continue
        ship.carrier = carrier.number
        ship.did.append("loaded")
        given.done = True
        text = f"{turn.name(ship.owner)} loads at %s"
        turn.tell_of(Stage.LOGISTICS, turn.witnesses(ship.at), text, named(ship), ship.at)


def objection_to_load(state: State, ship: Ship, carrier: Ship) -> str:
    """Return why a ship cannot be loaded onto a carrier, or "" if it can (R6.2.2)."""
    if ship is carrier:
        return f"{ship.callsign} cannot carry itself"
    if ship.loaded:
        return f"{ship.callsign} is already loaded"
    if carrier.loaded:
        return f"{carrier.callsign} is loaded onto another ship"
    if state.cargo(ship):
        return f"{ship.callsign} carries ships, so it cannot be loaded"
    if ship.at != carrier.at:
        return f"{ship.callsign} is not where {carrier.callsign} is"
    weight, room = state.kind(ship).tonnage, state.free_racks(carrier)
    if weight > room:
        racks = counted(room, "free rack")
        return f"{ship.callsign} weighs {weight}, but {carrier.callsign} has {racks}"
    return ""


def deploy_devices(turn: Turn) -> None:
    """Use up the deployed devices; they act this turn in their sector."""
    for given in turn.given(Deploy):
        found = ships_called(turn.roster, given.seat, given.order.ships)
        given.remarks += found.remarks
        for ship in found.ships:
            objection = objection_to_deploy(turn.state, ship)
            if objection:
                given.note(objection)
                continue
            turn.deployed.append((given.seat, ship.kind, ship.at))
            given.done = True
            text, device = f"{turn.name(given.seat)} deploys a %s at %s.", Called(ship.kind)
            turn.tell(Stage.LOGISTICS, turn.witnesses(ship.at), text, device, ship.at)
            turn.roster.remove(ship)


def objection_to_deploy(state: State, ship: Ship) -> str:
    """Return why a ship cannot be deployed, or "" if it can."""
    if state.kind(ship).hull is not Hull.DEVICE:
        return f"{ship.callsign} is not a device"
    if not state.devices:
        return "this game has no devices"
    return ""
