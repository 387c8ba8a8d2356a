"""``referee golden``: the golden games of rulesets, played again."""

from typing import Any

import click

from referee.errors import Finding, NotFound, PluginError, ResourceError
from referee.plugins import installed_rulesets
from referee.rules.ruleset import Ruleset, UserError
from referee.testing import golden_games
from referee.testing.golden import GameBroken
from referee.testing.golden_games import GoldenGame
from referee.testing.probe import RulesHung
from referee.testing.robots.casts import cast_keys, loaded_casts

Rules = Ruleset[Any, Any]


def _known(_ctx: click.Context, _param: click.Parameter, keys: tuple[str, ...]) -> tuple[str, ...]:
    """Return the keys. Raises BadParameter if one has no cast."""
    known = cast_keys()
    for key in keys:
        if key not in known:
            raise click.BadParameter(f"{key!r} has no cast; these have: {', '.join(known)}")
    return keys


@click.command("golden")
@click.argument("keys", nargs=-1, metavar="[KEY]...", callback=_known)
@click.option("--write", is_flag=True, help="Have the robots play again, and keep the result.")
@click.pass_context
def command(ctx: click.Context, keys: tuple[str, ...], *, write: bool) -> None:
    """Play the golden games of rulesets from their order sheets, and compare.

    Without a KEY, all installed ones are played. The exit status is 1 if a game differs or a cast
    cannot be used; the games of the other casts are still played.
    """
    rulesets, casts = installed_rulesets(), loaded_casts(keys)
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
    went = [_write(*each) if write else _compare(*each) for each in games]
    if casts.findings:
        raise PluginError(*casts.findings)
    if not all(went):
        ctx.exit(1)


def _compare(title: str, rules: Rules, game: GoldenGame) -> bool:
    """Report how a game comes out, and return whether it is unchanged."""
    try:
        differences = golden_games.differences(rules, game)
    except (OSError, ImportError) as error:
        what = f"golden game {title}: not found: {error}"
        remedy = "run this in a checkout with its files, or create them with --write"
        raise NotFound(Finding(what, remedy, "folder", game.folder)) from error
    except (UserError, GameBroken, RulesHung) as mistake:
        differences = [str(mistake)]
    click.echo(f"{title}: {'identical' if not differences else 'differs'}")
    for path in differences:
        click.echo(f"  {path}")
    return not differences


def _write(title: str, rules: Rules, game: GoldenGame) -> bool:
    """Record a game again and report it; return whether it could be played."""
    try:
        played = golden_games.rewrite(rules, game)
    except (UserError, GameBroken, RulesHung) as mistake:
        click.echo(f"{title}: not written\n  {mistake}")
        return False
    except (OSError, ImportError) as error:
        what = f"golden game {title}: cannot be written: {error}"
        remedy = (
            "write into a folder of your own: run `pip install --editable .` in the folder of your "
            "package"
        )
        raise ResourceError(Finding(what, remedy, "folder", game.folder)) from error
    done = sum(len(turn.done) for turn in played)
    failed = sum(len(turn.failed) for turn in played)
    click.echo(f"{title}: {len(played) - 1} turns, {done} orders done, {failed} failed")
    return True
