"""The commands in the docs: each is read as the page says, by email or at the command line."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click
import pytest

from referee.cli import main
from referee.domain.mail_transfer import Line
from referee.parsing.body import read_body
from referee.parsing.commands import command_words
from referee.parsing.items import Unparsed
from referee.parsing.reader import reader_of
from referee.rulesets.starweb.language import GRAMMAR
from referee.settings import load
from tests.support.pages import FENCE, ROOT, code, read_page

GUIDES: Final = ("docs/players.md", "docs/gamemasters.md")
PAGES: Final = (
    *(
        str(page.relative_to(ROOT))
        for page in sorted((ROOT / "docs").glob("*.md"))
        if not page.stem.startswith("ruleset-")
    ),
    *("README.md", "CONTRIBUTING.md", "deploy/install.md"),
)
"""The pages for authors have a test of their own, which runs its commands one after the other."""
GRAMMARS: Final = "".join(
    (ROOT / "grammars" / name).read_text("utf-8") for name in ("commands.lark", "gm.lark")
)
LITERALS: Final = frozenset(re.findall(r'"([A-Z]+)"', GRAMMARS))
"""The words of commands; a phrase of only these names a command and is no example of one."""
BLOCKS: Final = re.compile(
    r"^(PRESS (?!RULES)|BROADCAST|CORRECT|INVITE .* SAYING|ORDERS FOR)", re.MULTILINE
)
"""Commands with lines of their own up to ``END``."""


def unread(text: str) -> list[str]:
    """Return the lines of an email that are read neither as an order nor as a command."""
    lines = [Line(number, line) for number, line in enumerate(text.splitlines(), 1)]
    return [
        each.text
        for each in read_body(lines, reader_of(GRAMMAR)).items
        if isinstance(each, Unparsed)
    ]


def is_example(span: str) -> bool:
    """Return whether a phrase is a command with something that a reader fills in."""
    words = span.split()
    return words[0] in command_words() and "..." not in span and not LITERALS.issuperset(words)


def whole(span: str) -> str:
    """Return a command as it is sent, with the lines that it needs."""
    if span.startswith("ORDERS FOR"):
        span = f"GM SW-1\n{span}"
    return f"{span}\nF3W5\nEND" if BLOCKS.search(span) and "UNDO" not in span else span


@pytest.mark.parametrize("page", GUIDES)
def test_the_examples_of_commands_are_read(page: str) -> None:
    examples = [span for span in code(read_page(page)) if is_example(span)]
    assert examples
    assert [span for span in examples if unread(whole(span))] == []


@pytest.mark.parametrize("page", GUIDES)
def test_the_emails_of_the_guides_are_read(page: str) -> None:
    emails = [
        text
        for kind, text in FENCE.findall(read_page(page))
        if not kind and text.split()[0] in {*command_words(), "GM"}
    ]
    emails = [text for text in emails if not text.startswith("PRESS FROM ")]
    assert len(emails) >= 3
    assert [text for text in emails if unread(text)] == []


def shell_commands(page: str) -> Iterator[list[str]]:
    """Yield the arguments of each ``referee`` of a page, in a block or in the text."""
    blocks = (text for _, block in FENCE.findall(read_page(page)) for text in block.splitlines())
    for text in (*code(read_page(page)), *blocks):
        called = re.match(r"(?:sudo -u referee )?referee ([a-z][a-z-]*(?: [^\[<>\\]*)?)", text)
        if called and "--help" not in text:
            yield shlex.split(
                called[1].replace(" N", " 12").replace("KEY", "starweb"), comments=True
            )


def refused(arguments: list[str]) -> str:
    """Return why the command line does not accept the arguments, or nothing.

    Files that a reader has are not here.
    """
    command: click.Command = main
    context = click.Context(main)
    while isinstance(command, click.Group):
        inner = command.get_command(context, arguments[0])
        if inner is None:
            return f"there is no {arguments[0]}"
        context, command, arguments = click.Context(inner, context), inner, arguments[1:]
        if not arguments:
            return ""
    try:
        command.make_context(command.name, list(arguments), context)
    except click.MissingParameter:
        # A page can name a command without what it works on.
        return ""
    except click.UsageError as error:
        message = error.format_message()
        return "" if re.search(r"does not exist|No such file", message) else message
    return ""


@pytest.mark.parametrize("page", PAGES)
def test_the_command_line_accepts_what_the_pages_type(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = {shlex.join(arguments): refused(arguments) for arguments in shell_commands(page)}
    assert {typed: why for typed, why in found.items() if why} == {}


def settings_blocks() -> Iterator[str]:
    """Yield the settings of the pages for operators."""
    for page in ("docs/operators.md", "docs/mail-servers.md", "deploy/install.md"):
        yield from (text for _, text in FENCE.findall(read_page(page)) if text.startswith("[["))


def test_the_settings_of_the_guides_are_loaded(tmp_path: Path) -> None:
    blocks = list(settings_blocks())
    assert len(blocks) >= 3
    file = tmp_path / "referee.toml"
    for block in blocks:
        file.write_text(
            f'[site]\naddress = "games@example.org"\noperator = "you@example.org"\n{block}', "utf-8"
        )
        sending = "" if "[sending]" in block else '[sending]\nkind = "maildir"\npath = "sent"\n'
        file.write_text(f"{sending}{file.read_text('utf-8')}", "utf-8")
        settings = load(file)
        names = [*(box.name for box in settings.imap), *(hook.name for hook in settings.hook)]
        assert names in (["games"], ["tavern"])
