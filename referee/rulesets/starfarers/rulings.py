"""Rulings before the deadline: a check of each order against the table as it is now.

Exploration can change anything, so problems that a later phase can remove are only warnings.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from referee.rules.ruleset import Ruling, Seat
from referee.rules.rulings import accepted, rejected, warned
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


class Rejected(Exception):
    """An order that must fail. The text is the reason."""


class Sheet:
    """A sheet while it is checked in the order of the phases, with the expected state."""

    def __init__(self, state: State, seat: Seat) -> None:
        self.state = seen_by(state, seat)
        self.seat = seat
        self.moved: dict[int, str] = {}
        """The kind of the first move ordered for each ship."""
        self.is_uncertain = False
        """Whether an earlier order has an unknown result that later orders depend on."""
        self.hand = state.players[seat].hand
        """The cards left after paying for the orders so far."""
        self.built = False
        """Whether a ship or base has been ordered already."""
        self.ringed: dict[int, bool] = {}
        """The colonies that build a ring, and whether nothing can change that."""
        self.playing = seat in turn.phase(state).awaiting
        """Whether it is the player's turn to send orders."""
        self._active = frozenset(state.active())
        order = state.order_of_play() if state.turn_of is None else [seat]
        self._earlier = order[: order.index(seat)] if seat in order else order

    def is_active(self, seat: Seat) -> bool:
        """Return whether a player is still in the game."""
        return seat in self._active

    def is_settled(self, *galaxies: Seat) -> bool:
        """Return whether nothing in these galaxies can change before the player's turn."""
        return not self.is_uncertain and not any(
            self._can_come(other, galaxy) for other in self._earlier for galaxy in galaxies
        )

    def _can_come(self, other: Seat, galaxy: Seat) -> bool:
        ships = (self.state.hexes[ship.hex].galaxy for ship in self.state.fleet(other))
        return self.state.players[other].boosters > 0 or galaxy in ships

    def own_galaxies(self) -> frozenset[Seat]:
        """Return the player's own galaxy and those where they have a ship or base."""
        state = self.state
        hexes = [ship.hex for ship in state.fleet(self.seat)]
        hexes += [base.hex for base in state.bases_of(self.seat)]
        return frozenset({self.seat, *(state.hexes[number].galaxy for number in hexes)})

    def ship(self, number: int) -> Ship:
        """Return a ship of the player. Raises Rejected if the player has no such ship."""
        ship = self.state.ships.get(number)
        if ship is None or ship.owner != self.seat:
            raise Rejected(f"you have no ship S{number}")
        return ship

    def warn(self, reason: str, *, settled: bool) -> str:
        """Return the reason as a warning. Raises Rejected if there is one and all is *settled*."""
        if reason and settled:
            raise Rejected(reason)
        return reason

    def spend(self, cost: Goods) -> str:
        """Pay for an order from the hand. Return a warning if there are not enough cards."""
        if self.hand.covers(cost):
            self.hand -= cost
            return ""
        return f"it costs {in_words(cost)}, and you do not have that yet"

    def knows(self, target: Target, number: int) -> bool:
        """Return whether a target exists, or cannot come into being this turn."""
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
    """Return a ruling on each order of a sheet. Only hands and bags are secret.

    An order is rejected only if it must fail whatever other players do or ships explore.
    Otherwise a problem is a warning.
    """
    sheet = Sheet(state, seat)
    at = sorted(range(len(orders)), key=lambda number: PHASES[type(orders[number])])
    rulings = {number: _ruling(sheet, orders[number]) for number in at}
    return [rulings[number] for number in range(len(orders))]


def _ruling(sheet: Sheet, order: Order) -> Ruling:
    if not sheet.playing and not isinstance(order, Resign):
        return rejected("it is not your turn. Send this order in reply to your next report")
    if not isinstance(order, ACCEPTED[sheet.state.stage]):
        return rejected(turn.WRONG_PART)
    if isinstance(order, WORKING):
        sheet.is_uncertain = sheet.is_uncertain or _meets_somebody(sheet.state, sheet.seat)
    try:
        warning = _CHECKS[type(order)](sheet, order)
    except Rejected as reason:
        return rejected(str(reason))
    return warned(warning) if warning else accepted()


def _meets_somebody(state: State, seat: Seat) -> bool:
    """Return whether pirates, people on a planet or a freed mothership will change the state."""
    ships = [state.hexes[ship.hex] for ship in state.fleet(seat)]
    pirates = (place for place in state.hexes.values() if place.kind is Kind.PIRATES)
    return (
        any(place.occupied for place in ships)
        or any(strangers.prey(state, seat, place) is not None for place in pirates)
        or (state.players[seat].captor is not None and state.mothership(seat) in ships)
    )


def _check_move(sheet: Sheet, order: Explore | Travel | Teleport) -> str:
    state, ship = sheet.state, sheet.ship(order.ship)
    if permanent := travel.permanent_objection(
        state, ship, order, sheet.moved.get(ship.number, "")
    ):
        raise Rejected(permanent)
    sheet.moved.setdefault(ship.number, type(order).__name__)
    reason = travel.current_objection(state, ship, order)
    if reason:
        return sheet.warn(reason, settled=_is_way_settled(sheet, ship, order))
    match order:
        case Explore():
            sheet.is_uncertain = True
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
    """Move the ship to the end of its way. Return a warning if it will have to fight."""
    state = sheet.state
    dangers = [number for number in hexes if _is_dangerous(state, sheet.seat, number)]
    for each in (*state.with_ship(ship), ship):
        each.hex = hexes[-1]
    if not dangers:
        return ""
    sheet.is_uncertain = True
    return f"H{dangers[0]} is in an enemy's range. The ship stops there and fights"


def _is_dangerous(state: State, seat: Seat, number: int) -> bool:
    place = state.hexes[number]
    return travel.is_dangerous(state, seat, (place.galaxy, place.at))


def _check_attack(sheet: Sheet, order: Attack) -> str:
    state, ship = sheet.state, sheet.ship(order.ship)
    reason = encounter.objection_to_attack(state, ship, order)
    friend = encounter.owner_of(state, order)
    known = sheet.knows(order.target, order.number)
    # The other player could end an alliance before the battle.
    allied = friend is not None and friend in state.players[sheet.seat].allies
    galaxies = {state.hexes[ship.hex].galaxy, *encounter.galaxies_of(state, order)}
    own = friend == sheet.seat and order.target is not Target.BASE
    permanent = ship.mercenary or not state.is_ready(ship) or own
    settled = permanent or (known and not allied and sheet.is_settled(*galaxies))
    warning = sheet.warn(reason, settled=settled)
    sheet.is_uncertain = True
    return warning


def _check_ship(sheet: Sheet, order: Any) -> str:
    sheet.ship(order.ship)
    return ""


def _check_barter(sheet: Sheet, order: Barter) -> str:
    ship = sheet.ship(order.ship)
    if order.give.total != order.take.total:
        raise Rejected(landing.UNEQUAL)
    if not landing.can_barter(sheet.state, ship):
        return "there is no trader at the ship now"
    short = sheet.spend(order.give)
    sheet.hand += Goods() if short else order.take
    return short


def _check_hire(sheet: Sheet, order: Hire) -> str:
    sheet.ship(order.ship)
    if reason := landing.objection_to_price(order):
        raise Rejected(reason)
    return sheet.spend(order.payment)


def _check_port(sheet: Sheet, order: PortTrade) -> str:
    if reason := economy.objection_to_port(sheet.state, sheet.seat, order):
        return sheet.warn(reason, settled=_is_base_settled(sheet, order.base))
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
        raise Rejected(f"there is no other player {order.player}")
    name = sheet.state.players[other].name
    if not sheet.is_active(other):
        raise Rejected(f"{name} is no longer in the game")
    return f"it takes effect only if {name} offers the same in this round"


def _check_build(sheet: Sheet, order: BuildBase | BuildRing | BuildShip) -> str:
    reason = economy.objection_to_build(sheet.state, sheet.seat, order)
    if isinstance(order, BuildShip) and order.at is Target.BASE and order.number in sheet.ringed:
        return sheet.warn(economy.TOO_NEW.format(order.number), settled=sheet.ringed[order.number])
    if reason:
        reason = sheet.warn(reason, settled=_is_site_settled(sheet, order))
    elif sheet.built and not isinstance(order, BuildRing):
        reason = "you can build only one ship or base in a turn, and an earlier order builds one"
    else:
        reason = sheet.spend(economy.cost_of(sheet.state, order))
    if isinstance(order, BuildRing):
        sheet.ringed.setdefault(order.base, _is_base_settled(sheet, order.base))
        # The colony becomes a spaceport, so the number of colonies goes down.
        sheet.is_uncertain = True
    else:
        sheet.built = True
    return reason


def _is_site_settled(sheet: Sheet, order: BuildBase | BuildRing | BuildShip) -> bool:
    """Return whether nothing about a building or its place can change before it is built."""
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
            reasons.append(f"you can have at most {cap} {economy.CAP_KEYS[part].replace('_', ' ')}")
        reasons.append(sheet.spend(costs[economy.COST_KEYS[part]] * min(number, cap)))
    return "; ".join(dict.fromkeys(filter(None, reasons)))


def _check_stance(sheet: Sheet, order: SetStance) -> str:
    if reason := turn.objection_to_stance(sheet.state, sheet.seat, order):
        raise Rejected(reason)
    return ""


def _check_alliance(sheet: Sheet, order: SetAlliance) -> str:
    if reason := turn.objection_to_ally(sheet.state, sheet.seat, order):
        raise Rejected(reason)
    return ""


def _check_resignation(sheet: Sheet, order: Resign) -> str:
    del sheet, order
    return "your ships and bases are removed. You cannot undo this after the deadline"


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


def unused(state: State, seat: Seat, orders: Sequence[Order]) -> Sequence[str]:
    """Return the ships that have no order, as a sentence."""
    if Explore not in ACCEPTED[state.stage] or seat not in turn.phase(state).awaiting:
        return []
    moving = {order.ship for order in orders if isinstance(order, Explore | Travel | Teleport)}
    resting = [
        f"S{ship.number}"
        for ship in state.fleet(seat)
        if ship.number not in moving and not ship.mercenary and state.is_ready(ship)
    ]
    if len(resting) == 1:
        return [f"{resting[0]} stays where it is{_mining(state, 's')}."]
    return [f"{listed(resting)} stay where they are{_mining(state)}."] if resting else []


def _mining(state: State, ending: str = "") -> str:
    return "" if state.rules.mine_on_stay else f" and mine{ending} nothing"


def defaults(state: State, seat: Seat, standing: Sequence[Order]) -> Sequence[Order]:
    """Return the standing orders that belong to this part of the round.

    Without them the ships stay and defend themselves.
    """
    del seat
    return tuple(order for order in standing if isinstance(order, ACCEPTED[state.stage]))
