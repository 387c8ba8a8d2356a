"""Words on a terminal: those of strangers, without effect on it, and how to call the program."""

import os
import shutil
import sys
from pathlib import Path
from typing import Final

import click

_NAME: Final = "referee"


def printable(text: str) -> str:
    r"""Return *text* with everything that could act on a terminal written out, such as \x1b.

    Line ends and tabs remain. What a stranger wrote could otherwise change the screen, the title or
    the clipboard, or show words in another sequence.
    """
    return "".join(_shown(character) for character in text.replace("\r\n", "\n"))


def printable_line(text: str) -> str:
    """Return *text* as ``printable`` does, in one line."""
    return " ".join(printable(text).split())


def _shown(character: str) -> str:
    if character.isprintable() or character in "\n\t":
        return character
    if character.isspace() and character > "\x9f":
        return " "
    return character.encode("unicode_escape", "surrogatepass").decode()


def tell(text: str, *, err: bool = False) -> None:
    """Print *text*, which can have words of strangers, as ``printable`` does."""
    click.echo(printable(text), err=err)


def program() -> str:
    """Return how to call this program from here: ``referee``, or its file if it is on no path."""
    file = Path(sys.argv[0])
    if shutil.which(_NAME) is not None or file.name != _NAME:
        return _NAME
    near, far = os.path.relpath(file), str(file)
    return min(near, far, key=len)
