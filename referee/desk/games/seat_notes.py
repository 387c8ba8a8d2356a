"""Notes for a GM on the player of a seat: bounces, and if the GM does not play, absences."""

from collections.abc import Iterator

from referee.desk.base.desk import Desk
from referee.desk.games import absences
from referee.desk.orders import deputy_rights
from referee.desk.orders.gm_authority import plays
from referee.store.models import Person, SeatRow


def of_seat(desk: Desk, row: SeatRow, gm: Person) -> Iterator[str]:
    """Yield the notes on the seat's player, for a GM of its game."""
    if not plays(row.game, gm):
        yield from filter(None, (absences.note(desk.session, row, desk.now),))
        yield from filter(None, (deputy_rights.note(desk.session, row),))
    if row.person is not None:
        yield from filter(None, (_bounces(row.person),))


def missed(row: SeatRow) -> str:
    """Return how many turns in a row the seat's player has missed last; there is at least one."""
    return "missed 1 turn" if row.missed == 1 else f"missed {row.missed} turns in a row"


def _bounces(person: Person) -> str:
    """Return how emails to the person fail, or "" if they arrive."""
    if person.is_at_second:
        return "emails bounce" if person.second_bounces else "emails go to the second address"
    if not person.bounces:
        return ""
    return "1 email bounced" if person.bounces == 1 else f"{person.bounces} emails bounced"
