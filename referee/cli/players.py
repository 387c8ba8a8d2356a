"""``referee players``: players and GMs, with their addresses and seats."""

import click

from referee.cli.common import game_named, moment, open_database, settings_of, table
from referee.store import Session
from referee.store.games import games
from referee.store.mail import search
from referee.store.models import Game, GameStatus, Person
from referee.store.people import people


@click.command("players")
@click.argument("part", default="", required=False)
@click.option("--game", metavar="GAME", help="Only the players and GMs of this game, such as SW-1.")
@click.pass_context
def command(ctx: click.Context, part: str, game: str | None) -> None:
    """List players and GMs with PART in their name or an address; without it, all of them.

    "bounces" counts the emails to them that came back since their address last worked.
    """
    with open_database(settings_of(ctx)) as store, store.read() as session:
        going = (GameStatus.FORMING, GameStatus.RUNNING, GameStatus.HELD)
        chosen = games.listing(session, *going) if game is None else [game_named(session, game)]
        roles = {each.id: _roles(each, chosen) for each in people.listing(session, part)}
        rows = [
            _row(session, each, roles[each.id])
            for each in people.listing(session, part)
            if game is None or roles[each.id]
        ]
    if not rows:
        click.echo("No players.")
        return
    columns = ("address", "second address", "name", "games", "last email", "bounces")
    table(columns, rows)


def _row(session: Session, person: Person, roles: list[str]) -> tuple[object, ...]:
    addresses = [address for address in (person.address, person.second_address) if address]
    return (
        person.address,
        person.second_address or "-",
        person.name or "-",
        ", ".join(roles) or "-",
        moment(search.newest_from(session, addresses)),
        person.second_bounces if person.is_at_second else person.bounces,
    )


def _roles(person: Person, chosen: list[Game]) -> list[str]:
    """Return the person's seats and games as GM: ``SW-1 CERES``, ``SW-2 GM``."""
    return [
        f"{game.name} {role}"
        for game in chosen
        for role in (
            *("GM" for gm in game.gms if gm.person_id == person.id),
            *(seat.name for seat in game.seats if seat.person_id == person.id),
        )
    ]
