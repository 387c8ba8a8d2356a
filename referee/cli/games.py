"""``referee games``: the games with their GMs, and who plays in one of them."""

import click

from referee.cli.common import (
    game_named,
    games_listed,
    moment,
    open_database,
    settings_of,
    shown_turn,
    table,
)
from referee.domain.robots import without_player
from referee.store import Session
from referee.store.games import games
from referee.store.mail import search
from referee.store.models import Game, SeatRow


@click.command("games")
@click.argument("name", required=False)
@click.option("--all", "everything", is_flag=True, help="Also show games that have ended.")
@click.pass_context
def command(ctx: click.Context, name: str | None, *, everything: bool) -> None:
    """List the games; with NAME, such as SW-1, show its seats and who has orders on file."""
    with open_database(settings_of(ctx)) as store, store.read() as session:
        if name is not None:
            _show(session, game_named(session, name))
            return
        columns = ("game", "ruleset", "status", "turn", "players", "deadline", "GMs")
        if found := games_listed(session, everything=everything):
            table(columns, [_row(game) for game in found])


def _row(game: Game) -> tuple[object, ...]:
    held = [seat for seat in game.seats if seat.person_id is not None]
    return (
        game.name,
        game.ruleset,
        game.status.value,
        shown_turn(game),
        f"{len(held)} of {game.places}",
        moment(game.deadline_at),
        _gms(game),
    )


def _gms(game: Game) -> str:
    return ", ".join(gm.person.address for gm in game.gms) or "-"


def _show(session: Session, game: Game) -> None:
    click.echo(f"{game.name}: {game.ruleset}, {game.status.value}, turn {shown_turn(game)}")
    click.echo(f"Deadline: {moment(game.deadline_at)}")
    click.echo(f"GMs:      {_gms(game)}")
    if game.seats:
        click.echo()
        columns = ("number", "seat", "player", "orders on file", "missed", "last email")
        table(columns, [_seat(session, game, seat) for seat in game.seats])


def _seat(session: Session, game: Game, seat: SeatRow) -> tuple[object, ...]:
    person = seat.person
    addresses = [] if person is None else [person.address, person.second_address or ""]
    filed = games.on_file(session, seat, game.turn)
    source = "" if filed is None else f"receipt #{filed.receipt}" if filed.receipt else "by a GM"
    return (
        seat.number,
        seat.name,
        without_player(seat.robot) if person is None else person.address,
        "-" if filed is None else f"{source}, {moment(filed.filed_at)}",
        f"{seat.missed_all} turns",
        moment(search.newest_from(session, [address for address in addresses if address])),
    )
