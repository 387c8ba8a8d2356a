"""``referee play``: a game against robots at the terminal, without settings and mail server."""

import os
import shlex
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

from referee.cli.terminal import printable_line, program, tell
from referee.clock import now
from referee.daemon import logs
from referee.errors import Finding, RefereeError
from referee.plugins import ruleset_keys
from referee.testing.correspondents import Received, quoted
from referee.testing.game_for_one import GameForOne, opened
from referee.testing.mailbox import REPORT

_RULE: Final = "-" * 78
_NOT_SENT: Final = "# Write your email above this line. Nothing from this line on is sent."
_HELP: Final = (
    "Write your email{here}. FINAL ends\nyour turn and the email, HELP ORDERS explains the orders. "
    "Ctrl-D ends the program."
)
_BY_LINE: Final = ", and end it with an empty line"
_EDITOR: Final = ", to an empty line, or press Enter for {editor}"


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

    The emails of the referee appear on the screen, and their attachments in the folder. Write
    yours line by line, or in the editor that EDITOR names. From a pipe, emails are separated by
    lines with only ---.
    """
    logs.begin("error")
    with _place(folder) as place, opened(place) as game:
        desk = _Desk(game, place / "attachments", _editor())
        desk.begin(words)
        try:
            while game.is_going and (text := desk.written()) is not None:
                if text.strip():
                    game.write(text)
                    desk.show(game.arrived())
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


@dataclass(slots=True)
class _Desk:
    """The player's side of a game: what they read, where files are put, and how they write."""

    game: GameForOne
    files: Path
    editor: str

    def begin(self, words: Sequence[str]) -> None:
        """Show where a kept game is, or begin one. Raises RefereeError if it cannot begin."""
        kept = self.game.arrived()
        if self.game.is_going:
            if words:
                what, remedy = "game: one is in this folder", "continue it without other words"
                raise RefereeError(Finding(what, f"{remedy}, or name another folder"))
            reports = [at for at, each in enumerate(kept) if REPORT.search(each.subject)]
            self.show(kept[max(reports, default=0) :])
            return
        text = " ".join(("PLAY", *(words or ("starweb",))))
        self.game.write(text, is_reply=False)
        answers = self.game.arrived()
        if not self.game.is_going:
            told = f"play: {_reason(text, answers)}"
            raise RefereeError(Finding(told, "see `referee play --help`"))
        _echo(text)
        self.show(answers)

    def show(self, letters: Sequence[Received]) -> None:
        """Show letters, and save their attachments, whose paths follow them."""
        for letter in letters:
            tell(f"{_RULE}\nTHE REFEREE WRITES\n\n{letter.shown.rstrip()}")
            for name, octets in letter.attached():
                self.files.mkdir(exist_ok=True)
                (self.files / Path(name).name).write_bytes(octets)
                tell(f"Saved: {self.files / Path(name).name}")
        tell(_RULE)

    def written(self) -> str | None:
        """Return the player's next email, or None if they end the program."""
        if not sys.stdin.isatty():
            text = _lines(lambda line: line.strip() == "---")
            if text is not None and text.strip():
                _echo(text)
            return text
        here = _EDITOR.format(editor=self.editor) if self.editor else _BY_LINE
        click.echo(_HELP.format(here=here))
        text = _lines(lambda line: not line.strip(), last="FINAL")
        return self._edited() if text == "" and self.editor else text

    def _edited(self) -> str:
        last = self.game.last
        below = quoted(last, now()) if last is not None else ""
        try:
            saved = click.edit(f"\n{_NOT_SENT}{below}", editor=self.editor, extension=".txt")
        except click.ClickException as error:
            tell(f"{error.format_message()} Write your email here.", err=True)
            self.editor = ""
            return ""
        text = (saved or "").partition(_NOT_SENT)[0]
        if text.strip():
            _echo(text)
        return text


def _editor() -> str:
    """Return the editor that the environment names, or "", after a word on one that is missing."""
    named = os.environ.get("VISUAL") or os.environ.get("EDITOR") or ""
    if not named or shutil.which(shlex.split(named)[0]) is not None:
        return named
    tell(f"There is no editor {named} here, so write your emails line by line.", err=True)
    return ""


def _reason(text: str, answers: Sequence[Received]) -> str:
    """Return why the game that *text* asks for did not begin, in one line."""
    refusal = next(filter(None, (each.refusal for each in answers)), "")
    if not refusal:
        return f"which game? One of {', '.join(sorted(ruleset_keys()))}"
    said = printable_line(refusal).removeprefix("Line 1: ")
    return said.removeprefix(printable_line(text)).strip()


def _lines(is_end: Callable[[str], bool], last: str = "") -> str | None:
    """Return the lines of stdin up to an end, or with a *last* one; None if there are none left."""
    lines = list[str]()
    while (line := _line()) is not None and not is_end(line):
        lines.append(line)
        if last and line.strip().upper() == last:
            break
    return None if line is None and not lines else "\n".join(lines)


def _line() -> str | None:
    line = sys.stdin.buffer.readline()
    return line.decode("utf-8", "replace").rstrip("\r\n") if line else None


def _echo(text: str) -> None:
    tell(f"{_RULE}\nYOU WRITE\n\n{text.strip()}")


def _say_goodbye(folder: Path | None, *, is_going: bool) -> None:
    if not is_going:
        click.echo("The game is over.")
    elif folder is not None:
        click.echo(f"The game is kept. To continue it: {program()} play --folder {folder}")
    else:
        click.echo("The game was not kept. --folder FOLDER keeps one.")
