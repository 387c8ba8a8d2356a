"""The reader of world and fleet records, in the printout's notation with free spacing."""

import re
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Final

from referee.rules.ruleset import UserError
from referee.rulesets.starweb.artifacts import ARTIFACTS, artifact_name
from referee.rulesets.starweb.orders import ArtifactNumber, WorldNumber
from referee.rulesets.starweb.state import MOST, MOST_MINES
from referee.rulesets.starweb.text.fields import FLEET_FORMS, WORLD_FORMS, Form
from referee.rulesets.starweb.text.printout import DepartureRecord, FleetRecord, WorldRecord

_BLANKS: Final = re.compile(r"\s*")
_WORLD: Final = re.compile(r"W([0-9]+)")
_FLEET: Final = re.compile(r"F([0-9]+)")
_PLAYER: Final = re.compile(r"\[\s*([A-Za-z]+)\s*\]\s*:")
_SCORE: Final = re.compile(r"\(\s*Score\s*=\s*(-?[0-9]+)\s*\)")
_OWNER: Final = re.compile(r"\[\s*([A-Za-z]*)\s*\](?!\s*:)")
_APOSTLE: Final = re.compile(r"C\[\s*([A-Za-z]+)\s*\]")
_GATES: Final = re.compile(r"\((?=\s*(?:[0-9]|\)))")
_DEPARTURES: Final = re.compile(r"\((?=\s*F[0-9])")
_NUMBER: Final = re.compile(r"([0-9]+)")
_OPEN: Final = re.compile(r"\(")
_CLOSE: Final = re.compile(r"\)")
_COMMA: Final = re.compile(r",")
_END_OF_FIELD: Final = re.compile(r"(?=\s*(?:[,)]|$))")
_SHIPS: Final = re.compile(r"=\s*([0-9]+)")
_ARROW: Final = re.compile(r"-->\s*W([0-9]+)")
_ARTIFACT: Final = re.compile(r"V([0-9]+)(:?)")
_UNKNOWN_FIELD: Final = re.compile(r"[^,()\n]*")


class Scanner:
    """A text and the position up to which it has been read.

    Blanks and line ends between the parts are skipped.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0

    def sees(self, pattern: re.Pattern[str]) -> bool:
        """Return whether *pattern* comes next."""
        return pattern.match(self.text, self._next()) is not None

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Return the match of *pattern* if it comes next, and skip it."""
        found = pattern.match(self.text, self._next())
        if found:
            self.position = found.end()
        return found

    def expect(self, pattern: re.Pattern[str], what: str) -> re.Match[str]:
        """Return the match of *pattern*, and skip it. Raises UserError if it does not come next."""
        found = self.take(pattern)
        if found is None:
            self.position = self._next()
            raise self.mistake(f"expected {what}, but found {self._shown()}")
        return found

    def at_end(self) -> bool:
        """Return whether only blanks are left."""
        return self._next() == len(self.text)

    def place(self) -> str:
        """Return where the next part begins: ``line 2, column 7``."""
        return self._place(self._next())

    def mistake(self, message: str, position: int | None = None) -> UserError:
        """Return the error *message* with its line and column, here or at *position*."""
        place = self.place() if position is None else self._place(position)
        return UserError(f"{place}: {message}")

    def _next(self) -> int:
        found = _BLANKS.match(self.text, self.position)
        assert found is not None
        return found.end()

    def _place(self, position: int) -> str:
        before = self.text[:position]
        line = before.count("\n") + 1
        return f"line {line}, column {position - before.rfind(chr(10))}"

    def _shown(self) -> str:
        rest = self.text[self.position :].split("\n", 1)[0]
        if not rest:
            return "the end"
        return f'"{rest[:20]}..."' if len(rest) > 20 else f'"{rest}"'


@dataclass(frozen=True, slots=True)
class FleetEntry:
    """A fleet's record as read: its values, and the names of those that were given."""

    record: FleetRecord
    named: frozenset[str]
    place: str


@dataclass(frozen=True, slots=True)
class WorldEntry:
    """A world's record as read: its values, the names of those given, and its fleets."""

    record: WorldRecord
    named: frozenset[str]
    fleets: tuple[FleetEntry, ...]
    place: str


@dataclass(frozen=True, slots=True)
class PlayerEntry:
    """A player's score as read: ``[CERES]: (Score=481)``."""

    name: str
    score: int
    place: str


@dataclass(frozen=True, slots=True)
class Entries:
    """All records of a text; *fleets* are those listed without a world."""

    worlds: tuple[WorldEntry, ...] = ()
    fleets: tuple[FleetEntry, ...] = ()
    players: tuple[PlayerEntry, ...] = ()


def read_records(text: str) -> Entries:
    """Read the records in *text*.

    Blanks and line ends between the parts do not matter. Connections, owners and fields are
    optional. Raises UserError, with line and column, if something is not a record, is named
    twice, or exceeds what a world or a key can hold.
    """
    scanner = Scanner(text)
    worlds: list[WorldEntry] = []
    fleets: list[FleetEntry] = []
    players: list[PlayerEntry] = []
    while not scanner.at_end():
        if scanner.sees(_WORLD):
            worlds.append(_world(scanner))
        elif scanner.sees(_PLAYER):
            players.append(_player(scanner))
        elif scanner.sees(_FLEET):
            fleets.append(_fleet(scanner))
        else:
            scanner.expect(_WORLD, "a record, such as W3 [A] (Metal=15) or F5[A]=2")
    return Entries(tuple(worlds), tuple(fleets), tuple(players))


def _world(scanner: Scanner) -> WorldEntry:
    place = scanner.place()
    values: dict[str, Any] = {"number": _place_number(scanner, scanner.expect(_WORLD, "W3"))}
    if scanner.take(_GATES):
        values["gates"] = _gates(scanner)
    if owner := scanner.take(_OWNER):
        values["owner"] = owner[1].upper()
    if apostle := scanner.take(_APOSTLE):
        values["apostle"] = apostle[1].upper()
    if not scanner.sees(_DEPARTURES) and scanner.take(_OPEN):
        _read_fields(scanner, WORLD_FORMS, values)
    if artifacts := _artifacts(scanner):
        values["artifacts"] = artifacts
    fleets, departures = _below(scanner)
    if departures:
        values["departures"] = departures
    if values.get("converts", 0) > values.get("population", 0):
        raise UserError(f"{place}: W{values['number']} has more converts than people")
    named = frozenset(values) - {"number"}
    values.setdefault("usable", values.get("industry", 0))
    record = WorldRecord(**values, fleets=tuple(entry.record for entry in fleets))
    return WorldEntry(record, named, fleets, place)


def _below(scanner: Scanner) -> tuple[tuple[FleetEntry, ...], tuple[DepartureRecord, ...]]:
    fleets: list[FleetEntry] = []
    while scanner.sees(_FLEET):
        fleets.append(_fleet(scanner))
    departures: list[DepartureRecord] = []
    if scanner.take(_DEPARTURES):
        while not scanner.take(_CLOSE):
            departures.append(_departure(scanner))
    return tuple(fleets), tuple(departures)


def _fleet(scanner: Scanner) -> FleetEntry:
    place = scanner.place()
    values: dict[str, Any] = {"number": _place_number(scanner, scanner.expect(_FLEET, "F5"))}
    values["owner"] = scanner.expect(_OWNER, "an owner, [CERES] or []")[1].upper()
    if ships := scanner.take(_SHIPS):
        values["ships"] = _bounded(scanner, "ships", ships[1])
    if not scanner.sees(_DEPARTURES) and scanner.take(_OPEN):
        _read_fields(scanner, FLEET_FORMS, values)
    if artifacts := _artifacts(scanner):
        values["artifacts"] = artifacts
    return FleetEntry(FleetRecord(**values), frozenset(values) - {"number"}, place)


def _player(scanner: Scanner) -> PlayerEntry:
    place = scanner.place()
    name = scanner.expect(_PLAYER, "[CERES]:")[1].upper()
    score = scanner.expect(_SCORE, "(Score=481)")[1]
    if len(score) > 9:
        raise scanner.mistake(f"a score cannot be {score[:20]}")
    return PlayerEntry(name, int(score), place)


def _gates(scanner: Scanner) -> tuple[WorldNumber, ...]:
    gates: list[WorldNumber] = []
    if scanner.take(_CLOSE):
        return ()
    while True:
        found = scanner.expect(_NUMBER, "a world's number")
        number = _place_number(scanner, found)
        if number in gates:
            raise scanner.mistake(f"W{number} is named twice", found.start())
        gates.append(number)
        if scanner.take(_CLOSE):
            return tuple(gates)
        scanner.expect(_COMMA, "a comma or a closing parenthesis")


def _departure(scanner: Scanner) -> DepartureRecord:
    fleet = _place_number(scanner, scanner.expect(_FLEET, "a departure, such as F68[HATYSA]-->W13"))
    owner = scanner.expect(_OWNER, "an owner, [CERES] or []")[1].upper()
    to = _place_number(scanner, scanner.expect(_ARROW, "--> and a world"))
    return DepartureRecord(fleet, owner, to)


def _artifacts(scanner: Scanner) -> tuple[ArtifactNumber, ...]:
    artifacts: list[ArtifactNumber] = []
    while found := scanner.take(_ARTIFACT):
        text = found[1]
        if len(text) > 3 or int(text) not in ARTIFACTS:
            raise scanner.mistake(f"there is no artifact V{text[:20]}", found.start())
        name = artifact_name(int(text))
        if found[2]:
            scanner.expect(_loose(name), f"the name of V{text}, {name}")
        if int(text) in artifacts:
            raise scanner.mistake(f"V{text} is named twice", found.start())
        artifacts.append(int(text))
    return tuple(artifacts)


def _loose(name: str) -> re.Pattern[str]:
    return re.compile(re.escape(name).replace(r"\ ", r"\s+") + r"(?![A-Za-z])")


def _read_fields(scanner: Scanner, forms: tuple[Form, ...], values: dict[str, Any]) -> None:
    """Read fields up to the closing parenthesis into *values*."""
    if scanner.take(_CLOSE):
        return
    while True:
        _read_field(scanner, forms, values)
        if scanner.take(_CLOSE):
            return
        scanner.expect(_COMMA, "a comma or a closing parenthesis")


def _read_field(scanner: Scanner, forms: tuple[Form, ...], values: dict[str, Any]) -> None:
    begin = scanner.position
    for form in forms:
        found = scanner.take(form.pattern)
        if found and scanner.sees(_END_OF_FIELD):
            _keep(scanner, form, found, values)
            return
        scanner.position = begin
    raise _unknown(scanner, forms)


def _keep(scanner: Scanner, form: Form, found: re.Match[str], values: dict[str, Any]) -> None:
    for name, value in form.says(found).items():
        if name == "did":
            value = values.pop(name, ()) + value
        if name in values:
            raise scanner.mistake(f"{form.label} is named twice", found.start())
        values[name] = value
        if type(value) is int:
            _bounded(scanner, name, str(value), found.start())


def _unknown(scanner: Scanner, forms: tuple[Form, ...]) -> UserError:
    begin = scanner.position
    found = scanner.take(_UNKNOWN_FIELD)
    scanner.position = begin
    text = found[0].strip() if found else ""
    names = [form.label for form in forms]
    close = get_close_matches(text.split("=")[0], names, n=1)
    advice = f". Did you mean {close[0]}?" if close else ""
    return scanner.mistake(f'unknown field "{text[:30]}"{advice}')


def _place_number(scanner: Scanner, found: re.Match[str]) -> int:
    text = found[1]
    if len(text) > 3 or not 1 <= int(text) <= MOST:
        raise scanner.mistake(
            f"expected a number from 1 to {MOST}, but found {text[:20]}", found.start(1)
        )
    return int(text)


def _bounded(scanner: Scanner, name: str, text: str, position: int | None = None) -> int:
    most = MOST_MINES if name == "mines" else MOST
    if len(text) > 9 or int(text) > most:
        raise scanner.mistake(f"{name} can be at most {most}, not {text[:20]}", position)
    return int(text)
