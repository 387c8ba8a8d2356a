"""``referee conversation``: mail conversations with the installed rulesets."""

from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path

import click

from referee.cli.terminal import tell
from referee.plugins.thorough import checked_rulesets
from referee.testing.conversation import Conversation, ConversationError
from referee.testing.correspondents import Received
from referee.testing.probe import Rules

_RULE = "-" * 78


@click.command("conversation")
@click.argument(
    "files",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    nargs=-1,
    required=True,
    metavar="FILE...",
)
@click.option("--show", is_flag=True, help="Print every email as it goes.")
@click.pass_context
def command(ctx: click.Context, files: tuple[Path, ...], *, show: bool) -> None:
    """Run the email conversations in FILEs, each against a new referee in memory.

    If a conversation does not go as written, the line and the difference are shown, and the exit
    status is 1. A conversation is a text of statements. Each begins with ===:

    \b
      === it is 2026-09-01 12:00 UTC
      === gm@example.org writes
      CREATE RPS SEATS 2
      === gm@example.org gets
      Subject: RPS-1
      === 3 days pass

    \b
    A writes              A sends the headers and the text below
    A replies             to the last email A got; "replies to WORDS" to the
                          last with these words in its subject; "replies
                          quoting" repeats that email below the text
    A gets                the next email to A has each line below, in this
                          order; lines that begin with "! " it must not have;
                          "Subject: WORDS" takes the next with these words in
                          its subject; "Attachments: map.svg, map.png" or
                          "Attachments: none" says what is attached
    A gets mail           takes all emails to A, whatever is in them
    A gets nothing        no email is waiting for A
    nobody gets anything  no email is waiting for anyone
    it is TIME UTC        moves the clock to a time
    5 hours pass          moves the clock on; the referee does what falls due
    the referee is away for 5 hours
    the clock jumps ahead by 5 hours, the clock goes back by 5 hours
    the last letter comes again
    the last letter to A comes back

    A is an address. gm@example.org can create games. The clock moves, and anyone writes,
    only after every email was checked. A line that begins with
    "# " after an empty line is a comment. docs/ruleset-authors.md has an example.
    """  # noqa: D301 - click reads the backslash
    rulesets = checked_rulesets()
    failed = 0
    for file in files:
        if fault := _fault(file, rulesets, _print if show else None):
            failed += 1
            tell(f"{file}: {fault}")
    tell(f"{len(files) - failed} passed, {failed} failed")
    if failed:
        ctx.exit(1)


def _fault(
    file: Path, rulesets: Mapping[str, Rules], show: Callable[[str, Received], None] | None
) -> str:
    """Run one conversation; return its error, or an empty text."""
    try:
        text = file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        return f"byte {error.start + 1} is not UTF-8; save the file as UTF-8"
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    with closing(Conversation(rulesets, show=show)) as conversation:
        try:
            conversation.run(text)
        except ConversationError as error:
            return str(error)
        return "\n".join(conversation.faults)


def _print(how: str, letter: Received) -> None:
    tell(f"{_RULE}\n{how}\n{letter.shown.rstrip()}\n{_RULE}")
