"""Orders about another player, and which of several orders about the same player or ship counts."""

from collections.abc import Iterable

from referee.rules.ruleset import Seat
from referee.rulesets.starfarers.orders import ORDERS, Escort, SetAlliance, SetStance
from referee.rulesets.starfarers.state import State
from referee.rulesets.starfarers.turn_state import Round

Replaceable = SetStance | SetAlliance | Escort
"""The orders of which only the last one about the same player or ship counts."""


def objection_to_other(state: State, seat: Seat, number: int) -> str:
    """Return why a number is not another player in the game, or an empty string."""
    other = Seat(number)
    if other == seat:
        return f"player {number} is you"
    if other not in state.players:
        return f"there is no player {number}. The players are 1 to {len(state.players)}"
    if other not in state.active():
        return f"{state.players[other].name} is no longer in the game"
    return ""


def replaced(orders: Iterable[tuple[int, Replaceable]]) -> dict[int, str]:
    """Return the orders that do not count, by their places on the sheet, and why.

    Of several orders about the same player or ship, the last one counts.
    """
    last: dict[tuple[type, int], tuple[int, Replaceable]] = {}
    reasons: dict[int, str] = {}
    for place, order in orders:
        key = type(order), order.ship if isinstance(order, Escort) else order.player
        earlier = last.get(key)
        if earlier is not None and earlier[1] == order:
            reasons[place] = "it counts once"
            continue
        if earlier is not None:
            reasons[earlier[0]] = f"{ORDERS.render(order)} further down replaces it"
        last[key] = place, order
    return reasons


def fail_replaced(game: Round, seat: Seat, kind: type[Replaceable]) -> None:
    """Fail the orders that a later one on the sheet replaces."""
    possible = {given.place: given for given in game.unused(seat, kind)}
    for place, reason in replaced((p, given.order) for p, given in possible.items()).items():
        possible[place].fail(reason)
