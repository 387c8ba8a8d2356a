"""The fields and flags of a record, each with its form and what it says (s27)."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

Values = Mapping[str, Any]
"""What a field says: values by the names they have in the record."""


@dataclass(frozen=True, slots=True)
class Form:
    """A form of a field: how it looks, by what it is known in a message, and what it says."""

    shown: str
    pattern: re.Pattern[str]
    says: Callable[[re.Match[str]], Values]


def _count(shown: str, name: str) -> Form:
    pattern = re.compile(rf"{re.escape(shown)}\s*=\s*([0-9]+)")
    return Form(f"{shown}=", pattern, lambda found: {name: int(found[1])})


def _pair(shown: str, name: str, second: str) -> Form:
    pattern = re.compile(rf"{re.escape(shown)}\s*=\s*([0-9]+)(?:/([0-9]+))?")

    def says(found: re.Match[str]) -> Values:
        return {name: int(found[1])} | ({} if found[2] is None else {second: int(found[2])})

    return Form(f"{shown}=", pattern, says)


def _mark(shown: str, values: Values) -> Form:
    return Form(shown, re.compile(re.escape(shown).replace(r"\ ", r"\s+")), lambda _: values)


def _player(shown: str, name: str) -> Form:
    words = re.escape(shown).replace(r"\ ", r"\s+")
    pattern = re.compile(rf"{words}\s*\[\s*([A-Za-z]+)\s*\]")
    return Form(f"{shown} [", pattern, lambda found: {name: found[1].upper()})


def _home_fleet(shown: str, name: str) -> Form:
    pattern = re.compile(
        rf"{re.escape(shown)}\s*=\s*([0-9]+)(?:\s*\((Ambush|[AC](?:F[0-9]+|C))\))?"
    )

    def says(found: re.Match[str]) -> Values:
        return {name: int(found[1])} | ({} if found[2] is None else {f"{name}_did": found[2]})

    return Form(f"{shown}=", pattern, says)


def _people(found: re.Match[str]) -> Values:
    people, converts, letter = int(found[1]), found[2], found[3]
    if letter == "R":
        return {"population": people, "robots": True, "converts": 0}
    among = int(converts) if converts else people if letter == "C" else 0
    return {"population": people, "robots": False, "converts": among}


def _deaths(found: re.Match[str]) -> Values:
    dead, converts, letter = int(found[1]), found[2], found[3]
    if converts is None and not letter:
        return {"deaths": dead}
    return {"deaths": dead, "convert_deaths": dead if letter else int(converts)}


_ORIGIN: Final = (
    _mark("Captured", {"captured": True}),
    _player("Lost by", "lost_by"),
    _player("Gift from", "gift_from"),
)

WORLD_FORMS: Final = (
    _mark("B*L*A*C*K H*O*L*E", {"black_hole": True}),
    *_ORIGIN,
    _mark("BUSTED", {"busted": True}),
    _pair("Industry", "industry", "usable"),
    _count("Metal", "metal"),
    _count("Mines", "mines"),
    Form(
        "Population=", re.compile(r"Population\s*=\s*([0-9]+)(?:/([0-9]+)(?=C))?([CR]?)"), _people
    ),
    _count("Limit", "limit"),
    _count("Turns", "turns"),
    _home_fleet("I-Ships", "iships"),
    _home_fleet("P-Ships", "pships"),
    Form("Deaths=", re.compile(r"Deaths\s*=\s*([0-9]+)(?:/([0-9]+)|(C))?"), _deaths),
    _pair("Plunder", "plunders", "recovery"),
    _count("CG-Unload", "goods"),
)
"""In the sequence in which a printout has them."""

DEED: Final = Form(
    "Moved",
    re.compile(r"Moved|Ambush|[AC](?:F[0-9]+|[IPH])|[DRN](?![A-Za-z])"),
    lambda found: {"did": found[0]},
)
"""What a fleet did; the one flag that may come more than once."""

FLEET_FORMS: Final = (
    *_ORIGIN,
    _count("Cargo", "cargo"),
    _mark("At-Peace", {"at_peace": True}),
    _mark("PLANET-BUSTER(Built)", {"bomb": True, "bomb_built": True}),
    _mark("PLANET-BUSTER", {"bomb": True}),
)
