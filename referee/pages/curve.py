"""The curve of a game as SVG: the scores of its seats, turn by turn, with their names."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from xml.sax.saxutils import escape

_WIDTH: Final = 420
"""As wide as a phone, so that its text can be read there."""
_TOP, _LEFT, _BELOW = 12, 36, 24
_ROW: Final = 14
"""The pixels between two names."""
_LETTER: Final = 7.3
"""The pixels of a letter, at most on average."""
_LEAST: Final = 200
_INK, _FAINT = "#16191d", "#8a939c"


@dataclass(frozen=True, slots=True)
class Line:
    """The scores of a seat, one for each turn of the curve, in its colour."""

    name: str
    colour: str
    scores: tuple[int, ...]
    bold: bool = False
    """Whether the reader had this seat."""

    @property
    def label(self) -> str:
        """The name with the last score."""
        return f"{self.name} {self.scores[-1]}"


@dataclass(frozen=True, slots=True)
class Curve:
    """The scores of all seats in these turns; *title* says what they are."""

    title: str
    turns: tuple[int, ...]
    lines: tuple[Line, ...]


def svg(curve: Curve) -> bytes:
    """Return the curve as SVG in UTF-8; the same curve gives the same bytes."""
    return "\n".join(_Plot(curve).drawn()).encode("utf-8", "replace")


class _Plot:
    def __init__(self, curve: Curve) -> None:
        self._curve = curve
        scores = [score for line in curve.lines for score in line.scores]
        self._low, self._high = min(0, *scores), max(1, *scores)
        longest = max(len(line.label) for line in curve.lines)
        self._right = _WIDTH - 22 - _LETTER * longest
        self._bottom = _TOP + max(_LEAST, _ROW * len(curve.lines))

    def drawn(self) -> Iterator[str]:
        """Yield the elements of the picture."""
        size = f"{_WIDTH} {self._bottom + _BELOW}"
        yield f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {size}"'
        yield f'  font-family="Helvetica, Arial, sans-serif" font-size="10.5" fill="{_INK}">'
        yield f"<title>{_text(self._curve.title)}</title>"
        yield '<rect width="100%" height="100%" fill="#ffffff"/>'
        yield from self._axes()
        ranked = sorted(self._curve.lines, key=lambda line: (-line.scores[-1], line.name))
        for line in sorted(ranked, key=lambda line: line.bold):
            yield from self._line(line)
        for line, at in zip(ranked, self._rows(ranked), strict=True):
            yield from self._label(line, at)
        yield "</svg>\n"

    def _x(self, number: int) -> float:
        steps = max(1, len(self._curve.turns) - 1)
        return round(_LEFT + number * (self._right - _LEFT) / steps, 1)

    def _y(self, score: float) -> float:
        part = (self._high - score) / (self._high - self._low)
        return round(_TOP + part * (self._bottom - _TOP), 1)

    def _axes(self) -> Iterator[str]:
        for score in _ticks(self._low, self._high):
            y = self._y(score)
            ends = f'x1="{_LEFT}" x2="{self._right}" y1="{y}" y2="{y}"'
            yield f'<line {ends} stroke="#d5d8dc"/>'
            yield f'<text x="{_LEFT - 5}" y="{y + 4}" text-anchor="end">{score}</text>'
        last = len(self._curve.turns) - 1
        for number in sorted({0, last // 2, last}):
            place = f'x="{self._x(number)}" y="{self._bottom + 17}" text-anchor="middle"'
            yield f"<text {place}>turn {self._curve.turns[number]}</text>"

    def _line(self, line: Line) -> Iterator[str]:
        points = " ".join(f"{self._x(n)},{self._y(score)}" for n, score in enumerate(line.scores))
        wide = 3.5 if line.bold else 2
        for colour, width in ((_INK if line.bold else _FAINT, wide + 1.5), (line.colour, wide)):
            look = f'fill="none" stroke="{colour}" stroke-width="{width}" stroke-linejoin="round"'
            yield f'<polyline points="{points}" {look}/>'

    def _rows(self, ranked: Sequence[Line]) -> Sequence[float]:
        """Return where the names are: near the ends of their lines, and never on each other."""
        rows: list[float] = []
        for number, line in enumerate(ranked):
            lowest = self._bottom - _ROW * (len(ranked) - 1 - number)
            above = rows[-1] + _ROW if rows else 0.0
            rows.append(min(max(self._y(line.scores[-1]), above), lowest))
        return rows

    def _label(self, line: Line, at: float) -> Iterator[str]:
        end, weight = self._y(line.scores[-1]), ' font-weight="bold"' if line.bold else ""
        ends = f'x1="{self._right}" y1="{end}" x2="{self._right + 8}" y2="{at}"'
        yield f'<line {ends} stroke="{_FAINT}"/>'
        place = f'x="{self._right + 8}" y="{at - 4}" width="8" height="8"'
        yield f'<rect {place} fill="{line.colour}" stroke="{_INK}"/>'
        yield f'<text x="{self._right + 19}" y="{at + 4}"{weight}>{_text(line.label)}</text>'


def _ticks(low: int, high: int) -> Iterator[int]:
    """Yield at most six round numbers from the lowest to the highest score."""
    sizes = (digit * 10**power for power in range(len(str(high - low)) + 1) for digit in (1, 2, 5))
    step = next(size for size in sizes if (high - low) // size < 5)
    yield from range(-(-low // step) * step, high + 1, step)


def _text(text: str) -> str:
    return escape("".join(c if c.isprintable() else " " for c in text))
