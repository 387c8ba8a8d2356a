"""Star Empires' test cases: the state before, the orders, and the expected state after."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from referee.rules.fields import Fields
from referee.rules.ruleset import CheckTable, RulingKind, Seat, UserError
from referee.rules.scenarios import Case, Game, ScenarioRunner, Sheets, seat_of
from referee.rulesets.star_empires.administration import correct
from referee.rulesets.star_empires.comparing import differences
from referee.rulesets.star_empires.hulls import Hull, Table
from referee.rulesets.star_empires.orders import Design, Order
from referee.rulesets.star_empires.placing import placed
from referee.rulesets.star_empires.sectors import distance
from referee.rulesets.star_empires.state import State
from referee.rulesets.star_empires.steps.research import drafted

GM: Final = "GM"


def _ruled(case: Case) -> Fields:
    """Return the table of the orders that are expected to be accepted."""
    return Fields(case).table("then").table("order_accepted")


def _read(lines: Sequence[str], state: State, game: Game) -> list[Order | UserError]:
    """Return the order of each line, or the reason why it is not an order."""
    found: list[Order | UserError] = []
    for line in lines:
        try:
            found += game.read(state, line)
        except UserError as mistake:
            found.append(mistake)
    return found


def _distance(row: Mapping[str, Any]) -> Sequence[str]:
    fields = Fields(row)
    fields.allow("name", "cite", "from", "to", "distance")
    one, other, expected = fields.pair("from"), fields.pair("to"), fields.number("distance")
    found = distance(one, other)
    return [] if found == expected else [f"from {one} to {other}: {found}, expected {expected}"]


def _designs(row: Mapping[str, Any]) -> Sequence[str]:
    fields = Fields(row)
    fields.allow("name", "cite", "options", "rows")
    table = Table(fields.table("options").text("hulls", Table.RULES.value))
    return [wrong for row in fields.tables("rows") for wrong in _design(table, row)]


def _design(table: Table, row: Fields) -> Iterator[str]:
    hull = Hull(row.text("hull"))
    keys = ("guns", "tonnage") if hull is Hull.MISSILE else (
        "guns", "dp", "engines", "scan", "racks"
    )  # fmt: skip
    numbers = tuple(row.number(key, 0) for key in keys)
    state = placed(Fields({"classes": []}), Fields({"hulls": table.value}))
    kind = drafted(state, Design("X", "x", hull.value, numbers))
    found = {"cost": kind.cost, "tonnage": kind.tonnage, "ar": kind.repair, "fee": kind.fee}
    for key, value in found.items():
        if key in row.names() and key not in keys and row.number(key) != value:
            shape = " ".join(map(str, numbers))
            yield f"{hull.value} {shape}: {key} {value}, expected {row.number(key)}"


class StarEmpiresScenarios(ScenarioRunner[State]):
    """The runner of Star Empires scenario files."""

    tables: Mapping[str, CheckTable] = {"design": _designs, "distance": _distance}

    def fits(self, case: Case) -> bool:
        """Return whether a case is one of Star Empires: its ``given`` is a table."""
        return isinstance(case.get("given"), Mapping)

    def begin(self, case: Case) -> State:
        """Return the galaxy that the tables of ``given`` describe."""
        fields = Fields(case)
        return placed(fields.table("given"), fields.table("options"))

    def orders(self, case: Case, state: State, game: Game) -> Sheets:
        """Return the orders of every empire.

        A line that is not an order is left out if ``order_accepted`` covers its empire.
        """
        texts, ruled = Fields(case).table("orders"), _ruled(case).names()
        orders: dict[Seat, Sequence[Order]] = dict.fromkeys(state.players, ())
        for name in texts.names():
            if name == GM:
                continue
            lines = _read(texts.texts(name), state, game)
            wrong = [each for each in lines if isinstance(each, UserError)]
            if wrong and name not in ruled:
                raise UserError(f"orders.{name}: {wrong[0]}")
            orders[seat_of(state, name)] = [each for each in lines if isinstance(each, Order)]
        return orders

    def wrong_rulings(self, case: Case, state: State, orders: Sheets, game: Game) -> Iterator[str]:
        """Return the rulings that differ from ``order_accepted``; warned counts as accepted."""
        texts, expected = Fields(case).table("orders"), _ruled(case)
        for name in expected.names():
            seat, wanted = seat_of(state, name), expected.flags(name)
            lines = _read(texts.texts(name), state, game)
            if len(wanted) != len(lines):
                raise UserError(
                    f"order_accepted.{name}: {len(wanted)} rulings for {len(lines)} orders"
                )
            rulings = iter(game.rules.validate(state, seat, orders[seat]))
            for line, accepted in zip(lines, wanted, strict=True):
                if isinstance(line, UserError):
                    is_accepted, what = False, f"{name}: {line}"
                else:
                    ruling, text = next(rulings), game.rules.render(line)
                    is_accepted = ruling.kind is not RulingKind.REJECTED
                    what = f"{name}: {text} is {ruling.kind.value} {ruling.reason}"
                if is_accepted is not accepted:
                    yield what.strip()

    def play(self, case: Case, state: State, orders: Sheets, game: Game) -> State:
        """Return the galaxy after the turn, with the GM's corrections applied first."""
        if gm := "\n".join(Fields(case).table("orders").texts(GM)):
            state, _ = correct(state, gm)
        return super().play(case, state, orders, game)

    def differences(self, case: Case, before: State, after: State, game: Game) -> Iterator[str]:
        """Return the differences from ``then``."""
        del before, game
        yield from differences(after, Fields(case).table("then"))


SCENARIOS: Final = StarEmpiresScenarios()
