"""Maps as pictures."""

from dataclasses import replace
from io import BytesIO
from itertools import combinations, pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from referee.domain.ruleset_results import WrongResult
from referee.reports.picture import png, svg
from referee.reports.shapes import OWN, Box
from referee.reports.sketch import sketch
from referee.reports.symbols import OTHERS, PALETTE, Colours, colours_of
from referee.rules.spots import corner, flat, pointy
from referee.rules.views import (
    Area,
    Chart,
    Grid,
    Ground,
    Link,
    LinkKind,
    Mark,
    Node,
    Panel,
    Range,
    Sighting,
    Spot,
    Unit,
    UnitKind,
)
from tests.reports import drawn
from tests.reports.webs import explored
from tests.support.examples import examples
from tests.support.pictures import FOLDER, galaxies

SVG = "{http://www.w3.org/2000/svg}"
KEYS = tuple(Unit(f"F{number}", "CERES", UnitKind.FLEET) for number in (3, 7))
FEW = Chart(
    (
        Node("W1", ("I=30 M=2",), "CERES", since=1, units=KEYS, marks=(Mark.HOME,)),
        Node("W2", (), "MARS", since=1),
        Node("W3", (), sighting=Sighting.UNEXPLORED, since=1),
    ),
    (Link("W1", "W2", 1), Link("W1", "W3", 1)),
    "SW-1 <turn 2> & CERES",
    ("CERES", "HATYSA", "MARS"),
)
COLOURS = colours_of(("MARS", "CERES", "HATYSA"))


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


def boxes(chart: Chart, colours: Colours = ()) -> list[Box]:
    """Return the boxes of a map, with the samples in its legend."""
    return [shape for shape in sketch(chart, colours).shapes if isinstance(shape, Box)]


@pytest.mark.slow
def test_a_map_of_two_places_far_apart_takes_no_memory() -> None:
    nodes = tuple(Node(f"H{n}", ("x",), spot=pointy(n, 0)) for n in (0, 5_000))
    far = Chart(nodes, (), "t", (), Grid.POINTY_HEXES, (Panel("", ""),))
    with pytest.raises(WrongResult, match="is too large"):
        png(far, ())


@pytest.mark.slow
def test_no_box_hides_another_and_all_are_on_the_paper() -> None:
    drawing = sketch(explored(255, 20, seed=1).chart(20), ())
    found = [shape for shape in drawing.shapes if isinstance(shape, Box)]
    assert len(found) > 200
    assert overlapping(found) == []
    assert min(min(box.x, box.y) for box in found) >= 0
    assert max(box.x + box.width for box in found) <= drawing.width
    assert max(box.y + box.height for box in found) <= drawing.height
    assert drawn.overlapping(drawing) == []


def test_a_seat_has_its_colour_and_the_reader_a_bold_border() -> None:
    # The legend comes first: a sample of a place that nobody has explored.
    found = [(box.fill, box.thickness) for box in boxes(FEW, COLOURS)][1:3]
    assert found == [(PALETTE[1], OWN), (PALETTE[0], 1)]
    nobodys = [(box.fill, box.thickness) for box in boxes(replace(FEW, owners=()), COLOURS)][1:3]
    assert nobodys == [(PALETTE[1], 1), (PALETTE[0], 1)]
    assert [box.fill for box in boxes(FEW)][1:3] == [OTHERS, OTHERS]


def test_links_too_long_to_draw_are_written_at_both_ends() -> None:
    keys = [f"W{number}" for number in range(1, 40)]
    nodes = tuple(Node(key, (), since=since) for since, key in enumerate(keys))
    links = [Link(a, b, since) for since, (a, b) in enumerate(pairwise(keys), 1)]
    chart = Chart(nodes, (*links, Link("W1", "W39", 40)))
    said = [word.text for word in drawn.words(sketch(chart, ()))]
    assert [word for word in said if word.startswith("to ")] == ["to W39", "to W1"]


def test_an_svg_shows_every_place_and_unit_by_name() -> None:
    root = ElementTree.fromstring(svg(FEW, COLOURS))
    texts = [text.text for text in root.iter(f"{SVG}text")]
    # A flag has the letter of its owner, and a unit the letter of its own.
    assert texts == [
        "SW-1 <turn 2> & CERES",
        *("C", "CERES (bold border)", "M", "MARS", "unexplored", "fleet", "home"),
        *("C", "W1", "I=30 M=2", "C", "F3", "F7"),
        *("M", "W2"),
        "W3",
    ]


def test_text_is_as_wide_as_it_was_measured_whatever_the_font() -> None:
    root = ElementTree.fromstring(svg(FEW, COLOURS))
    lengths = [text.get("textLength") for text in root.iter(f"{SVG}text")]
    widths = [f"{word.width:.1f}".removesuffix(".0") for word in drawn.words(sketch(FEW, COLOURS))]
    assert lengths == widths


def test_what_does_not_fit_is_in_the_key_and_nothing_is_cut() -> None:
    many = tuple(Unit(f"F{number}", "MARS", UnitKind.FLEET) for number in range(100, 160))
    node = Node("W1", ("a long line " * 20,), "CERES", units=many)
    drawing = sketch(replace(FEW, nodes=(node, *FEW.nodes[1:])), ())
    said = [word.text for word in drawn.words(drawing)]
    assert drawn.overlapping(drawing) == []
    key = " ".join(said[said.index("1", said.index("1") + 1) :])
    assert key.startswith("1 W1: a long line a long line")
    assert key.endswith("F158 F159")


def test_a_name_of_any_length_fits() -> None:
    long = "M" * 60
    node = Node(long, (), long, spot=Spot("", 0, 0), units=(Unit(long, long, UnitKind.SHIP),))
    for grid in Grid:
        panels = (Panel("", long),) if grid is not Grid.NONE else ()
        chart = Chart((node,), (), long, (long,), grid, panels)
        drawing = sketch(chart, ())
        assert drawn.overlapping(drawing) == []
        assert drawn.off_paper(drawing) == []
        assert drawn.sticking_out(drawing) == []


def test_hexes_have_their_names_and_what_is_on_them() -> None:
    here, there = Spot("B", 0.0, 0.0), Spot("B", 1.0, 0.0)
    chart = Chart(
        (
            Node("W5", ("gray",), spot=here),
            Node("Storm", (), spot=here, marks=(Mark.STORM,)),
        ),
        (Link("W5", "Storm", kind=LinkKind.JUMP),),
        grid=Grid.POINTY_HEXES,
        panels=(Panel("A", "Level A", level=1), Panel("B", "Level B", level=2)),
        ground=(Ground(here, "1B"), Ground(there, "2B"), Ground(Spot("A", 0.0, 0.0), "1A")),
    )
    assert drawn.texts(sketch(chart, ())) == ["1A", "1BW5grayStormStorm", "2B"]
    said = [word.text for word in drawn.words(sketch(chart, ()))]
    assert {"Level A", "Level B", "storm", "leads to"} <= {*said}


def test_words_make_room_for_units_at_the_corners_of_a_hex() -> None:
    here = Spot("", 0.0, 0.0)
    orbits = tuple(
        Unit(f"B{number}", "CERES", UnitKind.BASE, spot=corner(here, number)) for number in range(6)
    )
    node = Node("H1", ("carbon planet",) * 3, spot=here, units=orbits)
    chart = Chart((node,), (), grid=Grid.POINTY_HEXES, panels=(Panel("", ""),))
    drawing = sketch(chart, ())
    assert {f"B{number}" for number in range(6)} <= {word.text for word in drawn.words(drawing)}
    assert drawn.overlapping(drawing) == []
    assert drawn.covered(drawing) == []


def test_the_hexes_of_an_area_are_drawn_though_nothing_is_known_of_them() -> None:
    panels = (Panel("", "", area=Area(0.0, 0.0, 2.5, 0.866)),)
    chart = Chart((), (), grid=Grid.POINTY_HEXES, panels=panels)
    assert len(drawn.cells(sketch(chart, ()))) == 6


def test_a_range_has_a_border_and_counts_levels() -> None:
    """A base on level 1 reaches the middle of level 2 and its neighbours, and not level 3."""
    ground = [
        Ground(Spot(panel, x, 0.0))
        for panel in ("1", "2", "3")
        for x in (-2.0, -1.0, 0.0, 1.0, 2.0)
    ]
    chart = Chart(
        (Node("W1", (), spot=Spot("1", 0.0, 0.0)),),
        (),
        grid=Grid.POINTY_HEXES,
        panels=tuple(Panel(str(level), "", level=level) for level in (1, 2, 3)),
        ground=tuple(ground),
        ranges=(Range("supply", 1, ("W1",)),),
    )
    colours = [e.get("stroke") for e in ElementTree.fromstring(svg(chart, ())).iter(f"{SVG}path")]
    # One path for each panel with a border, and one in the legend.
    assert colours.count("#8a1c4a") == 1 + 2


def test_places_of_a_plane_lie_as_their_spots_and_never_overlap() -> None:
    spots = [(0.0, 0.0), (10.0, 0.0), (10.5, 0.5), (10.0, 20.0), (10.0, 20.0)]
    nodes = tuple(
        Node(f"P{number}", ("some words",), spot=Spot("", x, y))
        for number, (x, y) in enumerate(spots)
    )
    chart = Chart(nodes, (Link("P0", "P1"),), grid=Grid.PLANE, panels=(Panel("", ""),))
    found = boxes(chart)[1:]
    assert overlapping(found) == []
    # The last two are at one spot and share a box.
    assert len(found) == 4
    middles = [(box.x + box.width / 2, box.y + box.height / 2) for box in found]
    assert middles[1][0] - middles[0][0] == pytest.approx(20 * (middles[2][0] - middles[1][0]), 0.1)
    assert middles[3][0] == pytest.approx(middles[1][0], abs=2)


NAMES = st.text(st.characters(min_codepoint=32, max_codepoint=0x17F), min_size=1, max_size=20)
UNITS = st.builds(Unit, NAMES, NAMES, st.sampled_from(UnitKind), force=NAMES | st.just(""))


@st.composite
def charts(draw: st.DrawFn) -> Chart:
    """Return a map on any grid, with places anywhere near its middle."""
    grid = draw(st.sampled_from(Grid))
    keys = draw(st.lists(NAMES, max_size=7, unique=True))
    at = flat if grid is Grid.FLAT_HEXES else pointy
    small = st.integers(-2, 2)
    nodes = [
        Node(
            key,
            tuple(draw(st.lists(NAMES, max_size=4))),
            draw(NAMES | st.just("")),
            draw(st.sampled_from(Sighting)),
            spot=None if grid is Grid.NONE else at(draw(small), draw(small)),
            marks=tuple(draw(st.lists(st.sampled_from(Mark), max_size=3))),
            units=tuple(draw(st.lists(UNITS, max_size=6))),
        )
        for key in keys
    ]
    ends = st.sampled_from(keys) if keys else st.nothing()
    links = draw(st.lists(st.builds(Link, ends, ends, kind=st.sampled_from(LinkKind)), max_size=6))
    panels = () if grid is Grid.NONE else (Panel("", draw(NAMES)),)
    return Chart(tuple(nodes), tuple(links), draw(NAMES), (), grid, panels)


@pytest.mark.slow
@examples(100)
@given(charts())
def test_no_words_overlap_on_any_map(chart: Chart) -> None:
    drawing = sketch(chart, ())
    assert drawn.overlapping(drawing) == []
    assert drawn.off_paper(drawing) == []
    assert drawn.covered(drawing) == []
    ElementTree.fromstring(svg(chart, ()))


def test_a_png_has_the_size_of_the_sketch_and_few_colours() -> None:
    drawing = sketch(FEW, COLOURS)
    image = Image.open(BytesIO(png(FEW, COLOURS)))
    assert (image.format, image.size) == ("PNG", (drawing.width, drawing.height))
    assert len(image.getcolors() or ()) <= 64


def test_nothing_known_is_a_picture_too() -> None:
    assert ElementTree.fromstring(svg(Chart((), ()), ())).tag == f"{SVG}svg"
    assert png(Chart((), ()), ()).startswith(b"\x89PNG")


def test_the_readme_shows_a_map_as_it_is_drawn_today() -> None:
    kept, drawn_now = (
        Image.open(file).convert("RGB") for file in (FOLDER / "map.png", BytesIO(galaxies()))
    )
    assert (kept.size, kept.tobytes()) == (drawn_now.size, drawn_now.tobytes())
