"""Rulings before the deadline: what can be said of each order as the table stands now.

Exploration may change anything, so what another phase has yet to bring is only warned of.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from referee.rules.ruleset import Ruling, Seat, Standing
from referee.rulesets.starfarers import economy, encounter, rounds, travel
from referee.rulesets.starfarers.orders import (
    Answer,
    Attack,
    Avoid,
    Barter,
    BuildBase,
    BuildRing,
    BuildShip,
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
    Teleport,
    Travel,
    Want,
)
from referee.rulesets.starfarers.state import Stage, State

_MOVING: Final = (Explore, Travel, Teleport)
_MEETING: Final = (Attack, Want, StandBack, Avoid, Answer, Hire, Barter)
_WORKING: Final = (PortTrade, Offer, BuildBase, BuildRing, BuildShip, Enhance)
_ALWAYS: Final = (SetStance, SetAlliance, Resign)

ACCEPTED: Final[Mapping[Stage, tuple[type[Order], ...]]] = {
    Stage.TURN: (*_MOVING, *_MEETING, *_WORKING, *_ALWAYS),
    Stage.TRAVEL: (*_MOVING, *_MEETING, *_ALWAYS),
    Stage.BUILD: (*_WORKING, *_ALWAYS),
    Stage.OVER: (),
}


class Refused(Exception):
    """Nothing can come of an order; the text says why."""


@dataclass(slots=True)
class Sheet:
    """The sheet while it is ruled on: how each ship has moved by then."""

    state: State
    seat: Seat
    moved: dict[int, str] = field(default_factory=dict)
    """What kind of move each ship has made so far."""
    unsure: bool = False
    """Whether a ship goes where nobody has been: what follows depends on that."""


def validate(state: State, seat: Seat, orders: Sequence[Order]) -> Sequence[Ruling]:
    """Rule on a whole sheet; everything on the table is public but hands and bags."""
    sheet = Sheet(state.copy(), seat)
    return [_ruling(sheet, order) for order in orders]


def _ruling(sheet: Sheet, order: Order) -> Ruling:
    if not isinstance(order, ACCEPTED[sheet.state.stage]):
        return Ruling(Standing.REFUSED, "That belongs to another part of the round.")
    try:
        caution = _CHECKS[type(order)](sheet, order)
    except Refused as refused:
        return Ruling(Standing.REFUSED, _sentence(str(refused)))
    return Ruling(Standing.WARNED, _sentence(caution)) if caution else Ruling(Standing.ACCEPTED)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."


def _own_ship(sheet: Sheet, number: int) -> None:
    ship = sheet.state.ships.get(number)
    if ship is None or ship.owner != sheet.seat:
        raise Refused(f"you have no ship S{number}")


def _check_move(sheet: Sheet, order: Explore | Travel | Teleport) -> str:
    _own_ship(sheet, order.ship)
    state, ship = sheet.state, sheet.state.ships[order.ship]
    if reason := travel.objection(state, ship, order, sheet.moved.get(ship.number, "")):
        raise Refused(reason)
    sheet.moved[ship.number] = type(order).__name__
    match order:
        case Explore():
            sheet.unsure = True
        case Travel(_, hexes):
            dangers = [n for n in hexes if _is_dangerous(state, sheet.seat, n)]
            ship.hex = hexes[-1]
            if dangers:
                return f"H{dangers[0]} is in somebody's range; there it stops and fights"
        case Teleport():
            ship.hex = travel.destination(state, order) or ship.hex
    return ""


def _is_dangerous(state: State, seat: Seat, number: int) -> bool:
    place = state.hexes[number]
    return travel.is_dangerous(state, seat, (place.galaxy, place.at))


def _check_attack(sheet: Sheet, order: Attack) -> str:
    _own_ship(sheet, order.ship)
    reason = encounter.objection_to_attack(sheet.state, sheet.state.ships[order.ship], order)
    if reason and not sheet.unsure:
        raise Refused(reason)
    return reason


def _check_ship(sheet: Sheet, order: Any) -> str:
    _own_ship(sheet, order.ship)
    return ""


def _check_barter(sheet: Sheet, order: Barter) -> str:
    _own_ship(sheet, order.ship)
    if order.give.total != order.take.total:
        raise Refused("a trader gives as many cards as he takes")
    here = encounter.can_barter(sheet.state, sheet.state.ships[order.ship])
    return "" if here else "nobody trades there now"


def _check_hire(sheet: Sheet, order: Hire) -> str:
    _own_ship(sheet, order.ship)
    price = encounter.PRICE * order.number
    if order.payment.total != price:
        raise Refused(f"{order.number} mercenaries cost {price} cards, not {order.payment.total}")
    return ""


def _check_port(sheet: Sheet, order: PortTrade) -> str:
    if reason := economy.objection_to_port(sheet.state, sheet.seat, order):
        raise Refused(reason)
    return ""


def _check_offer(sheet: Sheet, order: Offer) -> str:
    if Seat(order.player) not in sheet.state.players or order.player == sheet.seat:
        raise Refused(f"there is no other player {order.player}")
    return "it is struck only if the other offers the same in this round"


def _check_build(sheet: Sheet, order: BuildBase | BuildRing | BuildShip) -> str:
    reason = economy.objection_to_build(sheet.state, sheet.seat, order)
    if reason and not (isinstance(order, BuildBase) and sheet.unsure):
        raise Refused(reason)
    cost, hand = economy.cost_of(sheet.state, order), sheet.state.players[sheet.seat].hand
    if reason:
        return reason
    return "" if hand.covers(cost) else f"it costs {cost}, and you have {hand} now"


def _check_enhance(sheet: Sheet, order: Enhance) -> str:
    costs = sheet.state.rules.costs
    for number, part in order.parts:
        cost = costs[economy.COST_KEYS[part]] * number
        if not sheet.state.players[sheet.seat].hand.covers(cost):
            return f"that costs {cost}, and you have {sheet.state.players[sheet.seat].hand} now"
    return ""


def _check_stance(sheet: Sheet, order: SetStance) -> str:
    if Seat(order.player) not in sheet.state.players or order.player == sheet.seat:
        raise Refused(f"there is no other player {order.player}")
    return ""


def _check_alliance(sheet: Sheet, order: SetAlliance) -> str:
    if reason := rounds.objection_to_ally(sheet.state, sheet.seat, order):
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
    Answer: _check_ship,
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
    if Explore not in ACCEPTED[state.stage]:
        return []
    moving = {order.ship for order in orders if isinstance(order, Explore | Travel | Teleport)}
    resting = [
        f"S{ship.number}"
        for ship in state.fleet(seat)
        if ship.number not in moving and not ship.mercenary and ship.ready <= state.round
    ]
    return [f"{', '.join(resting)}: they stay, and mine nothing new."] if resting else []


def defaults(state: State, seat: Seat, standing: Sequence[Order]) -> Sequence[Order]:
    """Give the standing orders of a silent player; without them his ships stay and defend."""
    del state, seat
    return tuple(standing)
