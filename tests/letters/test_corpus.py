"""Awkward letters, one trap each, and the result that is expected for each."""

import tomllib
from pathlib import Path
from typing import Any

from referee.letters.incoming.decode import decode
from referee.letters.incoming.screening import screen
from tests.support.seen import own_text

HERE = Path(__file__).parent
EXPECTED: dict[str, dict[str, Any]] = tomllib.loads((HERE / "expected.toml").read_text("utf-8"))


def read(name: str, envelope: str) -> dict[str, Any]:
    """Return everything about a letter that the table of results can name."""
    raw = (HERE / "corpus" / f"{name}.eml").read_bytes()
    letter = decode(raw)
    own = own_text(letter.text)
    return {
        "own": [line.text for line in own.lines if line.text.strip()],
        "quoted": own.quoted,
        "signature": own.signature,
        "disclaimer": own.disclaimer,
        "subject": letter.subject,
        "sender": letter.senders[0].address if letter.senders else "",
        "senders": [sender.address for sender in letter.senders],
        "recipients": list(letter.recipients),
        "references": list(letter.references),
        "message_id": letter.message_id,
        "attachments": [attachment.name for attachment in letter.attachments],
        "encoded": [str(block) for block in own.encoded],
        "refused": [refused.name for refused in letter.refused],
        "screening": screen(letter, raw, envelope, "token").value,
        "envelope": envelope,
    }


def test_letters_are_read_as_in_the_table() -> None:
    for name, expected in EXPECTED.items():
        read_of_it = read(name, expected.get("envelope", ""))
        assert (name, {key: read_of_it[key] for key in expected}) == (name, expected)


def test_every_letter_is_in_the_table() -> None:
    assert {path.stem for path in (HERE / "corpus").iterdir()} == set(EXPECTED)
