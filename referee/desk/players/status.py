"""STATUS: the state of a game, who has sent orders, and the asker's settings."""

from collections.abc import Iterator
from datetime import datetime

from referee.desk.base.loaded_games import ended
from referee.desk.games import absences as games_absences
from referee.desk.games import house_rules, start_terms
from referee.desk.games.attendance import own_reliability, reliability_of
from referee.desk.orders import deputy_rights
from referee.desk.orders.gm_authority import BEGUN, plays
from referee.desk.orders.letter_context import LetterContext
from referee.desk.orders.readiness import early_moment
from referee.desk.players import player_settings
from referee.desk.reports import vote_text
from referee.desk.seats import absences, standbys
from referee.domain.commands import ShowStandby, Status
from referee.domain.trust import Trust
from referee.letters.outgoing.local_time import Moment
from referee.rules.ruleset import UserError
from referee.store import Session
from referee.store.games import games, votes
from referee.store.models import Game, GameStatus, Person, SeatRow


def answer_status(context: LetterContext, _command: Status) -> str:
    """Handle STATUS. A GM sees more; a person without a seat sees their standby entries."""
    person = context.identity.person
    names_none = context.identity.game is None and not context.identity.missing
    if names_none and person is not None and not games.seats_of(context.session, person):
        return standbys.show_standby(context, ShowStandby())
    game = context.game()
    seat = context.identity.seat
    holder = seat.person if seat is not None and context.identity.deputy is None else None
    asker = holder or person
    if asker is None:
        raise UserError(f"You have no seat in {game.name}.")
    is_gm = context.identity.is_gm and seat is None
    told = _game_status(context.session, game, asker, context.now, is_gm=is_gm)
    lines = (told, *_about_seat(context), *standbys.own_lines(context, asker))
    told = "\n".join(lines)
    if is_gm or context.identity.deputy is not None:
        return told
    return f"{told}\n\n{player_settings.overview(context)}"


def _about_seat(context: LetterContext) -> Iterator[str]:
    """Yield what is on file for the letter's seat, and the player's absences and deputies."""
    if context.identity.seat is not None and context.identity.trust is not Trust.NONE:
        yield from _own_orders(context, context.identity.seat)
        yield from absences.own_lines(context)
        yield from deputy_rights.status_lines(context)


def _own_orders(context: LetterContext, row: SeatRow) -> Iterator[str]:
    """Yield what is on file for the current turn, and whether the seat has to send orders."""
    table = context.table
    if table is None or table.game.status not in BEGUN:
        return
    turn = table.game.turn
    sheet = games.sheet_of(context.session, row, turn)
    if sheet is not None:
        final = " You have sent FINAL." if row.final_turn == turn else ""
        count = _counted(len(sheet.orders))
        source = context.source_of(sheet.origin.letter_id)
        yield f"Your orders for turn {turn}: {count}, from {source}.{final}"
    elif table.awaits(row):
        yield f"You still have to send orders for turn {turn}; nothing is on file."
    else:
        yield f"You do not have to send orders now; nothing is on file for turn {turn}."


def _counted(count: int) -> str:
    if not count:
        return "an empty sheet"
    return f"{count} order" + ("s" if count != 1 else "")


def _game_status(
    session: Session, game: Game, person: Person, now: datetime, *, is_gm: bool
) -> str:
    """Return the state of the game; only its GM sees who has sent orders."""
    lines = [f"{game.name} {game.title}: {_standing(game, person, now)}"]
    if marked := house_rules.marked(game):
        lines.append(f"  {marked.capitalize()}; RULES mails version {game.rules_version}.")
    row = next((row for row in game.seats if row.person_id == person.id), None)
    for vote in votes.running(session, game):
        if not vote_text.moot(vote):
            lines.append(f"  {vote_text.open_line(vote, row, person.zone)}")
    if is_gm:
        lines += _seat_lines(session, game, person, now)
    else:
        lines.append(f"You, over all your games: {own_reliability(session, person).in_words()}.")
    return "\n".join(lines)


def _standing(game: Game, person: Person, now: datetime) -> str:
    match game.status:
        case GameStatus.FORMING:
            starts = " ".join(start_terms.in_words(game, person.zone))
            return f"{len(game.seats)} of {game.places} seats are taken. {starts}"
        case GameStatus.HELD:
            return f"turn {game.turn}, on hold{' by a vote' if game.paused_by_vote else ''}."
        case GameStatus.ENDED:
            return f"{ended(game)}."
        case GameStatus.RUNNING:
            assert game.deadline_at is not None
            due = f"turn {game.turn}, deadline {Moment(game.deadline_at, person.zone)}."
            early = early_moment(game)
            if early is None or early <= now:
                return due
            return f"{due} Everyone is ready, so it is resolved on {Moment(early, person.zone)}."


def _seat_lines(session: Session, game: Game, person: Person, now: datetime) -> Iterator[str]:
    """Yield the state of each seat, and for a GM who does not play, absences and deputies."""
    for row in game.seats:
        yield _seat_line(session, game, row)
        if not plays(game, person):
            told = (games_absences.note(session, row, now), deputy_rights.note(session, row))
            yield from (f"    {line}" for line in told if line)


def _seat_line(session: Session, game: Game, row: SeatRow) -> str:
    if row.eliminated or row.person is None:
        state = "eliminated" if row.eliminated else "vacant"
        return f"  {row.name}: {state}"
    told = [] if game.status is GameStatus.ENDED else [*_progress(session, game, row)]
    percent = reliability_of(session, row.person, game).percent
    told += [f"{percent}% reliable"] if percent is not None else []
    return f"  {row.name}: {', '.join(told)}" if told else f"  {row.name}"


def _progress(session: Session, game: Game, row: SeatRow) -> Iterator[str]:
    """Yield what a seat did in the current turn of a game, and whether it missed the last ones."""
    sheet = games.sheet_of(session, row, game.turn)
    if sheet is None:
        yield "no orders yet"
    else:
        yield f"{_counted(len(sheet.orders))}{' by a GM' if sheet.by_gm else ''}"
    if row.final_turn == game.turn and game.turn:
        yield "final"
    if row.missed:
        yield f"missed {row.missed} in a row"
