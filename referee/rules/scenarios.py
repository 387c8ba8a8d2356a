"""What test cases and corrections of several games have in common: seats, lines, tables, sheets."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Protocol

from referee.rules.ruleset import Mistake, ReadOrders, Ruleset, Seat, Standing

Case = Mapping[str, Any]
"""One case of a TOML file."""


class Named(Protocol):
    """A player, of whom the name is known."""

    @property
    def name(self) -> str:
        """Give the name of his seat."""


class Peopled(Protocol):
    """A state with its players."""

    @property
    def players(self) -> Mapping[Seat, Named]:
        """Give the players by their seats."""


class Decided(Peopled, Protocol):
    """A state in which somebody may have won."""

    @property
    def winners(self) -> Collection[Seat]:
        """Give the seats that have won."""


def seat_of(state: Peopled, name: str) -> Seat:
    """Give the seat of a player. Raises Mistake when nobody is called so."""
    for seat, player in state.players.items():
        if player.name == name.upper():
            return seat
    raise Mistake(f"{name} is none of the players.")


def lines_of(text: str) -> Iterator[str]:
    """Give the lines that say something, without comments and with single blanks."""
    for line in text.splitlines():
        bare = " ".join(line.partition("#")[0].split())
        if bare:
            yield bare


def refuse_unknown(case: Case, known: frozenset[str]) -> None:
    """Raise Mistake for a key of *case* that is none of a case."""
    unknown = sorted(case.keys() - known)
    if unknown:
        raise Mistake(f'"{unknown[0]}" is no key of a case; there are {", ".join(sorted(known))}')


def entries(case: Case, key: str) -> list[tuple[str, Any]]:
    """Give the entries of a table, none when it is missing. Raises Mistake when it is no table."""
    value = case.get(key, {})
    if not isinstance(value, Mapping):
        raise Mistake(f"{key}: should be a table")
    return list(value.items())


def sheets(
    case: Case, state: Peopled, rules: Ruleset[Any, Any], read: ReadOrders
) -> dict[Seat, Sequence[Any]]:
    """Give everybody's orders, as ``orders`` has them. Raises Mistake for what cannot be read."""
    grammar = rules.grammar(rules.phase(state))
    given = {seat_of(state, name): read(grammar, text) for name, text in entries(case, "orders")}
    return {seat: given.get(seat, ()) for seat in state.players}


def missed(case: Case, state: Peopled) -> frozenset[Seat]:
    """Give the seats that ``missed`` names: they sent no orders."""
    return frozenset(seat_of(state, name) for name in case.get("missed", []))


def with_defaults(
    state: Peopled,
    orders: Mapping[Seat, Sequence[Any]],
    out: Collection[Seat],
    rules: Ruleset[Any, Any],
) -> dict[Seat, Sequence[Any]]:
    """Give the orders to resolve: those of the seats that are *out* are the rules' defaults."""
    return {
        seat: rules.defaults(state, seat, sheet) if seat in out else sheet
        for seat, sheet in orders.items()
    }


def wrongly_ruled(
    case: Case,
    state: Peopled,
    orders: Mapping[Seat, Sequence[Any]],
    rules: Ruleset[Any, Any],
) -> Iterator[str]:
    """Compare which orders are refused before the deadline with ``refused``."""
    for name, expected in entries(case, "refused"):
        seat = seat_of(state, name)
        rulings = rules.validate(state, seat, orders[seat])
        found = [
            rules.render(order)
            for order, ruling in zip(orders[seat], rulings, strict=True)
            if ruling.standing is Standing.REFUSED
        ]
        if found != list(expected):
            reasons = [ruling.reason for ruling in rulings if ruling.reason]
            yield f"{name}: refused are {found}, expected {list(expected)} ({reasons})"


def wrong_winners(case: Case, after: Decided) -> Iterator[str]:
    """Compare who has won with ``winners``."""
    found = sorted(after.players[seat].name for seat in after.winners)
    if sorted(case.get("winners", found)) != found:
        yield f"winners: {found}, expected {sorted(case['winners'])}"
