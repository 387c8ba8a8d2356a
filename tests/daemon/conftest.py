"""A conversation in which a faulty ruleset is installed next to the others."""

from collections.abc import Iterator

import pytest

from referee.plugins import installed_rulesets
from referee.testing.conversation import Conversation
from tests.support.faulty import Faulty


@pytest.fixture
def faulty() -> Faulty:
    """Return a ruleset that fails where a test tells it to."""
    return Faulty()


@pytest.fixture
def talk(faulty: Faulty) -> Iterator[Conversation]:
    """Yield a conversation with all installed rulesets and the faulty one."""
    conversation = Conversation({**installed_rulesets(), "faulty": faulty})
    yield conversation
    conversation.close()
