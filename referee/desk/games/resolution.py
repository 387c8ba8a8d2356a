"""Resolution of a turn without the database: from plain values to the result of the rules."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from referee.desk.base import robots
from referee.desk.base.desk import Site, spare
from referee.desk.base.loaded_games import LoadedGame, Stored, dice_of, load_state
from referee.desk.base.told_turns import rows_of
from referee.desk.games import absences
from referee.desk.orders import readiness
from referee.rules.extras import Strength
from referee.rules.news import completed
from referee.rules.ruleset import Resolution, Seat, Verdict
from referee.rules.stewards import orders_unsent
from referee.store import Session
from referee.store.database import codec
from referee.store.database.codec import Encoded
from referee.store.games import games
from referee.store.models import Game, SeatRow


@dataclass(frozen=True, slots=True)
class OnFile:
    """The orders on file for a seat, as canonical texts; *sheet* is None if no valid one came.

    *by_gm* says that a GM filed the sheet. *robot* makes the orders if there is no sheet. *missed*
    are the turns in a row that the player has missed, 0 during an absence; None without a player.
    *excuse* is why this turn does not count as missed, "" if it does.
    """

    seat: Seat
    sheet: tuple[str, ...] | None
    standing: tuple[str, ...]
    eliminated: bool
    by_gm: bool = False
    robot: Strength | None = None
    missed: int | None = 0
    excuse: str = ""


@dataclass(frozen=True, slots=True)
class TurnInput:
    """Everything a turn is resolved from. Equal inputs give the same result."""

    stored: Stored
    seats: tuple[OnFile, ...]


@dataclass(frozen=True, slots=True)
class CollectedOrders:
    """The orders of every seat, the seats that sent none, and those with standing orders.

    *out* are the eliminated seats, which get default orders. *by_gm* are the seats whose orders a
    GM sent: their players sent none. *failed* are those whose robots failed. *excused* are the
    reasons why a turn without orders of the player is none that a seat has missed.
    """

    orders: Mapping[Seat, Sequence[Any]]
    missed: frozenset[Seat]
    standing: frozenset[Seat]
    out: frozenset[Seat] = frozenset()
    by_gm: frozenset[Seat] = frozenset()
    failed: frozenset[Seat] = frozenset()
    excused: Mapping[Seat, str] = field(default_factory=dict)

    @property
    def defaulted(self) -> frozenset[Seat]:
        """The seats that get default orders without an excuse."""
        return self.missed - self.excused.keys() | self.out | self.failed


@dataclass(frozen=True, slots=True)
class Record:
    """The stored form of a resolved turn; ``referee.store.models.TurnRow`` describes it."""

    sheets: dict[str, Any]
    missed: list[Any]
    outcomes: dict[str, Any]
    events: list[Any]


@dataclass(frozen=True, slots=True)
class Resolved:
    """A resolved turn: the game before and after it, and what happened."""

    before: LoadedGame
    gathered: CollectedOrders
    resolution: Resolution[Any, Any]
    after: LoadedGame
    """The state decoded again from its stored form. Reports are made from this one."""
    encoded: Encoded
    record: Record
    verdict: Verdict | None


def brief_of(session: Session, game: Game, now: datetime) -> TurnInput:
    """Return everything from which the current turn of *game* would be resolved now."""
    seats_of_all = [Seat(row.number) for row in game.seats]
    away = absences.excused(session, game, seats_of_all, min(game.deadline_at or now, now))
    excuses = _excuses(session, game, away, now)
    turn = games.turn_of(session, game, game.turn)
    sheets = games.sheets_on_file(session, game)
    seats = []
    for row in game.seats:
        sheet = sheets.get(row.id)
        on_file = OnFile(
            Seat(row.number),
            None if sheet is None else sheet.orders,
            tuple(row.standing),
            row.eliminated,
            # With FINAL the player has made them their own.
            by_gm=sheet is not None and sheet.by_gm and row.final_turn != game.turn,
            robot=row.robot,
            missed=missed_before(row, away),
            excuse=excuses.get(Seat(row.number), ""),
        )
        seats.append(on_file)
    return TurnInput(Stored(turn.number, turn.schema, turn.state), tuple(seats))


def _excuses(
    session: Session, game: Game, away: Collection[Seat], now: datetime
) -> Mapping[Seat, str]:
    """Return why the turn is none that a seat without orders has missed, by seat.

    What somebody else did counts for nobody: the GM cut the turn before its deadline, or the seat
    got its player after the turn had begun.
    """
    if readiness.is_cut(game, now):
        return {Seat(row.number): "the GM cut the turn short" for row in game.seats}
    joined = {Seat(row.number): row.joined_at for row in game.seats}
    # Most games keep the players with whom they began.
    begun = game.started_at
    is_same = begun is not None and all(at <= begun for at in joined.values())
    began = None if is_same else games.began(session, game, game.turn)
    new = (seat for seat, at in joined.items() if began is not None and at > began)
    return dict.fromkeys(new, "the seat was new to you") | dict.fromkeys(away, "you were away")


def missed_before(row: SeatRow, away: Collection[Seat]) -> int | None:
    """Return the turns in a row that a player has missed who is not *away*; None for nobody."""
    if row.person is None or row.eliminated:
        return None
    return 0 if row.number in away else row.missed


def resolve(site: Site, game: Game, brief: TurnInput) -> Resolved:
    """Resolve a turn, without reading or writing the store.

    Raises UnknownRuleset, StateUnreadable, and any error of the ruleset.
    """
    before = load_state(site, game, brief.stored)
    gathered = gather(before, brief.seats)
    resolved = before.ruleset.resolve(
        before.state, gathered.orders, gathered.defaulted, dice_of(game)
    )
    seats = [each.seat for each in brief.seats]
    # A turn does not need the news of maps, so a fault in a map does not hold it.
    resolution = spare(
        lambda: completed(before.ruleset, before.state, resolved, seats), lambda _: resolved
    )
    encoded = codec.encode(resolution.state)
    schema = before.ruleset.info.schema
    after = load_state(site, game, Stored(brief.stored.turn + 1, schema, encoded.content))
    verdict = before.ruleset.verdict(resolution.state)
    record = _record(before, gathered, resolution)
    return Resolved(before, gathered, resolution, after, encoded, record, verdict)


def _record(
    table: LoadedGame, gathered: CollectedOrders, resolution: Resolution[Any, Any]
) -> Record:
    render = table.ruleset.render
    return Record(
        sheets={str(seat): table.render(orders) for seat, orders in gathered.orders.items()},
        missed=sorted(gathered.defaulted),
        outcomes={
            str(seat): [
                [render(order), outcome.done, outcome.reason] for order, outcome in outcomes
            ]
            for seat, outcomes in resolution.outcomes.items()
        },
        events=rows_of(resolution.events),
    )


def gather(table: LoadedGame, seats: Sequence[OnFile]) -> CollectedOrders:
    """Return the newest sheet of each seat, else its robot's, else the rules' defaults.

    A seat with standing orders has not missed the turn, nor has one with a robot.
    """
    orders: dict[Seat, Sequence[Any]] = {}
    missed: set[Seat] = set()
    with_standing: set[Seat] = set()
    failed: set[Seat] = set()
    out = frozenset(each.seat for each in seats if each.eliminated) & table.phase.awaiting
    for each in seats:
        if each.eliminated:
            if each.seat in out:
                orders[each.seat] = orders_unsent(table.ruleset, table.state, each.seat, None)
        elif each.sheet is not None:
            orders[each.seat] = table.read(each.sheet)
        elif each.seat in table.phase.awaiting and each.robot is not None:
            made = robots.orders_of(table, each.seat, each.robot)
            if made is None:
                failed.add(each.seat)
                made = table.ruleset.defaults(table.state, each.seat, ())
            orders[each.seat] = made
        elif each.seat in table.phase.awaiting:
            standing = table.read(each.standing)
            orders[each.seat] = (
                table.ruleset.defaults(table.state, each.seat, standing)
                if standing
                else orders_unsent(table.ruleset, table.state, each.seat, each.missed)
            )
            (with_standing if standing else missed).add(each.seat)
    by_gm = frozenset(each.seat for each in seats if each.by_gm) & table.phase.awaiting - out
    return CollectedOrders(
        orders,
        frozenset(missed),
        frozenset(with_standing),
        out,
        by_gm,
        frozenset(failed),
        {each.seat: each.excuse for each in seats if each.excuse and each.seat in missed | by_gm},
    )
