"""The checks of a ruleset's description of itself: its names, numbers, options and phases."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Any, Final, get_type_hints

from referee.domain.house_rules import HOUSE_OPTIONS
from referee.domain.ruleset_results import mismatch
from referee.rules.ruleset import NameRule, Option, RulesetInfo

LONGEST_KEY: Final = 30
LONGEST_TITLE: Final = 40
LONGEST_EDITION: Final = 20
LONGEST_SENTENCE: Final = 400
MOST_SEATS: Final = 100
_LONGEST_SHOWN: Final = 80
_OF_HOUSE: Final = frozenset(option.name.casefold() for option in HOUSE_OPTIONS)


def typed_faults(what: str, found: Any) -> Iterator[str]:
    """Yield the fields of a dataclass that have another type than they are declared with."""
    hints = get_type_hints(type(found))
    for field in fields(found):
        if (wrong := mismatch(getattr(found, field.name), hints[field.name])) is not None:
            place = f"{what}.{field.name}{wrong.path}"
            yield f"its {place} is {shown(wrong.value)}, but must be {wrong.wanted}"


def offer_faults(info: RulesetInfo) -> Iterator[str]:
    """Yield the faults of what is used in commands and letters; every field has its type."""
    if not _fits("[a-z][a-z0-9_]*", info.key, LONGEST_KEY):
        yield (
            f"its key {info.key!r} must be at most {LONGEST_KEY} small letters, digits and "
            "underscores, and begin with a letter"
        )
    # The rule GAME in grammars/commands.lark has the same form.
    if not _fits("[A-Z]+", info.prefix, 5):
        yield f"its prefix {info.prefix!r} must be 1 to 5 capital letters, A to Z"
    if not _is_line(info.title, LONGEST_TITLE) or not any(map(str.isalnum, info.title)):
        yield (
            f"its title {shown(info.title)} must be one line of at most {LONGEST_TITLE} "
            "printable characters, with a letter, and with only single blanks between words"
        )
    if not _is_line(info.edition, LONGEST_EDITION):
        yield (
            f"its edition {shown(info.edition)} must be one line of at most {LONGEST_EDITION} "
            "printable characters, with only single blanks between words"
        )
    if not 1 <= info.fewest_seats <= info.most_seats <= MOST_SEATS:
        yield (
            f"fewest_seats={info.fewest_seats} and most_seats={info.most_seats} must be from 1 to "
            f"{MOST_SEATS}, the fewest not above the most"
        )
    yield from _phase_faults(info.phases)
    yield from _option_faults((*info.options, *info.choices))
    yield from _name_faults(info.names, info.most_seats)


def shown(value: object) -> str:
    """Return a value as Python writes it, cut if it is long."""
    text = repr(value)
    return text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN // 2]}..."


def _phase_faults(phases: Sequence[str]) -> Iterator[str]:
    if not phases:
        yield "its phases are empty; a game without several phases has one, ('orders',)"
    for phase in phases:
        # The rule PHASE in grammars/schedule.lark has the same form.
        if not _fits("[a-z][a-z0-9_-]*", phase, LONGEST_KEY):
            yield (
                f"its phase {shown(phase)} must be at most {LONGEST_KEY} small letters, digits, "
                "- and _, and begin with a letter"
            )
    yield from (f"two phases are called {shown(each)}" for each in _twice(phases))


def _option_faults(options: Sequence[Option]) -> Iterator[str]:
    for option in options:
        yield from _faults_of(option)
    names = [option.name.casefold() for option in options]
    yield from (f"two options are called {shown(name)}" for name in _twice(names))
    taken = [name for name in names if name in _OF_HOUSE]
    yield from (f"the option {name} is one of every game; see HELP OPTIONS" for name in taken)


def _faults_of(option: Option) -> Iterator[str]:
    # The rule SETTING in grammars/gm.lark has the same form.
    if not _fits("[A-Za-z_][A-Za-z0-9_.-]*", option.name, LONGEST_KEY):
        yield (
            f"its option {shown(option.name)} must be called by a word of at most {LONGEST_KEY} "
            "letters, digits, ., - and _, that begins with a letter"
        )
        return
    if type(option.default) is not option.kind:
        yield f"{option.name}={shown(option.default)} is no {option.kind.__name__}"
    elif option.kind is int and not option.lowest <= int(option.default) <= option.highest:
        yield f"{option.name}={option.default} is not from {option.lowest} to {option.highest}"
    elif option.choices and option.default not in ("", *option.choices):
        yield f"{option.name}={shown(option.default)} is not one of its choices"
    if not _is_line(option.sentence, LONGEST_SENTENCE) or not option.sentence.endswith("."):
        yield f"{option.name}: {shown(option.sentence)} is not one sentence"
    for word in (str(option.default), *option.choices):
        if word and not _is_line(word, LONGEST_SENTENCE):
            yield f"{option.name}: {shown(word)} is not one line"


def _name_faults(names: NameRule, seats: int) -> Iterator[str]:
    if not _is_line(names.sentence, LONGEST_SENTENCE):
        yield f"its names.sentence {shown(names.sentence)} is not one line"
    if len(set(names.stock)) < seats:
        yield (
            f"there must be at least as many stock names as seats: {seats} names in names.stock, "
            "for players who choose none"
        )
    try:
        re.compile(names.pattern)
    except re.error as error:
        yield f"its names.pattern {shown(names.pattern)} is not a regular expression: {error}"
        return
    unfit = [name for name in names.stock if not names.allows(name) or name in names.reserved]
    yield from (f"the stock name {shown(name)} is not allowed for players" for name in unfit)


def _twice(names: Sequence[str]) -> list[str]:
    return sorted({name for name in names if names.count(name) > 1})


def _fits(pattern: str, text: str, longest: int) -> bool:
    return len(text) <= longest and re.fullmatch(pattern, text) is not None


def _is_line(text: str, longest: int) -> bool:
    """Return whether a text is one line, with single blanks between its words."""
    return 0 < len(text) <= longest and text.isprintable() and text == " ".join(text.split())
