"""Sharing: the permissions to see an empire's scans (RULES 6.8.1, 6.8.2)."""

from referee.rulesets.star_empires.lookup import class_called, sector_of, ships_called
from referee.rulesets.star_empires.orders import Authorize, Deny, Named, Place
from referee.rulesets.star_empires.state import Empire, Share, State
from referee.rulesets.star_empires.turn_state import EmpireOrder, Turn


def deny(turn: Turn) -> None:
    """Withdraw permissions to see scans (R6.8.1)."""
    for given in turn.given(Deny):
        part = _part(turn, given)
        for empire in turn.met(given, given.order.empires):
            shares = turn.empire(given.seat).shares
            given.done = True
            if part.everything:
                shares.pop(empire.seat, None)
            elif empire.seat in shares:
                share = shares[empire.seat]
                share.sectors -= part.sectors
                share.ships -= part.ships
                share.classes -= part.classes
                if share.everything:
                    given.note(f"{empire.name} still sees everything")
                    given.note(f"to end that, use DENY ALL TO {empire.name}")


def authorize(turn: Turn) -> None:
    """Grant permissions to see scans, until they are denied (R6.8.2)."""
    for given in turn.given(Authorize):
        part = _part(turn, given)
        for empire in turn.met(given, given.order.empires):
            share = turn.empire(given.seat).shares.setdefault(empire.seat, Share())
            if part.everything:
                turn.empire(given.seat).shares[empire.seat] = Share(everything=True)
            share.sectors |= part.sectors
            share.ships |= part.ships
            share.classes |= part.classes
            given.done = True


def _part(turn: Turn, given: EmpireOrder[Deny] | EmpireOrder[Authorize]) -> Share:
    """Return the scans an order names, and remark on unknown names."""
    scope, empire = given.order.scope, turn.empire(given.seat)
    part = Share(everything=scope.everything)
    for place in scope.places:
        _add_place(turn.state, empire, place, part, given)
    found = ships_called(turn.roster, given.seat, scope.ships)
    given.remarks += found.remarks
    part.ships = {ship.number for ship in found.ships}
    return part


def _add_place(
    state: State,
    empire: Empire,
    place: Place,
    part: Share,
    given: EmpireOrder[Deny] | EmpireOrder[Authorize],
) -> None:
    sector = sector_of(empire, place)
    if sector is not None:
        part.sectors.add(sector)
        return
    assert isinstance(place, Named)
    kind = class_called(state, empire, place.name)
    if kind is not None:
        part.classes.add(kind.name)
    else:
        given.note(f"you do not know a place or class called {place.name}")
