"""Rulings before the deadline: what can be said of each order as the table stands now.

Exploration may change anything, so what another phase has yet to bring is only warned of.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from referee.rules.ruleset import Ruling, Seat
from referee.rules.rulings import accepted, refused, warned
from referee.rules.wording import listed
from referee.rulesets.starfarers import economy, encounter, landing, strangers, travel, turn
from referee.rulesets.starfarers.goods import Goods, in_words
from referee.rulesets.starfarers.orders import (
    Attack,
    Avoid,
    Barter,
    BuildBase,
    BuildRing,
    BuildShip,
    EncounterAnswer,
    Enhance,
    Explore,
    Hire,
    Offer,
    Order,
    PortTrade,
    Resign,
    SetAlliance,
    SetStance,
    StandBack,
    Target,
    Teleport,
    Travel,
    Want,
)
from referee.rulesets.starfarers.parts import ACCEPTED, PHASES, WORKING
from referee.rulesets.starfarers.sight import seen_by
from referee.rulesets.starfarers.state import Kind, Ship, State


class Refused(Exception):
    """Nothing can come of an order; the text says why."""


class Sheet:
    """The sheet while it is ruled on, in the sequence of the phases: how all will stand by then."""

    def __init__(self, state: State, seat: Seat) -> None:
        self.state = seen_by(state, seat)
        self.seat = seat
        self.moved: dict[int, str] = {}
        """What kind of move each ship was ordered first."""
        self.stirred = False
        """Whether an order brings what nobody can foresee: what follows depends on that."""
        self.hand = state.players[seat].hand
        """The cards that are left when the orders so far are paid."""
        self.built = False
        """Whether a ship or base has been ordered."""
        self.playing = seat in turn.phase(state).awaiting
        """Whether orders are awaited from the player now."""
        self._active = frozenset(state.active())
        order = state.order_of_play() if state.turn_of is None else [seat]
        self._earlier = order[: order.index(seat)] if seat in order else order

    def is_active(self, seat: Seat) -> bool:
        """Return whether a player is still in the game."""
        return seat in self._active

    def is_settled(self, *galaxies: Seat) -> bool:
        """Return whether nobody can change anything in these galaxies before the player's turn."""
        return not self.stirred and not any(
            self._can_come(other, galaxy) for other in self._earlier for galaxy in galaxies
        )

    def _can_come(self, other: Seat, galaxy: Seat) -> bool:
        ships = (self.state.hexes[ship.hex].galaxy for ship in self.state.fleet(other))
        return self.state.players[other].boosters > 0 or galaxy in ships

    def own_galaxies(self) -> frozenset[Seat]:
        """Return the galaxies where the player has a ship or base, and his own."""
        state = self.state
        hexes = [ship.hex for ship in state.fleet(self.seat)]
        hexes += [base.hex for base in state.bases_of(self.seat)]
        return frozenset({self.seat, *(state.hexes[number].galaxy for number in hexes)})

    def ship(self, number: int) -> Ship:
        """Return a ship of the player's. Raises Refused when it is none."""
        ship = self.state.ships.get(number)
        if ship is None or ship.owner != self.seat:
            raise Refused(f"you have no ship S{number}")
        return ship

    def object(self, reason: str, *, settled: bool) -> str:
        """Warn of a reason, if there is one. Raises Refused when nothing can change before."""
        if reason and settled:
            raise Refused(reason)
        return reason

    def spend(self, cost: Goods) -> str:
        """Take what an order costs from the hand; else say that it is not there yet."""
        if self.hand.covers(cost):
            self.hand -= cost
            return ""
        return f"it costs {in_words(cost)}, which you do not have left yet"

    def knows(self, target: Target, number: int) -> bool:
        """Return whether there is such a thing, or never will be before the turn is over."""
        match target:
            case Target.HEX:
                ships = sum(not ship.mercenary for ship in self.state.ships.values())
                return self._knows(number, self.state.hexes, max(self.state.hexes) + ships)
            case Target.BASE:
                highest = self.state.built_bases + len(self.state.players)
                return self._knows(number, self.state.bases, highest)
            case Target.SHIP:
                return number in self.state.ships
        return True

    def _knows(self, number: int, there: Mapping[int, Any], highest: int) -> bool:
        return number in there or (not self.state.rules.fog and number > highest)


def validate(state: State, seat: Seat, orders: Sequence[Order]) -> Sequence[Ruling]:
    """Rule on a whole sheet; everything on the table is public but hands and bags.

    An order is refused only when nothing can come of it whatever the others do, and whatever is
    explored; else it is warned of.
    """
    sheet = Sheet(state, seat)
    at = sorted(range(len(orders)), key=lambda number: PHASES[type(orders[number])])
    rulings = {number: _ruling(sheet, orders[number]) for number in at}
    return [rulings[number] for number in range(len(orders))]


def _ruling(sheet: Sheet, order: Order) -> Ruling:
    if not sheet.playing and not isinstance(order, Resign):
        return refused("it is not your turn; send it with your next report")
    if not isinstance(order, ACCEPTED[sheet.state.stage]):
        return refused("that belongs to another part of the round")
    if isinstance(order, WORKING):
        sheet.stirred = sheet.stirred or _meets_somebody(sheet.state, sheet.seat)
    try:
        caution = _CHECKS[type(order)](sheet, order)
    except Refused as reason:
        return refused(str(reason))
    return warned(caution) if caution else accepted()


def _meets_somebody(state: State, seat: Seat) -> bool:
    """Return whether pirates, people on a planet or a freed mothership will change how all
    stands."""
    ships = [state.hexes[ship.hex] for ship in state.fleet(seat)]
    pirates = (place for place in state.hexes.values() if place.kind is Kind.PIRATES)
    return (
        any(place.occupied for place in ships)
        or any(strangers.prey(state, seat, place) is not None for place in pirates)
        or (state.players[seat].captor is not None and state.mothership(seat) in ships)
    )


def _check_move(sheet: Sheet, order: Explore | Travel | Teleport) -> str:
    state, ship = sheet.state, sheet.ship(order.ship)
    if lasting := travel.lasting_objection(state, ship, order, sheet.moved.get(ship.number, "")):
        raise Refused(lasting)
    sheet.moved.setdefault(ship.number, type(order).__name__)
    reason = travel.passing_objection(state, ship, order)
    if reason:
        return sheet.object(reason, settled=_is_way_settled(sheet, ship, order))
    match order:
        case Explore():
            sheet.stirred = True
        case Travel(_, hexes):
            return _arrive(sheet, ship, hexes)
        case Teleport():
            return _arrive(sheet, ship, [travel.destination(state, order) or ship.hex])
    return ""


def _is_way_settled(sheet: Sheet, ship: Ship, order: Explore | Travel | Teleport) -> bool:
    """Return whether nothing on the way of a ship can change before it moves."""
    hexes = [ship.hex]
    if isinstance(order, Travel):
        hexes += order.hexes
    elif isinstance(order, Teleport):
        to = travel.destination(sheet.state, order)
        hexes.append(order.number if to is None else to)
    galaxies = [sheet.state.hexes[n].galaxy for n in hexes if n in sheet.state.hexes]
    return sheet.is_settled(*galaxies) and all(sheet.knows(Target.HEX, number) for number in hexes)


def _arrive(sheet: Sheet, ship: Ship, hexes: Sequence[int]) -> str:
    """Put the ship where its way ends; say where it will have to fight."""
    state = sheet.state
    dangers = [number for number in hexes if _is_dangerous(state, sheet.seat, number)]
    for each in (*state.with_ship(ship), ship):
        each.hex = hexes[-1]
    if not dangers:
        return ""
    sheet.stirred = True
    return f"H{dangers[0]} is in somebody's range; there it stops and fights"


def _is_dangerous(state: State, seat: Seat, number: int) -> bool:
    place = state.hexes[number]
    return travel.is_dangerous(state, seat, (place.galaxy, place.at))


def _check_attack(sheet: Sheet, order: Attack) -> str:
    state, ship = sheet.state, sheet.ship(order.ship)
    reason = encounter.objection_to_attack(state, ship, order)
    friend = encounter.owner_of(state, order)
    known = sheet.knows(order.target, order.number)
    # An alliance may be ended by the other before the battle.
    allied = friend is not None and friend in state.players[sheet.seat].allies
    galaxies = {state.hexes[ship.hex].galaxy, *encounter.galaxies_of(state, order)}
    own = friend == sheet.seat and order.target is not Target.BASE
    lasting = ship.mercenary or ship.ready > state.round or own
    settled = lasting or (known and not allied and sheet.is_settled(*galaxies))
    warning = sheet.object(reason, settled=settled)
    sheet.stirred = True
    return warning


def _check_ship(sheet: Sheet, order: Any) -> str:
    sheet.ship(order.ship)
    return ""


def _check_barter(sheet: Sheet, order: Barter) -> str:
    ship = sheet.ship(order.ship)
    if order.give.total != order.take.total:
        raise Refused("a trader gives as many cards as he takes")
    if not landing.can_barter(sheet.state, ship):
        return "nobody trades there now"
    short = sheet.spend(order.give)
    sheet.hand += Goods() if short else order.take
    return short


def _check_hire(sheet: Sheet, order: Hire) -> str:
    sheet.ship(order.ship)
    if reason := landing.objection_to_price(order):
        raise Refused(reason)
    return sheet.spend(order.payment)


def _check_port(sheet: Sheet, order: PortTrade) -> str:
    if reason := economy.objection_to_port(sheet.state, sheet.seat, order):
        return sheet.object(reason, settled=_is_base_settled(sheet, order.base))
    short = sheet.spend(order.give)
    sheet.hand += Goods() if short else order.take
    return short


def _is_base_settled(sheet: Sheet, number: int) -> bool:
    base = sheet.state.bases.get(number)
    galaxies = sheet.own_galaxies()
    if base is not None:
        galaxies |= {sheet.state.hexes[base.hex].galaxy}
    return sheet.knows(Target.BASE, number) and sheet.is_settled(*galaxies)


def _check_offer(sheet: Sheet, order: Offer) -> str:
    other = Seat(order.player)
    if other not in sheet.state.players or other == sheet.seat:
        raise Refused(f"there is no other player {order.player}")
    if not sheet.is_active(other):
        raise Refused(f"{sheet.state.players[other].name} is out of the game")
    return "it is struck only if the other offers the same in this round"


def _check_build(sheet: Sheet, order: BuildBase | BuildRing | BuildShip) -> str:
    reason = economy.objection_to_build(sheet.state, sheet.seat, order)
    if reason:
        reason = sheet.object(reason, settled=_is_site_settled(sheet, order))
    elif sheet.built and not isinstance(order, BuildRing):
        reason = "one ship or base is built in a turn, and you order another before this"
    else:
        reason = sheet.spend(economy.cost_of(sheet.state, order))
    if isinstance(order, BuildRing):
        # What has its ring is another base then, and its colony's place is free.
        sheet.stirred = True
    else:
        sheet.built = True
    return reason


def _is_site_settled(sheet: Sheet, order: BuildBase | BuildRing | BuildShip) -> bool:
    """Return whether nothing about what is built, and where, can change before it is."""
    match order:
        case BuildBase(number):
            place = sheet.state.hexes.get(number)
            galaxies = sheet.own_galaxies() | ({place.galaxy} if place else set())
            return sheet.knows(Target.HEX, number) and sheet.is_settled(*galaxies)
        case BuildRing(number):
            return _is_base_settled(sheet, number)
    if order.at is Target.BASE:
        return _is_base_settled(sheet, order.number)
    return order.number != sheet.seat or sheet.is_settled(*sheet.own_galaxies())


def _check_enhance(sheet: Sheet, order: Enhance) -> str:
    costs, player = sheet.state.rules.costs, sheet.state.players[sheet.seat]
    reasons = []
    for number, part in order.parts:
        cap = sheet.state.rules.caps[economy.CAP_KEYS[part]]
        if player.count(part) + number > cap:
            reasons.append(f"{cap} {economy.CAP_KEYS[part].replace('_', ' ')} are the most")
        reasons.append(sheet.spend(costs[economy.COST_KEYS[part]] * min(number, cap)))
    return "; ".join(dict.fromkeys(filter(None, reasons)))


def _check_stance(sheet: Sheet, order: SetStance) -> str:
    if reason := turn.objection_to_stance(sheet.state, sheet.seat, order):
        raise Refused(reason)
    return ""


def _check_alliance(sheet: Sheet, order: SetAlliance) -> str:
    if reason := turn.objection_to_ally(sheet.state, sheet.seat, order):
        raise Refused(reason)
    return ""


def _check_resignation(sheet: Sheet, order: Resign) -> str:
    del sheet, order
    return "your ships and bases go, and there is no way back"


_CHECKS: Final[Mapping[type[Order], Callable[[Sheet, Any], str]]] = {
    Explore: _check_move,
    Travel: _check_move,
    Teleport: _check_move,
    Attack: _check_attack,
    Want: _check_ship,
    StandBack: _check_ship,
    Avoid: _check_ship,
    EncounterAnswer: _check_ship,
    Barter: _check_barter,
    Hire: _check_hire,
    PortTrade: _check_port,
    Offer: _check_offer,
    BuildBase: _check_build,
    BuildRing: _check_build,
    BuildShip: _check_build,
    Enhance: _check_enhance,
    SetStance: _check_stance,
    SetAlliance: _check_alliance,
    Resign: _check_resignation,
}


def idle(state: State, seat: Seat, orders: Sequence[Order]) -> Sequence[str]:
    """Say which ships have nothing to do."""
    if Explore not in ACCEPTED[state.stage] or seat not in turn.phase(state).awaiting:
        return []
    moving = {order.ship for order in orders if isinstance(order, Explore | Travel | Teleport)}
    resting = [
        f"S{ship.number}"
        for ship in state.fleet(seat)
        if ship.number not in moving and not ship.mercenary and ship.ready <= state.round
    ]
    if len(resting) == 1:
        return [f"{resting[0]} stays where it is{_mining(state, 's')}."]
    return [f"{listed(resting)} stay where they are{_mining(state)}."] if resting else []


def _mining(state: State, ending: str = "") -> str:
    return "" if state.rules.mine_on_stay else f" and mine{ending} nothing"


def defaults(state: State, seat: Seat, standing: Sequence[Order]) -> Sequence[Order]:
    """Return a silent player's standing orders for this part of the round.

    Without them his ships stay and defend.
    """
    del seat
    return tuple(order for order in standing if isinstance(order, ACCEPTED[state.stage]))
