"""The end of votes: counted when decided or when their time is over, announced and carried out."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Final

from referee.desk.base.desk import Desk
from referee.desk.base.loaded_games import LoadedGame, load
from referee.desk.base.outbox_writer import Addressing, mailbox, post
from referee.desk.games import deadlines
from referee.desk.games import deadlines as games_deadlines
from referee.desk.reports import game_end as reports_game_end
from referee.desk.reports.vote_text import (
    closed_line,
    counted,
    entitled,
    known_to,
    moot,
    roll,
    tally,
)
from referee.domain.votes import ENDINGS, Motion, VoteResult, decide
from referee.letters.outgoing.local_time import Moment
from referee.letters.outgoing.vote_notices import VoteClosed
from referee.rules.ruleset import Seat
from referee.store import Session
from referee.store.games import agenda, audit, games, votes
from referee.store.games.agenda import AgendaTopic
from referee.store.games.votes import Vote
from referee.store.mail import mail_queries
from referee.store.models import Game, GameStatus


def close_in(desk: Desk, game: Game, read_until: datetime | None = None) -> int:
    """Close the votes of the game whose time is over; return how many closed.

    A letter that arrived in time but is not yet read may contain a ballot, so it is read first. All
    letters up to *read_until*, the intake watermark, are stored; None means all letters are.
    """
    count = _close_due(desk, game, min(desk.now, read_until or desk.now))
    _look_again(desk.session, game)
    return count


def _look_again(session: Session, game: Game) -> None:
    """Schedule the next look at the game's votes for the time when the next one closes."""
    if closing_times := [vote.closes_at for vote in votes.running(session, game)]:
        agenda.settle(session, game, AgendaTopic.VOTES, min(closing_times))
    else:
        agenda.close(session, game, AgendaTopic.VOTES)


def void_moot(session: Session, game: Game, now: datetime) -> int:
    """Close the game's votes that can no longer decide anything; the next report says so."""
    count = 0
    for vote in votes.running(session, game):
        if reason := moot(vote):
            _conclude(session, vote, VoteResult.VOID, reason, now)
            count += 1
    return count


def _close_due(desk: Desk, game: Game, closed: datetime) -> int:
    count = void_moot(desk.session, game, desk.now)
    for vote in votes.running(desk.session, game):
        ends = vote.closes_at
        over = ends <= closed and not mail_queries.unread_before(desk.session, ends)
        if not moot(vote):
            # A player who had not voted may have left the game since.
            count += settle(desk, vote, over=over)
    # A vote that passed may have made the others moot.
    return count + void_moot(desk.session, game, desk.now)


def settle(desk: Desk, vote: Vote, *, over: bool) -> bool:
    """Close the vote if it is decided, carry it out and notify everyone; return whether it was."""
    found = tally(vote)
    outcome = decide(found, vote.quorum, secret=vote.secret, over=over)
    if outcome is VoteResult.OPEN:
        return False
    counts = f"{found.yes} yes, {found.no} no, {found.entitled - found.yes - found.no} silent"
    word = "carried" if outcome is VoteResult.CARRIED else "not carried"
    result = f"{word}, with {counts}"
    too_much = timedelta(seconds=vote.seconds) > deadlines.left_to_extend(vote.game)
    if outcome is VoteResult.CARRIED and vote.motion is Motion.EXTEND and too_much:
        outcome = VoteResult.VOID
        result = "voted for, but the GM has extended the turn as far as it can be meanwhile"
    table = load(desk.session, desk.site, vote.game)
    _conclude(desk.session, vote, outcome, result, desk.now)
    carried, ends = outcome is VoteResult.CARRIED, vote.motion in ENDINGS
    if carried and not ends:
        _EFFECTS[vote.motion](desk.session, table, vote, desk.now)
    _tell(desk, table, vote)
    if carried and ends:
        # The final standings come after the letter that says why the game is over.
        reports_game_end.finish(desk, vote.game, _winners(vote))
    games.revoke_claim(vote.game)
    if vote.secret:
        votes.forget(desk.session, list(vote.ballots))
    return True


def _conclude(
    session: Session, vote: Vote, outcome: VoteResult, result: str, now: datetime
) -> None:
    """Close the vote and delete the ballots that did not count."""
    valid = counted(vote)
    votes.forget(session, [ballot for ballot in vote.ballots if ballot not in valid])
    vote.outcome, vote.closed_at, vote.result = outcome, now, result
    agenda.stir(session, vote.game, AgendaTopic.VOTES)
    audit.note(session, vote.game, "players", f"Vote {closed_line(vote)}", now, public=False)


def _tell(desk: Desk, table: LoadedGame, vote: Vote) -> None:
    """Notify every player and GM of the result of a vote."""
    game = vote.game
    for row in game.seats:
        if row.person is not None:
            known = known_to(table, row)
            addressing = Addressing(
                mailbox(row.person),
                f"voted{vote.id}",
                game=game,
                seat=row,
                turn=game.turn,
                can_wait=True,
            )
            notice = _result(vote, known, row.person.zone)
            post(desk, notice, addressing)
    playing = {row.person_id for row in game.seats}
    for gm in game.masters:
        if gm.person_id not in playing:
            everybody = frozenset(row.number for row in game.seats)
            addressing = Addressing(
                mailbox(gm.person), f"voted{vote.id}", game=game, turn=game.turn
            )
            post(desk, _result(vote, everybody, gm.person.zone), addressing)


def _result(vote: Vote, known: frozenset[int], zone: str) -> VoteClosed:
    game = vote.game
    carried = vote.outcome is VoteResult.CARRIED
    over = carried and vote.motion in ENDINGS
    due = game.deadline_at if game.status is GameStatus.RUNNING and not over else None
    return VoteClosed(
        game=game.name,
        turn=game.turn,
        carried=carried,
        line=closed_line(vote),
        yes="" if vote.secret else roll(vote, known, yes=True),
        no="" if vote.secret else roll(vote, known, yes=False),
        effect=_EFFECT_IN_WORDS.get(vote.motion, "") if carried else "",
        deadline=Moment(due, zone) if due is not None else None,
    )


def _extend(session: Session, table: LoadedGame, vote: Vote, now: datetime) -> None:
    deadlines.extend(session, table.game, timedelta(seconds=vote.seconds), now)


def _pause(session: Session, table: LoadedGame, _vote: Vote, _now: datetime) -> None:
    table.game.status, table.game.paused_by_vote = GameStatus.HELD, True
    table.game.moves += 1
    agenda.stir(session, table.game)


def _resume(session: Session, table: LoadedGame, _vote: Vote, now: datetime) -> None:
    games_deadlines.go_on(session, table, now)


def _winners(vote: Vote) -> frozenset[Seat]:
    """Return the winners by a vote that ends the game: all who could vote (DRAW), one, or none."""
    if vote.motion is Motion.DRAW:
        return frozenset(Seat(row.number) for row in entitled(vote.game))
    return frozenset({Seat(vote.winner)} if vote.winner else ())


_EFFECTS: Final[Mapping[Motion, Callable[[Session, LoadedGame, Vote, datetime], None]]] = {
    Motion.EXTEND: _extend,
    Motion.PAUSE: _pause,
    Motion.RESUME: _resume,
}
_EFFECT_IN_WORDS: Final = {
    Motion.PAUSE: "No turn is resolved until the GM resumes the game or you vote so: VOTE RESUME.",
    **dict.fromkeys(ENDINGS, "The game is over. The final standing comes in a letter of its own."),
}
