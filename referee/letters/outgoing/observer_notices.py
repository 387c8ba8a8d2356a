"""Letters to observers."""

from dataclasses import dataclass

from referee.letters.outgoing.notices import Correction, Notice, PressItem


@dataclass(frozen=True, slots=True)
class Observing(Notice):
    """The welcome of an observer; the *code* is empty if they have one already."""

    game: str
    title: str
    later: str
    """``at once`` or ``3 turns later``."""
    first: bool
    """Whether there is no report yet that they can read."""
    account: int
    code: str


@dataclass(frozen=True, slots=True)
class PublicReport(Notice):
    """What everybody may read of a turn, to an observer; the game is *behind* turns on already."""

    game: str
    title: str
    turn: int
    behind: int
    view: str
    events: tuple[str, ...]
    notes: tuple[str, ...]
    press: tuple[PressItem, ...]
    """What the GM wrote to all players."""
    correction: Correction | None = None
    """What was corrected, if this report takes the place of an earlier one."""
