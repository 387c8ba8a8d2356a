"""The moment at which reminders are next checked, in a game with an absent player."""

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime

import pytest

from referee.plugins import installed_rulesets
from referee.store.games import games
from referee.testing.conversation import Conversation

FRODO = "frodo@shire.example"
BACK = datetime(2026, 9, 21, tzinfo=UTC)
AWAY = """
=== it is 2026-09-01 12:00 UTC
=== gm@example.org writes
CREATE STARWEB SEATS 2 DEADLINE "7 days" OPTION introduced=yes
=== gm@example.org gets mail
=== frodo@shire.example writes
JOIN SW-1 FRODO AS Empire Builder
=== frodo@shire.example gets mail
=== sam@shire.example writes
JOIN SW-1 SAM AS Empire Builder
=== frodo@shire.example gets mail
=== sam@shire.example gets mail
=== gm@example.org gets mail
=== frodo@shire.example replies to T1
ABSENT FROM 2 September TO 20 September
=== frodo@shire.example gets mail
=== gm@example.org gets mail
=== sam@shire.example replies to T1
ENDING 8000
=== sam@shire.example gets mail
=== it is 2026-09-05 13:00 UTC
"""

COMES_BACK = f"""
=== {FRODO} replies to T1
ABSENT NONE
=== gm@example.org gets mail
=== {FRODO} gets
You are no longer away.
=== {FRODO} gets
Subject: 3 days left
"""

HAS_A_DEPUTY = f"""
=== {FRODO} replies to T1
DEPUTY merry@buckland.example FROM 6 September TO 12 September
=== {FRODO} gets
Subject: confirm: DEPUTY
=== {FRODO} replies
CONFIRM
=== {FRODO} gets mail
=== merry@buckland.example gets mail
=== merry@buckland.example replies
CONFIRM
=== merry@buckland.example gets mail
=== {FRODO} gets mail
=== gm@example.org gets mail
=== it is 2026-09-06 00:00 UTC
=== merry@buckland.example gets
Subject: 2 days left
=== merry@buckland.example gets
Subject: you now send orders for FRODO
"""


@pytest.fixture
def talk() -> Iterator[Conversation]:
    """Yield a game that waits for an absent player, three days before the deadline."""
    with closing(Conversation(installed_rulesets())) as conversation:
        conversation.run(AWAY)
        yield conversation


def remind_at(talk: Conversation) -> datetime | None:
    with talk.store.read() as session:
        (game,) = games.listing(session)
        return game.remind_at


@pytest.mark.slow
def test_a_game_whose_player_is_away_rests_until_the_next_step(talk: Conversation) -> None:
    assert remind_at(talk) == datetime(2026, 9, 7, 12, tzinfo=UTC)


@pytest.mark.slow
def test_a_game_whose_player_is_away_rests_until_they_are_back(talk: Conversation) -> None:
    talk.run("=== it is 2026-09-08 11:00 UTC")
    assert remind_at(talk) == BACK


@pytest.mark.slow
def test_a_player_who_comes_back_is_reminded_at_once(talk: Conversation) -> None:
    talk.run(COMES_BACK)
    assert remind_at(talk) == datetime(2026, 9, 7, 12, tzinfo=UTC)


@pytest.mark.slow
def test_no_reminder_is_due_once_all_have_been_reminded(talk: Conversation) -> None:
    talk.run(f"{COMES_BACK}=== it is 2026-09-08 11:00 UTC\n=== {FRODO} gets mail")
    assert remind_at(talk) is None


@pytest.mark.slow
def test_a_deputy_is_reminded_from_the_first_day(talk: Conversation) -> None:
    talk.run(HAS_A_DEPUTY)
    assert remind_at(talk) == datetime(2026, 9, 7, 12, tzinfo=UTC)
