"""The targets of ships: orders for all spaces, for one space, or for one ship (T15)."""

from collections.abc import Sequence
from typing import Any, Final

from referee.rules.ruleset import Seat
from referee.rules.turns import SheetOrder
from referee.rulesets.singularity.board import LETTERS
from referee.rulesets.singularity.orders import (
    FireArmed,
    FireAtShip,
    FireWeakest,
    FirstPlayers,
    FirstTypes,
    Place,
    PlayerNumber,
    ShipNumber,
)
from referee.rulesets.singularity.state import Ship, State
from referee.rulesets.singularity.turn_state import Turn

DOCTRINES: Final = (FirstPlayers, FirstTypes, FireArmed, FireWeakest, FireAtShip)

_Where = tuple[Seat, str]
"""The player and the space; empty for all spaces."""


class Doctrine:
    """The targets that all ships prefer. An order for one space takes precedence there."""

    def __init__(self, turn: Turn) -> None:
        self._turn = turn
        self._weakest: dict[_Where, bool] = {}
        self._players: dict[_Where, tuple[PlayerNumber, ...]] = {}
        self._types: dict[_Where, tuple[str, ...]] = {}
        self._ships: dict[ShipNumber, tuple[ShipNumber, ...]] = {}
        for given in turn.given(*DOCTRINES):
            self._add(given)

    def _add(self, given: SheetOrder[Any]) -> None:
        if reason := objection(self._turn, given):
            given.fail(reason)
            return
        match given.order:
            case FirstPlayers(players, place):
                self._players[_where(given, place)] = players
            case FirstTypes(types, place):
                self._types[_where(given, place)] = types
            case FireArmed(place):
                self._weakest[_where(given, place)] = False
            case FireWeakest(place):
                self._weakest[_where(given, place)] = True
            case FireAtShip(ship, targets):
                self._ships[ship] = targets

    def best(self, ship: Ship, targets: Sequence[Ship], shot: int) -> list[Ship]:
        """Return the best targets for a shot, equally good, at least one. Shots count from 0."""
        there = {target.number: target for target in targets}
        wanted = [there[number] for number in self._ships.get(ship.number, ()) if number in there]
        if wanted:
            return [wanted[shot % len(wanted)]]
        ranks = {target.number: self._rank(ship, target) for target in targets}
        first = min(ranks.values())
        return [target for target in targets if ranks[target.number] == first]

    def _rank(self, ship: Ship, target: Ship) -> tuple[int, int, int]:
        here, all_over = (ship.owner, self._turn.space(ship.at)), (ship.owner, "")
        players = self._players.get(here, self._players.get(all_over, ()))
        types = self._types.get(here, self._types.get(all_over, ()))
        usual = self._weakest.get(all_over, self._turn.state.rules.weakest_first)
        weakest = self._weakest.get(here, usual)
        strength = sum(target.units.values()) if weakest else int(not target.weapons)
        return _index(players, target.owner), _index(types, target.kind), strength


def objection(turn: Turn, given: SheetOrder[Any]) -> str:
    """Return why a doctrine is not possible, or an empty string."""
    order, state = given.order, turn.state
    if isinstance(order, FireAtShip):
        ship = state.ships.get(order.ship)
        own = ship is not None and ship.owner == given.seat
        return "" if own else f"you have no ship S{order.ship}"
    if order.place is not None and not _exists(state, order.place):
        highest = LETTERS[2 * state.rules.board.highest]
        size = f"columns 1 to {len(state.rules.board.columns)} and levels A to {highest}"
        return f"there is no space {order.place.column}{order.place.level}. The board has {size}"
    others = state.players.keys() - {given.seat}
    wrong = [p for p in getattr(order, "players", ()) if p not in others]
    return f"there is no other player {wrong[0]}" if wrong else ""


def _exists(state: State, place: Place) -> bool:
    board = state.rules.board
    return place.column in board.columns and place.level in LETTERS[: 2 * board.highest + 1]


def _where(given: SheetOrder[Any], place: Place | None) -> _Where:
    return given.seat, "" if place is None else f"{place.column}{place.level}"


def _index(wanted: Sequence[Any], what: Any) -> int:
    return wanted.index(what) if what in wanted else len(wanted)
