"""Help with writing orders: a sheet to fill in, and a forecast."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from referee.rules.ruleset import Seat
from referee.rules.views import Prose, View
from referee.rules.wording import left_out, listed
from referee.rulesets.starfarers.checked_sheet import Sheet
from referee.rulesets.starfarers.economy import cost_of, objection_to_build, objection_to_part
from referee.rulesets.starfarers.galaxies import ways
from referee.rulesets.starfarers.goods import in_words
from referee.rulesets.starfarers.orders import (
    ORDERS,
    BaseKind,
    BuildBase,
    Enhance,
    Enhancement,
    Explore,
    Order,
    Travel,
)
from referee.rulesets.starfarers.parts import ACCEPTED
from referee.rulesets.starfarers.rulings import rule
from referee.rulesets.starfarers.sight import table_of
from referee.rulesets.starfarers.state import Ship, State
from referee.rulesets.starfarers.strangers import threats
from referee.rulesets.starfarers.travel import objection
from referee.rulesets.starfarers.turn import is_leaving, phase, within


def template(state: State, seat: Seat) -> Sequence[str]:
    """Return the lines of an order sheet: orders to complete, each after a comment mark.

    Each of them alone is possible as the table and the hand are now.
    """
    if seat not in phase(state).awaiting:
        return []
    seen, lines = table_of(state, seat), list[str]()
    fleet = [ship for ship in seen.fleet(seat) if not ship.mercenary]
    if Travel in ACCEPTED[state.stage]:
        lines += [line for ship in fleet for line in _moves(seen, ship)]
    if BuildBase in ACCEPTED[state.stage]:
        lines += [f"# {ORDERS.render(order)}" for order in _buildings(seen, seat, fleet)]
    first = "# To use an order, complete it and delete the # in front of it."
    return [first, *lines] if lines else []


def _moves(state: State, ship: Ship) -> Iterator[str]:
    """Yield a line for exploring from the place of a ship, or one for moving on."""
    there = dict(ways(state, state.hexes[ship.hex]))
    free = [d for d in range(1, 7) if not objection(state, ship, Explore(ship.number, d), "")]
    near = [n for n in sorted(there.values())
            if not objection(state, ship, Travel(ship.number, (n,)), "")]  # fmt: skip
    if free:
        which = " ".join(map(str, free))
        yield f"# S{ship.number}E{free[0]}   (at H{ship.hex}; unexplored directions: {which})"
    elif near:
        yield f"# S{ship.number}H{near[0]}   (at H{ship.hex}; nothing left to explore)"


def _buildings(state: State, seat: Seat, fleet: Sequence[Ship]) -> Iterator[Order]:
    """Yield a base for each planet with a ship, and an enhancement, of the first possible kind."""
    hand = state.players[seat].hand
    for number in sorted({ship.hex for ship in fleet}):
        bases = (BuildBase(number, kind) for kind in _KINDS)
        yield from islice((base for base in bases if not objection_to_build(state, seat, base)
                           and hand.covers(cost_of(state, base))), 1)  # fmt: skip
    parts = (part for part in _PARTS if not objection_to_part(state, seat, part))
    yield from (Enhance(((1, part),)) for part in islice(parts, 1))


_KINDS: Final = (BaseKind.COLONY, BaseKind.TRADE_PORT, BaseKind.SPACEPORT)
_PARTS: Final = (Enhancement.BOOSTER, Enhancement.RING, Enhancement.CANNON)


def forecast(state: State, seat: Seat, orders: Sequence[Order]) -> View:
    """Return the expected hand if ships meet nobody and no other player trades.

    Only orders that can be carried out count. A player who leaves or waits has nothing to expect.
    """
    if is_leaving(orders) or seat not in phase(state).awaiting:
        return ()
    sheet, _ = rule(state, seat, orders)
    mined, hand = sheet.mined, within(state.rules.hand_limit, sheet.player.hand)
    first = f"Your ships will mine {in_words(mined)} at planets you know. " if mined.total else ""
    more = ", and what else your ships find and mine" if _finds_more(sheet) else ""
    short = f" {_short(sheet.short)}" if sheet.short else ""
    trades = f" {_trades(sheet)}" if sheet.held else ""
    hand_line = Prose(f"{first}You will hold {in_words(hand)}{more}.{short}{trades}")
    return (hand_line, *left_out(_others(sheet)))


def _others(sheet: Sheet) -> Iterator[tuple[str, str]]:
    """Yield the bases and ships of others where the player's ships are or attack, in words.

    Then yield the pirates that attack the player, unless a ship attacks them first.
    """
    state, seat = sheet.state, sheet.seat
    own = {ship.hex for ship in state.fleet(seat)} | sheet.attacked
    units = [(base.hex, f"B{base.number}", base.owner) for base in state.bases.values()]
    units += [(ship.hex, f"S{ship.number}", ship.owner) for ship in state.ships.values()]
    for number, unit, owner in sorted(units):
        if number in own and owner != seat:
            yield f"H{number}", f"{unit} of {state.players[owner].name}"
    for place, target in threats(state, seat) if sheet.meets else ():
        if place.number not in sheet.attacked:
            yield f"H{place.number}", f"pirates, who attack {target}"


def _finds_more(sheet: Sheet) -> bool:
    """Return whether ships explore, fight, or visit people whom the player does not know."""
    if not sheet.meets:
        return False
    hexes = [sheet.state.hexes[ship.hex] for ship in sheet.state.fleet(sheet.seat)]
    new = any(each.number < 0 or (each.occupied and sheet.seat not in each.met) for each in hexes)
    return sheet.fights or new or any(True for _ in threats(sheet.state, sheet.seat))


def _trades(sheet: Sheet) -> str:
    players = sheet.state.players
    names = {players[Seat(offer.player)].name for offer in sheet.held}
    return f"This leaves out whether {listed(sorted(names))} will trade with you."


def _short(orders: int) -> str:
    one = "One of your orders needs cards that you do not have yet."
    return one if orders == 1 else f"{orders} of your orders need cards that you do not have yet."
