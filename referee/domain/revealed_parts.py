"""What is revealed of a player after the end of a game, if they agree."""

from collections.abc import Mapping
from enum import Enum
from typing import Final


class RevealedPart(Enum):
    """What players decide about for themselves. All else of a game is revealed without them."""

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
"""Whether it is revealed of a player who has decided nothing."""
