"""Games in the database: creation, seats, locks, and the sheets for their turns."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from typing import Any, Final

from sqlalchemy import ColumnElement, Select, and_, bindparam, exists, func, insert, or_, select
from sqlalchemy.orm import Session, defer, joinedload, selectinload
from sqlalchemy.sql.dml import ReturningInsert

from referee.store.database.base import Span, follow_each_other, is_postgres, table
from referee.store.database.claims import check_fence, locked, void
from referee.store.games import agenda
from referee.store.games.reminders import check_reminders
from referee.store.models import (
    Game,
    GameMaster,
    GameStatus,
    InboxLetter,
    Person,
    SeatRow,
    Sheet,
    TurnRow,
)

_WITH_HOLDER_AND_GAME: Final = (
    joinedload(SeatRow.game).joinedload(Game.gms),
    joinedload(SeatRow.person),
)


def by_name(session: Session, name: str) -> Game | None:
    """Return the game named *name*: ``SW-7``, in capitals."""
    return session.scalar(select(Game).where(Game.name == name))


def by_id(session: Session, number: int) -> Game | None:
    """Return the game with this id."""
    return session.get(Game, number)


def listing(session: Session, *statuses: GameStatus) -> list[Game]:
    """Return the games with one of *statuses* (none named: all), in the order they were created."""
    query = select(Game).order_by(Game.id)
    return list(session.scalars(query.where(Game.status.in_(statuses)) if statuses else query))


def gms_of_forming(session: Session, since: datetime) -> list[str]:
    """Return the GMs' addresses of each game that was created after *since* and has not begun."""
    query = select(Person.address).select_from(GameMaster).join(Game).join(Person)
    forming = query.where(Game.status == GameStatus.FORMING, Game.created_at > since)
    return list(session.scalars(forming))


def led_by(session: Session, gm: Person) -> list[Game]:
    """Return the games of a GM that have not ended."""
    led = select(Game).join(GameMaster).where(GameMaster.person_id == gm.id)
    return list(session.scalars(led.where(Game.status != GameStatus.ENDED)))


def ending_of(session: Session, gm: Person, now: datetime) -> list[Game]:
    """Return the running games of a GM whose turn is due, and not stopped by a fault."""
    ends = or_(Game.closes_at <= now, Game.ready_at <= now)
    query = select(Game).where(Game.status == GameStatus.RUNNING, ends)
    query = query.where(Game.stalled_until.is_(None))
    own = GameMaster.game_id == Game.id, GameMaster.person_id == gm.id
    return list(session.scalars(query.where(exists().where(*own))))


def running_until(session: Session, moment: datetime) -> list[Game]:
    """Return the running games with a deadline not after *moment*, oldest game first."""
    query = select(Game).where(Game.status == GameStatus.RUNNING, Game.deadline_at <= moment)
    return list(session.scalars(query.order_by(Game.id)))


def ending_early(session: Session, after: datetime, until: datetime) -> list[Game]:
    """Return the running games in which a turn ends early in that time, oldest game first."""
    query = select(Game).where(Game.status == GameStatus.RUNNING, Game.ready_at <= until)
    return list(session.scalars(query.where(Game.ready_at > after).order_by(Game.id)))


def begun_after(session: Session, moment: datetime) -> list[Game]:
    """Return the running games whose current turn began later, because the clock was ahead."""
    last = and_(TurnRow.game_id == Game.id, TurnRow.number == Game.turn - 1)
    query = select(Game).join(TurnRow, last).where(Game.status == GameStatus.RUNNING)
    return list(session.scalars(query.where(TurnRow.resolved_at > moment).order_by(Game.id)))


def counts(session: Session) -> Mapping[GameStatus, int]:
    """Return the number of games by status, including statuses without games."""
    found = dict(session.execute(select(Game.status, func.count()).group_by(Game.status)).all())
    return {status: found.get(status, 0) for status in GameStatus}


def stalled(session: Session) -> list[Game]:
    """Return the games that wait to be retried after a failure to resolve their turn."""
    return list(session.scalars(select(Game).where(Game.stalls > 0).order_by(Game.id)))


def resolved_in(session: Session, span: Span) -> int:
    """Return the number of turns that were resolved in *span*."""
    query = select(func.count()).where(
        TurnRow.resolved_at > span.after, TurnRow.resolved_at <= span.until
    )
    return session.scalar(query) or 0


def next_name(session: Session, prefix: str) -> str:
    """Return the next free game name with the prefix: ``SW-8`` after ``SW-7``.

    Holds a lock until the transaction ends, so that names stay unique.
    """
    follow_each_other(session, "name games")
    start = f"{prefix}-"
    names = session.scalars(select(Game.name).where(Game.name.startswith(start, autoescape=True)))
    endings = [name.removeprefix(start) for name in names]
    return f"{start}{max((int(n) for n in endings if n.isdecimal()), default=0) + 1}"


def create(
    session: Session,
    *,
    name: str,
    title: str,
    ruleset: str,
    options: dict[str, Any],
    places: int,
    seed: bytes,
    schedule: str,
    reminders: Sequence[int],
    gm: Person | None,
    now: datetime,
) -> Game:
    """Create a forming game with *gm* as its GM; a game for one person has none."""
    game = Game(
        name=name,
        title=title,
        ruleset=ruleset,
        options=options,
        places=places,
        status=GameStatus.FORMING,
        seed=seed,
        schedule=schedule,
        reminders=list(reminders),
        gms=[GameMaster(person=gm, since=now)] if gm is not None else [],
        for_one=gm is None,
        created_at=now,
    )
    session.add(game)
    session.flush()
    return game


def end(game: Game, now: datetime) -> None:
    """End the game, which then has no deadline."""
    game.status, game.ended_at = GameStatus.ENDED, now
    game.deadline_at = game.closes_at = game.ready_at = None


def is_full(session: Session, game: Game) -> bool:
    """Return whether the game is forming and all its places are taken."""
    played = SeatRow.person_id.is_not(None) | SeatRow.robot.is_not(None)
    seats = select(func.count()).where(SeatRow.game_id == game.id, played)
    return game.status is GameStatus.FORMING and (session.scalar(seats) or 0) >= game.places


def add_seat(
    session: Session,
    game: Game,
    *,
    number: int,
    name: str,
    choices: dict[str, Any],
    person: Person | None,
    now: datetime,
) -> SeatRow:
    """Add a seat to the game, held by *person* or vacant."""
    seat = SeatRow(
        game=game,
        number=number,
        name=name,
        choices=choices,
        person=person,
        standing=[],
        joined_at=now,
        heard_at=now,
    )
    session.add(seat)
    session.flush()
    return seat


def remove_seat(session: Session, seat: SeatRow) -> None:
    """Remove a seat from a forming game; seats with higher numbers move down by one."""
    game, number = seat.game, seat.number
    session.delete(seat)
    session.flush()
    session.expire(game, ["seats"])
    for later in game.seats:
        if later.number > number:
            later.number -= 1
            # One by one, because two seats cannot have the same number even for a moment.
            session.flush()


def seat_by_id(session: Session, number: int) -> SeatRow | None:
    """Return the seat with this id (not its number), with its holder, and its game with GMs."""
    return session.get(SeatRow, number, options=_WITH_HOLDER_AND_GAME)


def seats_by_id(session: Session, numbers: Collection[int]) -> Sequence[SeatRow]:
    """Return the seats with these ids, loaded like that of ``seat_by_id``, in one query."""
    return session.scalars(_seats(), {"numbers": list(numbers)}).unique().all()


def put_away_others(session: Session) -> None:
    """Write all that was changed, and let the next query load all rows but games and their people.

    Those four are changed only as objects, so what the session has of them is true.
    """
    session.flush()
    for row in session:
        if not isinstance(row, Game | GameMaster | SeatRow | Person):
            session.expunge(row)


def seats_of(session: Session, person: Person) -> list[SeatRow]:
    """Return the person's seats in games that have not ended, oldest game first."""
    query = (
        select(SeatRow)
        .join(Game)
        .where(SeatRow.person_id == person.id, Game.status != GameStatus.ENDED)
        .order_by(Game.id)
    )
    return list(session.scalars(query))


def all_seats_of(session: Session, person: Person) -> list[SeatRow]:
    """Return the person's seats in all games, including ended ones."""
    return list(session.scalars(select(SeatRow).where(SeatRow.person_id == person.id)))


def finished_by(session: Session, person: Person) -> int:
    """Return the number of games that the person has played to their end."""
    query = select(func.count()).select_from(SeatRow).join(Game)
    played = query.where(Game.status == GameStatus.ENDED, Game.turn > 0, ~Game.for_one)
    return session.scalar(played.where(SeatRow.person_id == person.id)) or 0


def players_for_one(session: Session) -> list[str]:
    """Return the player's address of each game for one that goes on."""
    query = select(Person.address).select_from(SeatRow).join(Game).join(Person)
    return list(session.scalars(query.where(Game.for_one, Game.status != GameStatus.ENDED)))


def idle_for_one(session: Session, since: datetime) -> list[SeatRow]:
    """Return the players' seats of games for one that go on, without orders since then, by age.

    Those with orders on file for the turn are left out.
    """
    counts = or_(Sheet.filed_at > since, Sheet.turn == Game.turn)
    filed = select(Sheet.id).where(Sheet.seat_id == SeatRow.id, Sheet.undone == 0, counts)
    query = select(SeatRow).join(Game).where(Game.for_one, Game.status != GameStatus.ENDED)
    idle = query.where(SeatRow.person_id.is_not(None), Game.created_at <= since, ~filed.exists())
    return list(session.scalars(idle.order_by(Game.id)))


def turns_for_one(session: Session, person: Person, since: datetime) -> list[datetime]:
    """Return when turns of the person's games for one were resolved after *since*, oldest first."""
    query = select(TurnRow.resolved_at).join(Game, TurnRow.game_id == Game.id)
    query = query.join(SeatRow, SeatRow.game_id == Game.id)
    of_person = query.where(Game.for_one, SeatRow.person_id == person.id)
    resolved = session.scalars(
        of_person.where(TurnRow.resolved_at > since).order_by(TurnRow.resolved_at)
    )
    return [moment for moment in resolved if moment is not None]


def claimed(session: Session, number: int, fence: int) -> Game:
    """Return a claimed game, locked, with its seats and their players loaded.

    Raises ClaimLost if it was claimed again.
    """
    game = session.scalars(_with_seats_locked(), {"game": number}).one()
    check_fence(game.name, found=game.fence, claimed=fence)
    return game


def still_claimed(session: Session, number: int, fence: int) -> Game:
    """Return a claimed game for reading, with seats and players.

    Raises ClaimLost if it was claimed again.
    """
    game = session.scalars(_with_seats(), {"game": number}).one()
    check_fence(game.name, found=game.fence, claimed=fence)
    return game


def lock(session: Session, game: Game) -> Game:
    """Lock the game and read its current values; waits for other transactions."""
    if game in session and not is_postgres(session):
        # No other transaction has written since this one read it.
        return game
    return session.scalars(locked(select(Game).where(Game.id == game.id))).one()


def release(session: Session, game: Game) -> None:
    """End the claim of the game, in the transaction that did the claimed work.

    The fencing token is incremented, too: a PostgreSQL server that crashed may have lost a claim
    and given its token to the next one.
    """
    void(game)
    session.flush()


def revoke_claim(game: Game) -> None:
    """Revoke any claim of the locked game, so that its worker has to start again."""
    void(game)


def turn_of(session: Session, game: Game, number: int) -> TurnRow:
    """Return a turn of the game. Raises LookupError if it has no such turn."""
    turn = session.scalar(_turn(), {"game": game.id, "turn": number})
    if turn is None:
        raise LookupError(f"{game.name} has no turn {number}")
    return turn


def began(session: Session, game: Game, turn: int) -> datetime:
    """Return when a turn of a game began; when the game did, if the turn before has no record."""
    before = session.scalar(_turn(), {"game": game.id, "turn": turn - 1})
    if before is not None and before.resolved_at is not None:
        return before.resolved_at
    assert game.started_at is not None
    return game.started_at


def running_digest(session: Session, game: Game) -> str:
    """Return the digest of the state of the game's current turn."""
    asked = {"game": game.id, "turn": game.turn}
    return session.scalars(_running_digest(), asked).one()


def turns_of(session: Session, game: Game) -> list[TurnRow]:
    """Return the turns of the game that no rollback undid, in order."""
    return list(session.scalars(_turns(game)))


def told_in(session: Session, game: Game, turn: int | None) -> list[TurnRow]:
    """Return the turns whose results the reports of *turn* told, in order; None: none have yet."""
    told = select(TurnRow).where(TurnRow.game_id == game.id, TurnRow.undone == 0)
    told = told.where(TurnRow.number < game.turn, TurnRow.told_turn == turn)
    return list(session.scalars(told.order_by(TurnRow.number).options(defer(TurnRow.stored))))


def undone_turns(session: Session, game: Game) -> list[TurnRow]:
    """Return the turns that each rollback undid, in order, the last one not yet resolved."""
    query = select(TurnRow).where(TurnRow.game_id == game.id, TurnRow.undone > 0)
    return list(session.scalars(query.order_by(TurnRow.undone, TurnRow.number)))


def was_undone(session: Session, game: Game, turn: int) -> bool:
    """Return whether a turn had begun, and a rollback undid it."""
    undone = select(TurnRow.id).where(TurnRow.game_id == game.id, TurnRow.undone > 0)
    found = undone.where(TurnRow.number == turn).limit(1)
    return game.rollbacks > 0 and session.scalar(found) is not None


def undone_revisions_of(session: Session, seat: SeatRow, turn: int) -> list[Sheet]:
    """Return the seat's revisions for a turn that a rollback undid, oldest first."""
    query = select(Sheet).where(Sheet.seat_id == seat.id, Sheet.turn == turn, Sheet.undone > 0)
    return list(session.scalars(query.order_by(Sheet.undone, Sheet.revision)))


def has_own_sheet(session: Session, seat: SeatRow) -> bool:
    """Return whether the seat's player has a sheet for the current turn.

    One that a GM filed is theirs if they have said FINAL.
    """
    sheet = sheet_of(session, seat, seat.game.turn)
    is_final = seat.final_turn == seat.game.turn
    return sheet is not None and (is_final or not sheet.by_gm)


def sheet_of(session: Session, seat: SeatRow, turn: int) -> Sheet | None:
    """Return the seat's valid sheet for the turn, which is its newest revision.

    Returns None if there is none, or if the newest one is a withdrawal.
    """
    sheet = session.scalar(_newest_sheet(), {"seat": seat.id, "turn": turn})
    return sheet if sheet is not None and not sheet.withdrawn else None


@dataclass(frozen=True, slots=True)
class OnFile:
    """The valid orders of a seat's sheet for a turn.

    *number* is the revision that was typed, in the *letter* with that *receipt*, which *arrived_at*
    that moment.
    """

    orders: list[str]
    number: int
    letter: int
    receipt: int
    arrived_at: datetime
    filed_at: datetime


def on_file(session: Session, seat: SeatRow, turn: int) -> OnFile | None:
    """Return the data of the sheet from ``sheet_of`` that a letter with orders needs, or None."""
    asked = {"seat": seat.id, "turn": turn}
    withdrawn, *typed = session.execute(_on_file(), asked).first() or (True,)
    return None if withdrawn else OnFile(*typed)


@dataclass(frozen=True, slots=True)
class SheetOrders:
    """The orders of a valid sheet; *by_gm* says that a GM filed it."""

    orders: tuple[str, ...]
    by_gm: bool


def sheets_on_file(session: Session, game: Game) -> Mapping[int, SheetOrders]:
    """Return the valid sheets for the current turn, by id of each seat that has one."""
    return sheets_for(session, game, game.turn)


def sheets_for(session: Session, game: Game, turn: int) -> Mapping[int, SheetOrders]:
    """Return the valid sheets for a turn, by id of each seat that has one."""
    found = session.execute(_sheets_of_all(), {"game": game.id, "turn": turn})
    newest = {seat: (withdrawn, orders, by_gm) for seat, withdrawn, orders, by_gm in found}
    return {
        seat: SheetOrders(tuple(orders), by_gm)
        for seat, (withdrawn, orders, by_gm) in newest.items()
        if not withdrawn
    }


def revisions_of(session: Session, seat: SeatRow, turn: int) -> list[Sheet]:
    """Return the seat's revisions for a turn that no rollback undid, oldest first."""
    return list(session.scalars(_sheets(), {"seat": seat.id, "turn": turn}))[::-1]


def coming_sheets(session: Session, seat: SeatRow, turn: int) -> list[Sheet]:
    """Return the seat's valid sheets for turns after *turn*, in order."""
    later = select(Sheet.turn).where(Sheet.seat_id == seat.id, Sheet.turn > turn).distinct()
    found = (sheet_of(session, seat, number) for number in sorted(session.scalars(later)))
    return [sheet for sheet in found if sheet is not None]


@cache
def _with_seats() -> Select[Game]:
    seats = selectinload(Game.seats).selectinload(SeatRow.person)
    return select(Game).where(Game.id == bindparam("game")).options(seats)


@cache
def _with_seats_locked() -> Select[Game]:
    return locked(_with_seats())


@cache
def _turn() -> Select[TurnRow]:
    of_game = TurnRow.game_id == bindparam("game"), TurnRow.undone == 0
    return select(TurnRow).where(*of_game, TurnRow.number == bindparam("turn"))


@cache
def _running_digest() -> Select[str]:
    row = table(TurnRow).c
    turn = row.game_id == bindparam("game"), row.number == bindparam("turn"), row.undone == 0
    return select(row.digest).where(*turn)


def _turns(game: Game) -> Select[TurnRow]:
    counts = (TurnRow.game_id == game.id, TurnRow.undone == 0)
    # Of many turns the state is seldom asked for.
    return select(TurnRow).where(*counts).order_by(TurnRow.number).options(defer(TurnRow.stored))


_OF_SEAT = (Sheet.seat_id == bindparam("seat"), Sheet.turn == bindparam("turn"), Sheet.undone == 0)


@cache
def _sheets() -> Select[Sheet]:
    return select(Sheet).where(*_OF_SEAT).order_by(Sheet.revision.desc())


@cache
def _sheets_of_all() -> Select[int, bool, list[str], bool]:
    of_game = SeatRow.game_id == bindparam("game"), Sheet.turn == bindparam("turn")
    query = select(Sheet.seat_id, Sheet.withdrawn, Sheet.orders, Sheet.by_gm)
    query = query.join(SeatRow, SeatRow.id == Sheet.seat_id)
    return query.where(*of_game, Sheet.undone == 0).order_by(Sheet.revision)


@cache
def _seats() -> Select[SeatRow]:
    these = SeatRow.id.in_(bindparam("numbers", expanding=True))
    return select(SeatRow).where(these).options(*_WITH_HOLDER_AND_GAME)


@cache
def _on_file() -> Select[Any]:
    """Build the query for the newest revision and the typed one, without ORM objects."""
    newest, typed, letter = table(Sheet).c, table(Sheet).alias().c, table(InboxLetter).c
    of_letter = letter.id, func.coalesce(letter.receipt, 0), letter.arrived_at, typed.filed_at
    is_typed = typed.id == func.coalesce(newest.restores_id, newest.id)
    query = select(newest.withdrawn, newest.orders, typed.id, *of_letter)
    query = query.where(letter.id == typed.letter_id, is_typed, newest.undone == 0)
    query = query.where(newest.seat_id == bindparam("seat"), newest.turn == bindparam("turn"))
    return query.order_by(newest.revision.desc()).limit(1)


@cache
def _newest_sheet() -> Select[Sheet]:
    return _sheets().limit(1)


_SHEETS = table(Sheet)
_SHEETS_OF_SEAT = (
    _SHEETS.c.seat_id == bindparam("seat"),
    _SHEETS.c.turn == bindparam("turn"),
    _SHEETS.c.undone == 0,
)
_OF_LETTER = _SHEETS.c.letter_id == bindparam("letter")
_FILED = [_SHEETS.c[name] for name in ("id", "revision", "orders", "withdrawn", "restores_id")]


@dataclass(frozen=True, slots=True)
class Revision:
    """A revision that a letter filed; *restores* is the revision it puts into effect again."""

    number: int
    revision: int
    orders: Sequence[str]
    withdrawn: bool
    restores: int | None


def file_sheet(
    session: Session,
    seat: SeatRow,
    turn: int,
    letter: InboxLetter,
    orders: Sequence[str],
    now: datetime,
    *,
    by_gm: bool = False,
) -> Revision:
    """File the orders as the newest revision. Idempotent per letter and turn.

    Waits while another transaction adjudicates the game.
    """
    if is_postgres(session):
        # On SQLite no other transaction has written since this one began.
        session.scalars(select(Game.id).where(Game.id == seat.game_id).with_for_update()).one()
    if seat.offered_at is not None:
        # Its player may have just returned.
        agenda.schedule(session, seat.game)
    of_letter = {"seat": seat.id, "turn": turn, "letter": letter.id}
    # Changes of other sheets in this transaction must count.
    session.flush()
    sheet = of_letter | {"orders": list(orders), "moment": now, "by_gm": by_gm}
    filed = session.execute(_filing(), sheet).first()
    return Revision(*(filed or session.execute(_filed(), of_letter).one()))


def amend(
    session: Session,
    filed: Revision,
    orders: Sequence[str],
    *,
    withdrawn: bool,
    restores: Sheet | None = None,
) -> Revision:
    """Replace the orders of a revision, and return it as changed."""
    sheet = session.get_one(Sheet, filed.number)
    sheet.orders, sheet.withdrawn, sheet.restores = list(orders), withdrawn, restores
    if restores is not None:
        sheet.by_gm = restores.by_gm
    if withdrawn:
        # The player may need another reminder.
        check_reminders(session.get_one(SeatRow, sheet.seat_id).game)
    number = restores.id if restores is not None else None
    return replace(filed, orders=sheet.orders, withdrawn=withdrawn, restores=number)


@cache
def _filing() -> ReturningInsert[Any]:
    """Build the statement that files the next revision, unless the letter has filed one."""
    columns = _SHEETS.c
    values: dict[str, ColumnElement[Any]] = {
        "seat_id": bindparam("seat", type_=columns.seat_id.type),
        "turn": bindparam("turn", type_=columns.turn.type),
        "revision": func.coalesce(func.max(columns.revision), 0) + 1,
        "letter_id": bindparam("letter", type_=columns.letter_id.type),
        "orders": bindparam("orders", type_=columns.orders.type),
        "filed_at": bindparam("moment", type_=columns.filed_at.type),
        "by_gm": bindparam("by_gm", type_=columns.by_gm.type),
    }
    next_one = select(*values.values()).where(*_SHEETS_OF_SEAT)
    next_one = next_one.having(func.count().filter(_OF_LETTER) == 0)
    return insert(_SHEETS).from_select(list(values), next_one).returning(*_FILED)


@cache
def _filed() -> Select[Any]:
    return select(*_FILED).where(*_SHEETS_OF_SEAT, _OF_LETTER)
