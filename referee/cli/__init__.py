"""The command line: a small group whose commands are imported when they are called."""

import errno
import importlib
import traceback
from pathlib import Path
from typing import Any, Final

import click

from referee.cli.terminal import tell
from referee.errors import Finding, RefereeError

COMMANDS: Final = {
    "demo": "Watch a game being played by email, in under a minute.",
    "play": "Play a game on your own against robots, at this terminal.",
    "init": "Write a settings file that explains every setting.",
    "run": "Run the referee until it is stopped.",
    "doctor": "Check the installation and say what to fix.",
    "status": "Show games, deadlines and queues.",
    "games": "List the games, or show who plays in one of them.",
    "players": "List players with their addresses and seats.",
    "publish": "Write web pages about the games into a folder.",
    "backup": "Write database and secret into a file, while the referee runs.",
    "restore": "Put back the database and secret of a backup.",
    "site": "Begin again after the database or the secret was lost.",
    "tidy": "Compress or delete old data, by the settings.",
    "move-database": "Copy everything from SQLite into an empty PostgreSQL database.",
    "mail": "Manage emails: list, show, explain, retry, release, in, resume.",
    "person": "Show or delete what is stored about a person.",
    "check": "Check an order file, with the answer a player gets.",
    "replay": "Resolve the stored turns of a game again and compare.",
    "scenario": "Run the test cases of a ruleset.",
    "golden": "Play the golden games of a ruleset and compare.",
    "tournament": "Let the robots of a ruleset play against each other.",
    "conversation": "Run mail conversations against the installed rulesets.",
    "game": "Write a game or its state into a file, or change its GMs.",
    "resolve": "Resolve one turn from files, without a database.",
}
"""Each command is ``command`` in the module of its name, with ``_`` for ``-``.

So the help imports none of them.
"""


_REMEDIES: Final = {
    errno.EACCES: "run this as a user who can, or choose another file",
    errno.EPERM: "run this as a user who can, or choose another file",
    errno.ENOSPC: "free some disk space",
    errno.EROFS: "choose a place on another disk, this one is read-only",
}


class Commands(click.Group):
    """The group of commands, which reports errors."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command, or None if there is no such command."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"referee.cli.{cmd_name.replace('-', '_')}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the table, so that the help need not import every command."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; an error is printed, and the exit status is 1."""
        try:
            return super().invoke(ctx)
        except RefereeError as error:
            failure = error
        # Click itself ends the program quietly if nobody reads what it writes.
        except BrokenPipeError:
            raise
        except OSError as error:
            failure = _refused(error)
        # Click itself never raises it: a ruleset called sys.exit(), maybe with status 0.
        except SystemExit as end:
            failure = _ended(end)
        tell(failure.told(), err=True)
        return ctx.exit(1)


def _refused(error: OSError) -> RefereeError:
    """Return the error for a file, folder or disk that the system does not let us use."""
    what = f"cannot be used: {error.strerror or error}"
    remedy = _REMEDIES.get(error.errno or 0, "check this file and its folder")
    if error.filename is None:
        return RefereeError(Finding(f"the system: {what}", remedy))
    return RefereeError(Finding(f"file: {what}", remedy, "file", str(error.filename)))


def _ended(error: SystemExit) -> RefereeError:
    """Return the error for a ruleset that ended the program."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return RefereeError(
        Finding(
            f"ruleset: it called sys.exit({error.code!r}), so the command was interrupted",
            "fix that ruleset: it must raise another exception for its errors",
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
    """Run play-by-email games: read emails, resolve turns, send emails."""
    ctx.obj = file
