"""The fields and flags of a record, each with its form for reading and writing (s27)."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

Values = Mapping[str, Any]
"""The values of a field, by their names in the record."""


@dataclass(frozen=True, slots=True)
class Form:
    """The form of a field. *says* and *shows* are inverse to each other.

    *shows* returns the field for a record, or "" if the record does not need it.
    """

    label: str
    pattern: re.Pattern[str]
    says: Callable[[re.Match[str]], Values]
    shows: Callable[[Any], str]


def shown(forms: Iterable[Form], record: Any) -> list[str]:
    """Return the fields that *record* needs, as they are shown."""
    return [text for form in forms if (text := form.shows(record))]


def _count(label: str, name: str) -> Form:
    def shows(record: Any) -> str:
        count = getattr(record, name)
        return f"{label}={count}" if count else ""

    return Form(label, _number(label), lambda found: {name: int(found[1])}, shows)


def _mark(label: str, name: str) -> Form:
    def shows(record: Any) -> str:
        return label if getattr(record, name) else ""

    return Form(label, _words(label), lambda _: {name: True}, shows)


def _player(label: str, name: str) -> Form:
    pattern = re.compile(_words(label).pattern + r"\s*\[\s*([A-Za-z]+)\s*\]")

    def shows(record: Any) -> str:
        player = getattr(record, name)
        return f"{label} [{player}]" if player else ""

    return Form(label, pattern, lambda found: {name: found[1].upper()}, shows)


def _home_fleet(label: str, name: str) -> Form:
    did = f"{name}_did"
    pattern = _number(label, r"(?:\s*\((Ambush|[AC](?:F[0-9]+|C))\))?")

    def says(found: re.Match[str]) -> Values:
        return {name: int(found[1])} | ({} if found[2] is None else {did: found[2]})

    def shows(record: Any) -> str:
        ships, act = getattr(record, name), getattr(record, did)
        return f"{label}={ships}({act})" if act else f"{label}={ships}" if ships else ""

    return Form(label, pattern, says, shows)


def _industry() -> Form:
    def says(found: re.Match[str]) -> Values:
        usable = {} if found[2] is None else {"usable": int(found[2])}
        return {"industry": int(found[1])} | usable

    def shows(record: Any) -> str:
        if not record.industry:
            return ""
        usable = "" if record.usable == record.industry else f"/{record.usable}"
        return f"Industry={record.industry}{usable}"

    return Form("Industry", _number("Industry", r"(?:/([0-9]+))?"), says, shows)


def _population() -> Form:
    """Return the form of ``25/5C``, ``30C`` and ``50R`` (s27, settled case 1)."""

    def says(found: re.Match[str]) -> Values:
        people, converts, letter = int(found[1]), found[2], found[3]
        among = int(converts) if converts else people if letter == "C" else 0
        return {"population": people, "robots": letter == "R", "converts": among}

    def shows(record: Any) -> str:
        people, converts = record.population, record.converts
        if not people:
            # Like the original, the report of a bombed world says that nobody is left.
            return "Population=0" if record.busted and record.deaths else ""
        if record.robots:
            return f"Population={people}R"
        if not converts:
            return f"Population={people}"
        return f"Population={people}C" if converts == people else f"Population={people}/{converts}C"

    return Form("Population", _number("Population", r"(?:/([0-9]+)(?=C))?([CR]?)"), says, shows)


def _deaths() -> Form:
    def says(found: re.Match[str]) -> Values:
        dead, converts, letter = int(found[1]), found[2], found[3]
        if converts is None and not letter:
            return {"deaths": dead}
        return {"deaths": dead, "convert_deaths": dead if letter else int(converts)}

    def shows(record: Any) -> str:
        dead, converts = record.deaths, record.convert_deaths
        if not dead:
            return ""
        return f"Deaths={dead}" + ("C" if converts == dead else f"/{converts}" if converts else "")

    return Form("Deaths", _number("Deaths", r"(?:/([0-9]+)|(C))?"), says, shows)


def _plunder() -> Form:
    def says(found: re.Match[str]) -> Values:
        recovery = {} if found[2] is None else {"recovery": int(found[2])}
        return {"plunders": int(found[1])} | recovery

    def shows(record: Any) -> str:
        if not record.plunders:
            return ""
        return f"Plunder={record.plunders}" + (f"/{record.recovery}" if record.recovery else "")

    return Form("Plunder", _number("Plunder", r"(?:/([0-9]+))?"), says, shows)


def _planet_buster() -> Form:
    def shows(record: Any) -> str:
        return "PLANET-BUSTER" if record.bomb and not record.bomb_built else ""

    return Form("PLANET-BUSTER", _words("PLANET-BUSTER"), lambda _: {"bomb": True}, shows)


def _new_planet_buster() -> Form:
    label = "PLANET-BUSTER(Built)"

    def shows(record: Any) -> str:
        return label if record.bomb and record.bomb_built else ""

    return Form(label, _words(label), lambda _: {"bomb": True, "bomb_built": True}, shows)


def _acts() -> Form:
    pattern = re.compile(r"Moved|Ambush|[AC](?:F[0-9]+|[IPH])|[DRN](?![A-Za-z])")
    return Form("Moved", pattern, lambda found: {"did": (found[0],)}, lambda r: ",".join(r.did))


def _number(label: str, rest: str = "") -> re.Pattern[str]:
    return re.compile(rf"{re.escape(label)}\s*=\s*([0-9]+){rest}")


def _words(label: str) -> re.Pattern[str]:
    return re.compile(re.escape(label).replace(r"\ ", r"\s+"))


_ORIGIN: Final = (
    _mark("Captured", "captured"),
    _player("Lost by", "lost_by"),
    _player("Gift from", "gift_from"),
)

WORLD_FORMS: Final = (
    _mark("B*L*A*C*K H*O*L*E", "black_hole"),
    *_ORIGIN,
    _mark("BUSTED", "busted"),
    _industry(),
    _count("Metal", "metal"),
    _count("Mines", "mines"),
    _population(),
    _count("Limit", "limit"),
    _count("Turns", "turns"),
    _home_fleet("I-Ships", "iships"),
    _home_fleet("P-Ships", "pships"),
    _deaths(),
    _plunder(),
    _count("CG-Unload", "goods"),
)
"""The fields of a world, in the sequence of the printout."""

FLEET_FORMS: Final = (
    *_ORIGIN,
    _acts(),
    _count("Cargo", "cargo"),
    _mark("At-Peace", "at_peace"),
    _new_planet_buster(),
    _planet_buster(),
)
"""The fields of a fleet, in the sequence of the printout. Several acts are possible."""
