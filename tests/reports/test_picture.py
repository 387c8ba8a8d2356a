"""Maps as pictures."""

from io import BytesIO
from itertools import combinations, pairwise
from xml.etree import ElementTree

import pytest
from PIL import Image

from referee.reports.picture import png, svg
from referee.reports.sketch import PALETTE, Box, Word, sketch
from referee.rules.views import Chart, Link, Node, Sighting
from tests.reports.webs import explored

SVG = "{http://www.w3.org/2000/svg}"
FEW = Chart(
    (
        Node("W1", ("I=30 M=2", "F3 F7"), "CERES", since=1),
        Node("W2", (), "MARS", since=1),
        Node("W3", (), sighting=Sighting.UNEXPLORED, since=1),
    ),
    (Link("W1", "W2", 1), Link("W1", "W3", 1)),
    "SW-1 <turn 2> & CERES",
    ("CERES", "HATYSA", "MARS"),
)


def overlapping(boxes: list[Box]) -> list[tuple[Box, Box]]:
    """Return the pairs of boxes that overlap."""
    return [
        (a, b)
        for a, b in combinations(boxes, 2)
        if a.x < b.x + b.width
        and b.x < a.x + a.width
        and a.y < b.y + b.height
        and b.y < a.y + a.height
    ]


@pytest.mark.slow
def test_no_box_hides_another_and_all_are_on_the_paper() -> None:
    drawing = sketch(explored(255, 20, seed=1).chart(20))
    boxes = [shape for shape in drawing.shapes if isinstance(shape, Box)]
    assert len(boxes) > 200
    assert overlapping(boxes) == []
    assert min(min(box.x, box.y) for box in boxes) >= 0
    assert max(box.x + box.width for box in boxes) <= drawing.width
    assert max(box.y + box.height for box in boxes) <= drawing.height


def test_an_owner_keeps_the_same_colour_when_others_are_met() -> None:
    fills = [shape.fill for shape in sketch(FEW).shapes if isinstance(shape, Box)]
    assert fills[:2] == [PALETTE[0], PALETTE[2]]


def test_links_too_long_to_draw_are_written_at_both_ends() -> None:
    keys = [f"W{number}" for number in range(1, 40)]
    nodes = tuple(Node(key, (), since=since) for since, key in enumerate(keys))
    links = [Link(a, b, since) for since, (a, b) in enumerate(pairwise(keys), 1)]
    chart = Chart(nodes, (*links, Link("W1", "W39", 40)))
    words = [shape.text for shape in sketch(chart).shapes if isinstance(shape, Word)]
    assert [word for word in words if word.startswith("to ")] == ["to W39", "to W1"]


def test_an_svg_shows_every_place_by_name() -> None:
    root = ElementTree.fromstring(svg(FEW))
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert texts[:5] == ["W1", "I=30 M=2", "F3 F7", "W2", "W3"]
    assert texts[5:] == ["SW-1 <turn 2> & CERES", "CERES", "MARS", "unexplored"]
    assert len(list(root.iter(f"{SVG}line"))) == 2


def test_a_png_has_the_size_of_the_sketch_and_few_colours() -> None:
    drawing = sketch(FEW)
    image = Image.open(BytesIO(png(FEW)))
    assert (image.format, image.size) == ("PNG", (drawing.width, drawing.height))
    assert len(image.getcolors() or ()) <= 64


def test_nothing_known_is_a_picture_too() -> None:
    assert ElementTree.fromstring(svg(Chart((), ()))).tag == f"{SVG}svg"
    assert png(Chart((), ())).startswith(b"\x89PNG")
