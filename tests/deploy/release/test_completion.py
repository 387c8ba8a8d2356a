"""Completion: each shell accepts the script, and the program gives the words."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import BashComplete

from deploy.release import completion
from referee.cli import COMMANDS, main
from tests.live.servers import program

CHECKS = {
    "bash": ("bash", "-c", "source $0 && complete -p referee"),
    # zsh reads the file as a function, so it is only parsed.
    "zsh": ("zsh", "--no-exec"),
    "fish": ("fish", "--no-execute"),
}


@pytest.mark.parametrize("shell", sorted(CHECKS))
def test_a_shell_accepts_its_script(tmp_path: Path, shell: str) -> None:
    program(shell, shell, shell)
    completion.write(tmp_path)
    file = tmp_path / completion.PLACES[shell]
    done = subprocess.run(
        [*CHECKS[shell], file], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def completed(words: str) -> list[str]:
    """Return what bash is given for words on the command line; the last one is completed."""
    done = subprocess.run(
        [Path(sys.executable).with_name("referee")],
        env={
            **os.environ,
            "_REFEREE_COMPLETE": "bash_complete",
            "COMP_WORDS": words,
            "COMP_CWORD": str(len(words.split(" ")) - 1),
        },
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    return [line.partition(",")[2] for line in done.stdout.splitlines()]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("st", ["status"]),
        ("mail re", ["release", "resume", "retry"]),
        ("mail list ou", ["outbox"]),
        ("backup --f", ["--force"]),
        ("--ver", ["--version"]),
    ],
)
def test_words_are_completed(words: str, expected: list[str]) -> None:
    *before, last = words.split()
    found = BashComplete(main, {}, "referee", "_REFEREE_COMPLETE").get_completions(before, last)
    assert sorted(item.value for item in found) == expected


def test_without_a_word_every_command_is_offered() -> None:
    assert completed("referee ") == list(COMMANDS)
