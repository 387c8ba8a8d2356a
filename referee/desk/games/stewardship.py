"""Stewardship in words: when the rules play a seat whose player has missed turns."""

from datetime import datetime

from referee.desk.base.loaded_games import LoadedGame
from referee.desk.games import absences
from referee.rules.ruleset import Seat
from referee.rules.stewards import limit
from referee.store import Session
from referee.store.models import SeatRow


def warning(session: Session, table: LoadedGame, row: SeatRow, due: datetime | None) -> str:
    """Return when a seat counts as abandoned that sends no orders by *due*, in a sentence.

    It is "" if a steward never plays it: by the rules, with standing orders, or during an absence.
    """
    after, seat = limit(table.ruleset, table.state), Seat(row.number)
    away = due is not None and absences.excused(session, table.game, (seat,), due)
    if not after or row.standing or table.game.for_one or away:
        return ""
    if row.missed >= after:
        return "Your seat counts as abandoned, so it gets default orders."
    turns = "a turn" if after == 1 else f"{after} turns in a row"
    missed = f"; you have missed {row.missed} until now" if row.missed else ""
    what = f"your seat counts as abandoned and gets default orders{missed}"
    return f"After you have missed {turns}, {what}."
