"""Mail conversations against a whole referee in memory, one file each."""

from contextlib import closing
from pathlib import Path

import pytest

from referee.plugins import installed_rulesets
from referee.testing.conversation import Conversation
from tests.support.listeners import noticing

FOLDER = Path(__file__).parent / "conversations"


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.txt")), ids=lambda file: str(file.stem))
def test_a_conversation_goes_as_written(file: Path) -> None:
    with noticing() as forgotten, closing(Conversation(installed_rulesets())) as conversation:
        conversation.run(file.read_text(encoding="utf-8"))
    assert forgotten == []
