"""STATUS: the state of a game, what is on file for a seat, and the asker's settings."""

from collections.abc import Iterator

from referee.desk.base import robots
from referee.desk.base.desk import Desk
from referee.desk.base.forgotten import FORGOTTEN, forgotten
from referee.desk.base.loaded_games import LoadedGame, ended
from referee.desk.games import deadlines, gm_lines, house_rules, missing_orders, start_terms
from referee.desk.games.attendance import own_reliability, reliability_of
from referee.desk.orders.command_entries import For, question
from referee.desk.orders.gm_authority import BEGUN
from referee.desk.orders.letter_context import LetterContext
from referee.desk.orders.readiness import early_moment, unanswered
from referee.desk.orders.standing_orders import standing_doubts
from referee.desk.players import player_settings
from referee.desk.players.press import delivery
from referee.desk.reports import vote_text
from referee.desk.reports.game_end import result, result_for
from referee.desk.reports.press_delivery import addressees
from referee.desk.seats import absences, standbys
from referee.domain.commands import Status
from referee.letters.outgoing.local_time import Moment
from referee.rules.ruleset import UserError
from referee.rules.wording import counted
from referee.store import Session
from referee.store.games import games, press, votes
from referee.store.models import Game, GameStatus, Person, SeatRow
from referee.store.people import admissions, deputies
from referee.store.people.admissions import AdmissionState


@question(Status, "STATUS", For.KNOWN | For.DEPUTY, shown_in="reliability")
def answer_status(context: LetterContext, _command: Status) -> str:
    """STATUS. A GM sees more; a person without a seat sees their standby entries.

    A GM who plays sees what players see, and where a GM looks.
    """
    person = context.identity.person
    names_none = context.identity.game is None and not context.identity.about.missing
    if names_none and person is not None and not games.seats_of(context.session, person):
        return standbys.overview(context)
    game = context.game()
    seat = context.identity.seat
    holder = seat.person if seat is not None and context.identity.deputy is None else None
    asker = holder or person
    if asker is None:
        raise UserError(f"You have no seat in {game.name}.")
    is_gm = context.identity.is_gm and seat is None
    told = _game_status(context, game, asker, is_gm=is_gm)
    lines = (
        told,
        *_about_seat(context),
        *_for_gm_who_plays(context, game),
        *standbys.own_lines(context, asker),
    )
    told = "\n".join(lines)
    if is_gm or context.identity.deputy is not None:
        return told
    return f"{told}\n\n{player_settings.overview(context)}"


def _about_seat(context: LetterContext) -> Iterator[str]:
    """Yield the lines about the letter's seat, open questions, absences and deputies."""
    if context.identity.seat is not None and context.identity.trust.is_from_owner:
        yield from _on_file(context, context.identity.seat)
        yield from unanswered(context, context.identity.seat)
        yield from absences.own_lines(context)
        yield from _deputies(context)


def _deputies(context: LetterContext) -> Iterator[str]:
    """Yield the lines about deputies, for the player and for the deputy."""
    mine = context.identity.deputy
    for deputy in [mine] if mine is not None else deputies.of(context.session, context.seat()):
        accepted = "" if deputy.person_id is not None else ", who has not accepted yet"
        yield f"Deputy {deputy.days}: {deputy.address}{accepted}."


def _for_gm_who_plays(context: LetterContext, game: Game) -> Iterator[str]:
    """Yield who waits for a GM who plays, and the command that shows who has sent orders."""
    identity = context.identity
    if not identity.is_gm or identity.seat is None or identity.deputy is not None:
        return
    yield from _waiting_to_join(context.session, game)
    if game.status in BEGUN:
        yield f"SHEETS below the line GM {game.name} shows you who has sent orders."


def _game_status(context: LetterContext, game: Game, person: Person, *, is_gm: bool) -> str:
    """Return the state of the game; whose orders are awaited as its house rules say."""
    desk = context.desk
    lines = [f"{game.name} {game.title}: {_standing(context, game, person)}"]
    if marked := house_rules.marked(game):
        lines.append(f"  {marked.capitalize()}; RULES mails version {game.rules_version}.")
    if played := robots.in_words(game):
        lines.append(f"  {played}")
    row = next((row for row in game.seats if row.person_id == person.id), None)
    # Votes are the affair of those who play, and of those who act for a player.
    is_in = is_gm or row is not None or context.identity.deputy is not None
    for vote in votes.running(desk.session, game) if is_in else ():
        if not vote_text.moot(vote):
            lines.append(f"  {vote_text.open_line(vote, row, person.zone)}")
    if is_gm:
        lines += [*_waiting_to_join(desk.session, game), *_seat_lines(desk, game, person)]
    else:
        lines += _awaited(context, row)
        lines.append(
            f"You, over all your games: {own_reliability(desk.session, person).in_words()}."
        )
    return "\n".join(lines)


def _awaited(context: LetterContext, row: SeatRow | None) -> Iterator[str]:
    """Yield whose orders are awaited, for those who play."""
    reader = context.identity.seat or row
    if context.table is not None and reader is not None:
        told = missing_orders.awaited(context.session, context.table, reader)
        yield from () if told is None else (f"  {told.in_words}",)


def _standing(context: LetterContext, game: Game, person: Person) -> str:
    match game.status:
        case GameStatus.FORMING:
            starts = " ".join(start_terms.in_words(game, person.zone))
            return f"{len(game.seats)} of {game.places} seats are taken. {starts}"
        case GameStatus.ENDED:
            return f"{ended(game)}. {_result(context, person)}".rstrip()
        case GameStatus.RUNNING | GameStatus.HELD:
            return deadlines.of_turn(game, person.zone, context.now)


def _result(context: LetterContext, person: Person) -> str:
    """Return the result of a game that has ended, for those who may read it, or ""."""
    if context.table is None:
        return ""
    if context.identity.deputy is not None:
        return result(context.session, context.table)
    return result_for(context.session, context.table, person)


def _waiting_to_join(session: Session, game: Game) -> Iterator[str]:
    """Yield the sentence on those who wait for the GM's decision about their JOIN, if any do."""
    wait = [each for each in admissions.of(session, game) if each.state is AdmissionState.WAITING]
    if wait and game.status is GameStatus.FORMING:
        who = "1 person waits" if len(wait) == 1 else f"{len(wait)} people wait"
        yield f"  {who} for your APPROVE or REFUSE; ALLOW shows whom."


def _seat_lines(desk: Desk, game: Game, person: Person) -> Iterator[str]:
    """Yield the state of each seat, and the notes on its player."""
    gone = forgotten(desk.session, game)
    notes = gm_lines.Notes.of(desk, game)
    for row in game.seats:
        known = f"  {row.name}: {FORGOTTEN}" if row.id in gone else ""
        yield known or _seat_line(desk.session, game, row)
        yield from (f"    {note}" for note in notes.on(row, person))


def _seat_line(session: Session, game: Game, row: SeatRow) -> str:
    if row.eliminated or row.person is None:
        state = "eliminated" if row.eliminated else robots.without_player(row)
        offered = row.offered_at is not None and game.status is not GameStatus.ENDED
        return f"  {row.name}: {state}{', offered to standbys' if offered else ''}"
    told = [*_progress(session, game, row)] if game.status in BEGUN else []
    percent = reliability_of(session, row.person, game).percent
    told += [f"{percent}% reliable"] if percent is not None else []
    return f"  {row.name}: {', '.join(told)}" if told else f"  {row.name}"


def _progress(session: Session, game: Game, row: SeatRow) -> Iterator[str]:
    """Yield a seat's progress in a game's current turn, and whether it missed the last ones."""
    sheet = games.sheet_of(session, row, game.turn)
    if sheet is not None:
        yield f"{_sheet_size(len(sheet.orders))}{' by a GM' if sheet.by_gm else ''}"
    else:
        yield "no orders yet"
        yield from ["standing orders run"] * bool(row.standing)
    if row.final_turn == game.turn and game.turn:
        yield "final"
    if row.missed:
        yield gm_lines.turns_missed(row)
    if row.offered_at is not None:
        yield "offered to standbys"


def _on_file(context: LetterContext, row: SeatRow) -> Iterator[str]:
    """Yield the STATUS lines about what is on file for the seat; none before the game begins."""
    table = context.table
    if table is None or table.game.status not in BEGUN:
        return
    if row.eliminated:
        yield f"{row.name} is eliminated. You see what everyone can see, and need not send orders."
    else:
        yield from _orders(context, table, row)
    # A deputy does not see what the player wrote to others.
    if context.identity.deputy is None:
        yield from _messages(context, row)


def _orders(context: LetterContext, table: LoadedGame, row: SeatRow) -> Iterator[str]:
    """Yield the orders on file for the seat: its sheets, FINAL and standing orders."""
    turn = table.game.turn
    sheet = games.sheet_of(context.session, row, turn)
    if sheet is not None:
        filed = Moment(sheet.origin.filed_at, context.zone)
        yield (
            f"Your orders for turn {turn}: {_sheet_size(len(sheet.orders))}, from "
            f"{context.source_of(sheet.origin.letter_id)}. Filed on {filed}."
        )
    elif table.awaits(row):
        yield f"You still have to send orders for turn {turn}; nothing is on file."
    else:
        yield f"You do not have to send orders now; nothing is on file for turn {turn}."
    yield from final_lines(table, row)
    yield from coming_lines(context, row, turn)
    yield from _standing_orders(row)
    if sheet is None and (doubts := standing_doubts(table, row).in_words):
        yield f"{doubts} ORDERS shows why."


def final_lines(table: LoadedGame, row: SeatRow) -> Iterator[str]:
    """Yield whether the seat has sent FINAL for the current turn, if that matters."""
    if row.final_turn == table.game.turn:
        yield "You have sent FINAL. WAIT takes it back."
    elif table.awaits(row) and early_moment(table.game) is None:
        yield "You have not sent FINAL."


def coming_lines(context: LetterContext, row: SeatRow, turn: int) -> Iterator[str]:
    """Yield a line on each sheet for a turn after the current one, without that of *turn*."""
    for coming in games.coming_sheets(context.session, row, row.game.turn):
        if coming.turn != turn:
            source = context.source_of(coming.origin.letter_id)
            yield (
                f"On file for turn {coming.turn}: {_sheet_size(len(coming.orders))}, from "
                f"{source}. ORDERS T{coming.turn} shows the sheet, CLEAR T{coming.turn} removes it."
            )


def _sheet_size(count: int) -> str:
    """Return how many orders a sheet has, in words."""
    return counted(count, "order") if count else "an empty sheet"


def _standing_orders(row: SeatRow) -> Iterator[str]:
    count = len(row.standing)
    if not count:
        yield "You have no standing orders."
        return
    them = "it; it runs" if count == 1 else "them; they run"
    yield (
        f"You have {counted(count, 'standing order')}. STANDING shows {them} in a "
        "turn for which you send nothing."
    )


def _messages(context: LetterContext, row: SeatRow) -> Iterator[str]:
    """Yield the player's messages that wait for their delivery, and how to take them back."""
    for item in press.waiting(context.session, row):
        # A successor does not see what the player before wrote. The holder of this letter itself is
        # recorded at its end.
        if item.letter_id == context.row.id or item.letter.holder_id == row.person_id:
            receipt, whom = context.receipt_of(item.letter_id), addressees(row.game, item)
            verb = "comes" if item.due_at is None and not item.is_timed else "is delivered"
            when = f"{verb} {delivery(row.game, item, context.zone)}"
            yield (
                f"Your message to {whom} from #{receipt} {when}. CANCEL #{receipt} takes it back."
            )
