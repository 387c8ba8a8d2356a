"""``referee replay``: a stored game, resolved again."""

import os
from dataclasses import dataclass
from pathlib import Path

import click

from referee.app import build_site
from referee.cli.common import game_named, open_database, settings_of
from referee.cli.recordfile import read_record
from referee.desk.base.loaded_games import commitment
from referee.desk.games.record import prove
from referee.desk.games.replay import replay
from referee.plugins import installed_rulesets


@dataclass(frozen=True, slots=True)
class _Replayed:
    """The game, the number of turns resolved again, its seed, and the differences."""

    game: str
    turns: int
    seed: bytes
    differences: list[str]


@click.command("replay")
@click.argument("game")
@click.option("--dice", metavar="SHA256", help="What the first report says under FAIR DICE.")
@click.pass_context
def command(ctx: click.Context, game: str, dice: str | None) -> None:
    """Resolve the stored turns of GAME again, or those of a file, its record.

    The record comes with the last email of a game, and from `referee game record`. It needs
    neither settings nor database; the game is also set up again, from the players' wishes.

    Prints "identical", or the differences with the exit status 1.
    """
    # In a folder that this user cannot read, the name of a game is not that of a file.
    is_file = _is_path(game) or os.path.isfile(game)
    replayed = _of_file(Path(game)) if is_file else _of_database(ctx, game)
    differences = [*_of_dice(replayed.seed, dice), *replayed.differences]
    for difference in differences:
        click.echo(f"{replayed.game}: {difference}")
    if differences:
        ctx.exit(1)
    counted = "1 turn" if replayed.turns == 1 else f"{replayed.turns} turns"
    click.echo(f"{replayed.game}: {counted} resolved again, identical")
    if dice is not None:
        click.echo(f"{replayed.game}: its dice are those of the first report")


def _is_path(text: str) -> bool:
    """Return whether a text can only be that of a file: names of games have no such characters."""
    return not set("./\\").isdisjoint(text)


def _of_dice(seed: bytes, told: str | None) -> list[str]:
    """Return the difference between the seed and the SHA-256 that players were told.

    Raises UsageError if that is not a whole one, so that it proves nothing.
    """
    found = commitment(seed)
    if told is None or (typed := "".join(told.split()).lower()) == found:
        return []
    if len(typed) != len(found):
        raise click.UsageError(
            f"--dice needs all {len(found)} characters of the SHA-256, but has {len(typed)}"
        )
    return [f"its dice have the SHA-256 {found}, so they are not those of the first report"]


def _of_file(file: Path) -> _Replayed:
    record = read_record(file)
    differences = prove(record, installed_rulesets())
    return _Replayed(record.game, len(record.turns), record.seed, differences)


def _of_database(ctx: click.Context, game: str) -> _Replayed:
    settings = settings_of(ctx)
    with open_database(settings) as store, store.read() as session:
        site = build_site(settings, store)
        found = game_named(session, game)
        turns = max(found.turn - 1, 0)
        return _Replayed(found.name, turns, found.seed, replay(session, site, found))
