"""Letters at the end of a game."""

from contextlib import closing
from pathlib import Path

import pytest

from referee.plugins import installed_rulesets
from referee.testing.conversation import Conversation

ENDING = Path(__file__).parents[2] / "conversations" / "ending.txt"


@pytest.mark.slow
def test_nobody_is_asked_for_orders_after_the_end() -> None:
    with closing(Conversation(installed_rulesets())) as conversation:
        conversation.run(ENDING.read_text(encoding="utf-8"))
        mailed = [dispatch.raw.decode() for dispatch in conversation.mailed]
    asked = [number for number, raw in enumerate(mailed) if "] you missed turn" in raw]
    ended = [number for number, raw in enumerate(mailed) if "] final report" in raw]
    assert asked
    assert ended
    assert max(asked) < min(ended)
