"""The names of ship classes: each empire has its own, so none reveals a class that it never met.

A class is stored under a key that is unique in the galaxy: its name, or if another class has that
key, its name with the code of its designer, such as ``lander/RE``. Players never see the key.
"""

from collections.abc import Iterable, Iterator
from itertools import chain, count

from referee.rulesets.star_empires.state import Empire


def class_name(empire: Empire, key: str) -> str:
    """Return the name under which an empire knows a class."""
    return empire.class_names.get(key) or key.partition("/")[0]


def names_in_use(empire: Empire) -> frozenset[str]:
    """Return the names of all classes that an empire has met, without capital letters."""
    unnamed = (class_name(empire, key) for key in empire.classes - empire.class_names.keys())
    return frozenset(map(str.casefold, chain(empire.class_names.values(), unnamed)))


def is_met(empire: Empire, key: str) -> bool:
    """Return whether an empire has the design of a class, or has seen a ship of it."""
    return key in empire.classes or key in empire.class_names


def meet(empire: Empire, key: str, reserved: frozenset[str] = frozenset()) -> None:
    """Choose the name under which an empire knows a class, when it first meets it.

    A second class of a name gets a number. No class gets one of the *reserved* names.
    """
    if not is_met(empire, key):
        taken = names_in_use(empire) | reserved
        wishes = _numbered(class_name(empire, key), "_")
        empire.class_names[key] = next(name for name in wishes if name.casefold() not in taken)


def learn(empire: Empire, key: str, reserved: frozenset[str] = frozenset()) -> None:
    """Add the design of a class to an empire's knowledge."""
    meet(empire, key, reserved)
    empire.classes.add(key)


def forget(empire: Empire, key: str) -> None:
    """Remove the design of a class; the class keeps its name."""
    if key in empire.classes:
        empire.class_names[key] = class_name(empire, key)
        empire.classes.discard(key)


def new_key(empire: Empire, name: str, keys: Iterable[str]) -> str:
    """Return the key of a new class of an empire; it differs from *keys* in more than case."""
    taken = set(map(str.casefold, keys))
    wishes = chain((name,), _numbered(f"{name}/{empire.code}"))
    return next(key for key in wishes if key.casefold() not in taken)


def _numbered(name: str, gap: str = "") -> Iterator[str]:
    """Return a name, then the name with 2, 3 and so on."""
    yield name
    for number in count(2):
        yield f"{name}{gap}{number}"
