"""Names in commands: the game, seat or person that a word means, of those its writer may know.

What the writer may not know is answered in the same words as what there is not.
"""

from referee.desk.base import private_games
from referee.desk.base.desk import Site
from referee.desk.base.loaded_games import LoadedGame
from referee.desk.orders.letter_context import LetterContext
from referee.rules.ruleset import UserError
from referee.store.games import games
from referee.store.models import Game, Person, SeatRow
from referee.store.people import people, same_mailbox


def game_found(context: LetterContext, name: str) -> Game | None:
    """Return the game of that name, or None if there is none that the sender may know of."""
    person, address = context.identity.person, context.to.address
    return private_games.called(context.session, name, person, address)


def game_called(context: LetterContext, name: str) -> Game:
    """Return the game of that name, locked, or without a name the one that the letter is about.

    Raises UserError if there is none that the sender may know of.
    """
    if not name:
        return context.game()
    game = game_found(context, name)
    if game is None:
        raise UserError(f"There is no game {name}. LIST shows the games.")
    return games.lock(context.session, game)


def seat_called(game: Game, name: str) -> SeatRow:
    """Return the seat that a GM of the game names.

    Raises UserError, which lists the seats, if there is none.
    """
    for row in game.seats:
        if row.name == name.upper():
            return row
    names = ", ".join(row.name for row in game.seats) or "none yet"
    raise UserError(f"{game.name} has no seat {name.upper()}. Its seats: {names}.")


def seats_met(table: LoadedGame, row: SeatRow) -> dict[str, SeatRow]:
    """Return the seats that the player of a seat has met, and so may name, by their names."""
    known = table.met_by(row)
    return {other.name: other for other in table.game.seats if other.number in known}


def person_at(context: LetterContext, address: str) -> Person | None:
    """Return the person whom a command names by an address, or None if we do not know them.

    An answer may show a GM what they are in the GM's own game, but nobody whether we know them.
    Raises UserError if the address is our own.
    """
    check_address(context.site, address)
    return people.by_address(context.session, address)


def parts_at(context: LetterContext, game: Game, address: str) -> list[Person]:
    """Return all accounts of a person whom a command names that have or had a part in the game.

    Raises UserError as ``person_at`` does.
    """
    person = person_at(context, address)
    return same_mailbox.accounts(context.session, game, person, address)


def check_address(site: Site, address: str) -> None:
    """Raise UserError if the address is the site's own: the referee would answer itself."""
    local, _, domain = address.partition("@")
    ours, _, our_domain = site.address.lower().partition("@")
    if domain == our_domain and local.partition("+")[0] == ours:
        raise UserError("That is our own address.")
