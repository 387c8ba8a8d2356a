"""The Trade and Build phases (rules 24 to 28)."""

from collections.abc import Iterator
from typing import Any, Final

from referee.rules.ruleset import Seat
from referee.rulesets.starfarers.goods import Goods
from referee.rulesets.starfarers.orders import (
    BaseKind,
    BuildBase,
    BuildRing,
    BuildShip,
    Enhance,
    Enhancement,
    Offer,
    PortTrade,
    Target,
)
from referee.rulesets.starfarers.state import (
    Base,
    Bid,
    Kind,
    Ship,
    State,
    around_corner,
)
from referee.rulesets.starfarers.working import BUILDING, TRADE, Given, Round

COST_KEYS: Final = {
    Enhancement.BOOSTER: "booster",
    Enhancement.CANNON: "cannon",
    Enhancement.RING: "freight_ring",
}
CAP_KEYS: Final = {
    Enhancement.BOOSTER: "boosters",
    Enhancement.CANNON: "cannons",
    Enhancement.RING: "freight_rings",
}
BASE_CAPS: Final = {
    BaseKind.TRADE_PORT: "trade_ports",
    BaseKind.COLONY: "colonies",
    BaseKind.SPACEPORT: "spaceports",
}


def trade(game: Round, seat: Seat) -> None:
    """Settle a player's trades: with his ports, and with whoever offers the same (rules 24, 25)."""
    for port in list(game.given(seat, PortTrade)):
        _port_trade(game, port)
    for given in list(game.given(seat, Offer)):
        _offer(game, given)
    game.state.acted.append(seat)


def _port_trade(game: Round, given: Given[PortTrade]) -> None:
    order = given.order
    reason = objection_to_port(game.state, given.seat, order)
    if reason:
        given.fail(reason)
    elif not game.pay(given.seat, order.give):
        given.fail(f"you do not have {order.give}")
    else:
        game.earn(given.seat, order.take)
        given.succeed()
        text = f"{game.name(given.seat)} swaps {order.give} for {order.take} at B{order.base}"
        game.tell(TRADE, f"{text}.")


def objection_to_port(state: State, seat: Seat, order: PortTrade) -> str:
    """Say why a base cannot swap so; nothing when it can (rule 25)."""
    base = state.bases.get(order.base)
    if base is None or base.owner != seat:
        return f"B{order.base} is not yours"
    if base.kind is not BaseKind.TRADE_PORT or base.orbital:
        return f"B{order.base} is no trade port on a planet"
    resource = state.hexes[base.hex].resource
    if [letter for letter, _ in order.give.each()] != [resource]:
        return f"B{order.base} swaps {resource} alone"
    if order.give.total != order.take.total:
        return "it gives as many cards as it takes"
    return ""


def _offer(game: Round, given: Given[Offer]) -> None:
    """Strike a bargain if the other offers the same, else let the offer stand (rule 24)."""
    order, other = given.order, Seat(given.order.player)
    if other not in game.state.players or other == given.seat:
        given.fail(f"there is no other player {order.player}")
        return
    bid = Bid(given.seat, other, order.give, order.take)
    answer = Bid(other, given.seat, order.take, order.give)
    if answer not in game.state.bids:
        game.state.bids.append(bid)
        given.succeed("it waits for the same offer of the other")
        text = f"{game.name(given.seat)} offers you {order.give} for {order.take}."
        game.whisper([other], TRADE, text)
        return
    game.state.bids.remove(answer)
    hands = game.player(given.seat).hand, game.player(other).hand
    if not (hands[0].covers(order.give) and hands[1].covers(order.take)):
        given.fail("one of you does not have the cards")
        return
    game.pay(given.seat, order.give)
    game.pay(other, order.take)
    game.earn(given.seat, order.take)
    game.earn(other, order.give)
    given.succeed("the bargain was struck")
    names = f"{game.name(given.seat)} and {game.name(other)}"
    game.tell(TRADE, f"{names} trade {order.give} for {order.take}.")


def build(game: Round, seat: Seat) -> None:
    """Build in the sequence the orders were typed: one ship or base, any enhancements (rule 27)."""
    big = False
    for given in list(_buildings(game, seat)):
        order = given.order
        if big and isinstance(order, BuildBase | BuildShip):
            given.fail("one ship or base is all that is built in a turn")
            continue
        if isinstance(order, Enhance):
            _enhance(game, given, order)
            continue
        reason = objection_to_build(game.state, seat, order)
        cost = cost_of(game.state, order)
        if reason:
            given.fail(reason)
        elif not game.pay(seat, cost):
            given.fail(f"that costs {cost}, and you have {game.player(seat).hand}")
        else:
            given.succeed()
            _put(game, seat, order)
            big = big or not isinstance(order, BuildRing)


def cost_of(state: State, order: BuildBase | BuildShip | BuildRing) -> Goods:
    """Give what a base, ring or ship costs (rule 26, G1)."""
    costs = state.rules.costs
    match order:
        case BuildRing():
            return costs["ring"]
        case BuildShip():
            return costs["starship"]
        case BuildBase(_, BaseKind.TRADE_PORT, _):
            return costs["trade_port"]
        case BuildBase(_, BaseKind.COLONY, _):
            return costs["colony"]
    return costs["colony"] + costs["ring"]


def objection_to_build(state: State, seat: Seat, order: BuildBase | BuildShip | BuildRing) -> str:
    """Say why that cannot be built, whatever it costs; nothing when it can (rules 27, 28, G2)."""
    match order:
        case BuildBase():
            return _objection_to_base(state, seat, order)
        case BuildRing():
            return _objection_to_ring(state, seat, order)
    return _objection_to_ship(state, seat, order)


def _objection_to_base(state: State, seat: Seat, order: BuildBase) -> str:
    here = state.hexes.get(order.hex)
    if here is None or here.kind is not Kind.PLANET:
        return f"H{order.hex} is no planet"
    if here.occupied or here.quarantined_until > state.round:
        return f"nobody can build at H{order.hex} yet"
    if not any(ship.hex == order.hex and not ship.mercenary for ship in state.fleet(seat)):
        return f"you have no starship at H{order.hex}"
    spot = (
        frozenset((here.galaxy, at) for at in around_corner(here.at, order.corner))
        if order.corner
        else frozenset({(here.galaxy, here.at)})
    )
    if any(state.places_of(base) == spot for base in state.bases.values()):
        return "there is a base already"
    return _objection_to_number(state, seat, order.kind)


def _objection_to_number(state: State, seat: Seat, kind: BaseKind) -> str:
    cap = state.rules.caps[BASE_CAPS[kind]]
    if sum(base.kind is kind for base in state.bases_of(seat)) >= cap:
        return f"you have {cap} {BASE_CAPS[kind].replace('_', ' ')} already, which is the most"
    return ""


def _objection_to_ring(state: State, seat: Seat, order: BuildRing) -> str:
    base = state.bases.get(order.base)
    if base is None or base.owner != seat:
        return f"B{order.base} is not yours"
    if base.kind is not BaseKind.COLONY:
        return f"B{order.base} is no colony"
    return _objection_to_number(state, seat, BaseKind.SPACEPORT)


def _objection_to_ship(state: State, seat: Seat, order: BuildShip) -> str:
    if order.at is Target.MOTHERSHIP:
        if order.number != seat:
            return f"M{order.number} is not yours"
        if state.players[seat].captor is not None:
            return "your mothership is captured"
    else:
        base = state.bases.get(order.number)
        if base is None or base.owner != seat or base.kind is not BaseKind.SPACEPORT:
            return f"B{order.number} is no spaceport of yours"
    cap = state.rules.caps["starships"]
    if sum(not ship.mercenary for ship in state.fleet(seat)) >= cap:
        return f"you have {cap} starships already, which is the most"
    return ""


def _put(game: Round, seat: Seat, order: BuildBase | BuildShip | BuildRing) -> None:
    state = game.state
    match order:
        case BuildBase(number, kind, corner):
            state.built_bases += 1
            base = Base(state.built_bases, seat, kind, number, corner)
            state.bases[base.number] = base
            where = f"in orbit at H{number}{corner}" if corner else f"on H{number}"
            what = f"the {_called(kind)} B{base.number} {where}"
        case BuildRing(number):
            state.bases[number].kind = BaseKind.SPACEPORT
            what = f"a teleport ring: B{number} is a spaceport"
        case BuildShip(at, number):
            state.built_ships += 1
            place = (
                state.mothership(seat).number
                if at is Target.MOTHERSHIP
                else (state.bases[number].hex)
            )
            ship = Ship(state.built_ships, seat, place)
            state.ships[ship.number] = ship
            what = f"the starship S{ship.number} at H{place}"
    game.tell(BUILDING, f"{game.name(seat)} builds {what}.")


def _called(kind: BaseKind) -> str:
    return kind.name.lower().replace("_", " ")


def _buildings(game: Round, seat: Seat) -> Iterator[Given[Any]]:
    return game.given(seat, BuildBase, BuildShip, BuildRing, Enhance)


def _enhance(game: Round, given: Given[Any], order: Enhance) -> None:
    """Build enhancements one by one while they can be paid (rules 8, 27)."""
    player, rules = game.player(given.seat), game.state.rules
    built, skipped = [], []
    for number, part in order.parts:
        for _ in range(number):
            cost = rules.costs[COST_KEYS[part]]
            if player.count(part) >= rules.caps[CAP_KEYS[part]]:
                skipped.append(f"you have all the {CAP_KEYS[part].replace('_', ' ')} one can have")
                break
            if not game.pay(given.seat, cost):
                skipped.append(f"a {COST_KEYS[part].replace('_', ' ')} costs {cost}")
                break
            player.fit(part)
            built.append(COST_KEYS[part].replace("_", " "))
    if not built:
        given.fail("; ".join(dict.fromkeys(skipped)) or "nothing was to be built")
        return
    given.succeed("; ".join(dict.fromkeys(skipped)))
    game.tell(BUILDING, f"{player.name} builds {', '.join(built)}.")
