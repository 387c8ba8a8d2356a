"""FINAL taken back while another daemon resolves the turn."""

from collections import deque
from contextlib import closing
from datetime import timedelta

import pytest

from referee.desk.due.adjudication import Claim, DueCutoff, carry_out, claim_next
from referee.errors import ClaimLost
from referee.plugins import installed_rulesets
from referee.store.games import games
from referee.store.mail import heartbeats
from referee.store.models import LONG_AGO
from referee.testing.conversation import Conversation

BEGINNING = """
=== gm@example.org writes

CREATE STARWEB SEATS 2 DEADLINE "5 days" OPTION introduced=yes
=== gm@example.org gets mail
=== frodo@shire.example writes

JOIN SW-1 FRODO AS Empire Builder
=== frodo@shire.example gets mail
=== sam@shire.example writes

JOIN SW-1 SAM AS Empire Builder
=== gm@example.org gets mail
=== frodo@shire.example gets mail
=== sam@shire.example gets mail
=== frodo@shire.example replies
ENDING 5000
FINAL
=== frodo@shire.example gets mail
=== sam@shire.example replies
FINAL
=== sam@shire.example gets mail
"""
TAKEN_BACK = """
=== frodo@shire.example replies
{}
=== frodo@shire.example gets
waits for its deadline.
"""


def claimed_elsewhere(conversation: Conversation) -> Claim:
    """Claim the turn for another daemon at the moment at which it ends early."""
    conversation.now += timedelta(minutes=15)
    with conversation.store.write() as session:
        heartbeats.keep(session, conversation.now)
        (game,) = games.listing(session)
    cutoff = DueCutoff(conversation.now)
    claim = claim_next(conversation.store, "another", cutoff, deque([game.id]))
    assert claim is not None
    return claim


@pytest.mark.slow
@pytest.mark.parametrize("words", ["WAIT", "ENDING 6000", "UNDO"])
def test_a_turn_is_not_resolved_after_an_answer_that_it_waits(words: str) -> None:
    with closing(Conversation(installed_rulesets())) as conversation:
        conversation.run(BEGINNING)
        claim = claimed_elsewhere(conversation)
        told = TAKEN_BACK if words != "UNDO" else TAKEN_BACK.replace("waits for its deadline", "")
        conversation.run(told.format(words))
        site = conversation.daemon.app.site
        with pytest.raises(ClaimLost):
            carry_out(conversation.store, site, claim, conversation.now)
        with conversation.store.read() as session:
            (game,) = games.listing(session)
            assert (game.turn, game.ready_at) == (1, None)


@pytest.mark.slow
@pytest.mark.parametrize("words", ["WAIT", "ENDING 6000"])
def test_no_player_stops_a_turn_that_the_gm_resolves(words: str) -> None:
    with closing(Conversation(installed_rulesets())) as conversation:
        conversation.run(BEGINNING)
        with conversation.store.write() as session:
            # So RESOLVE leaves the game, until a daemon resolves the turn.
            games.listing(session)[0].ready_at = LONG_AGO
        claim = claimed_elsewhere(conversation)
        told = TAKEN_BACK.replace("waits for its deadline.", "resolve{}")
        conversation.run(told.format(words, "s the turn now" if words == "WAIT" else "d now"))
        carry_out(conversation.store, conversation.daemon.app.site, claim, conversation.now)
        with conversation.store.read() as session:
            assert games.listing(session)[0].turn == 2
