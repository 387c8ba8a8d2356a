"""Help with writing orders: a sheet to fill in, and a forecast."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from referee.rules.ruleset import Seat
from referee.rules.views import Prose, View
from referee.rulesets.starfarers.charting import ways
from referee.rulesets.starfarers.economy import (
    COST_KEYS,
    cost_of,
    objection_to_build,
    objection_to_part,
)
from referee.rulesets.starfarers.goods import Goods, in_words, of
from referee.rulesets.starfarers.language import render
from referee.rulesets.starfarers.orders import (
    Barter,
    BaseKind,
    BuildBase,
    BuildRing,
    BuildShip,
    Enhance,
    Enhancement,
    Explore,
    Hire,
    Order,
    PortTrade,
    Travel,
)
from referee.rulesets.starfarers.parts import ACCEPTED
from referee.rulesets.starfarers.sight import seen_by
from referee.rulesets.starfarers.state import Hex, Kind, Ship, State
from referee.rulesets.starfarers.travel import objection
from referee.rulesets.starfarers.turn import phase


def template(state: State, seat: Seat) -> Sequence[str]:
    """Return the lines of an order sheet: orders to complete, each after a comment mark.

    Each of them alone is possible as the table and the hand are now.
    """
    if seat not in phase(state).awaiting:
        return []
    seen, lines = seen_by(state, seat), list[str]()
    fleet = [ship for ship in seen.fleet(seat) if not ship.mercenary]
    if Travel in ACCEPTED[state.stage]:
        lines += [line for ship in fleet for line in _moves(seen, ship)]
    if BuildBase in ACCEPTED[state.stage]:
        lines += [f"# {render(order)}" for order in _buildings(seen, seat, fleet)]
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
    """Return the expected hand if ships meet nobody and no other player trades."""
    seen = seen_by(state, seat)
    mined = Goods()
    for place in _mines(seen, seat, orders):
        mined += of(place.resource, 1 + state.players[seat].rings)
    hand, short = state.players[seat].hand + mined, False
    for order in orders:
        cost = _cost(seen, order)
        short = short or not hand.covers(cost)
        hand = hand - cost if hand.covers(cost) else hand
        if isinstance(order, PortTrade | Barter):
            hand += order.take
    first = f"Your ships will mine {in_words(mined)} at planets you know. " if mined.total else ""
    more = " One of your orders needs cards that you do not have yet." if short else ""
    what = "and what else your ships find and mine"
    return (Prose(f"{first}You will hold {in_words(hand)}, {what}.{more}"),)


def _mines(state: State, seat: Seat, orders: Sequence[Order]) -> Sequence[Hex]:
    """Return the free planets that the player's ships travel to, each once (rule 17)."""
    goals = []
    for order in orders:
        ship = state.ships.get(order.ship) if isinstance(order, Travel) else None
        if isinstance(order, Travel) and ship is not None and ship.owner == seat:
            goals.append(order.hexes[-1])
    places = (state.hexes[number] for number in dict.fromkeys(goals) if number in state.hexes)
    return [
        place
        for place in places
        if place.kind is Kind.PLANET
        and not place.occupied
        and place.quarantined_until <= state.round
    ]


def _cost(state: State, order: Order) -> Goods:
    match order:
        case BuildBase() | BuildRing() | BuildShip():
            return cost_of(state, order)
        case Enhance(parts):
            costs = (state.rules.costs[COST_KEYS[part]] * number for number, part in parts)
            return sum(costs, Goods())
        case PortTrade(_, give, _) | Barter(_, give, _) | Hire(_, _, give):
            return give
    return Goods()
