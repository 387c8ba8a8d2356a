"""The next due work of the referee: games, mail, and the daily digest."""

from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta

import pytest
from sqlalchemy import select

from referee.daemon import loop
from referee.daemon.loop import LOOKED_AT
from referee.desk.base.desk import Desk
from referee.plugins import installed_rulesets
from referee.store import Session
from referee.store.mail import digests, outbox
from referee.store.models import SeatRow
from referee.store.people.absences import REMINDED_BEFORE, Absence
from referee.testing.conversation import Conversation
from tests.store.rows import a_person, a_running_game, a_seat, an_answer

HOUR = timedelta(hours=1)
SECOND = timedelta(seconds=1)


@pytest.fixture
def talk() -> Iterator[Conversation]:
    """Yield a referee at noon with no games."""
    with closing(Conversation(installed_rulesets())) as conversation:
        yield conversation


def is_due(talk: Conversation, later: timedelta = timedelta(0)) -> bool:
    """Return whether the timetable has something to do now, or *later*."""
    with talk.store.read() as session:
        return loop.is_due(Desk(session, talk.daemon.app.site, talk.now + later), LOOKED_AT)


def a_daily_letter(session: Session, talk: Conversation, due: datetime) -> None:
    digests.keep(
        session,
        a_person(session),
        game=None,
        seat=None,
        kind="",
        subject="",
        html="",
        text="",
        now=talk.now,
        due=due,
    )


def an_absence(seat: SeatRow, since: datetime, until: datetime) -> Absence:
    assert seat.person_id is not None
    return Absence(
        seat_id=seat.id, person_id=seat.person_id, begins_at=since, ends_at=until, zone="UTC"
    )


def test_the_digest_of_the_operator_is_due_every_morning(talk: Conversation) -> None:
    assert talk.daemon.next_due(talk.now) == talk.now + 18 * HOUR
    assert talk.daemon.next_due(talk.now - 12 * HOUR) == talk.now - 6 * HOUR


def test_nothing_is_due_in_a_site_without_games(talk: Conversation) -> None:
    assert not is_due(talk)


def test_a_daily_letter_is_due_at_its_moment(talk: Conversation) -> None:
    with talk.store.write() as session:
        a_daily_letter(session, talk, talk.now)
    assert is_due(talk)
    assert not is_due(talk, -SECOND)
    talk.daemon.step(talk.now)
    assert not is_due(talk)


def test_a_turn_is_due_at_its_deadline(talk: Conversation) -> None:
    with talk.store.write() as session:
        game = a_running_game(session)
        game.remind_at = None
        game.deadline_at = game.closes_at = talk.now
    assert is_due(talk)
    assert not is_due(talk, -SECOND)


def test_a_player_who_leaves_is_due_until_reminded(talk: Conversation) -> None:
    with talk.store.write() as session:
        seat = a_seat(session, a_running_game(session))
        seat.game.remind_at = None
        seat.game.deadline_at = seat.game.closes_at = talk.now + HOUR
        session.add(an_absence(seat, talk.now, talk.now + 2 * HOUR))
    assert is_due(talk)
    with talk.store.write() as session:
        session.scalars(select(Absence)).one().reminded = True
    assert not is_due(talk)


def test_a_letter_that_waits(talk: Conversation) -> None:
    with talk.store.write() as session:
        outbox.put_off(session, an_answer(session), talk.now + HOUR)
    assert talk.daemon.next_due(talk.now) == talk.now + HOUR


def test_a_daily_letter(talk: Conversation) -> None:
    due = talk.now + HOUR
    with talk.store.write() as session:
        a_daily_letter(session, talk, due)
    assert talk.daemon.next_due(talk.now) == due


def test_a_day_before_a_player_leaves(talk: Conversation) -> None:
    leaves = talk.now + REMINDED_BEFORE + HOUR
    with talk.store.write() as session:
        game = a_running_game(session)
        game.deadline_at = game.closes_at = leaves + HOUR
        session.add(an_absence(a_seat(session, game), leaves, leaves + 2 * HOUR))
        session.flush()
        game.remind_at = None
    assert talk.daemon.next_due(talk.now) == talk.now + HOUR
