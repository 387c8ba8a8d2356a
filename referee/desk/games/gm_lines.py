"""Lines for a GM: notes on the players of seats, and commands to reply with."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from referee.desk.base.desk import Desk
from referee.desk.games import missing_orders, vacancies
from referee.desk.games.absences import when
from referee.desk.orders.gm_authority import plays
from referee.store.models import Game, GameStatus, Person, SeatRow
from referee.store.people import absences, deputies
from referee.store.people.absences import Absence
from referee.store.people.deputies import Deputy


@dataclass(frozen=True, slots=True)
class Notes:
    """The notes on the players of a game: who will be *away*, and the deputies, by seat id."""

    away: Mapping[int, Absence]
    deputies: Sequence[Deputy]

    @classmethod
    def of(cls, desk: Desk, game: Game) -> "Notes":
        """Return the notes on all players of the game now."""
        away = absences.ahead(desk.session, game, desk.now)
        return cls(away, deputies.of_all(desk.session, game))

    def on(self, row: SeatRow, gm: Person) -> Iterator[str]:
        """Yield the notes on the seat's player, for a GM of its game."""
        if not plays(row.game, gm):
            yield from (f"away {when(self.away[each])}" for each in {row.id} & self.away.keys())
            found = (each for each in self.deputies if each.seat_id == row.id and each.person)
            engaged = [
                f"deputy #{each.person.account} {each.days}" for each in found if each.person
            ]
            yield from filter(None, ("; ".join(engaged),))
        if row.person is not None:
            yield from filter(None, (_bounces(row.person),))


def turns_missed(row: SeatRow) -> str:
    """Return how many turns in a row the seat's player has missed last; there is at least one."""
    return "missed 1 turn" if row.missed == 1 else f"missed {row.missed} turns in a row"


def _bounces(person: Person) -> str:
    """Return how emails to the person fail, or "" if they arrive."""
    if person.is_at_second:
        return "emails bounce" if person.second_bounces else "emails go to the second address"
    if not person.bounces:
        return ""
    return "1 email bounced" if person.bounces == 1 else f"{person.bounces} emails bounced"


_DAY: Final = timedelta(days=1)


def actions(desk: Desk, game: Game, gm: Person) -> Iterator[str]:
    """Yield the commands that a GM of the game can send now, each with its effect.

    They do not show which seats still have to send orders: not every GM can know that, and one who
    plays not even whether any has.
    """
    if game.status is not GameStatus.RUNNING:
        return
    if plays(game, gm) or missing_orders.within_reach(desk, game):
        yield "REMIND NOW: reminds the players who still have to send orders."
    if game.left_to_extend >= _DAY:
        yield "EXTEND 1 day: gives everyone more time for the turn."
    for row in game.seats:
        is_played = row.robot is not None or row.offered_at is not None
        if not is_played and vacancies.is_available(desk.session, row):
            yield f"STANDBY OFFER {row.name}: offers the seat to standbys."
