"""``referee check``: the offline checker, with the answer a player gets."""

from typing import TextIO

import click

from referee.cli.common import game_named, open_database, seat_named, settings_of
from referee.cli.terminal import tell
from referee.errors import Finding, NotFound, ResourceError
from referee.store.models import GameStatus


@click.command("check")
@click.argument("orders", type=click.File(encoding="utf-8"))
@click.option("--game", required=True, metavar="GAME", help="The game's name, such as SW-1.")
@click.option("--seat", required=True, metavar="SEAT", help="The seat's name or number.")
@click.pass_context
def command(ctx: click.Context, orders: TextIO, game: str, seat: str) -> None:
    """Check the file ORDERS (- is stdin) for a seat of a running game; nothing is filed.

    The exit status is 1 if an order is rejected.
    """
    # The help is printed without them.
    from referee.app import build_site
    from referee.desk.base.loaded_games import load
    from referee.desk.orders.sheets import check
    from referee.testing.probe import tried_rulesets

    text = _text_of(orders)
    settings = settings_of(ctx)
    with open_database(settings) as store, store.read() as session:
        site = build_site(settings, store, tried_rulesets())
        found = game_named(session, game)
        if found.status not in (GameStatus.RUNNING, GameStatus.HELD):
            what = f"{found.name}: takes no orders, it is {found.status.value}"
            raise NotFound(Finding(what, "see the running games in `referee status`"))
        row = seat_named(found, seat)
        table = load(session, site, found)
        checked = check(table, row, text)
    tell(site.composer.words(checked).text)
    if checked.faults:
        ctx.exit(1)


def _text_of(orders: TextIO) -> str:
    try:
        return orders.read()
    except UnicodeDecodeError as error:
        remedy = "save it as plain text in UTF-8"
        finding = Finding("order file: not UTF-8 text", remedy, "file", orders.name)
        raise ResourceError(finding) from error
