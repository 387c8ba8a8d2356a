"""Conversations that are played with a look at everything that no statement says."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Final

from referee.testing.conversation import Conversation, ConversationError
from tests.support.listeners import noticing
from tests.support.rulesets import RULESETS
from tests.support.token_places import misplaced
from tests.support.verdicts import witnessed

KEY: Final = b"k" * 32


@contextmanager
def checked(name: str) -> Iterator[Conversation]:
    """Yield a conversation that forgets no reminder, loses no line and misplaces no token.

    Its *name* is in front of an error.
    """
    with (
        noticing() as forgotten,
        witnessed() as lost,
        closing(Conversation(RULESETS)) as conversation,
    ):
        try:
            yield conversation
        except ConversationError as error:
            raise ConversationError(f"{name}: {error}") from error
    found = [*forgotten, *lost, *misplaced(conversation.mailed, KEY)]
    assert found == [], name
