"""``referee replay``: a game resolved again from what was stored."""

import click

from referee.app import build_house
from referee.cli.common import game_named, open_database, settings_of
from referee.desk.replay import replay


@click.command("replay")
@click.argument("game")
@click.pass_context
def command(ctx: click.Context, game: str) -> None:
    """Resolve the stored turns of GAME again.

    Says "identical", or shows the differences, with the exit status 1.
    """
    settings = settings_of(ctx)
    house = build_house(settings)
    with open_database(settings) as store, store.read() as session:
        found = game_named(session, game)
        differences = replay(session, house, found)
        turns = max(found.turn - 1, 0)
    for difference in differences:
        click.echo(f"{found.name}: {difference}")
    if differences:
        ctx.exit(1)
    counted = "1 turn" if turns == 1 else f"{turns} turns"
    click.echo(f"{found.name}: {counted} resolved again, identical")
