"""The time after which a GM who does not answer is silent."""

from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta

import pytest

from referee.desk.games.gm_silence import hear, is_silent
from referee.domain.votes import Motion, Quorum, VoteResult
from referee.store import Session, Store
from referee.store.games.votes import Vote
from referee.store.models import Game
from tests.store.rows import NOW, a_running_game

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)


@pytest.fixture
def session() -> Iterator[Session]:
    with closing(Store("sqlite://")) as store:
        store.migrate()
        with store.write() as session:
            yield session


def a_vote(session: Session, game: Game, motion: Motion, opened: datetime) -> None:
    vote = Vote(
        game=game,
        turn=game.turn,
        motion=motion,
        quorum=Quorum.MAJORITY,
        secret=False,
        opened_by=1,
        opened_at=opened,
        closes_at=opened + DAY,
        outcome=VoteResult.OPEN,
    )
    session.add(vote)
    session.flush()


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("motion", "turns", "days", "silent"),
    [
        (Motion.EXTEND, 2, 4, True),
        (Motion.EXTEND, 1, 4, False),
        (Motion.EXTEND, 2, 2, False),
        (Motion.GM, 2, 4, False),
    ],
)
def test_a_gm_has_two_turns_and_three_days_to_answer(
    session: Session, motion: Motion, turns: int, days: int, silent: bool
) -> None:
    game = a_running_game(session)
    a_vote(session, game, motion, NOW + HOUR)
    game.turn += turns
    assert is_silent(session, game, NOW + HOUR + days * DAY) is silent


def test_a_gm_who_has_written_is_not_silent(session: Session) -> None:
    game = a_running_game(session)
    a_vote(session, game, Motion.EXTEND, NOW + HOUR)
    hear(session, game, game.gms[0].person, NOW + 2 * HOUR)
    game.turn += 2
    assert not is_silent(session, game, NOW + 9 * DAY)
