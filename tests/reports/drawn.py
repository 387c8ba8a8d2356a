"""What is on a drawn map: the boxes of words as the font draws them, and the hexes around them."""

from functools import lru_cache
from itertools import pairwise, product
from typing import Final

from referee.reports.lettering import TINY, font, set_out
from referee.reports.shapes import INK, PAPER, Box, Path, Point, Sketch, Word

SYMBOL: Final = 30
"""More pixels than a symbol is wide."""

Rectangle = tuple[float, float, float, float]
"""Left, top, right and bottom."""


def ink(word: Word) -> Rectangle:
    """Return the smallest box around a word as it is printed."""
    left, top, right, bottom = font(word.size).getbbox(set_out(word.text), anchor="lm")
    return word.x + left, word.y + top, word.x + right, word.y + bottom


def words(sketch: Sketch) -> list[Word]:
    """Return all words of a map, from the bottom to the top."""
    return [shape for shape in sketch.shapes if isinstance(shape, Word)]


def overlapping(sketch: Sketch) -> list[tuple[str, str]]:
    """Return the pairs of words that are printed on each other."""
    boxes = sorted((ink(word), word.text) for word in words(sketch))
    found = []
    for number, (one, text) in enumerate(boxes):
        for other, beside in boxes[number + 1 :]:
            if other[0] >= one[2]:
                break
            if other[1] < one[3] and one[1] < other[3]:
                found.append((text, beside))
    return found


def off_paper(sketch: Sketch) -> list[str]:
    """Return the words that are not wholly on the paper."""
    return [
        word.text
        for word in words(sketch)
        if not (
            ink(word)[0] >= 0
            and ink(word)[1] >= 0
            and ink(word)[2] <= sketch.width
            and ink(word)[3] <= sketch.height
        )
    ]


@lru_cache(maxsize=8)
def placed(sketch: Sketch) -> list[tuple[Word, Path | Box]]:
    """Return the words in hexes and boxes, each with the topmost one around it."""
    size = 100
    near: dict[tuple[int, int], list[Path | Box]] = {}
    for cell in cells(sketch):
        left, top, right, bottom = (int(side) // size for side in extent(cell))
        for at in product(range(left, right + 1), range(top, bottom + 1)):
            near.setdefault(at, []).append(cell)
    found = []
    for word in words(sketch):
        x, y = middle(word)
        there = near.get((int(x) // size, int(y) // size), ())
        found += [(word, cell) for cell in reversed(there) if contains(cell, (x, y))][:1]
    return found


def cells(sketch: Sketch) -> list[Path | Box]:
    """Return the hexes and boxes of a map. Symbols are smaller."""
    shapes = [shape for shape in sketch.shapes if isinstance(shape, Path | Box)]
    return [
        shape
        for shape in shapes
        if isinstance(shape, Box) or (shape.closed and len(shape.points) == 6 and _is_large(shape))
    ]


def _is_large(path: Path) -> bool:
    left, _, right, _ = extent(path)
    return right - left > SYMBOL


def texts(sketch: Sketch) -> list[str]:
    """Return the text in each hex and box that has any, without blanks."""
    found: dict[int, str] = {}
    for word, cell in placed(sketch):
        found[id(cell)] = found.get(id(cell), "") + word.text.replace(" ", "")
    return list(found.values())


def letters(sketch: Sketch) -> list[set[str]]:
    """Return the letters of owners in each hex and box that has text."""
    found: dict[int, set[str]] = {}
    for word, cell in placed(sketch):
        there = found.setdefault(id(cell), set())
        if word.size == TINY and word.colour == INK and len(word.text) == 1:
            there.add(word.text)
    return list(found.values())


def middle(word: Word) -> Point:
    """Return the middle of a word."""
    return word.x + word.width / 2, word.y


def extent(cell: Path | Box) -> Rectangle:
    """Return the smallest rectangle around a hex or box."""
    if isinstance(cell, Box):
        return cell.x, cell.y, cell.x + cell.width, cell.y + cell.height
    across, down = zip(*cell.points, strict=True)
    return min(across), min(down), max(across), max(down)


def contains(cell: Path | Box, at: Point) -> bool:
    """Return whether a point is in a hex or box, whose corners go around clockwise."""
    if isinstance(cell, Box):
        left, top, right, bottom = extent(cell)
        return left <= at[0] <= right and top <= at[1] <= bottom
    return all(
        (b[0] - a[0]) * (at[1] - a[1]) - (b[1] - a[1]) * (at[0] - a[0]) >= 0
        for a, b in pairwise((*cell.points, cell.points[0]))
    )


def sticking_out(sketch: Sketch) -> list[str]:
    """Return the words that are not wholly in the hex or box in which their middle is."""
    found = []
    for word, cell in placed(sketch):
        left, top, right, bottom = ink(word)
        if not all(contains(cell, at) for at in product((left, right), (top, bottom))):
            found.append(word.text)
    return found


def covered(sketch: Sketch) -> list[str]:
    """Return the words that are partly in a box that is not theirs."""
    own = dict(placed(sketch))
    boxes = [cell for cell in cells(sketch) if isinstance(cell, Box)]
    found = []
    for word in words(sketch):
        left, top, right, bottom = ink(word)
        for box in boxes:
            over = box.x < right and left < box.x + box.width
            if over and box.y < bottom and top < box.y + box.height and own.get(word) != box:
                found.append(word.text)
    return found


def hexes(sketch: Sketch) -> dict[str, Point]:
    """Return the middle of the hex of each word, unless the word is in several hexes.

    What is written large counts first: the name of a place is also where ways to it begin.
    """
    sizes: dict[str, int] = {}
    found: dict[str, set[Point]] = {}
    for word, cell in placed(sketch):
        if word.size > sizes.get(word.text, 0):
            sizes[word.text], found[word.text] = word.size, set()
        if word.size == sizes[word.text]:
            left, top, right, bottom = extent(cell)
            found[word.text].add(((left + right) / 2, (top + bottom) / 2))
    return {text: points.pop() for text, points in found.items() if len(points) == 1}


def key(sketch: Sketch) -> str:
    """Return the text of the key below a map, without blanks."""
    every = words(sketch)
    numbers = [number for number, word in enumerate(every) if word.colour == PAPER]
    # In the map the numbers come as the places do; in the key they come last, from 1 up.
    first = max((number for number in numbers if every[number].text == "1"), default=len(every))
    return "".join(word.text.replace(" ", "") for word in every[first:])
