"""``referee play``: a game for one at a terminal, in an editor, and from a pipe."""

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from referee.cli import main

SECONDS = 300.0


def play(*words: str, typed: str = "") -> Result:
    return CliRunner().invoke(main, ["play", *words], input=typed)


@dataclass
class Terminal:
    """A program on a terminal, and what it has written since the last look."""

    process: subprocess.Popen[bytes]
    ours: int
    output: str = ""

    def type(self, text: str) -> None:
        os.write(self.ours, text.encode())

    def wait_for(self, words: str) -> str:
        """Return the output up to *words*, which must come."""
        until = time.monotonic() + SECONDS
        while words not in self.output:
            assert time.monotonic() < until, self.output
            assert self._read(), self.output
        before, _, self.output = self.output.partition(words)
        return before

    def _read(self) -> bool:
        """Add more output; return False at its end."""
        ready, _, _ = select.select([self.ours], [], [], SECONDS)
        octets = b""
        # Linux raises OSError at the end of a terminal.
        with suppress(OSError):
            octets = os.read(self.ours, 100_000) if ready else b""
        self.output += octets.decode("utf-8", "replace").replace("\r\n", "\n")
        return bool(octets)

    def interrupt(self) -> None:
        """Press Ctrl-C once the program waits for input; a moment before, Python can miss it."""
        until = time.monotonic() + SECONDS
        state = Path(f"/proc/{self.process.pid}/stat")
        while state.read_text("utf-8").rpartition(") ")[2][0] != "S":
            assert time.monotonic() < until
            time.sleep(0.05)
        self.process.send_signal(signal.SIGINT)

    def end(self) -> tuple[int, str]:
        """Return the exit status and the rest of the output."""
        while self._read():
            pass
        return self.process.wait(SECONDS), self.output


@pytest.fixture
def terminal() -> Iterator[Callable[..., Terminal]]:
    """Return a function that starts ``referee play`` on a terminal, with an editor or none."""
    started = list[Terminal]()

    def start(*words: str, editor: str = "") -> Terminal:
        ours, theirs = pty.openpty()
        kept = {name: value for name, value in os.environ.items() if name != "VISUAL"}
        process = subprocess.Popen(
            [sys.executable, "-m", "referee", "play", *words],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**kept, "EDITOR": editor},
            # In the background, a shell lets all processes ignore Ctrl-C, this one too.
            preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
        )
        os.close(theirs)
        started.append(Terminal(process, ours))
        return started[-1]

    yield start
    for each in started:
        each.process.kill()
        each.process.wait()
        os.close(each.ours)


@pytest.mark.slow
def test_a_pipe_plays_to_the_end_of_the_game() -> None:
    played = play("starweb", "ROBOTS", "1", typed="FINAL\n---\n\n---\nRESIGN\n---\nCONFIRM\n")
    assert (played.exit_code, played.stderr) == (0, "")
    seen = ["PLAY starweb ROBOTS 1", "first report", "\nFINAL\n", " T2 ", "\nRESIGN\n"]
    assert sorted(seen, key=played.stdout.index) == seen
    assert played.stdout.count("YOU WRITE") == 4
    assert played.stdout.endswith("\nThe game is over.\n")


@pytest.mark.slow
def test_emails_with_nothing_to_do_are_all_answered() -> None:
    emails = [f"What shall I do now? I have asked {count} times." for count in range(10)]

    done = play("TUTORIAL", "fistful", typed="\n---\n".join(emails))

    assert done.output.count("We found no orders in your email") == 10


@pytest.mark.slow
def test_a_game_in_a_folder_is_continued(tmp_path: Path) -> None:
    folder = str(tmp_path / "new")
    begun = play("--folder", folder, "singularity", typed="STATUS\n")
    assert f"referee play --folder {folder}\n" in begun.stdout
    again = play("--folder", folder)
    assert (again.exit_code, again.stdout.count("YOU WRITE")) == (0, 0)
    assert "first report" in again.stdout
    other = play("--folder", folder, "starweb")
    assert (other.exit_code, other.stdout) == (1, "")
    assert other.stderr.startswith("referee: game: one is in this folder\n")


DOCS = "".join(Path(file).read_text("utf-8") for file in ("README.md", "docs/operators.md"))
EXAMPLES = re.findall(r"make play GAME=\"(.+?)\"|`referee play (?!GAME)(.+?)`", DOCS, re.DOTALL)


@pytest.mark.slow
@pytest.mark.parametrize("words", [one or other for one, other in EXAMPLES])
def test_the_examples_in_the_docs_begin_a_game(words: str) -> None:
    played = play(*words.split())
    assert (played.exit_code, played.stderr) == (0, "")
    assert "first report" in played.stdout


def test_the_docs_have_examples() -> None:
    assert len(EXAMPLES) == 4


def test_a_newcomer_sees_the_first_turn() -> None:
    played = play("tutorial", "starfarers", typed="S2E1\nFINAL\n")
    assert (played.exit_code, played.stderr) == (0, "")
    seen = ["TUTORIAL 1 OF 4", "YOU WRITE\n\nS2E1\nFINAL\n", "ACCEPTED (1)", "TUTORIAL 2 OF 4"]
    assert sorted(seen, key=played.stdout.index) == seen


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "error"),
    [
        ("chess", 'There is no ruleset "chess" here.'),
        ("tutorial", "which game? One of fistful, singularity,"),
        ("starweb ROBOTS 99", "You can play StarWeb against 1 to 14 robots."),
        ("starweb ROBOTS x", "Expected a number after PLAY starweb ROBOTS, but found x."),
        ("starweb AS hobbit", "There is no character called hobbit."),
    ],
)
def test_a_game_that_cannot_begin_is_explained(words: str, error: str) -> None:
    played = play(*words.split())
    assert (played.exit_code, played.stdout) == (1, "")
    assert played.stderr.startswith(f"referee: play: {error}")
    assert played.stderr.count("\n") == 2


@pytest.mark.slow
def test_lines_up_to_an_empty_one_or_final_are_one_email(terminal: Callable[..., Terminal]) -> None:
    player = terminal("starweb", "ROBOTS", "1")
    player.wait_for("Ctrl-D ends the program.")
    player.type("\n")
    player.wait_for("Your email is empty, so it was not sent.")
    player.wait_for("ends the program.")
    player.type("ORDERS\nSTATUS\n\n")
    answer = player.wait_for("ends the program.")
    assert ("ORDERS" in answer, "STATUS" in answer) == (True, True)
    # No word is kept for the program: a game can have an order QUIT, and a seat the name.
    player.type("QUIT\n\n")
    player.wait_for("THE REFEREE WRITES")
    player.wait_for("ends the program.")
    # Ctrl-D ends an email, and the program if there is none.
    player.type("FINAL\n")
    player.wait_for(" T2 ")
    player.wait_for("ends the program.")
    player.type("\x04")
    status, rest = player.end()
    assert (status, "The game was not kept." in rest) == (0, True)


@pytest.mark.release
def test_emails_are_written_in_the_editor(
    terminal: Callable[..., Terminal], tmp_path: Path
) -> None:
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\n(echo FINAL; cat "$1") >"$1.new" && mv "$1.new" "$1"\n')
    editor.chmod(0o755)
    player = terminal("starweb", "ROBOTS", "1", editor=str(editor))
    player.wait_for("Ctrl-D ends the program.")
    player.type("\n")
    player.wait_for("YOU WRITE\n\nFINAL\n-")
    player.wait_for(" T2 ")
    player.wait_for("ends the program.")
    player.type("CHECK\nhelp orders\n\n")
    player.wait_for("] CHECK only")
    player.wait_for("ends the program.")
    player.interrupt()
    status, rest = player.end()
    assert (status, "Traceback" in rest, "The game was not kept." in rest) == (0, False, True)


@pytest.mark.release
def test_an_editor_that_is_not_there_is_named_once(terminal: Callable[..., Terminal]) -> None:
    player = terminal("starweb", "ROBOTS", "1", editor="none-such -w")
    player.wait_for("There is no editor none-such -w here, so write your emails line by line.")
    player.wait_for("and end it with an empty line")
    player.type("STATUS\n\n")
    answer = player.wait_for("and end it with an empty line")
    assert ("none-such" in answer, "SW-1 StarWeb: turn 1" in answer) == (False, True)


@pytest.mark.release
def test_an_editor_that_writes_nothing_asks_again(terminal: Callable[..., Terminal]) -> None:
    player = terminal("starweb", "ROBOTS", "1", editor="true")
    player.wait_for("ends the program.")
    player.type("\n")
    player.wait_for("is empty")
    player.wait_for("ends the program.")
    player.type("\x04")
    assert player.end()[0] == 0


@pytest.mark.slow
def test_the_pictures_that_the_readme_promises_are_saved(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    promised = re.search(r"`(MAP)` and `(MAP ATLAS)` bring pictures", Path("README.md").read_text())
    assert promised is not None
    typed = "\n---\n".join(promised.groups())
    played = play("--folder", str(folder), "starweb", "ROBOTS", "1", typed=typed)
    saved = [Path(path) for path in re.findall(r"^Saved: (.+)$", played.stdout, re.MULTILINE)]
    assert {file.suffix for file in saved} >= {".html", ".png"}
    assert {file.parent for file in saved} == {folder / "attachments"}
    starts = {file.suffix: file.read_bytes()[:4] for file in saved}
    assert (starts[".html"][:2], starts[".png"]) == (b"<!", b"\x89PNG")
