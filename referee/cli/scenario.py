"""``referee scenario``: the test cases of a ruleset."""

from pathlib import Path

import click

from referee.testing import scenarios
from referee.testing.probe import tried_rulesets


@click.command("scenario")
@click.argument(
    "paths",
    type=click.Path(path_type=Path, exists=True),
    nargs=-1,
    required=True,
    metavar="PATH...",
)
@click.pass_context
def command(ctx: click.Context, paths: tuple[Path, ...]) -> None:
    """Run the cases of scenario files, and of all such files in folders.

    Each failure is shown with its difference; the last line is "N passed, M failed", and the exit
    status is 1 if one failed.
    """
    results = scenarios.run_cases(paths, tried_rulesets())
    if not scenarios.report(results, click.echo):
        ctx.exit(1)
