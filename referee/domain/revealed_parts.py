"""The parts of a game that are revealed of a player after its end, if they agree."""

from collections.abc import Mapping
from enum import Enum
from typing import Final


class RevealedPart(Enum):
    """A part that players decide about themselves. All else of a game is revealed without them."""

    DIARY = "diary"
    PRESS = "press"
    """The messages that they signed."""
    NAME = "name"
    PAGES = "pages"
    """Whether all of the above that is revealed is on the site's pages, too, for everyone."""


BY_DEFAULT: Final[Mapping[RevealedPart, bool]] = {
    RevealedPart.DIARY: True,
    RevealedPart.PRESS: False,
    RevealedPart.NAME: True,
    RevealedPart.PAGES: False,
}
"""Whether a part is revealed of a player who has decided nothing."""
