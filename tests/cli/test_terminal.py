"""What strangers wrote has no effect on the operator's terminal."""

import os
import pty
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from referee.cli import main
from referee.cli.terminal import printable, program
from referee.desk.reception import intake
from referee.domain.mail_transfer import IncomingMail
from referee.opening import open_store
from referee.settings import load
from referee.store.mail import outbox
from tests.support.examples import examples, mostly_slow

SETTINGS = """
[site]
address = "games@example.org"
operator = "you@example.org"
[sending]
kind = "maildir"
path = "sent"
"""
HOSTILE = (
    b"From: =?utf-8?q?x?= <you@example.org>\r\nSubject: \x1b]0;title\x07\r\n\r\n"
    b"\x1b[2J \x9b2J \xc2\x9b31m \xe2\x80\xaeback\xe2\x81\xa6 Z\xc3\xbcrich\ttab\rover\r\n"
)
NOON = datetime(2026, 9, 1, 12, tzinfo=UTC)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Return a settings file whose database has one email in, and one out that was rejected."""
    file = tmp_path / "referee.toml"
    file.write_text(SETTINGS)
    store = open_store(load(file))
    store.migrate()
    with store.write() as session:
        intake.accept(session, IncomingMail("smtp", "1", HOSTILE, NOON))
        outbox.put(
            session,
            NOON,
            outbox.Finished(
                message_id="<1@example.org>",
                kind="Unknown",
                envelope_sender="games@example.org",
                recipient="you@example.org",
                raw=HOSTILE,
            ),
        )
        letter = outbox.by_id(session, 1)
        assert letter is not None
        letter.error = "550 \x1b[2J no\n\u202esuch user"
    store.close()
    return file


def on_terminal(site: Path, *arguments: str) -> bytes:
    """Return what a command writes to a terminal."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "referee", "--settings", str(site), *arguments]
    subprocess.run(command, stdout=theirs, stderr=theirs, stdin=theirs, check=True, timeout=60)
    os.close(theirs)
    written = os.read(ours, 100_000)
    os.close(ours)
    return written.replace(b"\r\n", b"\n")


@pytest.mark.slow
@pytest.mark.sampled
@pytest.mark.parametrize(
    "arguments",
    mostly_slow(
        ["status", "mail show 1", "mail show --outgoing 1", "mail list outbox", "mail explain 1"]
    ),
)
def test_a_command_writes_no_control_character_to_a_terminal(site: Path, arguments: str) -> None:
    written = on_terminal(site, *arguments.split()).decode("utf-8")
    assert [c for c in written if not (c.isprintable() or c in "\n\t")] == []


@pytest.mark.slow
def test_an_email_is_readable_on_a_terminal(site: Path) -> None:
    written = on_terminal(site, "mail", "show", "1").decode("utf-8")
    assert "Subject: \\x1b]0;title\\x07\n" in written
    assert "\\x1b[2J \\x9b2J \\x9b31m \\u202eback\\u2066 Z\u00fcrich" in written
    assert "tab\\rover\n" in written


def test_a_pipe_gets_an_email_byte_for_byte(site: Path) -> None:
    shown = CliRunner().invoke(main, ["--settings", str(site), "mail", "show", "1"])
    assert shown.stdout_bytes == HOSTILE


def test_the_words_of_another_server_stay_in_their_row(site: Path) -> None:
    listed = CliRunner().invoke(main, ["--settings", str(site), "mail", "list", "outbox"])
    assert "550 \\x1b[2J no \\u202esuch user" in listed.stdout


@examples(200)
@given(st.text())
def test_any_text_is_made_printable(text: str) -> None:
    shown = printable(text)
    assert all(c.isprintable() or c in "\n\t" for c in shown)
    if text.isprintable():
        assert shown == text


def test_the_program_is_called_by_its_file_if_it_is_on_no_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "bin" / "referee"
    file.parent.mkdir()
    file.write_text("#!/bin/sh\n")
    file.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [str(file), "demo"])
    monkeypatch.setenv("PATH", str(tmp_path))
    assert program() == "bin/referee"
    monkeypatch.setenv("PATH", str(file.parent))
    assert program() == "referee"
    monkeypatch.setattr(sys, "argv", ["__main__.py", "demo"])
    monkeypatch.setenv("PATH", str(tmp_path))
    assert program() == "referee"
