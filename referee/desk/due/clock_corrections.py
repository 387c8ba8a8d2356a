"""A clock that was ahead and is right again: what moved because of it moves back."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import groupby

from referee.desk.base.announcements import Move, proclaim
from referee.desk.base.desk import Desk
from referee.desk.games import deadlines
from referee.desk.orders import readiness
from referee.letters.outgoing.local_time import Moment
from referee.store import Session
from referee.store.games import agenda, games, postponements
from referee.store.games.agenda import AgendaTopic
from referee.store.games.postponements import Postponed, Postponement
from referee.store.games.votes import Vote
from referee.store.models import Game, GameStatus
from referee.store.people import offers
from referee.store.people.offers import OfferState


def move_back(desk: Desk, before: datetime) -> None:
    """Undo what the referee moved while its clock was ahead, up to *before*; notify everyone once.

    What a GM or a vote has changed since stays as it is.
    """
    shifts = postponements.take_later(desk.session, desk.now)
    for (what, subject), moves in _by_subject(shifts):
        if what is Postponed.DEADLINE:
            _move_deadline_back(desk, moves)
        elif what is Postponed.VOTE:
            _move_vote_back(desk.session, subject, moves, desk.now)
        else:
            _move_offer_back(desk.session, subject, moves, desk.now)
    # A turn that everybody is ready for would otherwise wait until the time of the wrong clock.
    for game in games.ending_early(desk.session, desk.now, before + timedelta(days=366)):
        games.revoke_claim(games.lock(desk.session, game))
        readiness.end_early(desk.session, game, desk.now)


def _by_subject(
    shifts: Sequence[Postponement],
) -> list[tuple[tuple[Postponed, int], list[Postponement]]]:
    """Return the moves of each deadline, vote and offer, newest first."""

    def key(shift: Postponement) -> tuple[str, int, int]:
        return shift.what.value, shift.subject, shift.game_id

    groups = [list(moves) for _, moves in groupby(sorted(shifts, key=key), key)]
    return [((moves[0].what, moves[0].subject), moves) for moves in groups]


def _move_deadline_back(desk: Desk, moves: Sequence[Postponement]) -> None:
    game, now = moves[0].game, desk.now
    games.revoke_claim(games.lock(desk.session, game))
    if not _is_still_so(game, moves[0]):
        return
    # Players who read the other deadline need time to read that it was wrong.
    due = max(moves[-1].before, now + deadlines.shortest_turn(game))
    if due >= moves[0].after:
        return
    deadlines.move(desk.session, game, due, now)
    fact = f"The referee's clock was wrong, so it moved the deadline of turn {game.turn}"
    note = (
        f"The referee's clock was wrong for some time. The deadline of turn {game.turn} is "
        f"{Moment(due, 'UTC')} again, or as soon after it as leaves enough time."
    )
    if due == moves[-1].before:
        note = (
            f"The referee's clock was wrong for some time: the deadline of turn {game.turn} moved "
            f"back to {Moment(due, 'UTC')}."
        )
    move = Move(fact, moves[0].after)
    proclaim(desk, game, "", f"clock{int(now.timestamp())}", note, move)


def _is_still_so(game: Game, last: Postponement) -> bool:
    running = game.status is GameStatus.RUNNING
    return running and game.turn == last.turn and game.deadline_at == last.after


def _move_vote_back(
    session: Session, number: int, moves: Sequence[Postponement], now: datetime
) -> None:
    vote = session.get(Vote, number)
    if vote is not None and vote.closes_at == moves[0].after:
        vote.closes_at = max(moves[-1].before, now)
        agenda.schedule(session, vote.game, AgendaTopic.VOTES)


def _move_offer_back(
    session: Session, number: int, moves: Sequence[Postponement], now: datetime
) -> None:
    offer = offers.by_id(session, number)
    if offer is not None and offer.state is OfferState.OPEN and offer.until == moves[0].after:
        offer.until = max(moves[-1].before, now)
        agenda.schedule(session, offer.seat.game, AgendaTopic.OFFERS)
