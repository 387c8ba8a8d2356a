"""The command line: a thin group whose commands are imported when they are called."""

import importlib
import traceback
from pathlib import Path
from typing import Any, Final

import click

from referee.errors import Finding, RefereeError

COMMANDS: Final = {
    "demo": "Watch a game being played by mail, in under a minute.",
    "init": "Write a settings file that explains every setting.",
    "run": "Run the referee until it is told to stop.",
    "doctor": "Look at the installation and say what to mend.",
    "status": "Show games, deadlines and queues.",
    "backup": "Write database and secret into a file, while the referee runs.",
    "restore": "Put back the database and secret of a backup.",
    "tidy": "Make small, or give up, what is old, as the settings say.",
    "move-database": "Copy everything from SQLite into an empty PostgreSQL database.",
    "mail": "Look after letters: list, show, retry, release, take in, resume.",
    "check": "Check an order file in the words of the acknowledgement.",
    "replay": "Resolve the stored turns of a game again and compare.",
    "scenario": "Run the test cases of a ruleset.",
    "golden": "Play the golden games of a ruleset and compare.",
    "conversation": "Run mail conversations against the installed rulesets.",
    "game": "Write the state of a game into a file.",
    "resolve": "Resolve one turn from files, without a database.",
}
"""Each is the object ``command`` in the module of its name (with ``_`` for ``-``), so the help
needs none of them."""


class Commands(click.Group):
    """The commands, and the words for what they cannot do."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command and give it; None when there is none of that name."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"referee.cli.{cmd_name.replace('-', '_')}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the table, which spares the help the import of everything."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> Any:
        """Do the command; what it cannot do is told in words, and the exit status is 1."""
        try:
            return super().invoke(ctx)
        except RefereeError as error:
            failure = error
        # Click itself never raises it: a ruleset called sys.exit(), perhaps with status 0.
        except SystemExit as end:
            failure = _ended(end)
        click.echo(failure.told(), err=True)
        return ctx.exit(1)


def _ended(error: SystemExit) -> RefereeError:
    """Return what is told of a ruleset that ended the program."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return RefereeError(
        Finding(
            f"a ruleset ended the program by sys.exit({error.code!r}), and the command is not done",
            "mend that ruleset; a fault inside it must be an exception of another kind",
            "place",
            f"{last.filename}:{last.lineno}",
        )
    )


@click.group("referee", cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="referee", message="%(prog)s %(version)s")
@click.option(
    "--settings",
    "file",
    type=click.Path(path_type=Path, dir_okay=False),
    envvar="REFEREE_SETTINGS",
    help="The settings file; otherwise ./referee.toml, then /etc/referee/referee.toml.",
)
@click.pass_context
def main(ctx: click.Context, file: Path | None) -> None:
    """Run play-by-email games: letters come in, turns are resolved, letters go out."""
    ctx.obj = file
