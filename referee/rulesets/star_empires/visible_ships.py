"""The ships that an empire sees, as the units of its map."""

from collections import defaultdict
from collections.abc import Mapping

from referee.rules.views import Unit, UnitKind
from referee.rules.wording import counted
from referee.rulesets.star_empires.class_names import class_name
from referee.rulesets.star_empires.fleets import percent
from referee.rulesets.star_empires.knowledge import Sighted, knows_class, sighted, strangers
from referee.rulesets.star_empires.sectors import Sector
from referee.rulesets.star_empires.sorting import natural
from referee.rulesets.star_empires.state import Empire, Ship, State


def units_of(state: State, empire: Empire) -> Mapping[Sector, tuple[Unit, ...]]:
    """Return the ships that an empire sees, by sector: its own, then others, then unknown ones."""
    there: defaultdict[Sector, list[Unit]] = defaultdict(list)
    for ship in sorted(state.fleet(empire.seat), key=lambda ship: natural(ship.callsign)):
        there[ship.at].append(_own(state, empire, ship))
    foreign = sorted(sighted(state, empire.seat), key=lambda each: _rank(state, each))
    for each in foreign:
        there[each.ship.at].append(_foreign(state, empire, each))
    for at, found in strangers(state, empire.seat).items():
        ships = counted(found.number, "ship")
        text = f"{ships}, {counted(found.tonnage, 'ton')}"
        there[at].append(Unit("?", "", UnitKind.UNKNOWN, text, force=ships))
    return {at: tuple(units) for at, units in there.items()}


def _rank(state: State, each: Sighted) -> tuple[str, object]:
    return state.empires[each.ship.owner].name, natural(each.ship.callsign)


def _own(state: State, empire: Empire, ship: Ship) -> Unit:
    kind = state.kind(ship)
    text = f"{class_name(empire, ship.kind)}, DP {ship.dp}/{kind.ratings.dp}"
    if ship.carrier is not None:
        text += f", on {state.ships[ship.carrier].callsign}"
    reach = 0 if ship.loaded else state.engines_to_move(ship)
    return Unit(ship.callsign, empire.name, _kind(state, ship), text, reach)


def _foreign(state: State, empire: Empire, each: Sighted) -> Unit:
    """Return a foreign ship; only a close look shows its damage."""
    ship, kind = each.ship, state.kind(each.ship)
    text = class_name(empire, ship.kind)
    if each.close and knows_class(state, empire.seat, ship):
        text += f", DP {ship.dp}/{kind.ratings.dp}"
    elif each.close:
        text += f", {percent(ship, kind)}%"
    return Unit(ship.callsign, state.empires[ship.owner].name, _kind(state, ship), text)


def _kind(state: State, ship: Ship) -> UnitKind:
    return UnitKind.BASE if state.kind(ship).starbase else UnitKind.SHIP
