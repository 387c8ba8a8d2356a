"""Access tokens from a command: their value and their errors."""

import sys
import time

import pytest

from referee.errors import ResourceError
from referee.mail.security import read_token

SETTING = "imap.games.token_command"


def python(code: str) -> tuple[str, ...]:
    return (sys.executable, "-c", code)


def told(*command: str, patience_seconds: float = 10.0) -> str:
    with pytest.raises(ResourceError) as caught:
        read_token(command, SETTING, patience_seconds)
    return caught.value.told()


def test_the_token_is_the_first_line_and_no_shell_reads_the_command() -> None:
    command = python("import sys; print(sys.argv[1] + '\\nexpires in an hour')")
    assert read_token((*command, "$HOME;ls"), SETTING) == "$HOME;ls"


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("import sys; print('hunter2'); sys.exit(3)", "ended with status 3"),
        ("", "writes no token"),
        ("print('two words of hunter2')", "writes no token"),
        ("print('hunter2\\x01auth=Bearer x')", "writes no token"),
        ("import sys; sys.stdout.buffer.write(bytes(range(128, 256)))", "writes no token"),
        ("import os; print('hunter2', flush=True); os.abort()", "ended with status -6"),
    ],
)
def test_a_command_without_a_token_is_reported_without_its_output(code: str, words: str) -> None:
    trouble = told(*python(code))
    assert words in trouble
    assert f"setting   {SETTING}" in trouble
    assert "hunter2" not in trouble


@pytest.mark.parametrize("command", ["/nowhere/token", "", "a\0b"])
def test_a_missing_command_is_reported(command: str) -> None:
    assert "cannot be run" in told(command)


def test_a_command_that_hangs_is_killed_with_its_children() -> None:
    begun = time.monotonic()
    code = "import subprocess; subprocess.run(['sleep', '600'])"
    assert "takes longer than 0.3 seconds" in told(*python(code), patience_seconds=0.3)
    assert time.monotonic() - begun < 300
