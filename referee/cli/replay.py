"""``referee replay``: a stored game, resolved again."""

from dataclasses import dataclass
from pathlib import Path

import click

from referee.app import build_site
from referee.cli.common import game_named, open_database, settings_of
from referee.cli.recordfile import read_record
from referee.desk.games.record import prove
from referee.desk.games.replay import replay
from referee.plugins import installed_rulesets


@dataclass(frozen=True, slots=True)
class _Replayed:
    """The game, the number of turns resolved again, and the differences."""

    game: str
    turns: int
    differences: list[str]


@click.command("replay")
@click.argument("game")
@click.pass_context
def command(ctx: click.Context, game: str) -> None:
    """Resolve the stored turns of GAME again, or those of a file of ``referee game record``.

    Prints "identical", or the differences with the exit status 1.
    """
    file = Path(game)
    replayed = _of_file(file) if file.is_file() else _of_database(ctx, game)
    for difference in replayed.differences:
        click.echo(f"{replayed.game}: {difference}")
    if replayed.differences:
        ctx.exit(1)
    counted = "1 turn" if replayed.turns == 1 else f"{replayed.turns} turns"
    click.echo(f"{replayed.game}: {counted} resolved again, identical")


def _of_file(file: Path) -> _Replayed:
    record = read_record(file)
    return _Replayed(record.game, len(record.turns), prove(record, installed_rulesets()))


def _of_database(ctx: click.Context, game: str) -> _Replayed:
    settings = settings_of(ctx)
    site = build_site(settings)
    with open_database(settings) as store, store.read() as session:
        found = game_named(session, game)
        return _Replayed(found.name, max(found.turn - 1, 0), replay(session, site, found))
