"""Orders that are declared once: their texts, meanings, builders and order forms."""

from dataclasses import dataclass
from enum import Enum
from typing import Final

import pytest

from referee.rules.order_forms import OrderForm
from referee.rules.order_table import Key, OrderTable, key_of
from referee.rules.views import UnitKind


class Side(Enum):
    LEFT = "L"
    RIGHT = "R"


@dataclass(frozen=True, slots=True)
class Order:
    """The base class of the orders here."""


ORDERS: Final = OrderTable[Order]()
PLACE, WAIT = OrderForm("Dig", "{key}D"), OrderForm("Wait", "{key}Z", UnitKind.FLEET)
MOVE = OrderForm("Move", "{key}{path}", UnitKind.FLEET)


@ORDERS.order("F{fleet}{route:W*}", "Fleet {fleet:fleet} moves by {route:W*}.", MOVE)
@dataclass(frozen=True, slots=True)
class MoveFleet(Order):
    fleet: int
    route: tuple[int, ...]


@ORDERS.order("{side}{place}D{depth}{other}", "You dig {side.name} {side,place:hole}.", PLACE)
@dataclass(frozen=True, slots=True)
class Dig(Order):
    side: Side
    place: int
    depth: int | None = None

    @property
    def other(self) -> Side:
        return Side.LEFT if self.side is Side.RIGHT else Side.RIGHT


@ORDERS.order(
    "F{fleet}{stays:Z/Y}{guest}",
    "It {stays:stays/goes}{stays: here/}.",
    WAIT,
    rules={"stay": {"stays": True}, "go": {"stays": False, "guest": "X"}},
)
@dataclass(frozen=True)
class Wait(Order):
    fleet: int
    stays: bool
    guest: str


@ORDERS.order("Q", "You leave.")
@dataclass(frozen=True, slots=True)
class Leave(Order):
    pass


@ORDERS.order("SIGN{lines:\n*}\nEND", 'It says "{lines: *}".', rules={})
@dataclass(frozen=True, slots=True)
class Sign(Order):
    lines: tuple[str, ...]


class Words:
    def fleet(self, number: int) -> str:
        return {3: "three"}.get(number, "?")

    def hole(self, side: Side, place: int) -> str:
        return f"at {place}, {side.name.lower()}"


@pytest.mark.parametrize(
    ("order", "text", "meaning"),
    [
        (MoveFleet(3, (5, 18)), "F3W5W18", "Fleet three moves by W5W18."),
        (MoveFleet(4, ()), "F4", "Fleet ? moves by ."),
        (Dig(Side.LEFT, 75, 2), "L75D2R", "You dig LEFT at 75, left."),
        (Dig(Side.RIGHT, 75), "R75DL", "You dig RIGHT at 75, right."),
        (Wait(3, stays=True, guest=""), "F3Z", "It stays here."),
        (Wait(3, stays=False, guest="X"), "F3YX", "It goes."),
        (Leave(), "Q", "You leave."),
        (Sign(("a", "b")), "SIGN\na\nb\nEND", 'It says " a b".'),
    ],
)
def test_an_order_is_written_and_put_into_words(order: Order, text: str, meaning: str) -> None:
    assert ORDERS.render(order) == text
    assert ORDERS.explain(order, Words()) == meaning


@pytest.mark.parametrize(
    ("rule", "parts", "order"),
    [
        ("move_fleet", (Key("F", 3), Key("W", 5), Key("W", 18)), MoveFleet(3, (5, 18))),
        ("move_fleet", (3,), MoveFleet(3, ())),
        ("dig", (Key("L", 75), 2), Dig(Side.LEFT, 75, 2)),
        ("dig", (Side.RIGHT, 75), Dig(Side.RIGHT, 75)),
        ("stay", (Key("F", 3), "A"), Wait(3, stays=True, guest="A")),
        ("go", (3,), Wait(3, stays=False, guest="X")),
        ("leave", (), Leave()),
    ],
)
def test_a_rule_builds_its_order(rule: str, parts: tuple[object, ...], order: Order) -> None:
    assert ORDERS.rules[rule](*parts) == order


def test_the_rules_are_called_like_the_classes_or_as_declared() -> None:
    assert [*ORDERS.rules] == ["move_fleet", "dig", "stay", "go", "leave"]
    assert ORDERS.rules["leave"] is Leave


def test_a_rule_with_too_many_or_too_few_parts_fails() -> None:
    for parts in [(), (3, "A", "B")]:
        with pytest.raises(TypeError, match="positional argument"):
            ORDERS.rules["stay"](*parts)


def test_the_forms_for_one_kind_of_unit_are_together() -> None:
    assert ORDERS.forms == (MOVE, WAIT, PLACE)


@pytest.mark.parametrize("texts", [("F{flet}", ""), ("", "{fleet,too:both}"), ("{flet.name}", "")])
def test_a_field_that_the_class_lacks_is_refused(texts: tuple[str, str]) -> None:
    with pytest.raises(AttributeError, match=r"MoveFleet has no (flet|too)"):
        ORDERS.order(*texts)(MoveFleet)


def test_a_key_has_a_capital_letter_and_a_number() -> None:
    assert key_of("i75") == key_of("I75") == ("I", 75)
