"""``referee replay``: a stored game, resolved again."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from referee.app import build_site
from referee.cli.common import game_named, open_database, settings_of
from referee.cli.game_files import read_record
from referee.desk.base.loaded_games import commitment
from referee.desk.games.record import Proof, decisions, prove
from referee.desk.games.replay import replay
from referee.desk.games.seat_of_record import seat_named, told
from referee.rules.wording import counted
from referee.testing.probe import tried_rulesets


@dataclass(frozen=True, slots=True)
class _Replayed:
    """The game, the number of turns resolved again, its seed, what to know, and the differences."""

    game: str
    turns: int
    seed: bytes
    differences: Sequence[str]
    notes: Sequence[str] = ()


@click.command("replay")
@click.argument("game")
@click.option("--dice", metavar="SHA256", help="What the first report says under FAIR DICE.")
@click.option("--seat", metavar="NAME", help="Print the orders and reports of this seat, too.")
@click.pass_context
def command(ctx: click.Context, game: str, dice: str | None, seat: str | None) -> None:
    """Resolve the stored turns of GAME again, or those of a file, its record.

    The record comes with the last email of a game, and from `referee game record`. It needs
    neither settings nor database; the game is also set up again, from the players' wishes.

    Prints what the GM corrected and undid, and "identical", or the differences with the exit
    status 1. Compare the GM's corrections with the announcements in your reports, and with --seat
    your own orders and reports with your emails: whoever has the secret number could have written
    another record afterwards.
    """
    # In a folder that this user cannot read, the name of a game is not that of a file.
    is_file = _is_path(game) or os.path.isfile(game)
    if seat is not None and not is_file:
        raise click.UsageError("--seat needs the record of the game, a file")
    replayed = _of_file(Path(game), seat) if is_file else _of_database(ctx, game)
    differences = [*_of_dice(replayed.seed, dice), *replayed.differences]
    for line in (*replayed.notes, *differences):
        click.echo(f"{replayed.game}: {line}")
    if differences:
        ctx.exit(1)
    click.echo(f"{replayed.game}: {_identical(replayed.turns)}")
    if dice is not None:
        click.echo(f"{replayed.game}: its dice are those of the first report")


def _identical(turns: int) -> str:
    if not turns:
        return "set up again, identical; it has no turns, so no turn was checked"
    return f"{counted(turns, 'turn')} resolved again, identical"


def _is_path(text: str) -> bool:
    """Return whether a text can only be that of a file: names of games have no such characters."""
    return not set("./\\").isdisjoint(text)


def _of_dice(seed: bytes, shown: str | None) -> list[str]:
    """Return the difference between the seed and the SHA-256 that players were told.

    Raises UsageError if that is not a whole one, so that it proves nothing.
    """
    found = commitment(seed)
    if shown is None or (typed := "".join(shown.split()).lower()) == found:
        return []
    if len(typed) != len(found):
        raise click.UsageError(
            f"--dice needs all {len(found)} characters of the SHA-256, but has {len(typed)}"
        )
    return [f"its dice have the SHA-256 {found}, so they are not those of the first report"]


def _of_file(file: Path, seat: str | None) -> _Replayed:
    record = read_record(file)
    proof = prove(record, tried_rulesets())
    if seat is not None:
        _print_seat(proof, seat)
    notes = (*decisions(record), *_of_end(proof))
    return _Replayed(record.game, len(record.turns), record.seed, proof.differences, notes)


def _print_seat(proof: Proof, name: str) -> None:
    """Print the orders and reports of a seat, which a player compares with their emails.

    Raises UsageError if there is no such seat. Goes out turn by turn: a long game has megabytes.
    """
    seat = seat_named(proof, name)
    if seat is None:
        known = ", ".join(proof.record.names.values())
        raise click.UsageError(f"--seat must be one of these: {known}")
    for part in told(proof, seat):
        click.echo(f"{part}\n")


def _of_end(proof: Proof) -> Iterator[str]:
    """Yield the facts about the end of the game that the record alone cannot prove."""
    turns = len(proof.turns)
    if turns and proof.record.extent.ended and not proof.is_over:
        yield f"its rules did not end it after turn {turns}; the GM or a vote did"


def _of_database(ctx: click.Context, game: str) -> _Replayed:
    settings = settings_of(ctx)
    with open_database(settings) as store, store.read() as session:
        site = build_site(settings, store)
        found = game_named(session, game)
        turns = max(found.turn - 1, 0)
        return _Replayed(found.name, turns, found.seed, replay(session, site, found))
