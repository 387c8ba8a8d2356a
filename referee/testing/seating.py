"""The same game with its seats in another sequence, which must have the same outcome.

Names, ships and everything else stay with the player; only the number of the seat changes. The
numbers are those in fields annotated as ``Seat``. Dice are set aside: a draw whose path has a seat
in it is the draw of that player, and of seats to draw from, the same players are drawn.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from referee.rules.dice import Dice
from referee.rules.ruleset import Resolution, Ruleset, Seat, Verdict
from referee.rules.views import View

T = TypeVar("T")

Move = Callable[[int], int]
"""Returns the new number of a seat."""


class Reseated:
    """A ruleset that plays with the seats of every state in reverse sequence.

    States, seats and orders are given, and results returned, as they are in the real sequence.
    """

    def __init__(self, rules: Ruleset[Any, Any]) -> None:
        self._rules = rules

    def __getattr__(self, name: str) -> Any:
        return getattr(self._rules, name)

    def resolve(
        self,
        state: Any,
        orders: Mapping[Seat, Sequence[Any]],
        defaulted: frozenset[Seat],
        dice: Dice,
    ) -> Resolution[Any, Any]:
        """Return the resolution of a turn."""
        away = _reversal({*_seats_of(state), *orders})
        moved = {away(seat): _orders(orders[seat], away) for seat in orders}
        missed = frozenset(map(away, defaulted))
        result = self._rules.resolve(
            moved_to(away, state), dict(sorted(moved.items())), missed, _PlayersDice(dice)
        )
        outcomes = {
            _home(seat): tuple((_order(order, _home), what) for order, what in rows)
            for seat, rows in result.outcomes.items()
        }
        events = tuple(moved_to(_home, event) for event in result.events)
        return Resolution(moved_to(_home, result.state), outcomes, events)

    def view(self, state: Any, seat: Seat | None, deadline: str) -> View:
        """Return the report for a seat or an observer."""
        away = _reversal(_seats_of(state))
        whose = None if seat is None else away(seat)
        return self._rules.view(moved_to(away, state), whose, deadline)

    def verdict(self, state: Any) -> Verdict | None:
        """Return how the game ended, or None while it continues."""
        verdict = self._rules.verdict(moved_to(_reversal(_seats_of(state)), state))
        return None if verdict is None else moved_to(_home, verdict)


class _Chair(int):
    """The new number of a seat, which knows the seat that it had."""

    home: Seat


def _home(seat: int) -> Seat:
    """Return the real number of a seat."""
    return seat.home if isinstance(seat, _Chair) else Seat(seat)


def _reversal(seats: Iterable[Seat]) -> Callable[[int], Seat]:
    """Return the function that moves each of the seats to the place from the end."""
    chairs = dict[int, Seat]()
    for seat, number in zip(sorted(seats), sorted(seats, reverse=True), strict=True):
        chair = _Chair(number)
        chair.home = seat
        chairs[seat] = Seat(chair)
    return lambda seat: chairs.get(seat, Seat(seat))


class _PlayersDice(Dice):
    """Dice that draw for a player what they draw in the real sequence of the seats."""

    def __init__(self, dice: Dice) -> None:
        self._real = dice

    def at(self, *path: str | int) -> Dice:
        """Return the stream for an event; a seat in its path is that of the player."""
        real = (part if isinstance(part, str) else _home(part) for part in path)
        return _PlayersDice(self._real.at(*real))

    def below(self, sides: int) -> int:
        """Draw from 0 to sides - 1."""
        return self._real.below(sides)

    def hits(self, tries: int, numerator: int, denominator: int) -> int:
        """Return how many of *tries* succeed."""
        return self._real.hits(tries, numerator, denominator)

    def pick(self, items: Sequence[T]) -> T:
        """Draw one of the items."""
        return super().pick(_as_players(items))

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return the items in random order."""
        return super().shuffled(_as_players(items))


def _as_players(items: Sequence[T]) -> Sequence[T]:
    """Return seats in their real sequence, and all other items as they are."""
    chairs = [item for item in items if isinstance(item, _Chair)]
    if len(chairs) < len(items):
        return items
    players: Any = sorted(chairs, key=_home)
    return players  # type: ignore[no-any-return]


def _orders(orders: Iterable[Any], move: Move) -> tuple[Any, ...]:
    return tuple(_order(order, move) for order in orders)


def _order(order: Any, move: Move) -> Any:
    return moved_to(move, order) if is_dataclass(order) else order


def _seats_of(state: Any) -> set[Seat]:
    """Return all seats that are anywhere in a state."""
    found = set[Seat]()

    def note(seat: int) -> int:
        found.add(Seat(seat))
        return seat

    moved_to(note, state)
    return found


def moved_to(move: Move, value: T) -> T:
    """Return a dataclass in which each seat has the number that *move* returns.

    Its dicts are in the order of their keys, like those of a stored state.
    """
    moved: T = _moved(move, value, type(value))
    return moved


def _moved(move: Move, value: Any, hint: Any) -> Any:
    """Return a value of a type, with its seats moved."""
    if not _has_seats(hint):
        return value
    if hint is Seat:
        return move(value)
    if is_dataclass(value) and not isinstance(value, type):
        parts = {name: (getattr(value, name), hint) for name, hint in _hints(value.__class__)}
        return replace(value, **{name: _moved(move, *part) for name, part in parts.items()})
    kind, inner = get_origin(hint), get_args(hint)
    if kind in (Union, UnionType):
        fitting = (each for each in inner if _fits(value, each))
        return _moved(move, value, next(fitting, NoneType))
    if kind is dict:
        key, item = inner
        pairs = {_moved(move, k, key): _moved(move, v, item) for k, v in value.items()}
        return {each: pairs[each] for each in sorted(pairs)} if key is Seat else pairs
    if kind is tuple and inner[-1] is not ...:
        return tuple(_moved(move, *pair) for pair in zip(value, inner, strict=True))
    return kind(_moved(move, each, inner[0]) for each in value)


def _fits(value: Any, hint: Any) -> bool:
    """Return whether a value can be of one of the types of a union."""
    kind = int if hint is Seat else get_origin(hint) or hint
    return isinstance(kind, type) and isinstance(value, kind)


@cache
def _hints(kind: type[Any]) -> tuple[tuple[str, Any], ...]:
    """Return the fields that can have a seat in them, with their types."""
    hints = get_type_hints(kind)
    found = ((each.name, hints[each.name]) for each in fields(kind))
    return tuple((name, hint) for name, hint in found if _has_seats(hint))


@cache
def _has_seats(hint: Any) -> bool:
    """Return whether a value of a type can have a seat in it."""
    if isinstance(hint, type) and is_dataclass(hint):
        return any(map(_has_seats, get_type_hints(hint).values()))
    return hint is Seat or any(map(_has_seats, get_args(hint)))
