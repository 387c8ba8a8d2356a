"""Many games: one that is in progress, copied with new seeds and players."""

import hashlib
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Table, delete, func, insert, select, update

from referee.store import Session
from referee.store.database.base import Base, table
from referee.store.mail.heartbeats import Heartbeat
from referee.store.models import Game, GameMaster, Person, SeatRow, Sheet, TurnRow

Row = dict[str, Any]
_MORE: Final = 10**7
"""More than the number of any account that was drawn."""


def copy_game(session: Session, name: str, number: int) -> None:
    """Copy a game in its current turn, with its orders, *number* times.

    Each copy has its own seed, players and turns; none is ever due. Heartbeats are deleted.
    """
    game = session.scalars(select(Game).where(Game.name == name)).one()
    seats = _rows(session, SeatRow, SeatRow.game_id == game.id)
    people = _rows(session, Person, Person.id.in_([seat["person_id"] for seat in seats]))
    turns = _rows(session, TurnRow, TurnRow.game_id == game.id)
    sheets = _rows(session, Sheet, Sheet.turn == game.turn)
    masters = _rows(session, GameMaster, GameMaster.game_id == game.id)
    (row,) = _rows(session, Game, Game.id == game.id)
    for start in range(0, number, 100):
        batch = range(start, min(start + 100, number))
        ids = _insert(
            session,
            Game,
            [{**row, "deadline_at": None, "closes_at": None, **_named(n)} for n in batch],
        )
        _fill(session, masters, GameMaster, ids)
        _fill(session, turns, TurnRow, ids)
        _seat(session, ids, Seated(people, seats, sheets), start)
    session.execute(delete(Heartbeat))


class Seated:
    """A seat of the copied game, with its player and orders."""

    def __init__(self, people: Sequence[Row], seats: Sequence[Row], sheets: Sequence[Row]) -> None:
        by_id = {person["id"]: person for person in people}
        self.people = [by_id[seat["person_id"]] for seat in seats]
        self.seats = seats
        self.sheets = sheets


def let_end(session: Session, number: int, at: datetime) -> None:
    """Make the current turns of some copied games, none of which was due, due together."""
    waiting = select(Game.id).where(Game.name.like("ST-%"), Game.deadline_at.is_(None))
    chosen = session.scalars(waiting.order_by(Game.id).limit(number)).all()
    due = update(Game).where(Game.id.in_(chosen))
    session.execute(due.values(deadline_at=at, closes_at=at, scheduled_at=at))


def due_still(session: Session, now: datetime) -> int:
    """Return the number of turns that are due and not yet resolved."""
    due = select(func.count()).where(Game.name.like("ST-%"), Game.deadline_at <= now)
    return session.scalar(due) or 0


def _named(number: int) -> Row:
    name = f"ST-{number + 1}"
    return {"name": name, "seed": hashlib.sha256(name.encode()).digest()}


def _seat(session: Session, games: Sequence[int], seated: Seated, start: int) -> None:
    people = [
        {
            **person,
            "address": f"p{start + n}.{place}@crowd.example",
            "account": _MORE + (start + n) * len(seated.people) + place,
        }
        for n in range(len(games))
        for place, person in enumerate(seated.people)
    ]
    holders = iter(_insert(session, Person, people))
    seats = [
        {**seat, "game_id": game, "person_id": next(holders)}
        for game in games
        for seat in seated.seats
    ]
    places = iter(_insert(session, SeatRow, seats))
    for _ in games:
        new = {seat["id"]: next(places) for seat in seated.seats}
        sheets = [{**sheet, "seat_id": new[sheet["seat_id"]]} for sheet in seated.sheets]
        _insert(session, Sheet, sheets)


def _fill(session: Session, rows: Sequence[Row], of: type[Base], games: Sequence[int]) -> None:
    """Copy the rows, which refer to a game by ``game_id``, for each of the games."""
    session.execute(insert(table(of)), [_new({**row, "game_id": n}) for n in games for row in rows])


def _insert(session: Session, of: type[Base], rows: Sequence[Row]) -> Sequence[int]:
    """Insert rows with new ids, and return the ids in the order of the rows."""
    if not rows:
        return []
    drawn = table(of)
    done = insert(drawn).returning(drawn.c.id, sort_by_parameter_order=True)
    return session.scalars(done, [_new(row) for row in rows]).all()


def _new(row: Mapping[str, Any]) -> Row:
    return {name: value for name, value in row.items() if name != "id"}


def _rows(session: Session, of: type[Base], *conditions: Any) -> list[Row]:
    drawn: Table = table(of)
    found = session.execute(select(drawn).where(*conditions))
    return [dict(row._mapping) for row in found]
