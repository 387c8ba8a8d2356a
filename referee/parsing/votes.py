"""The proposals and votes of players, as the grammar of commands builds them."""

from dataclasses import dataclass
from datetime import timedelta

from referee.domain.commands import CastVote
from referee.domain.votes import Motion
from referee.parsing.schedules import read_length
from referee.rules.ruleset import UserError


@dataclass(frozen=True, slots=True)
class Moved:
    """The subject of a vote: the motion, and its details."""

    motion: Motion
    span: timedelta | None = None
    seat: str = ""


def extension(number: int = 0, unit: str = "") -> Moved:
    """Return a proposal of more time. Raises UserError if the words are not a length of time."""
    if not unit:
        return Moved(Motion.EXTEND)
    try:
        return Moved(Motion.EXTEND, read_length(f"{number} {unit}"))
    except UserError:
        raise UserError("by how much? VOTE EXTEND 2 days, or VOTE EXTEND 36 hours.") from None


def concession(seat: str) -> Moved:
    """Return the proposal that a seat has won."""
    return Moved(Motion.CONCEDE, seat=seat)


def vote(moved: Moved | Motion, *ballot: str) -> CastVote:
    """Return the vote, or the proposal if there is no ballot."""
    if isinstance(moved, Motion):
        moved = Moved(moved)
    return CastVote(moved.motion, ballot == ("YES",) if ballot else None, moved.span, moved.seat)


def motion_called(word: str) -> Motion:
    """Return the motion of that name."""
    return Motion[word.upper()]
