"""A round of the loop asks as little in a large house as in a small one."""

from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta

import pytest
from sqlalchemy import event

from referee.domain.votes import Motion, Quorum, VoteResult
from referee.plugins import installed_rulesets
from referee.store import Session
from referee.store.games import agenda
from referee.store.games.agenda import AgendaTopic
from referee.store.games.votes import Vote
from referee.store.models import Game
from referee.store.people import observers, offers
from referee.store.people.deputies import Deputy, DeputyState
from referee.testing.conversation import Conversation
from tests.store.rows import a_game, a_person, a_running_game, a_seat


@pytest.fixture
def conversation() -> Iterator[Conversation]:
    with closing(Conversation(installed_rulesets())) as talk:
        yield talk


def settle_in(session: Session, number: int, now: datetime) -> None:
    """Make two games in which everything goes on that can: one forms, and one runs."""
    forming = a_game(session, f"SW-{2 * number}", places=3)
    a_seat(session, forming, 1)
    agenda.stir(session, forming, AgendaTopic.START)
    game: Game = a_running_game(session, f"SW-{2 * number + 1}")
    later = now + timedelta(days=30)
    game.deadline_at, game.observers_behind, game.reminders = later, 1, []
    seats = [a_seat(session, game, each) for each in (1, 2)]
    sam = a_person(session, "sam@shire.example")
    observers.add(session, game, sam, 0, now)
    seats[0].person, seats[0].offered_at = None, now
    offers.make(session, seats[0], sam, now, later)
    session.add_all(
        [
            Vote(
                game=game,
                turn=1,
                motion=Motion.DRAW,
                quorum=Quorum.ALL,
                secret=True,
                opened_by=2,
                opened_at=now,
                closes_at=later,
                outcome=VoteResult.OPEN,
            ),
            Deputy(
                seat=seats[1],
                epoch=seats[1].epoch,
                address="merry@there",
                begins_at=later,
                ends_at=later + timedelta(days=1),
                zone="UTC",
                state=DeputyState.ASKED,
                asked_at=now,
            ),
        ]
    )
    going_on = set(AgendaTopic) - {AgendaTopic.START}
    agenda.stir(session, game, *going_on)


def questions(conversation: Conversation) -> list[str]:
    """Give what a round asks of the database in which nothing is due."""
    asked: list[str] = []

    def hear(_connection: object, _cursor: object, question: str, *_others: object) -> None:
        asked.append(question)

    engine = conversation.store._engine
    conversation.now += timedelta(minutes=1)
    event.listen(engine, "before_cursor_execute", hear)
    conversation.daemon.step(conversation.now)
    event.remove(engine, "before_cursor_execute", hear)
    return asked


def test_a_round_asks_the_same_however_much_goes_on(conversation: Conversation) -> None:
    found = []
    for sizes in (range(1, 2), range(2, 8)):
        with conversation.store.write() as session:
            for number in sizes:
                settle_in(session, number, conversation.now)
        for _ in range(3):
            # Who was never looked at is looked at now.
            questions(conversation)
        found.append(questions(conversation))
    assert found[0] == found[1]
    assert len(found[0]) > 20
