"""The checks of a ruleset before it is used: its interface, description, files and names."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from referee.domain.ruleset_names import folded, names_of
from referee.domain.ruleset_results import RETURNED
from referee.parsing.grammar_text import names_file
from referee.plugins.info import offer_faults, shown, typed_faults
from referee.resources import folder, located
from referee.rules.extras import Extras, extras_of
from referee.rules.order_forms import form_faults
from referee.rules.ruleset import Grammar, Phase, Ruleset, RulesetInfo, Seat

Ships = Callable[[str], bool]
"""Returns whether a top-level package comes with the ruleset."""


def interface_faults(key: str, found: object) -> Iterator[str]:
    """Yield why *found* is not a ruleset of that key; after a fault, check nothing else."""
    if isinstance(found, type):
        yield f"it is the class {found.__name__}; a ruleset is an instance of it"
        return
    info = getattr(found, "info", None)
    if not isinstance(info, RulesetInfo):
        yield "its info is not a RulesetInfo"
        return
    if info.key != key:
        yield f"its info.key is {info.key!r}, but must be the name of the entry point"
    if not isinstance(getattr(found, "state_type", None), type):
        yield "its state_type is not a class"
    yield from typed_faults("info", info)
    missing = [name for name in sorted(RETURNED) if not callable(getattr(found, name, None))]
    if missing:
        yield f"it lacks {', '.join(missing)}"
    extras = getattr(found, "extras", Extras())
    if not isinstance(extras, Extras):
        yield "its extras are not an Extras"
        return
    yield from typed_faults("extras", extras)


def rulebook_faults(rules: Ruleset[Any, Any], ships: Ships) -> Iterator[str]:
    """Yield the fault in the place of the rulebook, if any."""
    place = extras_of(rules).rulebook
    if place:
        yield from place_faults("rulebook", place, folder("docs") / "rulesets", ships)


def tutorial_faults(rules: Ruleset[Any, Any], ships: Ships) -> Iterator[str]:
    """Yield the faults in the tutorial's place, and in what it needs, if there is one."""
    extras = extras_of(rules)
    if extras.tutorial:
        yield from place_faults("tutorial", extras.tutorial, folder("docs") / "rulesets", ships)
        if extras.robot is None:
            yield "it has a tutorial, but no robot to play against"


def order_form_faults(rules: Ruleset[Any, Any]) -> Iterator[str]:
    """Yield the faults of the forms in which a player composes orders on an atlas."""
    for form in extras_of(rules).order_forms:
        yield from (f"its order form {shown(form.label)} {fault}" for fault in form_faults(form))
        for phase in form.phases:
            if phase not in rules.info.phases:
                yield f"its order form {shown(form.label)} is for {shown(phase)}, which is no phase"


def grammar_faults(grammar: object, ships: Ships) -> Iterator[str]:
    """Yield the fault in the place of a grammar, if any."""
    if not isinstance(grammar, Grammar):
        yield f"its grammar is {shown(grammar)}, which is not a Grammar"
        return
    wrong = [*typed_faults("grammar", grammar)]
    yield from wrong
    if not wrong and names_file(grammar.source):
        yield from place_faults("grammar", grammar.source, folder("grammars"), ships)


def place_faults(what: str, place: str, home: Path, ships: Ships) -> Iterator[str]:
    """Yield the fault of a place unless it is a file of a package that the ruleset ships."""
    package, in_package, _ = place.rpartition(":")
    if in_package and not ships(package.partition(".")[0]):
        yield f"its {what} {place!r} is in a package that it does not ship"
        return
    try:
        if not located(place, home).is_file():
            yield f"its {what} {place!r} does not exist"
    except (ImportError, TypeError):
        yield f"its {what} {place!r} is not in a package"
    except ValueError as error:
        yield f"its {what} {place!r} {error}"


def value_faults(rules: Ruleset[Any, Any], ships: Ships) -> Iterator[str]:
    """Yield the faults in a ruleset's description of itself, and in its files."""
    yield from offer_faults(rules.info)
    yield from rulebook_faults(rules, ships)
    yield from tutorial_faults(rules, ships)
    yield from order_form_faults(rules)
    for grammar in grammars_of(rules):
        yield from grammar_faults(grammar, ships)


def golden_faults(place: str, ships: Ships) -> Iterator[str]:
    """Yield the fault in the file of a golden game, which need not exist yet."""
    package, in_package, _ = place.rpartition(":")
    if not in_package or not ships(package.partition(".")[0]):
        yield f"its golden game {place!r} is not in a package that it ships"
        return
    try:
        located(place, Path())
    except (ImportError, TypeError):
        yield f"its golden game {place!r} is not in a package"
    except ValueError as error:
        yield f"its golden game {place!r} {error}"


def grammars_of(rules: Ruleset[Any, Any]) -> Iterator[Grammar]:
    """Yield the order languages of all phases as in turn 1, each source once.

    Exceptions of the ruleset are not caught.
    """
    sources = set()
    for key in rules.info.phases:
        grammar = rules.grammar(Phase(key, key, frozenset({Seat(1)})))
        if (source := getattr(grammar, "source", key)) not in sources:
            sources.add(source)
            yield grammar


_FIELDS: Final = ("key", "title", "prefix")


def clashes(info: RulesetInfo, other: RulesetInfo) -> Iterator[str]:
    """Yield the names of *info* that would be read as the ruleset *other*, or as a game of it."""
    taken = {folded(name): name for name in reversed(names_of(other))}
    for field, name in zip(_FIELDS, names_of(info), strict=True):
        if folded(name) in taken:
            yield f"its {field} {name!r} is read as {taken[folded(name)]!r}, a name of"
        elif re.fullmatch(f"{folded(other.prefix)}[0-9]+", folded(name)):
            yield f"its {field} {name!r} is read as the name of a game of"
        elif field != "prefix" and _begin_alike(name, other):
            yield f"HELP cannot tell its {field} {name!r} from a chapter of"


def _begin_alike(name: str, other: RulesetInfo) -> bool:
    """Return whether one name begins with all words of the other, as HELP names chapters."""
    words = name.upper().split()
    for theirs in (other.key.upper().split(), other.title.upper().split()):
        shorter = min(len(words), len(theirs))
        if words[:shorter] == theirs[:shorter]:
            return True
    return False
