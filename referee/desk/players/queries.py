"""Questions of players and GMs, answered from what the asker may know."""

from collections.abc import Iterator
from datetime import datetime

from referee.desk.base.loaded_games import Table, ruleset_of
from referee.desk.base.site import House
from referee.desk.games import absences as games_absences
from referee.desk.games import house_rules
from referee.desk.games.attendance import reliability_of, reliability_of_game
from referee.desk.orders import deputy_rights
from referee.desk.orders.gm_authority import plays
from referee.desk.orders.sheets import rule_sheet
from referee.desk.reports import vote_text
from referee.domain.sheets import Entry
from referee.letters.incoming.decode import decode
from referee.letters.outgoing.layout import beside
from referee.letters.outgoing.local_time import Moment
from referee.letters.outgoing.notices import ReportAgain
from referee.rules.ruleset import Mistake, Seat
from referee.store import Session
from referee.store.games import games, votes
from referee.store.mail import mail_queries
from referee.store.models import Game, GameStatus, Person, SeatRow, Sheet


def list_games(session: Session, house: House) -> str:
    """Say which games can be joined and which are being played; nobody's name is told.

    Of players it says how reliable they are together, over all their games.
    """
    lines = []
    for game in games.listing(session, GameStatus.FORMING, GameStatus.RUNNING):
        title = ruleset_of(house.rulesets, game.ruleset).info.title
        if game.title != title:
            title = f"{game.title} ({title})"
        if game.status is GameStatus.FORMING:
            free = game.places - len(game.seats)
            what = f"{free} of {game.places} seats free"
        else:
            held = sum(row.person is not None for row in game.seats)
            what = f"{held} player{'s' if held != 1 else ''}, turn {game.turn}{_vacant(game)}"
        percent = reliability_of_game(session, game).percent
        met = f", {percent}% reliable" if percent is not None else ""
        mark = f"; {marked}" if (marked := house_rules.marked(game)) else ""
        observed = ", takes observers" if game.observers_behind is not None else ""
        lines.append(f"{game.name}  {title}, {what}{met}{observed}{mark}")
    return "\n".join(lines) or "No game is forming or being played."


def _vacant(game: Game) -> str:
    count = sum(row.person is None and not row.eliminated for row in game.seats)
    return f", {count} vacant (TAKEOVER {game.name})" if count else ""


def game_status(
    session: Session, game: Game, person: Person, now: datetime, *, master: bool
) -> str:
    """Say where the game stands; only its GM is told who has sent orders."""
    lines = [f"{game.name} {game.title}: {_standing(game, person)}"]
    if marked := house_rules.marked(game):
        lines.append(f"  {marked.capitalize()}; RULES mails version {game.rules_version}.")
    row = next((row for row in game.seats if row.person_id == person.id), None)
    for vote in votes.running(session, game):
        if not vote_text.moot(vote):
            lines.append(f"  {vote_text.open_line(vote, row, person.zone)}")
    if master:
        lines += _seat_lines(session, game, person, now)
    else:
        lines.append(f"You, over all your games: {reliability_of(session, person).in_words()}.")
    return "\n".join(lines)


def orders_on_file(session: Session, table: Table, row: SeatRow, turn: int) -> str:
    """Say what is on file for a turn, what is done if nothing comes, and what else there is."""
    sheet = games.sheet_of(session, row, turn)
    lines = [_nothing(table, row, turn) if sheet is None else _sheet(table, row, sheet)]
    lines += [
        f"On file for turn {coming.turn}: {_counted(len(coming.orders))}, of receipt "
        f"{coming.origin.letter_id}. ORDERS T{coming.turn} shows them, CLEAR T{coming.turn} "
        "withdraws them."
        for coming in games.coming_sheets(session, row, table.game.turn)
        if coming.turn != turn
    ]
    return "\n".join(lines)


def _nothing(table: Table, row: SeatRow, turn: int) -> str:
    if turn > table.game.turn:
        return f"Nothing is on file for turn {turn}."
    standing = table.read(row.standing)
    filled = table.ruleset.defaults(table.state, Seat(row.number), standing)
    if not filled:
        return "Nothing is on file. If nothing comes, nothing is ordered for you."
    yours = " from your standing orders" if standing else ""
    head = f"Nothing is on file. If nothing comes, this is ordered for you{yours}:"
    return "\n".join([head, *(f"  {_shown(text)}" for text in table.render(filled))])


def _sheet(table: Table, row: SeatRow, sheet: Sheet) -> str:
    entries = table.with_orders([Entry(text) for text in sheet.orders])
    rulings = rule_sheet(table, row, entries, sheet.turn)
    receipt = sheet.origin.letter_id
    if not sheet.orders:
        return f"Your sheet of receipt {receipt} is empty: nothing is ordered."
    coming = f" for turn {sheet.turn}" if sheet.turn > table.game.turn else ""
    lines = [f"Your sheet of receipt {receipt}{coming}:"]
    lines += [_beside(ruled.text, ruled.meaning) for ruled in rulings.stands]
    lines += [_beside(r.text, f"{r.meaning} BUT: {r.warning}") for r in rulings.warned]
    lines += [_beside(f.text, f"DOES NOT STAND: {f.reason}") for f in rulings.faults]
    return "\n".join(lines)


def _beside(text: str, meaning: str) -> str:
    return beside(f"  {_shown(text)}", meaning)


def _shown(text: str) -> str:
    """Give an order in one line; of one with several lines, such as a sign, the first alone."""
    first, *more = text.splitlines() or [""]
    return f"{first} ..." if more else first


def _counted(count: int) -> str:
    return f"{count} order" + ("s" if count != 1 else "")


def old_report(session: Session, row: SeatRow, turn: int | None) -> ReportAgain:
    """Give a report as it was sent. Raises Mistake when there is none such."""
    wanted = row.game.turn if turn is None else turn
    letter = mail_queries.report_of(session, row.game, row.number, wanted)
    if letter is None:
        raise Mistake(f"There is no report of turn {wanted} for {row.name}.")
    return ReportAgain(row.game.name, wanted, row.name, decode(letter.raw).text)


def _standing(game: Game, person: Person) -> str:
    match game.status:
        case GameStatus.FORMING:
            return f"{len(game.seats)} of {game.places} seats are taken."
        case GameStatus.HELD:
            return f"turn {game.turn}, on hold{' by a vote' if game.paused_by_vote else ''}."
        case GameStatus.ENDED:
            return f"it has ended with turn {game.turn}."
        case GameStatus.RUNNING:
            assert game.deadline_at is not None
            return f"turn {game.turn}, resolved on {Moment(game.deadline_at, person.zone)}."


def _seat_lines(session: Session, game: Game, person: Person, now: datetime) -> Iterator[str]:
    """Say how far each seat is, and, to a GM who does not play himself, who stands in for whom."""
    for row in game.seats:
        yield _seat_line(session, game, row)
        if not plays(game, person):
            told = (games_absences.note(session, row, now), deputy_rights.note(session, row))
            yield from (f"     {line}" for line in told if line)


def _seat_line(session: Session, game: Game, row: SeatRow) -> str:
    if row.eliminated or row.person is None:
        state = "out of the game" if row.eliminated else "vacant"
        return f"  {row.number:2} {row.name:10} {state}"
    sheet = games.sheet_of(session, row, game.turn)
    orders = "no orders yet" if sheet is None else f"{len(sheet.orders)} orders"
    final = ", final" if row.final_turn == game.turn and game.turn else ""
    missed = f", missed {row.missed} in a row" if row.missed else ""
    percent = reliability_of(session, row.person).percent
    met = f", {percent}% reliable" if percent is not None else ""
    return f"  {row.number:2} {row.name:10} {orders}{final}{missed}{met}"
