"""The form of the help: no word is broken at a hyphen, and no sentence is cut short."""

from collections.abc import Iterable
from typing import Final

import click

_HYPHEN: Final = "\N{NON-BREAKING HYPHEN}"


class WholeWords(click.HelpFormatter):
    """A formatter that wraps lines only at spaces, so that options can be copied."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write the usage line."""
        super().write_usage(prog, _joined(args), prefix)

    def write_text(self, text: str) -> None:
        """Write paragraphs."""
        super().write_text(_joined(text))

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2
    ) -> None:
        """Write a list of terms with their explanations."""
        joined = [(_joined(term), _joined(words)) for term, words in rows]
        super().write_dl(joined, col_max, col_spacing)

    def getvalue(self) -> str:
        """Return the text, with plain hyphens."""
        return super().getvalue().replace(_HYPHEN, "-")


class HelpContext(click.Context):
    """The context of a command whose help has whole words."""

    formatter_class = WholeWords


class HelpGroup(click.Group):
    """A group of commands with whole words and whole sentences in its help."""

    context_class = HelpContext

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command of the group, or None if there is no such command."""
        command = super().get_command(ctx, cmd_name)
        if command is not None:
            command.context_class = HelpContext
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands, each with the first sentence of its help."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary(self.commands[name])) for name in self.commands])


def summary(command: click.Command) -> str:
    """Return the first paragraph of a command's help, which is one or two sentences."""
    return " ".join((command.help or "").partition("\n\n")[0].split())


def _joined(text: str) -> str:
    return text.replace("-", _HYPHEN)
