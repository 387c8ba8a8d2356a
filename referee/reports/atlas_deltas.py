"""The history of places and units as differences from turn to turn, which are small."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from referee.reports.atlas_records import PlaceRecord, TurnRecords, UnitRecord
from referee.rules.views import Sighting

SAME: Final = 0
"""Stands for a text that is the same as in the record before."""
_SIGHTINGS: Final = (Sighting.SEEN, Sighting.REMEMBERED, Sighting.UNEXPLORED)
Delta = int | str | list[int | str | list[int | str]]
Row = list[Any]


@dataclass(slots=True)
class Words:
    """Texts that are used often, each kept once, by their numbers."""

    all: list[str] = field(default_factory=list)
    _numbers: dict[str, int] = field(default_factory=dict)

    def number(self, text: str) -> int:
        """Return the number of a text, which is kept from now on."""
        if text not in self._numbers:
            self._numbers[text] = len(self.all)
            self.all.append(text)
        return self._numbers[text]


def text_delta(before: str, after: str) -> Delta:
    """Return the difference of two texts of several lines, as the page reads it.

    It is SAME, or the new text, or a list. One that begins with ONLY_NUMBERS goes on with each part
    of the old text that has changed, by its place between the numbers and what is around them. Any
    other list has an item for each line: the number of the same line in the old text, or a list
    of such a number and the parts of that line that have changed, or the new line.
    """
    if before == after:
        return SAME
    if _form(before) == _form(after):
        return [ONLY_NUMBERS, *_changed(before, after)]
    old = before.split("\n")
    where = {line: at for at, line in reversed([*enumerate(old)])}
    alike = {_form(line): at for at, line in reversed([*enumerate(old)])}
    items: list[int | str | list[int | str]] = []
    for line in after.split("\n"):
        if line in where:
            items.append(where[line])
        elif (at := alike.get(_form(line))) is not None:
            items.append([at, *_changed(old[at], line)])
        else:
            items.append(line)
    return after if all(isinstance(item, str) for item in items) else items


ONLY_NUMBERS: Final = -1
_NUMBER: Final = re.compile("([0-9]+)")


def _form(text: str) -> str:
    """Return a text without its numbers, but with their places."""
    return _NUMBER.sub("0", text)


def _changed(before: str, after: str) -> Iterator[int | str]:
    """Yield the place and the new value of each number that differs in two texts of one form."""
    pairs = zip(_NUMBER.split(before), _NUMBER.split(after), strict=True)
    for at, (old, new) in enumerate(pairs):
        if old != new:
            yield at
            yield _short(new)


def _short(digits: str) -> int | str:
    """Return a number as one, which is shorter, if it is written as a number."""
    return int(digits) if len(digits) < _EXACT and str(int(digits)) == digits else digits


_EXACT: Final = 16
"""The digits up to which a number is exact in JavaScript."""


@dataclass(slots=True)
class History:
    """The rows of all turns; a place or unit has the number of its first appearance."""

    words: Words = field(default_factory=Words)
    places: Words = field(default_factory=Words)
    units: Words = field(default_factory=Words)
    _rows: dict[tuple[str, int], Row] = field(default_factory=dict)
    _texts: dict[tuple[str, int], str] = field(default_factory=dict)

    def turns(self, turns: Sequence[TurnRecords]) -> list[dict[str, Any]]:
        """Return each turn as the page reads it.

        A place is a row of number, sighting, owner, marks, text; a unit is a row of number, key,
        kind, owner, place, reach, text. A row that is the same as the one before is only its
        number, and one of which only the text differs has only number and text. A place that is
        unexplored, or remembered as before, is left out after its first row.
        """
        return [
            {
                "n": turn.turn,
                "p": list(self._places(turn.places)),
                "u": list(self._units(turn.units)),
                "t": [
                    [self.words.number(text), *map(self.places.number, places)]
                    for text, places in turn.news
                ],
            }
            for turn in turns
        ]

    def _places(self, records: Iterable[PlaceRecord]) -> Iterator[int | Row]:
        for record in records:
            number = self.places.number(record.key)
            row = [
                _SIGHTINGS.index(record.sighting),
                self.words.number(record.owner),
                self.words.number(", ".join(record.marks)),
            ]
            changed = self._changed("p", number, row, record.text)
            if record.sighting is Sighting.SEEN or isinstance(changed, list):
                yield changed

    def _units(self, records: Iterable[UnitRecord]) -> Iterator[int | Row]:
        for record in records:
            number = self.units.number(record.name)
            row = [
                self.words.number(record.key),
                self.words.number(record.kind),
                self.words.number(record.owner),
                self.places.number(record.place),
                record.reach,
            ]
            yield self._changed("u", number, row, record.text)

    def _changed(self, kind: str, number: int, row: Row, text: str) -> int | Row:
        delta = text_delta(self._texts.get((kind, number), ""), text)
        is_alike = self._rows.get((kind, number)) == row
        self._rows[kind, number], self._texts[kind, number] = row, text
        if is_alike:
            return number if delta == SAME else [number, delta]
        return [number, *row, delta]
