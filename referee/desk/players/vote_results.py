"""The end of votes: counted when decided or when their time is over, announced and passed out."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Final

from referee.desk.base.announcements import Move, current_deadline, shows_move
from referee.desk.base.attachments import appointment
from referee.desk.base.desk import Desk
from referee.desk.base.loaded_games import LoadedGame, load
from referee.desk.base.outbox_writer import Addressing, mailbox, post
from referee.desk.games import deadlines, vacancies
from referee.desk.orders import readiness
from referee.desk.orders.letter_context import LetterContext
from referee.desk.reports import game_end as reports_game_end
from referee.desk.reports.vote_text import (
    candidate,
    closed_line,
    counted,
    known_to,
    moot,
    moved,
    roll,
    tally,
)
from referee.desk.seats import gm_succession
from referee.domain.votes import ENDINGS, Motion, VoteResult, decide
from referee.letters.outgoing.notices import VoteClosed
from referee.store import Session
from referee.store.games import agenda, audit, games, votes
from referee.store.games.agenda import AgendaTopic
from referee.store.games.votes import Vote
from referee.store.mail import mail_queries
from referee.store.models import Game, GameStatus


def close_in(desk: Desk, game: Game, watermark: datetime | None = None) -> int:
    """Close the votes of the game whose time is over; return how many closed.

    A letter that arrived in time but is not yet read may contain a ballot, so it is read first. All
    letters up to *watermark*, the intake watermark, are stored; None means all letters are.
    """
    count = _close_due(desk, game, min(desk.now, watermark or desk.now))
    _look_again(desk.session, game)
    return count


def _look_again(session: Session, game: Game) -> None:
    """Schedule the next look at the game's votes for the time when the next one closes."""
    if closing_times := [vote.closes_at for vote in votes.running(session, game)]:
        agenda.reschedule(session, game, AgendaTopic.VOTES, min(closing_times))
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
        # A player who had not voted may have left the game since. No leaving ends a game before the
        # time to vote is over: until then, the seat can get a new player, who can vote no.
        if not moot(vote) and (over or vote.motion not in ENDINGS):
            count += settle(desk, vote, over=over)
    # A vote that passed may have made the others moot.
    return count + void_moot(desk.session, game, desk.now)


def settle(desk: Desk, vote: Vote, *, over: bool, caster: LetterContext | None = None) -> bool:
    """Close the vote if it is decided, carry it out and notify everyone; return whether it was.

    The letter of the *caster*, which decides it, is answered with the result.
    """
    found = tally(vote)
    outcome = decide(found, vote.quorum, secret=vote.secret, over=over)
    if outcome is VoteResult.OPEN:
        return False
    counts = f"{found.yes} yes, {found.no} no, {found.entitled - found.yes - found.no} did not vote"
    word = "passed" if outcome is VoteResult.PASSED else "did not pass"
    result = f"{word}: {counts}"
    too_much = timedelta(seconds=vote.seconds) > vote.game.left_to_extend
    if outcome is VoteResult.PASSED and vote.motion is Motion.EXTEND and too_much:
        outcome = VoteResult.VOID
        result = "did not pass: the turn cannot be extended any further"
    if outcome is VoteResult.PASSED and _is_for_one_alone(desk.session, vote):
        outcome, result = VoteResult.NOT_PASSED, "did not pass: nobody else said yes"
    table = load(desk.session, desk.site, vote.game)
    _conclude(desk.session, vote, outcome, result, desk.now)
    effect, due = "", vote.game.deadline_at
    if outcome is VoteResult.PASSED and vote.motion in ENDINGS:
        # The letter with the final standings has the vote.
        reports_game_end.finish(desk, vote.game)
    else:
        if outcome is VoteResult.PASSED:
            effect = _EFFECTS[vote.motion](desk, table, vote)
        _tell(desk, table, vote, effect, _move(vote, due), caster)
    games.revoke_claim(vote.game)
    if vote.secret:
        votes.forget(desk.session, list(vote.ballots))
    return True


def _is_for_one_alone(session: Session, vote: Vote) -> bool:
    """Return whether only somebody who would win by the vote said yes, and a GM has played.

    A GM who has played can have taken the other seats from their players, also for a friend.
    """
    if vote.motion not in (Motion.CONCEDE, Motion.DRAW):
        return False
    yes = [ballot.seat.number for ballot in counted(vote) if ballot.yes]
    alone = len(yes) == 1 and vote.winner in (0, *yes)
    return alone and vacancies.has_gm_played(session, vote.game)


def _conclude(
    session: Session, vote: Vote, outcome: VoteResult, result: str, now: datetime
) -> None:
    """Close the vote and delete the ballots that did not count."""
    valid = counted(vote)
    votes.forget(session, [ballot for ballot in vote.ballots if ballot not in valid])
    vote.outcome, vote.closed_at, vote.result = outcome, now, result
    agenda.schedule(session, vote.game, AgendaTopic.VOTES)
    audit.note(session, vote.game, "players", closed_line(vote), now, public=False)


def _move(vote: Vote, before: datetime | None) -> Move | None:
    """Return the move of the deadline that was due *before* the vote took effect, or None."""
    if before is None or not shows_move(before, vote.game.deadline_at):
        return None
    deadline, event = f"moved the deadline of turn {vote.game.turn}", "deadline moved"
    if vote.motion is Motion.RESUME:
        deadline, event = f"resumed the game and {deadline}", "game resumed, deadline moved"
    return Move(f"The players {deadline}", before, event)


def _tell(
    desk: Desk,
    table: LoadedGame,
    vote: Vote,
    effect: str,
    move: Move | None,
    caster: LetterContext | None,
) -> None:
    """Notify every player and GM of the result of a vote, and of its effect."""
    game = vote.game
    moved_deadline = vote.outcome is VoteResult.PASSED
    for row in game.seats:
        if row.person is not None:
            files = appointment(desk.site, game, row, desk.now) if moved_deadline else ()
            notice = _result(desk, vote, known_to(table, row), row.person.zone, effect, move)
            if caster is not None and row is caster.seat():
                caster.mail(notice, f"voted{vote.id}", files)
                continue
            addressing = Addressing(
                mailbox(row.person),
                f"voted{vote.id}",
                game=game,
                seat=row,
                turn=game.turn,
                can_wait=True,
                files=files,
            )
            post(desk, notice, addressing)
    playing = {row.person_id for row in game.seats}
    for gm in game.gms:
        if gm.person_id not in playing:
            everybody = frozenset(row.number for row in game.seats)
            addressing = Addressing(
                mailbox(gm.person), f"voted{vote.id}", game=game, turn=game.turn
            )
            post(desk, _result(desk, vote, everybody, gm.person.zone, effect, move), addressing)


def _result(
    desk: Desk, vote: Vote, known: frozenset[int], zone: str, effect: str, move: Move | None
) -> VoteClosed:
    game = vote.game
    due = game.deadline_at
    passed = vote.outcome is VoteResult.PASSED
    # The letter that decided a vote may go on with FINAL, and the turn is resolved before its
    # deadline. So a deadline that did not move is named only when the time to vote is over.
    decided = vote.closed_at is not None and vote.closed_at < vote.closes_at
    names_due = game.status is GameStatus.RUNNING and (passed or not decided)
    return VoteClosed(
        game=game.name,
        turn=game.turn,
        passed=passed,
        proposal=moved(vote).removeprefix("to "),
        line=closed_line(vote),
        yes=roll(vote, known, yes=True),
        no=roll(vote, known, yes=False),
        effect=effect,
        deadline=current_deadline(game, zone, desk.now) if names_due else None,
        moved=move.read_in(zone, due) if move is not None and due is not None else None,
    )


def _extend(desk: Desk, table: LoadedGame, vote: Vote) -> str:
    taken_back = readiness.can_be_taken_back(table.game)
    deadlines.extend(desk.session, table.game, timedelta(seconds=vote.seconds), desk.now)
    return readiness.ALL_TAKEN_BACK if taken_back else ""


def _hold(desk: Desk, table: LoadedGame, _vote: Vote) -> str:
    deadlines.stop(desk.session, table.game, desk.now)
    table.game.paused_by_vote = True
    return "No turn is resolved until the GM writes RESUME, or a vote passes: VOTE RESUME."


def _resume(desk: Desk, table: LoadedGame, _vote: Vote) -> str:
    game = table.game
    by_players = game.paused_by_vote
    deadlines.go_on(desk.session, table, desk.now)
    if by_players:
        return ""
    game.resumed_turn = game.turn
    return "No GM can hold this turn again."


def _appoint(desk: Desk, _table: LoadedGame, vote: Vote) -> str:
    next_gm = candidate(vote)
    if next_gm is not None:
        gm_succession.replace_all(desk, vote.game, next_gm)
        return (
            "The player who proposed it is the GM now. They see who has sent orders, but no "
            "orders and no reports."
        )
    return gm_succession.ask_operator(desk, vote.game)


_EFFECTS: Final[Mapping[Motion, Callable[[Desk, LoadedGame, Vote], str]]] = {
    Motion.EXTEND: _extend,
    Motion.HOLD: _hold,
    Motion.RESUME: _resume,
    Motion.GM: _appoint,
}
"""Effects of votes that do not end the game; each returns what to tell everyone."""
