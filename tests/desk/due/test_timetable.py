"""The next due work of the referee: games, mail, and the daily digest."""

from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta

import pytest

from referee.desk.games.absences import REMINDED_BEFORE
from referee.plugins import installed_rulesets
from referee.store.mail import digests, outbox
from referee.store.people.absences import Absence
from referee.testing.conversation import Conversation
from tests.store.rows import a_game, a_person, a_running_game, a_seat, an_answer

HOUR = timedelta(hours=1)


@pytest.fixture
def talk() -> Iterator[Conversation]:
    """Yield a referee at noon with no games."""
    with closing(Conversation(installed_rulesets())) as conversation:
        yield conversation


def test_the_digest_of_the_operator_is_due_every_morning(talk: Conversation) -> None:
    assert talk.daemon.next_due(talk.now) == talk.now + 18 * HOUR
    assert talk.daemon.next_due(talk.now - 12 * HOUR) == talk.now - 6 * HOUR


def test_a_letter_that_waits(talk: Conversation) -> None:
    with talk.store.write() as session:
        outbox.put_off(session, an_answer(session), talk.now + HOUR)
    assert talk.daemon.next_due(talk.now) == talk.now + HOUR


def test_a_daily_letter(talk: Conversation) -> None:
    due = talk.now + HOUR
    with talk.store.write() as session:
        digests.keep(
            session,
            a_person(session),
            game=None,
            seat=None,
            kind="",
            subject="",
            text="",
            now=talk.now,
            due=due,
        )
    assert talk.daemon.next_due(talk.now) == due


def test_a_day_before_a_player_leaves(talk: Conversation) -> None:
    leaves = talk.now + REMINDED_BEFORE + HOUR
    with talk.store.write() as session:
        game = a_running_game(session)
        game.deadline_at = leaves + HOUR
        session.flush()
        game.remind_at = None
        seat = a_seat(session, a_game(session, "SW-2"))
        assert seat.person_id is not None
        away = Absence(
            seat_id=seat.id,
            person_id=seat.person_id,
            begins_at=leaves,
            ends_at=leaves + HOUR,
            zone="UTC",
        )
        session.add(away)
    # The forming game is checked first.
    talk.daemon.step(talk.now)
    assert talk.daemon.next_due(talk.now) == talk.now + HOUR
