"""Rulings before the deadline: a check of each order against the table as it is now.

Exploration can change anything, so problems that a later phase can remove are only warnings.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from referee.rules.ruleset import Ruling, RulingKind, Seat
from referee.rules.wording import accepted, listed, rejected, warned
from referee.rulesets.starfarers import economy, encounter, landing, strangers, travel, turn
from referee.rulesets.starfarers.checked_sheet import Rejected, Sheet
from referee.rulesets.starfarers.goods import LETTERS, in_words, of
from referee.rulesets.starfarers.orders import (
    ORDERS,
    Attack,
    Avoid,
    Barter,
    BuildBase,
    BuildRing,
    BuildShip,
    EncounterAnswer,
    Enhance,
    Escort,
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
from referee.rulesets.starfarers.others import Replaceable, objection_to_other, replaced
from referee.rulesets.starfarers.parts import ACCEPTED, PHASES, WORKING
from referee.rulesets.starfarers.state import Card, Hex, Kind, Ship, State, next_to


def validate(state: State, seat: Seat, orders: Sequence[Order]) -> Sequence[Ruling]:
    """Return a ruling on each order of a sheet. Only hands and bags are secret.

    An order is rejected only if it must fail whatever other players do or ships explore.
    Otherwise a problem is a warning.
    """
    return rule(state, seat, orders)[1]


def rule(state: State, seat: Seat, orders: Sequence[Order]) -> tuple[Sheet, Sequence[Ruling]]:
    """Check a sheet. Return it with its expected effects, and a ruling on each order."""
    sheet = Sheet(state, seat, orders)
    rulings: dict[int, Ruling] = {}
    for at in sorted(range(len(orders)), key=lambda at: (*_place(orders[at]), at)):
        if isinstance(orders[at], _LANDING):
            sheet.land_before(orders[at].ship)  # type: ignore[attr-defined]  # all have a ship
        elif PHASES[type(orders[at])] > _MEETING:
            sheet.land_before()
        rulings[at] = _ruling(sheet, orders[at])
    sheet.land_before()
    for at, reason in replaced(_replaceable(orders, rulings)).items():
        rulings[at] = rejected(reason)
    _check_spent_offers(sheet, rulings)
    return sheet, [rulings[at] for at in range(len(orders))]


_LANDING: Final = (Barter, Hire, EncounterAnswer)
"""The orders that are carried out ship by ship, after all battles."""
_MEETING: Final = PHASES[Barter]


def _place(order: Order) -> tuple[int, int, int]:
    """Return the place of an order in the round."""
    landing_ship = order.ship if isinstance(order, _LANDING) else 0
    return PHASES[type(order)], landing_ship, isinstance(order, Offer)


def _replaceable(
    orders: Sequence[Order], rulings: Mapping[int, Ruling]
) -> Iterator[tuple[int, Replaceable]]:
    """Yield the possible orders that a later one can replace, with their places on the sheet."""
    for at, order in enumerate(orders):
        is_possible = rulings[at].kind is not RulingKind.REJECTED
        if isinstance(order, Replaceable) and is_possible:
            yield at, order


def _check_spent_offers(sheet: Sheet, rulings: dict[int, Ruling]) -> None:
    """Warn of offers whose cards the rest of the sheet spends.

    The trade is made when the second of the two plays: before the player builds, or after it.
    """
    for at, order in enumerate(sheet.orders):
        is_possible = rulings[at].kind is RulingKind.WARNED
        if isinstance(order, Offer) and is_possible and not sheet.player.hand.covers(order.give):
            is_first = order in sheet.held and sheet.is_answer(order)
            words = _NEEDED if is_first else _NOT_HELD
            rulings[at] = warned(f"{rulings[at].reason} {words.format(in_words(order.give))}")


_NOT_HELD: Final = "You will not hold {} by then"
_NEEDED: Final = "Then what you build lacks {}"


def _ruling(sheet: Sheet, order: Order) -> Ruling:
    if not sheet.playing and not isinstance(order, Resign):
        return rejected("it is not your turn. Send this order in reply to your next report")
    if not isinstance(order, ACCEPTED[sheet.state.stage]):
        return rejected(turn.WRONG_PART)
    if turn.is_leaving(sheet.orders) and not isinstance(order, Resign):
        return rejected(turn.LEAVING)
    if isinstance(order, WORKING):
        sheet.is_uncertain = sheet.is_uncertain or _meets_somebody(sheet.state, sheet.seat)
        sheet.fights = sheet.fights or (sheet.meets and _is_prey(sheet.state, sheet.seat))
    try:
        warning = _CHECKS[type(order)](sheet, order)
    except Rejected as reason:
        return rejected(str(reason))
    return warned(warning) if warning else accepted()


def _meets_somebody(state: State, seat: Seat) -> bool:
    """Return whether pirates, people on a planet or a freed mothership will change the state."""
    ships = [state.hexes[ship.hex] for ship in state.fleet(seat)]
    return (
        any(place.occupied for place in ships)
        or _is_prey(state, seat)
        or (state.players[seat].captor is not None and state.mothership(seat) in ships)
    )


def _is_prey(state: State, seat: Seat) -> bool:
    """Return whether pirates will attack a ship or base of a player."""
    return any(True for _ in strangers.threats(state, seat))


def _check_move(sheet: Sheet, order: Explore | Travel | Teleport) -> str:
    state, ship = sheet.state, sheet.ship(order.ship)
    if permanent := travel.permanent_objection(
        state, ship, order, sheet.moved.get(ship.number, "")
    ):
        raise Rejected(permanent)
    sheet.moved.setdefault(ship.number, type(order).__name__)
    if reason := travel.current_objection(state, ship, order):
        settled = _is_way_settled(sheet, ship, order) or _leads_nowhere(sheet, order)
        return sheet.warn(reason, settled=settled)
    # An enemy can leave the game.
    if sheet.is_careful(ship.number) and (reason := travel.reason_to_avoid(state, ship, order)):
        return reason
    match order:
        case Explore():
            return _explore(sheet, ship, order)
        case Travel(_, hexes):
            return _arrive(sheet, ship, hexes)
        case Teleport():
            to = travel.destination(state, order) or ship.hex
            sheet.player.hand -= travel.fare_of(state, ship, to)
            return _arrive(sheet, ship, [to])


def _leads_nowhere(sheet: Sheet, order: Explore | Travel | Teleport) -> bool:
    """Return whether a way has a hex or mothership that cannot exist in this turn."""
    match order:
        case Travel(_, hexes):
            return any(sheet.is_impossible(Target.HEX, number) for number in hexes)
        case Teleport(_, to, number):
            return sheet.is_impossible(to, number)
    return False


def _explore(sheet: Sheet, ship: Ship, order: Explore) -> str:
    """Move the ship onto an empty place without a number. Return a warning if it has to fight."""
    state = sheet.state
    here = state.hexes[ship.hex]
    goal = next_to(here.at, order.direction)
    danger = travel.is_dangerous(state, sheet.seat, (here.galaxy, goal))
    new = Hex(min(0, *state.hexes) - 1, here.galaxy, goal, Kind.EMPTY)
    state.hexes[new.number] = new
    state.bags[here.galaxy].pop()
    for each in (*state.with_ship(ship), ship):
        each.hex = new.number
    sheet.is_uncertain = True
    sheet.fights = sheet.fights or danger
    where = f"direction {order.direction} of H{here.number}"
    return f"{where} is in an enemy's range. The ship fights there" if danger else ""


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
    at = next((at for at, n in enumerate(hexes) if _is_dangerous(state, sheet.seat, n)), None)
    careful = sheet.is_careful(ship.number)
    way = [ship.hex, *hexes] if at is None else [ship.hex, *hexes[: at + (not careful)]]
    for each in (*state.with_ship(ship), ship):
        each.hex = way[-1]
    if at is None or (careful and at):
        sheet.arrived.add(ship.number)
    if at is None:
        return ""
    danger = f"H{hexes[at]} is in an enemy's range"
    sheet.is_uncertain = True
    if careful:
        return f"{danger}. The ship stops before it, as S{ship.number}Q says"
    sheet.fights = True
    return f"{danger}. The ship stops there and fights"


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
    goals = encounter.hexes_of(state, order)
    galaxies = {state.hexes[number].galaxy for number in (ship.hex, *goals)}
    own = friend == sheet.seat and order.target is not Target.BASE
    never = sheet.is_impossible(order.target, order.number)
    permanent = ship.mercenary or not state.is_ready(ship) or own or never
    settled = permanent or (known and not allied and sheet.is_settled(*galaxies))
    warning = sheet.warn(reason, settled=settled)
    sheet.is_uncertain = sheet.fights = True
    if warning:
        return warning
    sheet.attacked.update(goals[:1])
    earlier = sheet.repeats("attack", ship.number, order)
    return f"{ORDERS.render(earlier)} comes first. A ship attacks once a turn" if earlier else ""


def _check_ship(sheet: Sheet, order: StandBack | Avoid) -> str:
    sheet.ship(order.ship)
    return ""


def _check_escort(sheet: Sheet, order: Escort) -> str:
    if reason := travel.objection_to_escort(sheet.state, sheet.seat, order):
        raise Rejected(reason)
    sheet.state.escorts[order.ship] = order.leader
    # A battle before the player's turn can bring them together.
    return travel.reason_not_to_meet(sheet.state, order)


def _check_want(sheet: Sheet, order: Want) -> str:
    ship = sheet.ship(order.ship)
    if ship.mercenary:
        return f"S{ship.number} is a mercenary and only supports your starships"
    earlier = sheet.repeats("want", ship.number, order)
    return (
        f"{ORDERS.render(earlier)} counts first, this only for a second battle" if earlier else ""
    )


def _check_answer(sheet: Sheet, order: EncounterAnswer) -> str:
    ship = sheet.ship(order.ship)
    if ship.mercenary:
        return f"S{ship.number} is a mercenary and meets nobody"
    if earlier := sheet.repeats("answer", ship.number, order):
        return f"{ORDERS.render(earlier)} counts first"
    if order.payment and order.payment.total != 1:
        return f"a toll is one card, and you pay {order.payment.total}"
    place = sheet.state.hexes[ship.hex]
    if landing.known_people(place, sheet.seat) is not Card.TOLL or not order.yes:
        return ""
    short = sheet.spend(order.payment or of(max(LETTERS, key=sheet.player.hand.of)))
    if not short:
        place.settle()
        sheet.arrived.add(ship.number)
    return short


def _trader(sheet: Sheet, number: int) -> Ship:
    """Return a starship that can trade and hire. Raises Rejected for a mercenary."""
    ship = sheet.ship(number)
    if ship.mercenary:
        raise Rejected(f"S{number} is a mercenary and neither trades nor hires")
    return ship


def _check_barter(sheet: Sheet, order: Barter) -> str:
    ship = _trader(sheet, order.ship)
    if order.give.total != order.take.total:
        raise Rejected(landing.UNEQUAL)
    if not landing.can_barter(sheet.state, ship):
        return "there is no trader at the ship now"
    short = sheet.swap(order.give, order.take)
    place = sheet.state.hexes[ship.hex]
    if not short and place.occupied:
        place.settle()
    return short


def _check_hire(sheet: Sheet, order: Hire) -> str:
    ship = _trader(sheet, order.ship)
    if reason := landing.objection_to_price(order):
        raise Rejected(reason)
    if not landing.can_hire(sheet.state, ship):
        return "there are no mercenaries to hire at the ship now"
    return sheet.spend(order.payment)


def _check_port(sheet: Sheet, order: PortTrade) -> str:
    if reason := economy.objection_to_port(sheet.state, sheet.seat, order):
        return sheet.warn(reason, settled=_is_base_settled(sheet, order.base))
    return sheet.swap(order.give, order.take) or _after_battle(sheet)


def _after_battle(sheet: Sheet) -> str:
    """Return a warning if a battle comes before the order."""
    return "you have a battle before that" if sheet.fights else ""


def _is_base_settled(sheet: Sheet, number: int) -> bool:
    if sheet.is_impossible(Target.BASE, number):
        return True
    base = sheet.state.bases.get(number)
    galaxies = sheet.own_galaxies()
    if base is not None:
        galaxies |= {sheet.state.hexes[base.hex].galaxy}
    return sheet.knows(Target.BASE, number) and sheet.is_settled(*galaxies)


def _check_offer(sheet: Sheet, order: Offer) -> str:
    if reason := objection_to_other(sheet.whole, sheet.seat, order.player):
        raise Rejected(reason)
    name = sheet.state.players[Seat(order.player)].name
    if order.give == order.take:
        return "you offer the same cards that you ask for"
    if sheet.player.hand.covers(order.give):
        sheet.held.append(order)
    return f"it takes effect only if {name} offers the same in this round"


def _check_build(sheet: Sheet, order: BuildBase | BuildRing | BuildShip) -> str:
    if isinstance(order, BuildShip) and order.at is Target.BASE and order.number in sheet.ringed:
        return sheet.warn(economy.TOO_NEW.format(order.number), settled=sheet.ringed[order.number])
    if isinstance(order, BuildRing) and order.base in sheet.ringed:
        raise Rejected("an earlier order builds its ring")
    if reason := economy.objection_to_build(sheet.state, sheet.seat, order):
        reason = sheet.warn(reason, settled=_is_site_settled(sheet, order))
    elif isinstance(order, BuildRing):
        reason = sheet.spend(economy.cost_of(sheet.state, order)) or _after_battle(sheet)
    else:
        return _build_one(sheet, order)
    if isinstance(order, BuildRing):
        sheet.ringed[order.base] = _is_base_settled(sheet, order.base)
        # The colony becomes a spaceport, so the number of colonies goes down.
        sheet.is_uncertain = True
    else:
        sheet.built = sheet.built or _MAYBE
    return reason


def _build_one(sheet: Sheet, order: BuildBase | BuildShip) -> str:
    """Pay for the one ship or base of a turn (rule 27)."""
    if sheet.built == _SURELY:
        return "you can build only one ship or base in a turn, and an earlier order builds one"
    earlier = sheet.built
    sheet.built = _MAYBE
    if short := sheet.spend(economy.cost_of(sheet.state, order)):
        return short
    sheet.built = _SURELY
    return _ONE if earlier else _after_battle(sheet)


_MAYBE: Final = "maybe"
_SURELY: Final = "surely"
_ONE: Final = "an earlier order may build the one ship or base of this turn"


def _is_site_settled(sheet: Sheet, order: BuildBase | BuildRing | BuildShip) -> bool:
    """Return whether nothing about a building or its place can change before it is built."""
    match order:
        case BuildBase(number):
            place = sheet.state.hexes.get(number)
            galaxies = sheet.own_galaxies() | ({place.galaxy} if place else set())
            never = sheet.is_impossible(Target.HEX, number)
            return never or (sheet.knows(Target.HEX, number) and sheet.is_settled(*galaxies))
        case BuildRing(number):
            return _is_base_settled(sheet, number)
    if order.at is Target.BASE:
        return _is_base_settled(sheet, order.number)
    return order.number != sheet.seat or sheet.is_settled(*sheet.own_galaxies())


def _check_enhance(sheet: Sheet, order: Enhance) -> str:
    """Build the enhancements one by one, as the turn does. Return the faults."""
    reasons, built = [], 0
    for number, part in order.parts:
        done, cap = 0, sheet.state.rules.caps[economy.CAP_KEYS[part]]
        cost = sheet.state.rules.costs[economy.COST_KEYS[part]]
        wanted = min(number, cap - sheet.player.count(part))
        while done < wanted and sheet.player.hand.covers(cost):
            sheet.player.hand -= cost
            sheet.player.fit(part)
            done += 1
        built += done
        if wanted < number:
            reasons.append(f"you can have at most {cap} {economy.CAP_KEYS[part].replace('_', ' ')}")
        if done < wanted:
            sheet.short += 1
            pays = f"your cards pay for {done} of {number}" if done else "you do not have that yet"
            reasons.append(f"{part.called} costs {in_words(cost)}, and {pays}")
    if not built and all(part in sheet.full for _, part in order.parts):
        raise Rejected("; ".join(dict.fromkeys(reasons)))
    return "; ".join(dict.fromkeys(reasons))


def _check_stance(sheet: Sheet, order: SetStance) -> str:
    if reason := turn.objection_to_stance(sheet.whole, sheet.seat, order):
        raise Rejected(reason)
    other, player = Seat(order.player), sheet.player
    is_hostile = (other in player.hostile) is not (other in player.turning)
    how = "hostile" if order.hostile else "peaceful"
    name = sheet.state.players[other].name
    return f"you are {how} to {name} already" if is_hostile is order.hostile else ""


def _check_alliance(sheet: Sheet, order: SetAlliance) -> str:
    if reason := turn.objection_to_ally(sheet.whole, sheet.seat, order):
        raise Rejected(reason)
    other = sheet.state.players[Seat(order.player)]
    if order.yes and (other.seat in sheet.player.allies or other.seat in sheet.player.seeks):
        return f"{other.name} is your ally already, or has your offer"
    bound = {*sheet.player.allies, *sheet.player.seeks}
    if not order.yes and other.seat not in bound and sheet.seat not in other.seeks:
        return f"you have no alliance with {other.name}"
    return ""


def _check_resignation(sheet: Sheet, order: Resign) -> str:
    del sheet, order
    return "your ships and bases are removed. You cannot undo this after the deadline"


_CHECKS: Final[Mapping[type[Order], Callable[[Sheet, Any], str]]] = {
    Explore: _check_move,
    Travel: _check_move,
    Teleport: _check_move,
    Attack: _check_attack,
    Want: _check_want,
    StandBack: _check_ship,
    Avoid: _check_ship,
    Escort: _check_escort,
    EncounterAnswer: _check_answer,
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
    if turn.is_leaving(orders):
        return []
    if Explore not in ACCEPTED[state.stage] or seat not in turn.phase(state).awaiting:
        return []
    ordered = {
        order.ship
        for order, ruling in zip(orders, validate(state, seat, orders), strict=True)
        if isinstance(order, _BUSY) and ruling.kind is not RulingKind.REJECTED
    }
    resting = [
        f"S{ship.number}"
        for ship in state.fleet(seat)
        if ship.number not in ordered and not ship.mercenary and state.is_ready(ship)
    ]
    if len(resting) == 1:
        return [f"{resting[0]} stays where it is{_mining(state, 's')}."]
    return [f"{listed(resting)} stay where they are{_mining(state)}."] if resting else []


_BUSY: Final = (Explore, Travel, Teleport, Attack, *_LANDING)
"""The orders of a ship that has something to do."""


def _mining(state: State, ending: str = "") -> str:
    return "" if state.rules.mine_on_stay else f" and mine{ending} nothing"


def defaults(state: State, seat: Seat, standing: Sequence[Order]) -> Sequence[Order]:
    """Return the standing orders that belong to this part of the round.

    Without them the ships stay and defend themselves.
    """
    del seat
    return tuple(order for order in standing if isinstance(order, ACCEPTED[state.stage]))
