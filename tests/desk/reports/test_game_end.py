"""Letters at the end of a game."""

from contextlib import closing
from email import message_from_bytes
from email.policy import SMTP
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.cli import main
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


@pytest.mark.slow
def test_the_file_mailed_at_the_end_proves_the_dice_of_the_first_report(tmp_path: Path) -> None:
    with closing(Conversation(installed_rulesets())) as conversation:
        conversation.run(ENDING.read_text(encoding="utf-8"))
        got = conversation.person("frodo@shire.example").got
    told = next(letter.text for letter in got if "first report" in letter.subject)
    digest = told.partition("FAIR DICE")[2].split()[-1]
    over = next(letter for letter in got if "the game is over" in letter.subject)
    (part,) = message_from_bytes(over.raw, policy=SMTP).iter_attachments()
    file = tmp_path / "sw-1-record.json.gz"
    file.write_bytes(part.get_content())
    shown = CliRunner().invoke(main, ["replay", str(file), "--dice", digest])
    assert shown.output == (
        "SW-1: 24 turns resolved again, identical\nSW-1: its dice are those of the first report\n"
    )
