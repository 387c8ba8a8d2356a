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


def test_the_mailbox_is_tested_and_faults_are_reported(dovecot: Dovecot, tmp_path: Path) -> None:
    settings = SETTINGS.format(port=dovecot.imap_port, letter_bytes=20_000)
    password = tmp_path / "imap.password"
    password.write_text(PASSWORD)
    dovecot.deliver(letter("x"))
    well = doctor(tmp_path, settings)
    assert well.exit_code == 0, well.output
    assert "mailbox games: readable, 1 emails in INBOX" in well.output
    assert "mailbox games: no folder Done yet" in well.output
    assert len(dovecot.letters()) == 1

    absent = doctor(tmp_path, settings.replace("user =", 'folder = "Orders"\nuser ='))
    assert absent.exit_code == 1
    assert "check that folder exists" in absent.output

    password.write_text("wrong")
    refused = doctor(tmp_path, settings)
    assert refused.exit_code == 1
    expected = r"""imap      FAULT  mailbox games: cannot be read: server: \[AUTH.*
 +setting   imap\.games
 +to do     check user and the password in password_file; then run `referee doctor imap` again
"""
    assert re.fullmatch(expected, refused.output)

    dovecot.stop()
    gone = doctor(tmp_path, settings)
    assert gone.exit_code == 1
    assert "check that a server answers at 127.0.0.1, port " in gone.output
