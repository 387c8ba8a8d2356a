"""Maps as pictures: SVG, which can be zoomed and searched, and PNG, which every program shows."""

from collections.abc import Iterator
from io import BytesIO
from typing import Final, assert_never
from xml.sax.saxutils import escape

from PIL import Image, ImageDraw, ImageFont

from referee.reports.sketch import PAPER, Box, Shape, Sketch, Stroke, Word, sketch
from referee.rules.views import Chart

_COLOURS: Final = 64
_FINER: Final = 2
"""The factor by which lines are drawn larger and then reduced, which makes them smooth."""
_ROUND: Final = 5


def svg(chart: Chart) -> bytes:
    """Return the picture of a map as SVG in UTF-8; the same map gives the same bytes."""
    return "\n".join(_svg(sketch(chart))).encode()


def png(chart: Chart) -> bytes:
    """Return the picture of a map as PNG with 64 colours."""
    drawing = sketch(chart)
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
    yield f'<svg xmlns="http://www.w3.org/2000/svg" {size} {box}'
    yield '  font-family="Helvetica, Arial, sans-serif">'
    yield f"<title>{_text(drawing.title)}</title>"
    yield f'<rect width="100%" height="100%" fill="{PAPER}"/>'
    for shape in drawing.shapes:
        yield _element(shape)
    yield "</svg>\n"


def _element(shape: Shape) -> str:
    match shape:
        case Stroke():
            ends = f'x1="{shape.x1}" y1="{shape.y1}" x2="{shape.x2}" y2="{shape.y2}"'
            return f'<line {ends} stroke="{shape.colour}"/>'
        case Box():
            place = f'x="{shape.x}" y="{shape.y}" width="{shape.width}" height="{shape.height}"'
            paint = f'fill="{shape.fill}" stroke="{shape.edge}" stroke-width="{shape.thickness}"'
            return f'<rect {place} rx="{_ROUND}" {paint}/>'
        case Word():
            anchor = ' text-anchor="middle"' if shape.centred else ""
            look = f'font-size="{shape.size}" fill="{shape.colour}"{anchor}'
            return f'<text x="{shape.x}" y="{shape.y}" dy=".35em" {look}>{_text(shape.text)}</text>'
        case _:
            assert_never(shape)


def _text(text: str) -> str:
    """Return *text* escaped for XML, with blanks for characters that cannot be printed."""
    return escape("".join(c if c.isprintable() else " " for c in text))


def _draw_shapes(pen: ImageDraw.ImageDraw, drawing: Sketch) -> None:
    for shape in drawing.shapes:
        if isinstance(shape, Stroke):
            ends = (shape.x1, shape.y1, shape.x2, shape.y2)
            pen.line([_FINER * end for end in ends], shape.colour, _FINER)
        elif isinstance(shape, Box):
            corners = (shape.x, shape.y, shape.x + shape.width, shape.y + shape.height)
            pen.rounded_rectangle(
                [_FINER * corner for corner in corners],
                _FINER * _ROUND,
                shape.fill,
                shape.edge,
                _FINER * shape.thickness,
            )


def _draw_words(pen: ImageDraw.ImageDraw, drawing: Sketch) -> None:
    words = [shape for shape in drawing.shapes if isinstance(shape, Word)]
    fonts = {size: ImageFont.load_default(size) for size in {word.size for word in words}}
    for word in words:
        place, anchor = (word.x, word.y), "mm" if word.centred else "lm"
        # The blanks of this font are hard to see at small sizes.
        pen.text(place, word.text.replace(" ", "  "), word.colour, fonts[word.size], anchor)
