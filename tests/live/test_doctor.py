"""``referee doctor imap`` against a real Dovecot."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from referee.cli import main
from tests.live.dovecot import PASSWORD, Dovecot
from tests.live.test_imap_mailboxes import SETTINGS, letter

pytestmark = pytest.mark.live


def doctor(folder: Path, settings: str) -> Result:
    file = folder / "referee.toml"
    file.write_text(settings)
    return CliRunner().invoke(main, ["--settings", str(file), "doctor", "imap"])


def test_the_mailbox_is_tried_and_what_is_wrong_is_told(dovecot: Dovecot, tmp_path: Path) -> None:
    settings = SETTINGS.format(port=dovecot.imap_port, letter_bytes=20_000)
    password = tmp_path / "imap.password"
    password.write_text(PASSWORD)
    dovecot.deliver(letter("x"))
    well = doctor(tmp_path, settings)
    assert well.exit_code == 0, well.output
    assert 'the mailbox "games" is open; 1 letters lie in INBOX' in well.output
    assert 'the mailbox "games" has no folder Done yet' in well.output
    assert len(dovecot.letters()) == 1

    absent = doctor(tmp_path, settings.replace("user =", 'folder = "Orders"\nuser ='))
    assert absent.exit_code == 1
    assert "check folder: it has to be there" in absent.output

    password.write_text("wrong")
    refused = doctor(tmp_path, settings)
    assert refused.exit_code == 1
    expected = r"""imap      FAULT  the mailbox "games" cannot be read: the server says \[AUTH.*
 +setting   imap\.games
 +to do     check user and the password in password_file; `referee doctor imap` tries it again
"""
    assert re.fullmatch(expected, refused.output)

    dovecot.stop()
    gone = doctor(tmp_path, settings)
    assert gone.exit_code == 1
    assert "check host, port and security" in gone.output
