"""Emails with the marks of a mailing list or of bulk mail that a player's server writes."""

import pytest

from referee.store.letter_states import InboxState
from referee.store.mail import inbox
from tests.attacks.siege import FRODO, Siege


@pytest.mark.parametrize("mark", [{"Precedence": "bulk"}, {"List_Id": "<games.example>"}])
def test_a_command_in_a_reply_with_such_a_mark_is_done(mark: dict[str, str]) -> None:
    siege = Siege()
    siege.reply(FRODO, "ENDING 2000\nFINAL\n", "T1")
    assert "You have sent FINAL" in siege.last(FRODO).text
    siege.reply(FRODO, "WAIT\n", "T1", **mark)
    with siege.store.read() as session:
        assert not inbox.listing(session, InboxState.UNASKED, 9)
    siege.reply(FRODO, "STATUS\n", "T1")
    assert "You have not sent FINAL." in siege.last(FRODO).text
