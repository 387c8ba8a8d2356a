"""``referee conversation``: mail conversations against the rulesets that are installed."""

from contextlib import closing
from pathlib import Path

import click

from referee.plugins import installed_rulesets
from referee.testing.conversation import Conversation, ConversationError


@click.command("conversation")
@click.argument(
    "files",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    nargs=-1,
    required=True,
    metavar="FILE...",
)
@click.pass_context
def command(ctx: click.Context, files: tuple[Path, ...]) -> None:
    """Run the mail conversations in FILEs, each against a new referee in memory.

    Of one that does not go as written, the line and the difference are shown; the exit status is 1
    then. How a conversation is written, referee/testing/conversation.py explains.
    """
    rulesets = installed_rulesets()
    failed = 0
    for file in files:
        try:
            with closing(Conversation(rulesets)) as conversation:
                conversation.run(file.read_text(encoding="utf-8"))
        except (ConversationError, UnicodeDecodeError) as error:
            failed += 1
            click.echo(f"{file}: {error}")
    click.echo(f"{len(files) - failed} as written, {failed} not")
    if failed:
        ctx.exit(1)
