"""A round of the loop makes as few queries with many games as with few."""

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
from referee.store.mail import digests
from referee.store.models import Game
from referee.store.people import observers, offers, people
from referee.store.people.deputies import Deputy, DeputyState
from referee.testing.conversation import Conversation
from tests.store.rows import a_game, a_person, a_running_game, a_seat


@pytest.fixture
def conversation() -> Iterator[Conversation]:
    with closing(Conversation(installed_rulesets())) as talk:
        yield talk


def settle_in(session: Session, number: int, now: datetime) -> None:
    """Create two games with everything in progress: one is forming, and one is running."""
    forming = a_game(session, f"SW-{2 * number}", places=3)
    a_seat(session, forming, 1)
    agenda.schedule(session, forming, AgendaTopic.START)
    game: Game = a_running_game(session, f"SW-{2 * number + 1}")
    later = now + timedelta(days=30)
    game.observers_behind, game.reminders = 1, []
    game.deadline_at = game.closes_at = later
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
    # Only a game that has ended has a book.
    going_on = set(AgendaTopic) - {AgendaTopic.START, AgendaTopic.BOOK}
    agenda.schedule(session, game, *going_on)


def questions(conversation: Conversation) -> list[str]:
    """Return the queries of a round in which nothing is due."""
    asked: list[str] = []

    def hear(_connection: object, _cursor: object, question: str, *_others: object) -> None:
        asked.append(question)

    engine = conversation.store._engine
    conversation.now += timedelta(minutes=1)
    event.listen(engine, "before_cursor_execute", hear)
    conversation.daemon.step(conversation.now)
    event.remove(engine, "before_cursor_execute", hear)
    return asked


def have_a_letter_due(conversation: Conversation, address: str) -> None:
    """Make a daily letter to that address due, so that the next round takes every step."""
    now = conversation.now
    with conversation.store.write() as session:
        person = people.by_address(session, address) or a_person(session, address)
        words = {"kind": "", "subject": "", "text": "", "html": ""}
        digests.keep(session, person, game=None, seat=None, **words, now=now, due=now)


@pytest.mark.parametrize(
    ("busy", "least", "most"), [(False, 5, 15), pytest.param(True, 20, 60, marks=pytest.mark.slow)]
)
def test_a_round_makes_the_same_queries_for_any_number_of_games(
    conversation: Conversation, *, busy: bool, least: int, most: int
) -> None:
    found = []
    for sizes in (range(1, 2), range(2, 8)):
        with conversation.store.write() as session:
            for number in sizes:
                settle_in(session, number, conversation.now)
        for _ in range(3):
            # Games that were never checked are checked now.
            questions(conversation)
        if busy:
            have_a_letter_due(conversation, "bilbo@there")
        found.append(questions(conversation))
    assert found[0] == found[1]
    assert least < len(found[0]) < most
