"""WHO: the players of a game, limited to those the asker may know."""

from collections.abc import Container, Mapping

from referee.desk.base import robots
from referee.desk.base.forgotten import FORGOTTEN, forgotten
from referee.desk.base.loaded_games import LoadedGame
from referee.desk.base.press_privacy import holder_of
from referee.desk.games.attendance import reliability_of
from referee.desk.games.revealing import unnamed
from referee.desk.orders import real_names
from referee.desk.orders.command_entries import For, question
from referee.desk.orders.letter_context import LetterContext
from referee.domain.commands import ShowPlayers
from referee.rules.ruleset import UserError
from referee.rules.wording import counted
from referee.store.models import Game, GameStatus, SeatRow


@question(ShowPlayers, "WHO", For.SEAT | For.GM, shown_in="who")
def show_players(context: LetterContext, _command: ShowPlayers) -> str:
    """WHO. A GM sees every seat, a player their own and those met; no addresses."""
    game, own = context.game(), context.identity.seat
    if own is None and not context.identity.is_gm:
        raise UserError(f"You have no seat in {game.name}.")
    rows = known_rows(context.table, game, own)
    hidden, gone = hidden_people(context, game, own), forgotten(context.session, game)
    doubled = real_names.doubled(row.person for row in rows if row.person_id not in hidden)
    listed = "\n".join(_line(context, row, own, doubled, hidden, gone) for row in rows)
    return "\n".join(filter(None, (_head(game), listed, _rest(game, rows, own))))


def known_rows(table: LoadedGame | None, game: Game, own: SeatRow | None) -> list[SeatRow]:
    """Return the seats that the asker may know."""
    known = _known(table, game, own)
    return [row for row in game.seats if row.number in known]


def _known(table: LoadedGame | None, game: Game, own: SeatRow | None) -> Container[int]:
    """Return the numbers of the seats the asker may know: for a GM all, for a player those met.

    After the end everybody may know who was who.
    """
    if own is None or game.status is GameStatus.ENDED:
        return {row.number for row in game.seats}
    # Before the start, no seats have met.
    return {own.number, *(table.met_by(own) if table is not None else ())}


def hidden_people(context: LetterContext, game: Game, own: SeatRow | None) -> Container[int | None]:
    """Return the ids of the people whose names players do not read at the end, except their own."""
    if own is None or game.status is not GameStatus.ENDED:
        return ()
    return unnamed(context.session, game) - {own.person_id}


def _line(
    context: LetterContext,
    row: SeatRow,
    own: SeatRow | None,
    doubled: Mapping[int, int],
    hidden: Container[int | None],
    gone: Container[int],
) -> str:
    """Return ``FRODO: Frodo Baggins (you), 95% reliable``; what is not known is left out.

    If the name of one of the *doubled* people is shown, so is their number in this list. Names of
    *hidden* people are left out. The players of the seats with the ids *gone* were forgotten.
    """
    mine = ("(you)",) if own is not None and row.id == own.id else ()
    out = ("(eliminated)",) if row.eliminated else ()
    shown = "" if row.person_id in hidden else holder_of(row)
    shown = f"({FORGOTTEN})" if row.id in gone else shown
    name = f"{shown}{real_names.number_of(row.person, doubled)}"
    who = " ".join(filter(None, (name, *mine, *out)))
    known = ", ".join(filter(None, (who, _reliable(context, row, is_gm=own is None))))
    return f"{row.name}: {known}" if known else row.name


def _reliable(context: LetterContext, row: SeatRow, *, is_gm: bool) -> str:
    """Return how reliable the seat's player is in games that the asker may know, or ""."""
    if row.person is None:
        return ""
    own_game = row.game if is_gm else None
    percent = reliability_of(context.session, row.person, own_game).percent
    return f"{percent}% reliable" if percent is not None else ""


def _head(game: Game) -> str:
    title = f" {game.title}" if game.title else ""
    if game.status is GameStatus.FORMING:
        are = "is" if len(game.seats) == 1 else "are"
        taken = f"{len(game.seats)} of {game.places} seats {are} taken."
    else:
        taken = f"{counted(len(game.seats), 'seat')}."
    return f"{game.name}{title}: {taken} {robots.in_words(game)}".rstrip()


def _rest(game: Game, rows: list[SeatRow], own: SeatRow | None) -> str:
    unmet = len(game.seats) - len(rows)
    if own is None or not unmet:
        return ""
    if game.status is GameStatus.FORMING:
        return "\nYou meet the others in the game."
    return f"\nYou have not met the {'other one' if unmet == 1 else f'other {unmet}'} yet."
