"""The suggestions of a ruleset to a seat: those that the referee accepts."""

from collections.abc import Iterator
from typing import Any

from referee.desk.base.loaded_games import LoadedGame
from referee.rules.ruleset import Guide, RulingKind, Seat, Separator, Suggestion


def guide_of(table: LoadedGame, seat: Seat) -> Guide:
    """Return the ruleset's guide for a seat."""
    return table.once(("guide", seat), lambda: table.ruleset.guide(table.state, seat))


def possible(table: LoadedGame, seat: Seat) -> Iterator[Suggestion]:
    """Yield the suggestions whose orders are accepted without a warning, each as a whole sheet."""
    for suggestion in guide_of(table, seat).suggestions:
        if is_accepted(table, seat, suggestion.orders):
            yield suggestion


def possible_together(table: LoadedGame, seat: Seat) -> Iterator[Suggestion]:
    """Yield the suggestions that are possible, also on one sheet with those before."""
    sheet: tuple[Any, ...] = ()
    for suggestion in possible(table, seat):
        if not sheet or is_accepted(table, seat, (*sheet, *suggestion.orders)):
            sheet = (*sheet, *suggestion.orders)
            yield suggestion


def is_accepted(table: LoadedGame, seat: Seat, orders: tuple[Any, ...]) -> bool:
    """Return whether a sheet of *orders* is accepted without a warning."""
    rulings = table.ruleset.validate(table.state, seat, orders)
    return all(ruling.kind is RulingKind.ACCEPTED for ruling in rulings)


def lines_of(table: LoadedGame, suggestion: Suggestion) -> tuple[str, ...]:
    """Return the orders of a suggestion as the player can send them."""
    texts = table.render(suggestion.orders)
    by_lines = table.reader.grammar.separator is Separator.LINES
    is_long = any("\n" in each for each in texts)
    return tuple(texts) if by_lines or is_long else (" ".join(texts),)
