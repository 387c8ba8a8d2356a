"""The Travel phase: exploring, moving through known space, teleporting (rules 10 to 16)."""

from typing import Any, Final

from referee.rules.ruleset import Seat
from referee.rules.turns import SheetOrder
from referee.rulesets.starfarers.goods import Goods, in_words, of
from referee.rulesets.starfarers.losses import fall
from referee.rulesets.starfarers.numbering import new_hex
from referee.rulesets.starfarers.orders import (
    Avoid,
    BaseKind,
    Escort,
    Explore,
    StandBack,
    Target,
    Teleport,
    Travel,
)
from referee.rulesets.starfarers.others import fail_replaced
from referee.rulesets.starfarers.sight import table_of
from referee.rulesets.starfarers.state import Hex, Kind, Place, Ship, State, apart, next_to
from referee.rulesets.starfarers.strangers import described
from referee.rulesets.starfarers.turn_state import TRAVEL, Round

FARE: Final = of("U")
"""The price of a teleporter for each ship (rule 14)."""


def stand_back(game: Round, seat: Seat) -> None:
    """Record the ships of a player that do not support others, before anybody plays."""
    for given in game.unused(seat, StandBack):
        if game.ship(given) is not None:
            game.state.standing_back.add(given.order.ship)
            given.succeed()


def travel(game: Round, seat: Seat) -> None:
    """Move a player's ships, in the order of the sheet."""
    for avoid in game.unused(seat, Avoid):
        if game.ship(avoid) is not None:
            avoid.succeed()
    _send_mercenaries(game, seat)
    ordered: dict[int, str] = {}
    for given in game.unused(seat, Explore, Travel, Teleport):
        ship = game.ship(given)
        if ship is None:
            continue
        table = table_of(game.state, seat)
        if never := permanent_objection(table, ship, given.order, ordered.get(ship.number, "")):
            given.fail(never)
            continue
        ordered.setdefault(ship.number, type(given.order).__name__)
        reason = current_objection(table, ship, given.order)
        if not reason and _is_careful(game, ship):
            reason = reason_to_avoid(game.state, ship, given.order)
        if reason:
            given.fail(reason)
        else:
            given.succeed()
            _go(game, ship, given)


def _send_mercenaries(game: Round, seat: Seat) -> None:
    """Send mercenaries with the starships that a player has chosen (rule 21)."""
    for sent in game.unused(seat, Escort):
        if never := objection_to_escort(game.state, seat, sent.order):
            sent.fail(never)
    fail_replaced(game, seat, Escort)
    for sent in game.unused(seat, Escort):
        if reason := reason_not_to_meet(game.state, sent.order):
            sent.fail(reason)
        else:
            sent.succeed()
            game.state.escorts[sent.order.ship] = sent.order.leader


def objection_to_escort(state: State, seat: Seat, order: Escort) -> str:
    """Return why a ship can never be sent with another, or an empty string (rule 21)."""
    own = {ship.number: ship for ship in state.fleet(seat)}
    if missing := [number for number in (order.ship, order.leader) if number not in own]:
        return f"you have no ship S{missing[0]}"
    if not own[order.ship].mercenary:
        return f"S{order.ship} is a starship. Only mercenaries go with another ship"
    if own[order.leader].mercenary:
        return f"S{order.leader} is a mercenary, too"
    return ""


def reason_not_to_meet(state: State, order: Escort) -> str:
    """Return why a mercenary cannot go with its starship now, or an empty string."""
    if state.ships[order.ship].hex != state.ships[order.leader].hex:
        return f"S{order.ship} and S{order.leader} are not on the same hex"
    return ""


def objection(state: State, ship: Ship, order: Any, before: str) -> str:
    """Return why a ship cannot make a move, or an empty string (rules 10 to 16, G12).

    *before* is the kind of the ship's first move this turn, or an empty string.
    """
    return permanent_objection(state, ship, order, before) or current_objection(state, ship, order)


def permanent_objection(state: State, ship: Ship, order: Any, before: str) -> str:
    """Return why a ship can never make this move, whatever others do before its turn."""
    if ship.mercenary:
        return f"S{ship.number} is a mercenary and moves with your starships"
    if not state.is_ready(ship):
        return f"S{ship.number} is being rebuilt and moves from the next round"
    combined = state.rules.combine_moves and before == "Travel" and isinstance(order, Explore)
    if before and not combined:
        return f"S{ship.number} already has an order to move"
    boosters = state.players[ship.owner].boosters
    if isinstance(order, Teleport) and not boosters:
        return "you have no booster, which a jump needs. E1B builds one"
    if isinstance(order, Travel) and len(order.hexes) > 1 + boosters:
        reach = f"{1 + boosters} hexes" if boosters else "1 hex"
        limit = f"S{ship.number} can travel {reach}, not {len(order.hexes)}"
        return f"{limit}. Each booster adds one"
    return ""


def current_objection(state: State, ship: Ship, order: Any) -> str:
    """Return why a ship cannot make this move now, or an empty string."""
    match order:
        case Explore():
            return _objection_to_explore(state, ship, order)
        case Travel():
            return _objection_to_travel(state, ship, order)
        case Teleport():
            return _objection_to_jump(state, ship, order)
    return ""


def reason_to_avoid(state: State, ship: Ship, order: Any) -> str:
    """Return why a ship that avoids ranges (``S3Q``) does not explore or jump."""
    here = state.hexes[ship.hex]
    goal = (here.galaxy, here.at)
    if isinstance(order, Explore):
        goal = (here.galaxy, next_to(here.at, order.direction))
    elif isinstance(order, Teleport) and (to := destination(state, order)) is not None:
        goal = (state.hexes[to].galaxy, state.hexes[to].at)
    else:
        return ""
    if not state.sees(ship.owner, goal[0]):
        return f"you do not see that galaxy, and S{ship.number}Q avoids it"
    if is_dangerous(state, ship.owner, goal):
        return f"that hex is in an enemy's range, and S{ship.number}Q avoids it"
    return ""


def _is_careful(game: Round, ship: Ship) -> bool:
    return any(
        given.order.ship == ship.number
        for given in game.sheets.get(ship.owner, ())
        if isinstance(given.order, Avoid)
    )


def _objection_to_explore(state: State, ship: Ship, order: Explore) -> str:
    here = state.hexes[ship.hex]
    if state.hex_at(here.galaxy, next_to(here.at, order.direction)) is not None:
        free = [d for d in range(1, 7) if state.hex_at(here.galaxy, next_to(here.at, d)) is None]
        others = f". Unexplored directions: {', '.join(map(str, free))}" if free else ""
        return f"direction {order.direction} of H{here.number} is already explored{others}"
    if not state.bags[here.galaxy]:
        return "no tiles are left to explore in this galaxy"
    return ""


def _objection_to_travel(state: State, ship: Ship, order: Travel) -> str:
    player, at = state.players[ship.owner], ship.hex
    for number in order.hexes:
        if number not in state.hexes:
            return state.absent(f"H{number}")
        one, other = state.hexes[at], state.hexes[number]
        if one.galaxy != other.galaxy or apart(one.at, other.at) != 1:
            # A place that is only going to be explored has no number yet.
            near = ", ".join(f"H{n.number}" for n in state.neighbours(at) if n.number > 0)
            return f"H{number} is not next to H{at}" + (f". Next to H{at}: {near}" if near else "")
        if other.kind is Kind.WORMHOLE and not player.boosters:
            return f"H{number} is a wormhole, and you have no booster"
        at = number
    return ""


def _objection_to_jump(state: State, ship: Ship, order: Teleport) -> str:
    player = state.players[ship.owner]
    to = destination(state, order)
    if not is_node(state, ship.owner, ship.hex):
        return f"S{ship.number} is not at a node that you can use"
    if to is None or not is_node(state, ship.owner, to):
        return state.absent(f"node at {order.to.value}{order.number} that you can use")
    if ship.hex == to:
        return f"S{ship.number} is already there"
    if not player.hand.covers(fare := fare_of(state, ship, to)):
        return f"the teleporter charges {in_words(fare)}, and you have {in_words(player.hand)}"
    return ""


def destination(state: State, order: Teleport) -> int | None:
    """Return the hex where a jump ends, or None if there is no such hex."""
    if order.to is Target.MOTHERSHIP:
        seat = Seat(order.number)
        return state.mothership(seat).number if seat in state.players else None
    return order.number if order.number in state.hexes else None


def is_node(state: State, seat: Seat, number: int) -> bool:
    """Return whether a player can jump from and to a hex (rules 14, 16, 41, G23)."""
    here = state.hexes[number]
    if _has_spaceport(state, here):
        return True
    if here.kind is Kind.MOTHERSHIP:
        return not _works_against(state, seat, here.galaxy)
    return here.kind in (Kind.TELEPORTER, Kind.WORMHOLE)


def _works_against(state: State, seat: Seat, owner: Seat) -> bool:
    """Return whether a captured mothership refuses a player who is an enemy of its owner."""
    captor = state.players[owner].captor
    if captor is None or state.friends(seat, owner):
        return False
    return state.friends(seat, captor) or state.at_war(seat, owner)


def _has_spaceport(state: State, here: Hex) -> bool:
    return any(
        base.kind is BaseKind.SPACEPORT and (here.galaxy, here.at) in state.places_of(base)
        for base in state.bases.values()
    )


def fare_of(state: State, ship: Ship, to: int) -> Goods:
    """Return the cost of a jump: one fuel for each ship if it uses a teleporter (rule 14)."""
    ends = (state.hexes[ship.hex], state.hexes[to])
    hired = any(e.kind is Kind.TELEPORTER and not _has_spaceport(state, e) for e in ends)
    return FARE * (1 + len(state.with_ship(ship))) if hired else Goods()


def _go(game: Round, ship: Ship, given: SheetOrder[Any]) -> None:
    match given.order:
        case Explore(_, direction):
            _explore(game, ship, direction)
        case Travel(_, hexes):
            _travel(game, ship, hexes, given)
        case Teleport():
            _jump(game, ship, given)


def _explore(game: Round, ship: Ship, direction: int) -> None:
    """Draw the next tile of the galaxy and move the ship onto it (rules 10, 13)."""
    state = game.state
    here = state.hexes[ship.hex]
    tile = state.bags[here.galaxy].pop(0)
    number = new_hex(state, here.galaxy)
    new = Hex(
        number,
        here.galaxy,
        next_to(here.at, direction),
        tile.kind,
        tile.resource,
        occupied=tile.occupied,
        cannons=tile.cannons,
    )
    state.hexes[number] = new
    who = f"S{ship.number} of {game.name(ship.owner)}"
    what = f"{who} explores H{number} next to H{here.number}: {described(new)}."
    game.tell(TRAVEL, what, number)
    game.bring(ship, number)
    game.explored.append((ship.owner, number, described(new)))
    fall(game, ship)


def _travel(game: Round, ship: Ship, hexes: tuple[int, ...], given: SheetOrder[Any]) -> None:
    """Move hex by hex to the end of the way or into an enemy's range (rules 11, 12, G15)."""
    careful, start = _is_careful(game, ship), ship.hex
    for number in hexes:
        place = game.state.hexes[number]
        danger = is_dangerous(game.state, ship.owner, (place.galaxy, place.at))
        if danger and careful:
            given.remark = f"it stopped before H{number}, which is in an enemy's range"
            break
        game.bring(ship, number)
        if danger:
            given.remark = f"it stopped at H{number}, in an enemy's range"
            break
    if ship.hex != start or game.arrived.get(ship.number):
        what = f"S{ship.number} of {game.name(ship.owner)} travels to H{ship.hex}."
        game.tell(TRAVEL, what, ship.hex)


def is_dangerous(state: State, seat: Seat, goal: tuple[Seat, Place]) -> bool:
    """Return whether pirates or hostile players have a place in range (rule 12, G14)."""
    ready = [ship for ship in state.ships.values() if state.is_ready(ship)]
    enemies = [ship.hex for ship in ready if state.at_war(seat, ship.owner)]
    enemies += [place.number for place in state.hexes.values() if place.kind is Kind.PIRATES]
    for place in (state.hexes[number] for number in enemies):
        if place.galaxy == goal[0] and apart(place.at, goal[1]) <= 1:
            return True
    return any(
        state.at_war(seat, base.owner) and goal in state.zone_of(base)
        for base in state.bases.values()
        if base.owner != seat
    )


def _jump(game: Round, ship: Ship, given: SheetOrder[Any]) -> None:
    """Teleport a ship. If enemies are near the goal, a battle follows (rule 14, G24)."""
    to = destination(game.state, given.order)
    assert to is not None
    game.pay(ship.owner, fare_of(game.state, ship, to))
    who, left = f"S{ship.number} of {game.name(ship.owner)}", ship.hex
    game.bring(ship, to)
    game.tell(TRAVEL, f"{who} teleports to H{to}.", to)
    game.tell_rest(TRAVEL, f"{who} teleports away from H{left}.", left, seen=to)
