"""``referee resolve``: one turn from files to files, without a database."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from referee.cli.game_files import StateFile, read_state, write_private
from referee.cli.terminal import tell
from referee.errors import Finding, ResourceError
from referee.parsing.items import Parsed, Unparsed
from referee.parsing.reader import Reader
from referee.reports.text import text as drawn
from referee.rules.dice import Dice
from referee.rules.news import completed, opened
from referee.rules.ruleset import Outcome, Resolution, RulingKind, Seat
from referee.testing.probe import tried_rulesets


@click.command("resolve")
@click.argument("state", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.argument(
    "orders",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    nargs=-1,
    metavar="[ORDERS]...",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    help="The folder for the new state and the reports.",
)
def command(state: Path, orders: tuple[Path, ...], out: Path) -> None:
    """Resolve the turn of STATE with the ORDERS of each seat.

    An order file is named like its seat, by name or number: CERES.txt, 1.txt. A seat without one
    gets default orders. STATE comes from `referee game`.
    """
    game = read_state(state, tried_rulesets())
    sheets = {_seat(game, file): file for file in orders}
    filed = {seat: _orders(game, seat, file) for seat, file in sheets.items()}
    missed = game.ruleset.phase(game.state).awaiting - filed.keys()
    for seat in sorted(missed):
        filed[seat] = game.ruleset.defaults(game.state, seat, ())
    resolved = game.ruleset.resolve(game.state, filed, frozenset(missed), Dice(game.seed))
    resolution = completed(game.ruleset, game.state, resolved, game.seats)
    _write(replace(game, state=resolution.state), resolution, out)
    tell(f"{out}: the new state and {len(game.seats)} reports")


def _seat(game: StateFile, file: Path) -> Seat:
    for seat, name in game.seats.items():
        if file.stem.upper() in (name.upper(), str(seat)):
            return seat
    known = ", ".join(f"{name} ({seat})" for seat, name in game.seats.items())
    remedy = f"name the file after its seat: {known}"
    raise ResourceError(Finding("order file: no such seat", remedy, "file", str(file)))


def _orders(game: StateFile, seat: Seat, file: Path) -> Sequence[Any]:
    """Read an order file like an email; report and leave out rejected orders."""
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        remedy = "save it as plain text in UTF-8"
        raise ResourceError(
            Finding("order file: cannot be read", remedy, "file", str(file))
        ) from error
    read = Reader(game.ruleset.grammar(game.ruleset.phase(game.state))).read(text)
    for item in read:
        if isinstance(item, Unparsed):
            tell(f"{file}:{item.line}:{item.column}: {item.reason} {item.advice}".rstrip())
    return _standing(game, seat, [item for item in read if isinstance(item, Parsed)], file)


def _standing(game: StateFile, seat: Seat, items: Sequence[Parsed], file: Path) -> Sequence[Any]:
    rulings = game.ruleset.validate(game.state, seat, [item.order for item in items])
    accepted = []
    for item, ruling in zip(items, rulings, strict=True):
        if ruling.kind is not RulingKind.ACCEPTED:
            tell(f"{file}:{item.line}:{item.column}: {ruling.kind.value}: {ruling.reason}")
        if ruling.kind is not RulingKind.REJECTED:
            accepted.append(item.order)
    return accepted


def _write(game: StateFile, resolution: Resolution[Any, Any], out: Path) -> None:
    game.write(out / "state.json")
    for seat, name in game.seats.items():
        view = opened(game.ruleset.view(game.state, seat, ""), resolution.events, seat)
        failed = _failed(game, resolution.outcomes, seat)
        write_private(
            out / f"{name}.txt", "\n".join([drawn(view).rstrip("\n"), *failed, ""]).encode()
        )


def _failed(
    game: StateFile, outcomes: Mapping[Seat, tuple[tuple[Any, Outcome], ...]], seat: Seat
) -> list[str]:
    return [
        f"{game.ruleset.render(order)}: {outcome.reason}"
        for order, outcome in outcomes.get(seat, ())
        if not outcome.done
    ]
