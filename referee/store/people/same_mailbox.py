"""Accounts that share a mailbox: one person, however they write their address."""

from sqlalchemy import select, union
from sqlalchemy.orm import Session

from referee.domain.mailboxes import mailbox_of
from referee.store.models import Game, GameMaster, Person, SeatRow
from referee.store.people.deputies import Deputy
from referee.store.people.former_players import FormerPlayer


def mailboxes(*whose: Person | str | None) -> frozenset[str]:
    """Return the mailboxes of people and addresses."""
    addresses: list[str | None] = []
    for each in whose:
        addresses += (each.address, each.second_address) if isinstance(each, Person) else (each,)
    return frozenset(mailbox_of(address) for address in addresses if address)


def holds_seat(game: Game, *whose: Person | str | None) -> bool:
    """Return whether a player of the game has one of these mailboxes."""
    wanted = mailboxes(*whose)
    players = (row.person for row in game.seats if row.person_id is not None)
    return any(not wanted.isdisjoint(mailboxes(player)) for player in players)


def accounts(session: Session, game: Game, *whose: Person | str | None) -> list[Person]:
    """Return who has or had a part in the game and has one of these mailboxes."""
    seats = select(SeatRow.id).where(SeatRow.game_id == game.id)
    parts = (
        select(SeatRow.person_id).where(SeatRow.game_id == game.id),
        select(GameMaster.person_id).where(GameMaster.game_id == game.id),
        select(FormerPlayer.person_id).where(FormerPlayer.game_id == game.id),
        select(Deputy.person_id).where(Deputy.seat_id.in_(seats)),
    )
    wanted = mailboxes(*whose)
    numbers = set(session.scalars(union(*parts))) - {None}
    found = session.scalars(select(Person).where(Person.id.in_(numbers)))
    return [person for person in found if not wanted.isdisjoint(mailboxes(person))]
