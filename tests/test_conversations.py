"""Mail conversations against a whole referee in memory, one file each."""

from contextlib import closing
from pathlib import Path

import pytest

from referee.plugins import installed_rulesets
from referee.testing.conversation import Conversation
from tests.support.examples import mostly_slow
from tests.support.listeners import noticing

FOLDER = Path(__file__).parent / "conversations"


@pytest.mark.parametrize("name", mostly_slow(sorted(f.stem for f in FOLDER.glob("*.txt")), every=3))
def test_a_conversation_goes_as_written(name: str) -> None:
    file = FOLDER / f"{name}.txt"
    with noticing() as forgotten, closing(Conversation(installed_rulesets())) as conversation:
        conversation.run(file.read_text(encoding="utf-8"))
    assert forgotten == []
