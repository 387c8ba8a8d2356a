"""The Trade and Build phases (rules 24 to 28)."""

from collections.abc import Collection
from typing import Any, Final

from referee.rules.ruleset import Seat
from referee.rules.turns import SheetOrder
from referee.rules.wording import counted, listed
from referee.rulesets.starfarers.goods import NAMES, Goods, in_words
from referee.rulesets.starfarers.numbering import new_base, new_ship
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
from referee.rulesets.starfarers.others import objection_to_other
from referee.rulesets.starfarers.sight import table_of
from referee.rulesets.starfarers.state import (
    Base,
    Bid,
    Kind,
    Ship,
    State,
    around_corner,
)
from referee.rulesets.starfarers.turn_state import BUILDING, TRADE, Round

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
TOO_NEW: Final = "B{} is built in this turn, and builds from the next one"
"""The reason to reject what a base cannot build in the turn in which it is built (rule 9)."""


def trade(game: Round, seat: Seat) -> None:
    """Carry out a player's trades: at own ports, and with other players (rules 24, 25)."""
    for port in game.unused(seat, PortTrade):
        _port_trade(game, port)
    for given in game.unused(seat, Offer):
        _offer(game, given)
    game.state.acted.append(seat)


def _port_trade(game: Round, given: SheetOrder[PortTrade]) -> None:
    order = given.order
    reason = objection_to_port(game.state, given.seat, order)
    if reason:
        given.fail(reason)
    elif not game.swaps(given.seat, order.give, order.take):
        given.fail(f"you do not have {in_words(order.give)}")
    else:
        given.succeed()
        who = f"{game.name(given.seat)} swaps {in_words(order.give)} for {in_words(order.take)}"
        place = game.state.bases[order.base].hex
        game.tell(TRADE, f"{who} at B{order.base}.", place)


def objection_to_port(state: State, seat: Seat, order: PortTrade) -> str:
    """Return why a base cannot make this swap, or an empty string (rule 25)."""
    base = state.bases.get(order.base)
    if base is None or base.owner != seat:
        return f"B{order.base} is not yours"
    if base.kind is not BaseKind.TRADE_PORT or base.orbital:
        return f"B{order.base} is not a trade port on a planet"
    resource = state.hexes[base.hex].resource
    if [letter for letter, _ in order.give.each()] != [resource]:
        return f"B{order.base} swaps only {NAMES[resource]}"
    if order.give.total != order.take.total:
        return "you must give a port as many cards as you take"
    return ""


def _offer(game: Round, given: SheetOrder[Offer]) -> None:
    """Trade if the other player has offered the same, otherwise keep the offer (rule 24)."""
    order, other = given.order, Seat(given.order.player)
    if reason := objection_to_other(game.state, given.seat, order.player):
        given.fail(reason)
        return
    bid = _bid(given)
    answer = Bid(other, given.seat, order.take, order.give)
    if answer not in game.state.bids:
        game.state.bids.append(bid)
        game.offers.append(given)
        given.succeed(f"it waits until {game.name(other)} offers the same")
        return
    game.state.bids.remove(answer)
    is_traded, first = _exchange(game, bid), [each for each in game.offers if _bid(each) == answer]
    game.offers = [each for each in game.offers if each not in first[:1]]
    for each in (given, *first[:1]):
        if is_traded:
            each.used, each.remark = True, "the trade was made"
        else:
            each.fail("one of you does not have the cards")


def _bid(given: SheetOrder[Offer]) -> Bid:
    order = given.order
    return Bid(given.seat, Seat(order.player), order.give, order.take)


def _exchange(game: Round, bid: Bid) -> bool:
    """Exchange cards if both players have them. Return whether they had."""
    one, other = game.player(bid.offerer), game.player(bid.to)
    if not (one.hand.covers(bid.give) and other.hand.covers(bid.take)):
        return False
    one.hand = one.hand - bid.give + bid.take
    other.hand = other.hand - bid.take + bid.give
    what = f"{in_words(bid.give)} for {in_words(bid.take)}"
    game.tell(TRADE, f"{one.name} and {other.name} trade {what}.")
    return True


def report_offers(game: Round) -> None:
    """Report unanswered offers to the players they were made to. They end with the round."""
    for given in game.offers:
        bid = _bid(given)
        what = f"{in_words(bid.give)} for {in_words(bid.take)}"
        if bid in game.state.bids:
            how = f"offers you {what}: X{bid.offerer}:{bid.take}>{bid.give} accepts"
        else:
            given.fail(f"{game.name(bid.to)} did not offer the same in this round")
            how = f"offered you {what}, but you did not offer the same"
        game.inform(bid.to, TRADE, f"{game.name(bid.offerer)} {how}.")


def build(game: Round, seat: Seat) -> None:
    """Build in the order of the sheet: one ship or base, any enhancements (rule 27)."""
    big, before = False, dict(game.state.bases)
    ports = {number for number, base in before.items() if base.kind is BaseKind.SPACEPORT}
    for given in _buildings(game, seat):
        order = given.order
        if isinstance(order, Enhance):
            _enhance(game, given, order)
            continue
        if big and not isinstance(order, BuildRing):
            given.fail("you can build only one ship or base in a turn")
            continue
        reason = objection_to_build(table_of(game.state, seat), seat, order)
        if not reason and not _was_there(order, before.keys(), ports):
            reason = TOO_NEW.format(order.base if isinstance(order, BuildRing) else order.number)
        cost = cost_of(game.state, order)
        if reason:
            given.fail(reason)
        elif not game.pay(seat, cost):
            given.fail(
                f"it costs {in_words(cost)}, and you have {in_words(game.player(seat).hand)}"
            )
        else:
            given.succeed()
            _put(game, seat, order)
            big = big or not isinstance(order, BuildRing)


def _was_there(
    order: BuildBase | BuildShip | BuildRing, bases: Collection[int], spaceports: Collection[int]
) -> bool:
    """Return whether the builder was there when the player's Build phase began (rule 9).

    A ship does not need to be, because a turn builds only one ship or base.
    """
    match order:
        case BuildRing(base):
            return base in bases
        case BuildShip(Target.BASE, number):
            return number in spaceports
    return True


def cost_of(state: State, order: BuildBase | BuildShip | BuildRing) -> Goods:
    """Return the cost of a base, ring or ship (rule 26, G1)."""
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
    """Return why something cannot be built, or an empty string (rules 27, 28, G2).

    The cost is not checked here.
    """
    match order:
        case BuildBase():
            return _objection_to_base(state, seat, order)
        case BuildRing():
            return _objection_to_ring(state, seat, order)
    return _objection_to_ship(state, seat, order)


def _objection_to_base(state: State, seat: Seat, order: BuildBase) -> str:
    """Return why a base cannot be built on a planet or at a corner (rule 27, G7, G8)."""
    here = state.hexes.get(order.hex)
    if here is None:
        return state.absent(f"H{order.hex}")
    if here.kind is not Kind.PLANET:
        return f"H{order.hex} is not a planet"
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
        return "there is already a base"
    return _objection_to_number(state, seat, order.kind)


def _objection_to_number(state: State, seat: Seat, kind: BaseKind) -> str:
    cap = state.rules.caps[BASE_CAPS[kind]]
    if sum(base.kind is kind for base in state.bases_of(seat)) >= cap:
        return f"you already have {cap} {BASE_CAPS[kind].replace('_', ' ')}, the most allowed"
    return ""


def _objection_to_ring(state: State, seat: Seat, order: BuildRing) -> str:
    base = state.bases.get(order.base)
    if base is None or base.owner != seat:
        return f"B{order.base} is not yours"
    if base.kind is not BaseKind.COLONY:
        return f"B{order.base} is not a colony"
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
            return f"B{order.number} is not your spaceport"
    cap = state.rules.caps["starships"]
    if sum(not ship.mercenary for ship in state.fleet(seat)) >= cap:
        return f"you already have {cap} starships, the most allowed"
    return ""


def _put(game: Round, seat: Seat, order: BuildBase | BuildShip | BuildRing) -> None:
    state = game.state
    match order:
        case BuildBase(place, kind, corner):
            base = Base(new_base(game, seat), seat, kind, place, corner)
            state.bases[base.number] = base
            where = f"in orbit at H{place}{corner}" if corner else f"on H{place}"
            what = f"the {kind.called} B{base.number} {where}"
        case BuildRing(number):
            state.bases[number].kind = BaseKind.SPACEPORT
            place = state.bases[number].hex
            what = f"a teleport ring: B{number} is a spaceport"
        case BuildShip(at, number):
            home = state.mothership(seat).number
            place = home if at is Target.MOTHERSHIP else state.bases[number].hex
            ship = Ship(new_ship(game, seat), seat, place)
            state.ships[ship.number] = ship
            what = f"the starship S{ship.number} at H{place}"
    game.tell(BUILDING, f"{game.name(seat)} builds {what}.", place)


def _buildings(game: Round, seat: Seat) -> list[SheetOrder[Any]]:
    return game.unused(seat, BuildBase, BuildShip, BuildRing, Enhance)


def _enhance(game: Round, given: SheetOrder[Any], order: Enhance) -> None:
    """Build enhancements one by one while the player can pay (rules 8, 27)."""
    player, built, skipped = game.player(given.seat), list[str](), list[str]()
    for number, part in order.parts:
        done, reason = 0, ""
        while done < number and not (reason := objection_to_part(game.state, given.seat, part)):
            player.hand -= game.state.rules.costs[COST_KEYS[part]]
            player.fit(part)
            done += 1
        built += [counted(done, COST_KEYS[part].replace("_", " "))] if done else []
        skipped += [reason] if reason else []
    remark = "; ".join(dict.fromkeys(skipped))
    if not built:
        given.fail(remark or "there was nothing to build")
        return
    given.succeed(remark)
    game.tell(BUILDING, f"{player.name} builds {listed(built)}.")


def objection_to_part(state: State, seat: Seat, part: Enhancement) -> str:
    """Return why a player cannot build one more enhancement, or an empty string (G1, G2)."""
    player, cost = state.players[seat], state.rules.costs[COST_KEYS[part]]
    cap = state.rules.caps[CAP_KEYS[part]]
    if player.count(part) >= cap:
        return f"you already have {cap} {CAP_KEYS[part].replace('_', ' ')}, the most allowed"
    return "" if player.hand.covers(cost) else f"{part.called} costs {in_words(cost)}"
