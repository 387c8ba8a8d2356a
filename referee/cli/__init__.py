"""The command line: a small group whose commands are imported when they are called."""

import errno
import gc
import importlib
import sys
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import click
from click.shell_completion import CompletionItem

from referee.cli.help_format import HelpContext, HelpGroup
from referee.cli.terminal import tell
from referee.errors import Finding, RefereeError, named_faults

GROUPS: Final = {
    "To play, and to check a game that was played": {
        "demo": "Watch a game being played by email, in under a minute.",
        "play": "Play a game on your own against robots, at this terminal.",
        "replay": "Resolve the stored turns of a game again and compare.",
    },
    "For operators, every day": {
        "init": "Write a settings file that explains every setting.",
        "run": "Run the referee until it is stopped.",
        "doctor": "Check the installation and say what to fix.",
        "status": "Show games, deadlines and queues.",
        "games": "List the games, or show who plays in one of them.",
        "players": "List players with their addresses and seats.",
        "mail": "Manage emails: list, show, explain, retry, release, in, resume.",
        "check": "Check an order file, with the answer a player gets.",
        "publish": "Write web pages about the games into a folder.",
        "backup": "Write database and secret into a file, while the referee runs.",
        "tidy": "Compress or delete old data, by the settings.",
    },
    "For operators, when something happens": {
        "game": "Write a game, its state or its record into a file, or change its GMs.",
        "person": "Show or delete what is stored about a person, or change their address.",
        "restore": "Put back the database and secret of a backup.",
        "site": "Begin again after the database or the secret was lost.",
        "move-database": "Copy everything from SQLite into an empty PostgreSQL database.",
    },
    "For authors of rulesets": {
        "scenario": "Run the test cases of a ruleset.",
        "golden": "Play the golden games of a ruleset and compare.",
        "tournament": "Let the robots of a ruleset play against each other.",
        "conversation": "Run mail conversations against the installed rulesets.",
        "resolve": "Resolve one turn from files, without a database.",
    },
}
"""The commands by who uses them.

Each is ``command`` in the module of its name, with ``_`` for ``-``, so the help imports none.
"""
COMMANDS: Final = {name: words for group in GROUPS.values() for name, words in group.items()}


_WIDTH: Final = max(map(len, COMMANDS))
_REMEDIES: Final = {
    errno.EACCES: "run this as a user who can, or choose another file",
    errno.EPERM: "run this as a user who can, or choose another file",
    errno.ENOSPC: "free some disk space",
    errno.EROFS: "choose a place on another disk, this one is read-only",
}


class Commands(HelpGroup):
    """The group of commands, which reports errors."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command, or None if there is no such command."""
        if cmd_name not in COMMANDS:
            return None
        module = _imported(f"referee.cli.{cmd_name.replace('-', '_')}")
        command: click.Command = module.command
        command.context_class = HelpContext
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the table, so that the help need not import every command."""
        for title, commands in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl(
                    [(f"{name:<{_WIDTH}}", words) for name, words in commands.items()]
                )

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the commands and options that a shell can complete, from the table."""
        found = [
            CompletionItem(name, help=words)
            for name, words in COMMANDS.items()
            if name.startswith(incomplete)
        ]
        return [*found, *click.Command.shell_complete(self, ctx, incomplete)]

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; an error is printed, and the exit status is 1."""
        try:
            with named_faults():
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


def _imported(name: str) -> ModuleType:
    """Return a module, imported without collecting garbage.

    What modules make is permanent. Looking for garbage in it, here and at the end of the process,
    takes a third of a short command.
    """
    if name not in sys.modules:
        gc.disable()
        try:
            importlib.import_module(name)
        finally:
            gc.freeze()
            gc.enable()
    return sys.modules[name]


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


def _show_version(ctx: click.Context, _option: click.Parameter, chosen: bool) -> None:
    if chosen:
        # The help and every command begin without it.
        from referee.cli.version import version_text

        click.echo(version_text())
        ctx.exit()


@click.group("referee", cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version, with the commit if it is known, and exit.",
)
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
