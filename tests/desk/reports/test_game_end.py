"""Letters at the end of a game."""

import gzip
import json
from collections.abc import Iterator, Sequence
from contextlib import closing
from email import message_from_bytes
from email.policy import SMTP
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.cli import main
from referee.desk.publishing.book import reports_of
from referee.plugins import installed_rulesets
from referee.store.games import games
from referee.testing.conversation import Conversation
from referee.testing.correspondents import Received

GAMES = installed_rulesets()
ENDING = Path(__file__).parents[2] / "conversations" / "ending.txt"


def saved(letter: Received, folder: Path) -> Path:
    """Save the record of the game that is attached to a letter."""
    parts = message_from_bytes(letter.raw, policy=SMTP).iter_attachments()
    (record,) = (part for part in parts if str(part.get_filename()).endswith("record.json.gz"))
    file = folder / "record.json.gz"
    file.write_bytes(record.get_content())
    return file


def replayed(record: Path, got: Sequence[Received]) -> list[str]:
    """Return what ``replay`` prints of a record, with the dice in the first report of *got*."""
    told = next(letter.text for letter in got if "first report" in letter.subject)
    digest = told.partition("FAIR DICE")[2].split()[-1]
    return CliRunner().invoke(main, ["replay", str(record), "--dice", digest]).output.splitlines()


@pytest.fixture(scope="module")
def ended() -> Iterator[Conversation]:
    """Yield the conversation of a game of 24 turns that has ended."""
    with closing(Conversation(GAMES)) as conversation:
        conversation.run(ENDING.read_text(encoding="utf-8"))
        yield conversation


@pytest.mark.release
def test_nobody_is_asked_for_orders_after_the_end(ended: Conversation) -> None:
    mailed = [dispatch.raw.decode() for dispatch in ended.mailed]
    asked = [number for number, raw in enumerate(mailed) if "] you missed turn" in raw]
    final = [number for number, raw in enumerate(mailed) if "] final report" in raw]
    assert asked
    assert final
    assert max(asked) < min(final)


@pytest.mark.release
def test_the_file_mailed_at_the_end_proves_the_dice_of_the_first_report(
    ended: Conversation, tmp_path: Path
) -> None:
    got = ended.person("frodo@shire.example").got
    over = next(letter for letter in got if "the game is over" in letter.subject)
    assert replayed(saved(over, tmp_path), got) == [
        "SW-1: 24 turns resolved again, identical",
        "SW-1: its dice are those of the first report",
    ]


REVEALED = """=== it is 2026-09-01 12:00 UTC
=== gm@example.org writes

CREATE {ruleset} SEATS 2 DEADLINE "1 day"
=== gm@example.org gets mail
=== frodo@shire.example writes

JOIN {game} FRODO{wish}
=== frodo@shire.example gets mail
=== sam@shire.example writes

JOIN {game} FRODO OR SAM{wish}
=== sam@shire.example gets
Subject: welcome, you play SAM
=== sam@shire.example gets mail
=== frodo@shire.example gets mail
=== gm@example.org gets mail
=== gm@example.org writes

GM {game}
CORRECT a typing error
{correction}
END
=== gm@example.org gets mail
=== gm@example.org replies
CONFIRM
=== gm@example.org gets mail
=== sam@shire.example gets mail
=== frodo@shire.example gets mail
=== 2 days pass
=== sam@shire.example gets mail
=== frodo@shire.example gets mail
=== gm@example.org writes

GM {game}
END GAME
=== gm@example.org gets mail
=== gm@example.org replies
CONFIRM
=== gm@example.org gets mail
=== sam@shire.example gets mail
=== frodo@shire.example gets mail
=== 8 days pass
=== gm@example.org writes

GM {game}
REVEAL
=== gm@example.org gets mail
=== gm@example.org replies
CONFIRM
=== gm@example.org gets mail
=== sam@shire.example gets mail
=== frodo@shire.example gets mail
"""


@pytest.mark.slow
@pytest.mark.sampled
@pytest.mark.parametrize(
    ("key", "wish", "correction"),
    [
        ("fistful", "", "HOME [FRODO] W1"),
        ("singularity", " AS yellow OR red", "W5 [SAM]"),
        ("star_empires", "", "MODIFYWORLD Mandrake 12 0 SAM"),
        ("starfarers", "", "[FRODO] boosters 1"),
        ("starweb", " AS Merchant OR Pirate", "W7 [SAM]"),
    ],
)
def test_the_file_that_reveal_mails_proves_wishes_and_corrections(
    key: str, wish: str, correction: str, tmp_path: Path
) -> None:
    game = f"{GAMES[key].info.prefix}-1"
    with closing(Conversation(GAMES)) as conversation:
        conversation.run(
            REVEALED.format(ruleset=key.upper(), game=game, wish=wish, correction=correction)
        )
        got = conversation.person("frodo@shire.example").got
    revealed = next(letter for letter in got if "revealed" in letter.subject)
    assert f"CORRECTIONS AND ROLLBACKS\nturn 1: the GM corrected {correction}\n" in revealed.text
    file = saved(revealed, tmp_path)
    held = json.loads(gzip.decompress(file.read_bytes()))
    assert held["corrections"] == [correction]
    assert replayed(file, got) == [
        f"{game}: turn 1: the GM corrected {correction}",
        f"{game}: its rules did not end it after turn {len(held['turns'])}; the GM or a vote did",
        f"{game}: {len(held['turns'])} turns resolved again, identical",
        f"{game}: its dice are those of the first report",
    ]


ROLLED_BACK = """=== gm@example.org writes

GM SW-1
ROLLBACK
=== gm@example.org gets mail
=== gm@example.org replies
CONFIRM
=== gm@example.org gets mail
=== sam@shire.example gets mail
=== frodo@shire.example gets mail
"""


@pytest.mark.slow
def test_the_book_has_the_reports_that_were_replaced_too() -> None:
    begun = REVEALED.partition("=== gm@example.org writes\n\nGM {game}\nEND GAME")[0]
    words = {"ruleset": "STARWEB", "game": "SW-1", "wish": " AS Merchant OR Pirate"}
    with closing(Conversation(GAMES)) as conversation:
        conversation.run(begun.format(correction="W7 [SAM]", **words) + ROLLED_BACK)
        with conversation.store.read() as session:
            (game,) = games.listing(session)
            assert game.turn == 2
            found = list(reports_of(session, game.seats[1]))
    heads = {Path(file.path).name: file.content.decode().split(".")[0] for file in found}
    assert heads == {
        "turn-01-replaced-1.txt": "SW-1 (StarWeb) has started",
        "turn-01.txt": "The GM corrected the game: a typing error",
        "turn-02.txt": "Your report as SAM for turn 2 of SW-1 (StarWeb)",
        "turn-03-replaced-1.txt": "Your report as SAM for turn 3 of SW-1 (StarWeb)",
    }
