"""Votes in words: the proposal, the count, the result, and how to vote."""

from collections.abc import Collection, Iterable, Iterator
from datetime import timedelta

from referee.desk.base.loaded_games import LoadedGame, seat_name
from referee.domain.schedules import in_words
from referee.domain.votes import ENDINGS, Motion, Tally, VoteResult, needed
from referee.letters.outgoing.local_time import Moment
from referee.store.games.votes import Ballot, Vote
from referee.store.models import Game, GameStatus, Person, SeatRow


def moved(vote: Vote, proposer: str = "the proposer") -> str:
    """Return the proposal of a vote, as the end of a sentence: "to put the game on hold".

    *proposer* is the player who has proposed it, if the reader knows them.
    """
    match vote.motion:
        case Motion.EXTEND:
            span = in_words(timedelta(seconds=vote.seconds))
            return f"to extend turn {vote.turn} by {span}"
        case Motion.HOLD:
            return "to put the game on hold"
        case Motion.RESUME:
            return "to resume the game"
        case Motion.DRAW:
            return "to end the game as a draw among all who still play"
        case Motion.CONCEDE:
            return f"to end the game with {seat_name(vote.game, vote.winner)} as its winner"
        case Motion.END:
            return "to end the game now without a winner"
        case Motion.GM:
            if vote.winner:
                return f"to make {proposer} the GM"
            return "to have the operator appoint another GM"


def command_of(vote: Vote) -> str:
    """Return the command that votes on it, without YES or NO."""
    if vote.motion is Motion.CONCEDE:
        return f"VOTE CONCEDE TO {seat_name(vote.game, vote.winner)}"
    return f"VOTE {vote.motion.name}"


def entitled(game: Game) -> list[SeatRow]:
    """Return the seats that may vote: with a player, and eliminated neither by GM nor by rules."""
    return [row for row in game.seats if row.person_id is not None and not row.is_out]


def counted(vote: Vote) -> list[Ballot]:
    """Return the valid ballots: of seats that may vote, by their current players."""
    voters = {row.id: row.person_id for row in entitled(vote.game)}
    return [ballot for ballot in vote.ballots if voters.get(ballot.seat_id) == ballot.person_id]


def tally(vote: Vote) -> Tally:
    """Return the current count of the vote."""
    ballots = counted(vote)
    yes = sum(ballot.yes for ballot in ballots)
    return Tally(yes, len(ballots) - yes, len(entitled(vote.game)))


def demand(vote: Vote) -> str:
    """Return how many must agree: "2 of 3 voters"."""
    count = len(entitled(vote.game))
    if count == 1:
        return "the only voter"
    enough = needed(vote.quorum, count)
    if enough < count:
        return f"{enough} of {count} voters"
    return "both voters" if count == 2 else f"all {count} voters"


def standing(vote: Vote) -> str:
    """Return the current count of an open vote, or "" if the vote is secret."""
    if vote.secret:
        return ""
    now = tally(vote)
    return f"So far {now.yes} yes and {now.no} no."


def moot(vote: Vote) -> str:
    """Return why a vote can no longer decide anything, or ""."""
    game = vote.game
    if game.status is GameStatus.ENDED:
        return "was not decided: the game ended first"
    match vote.motion:
        case Motion.EXTEND if vote.turn != game.turn:
            return "was not decided: the turn was resolved first"
        case Motion.HOLD if game.status is GameStatus.HELD:
            return "was not decided: the game was put on hold first"
        case Motion.RESUME if game.status is not GameStatus.HELD:
            return "was not decided: the game was resumed first"
        case Motion.CONCEDE if all(row.number != vote.winner for row in entitled(game)):
            return f"was not decided: {seat_name(game, vote.winner)} is no longer in play"
        case Motion.GM if _has_heard(vote):
            return "was not decided: a GM has written"
        case Motion.GM if vote.winner and candidate(vote) is None:
            return "was not decided: the player no longer wants to be the GM"
        case _:
            return ""


def candidate(vote: Vote) -> Person | None:
    """Return the player who proposed to be the GM, or None if they left or changed their vote."""
    for ballot in counted(vote):
        if ballot.seat.number == vote.winner and ballot.yes:
            return ballot.seat.person
    return None


def _has_heard(vote: Vote) -> bool:
    """Return whether a GM has written since the vote began."""
    heard = (gm.heard_at for gm in vote.game.gms if gm.heard_at is not None)
    return any(moment >= vote.opened_at for moment in heard)


def open_line(vote: Vote, row: SeatRow | None, zone: str) -> str:
    """Return an open vote in a few sentences, for the player of *row* or for others."""
    own = "" if row is None else _own(vote, row)
    proposal = moved(vote).removeprefix("to ")
    parts = (
        (
            f"{proposal[0].upper()}{proposal[1:]}: vote until {Moment(vote.closes_at, zone)}."
            f" It needs {demand(vote)} to say yes."
        ),
        standing(vote),
        own,
    )
    return " ".join(filter(None, parts))


def without(votes: Iterable[Vote], row: SeatRow) -> str:
    """Return the loss to the open votes by a seat that leaves the game, for its GM, or "".

    It is the same whatever the seat and the others have voted, because that can be secret.
    """
    if row not in entitled(row.game):
        return ""
    return " ".join(_loss(vote, row) for vote in votes if not moot(vote))


def _loss(vote: Vote, row: SeatRow) -> str:
    if vote.motion is Motion.CONCEDE and vote.winner == row.number:
        return f"The open vote {moved(vote)} is void then."
    told = f"The open vote {moved(vote)} no longer counts {row.name}, and"
    if vote.motion in ENDINGS:
        return f"{told} if it passes, the game is over for good."
    return f"{told} can be decided at once."


def closed_line(vote: Vote) -> str:
    """Return the result of a vote, as a sentence."""
    return f"The vote {moved(vote)} {vote.result}."


def roll(vote: Vote, known: Collection[int], *, yes: bool) -> str:
    """Return the names of those who voted so and are known to the reader, or "".

    A reader who knows none, not even themselves, gets only the count. Of a secret vote there are no
    names.
    """
    if vote.secret:
        return ""
    voters = sorted(ballot.seat.number for ballot in vote.ballots if ballot.yes is yes)
    names = [seat_name(vote.game, number) for number in voters if number in known]
    if others := len(voters) - len(names):
        names.append(
            f"{others} player{'s' if others > 1 else ''} you have not met"
            if names or known
            else str(others)
        )
    return ", ".join(names)


def result_lines(vote: Vote | None, known: Collection[int]) -> tuple[str, ...]:
    """Return the result of the vote that ended a game, if one did, and who of the *known* chose."""
    if vote is None:
        return ()
    rolls = (("Yes", roll(vote, known, yes=True)), ("No", roll(vote, known, yes=False)))
    return (closed_line(vote), *(f"{word}: {names}" for word, names in rolls if names))


def known_to(table: LoadedGame, row: SeatRow) -> frozenset[int]:
    """Return the seats whose names the player of *row* knows, with *row* itself.

    It is empty for an eliminated seat, which reads only what everyone can know, however many it has
    met.
    """
    return frozenset() if row.eliminated else frozenset({row.number, *table.met_by(row)})


def open_lines(votes: Iterable[Vote], row: SeatRow | None, zone: str) -> Iterator[str]:
    """Return the lines on the open votes in the report of a seat; a deputy has no vote."""
    return (open_line(vote, row, zone) for vote in votes if vote.outcome is VoteResult.OPEN)


def closed_lines(votes: Iterable[Vote]) -> Iterator[str]:
    """Return the lines on the closed votes in a report."""
    return (closed_line(vote) for vote in votes if vote.outcome is not VoteResult.OPEN)


def _own(vote: Vote, row: SeatRow) -> str:
    """Return how the player of the seat has voted, or can vote; "" if they may not."""
    if row.id not in {voter.id for voter in entitled(vote.game)}:
        return ""
    mine = next((ballot for ballot in counted(vote) if ballot.seat_id == row.id), None)
    command = command_of(vote)
    if mine is None:
        return f"You have not voted: {command} YES or {command} NO."
    return f"You voted {'yes' if mine.yes else 'no'}."
