"""``referee play``: a game against robots at the terminal, without settings and mail server."""

import os
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import click

from referee.cli.terminal import printable_line, program, tell
from referee.clock import now
from referee.daemon import logs
from referee.errors import Finding, RefereeError
from referee.plugins import installed_rulesets
from referee.testing.correspondents import Received, quoted
from referee.testing.game_for_one import GameForOne, opened
from referee.testing.mailbox import REPORT

_RULE: Final = "-" * 78
_NOT_DONE: Final = re.compile(r"^NOT DONE \(\d+\)\n(.+?)(?:\n\n|\Z)", re.DOTALL | re.MULTILINE)
_NOT_SENT: Final = "# Write your email above this line. Nothing from this line on is sent."
_BY_LINE: Final = (
    "Write your email, and end it with a line that has only a dot. FINAL ends your\n"
    "turn, HELP ORDERS explains the orders. QUIT or Ctrl-D ends the program."
)
_EDITOR: Final = (
    "Press Enter to write your email in {editor}, or type one line, such as FINAL or\n"
    "HELP ORDERS. QUIT or Ctrl-D ends the program."
)


@click.command("play")
@click.argument("words", nargs=-1, metavar="[GAME] [WORDS]...")
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    help="Keep the game in this folder, or continue the game in it.",
)
def command(words: tuple[str, ...], folder: Path | None) -> None:
    """Play a game on your own against robots. Settings and a mail server are not necessary.

    GAME is the name of its rules, starweb by default. WORDS are those of the command PLAY, such as
    ROBOTS 5 HARD AS pirate WITHIN 3 days. TUTORIAL before GAME teaches it in a few turns.

    The emails of the referee appear on the screen. Write yours in the editor that EDITOR names, or
    line by line without it. From a pipe, emails are separated by lines with only ---.
    """
    logs.begin("error")
    with _place(folder) as place, opened(place) as game:
        _begin(game, words)
        try:
            while game.is_going and (text := _written(game)) is not None:
                if text.strip():
                    game.write(text)
                    _show(game.arrived())
                elif sys.stdin.isatty():
                    click.echo("Your email is empty, so it was not sent.")
        except KeyboardInterrupt:
            click.echo()
        _say_goodbye(folder, is_going=game.is_going)


@contextmanager
def _place(folder: Path | None) -> Iterator[Path]:
    if folder is not None:
        yield folder
        return
    with tempfile.TemporaryDirectory(prefix="referee-play-") as name:
        yield Path(name)


def _begin(game: GameForOne, words: Sequence[str]) -> None:
    """Show where a kept game is, or begin one. Raises RefereeError if it cannot begin."""
    kept = game.arrived()
    if game.is_going:
        if words:
            what, remedy = "game: one is in this folder", "continue it without other words"
            raise RefereeError(Finding(what, f"{remedy}, or name another folder"))
        last = max((at for at, each in enumerate(kept) if REPORT.search(each.subject)), default=0)
        _show(kept[last:])
        return
    text = " ".join(("PLAY", *(words or ("starweb",))))
    game.write(text, is_reply=False)
    answers = game.arrived()
    if not game.is_going:
        raise RefereeError(Finding(f"play: {_reason(text, answers)}", "see `referee play --help`"))
    _echo(text)
    _show(answers)


def _reason(text: str, answers: Sequence[Received]) -> str:
    """Return why the game that *text* asks for did not begin, in one line."""
    found = next(filter(None, (_NOT_DONE.search(each.text) for each in answers)), None)
    if found is None:
        return f"which game? One of {', '.join(installed_rulesets())}"
    said = printable_line(found[1])
    return said.removeprefix("Line 1: ").removeprefix(printable_line(text)).strip()


def _written(game: GameForOne) -> str | None:
    """Return the player's next email, or None if they end the program."""
    if not sys.stdin.isatty():
        text = _lines("---")
        if text is not None and text.strip():
            _echo(text)
    elif editor := os.environ.get("VISUAL") or os.environ.get("EDITOR"):
        text = _by_editor(editor, game)
    else:
        click.echo(_BY_LINE)
        text = _lines(".")
    return None if text is None or text.strip().upper() == "QUIT" else text


def _lines(end: str) -> str | None:
    """Return the lines of stdin up to *end*; None at the end of the input."""
    lines = list[str]()
    while (line := _line()) is not None and line.strip() != end:
        lines.append(line)
    return None if line is None and not lines else "\n".join(lines)


def _line() -> str | None:
    line = sys.stdin.buffer.readline()
    return line.decode("utf-8", "replace").rstrip("\r\n") if line else None


def _by_editor(editor: str, game: GameForOne) -> str | None:
    click.echo(_EDITOR.format(editor=editor))
    typed = _line()
    if typed is None or typed.strip():
        return typed
    below = quoted(game.last, now()) if game.last is not None else ""
    try:
        saved = click.edit(f"\n{_NOT_SENT}{below}", editor=editor, extension=".txt")
    except click.ClickException as error:
        tell(error.format_message(), err=True)
        return ""
    text = (saved or "").partition(_NOT_SENT)[0]
    if text.strip():
        _echo(text)
    return text


def _echo(text: str) -> None:
    tell(f"{_RULE}\nYOU WRITE\n\n{text.strip()}")


def _show(letters: Sequence[Received]) -> None:
    for letter in letters:
        tell(f"{_RULE}\nTHE REFEREE WRITES\n\n{letter.shown.rstrip()}")
    tell(_RULE)


def _say_goodbye(folder: Path | None, *, is_going: bool) -> None:
    if not is_going:
        click.echo("The game is over.")
    elif folder is not None:
        click.echo(f"The game is kept. To continue it: {program()} play --folder {folder}")
    else:
        click.echo("The game was not kept. --folder FOLDER keeps one.")
