"""``referee golden``: the golden games of rulesets, played again."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import click

from referee.errors import Finding, NotFound, PluginError, ResourceError
from referee.rules.ruleset import Ruleset, UserError
from referee.testing import golden_games
from referee.testing.casts.installed import cast_keys, loaded_casts
from referee.testing.golden_games import GoldenGame
from referee.testing.probe import tried_rulesets

Rules = Ruleset[Any, Any]
_MISTAKES: Final = (UserError, PluginError)
"""The exceptions of a game that cannot be played."""
_MOST_NAMED: Final = 20


def _known(_ctx: click.Context, _param: click.Parameter, keys: tuple[str, ...]) -> tuple[str, ...]:
    """Return the keys. Raises BadParameter if one has no cast."""
    known = cast_keys()
    for key in keys:
        if key not in known:
            raise click.BadParameter(f"{key!r} has no cast; these have: {', '.join(known)}")
    return keys


@click.command("golden")
@click.argument("keys", nargs=-1, metavar="[KEY]...", callback=_known)
@click.option("--write", is_flag=True, help="Keep the result, or play a new game with robots.")
@click.option("--show", type=(str, int), metavar="SEAT TURN", help="Print the reports of a seat.")
@click.pass_context
def command(
    ctx: click.Context, keys: tuple[str, ...], *, write: bool, show: tuple[str, int] | None
) -> None:
    """Play the golden games of rulesets from their order sheets, and compare.

    Without a KEY, all installed ones are played. The exit status is 1 if a game differs or a cast
    cannot be used; the games of the other casts are still played. --show prints the report before
    the orders of a turn, to be compared with what another version of the rules prints.
    """
    rulesets, casts = tried_rulesets(), loaded_casts(keys)
    found = {plugin.origin.key: plugin.found for plugin in casts.plugins}
    games = [
        (f"{key} {name}", rulesets[key], game)
        for key in sorted(found)
        for name, game in found[key].golden.items()
    ]
    if not games and not casts.findings:
        raise NotFound(
            Finding("golden games: none found", "name them in the field golden of a cast")
        )
    if show:
        went = [_show(*each, *show) for each in games]
    else:
        went = [_write(*each) if write else _compare(*each) for each in games]
    if casts.findings:
        raise PluginError(*casts.findings)
    if not all(went):
        ctx.exit(1)


def _compare(title: str, rules: Rules, game: GoldenGame) -> bool:
    """Report how a game comes out, and return whether it is unchanged."""
    try:
        with _kept(title, game):
            played = tuple(golden_games.replayed(rules, game))
            differences = golden_games.differences(game, played)
    except _MISTAKES as mistake:
        differences = [str(mistake)]
    click.echo(f"{title}: {'identical' if not differences else 'differs'}")
    for heading in differences[:_MOST_NAMED]:
        click.echo(f"  {heading}")
    if more := differences[_MOST_NAMED:]:
        click.echo(f"  and {len(more)} more")
    return not differences


def _show(title: str, rules: Rules, game: GoldenGame, seat: str, turn: int) -> bool:
    """Print the report of a seat; return whether there is one."""
    try:
        with _kept(title, game):
            played = golden_games.replayed(rules, game)
            report = next((each.reports.get(seat) for each in played if each.turn == turn), None)
    except _MISTAKES as mistake:
        click.echo(f"{title}: not shown\n  {mistake}")
        return False
    click.echo(f"{title}, turn {turn}: {'report' if report else 'no report'} {seat}")
    click.echo(report or "", nl=False)
    return report is not None


@contextmanager
def _kept(title: str, game: GoldenGame) -> Iterator[None]:
    """Raise NotFound if the file of a game is missing."""
    try:
        yield
    except (OSError, ImportError) as error:
        what = f"golden game {title}: not found: {error}"
        remedy = "run this in a checkout with its file, or create it with --write"
        raise NotFound(Finding(what, remedy, "file", game.file)) from error


def _write(title: str, rules: Rules, game: GoldenGame) -> bool:
    """Record a game again and report it; return whether it could be played."""
    try:
        played = golden_games.rewrite(rules, game)
    except _MISTAKES as mistake:
        click.echo(f"{title}: not written\n  {mistake}")
        return False
    except (OSError, ImportError) as error:
        what = f"golden game {title}: cannot be written: {error}"
        remedy = (
            "write into a folder of your own: run `pip install --editable .` in the folder of your "
            "package"
        )
        raise ResourceError(Finding(what, remedy, "file", game.file)) from error
    done = sum(len(turn.done) for turn in played)
    failed = sum(len(turn.failed) for turn in played)
    click.echo(f"{title}: {len(played) - 1} turns, {done} orders done, {failed} failed")
    return True
