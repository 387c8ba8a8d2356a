"""Orders declared once: a class with its text, its meaning, its grammar rules and order forms.

A new order is one class with this above it, and its rule in the grammar:

    ORDERS: Final = OrderTable[Order]()

    @ORDERS.order("F{fleet}L{count}", "Fleet {fleet} loads {count:metal}{fleet:place}.", LOAD_FORM)
    @dataclass(frozen=True, slots=True)
    class Load(Order):
        fleet: int
        count: int | None = None

The line ``@dataclass`` is a plain one, so that type checkers know the class. Text and meaning have
fields or properties of the order in braces:

- ``{count}`` is written as it is, None as nothing, and a member of an Enum as its value.
- ``{route:W*}`` is each of several, with W before it: ``W5W18``.
- ``{hostile:H/P}`` is H if that is true, and else P.
- ``{count:metal}``, in a meaning, is put into words by the function ``metal`` of the game's words,
  and ``{world,count:people}`` by a function of two values.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import fields
from enum import Enum, EnumType
from functools import lru_cache
from operator import attrgetter
from string import Formatter
from typing import Any, Final, Generic, NamedTuple, TypeVar, get_origin, get_type_hints

from referee.rules.order_forms import OrderForm

O = TypeVar("O")  # noqa: E741 - the interface is Ruleset[S, O]: states and orders
C = TypeVar("C")

_MOST_KEYS: Final = 2000
"""The size of the cache: enough for the places and units of a game."""

_Piece = tuple[str, Callable[[Any], Any], Callable[[Any, object], str]]
"""Fixed text, the function that gets the field after it, and the one that writes it in words."""


class Key(NamedTuple):
    """A unit or place as it is typed, ``I75``.

    The rule of an order takes it for a field that is a number. If an Enum is before the number,
    the letter is taken for that.
    """

    letter: str
    number: int


@lru_cache(_MOST_KEYS)
def key_of(text: str) -> Key:
    """Return the key in a text, whose letter can be small."""
    return Key(text[0].upper(), int(text[1:]))


class OrderTable(Generic[O]):
    """The orders of a game. Each is declared by the decorator ``order`` above its class."""

    def __init__(self) -> None:
        self.rules: dict[str, Callable[..., Any]] = {}
        """The builder of each rule of the grammar, for ``Grammar.orders``."""
        self._texts: dict[type[Any], list[_Piece]] = {}
        self._meanings: dict[type[Any], list[_Piece]] = {}
        self._forms: list[OrderForm] = []

    def order(
        self,
        text: str,
        meaning: str,
        *forms: OrderForm,
        rules: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> Callable[[type[C]], type[C]]:
        """Return the decorator for a class of orders. It raises AttributeError for a wrong field.

        *rules* are the rules of the grammar that build it, each with the fields that it sets; the
        others are what the rule has, in sequence, and a tuple at the end is all the rest. None is
        the one rule that is called like the class: ``move_fleet`` builds ``MoveFleet``.
        """

        def declare(kind: type[C]) -> type[C]:
            self._texts[kind], self._meanings[kind] = _pieces(kind, text), _pieces(kind, meaning)
            for rule, given in ({_rule_of(kind): {}} if rules is None else rules).items():
                self.rules[rule] = _builder(kind, given)
            self._forms += forms
            return kind

        return declare

    @property
    def forms(self) -> tuple[OrderForm, ...]:
        """The order forms, those for one kind of unit together, in the sequence of declaration."""
        kinds = list(dict.fromkeys(form.unit for form in self._forms))
        return tuple(sorted(self._forms, key=lambda form: kinds.index(form.unit)))

    def render(self, order: O) -> str:
        """Return the canonical text of *order*, which is read as the same order."""
        return _written(self._texts[type(order)], order, None)

    def explain(self, order: O, words: object) -> str:
        """Return the meaning of *order*. Its values are put into words by functions of *words*."""
        return _written(self._meanings[type(order)], order, words)


def _rule_of(kind: type[Any]) -> str:
    """Return the rule that is called like a class: ``move_fleet`` for ``MoveFleet``."""
    return re.sub("(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


def _pieces(kind: type[Any], template: str) -> list[_Piece]:
    """Return the pieces of a text or meaning. Raises AttributeError if the class lacks a field."""
    return [
        (fixed, _getter(kind, names.split(",")), _writer(form or "", several="," in names))
        if names
        else (fixed, lambda _order: None, _plain)
        for fixed, names, form, _ in Formatter().parse(template)
    ]


def _getter(kind: type[Any], names: list[str]) -> Callable[[Any], Any]:
    """Return the function that gets fields of an order."""
    known = {*dir(kind), *(field.name for field in fields(kind))}
    if unknown := [name for name in names if name.partition(".")[0] not in known]:
        raise AttributeError(f"{kind.__name__} has no {unknown[0]}")
    return attrgetter(*names)


def _writer(form: str, *, several: bool) -> Callable[[Any, object], str]:
    """Return the function that writes a value, or *several*, in a form."""
    if form.endswith("*"):
        return lambda value, _: "".join([f"{form[:-1]}{each}" for each in value])
    if "/" in form:
        true, false = form.split("/")
        return lambda value, _: true if value else false
    if several:
        return lambda values, words: str(getattr(words, form)(*values))
    return (lambda value, words: str(getattr(words, form)(value))) if form else _plain


def _plain(value: Any, _words: object) -> str:
    if isinstance(value, Enum):
        return str(value._value_)
    return "" if value is None else str(value)


def _written(pieces: list[_Piece], order: Any, words: object) -> str:
    return "".join([fixed + write(value(order), words) for fixed, value, write in pieces])


def _builder(kind: type[Any], given: Mapping[str, Any]) -> Callable[..., Any]:
    """Return the function that makes an order from the parts of a rule, and the given fields.

    The class itself is the function for an order without fields, by which ``Grammar.leaving``
    knows a resignation.
    """
    names = [field.name for field in fields(kind)]
    if not names:
        return kind
    hints, left = get_type_hints(kind), [name for name in names if name not in given]
    letters = {at: hints[name] for at, name in enumerate(left) if isinstance(hints[name], EnumType)}
    rest = len(left) - 1 if left and get_origin(hints[left[-1]]) is tuple else None
    set_at = [(at, given[name]) for at, name in enumerate(names) if name in given]

    def build(*parts: Any) -> Any:
        values: list[Any] = []
        for part in parts:
            if not isinstance(part, Key):
                values.append(part)
                continue
            if letter := letters.get(len(values)):
                values.append(letter(part.letter))
            values.append(part.number)
        if rest is not None:
            values[rest:] = [tuple(values[rest:])]
        for at, value in set_at:
            values.insert(at, value)
        return kind(*values)

    return build
