"""Maps as pictures: SVG, which can be zoomed and searched, and PNG, which every program shows."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from io import BytesIO
from itertools import groupby, pairwise
from math import hypot
from typing import Final, assert_never
from xml.sax.saxutils import escape

from PIL import Image, ImageDraw

from referee.domain.ruleset_results import WrongResult
from referee.reports.lettering import SMALL, font, set_out
from referee.reports.shapes import (
    INK,
    PAPER,
    SOLID,
    Box,
    Dash,
    Disc,
    Path,
    Point,
    Shape,
    Sketch,
    Word,
)
from referee.reports.sketch import sketch
from referee.reports.symbols import Colours
from referee.rules.views import Chart

_COLOURS: Final = 64
_FINER: Final = 2
"""The factor by which lines are drawn larger and then reduced, which makes them smooth."""
_MOST_PIXELS: Final = 30_000_000
"""The largest picture; a map of all worlds of StarWeb has half of that."""
_ROUND: Final = 5
_BASE: Final = 0.35
"""How far the base line of text is below its middle, in font sizes."""


def svg(chart: Chart, colours: Colours) -> bytes:
    """Return the picture of a map as SVG in UTF-8; the same map gives the same bytes."""
    return "\n".join(_svg(sketch(chart, colours))).encode()


def png(chart: Chart, colours: Colours) -> bytes:
    """Return the picture of a map as PNG with 64 colours. Raises WrongResult for a huge one."""
    drawing = sketch(chart, colours)
    if drawing.width * drawing.height > _MOST_PIXELS:
        raise WrongResult(f"a map of {drawing.width} by {drawing.height} pixels is too large")
    size = (drawing.width * _FINER, drawing.height * _FINER)
    image = Image.new("RGB", size, PAPER)
    _draw_shapes(ImageDraw.Draw(image), drawing)
    image = image.reduce(_FINER)
    _draw_words(ImageDraw.Draw(image), drawing)
    file = BytesIO()
    few = image.quantize(_COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    few.save(file, "PNG")
    return file.getvalue()


def _svg(drawing: Sketch) -> Iterator[str]:
    size = f'width="{drawing.width}" height="{drawing.height}"'
    box = f'viewBox="0 0 {drawing.width} {drawing.height}"'
    yield f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size} {box}'
    yield f'  font-family="Helvetica, Arial, sans-serif" font-size="{SMALL}" fill="{INK}">'
    yield f"<title>{_text(drawing.title)}</title>"
    yield f'<rect width="100%" height="100%" fill="{PAPER}"/>'
    for look, group in groupby(drawing.shapes, key=_look):
        if look is None:
            yield from (_element(shape) for shape in group)
        else:
            yield _paths([shape for shape in group if isinstance(shape, Path)])
    yield "</svg>\n"


def _look(shape: Shape) -> Path | None:
    """Return the look of a path, or None for others. Paths of one look are drawn as one element."""
    return replace(shape, points=()) if isinstance(shape, Path) else None


def _paths(paths: Sequence[Path]) -> str:
    lines = (" ".join(f"{_number(x)},{_number(y)}" for x, y in path.points) for path in paths)
    end = "z" if paths[0].closed else ""
    return f'<path d="{"".join(f"M{line}{end}" for line in lines)}" {_paint(paths[0])}/>'


def _element(shape: Shape) -> str:
    match shape:
        case Path():
            return _paths([shape])
        case Box():
            place = f'x="{shape.x}" y="{shape.y}" width="{shape.width}" height="{shape.height}"'
            return f'<rect {place} rx="{_ROUND}" {_paint(shape)}/>'
        case Disc():
            place = f'cx="{_number(shape.x)}" cy="{_number(shape.y)}" r="{_number(shape.radius)}"'
            paint = f'fill="{shape.fill or "none"}" stroke="{shape.edge}"{_width(shape.thickness)}'
            return f"<circle {place} {paint}/>"
        case Word():
            return _word(shape)
        case _:
            assert_never(shape)


def _word(word: Word) -> str:
    place = f'x="{_number(word.x)}" y="{_number(word.y + _BASE * word.size)}"'
    size = f' font-size="{word.size}"' if word.size != SMALL else ""
    colour = f' fill="{word.colour}"' if word.colour != INK else ""
    # Whatever font there is, the text is as wide as it was measured.
    wide = f' textLength="{_number(word.width)}"'
    return f"<text {place}{size}{colour}{wide}>{_text(word.text)}</text>"


def _paint(shape: Path | Box) -> str:
    dash = f' stroke-dasharray="{shape.dash[0]} {shape.dash[1]}"' if shape.dash != SOLID else ""
    return f'fill="{shape.fill or "none"}" stroke="{shape.edge}"{_width(shape.thickness)}{dash}'


def _width(thickness: float) -> str:
    return "" if thickness == 1 else f' stroke-width="{_number(thickness)}"'


def _number(value: float) -> str:
    """Return a number of pixels with at most one digit after the point."""
    return f"{value:.1f}".removesuffix(".0")


def _text(text: str) -> str:
    """Return *text* escaped for XML, with blanks for characters that cannot be printed."""
    return escape("".join(c if c.isprintable() else " " for c in text))


def _draw_shapes(pen: ImageDraw.ImageDraw, drawing: Sketch) -> None:
    for shape in drawing.shapes:
        if isinstance(shape, Path):
            _draw_path(pen, shape)
        elif isinstance(shape, Box):
            _draw_box(pen, shape)
        elif isinstance(shape, Disc):
            x, y, radius = _FINER * shape.x, _FINER * shape.y, _FINER * shape.radius
            edge = round(_FINER * shape.thickness)
            around = (x - radius, y - radius, x + radius, y + radius)
            pen.ellipse(around, shape.fill or None, shape.edge, edge)


def _draw_path(pen: ImageDraw.ImageDraw, path: Path) -> None:
    points = [(_FINER * x, _FINER * y) for x, y in path.points]
    if path.fill and path.closed:
        pen.polygon(points, path.fill)
    ends = [*points, points[0]] if path.closed else points
    thickness = max(1, round(_FINER * path.thickness))
    if path.dash == SOLID:
        pen.line(ends, path.edge, thickness, "curve" if path.closed else None)
        return
    for one, other in pairwise(ends):
        _draw_dashes(pen, one, other, path.dash, path.edge, thickness)


def _draw_box(pen: ImageDraw.ImageDraw, box: Box) -> None:
    left, top = _FINER * box.x, _FINER * box.y
    right, bottom = left + _FINER * box.width, top + _FINER * box.height
    solid = box.dash == SOLID
    pen.rounded_rectangle(
        (left, top, right, bottom),
        _FINER * _ROUND,
        box.fill,
        box.edge if solid else None,
        _FINER * box.thickness,
    )
    if not solid:
        corners = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]
        for one, other in pairwise(corners):
            _draw_dashes(pen, one, other, box.dash, box.edge, _FINER * box.thickness)


def _draw_dashes(
    pen: ImageDraw.ImageDraw, one: Point, other: Point, dash: Dash, colour: str, thickness: int
) -> None:
    length = hypot(other[0] - one[0], other[1] - one[1])
    if not length:
        return
    right, down = (other[0] - one[0]) / length, (other[1] - one[1]) / length
    drawn, step = _FINER * dash[0], _FINER * (dash[0] + dash[1])
    at = 0.0
    while at < length:
        end = min(length, at + drawn)
        ends = [(one[0] + right * d, one[1] + down * d) for d in (at, end)]
        pen.line(ends, colour, thickness)
        at += step


def _draw_words(pen: ImageDraw.ImageDraw, drawing: Sketch) -> None:
    for shape in drawing.shapes:
        if isinstance(shape, Word):
            place = (round(shape.x), round(shape.y))
            pen.text(place, set_out(shape.text), shape.colour, font(shape.size), "lm")
