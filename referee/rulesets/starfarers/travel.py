"""The Travel phase: exploring, moving through known space, teleporting (rules 10 to 16)."""

from typing import Any, Final

from referee.rules.ruleset import Seat
from referee.rulesets.starfarers.battle import described, reintegrate
from referee.rulesets.starfarers.goods import of
from referee.rulesets.starfarers.orders import (
    Avoid,
    BaseKind,
    Explore,
    StandBack,
    Target,
    Teleport,
    Travel,
)
from referee.rulesets.starfarers.state import Hex, Kind, Ship, State, apart, beside
from referee.rulesets.starfarers.working import TRAVEL, Given, Round

FARE: Final = of("U")
"""What a teleporter charges for each ship (rule 14)."""


def travel(game: Round, seat: Seat) -> None:
    """Move a player's ships, in the sequence in which the orders were typed."""
    for stand in game.given(seat, StandBack):
        if game.ship(stand) is not None:
            game.idle_support.add(stand.order.ship)
            stand.succeed()
    for avoid in game.given(seat, Avoid):
        if game.ship(avoid) is not None:
            avoid.succeed()
    moved: dict[int, str] = {}
    for given in list(game.given(seat, Explore, Travel, Teleport)):
        ship = game.ship(given)
        if ship is None:
            continue
        reason = objection(game.state, ship, given.order, moved.get(ship.number, ""))
        if reason:
            given.fail(reason)
            continue
        moved[ship.number] = type(given.order).__name__
        given.succeed()
        _go(game, ship, given)


def objection(state: State, ship: Ship, order: Any, before: str) -> str:
    """Say why a ship cannot do what it is ordered; nothing when it can (rules 10 to 16, G12).

    *before* names what kind of move it has made this turn already.
    """
    if ship.mercenary:
        return f"S{ship.number} is a mercenary and moves with your starships"
    if ship.ready > state.round:
        return f"S{ship.number} is being rebuilt and moves from the next round"
    combined = state.rules.combine_moves and before == "Travel" and isinstance(order, Explore)
    if before and not combined:
        return f"S{ship.number} has moved already"
    match order:
        case Explore():
            return _objection_to_explore(state, ship, order)
        case Travel():
            return _objection_to_travel(state, ship, order)
        case Teleport():
            return _objection_to_jump(state, ship, order)
    return ""


def _objection_to_explore(state: State, ship: Ship, order: Explore) -> str:
    here = state.hexes[ship.hex]
    if state.hex_at(here.galaxy, beside(here.at, order.direction)) is not None:
        return f"in direction {order.direction} of H{here.number} space is known already"
    if not state.bags[here.galaxy]:
        return "nothing is left to be explored in this galaxy"
    return ""


def _objection_to_travel(state: State, ship: Ship, order: Travel) -> str:
    player, at = state.players[ship.owner], ship.hex
    reach = 1 + player.boosters
    if len(order.hexes) > reach:
        return f"S{ship.number} travels {reach} hexes, not {len(order.hexes)}"
    for number in order.hexes:
        if number not in state.hexes:
            return f"there is no H{number}"
        one, other = state.hexes[at], state.hexes[number]
        if one.galaxy != other.galaxy or apart(one.at, other.at) != 1:
            return f"H{number} is not next to H{at}"
        if other.kind is Kind.WORMHOLE and not player.boosters:
            return f"H{number} is a wormhole, and you have no booster"
        at = number
    return ""


def _objection_to_jump(state: State, ship: Ship, order: Teleport) -> str:
    player = state.players[ship.owner]
    if not player.boosters:
        return "you have no booster"
    to = destination(state, order)
    if to is None:
        return "there is no such node"
    for number in (ship.hex, to):
        if not is_node(state, ship.owner, number):
            return f"H{number} is no node that you can use"
    if ship.hex == to:
        return f"S{ship.number} is there already"
    if _charges(state, ship.hex, to) and not player.hand.covers(FARE):
        return "the teleporter charges one fuel, and you have none"
    return ""


def destination(state: State, order: Teleport) -> int | None:
    """Give the hex that a jump is to end on; None when there is none."""
    if order.to is Target.MOTHERSHIP:
        seat = Seat(order.number)
        return state.mothership(seat).number if seat in state.players else None
    return order.number if order.number in state.hexes else None


def is_node(state: State, seat: Seat, number: int) -> bool:
    """Say whether a player can teleport from and to a hex (rules 14, 16, 41)."""
    here = state.hexes[number]
    if here.kind is Kind.MOTHERSHIP:
        captor = state.players[here.galaxy].captor
        return captor is None or state.friends(seat, here.galaxy)
    if here.kind in (Kind.TELEPORTER, Kind.WORMHOLE):
        return True
    return any(
        base.kind is BaseKind.SPACEPORT and (here.galaxy, here.at) in state.places_of(base)
        for base in state.bases.values()
    )


def _charges(state: State, start: int, end: int) -> bool:
    return any(state.hexes[number].kind is Kind.TELEPORTER for number in (start, end))


def _go(game: Round, ship: Ship, given: Given[Any]) -> None:
    match given.order:
        case Explore(_, direction):
            _explore(game, ship, direction)
        case Travel(_, hexes):
            _travel(game, ship, hexes, given)
        case Teleport():
            _jump(game, ship, given)


def _explore(game: Round, ship: Ship, direction: int) -> None:
    """Lay the next tile of the galaxy's bag and move onto it (rules 10, 13)."""
    state = game.state
    here = state.hexes[ship.hex]
    tile = state.bags[here.galaxy].pop(0)
    number = max(state.hexes) + 1
    new = Hex(
        number,
        here.galaxy,
        beside(here.at, direction),
        tile.kind,
        tile.resource,
        occupied=tile.occupied,
        cannons=tile.cannons,
    )
    state.hexes[number] = new
    who = f"S{ship.number} of {game.name(ship.owner)}"
    game.tell(TRAVEL, f"{who} explores H{number} next to H{here.number}: {described(new)}.")
    _bring(game, ship, number)
    if new.kind is Kind.WORMHOLE and not game.player(ship.owner).boosters:
        game.tell(TRAVEL, f"The wormhole swallows S{ship.number}.")
        reintegrate(game, ship)


def _travel(game: Round, ship: Ship, hexes: tuple[int, ...], given: Given[Any]) -> None:
    """Move hex by hex until the way ends, or somebody's range begins (rules 11, 12, G15)."""
    careful = any(
        avoid.order.ship == ship.number
        for avoid in game.sheets.get(ship.owner, ())
        if isinstance(avoid.order, Avoid)
    )
    for number in hexes:
        danger = is_dangerous(game.state, ship.owner, number)
        if danger and careful:
            given.remark = f"it stopped before H{number}, which is in somebody's range"
            break
        _bring(game, ship, number)
        if danger:
            given.remark = f"it stopped at H{number}, in somebody's range"
            break
    game.tell(TRAVEL, f"S{ship.number} of {game.name(ship.owner)} travels to H{ship.hex}.")


def is_dangerous(state: State, seat: Seat, number: int) -> bool:
    """Say whether pirates, or somebody hostile, have a hex in range (rule 12, G14)."""
    if any(e.kind is Kind.PIRATES and state.near(e.number, number) for e in state.hexes.values()):
        return True
    here = state.hexes[number]
    if any(
        state.at_war(seat, ship.owner) and state.near(ship.hex, number)
        for ship in state.ships.values()
        if ship.owner != seat
    ):
        return True
    return any(
        state.at_war(seat, base.owner) and (here.galaxy, here.at) in state.places_of(base)
        for base in state.bases.values()
        if base.owner != seat
    )


def _jump(game: Round, ship: Ship, given: Given[Any]) -> None:
    to = destination(game.state, given.order)
    assert to is not None
    if _charges(game.state, ship.hex, to):
        game.pay(ship.owner, FARE)
    game.tell(TRAVEL, f"S{ship.number} of {game.name(ship.owner)} teleports to H{to}.")
    _bring(game, ship, to)


def _bring(game: Round, ship: Ship, number: int) -> None:
    """Put a ship onto a hex, and the mercenaries that were with it (rule 21)."""
    if not _others_there(game.state, ship):
        for each in game.state.fleet(ship.owner):
            if each.mercenary and each.hex == ship.hex:
                each.hex = number
    ship.hex = number
    game.arrived[ship.number] = number


def _others_there(state: State, ship: Ship) -> bool:
    """Say whether another starship stays with the mercenaries."""
    return any(
        other is not ship and not other.mercenary and other.hex == ship.hex
        for other in state.fleet(ship.owner)
    )
