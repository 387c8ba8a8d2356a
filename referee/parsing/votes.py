"""The proposals and votes of players, as the grammar of commands builds them."""

from dataclasses import dataclass
from datetime import timedelta

from referee.domain.commands import CastVote
from referee.domain.votes import Motion
from referee.parsing.schedules import read_length
from referee.rules.ruleset import UserError


@dataclass(frozen=True, slots=True)
class Proposal:
    """The subject of a vote: the motion, and its details."""

    motion: Motion
    span: timedelta | None = None
    seat: str = ""
    is_candidate: bool = False


def another_gm(*myself: str) -> Proposal:
    """Return the proposal of another GM: the player who proposes it, or somebody else."""
    return Proposal(Motion.GM, is_candidate=bool(myself))


def extension(number: int = 0, unit: str = "") -> Proposal:
    """Return a proposal of more time. Raises UserError if the words are not a length of time."""
    if not unit:
        return Proposal(Motion.EXTEND)
    try:
        return Proposal(Motion.EXTEND, read_length(f"{number} {unit}"))
    except UserError:
        raise UserError("By how much? VOTE EXTEND 2 days, or VOTE EXTEND 36 hours.") from None


def concession(seat: str = "") -> Proposal:
    """Return the proposal that a seat has won, or the one proposal of that kind that is open."""
    return Proposal(Motion.CONCEDE, seat=seat)


def vote(proposal: Proposal | Motion, *ballot: str) -> CastVote:
    """Return the vote, or the proposal if there is no ballot."""
    if isinstance(proposal, Motion):
        proposal = Proposal(proposal)
    return CastVote(
        proposal.motion,
        ballot == ("YES",) if ballot else None,
        proposal.span,
        proposal.seat,
        proposal.is_candidate,
    )


def motion_called(word: str) -> Motion:
    """Return the motion of that name."""
    return Motion[word.upper()]
