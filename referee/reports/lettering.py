"""The widths of words, measured with the font of the PNG, and text broken to fit a width."""

from functools import lru_cache
from typing import Final

from PIL import ImageFont

from referee.reports.text import one_line

LARGE, SMALL, TINY = 13, 10, 9
"""The font sizes."""
ROW_HEIGHTS: Final = {LARGE: 16, SMALL: 12, TINY: 11}
"""The height of a row of text, by its font size."""


@lru_cache(maxsize=8)
def font(size: int) -> ImageFont.FreeTypeFont:
    """Return the font of all pictures in a size."""
    loaded = ImageFont.load_default(size)
    # Without FreeType there is only a tiny font of one size, which no wheel of Pillow lacks.
    assert isinstance(loaded, ImageFont.FreeTypeFont)
    return loaded


def set_out(text: str) -> str:
    """Return *text* as it is drawn: this font's blanks are hard to see, so each is doubled."""
    return text.replace(" ", "  ")


@lru_cache(maxsize=20_000)
def width(text: str, size: int) -> float:
    """Return how wide a text is drawn, in pixels."""
    return font(size).getlength(set_out(text))


def pieces(word: str, size: int, most: float) -> list[str]:
    """Return a word in pieces that are at most *most* pixels wide, or have one character."""
    found, piece = [], ""
    for character in word:
        if piece and width(piece + character, size) > most:
            found.append(piece)
            piece = ""
        piece += character
    return [*found, piece] if piece else found


def wrapped(text: str, size: int, most: float) -> list[str]:
    """Return a text in lines that are at most *most* pixels wide."""
    lines: list[str] = []
    for word in one_line(text).split():
        for piece in pieces(word, size, most):
            longer = f"{lines[-1]} {piece}" if lines else piece
            if lines and width(longer, size) <= most:
                lines[-1] = longer
            else:
                lines.append(piece)
    return lines
