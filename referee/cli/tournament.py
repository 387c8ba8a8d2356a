"""``referee tournament``: robots of a ruleset play games, strength against strength."""

import os

import click

from referee.testing.casts.installed import cast_keys
from referee.testing.tournament import tournament


def _installed(_ctx: click.Context, _param: click.Parameter, key: str) -> str:
    if key not in cast_keys():
        raise click.BadParameter(f"{key!r} is not one of {', '.join(cast_keys())}.")
    return key


@click.command("tournament")
@click.argument("key", callback=_installed)
@click.option(
    "--games",
    default=200,
    show_default=True,
    type=click.IntRange(min=1),
    metavar="N",
    help="How many games are played.",
)
@click.option(
    "--processes",
    default=os.cpu_count(),
    type=click.IntRange(min=1),
    metavar="N",
    help="How many games are played at once; usually one on each core.",
)
def command(key: str, games: int, processes: int) -> None:
    """Play games of the robots of a ruleset, hard against normal and normal against easy.

    A game is won by the strength of its winner, by the rules or else by the score after its last
    turn. If robots of both strengths win, or none, it is a tie and counts half. The same number of
    games always gives the same table, except for the CPU time.
    """
    click.echo(f"{key}: {games} games for each line, seats swapped in every second game")
    for score in tournament(key, games, processes):
        click.echo(str(score))
