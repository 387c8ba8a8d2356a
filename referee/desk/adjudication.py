"""A turn is over: gather the sheets, fill in what is missing, resolve, record, report."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from referee.desk import absences, banking, moving
from referee.desk.announcing import REFEREE
from referee.desk.attendance import call_roll
from referee.desk.counting import void_moot
from referee.desk.house import House
from referee.desk.reporting import Turnover, report_turn
from referee.desk.tables import Table, begin_turn, dice_of, lay
from referee.desk.vacancies import put_abandoned_on_offer
from referee.rules.ruleset import Resolution, Seat
from referee.store import Session, Store, archive, audit, games
from referee.store.models import Game, GameStatus, TurnRow

LEASE = timedelta(minutes=10)
"""How long a worker may take over one turn before another takes it over."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A game that is ours to adjudicate while the fence stands."""

    game: int
    fence: int


@dataclass(frozen=True, slots=True)
class Gathered:
    """The orders of every seat, the seats that sent none, and those whose standing orders run.

    *out* are the eliminated seats for which the rules order.
    """

    orders: Mapping[Seat, Sequence[Any]]
    missed: frozenset[Seat]
    standing: frozenset[Seat]
    out: frozenset[Seat] = frozenset()

    @property
    def defaulted(self) -> frozenset[Seat]:
        """The seats whose orders nobody gave."""
        return self.missed | self.out


def claim_due(
    store: Store, owner: str, now: datetime, read_until: datetime | None = None
) -> Claim | None:
    """Claim the game that is longest due, for ``carry_out``; None when there is none.

    A deadline that a letter reached in time which is still unread, or may have reached after
    *read_until*, waits; the other games do not.
    """
    with store.write() as session:
        unread = archive.oldest_unread(session)
        bounds = [moment for moment in (read_until, _before(unread)) if moment is not None]
        horizon = games.Horizon(min(bounds, default=None), unread is None)
        game = games.claim_due(session, owner, now, LEASE, horizon)
        return Claim(game.id, game.fence) if game is not None else None


def carry_out(store: Store, house: House, claim: Claim, now: datetime) -> None:
    """Adjudicate a claimed game, in one transaction that checks the claim still holds.

    Killed before its end, the next worker begins that turn again and nothing has happened twice.
    Raises ClaimLost, and whatever is wrong with the ruleset, the templates or the store.
    """
    with store.write() as session:
        game = games.claimed(session, claim.game, claim.fence)
        if not banking.wait_for_first_misses(session, house, game, now):
            adjudicate(session, house, game, now)
        games.release(session, game)


def _before(moment: datetime | None) -> datetime | None:
    return moment - timedelta(microseconds=1) if moment is not None else None


def adjudicate(session: Session, house: House, game: Game, now: datetime) -> None:
    """Resolve the running turn of *game* and put every report into the outbox."""
    table = lay(session, house, game)
    gathered = gather(session, table)
    resolution = table.ruleset.resolve(
        table.state, gathered.orders, gathered.defaulted, dice_of(game)
    )
    _go_on(session, game, now)
    _record(games.turn_of(session, game, game.turn), table, gathered, resolution, now)
    closed = min(game.deadline_at or now, now)
    excused = absences.excused(session, game, gathered.missed, closed)
    call_roll(session, table, gathered.missed - excused)
    verdict = table.ruleset.verdict(resolution.state)
    game.turn += 1
    begin_turn(session, table.ruleset, game, resolution.state)
    if verdict is None:
        put_abandoned_on_offer(session, game, now)
    if verdict is not None:
        game.status, game.deadline_at, game.ended_at = GameStatus.ENDED, None, now
    else:
        moving.follow(game, table.ruleset.phase(resolution.state).key, now)
    game.ready_at = None
    void_moot(session, game, now)
    turnover = Turnover(
        lay(session, house, game),
        resolution.outcomes,
        gathered.missed,
        resolution.events,
        verdict,
        standing=gathered.standing,
        excused=excused,
    )
    report_turn(session, house, turnover, now)


def gather(session: Session, table: Table) -> Gathered:
    """Give the newest sheet of each seat, else its standing orders, else the rules' defaults.

    Standing orders keep a seat from having missed the turn (the player provided for it).
    """
    orders: dict[Seat, Sequence[Any]] = {}
    missed: set[Seat] = set()
    stood: set[Seat] = set()
    out = table.phase.awaiting - table.awaiting
    for row in table.game.seats:
        seat = Seat(row.number)
        sheet = games.sheet_of(session, row, table.game.turn)
        if row.eliminated:
            if seat in out:
                orders[seat] = table.ruleset.defaults(table.state, seat, ())
        elif sheet is not None:
            orders[seat] = table.read(sheet.orders)
        elif seat in table.phase.awaiting:
            standing = table.read(row.standing)
            orders[seat] = table.ruleset.defaults(table.state, seat, standing)
            (stood if standing else missed).add(seat)
    return Gathered(orders, frozenset(missed), frozenset(stood), out)


def _record(
    row: TurnRow,
    table: Table,
    gathered: Gathered,
    resolution: Resolution[Any, Any],
    now: datetime,
) -> None:
    row.sheets = {str(seat): table.render(orders) for seat, orders in gathered.orders.items()}
    row.missed = sorted(gathered.defaulted)
    row.outcomes = {
        str(seat): [
            [table.ruleset.render(order), outcome.done, outcome.reason]
            for order, outcome in outcomes
        ]
        for seat, outcomes in resolution.outcomes.items()
    }
    row.events = [
        [event.text, sorted(event.audience) if event.audience is not None else None]
        for event in resolution.events
    ]
    row.deadline_at = table.game.deadline_at
    row.resolved_at = now


def _go_on(session: Session, game: Game, now: datetime) -> None:
    """Let the report tell that the turn had to wait for a fault to be mended, if it had to."""
    if game.stalls:
        what = f"Turn {game.turn} was resolved late, through a fault of the referee."
        audit.note(session, game, REFEREE, what, now, public=True)
    game.stalls, game.stalled_until = 0, None
