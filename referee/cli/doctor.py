"""``referee doctor``: faults of an installation, and how to fix them."""

from functools import cache, partial

import click

from referee.cli.common import settings_of
from referee.cli.terminal import tell
from referee.doctor import PARTS, CheckResult, Look, Severity
from referee.doctor.dns import look_at_names
from referee.doctor.plugins import look_at_rulesets


@click.command("doctor")
@click.argument("parts", nargs=-1, type=click.Choice(list(PARTS)), metavar="[PARTS]...")
@click.option(
    "--selector", default="", metavar="NAME", help="The DKIM selector of your mail server, for dns."
)
@click.pass_context
def command(ctx: click.Context, parts: tuple[str, ...], selector: str) -> None:
    """Check the installation, or PARTS of it, and say what to do.

    The parts are settings, rulesets, state, disk, database, backup, letters, work, clock, pages,
    receiver, imap, maildir, smtp, hooks, metrics and dns. Nothing is changed and nothing is sent.
    The exit status is 1 if something must be fixed. Only the part rulesets needs no settings file.
    """
    # Authors of rulesets have no settings, so they are read when a part needs them.
    settings = cache(partial(settings_of, ctx))
    looks: dict[str, Look] = {**PARTS, "dns": partial(look_at_names, selector=selector)}
    grades = set()
    for part in parts or PARTS:
        found = look_at_rulesets() if part == "rulesets" else looks[part](settings())
        for said in found:
            _tell(part, said)
            grades.add(said.grade)
    if Severity.FAULT in grades:
        ctx.exit(1)


def _tell(part: str, said: CheckResult) -> None:
    first, *rest = str(said.finding).splitlines()
    tell(f"{part:<9} {said.grade.value:<6} {first}")
    if said.finding.remedy and not said.finding.place:
        rest = [f"  {'to do':<9} {said.finding.remedy}"]
    for line in rest:
        tell(f"{'':<15}{line}")
