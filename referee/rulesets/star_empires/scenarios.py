"""Star Empires' test cases: the state before, the orders, and what must stand afterwards."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from referee.rules.dice import Dice, ScriptedDice
from referee.rules.ruleset import CheckTable, Grammar, Mistake, ReadOrders, Ruleset, Seat, Standing
from referee.rulesets.star_empires.administration import correct
from referee.rulesets.star_empires.comparing import differences
from referee.rulesets.star_empires.hulls import Hull, Table
from referee.rulesets.star_empires.orders import Design, Order
from referee.rulesets.star_empires.placing import Fields, placed
from referee.rulesets.star_empires.sectors import distance
from referee.rulesets.star_empires.state import State
from referee.rulesets.star_empires.steps.research import drafted

GM: Final = "GM"
_KEYS: Final = frozenset(
    {"name", "cite", "options", "given", "orders", "missed", "dice", "then", "misread"}
)


class StarEmpiresScenarios:
    """Runs the cases of a Star Empires scenario file."""

    @property
    def tables(self) -> Mapping[str, CheckTable]:
        """Give what checks tables of designs and of distances."""
        return {"design": _designs, "distance": _distance}

    def fits(self, case: Mapping[str, Any]) -> bool:
        """Say whether a case is one of Star Empires: what is given in it is a table."""
        return isinstance(case.get("given"), Mapping)

    def run(
        self, case: Mapping[str, Any], rules: Ruleset[Any, Any], read: ReadOrders
    ) -> Sequence[str]:
        """Run one case; give the differences, one line each, none when it passed.

        Raises Mistake, which names the key and the place in it, when the case itself is wrong.
        """
        fields = Fields(case, "")
        fields.allow(*_KEYS)
        state = placed(fields.table("given"), fields.table("options"))
        orders, gm = _orders(fields, state, rules, read)
        then = fields.table("then")
        found = list(_rulings(then, state, fields.table("orders"), rules, read))
        found += _misread(fields, state, rules, read)
        if gm:
            state, _ = correct(state, gm)
        missed = _missed(fields, state)
        sheets = {seat: orders.get(seat, ()) for seat in state.empires}
        for seat in missed:
            sheets[seat] = tuple(rules.defaults(state, seat, ()))
        after = rules.resolve(state, sheets, missed, _dice(fields, state)).state
        return [*found, *differences(after, then)]


def _orders(
    fields: Fields, state: State, rules: Ruleset[Any, Any], read: ReadOrders
) -> tuple[dict[Seat, Sequence[Order]], str]:
    """Give the orders of every empire, and those of the GM.

    A line that is no order is left out where ``order_accepted`` says that it is refused.
    """
    texts, ruled = fields.table("orders"), fields.table("then").table("order_accepted").names()
    grammar = rules.grammar(rules.phase(state))
    orders: dict[Seat, Sequence[Order]] = {}
    for name in texts.names():
        if name == GM:
            continue
        lines = _read(texts.texts(name), grammar, read)
        wrong = [each for each in lines if isinstance(each, Mistake)]
        if wrong and name not in ruled:
            raise Mistake(f"orders.{name}: {wrong[0]}")
        orders[seat_of(state, name)] = [each for each in lines if isinstance(each, Order)]
    return orders, "\n".join(texts.texts(GM))


def _read(lines: Sequence[str], grammar: Grammar, read: ReadOrders) -> list[Order | Mistake]:
    """Give the order of each line, or why it is none."""
    found: list[Order | Mistake] = []
    for line in lines:
        try:
            found += read(grammar, line)
        except Mistake as mistake:
            found.append(mistake)
    return found


def _rulings(
    then: Fields, state: State, texts: Fields, rules: Ruleset[Any, Any], read: ReadOrders
) -> Iterator[str]:
    """Compare the rulings at submission with ``order_accepted``; warned is accepted."""
    expected = then.table("order_accepted")
    grammar = rules.grammar(rules.phase(state))
    for name in expected.names():
        seat, wanted = seat_of(state, name), expected.flags(name)
        lines = _read(texts.texts(name), grammar, read)
        if len(wanted) != len(lines):
            raise Mistake(f"order_accepted.{name}: {len(wanted)} rulings for {len(lines)} orders")
        orders = [each for each in lines if isinstance(each, Order)]
        rulings = iter(rules.validate(state, seat, orders))
        for line, accepted in zip(lines, wanted, strict=True):
            if isinstance(line, Mistake):
                stands, what = False, f"{name}: {line}"
            else:
                ruling = next(rulings)
                stands = ruling.standing is not Standing.REFUSED
                what = f"{name}: {rules.render(line)} is {ruling.standing.value} {ruling.reason}"
            if stands is not accepted:
                yield what.strip()


def _misread(
    fields: Fields, state: State, rules: Ruleset[Any, Any], read: ReadOrders
) -> Iterator[str]:
    """Say which texts under ``misread``, none of which is an order, are read as orders."""
    for text in fields.texts("misread"):
        try:
            read(rules.grammar(rules.phase(state)), text)
        except Mistake:
            continue
        yield f"{text}: is read as an order, expected none"


def _missed(fields: Fields, state: State) -> frozenset[Seat]:
    return frozenset(seat_of(state, name) for name in fields.texts("missed"))


def _dice(fields: Fields, state: State) -> Dice:
    table = fields.table("dice")
    script = {f"turn {state.turn}|{path}": table.numbers(path) for path in table.names()}
    return ScriptedDice(script)


def _distance(row: Mapping[str, Any]) -> Sequence[str]:
    fields = Fields(row, "")
    fields.allow("name", "cite", "from", "to", "distance")
    one, other, expected = fields.sector("from"), fields.sector("to"), fields.number("distance")
    found = distance(one, other)
    return [] if found == expected else [f"from {one} to {other}: {found}, expected {expected}"]


def _designs(row: Mapping[str, Any]) -> Sequence[str]:
    fields = Fields(row, "")
    fields.allow("name", "cite", "options", "rows")
    table = Table(fields.table("options").text("hulls", Table.RULES.value))
    return [wrong for row in fields.tables("rows") for wrong in _design(table, row)]


def _design(table: Table, row: Fields) -> Iterator[str]:
    hull = Hull(row.text("hull"))
    keys = ("guns", "tonnage") if hull is Hull.MISSILE else (
        "guns", "dp", "engines", "scan", "racks"
    )  # fmt: skip
    numbers = tuple(row.number(key, 0) for key in keys)
    state = placed(Fields({"classes": []}, ""), Fields({"hulls": table.value}, ""))
    kind = drafted(state, Design("X", "x", hull.value, numbers))
    found = {"cost": kind.cost, "tonnage": kind.tonnage, "ar": kind.repair, "fee": kind.fee}
    for key, value in found.items():
        if key in row.names() and key not in keys and row.number(key) != value:
            shape = " ".join(map(str, numbers))
            yield f"{hull.value} {shape}: {key} {value}, expected {row.number(key)}"


def seat_of(state: State, name: str) -> Seat:
    """Give the seat of the empire called *name*. Raises Mistake when there is none."""
    for seat, empire in state.empires.items():
        if empire.name == name:
            return seat
    raise Mistake(f"{name!r} is none of the empires")


SCENARIOS: Final = StarEmpiresScenarios()
