"""A remark to a whole referee: the sheet on file stays, and no confirmation is asked."""

from collections.abc import Iterator
from contextlib import closing
from typing import Final

import pytest

from referee.plugins import installed_rulesets
from referee.store.games import games
from referee.store.letter_states import InboxState
from referee.store.mail import inbox
from referee.testing.conversation import Conversation
from tests.support.corpora import remarks, sheets

PLAYER: Final = "frodo@shire.example"
TITLES: Final = {
    "fistful": ("FISTFUL", "FP-1"),
    "singularity": ("SINGULARITY", "ST-1"),
    "star_empires": ("STAR EMPIRES", "SE-1"),
    "starfarers": ("STARFARERS", "SF-1"),
    "starweb": ("STARWEB", "SW-1"),
}
SAMPLE: Final = 5
BEGINNING: Final = """\
=== gm@example.org writes

CREATE {title} SEATS 2 DEADLINE "300 days"
=== gm@example.org gets mail
=== frodo@shire.example writes

JOIN {name} FRODO
=== frodo@shire.example gets mail
=== sam@shire.example writes

JOIN {name} SAM
=== sam@shire.example gets mail
=== frodo@shire.example gets mail
=== gm@example.org gets mail
=== frodo@shire.example replies to T1
{orders}
=== frodo@shire.example gets mail
"""
REMARK: Final = """\
=== frodo@shire.example replies to T1
{text}
=== frodo@shire.example gets mail
"""


@pytest.fixture
def running(game: str) -> Iterator[Conversation]:
    title, name = TITLES[game]
    orders = "\n".join(sheets(game)[0])
    with closing(Conversation(installed_rulesets())) as conversation:
        conversation.run(BEGINNING.format(title=title, name=name, orders=orders))
        yield conversation


def on_file(conversation: Conversation, name: str) -> list[tuple[str, ...]]:
    """Return the sheets on file for the current turn of a game."""
    with conversation.store.read() as session:
        game = games.by_name(session, name)
        assert game is not None
        return [sheet.orders for sheet in games.sheets_on_file(session, game).values()]


def waiting(conversation: Conversation) -> int:
    """Return the number of letters that wait for a confirmation."""
    with conversation.store.read() as session:
        return inbox.counts(session)[InboxState.HELD]


@pytest.mark.slow
@pytest.mark.parametrize("game", sorted(TITLES))
def test_remarks_change_no_sheet(running: Conversation, game: str) -> None:
    _, name = TITLES[game]
    own = [remark for remark in remarks(game) if remark.game == game]
    expected = [tuple(sheets(game)[0])]
    assert expected == on_file(running, name)
    for remark in own[:: len(own) // SAMPLE][:SAMPLE]:
        running.run(REMARK.format(text=remark.text))
        assert (remark.text, expected, 0) == (
            remark.text,
            on_file(running, name),
            waiting(running),
        )
