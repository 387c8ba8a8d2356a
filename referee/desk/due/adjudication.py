"""Adjudication of due turns: gather the sheets, fill the gaps, resolve, record, report."""

import zlib
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from referee.desk.base.announcements import REFEREE
from referee.desk.base.desk import Desk, Site, SparedFault
from referee.desk.base.faults import Part, try_part
from referee.desk.base.loaded_games import LoadedGame, begin_turn, seat_name
from referee.desk.games import deadlines, game_for_one, stalls, time_bank
from referee.desk.games.attendance import call_roll
from referee.desk.games.resolution import Record, Resolved, brief_of, resolve
from referee.desk.games.vacancies import put_abandoned_on_offer
from referee.desk.orders import readiness
from referee.desk.players.vote_results import void_moot
from referee.desk.reports import game_end
from referee.desk.reports.turn_reports import TurnTransition, report_turn
from referee.domain.schedules import roughly
from referee.rules.ruleset import Seat
from referee.store import Session, Store
from referee.store.games import agenda, audit, due_games, games
from referee.store.mail import inbox
from referee.store.models import Game, TurnRow

LEASE = timedelta(minutes=10)
"""The time a worker has for one turn before another worker can claim it."""
_LATE = timedelta(minutes=10)
"""How long after its end a turn is resolved late."""
_ROBOTS_PLAY_ON: Final = (
    "The robots play on, and no turn needs your orders now. FINAL lets them play the next turn, "
    "and you get its report. RESIGN ends the game now. If you send nothing, the game ends at the "
    "deadline."
)


@dataclass(frozen=True, slots=True)
class Claim:
    """A game claimed for adjudication, valid until the fencing token changes."""

    game: int
    fence: int


@dataclass(frozen=True, slots=True)
class DueCutoff:
    """The limit for deadlines that count as due: due at *now*, and all their letters received.

    All letters up to *watermark* are received; None means all letters are. Unread letters that are
    stored already are counted separately.
    """

    now: datetime
    watermark: datetime | None = None


def due(store: Store, owner: str, cutoff: DueCutoff) -> list[int]:
    """Return the games that are due, the longest due first, for ``claim_next``.

    Games due at the same moment come in another order for each owner, so that several workers
    seldom try to claim the same game.
    """
    with store.read() as session:
        found = due_games.due(session, cutoff.now, _watermark(session, cutoff))
    # Each owner has another order of turns that are due together.
    return sorted(found, key=lambda each: (found[each], zlib.crc32(f"{owner} {each}".encode())))


def claim_next(store: Store, owner: str, cutoff: DueCutoff, waiting: deque[int]) -> Claim | None:
    """Claim the first claimable game of *waiting*, for ``carry_out``, or return None.

    A game waits if an unread letter reached us before its deadline, or one may have arrived after
    ``watermark``. Other games do not wait for it. Threads can share *waiting*.
    """
    if not waiting:
        return None
    with store.claim() as session, suppress(IndexError):
        watermark = _watermark(session, cutoff)
        while True:
            number = waiting.popleft()
            fence = due_games.claim_if_due(session, number, owner, cutoff.now, LEASE, watermark)
            if fence is not None:
                return Claim(number, fence)
    return None


def drop(store: Store, claim: Claim) -> None:
    """Release a claim that led to nothing. Raises ClaimLost if another worker has it."""
    with store.claim() as session:
        games.release(session, games.claimed(session, claim.game, claim.fence))


def _watermark(session: Session, cutoff: DueCutoff) -> due_games.Watermark:
    unread = inbox.oldest_awaited(session)
    bounds = [moment for moment in (cutoff.watermark, _before(unread)) if moment is not None]
    return due_games.Watermark(min(bounds, default=None), unread is None)


def carry_out(store: Store, site: Site, claim: Claim, now: datetime) -> Sequence[SparedFault]:
    """Adjudicate a claimed game, in one transaction that checks that the claim is still valid.

    Return the faults in parts of its letters, which do not end the work.

    The turn is resolved before that transaction, so that other work can be written during it. If
    orders came in between, it is resolved again. After a crash the next worker starts the turn
    again, and nothing has happened twice. Raises ClaimLost, and any error of the ruleset, the
    templates or the store.
    """
    with store.read() as session:
        game = games.still_claimed(session, claim.game, claim.fence)
        brief = brief_of(session, game, now)
    resolved = resolve(site, game, brief)
    with store.write() as session:
        game = games.claimed(session, claim.game, claim.fence)
        desk = Desk(session, site, now)
        if time_bank.wait_for_first_misses(desk, game):
            games.release(session, game)
        elif game_for_one.is_left(session, game):
            game_for_one.end(session, game, now)
            games.release(session, game)
        else:
            if (newer := brief_of(session, game, now)) != brief:
                resolved = resolve(site, game, newer)
            adjudicate(desk, game, resolved)
    return desk.faults


def _before(moment: datetime | None) -> datetime | None:
    return moment - timedelta(microseconds=1) if moment is not None else None


def _transition(
    resolved: Resolved, game: Game, excused: Mapping[Seat, str], why: str
) -> TurnTransition:
    """Return the transition to the next turn; *excused* are reasons, by seat."""
    gathered, resolution = resolved.gathered, resolved.resolution
    return TurnTransition(
        replace(resolved.after, game=game),
        resolution.outcomes,
        _missed(resolved),
        resolved.verdict,
        standing=gathered.standing,
        excused=excused,
        why=why,
    )


def reason(game: Game, now: datetime) -> str:
    """Return why the turn of a game is resolved *now*, as the end of a sentence."""
    if readiness.is_adjudicated(game):
        return "because a GM sent RESOLVE"
    if game.ready_at is not None:
        return "because everyone with orders to send had sent FINAL"
    late = now - (game.closes_at or now)
    if late >= _LATE:
        cause = "of a fault on our side" if game.stalls else "the referee or its mail was down"
        return f"{roughly(late)} late, because {cause}"
    return "at the end of the grace" if game.grace_seconds else "at its deadline"


def _missed(resolved: Resolved) -> frozenset[Seat]:
    # A report of a missed secret phase would reveal that the seat had orders to send in it.
    return frozenset() if resolved.before.phase.secret else resolved.gathered.missed


def adjudicate(desk: Desk, game: Game, resolved: Resolved) -> None:
    """End the current turn as it was resolved, and put every report into the outbox.

    This ends the claim on the game too.
    """
    table, missed, why = (
        replace(resolved.before, game=game),
        _missed(resolved),
        "" if readiness.is_of_robots(resolved.before) else reason(game, desk.now),
    )
    excused = {} if table.phase.secret else resolved.gathered.excused
    is_cut = readiness.is_cut(game, desk.now)
    if not (table.phase.secret or game.for_one or is_cut):
        call_roll(desk.session, table, (missed | resolved.gathered.by_gm) - excused.keys())
    _record(games.turn_of(desk.session, game, game.turn), resolved.record, game, desk.now)
    stalls.recover(desk.session, game, f"Turn {game.turn} was resolved", desk.now)
    _note_failed_robots(desk, game, resolved.gathered.failed)
    games.revoke_claim(game)
    game.turn += 1
    for row in game.seats:
        row.out_turn = (row.out_turn or game.turn) * (row.number in resolved.after.phase.out)
    begin_turn(desk.session, table.ruleset, game, resolved.encoded)
    if resolved.verdict is None:
        put_abandoned_on_offer(desk.session, game, desk.now)
        if game.for_one:
            deadlines.begin(game, resolved.after.phase.key, desk.now)
        else:
            deadlines.follow(game, table.phase.key, resolved.after.phase.key, desk.now)
    else:
        games.end(game, desk.now)
    game.ready_at = None
    if resolved.verdict is None:
        after = replace(resolved.after, game=game)
        readiness.pass_over_robots(desk.session, after, desk.now)
        note = partial(_note_that_robots_play_on, desk, table, after)
        try_part(desk, game, Part.ROBOTS_PLAY_ON, note, None)
    agenda.schedule(desk.session, game)
    void_moot(desk.session, game, desk.now)
    turnover = _transition(resolved, game, excused, why)
    report_turn(desk, turnover)
    if resolved.verdict is not None:
        game_end.announce(desk, turnover.table)


def _note_that_robots_play_on(desk: Desk, before: LoadedGame, after: LoadedGame) -> None:
    """Announce in a game for one, once, that no turn waits for the player's orders."""
    was_so, is_so = (
        readiness.awaits_only_robots(table) and not readiness.is_of_robots(table)
        for table in (before, after)
    )
    if after.game.for_one and is_so and not was_so:
        audit.note(desk.session, after.game, REFEREE, _ROBOTS_PLAY_ON, desk.now)


def _note_failed_robots(desk: Desk, game: Game, failed: frozenset[Seat]) -> None:
    """Record for the GMs which seats got default orders because their robots failed."""
    for seat in sorted(failed):
        name = seat_name(game, seat)
        what = f"The robot of {name} failed, so {name} got default orders in turn {game.turn}."
        audit.note(desk.session, game, REFEREE, what, desk.now, public=False)


def _record(row: TurnRow, record: Record, game: Game, now: datetime) -> None:
    row.sheets, row.missed = record.sheets, record.missed
    row.outcomes, row.events = record.outcomes, record.events
    row.deadline_at, row.resolved_at = game.deadline_at, now
