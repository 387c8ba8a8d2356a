"""Forms of orders: what an order looks like that a player composes by pointing at a map."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

from referee.rules.views import UnitKind


class Target(Enum):
    """The target of an order, besides the unit or place that gets it."""

    NONE = "none"
    PLACE = "place"
    UNIT = "unit"
    OWNER = "owner"


FIELDS: Final = (
    "key", "number", "at", "at_number", "target", "target_number", "path", "steps", "owner",
    "amount", "choice", "word",
)  # fmt: skip
_FIELD: Final = re.compile(r"\{([a-z_]*)\}")


@dataclass(frozen=True, slots=True)
class OrderForm:
    """An order of the game as a text with fields in braces, for the player to fill in on a map.

    *label* says what it does: ``Move``. *unit* is the kind of unit that gets it, None a place, and
    *prefix* how its key begins; it must be the reader's own unless *own* is false. These fields
    can be in *pattern*:

    - ``{key}`` and ``{number}``: the key of the unit or place, and only the number in it
    - ``{at}`` and ``{at_number}``: the place of the unit, and only the number in it
    - ``{target}`` and ``{target_number}``: the place or unit that the order is aimed at; its key
      begins with one of *aims*, if there are any
    - ``{path}``: the keys of the places on the shortest way to the target place, with the target
    - ``{steps}``: for each step of a straight way there a *step*, in which ``{direction}`` is 1 for
      north-east and on clockwise to 6, or 0, and ``{level}`` is ``+``, ``=`` or ``-``
    - ``{owner}``: the name of another player
    - ``{amount}``: a number
    - ``{choice}``: one of *choices*, each with a meaning after a blank: ``I as I-Ships``
    - ``{word}``: a word, for which the player is asked with *asks*; it ends with an example after
      a colon, ``A fleet, also a new one: FA``

    *phases* are the phases in which the order is possible; none means all.
    """

    label: str
    pattern: str
    unit: UnitKind | None = None
    target: Target = Target.NONE
    prefix: str = ""
    aims: tuple[str, ...] = ()
    own: bool = True
    choices: tuple[str, ...] = ()
    asks: str = ""
    step: str = ""
    phases: tuple[str, ...] = ()

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields in the pattern, in its sequence."""
        return tuple(_FIELD.findall(self.pattern))


def filled(pattern: str, values: Mapping[str, str]) -> str:
    """Return the pattern with its fields filled in. Raises KeyError if a value is missing."""
    return _FIELD.sub(lambda found: values[found[1]], pattern)


_NEEDS: Final = {
    "target": (Target.PLACE, Target.UNIT),
    "target_number": (Target.PLACE, Target.UNIT),
    "path": (Target.PLACE,),
    "steps": (Target.PLACE,),
    "owner": (Target.OWNER,),
}


def form_faults(form: OrderForm) -> Iterator[str]:
    """Yield the faults of a form, as the end of a sentence that begins with "it"."""
    if not form.label or not form.label.isprintable() or not form.pattern.isprintable():
        yield "must have a label and a pattern of one line each"
    for name in form.fields:
        if name not in FIELDS:
            yield f"has an unknown field {{{name}}}"
        elif name in _NEEDS and form.target not in _NEEDS[name]:
            yield f"has a field {{{name}}}, but not the target for it"
    uses = {name: bool(part) for name, part in
            (("choice", form.choices), ("word", form.asks), ("steps", form.step))}  # fmt: skip
    for name, is_given in uses.items():
        if (name in form.fields) is not is_given:
            yield f"must have the field {{{name}}} and what belongs to it, or neither"
    if form.target is not Target.NONE and not any(name in form.fields for name in _NEEDS):
        yield f"has the target {form.target.value}, but no field for it"
    if form.asks and not form.asks.partition(": ")[2]:
        yield "must ask for a word with an example after a colon"
    if form.unit is None and {"at", "at_number"} & set(form.fields):
        yield "is for a place, which is at no other place"
