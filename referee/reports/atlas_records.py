"""The records of places and units: the statements of reports, one turn after the other."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from referee.reports.changes import entries
from referee.rules.ruleset import Event
from referee.rules.views import (
    Chart,
    Node,
    Sentences,
    Sighting,
    Table,
    Unit,
    UnitKind,
    Verbatim,
    View,
)


@dataclass(frozen=True, slots=True)
class SeenTurn:
    """The report of a turn, as its seat sees it now: the blocks, the map and the events."""

    number: int
    view: View
    chart: Chart
    events: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True)
class PlaceRecord:
    """The statements of a report about a place."""

    key: str
    sighting: Sighting
    owner: str
    marks: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class UnitRecord:
    """A unit in a report; *name* tells it from others, *place* is the key of its place.

    The name is the key, unless two units had one key in the same turn.
    """

    name: str
    key: str
    kind: str
    owner: str
    place: str
    reach: int
    text: str


@dataclass(frozen=True, slots=True)
class TurnRecords:
    """The statements of a turn's report, apart by subject; *news* are its events, with places."""

    turn: int
    places: tuple[PlaceRecord, ...]
    units: tuple[UnitRecord, ...]
    news: tuple[tuple[str, tuple[str, ...]], ...]


def records(turns: Sequence[SeenTurn]) -> tuple[TurnRecords, ...]:
    """Return the records of all turns, in their sequence."""
    shared = {key for turn in turns for key in _shared_keys(turn.chart)}
    told, hexes, known = list[TurnRecords](), set[str](), set[str]()
    for turn in turns:
        found = _of_turn(turn, shared)
        places = (*found.places, *_left(turn.chart, hexes))
        told.append(TurnRecords(found.turn, places, found.units, found.news))
        known |= {each.key for each in places}
        hexes = known & (hexes | {ground.name for ground in turn.chart.ground})
    return tuple(told)


def _left(chart: Chart, hexes: set[str]) -> Iterator[PlaceRecord]:
    """Yield empty hexes that are seen now, and that were places of earlier maps for their units."""
    keys = hexes - {node.key for node in chart.nodes}
    for ground in chart.ground:
        if ground.name in keys and ground.sighting is Sighting.SEEN:
            yield PlaceRecord(ground.name, Sighting.SEEN, "", (), "")


def _shared_keys(chart: Chart) -> Iterator[str]:
    """Yield the keys that several units of a map have, such as ships of two players."""
    keys = Counter(unit.key for node in chart.nodes for unit in node.units if _has_name(unit))
    return (key for key, count in keys.items() if count > 1)


def _has_name(unit: Unit) -> bool:
    return bool(unit.key) and unit.kind is not UnitKind.UNKNOWN


def _of_turn(turn: SeenTurn, shared: set[str]) -> TurnRecords:
    nodes = turn.chart.nodes
    units = [(node, unit) for node in nodes for unit in node.units if _has_name(unit)]
    found = _Texts({node.key for node in nodes}, {unit.key for _, unit in units})
    found.read(turn.view)
    return TurnRecords(
        turn.number,
        tuple(_place(node, found.of) for node in nodes),
        tuple(_unit(node, unit, found.of, shared) for node, unit in units),
        tuple(_news(turn.events, {node.key for node in nodes})),
    )


def _news(events: Iterable[Event], known: set[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    for event in events:
        yield event.text, tuple(key for key in event.places if key in known)


def _place(node: Node, texts: Mapping[str, list[str]]) -> PlaceRecord:
    nameless = (f"{unit.owner} {unit.text}".strip() for unit in node.units if not _has_name(unit))
    told = texts.get(node.key, node.details)
    lines = (*node.lines, *nameless, *told)
    marks = tuple(mark.value for mark in node.marks)
    return PlaceRecord(node.key, node.sighting, node.owner, marks, _joined(lines))


def _unit(node: Node, unit: Unit, texts: Mapping[str, list[str]], shared: set[str]) -> UnitRecord:
    is_shared = unit.key in shared
    # A row of a table names no owner, so the text of a shared key could be that of another.
    lines = (unit.text, *(() if is_shared else texts.get(unit.key, ())))
    name = f"{unit.key} ({unit.owner})" if is_shared else unit.key
    return UnitRecord(
        name, unit.key, unit.kind.value, unit.owner, node.key, unit.reach, _joined(lines)
    )


def _unfolded(text: str) -> str:
    """Return a record without the line breaks inside of its brackets, which move with its width."""
    lines = [""]
    for line in text.rstrip().split("\n"):
        if lines[-1].count("(") > lines[-1].count(")"):
            gap = "" if lines[-1].endswith((",", "(", "/")) else " "
            lines[-1] += gap + line.strip()
        else:
            lines.append(line)
    return "\n".join(lines[1:])


def _joined(lines: Iterable[str]) -> str:
    return "\n".join(dict.fromkeys(line for line in lines if line))


class _Texts:
    """The parts of a report, by the place or unit that each one begins with."""

    def __init__(self, places: set[str], units: set[str]) -> None:
        self._places, self._units = places, units
        self.of: dict[str, list[str]] = {}

    def read(self, view: View) -> None:
        """Add all blocks of a report; maps in letters say nothing that the chart does not."""
        for block in view:
            match block:
                case Verbatim():
                    self._lines(block.text)
                case Sentences():
                    self._lines("\n".join(block.sentences))
                case Table():
                    self._table(block)

    def _lines(self, text: str) -> None:
        for entry in entries(text):
            if entry.key in self._places:
                self.of.setdefault(entry.key, []).append(_unfolded(entry.text))

    def _table(self, table: Table) -> None:
        for row in table.rows:
            if (key := self._subject(row)) is not None:
                cells = zip(table.columns, row, strict=False)
                told = (f"{column}: {cell}" for column, cell in cells if cell and cell != key)
                self.of.setdefault(key, []).append(", ".join(told))

    def _subject(self, row: Sequence[str]) -> str | None:
        """Return the unit that a row is about, or else the place, or None."""
        keys = (cell for known in (self._units, self._places) for cell in row if cell in known)
        return next(keys, None)
