"""New time zone data: a running deadline keeps its local hour."""

from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta

import pytest

from referee.plugins import installed_rulesets
from referee.store.games import games
from referee.store.models import Game
from referee.testing.conversation import Conversation
from tests.desk.reception.test_gm_commands import RUNNING

HOUR = timedelta(hours=1)
STARTED = "=== it is 2026-10-20 12:00 UTC\n" + RUNNING.replace(
    "5 days", "every Monday 20:00 Europe/Berlin"
)


@pytest.fixture
def talk() -> Iterator[Conversation]:
    """Yield a referee with a game that is due on Monday, 20:00 in winter (19:00 UTC)."""
    with closing(Conversation(installed_rulesets())) as conversation:
        conversation.run(STARTED)
        yield conversation


def _set_with(talk: Conversation, hours: int) -> None:
    """Store the deadline as old zone data set it, by which Berlin is *hours* ahead of UTC."""
    with talk.store.write() as session:
        game = _game(talk)
        found = session.get_one(Game, game.id)
        assert game.deadline_at is not None
        found.deadline_at = found.closes_at = game.deadline_at + (1 - hours) * HOUR
        found.deadline_offset_seconds = hours * 3600


def _game(talk: Conversation) -> Game:
    with talk.store.read() as session:
        (game,) = games.listing(session)
        return game


@pytest.mark.slow
@pytest.mark.parametrize("hours", [0, 2])
def test_a_deadline_moves_to_its_local_hour(talk: Conversation, hours: int) -> None:
    due = _game(talk).deadline_at
    assert due is not None
    assert (due.hour, _game(talk).deadline_offset_seconds) == (19, 3600)
    _set_with(talk, hours)
    talk.daemon.keep_local_hours(talk.now)
    assert _game(talk).deadline_at == due
    talk.pass_to(talk.now + HOUR)
    talk.run(
        """
=== frodo@shire.example gets
The clocks of Europe/Berlin change by a new rule, so the referee moved the deadline of turn 1
=== sam@shire.example gets
Europe/Berlin
=== gm@example.org gets
Europe/Berlin
"""
    )


def test_nobody_hears_of_zone_data_that_are_the_same(talk: Conversation) -> None:
    before = _game(talk).moves
    talk.daemon.keep_local_hours(talk.now)
    talk.daemon.keep_local_hours(talk.now)
    assert _game(talk).moves == before
    talk.pass_to(talk.now + HOUR)
    talk.run("=== frodo@shire.example gets nothing")


@pytest.mark.slow
def test_a_turn_is_not_cut_to_hours(talk: Conversation) -> None:
    due = _game(talk).deadline_at
    assert due is not None
    _set_with(talk, 0)
    talk.daemon.keep_local_hours(due - 2 * HOUR)
    assert _game(talk).deadline_at == due + HOUR
