"""``referee golden``: the whole games that are kept of a ruleset, played again."""

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
    """Return the keys. Raises BadParameter for one that no cast has."""
    known = cast_keys()
    for key in keys:
        if key not in known:
            raise click.BadParameter(f"{key!r} has no cast; these have: {', '.join(known)}")
    return keys


@click.command("golden")
@click.argument("keys", nargs=-1, metavar="[KEY]...", callback=_known)
@click.option("--write", is_flag=True, help="Let the robots play anew, and keep what comes of it.")
@click.pass_context
def command(ctx: click.Context, keys: tuple[str, ...], *, write: bool) -> None:
    """Play the golden games of rulesets from their order sheets, and compare with what is kept.

    Without a KEY, all that are installed. The exit status is 1 when a game comes out otherwise
    or a cast cannot be used; the games of the others are played all the same.
    """
    rulesets, casts = installed_rulesets(), loaded_casts(keys)
    found = {plugin.origin.key: plugin.found for plugin in casts.plugins}
    games = [
        (f"{key} {name}", rulesets[key], game)
        for key in sorted(found)
        for name, game in found[key].golden.items()
    ]
    if not games and not casts.findings:
        raise NotFound(Finding("there are no golden games", "a cast has them in its field golden"))
    went = [_write(*each) if write else _compare(*each) for each in games]
    if casts.findings:
        raise PluginError(*casts.findings)
    if not all(went):
        ctx.exit(1)


def _compare(title: str, rules: Rules, game: GoldenGame) -> bool:
    """Tell how a game comes out, and return whether as it is kept."""
    try:
        differences = golden_games.differences(rules, game)
    except (OSError, ImportError) as error:
        what = f"the golden game {title} is not kept here: {error}"
        remedy = "play it where its files are, as in a checkout, or keep it with --write"
        raise NotFound(Finding(what, remedy, "folder", game.folder)) from error
    except (UserError, GameBroken, RulesHung) as mistake:
        differences = [str(mistake)]
    click.echo(f"{title}: {'as it is kept' if not differences else 'differs'}")
    for path in differences:
        click.echo(f"  {path}")
    return not differences


def _write(title: str, rules: Rules, game: GoldenGame) -> bool:
    """Keep a game anew and tell of it, and return whether it could be played."""
    try:
        played = golden_games.rewrite(rules, game)
    except (UserError, GameBroken, RulesHung) as mistake:
        click.echo(f"{title}: not written\n  {mistake}")
        return False
    except (OSError, ImportError) as error:
        what = f"the golden game {title} cannot be kept: {error}"
        remedy = (
            "write into a folder of your own; `pip install --editable .` in the folder of your "
            "package installs it from there"
        )
        raise ResourceError(Finding(what, remedy, "folder", game.folder)) from error
    done = sum(len(turn.done) for turn in played)
    failed = sum(len(turn.failed) for turn in played)
    click.echo(f"{title}: {len(played) - 1} turns, {done} orders done, {failed} failed")
    return True
