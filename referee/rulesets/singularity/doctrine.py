"""The targets of ships: orders for all spaces, for one space, or for one ship (T15)."""

from collections.abc import Sequence
from typing import Any, Final

from referee.rules.ruleset import Seat
from referee.rules.turns import SheetOrder
from referee.rules.wording import listed
from referee.rulesets.singularity.board import LETTERS
from referee.rulesets.singularity.orders import (
    FireArmed,
    FireAtShip,
    FireWeakest,
    FirstPlayers,
    FirstTypes,
    Place,
    ShipNumber,
)
from referee.rulesets.singularity.politics import is_out, objection_to_player
from referee.rulesets.singularity.replaced import replace_earlier
from referee.rulesets.singularity.state import Leaving, Section, Ship, State
from referee.rulesets.singularity.turn_state import Turn

DOCTRINES: Final = (FirstPlayers, FirstTypes, FireArmed, FireWeakest, FireAtShip)

_Where = tuple[Seat, str]
"""The player and the space; empty for all spaces."""


class Doctrine:
    """The targets that all ships prefer. An order for one space takes precedence there."""

    def __init__(self, turn: Turn) -> None:
        self._turn = turn
        self._weakest: dict[_Where, bool] = {}
        self._players: dict[_Where, tuple[Seat, ...]] = {}
        self._types: dict[_Where, tuple[str, ...]] = {}
        self._ships: dict[ShipNumber, tuple[ShipNumber, ...]] = {}
        settle(turn)
        for given in turn.given(*DOCTRINES):
            self._add(given)

    def _add(self, given: SheetOrder[Any]) -> None:
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
                if reason := absent(self._turn, given):
                    given.fail(reason)

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


def settle(turn: Turn) -> None:
    """Fail the doctrines that are not possible, and those that a later one replaces."""
    for given in turn.given(*DOCTRINES):
        if reason := objection(turn, given):
            given.fail(reason)
    replace_earlier(turn, *DOCTRINES)


def objection(turn: Turn, given: SheetOrder[Any]) -> str:
    """Return why a doctrine is not possible, or an empty string."""
    order, state = given.order, turn.state
    if isinstance(order, FireAtShip):
        return turn.objection_to_ship(given) or _objection_to_shots(turn, given)
    if order.place is not None and not _exists(state, order.place):
        highest = LETTERS[2 * state.rules.board.highest]
        size = f"columns 1 to {len(state.rules.board.columns)} and levels A to {highest}"
        return f"there is no space {order.place.column}{order.place.level}. The board has {size}"
    wrong = (_objection_to_enemy(state, given.seat, p) for p in getattr(order, "players", ()))
    return next(filter(None, wrong), "")


def _objection_to_enemy(state: State, seat: Seat, number: Seat) -> str:
    if reason := objection_to_player(state, seat, number):
        return reason
    gone = is_out(state, Seat(number)) and state.rules.resign is Leaving.NEUTRAL
    return f"{state.players[Seat(number)].name} is no longer in the war" if gone else ""


def _objection_to_shots(turn: Turn, given: SheetOrder[FireAtShip]) -> str:
    """Return why a ship cannot fire at these ships, or an empty string (rules 17 to 19)."""
    ships, order = turn.state.ships, given.order
    ship, name = ships[order.ship], f"S{order.ship}"
    if ship.number in turn.hidden:
        return f"{name} hides this turn ({name}H), so it cannot fire"
    if ship.dark:
        return f"{name} is dark, so it cannot fire"
    if not ship.shots:
        return f"{name} has no working weapon"
    own = [n for n in order.targets if n in ships and ships[n].owner == given.seat]
    if own:
        return f"S{own[0]} is your own ship"
    # No ship moves before these sections are resolved.
    is_near = turn.state.section in (Section.SETTLE, Section.COMBAT)
    return absent(turn, given) if is_near else ""


def absent(turn: Turn, given: SheetOrder[FireAtShip]) -> str:
    """Return a reason if none of the targets is where the ship is, or an empty string.

    Allies count as targets: their owner could leave, and the ships stay.
    """
    ship, targets = turn.state.ships[given.order.ship], given.order.targets
    there = {other.number for other in turn.state.ships_at(ship.at) if not other.dark}
    if there & {*targets}:
        return ""
    names = listed(f"S{target}" for target in targets)
    are = "is" if len(targets) == 1 else "are"
    return f"{names} {are} not at {turn.space(ship.at)}, where S{ship.number} is"


def _exists(state: State, place: Place) -> bool:
    board = state.rules.board
    return place.column in board.columns and place.level in LETTERS[: 2 * board.highest + 1]


def _where(given: SheetOrder[Any], place: Place | None) -> _Where:
    return given.seat, "" if place is None else f"{place.column}{place.level}"


def _index(wanted: Sequence[Any], what: Any) -> int:
    return wanted.index(what) if what in wanted else len(wanted)
