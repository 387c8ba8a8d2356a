"""Outages: deadlines that passed during one are moved, and back again if our clock was wrong."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from itertools import groupby
from typing import Any, Final

from referee.desk.base.announcements import Move, proclaim
from referee.desk.base.desk import Desk, Site
from referee.desk.base.loaded_games import lay_begun
from referee.desk.base.outbox_writer import tell_operator
from referee.desk.games import deadlines
from referee.desk.orders import readiness
from referee.domain.deadlines import FIRST_NOTICE
from referee.domain.outages import Outage, SourceStatus, moved
from referee.domain.schedules import in_words, roughly
from referee.letters.outgoing.local_time import Moment
from referee.letters.outgoing.notices import OperatorAlert
from referee.store import Session
from referee.store.games import games, postponements
from referee.store.games.postponements import (
    DEADLINE,
    OUTAGE,
    Postponement,
    Shift,
)
from referee.store.mail import circuit_breaker, heartbeats, outbox
from referee.store.mail.call_outs import CallOutRow
from referee.store.mail.heartbeats import Heartbeat
from referee.store.models import Game, GameStatus, OutboxLetter
from referee.store.moments import MOVABLE, Awaited

TRUSTED_AFTER: Final = timedelta(hours=1)
"""How long the clock runs on after a gap before it is trusted, unless the system vouches for it."""
_MOST_MOVES: Final = 3
"""How often a turn gets more time after outages that ended before its deadline."""


@dataclass(frozen=True, slots=True)
class Watch:
    """Knowledge about time: whether turns can be resolved, and up to which deadline.

    *is_doubtful* means that our clock is behind a time seen before. Letters that reached us up to
    *watermark* are all received, so a later deadline waits; None means that all letters are. After
    a gap, moments later than *settled* wait if they do something that nobody can undo; None means
    that the time is trusted. *moved* is the number of deadlines moved just now.
    """

    is_doubtful: bool = False
    watermark: datetime | None = None
    settled: datetime | None = None
    moved: int = 0


@dataclass(frozen=True, slots=True)
class _Outage:
    """An outage, its source, and since when the database was *silent*, if that is the cause."""

    source: str
    away: Outage
    silent: datetime | None = None


def beat(
    desk: Desk,
    sources: Sequence[SourceStatus],
    *,
    silent_since: datetime | None = None,
    is_synchronised: bool = False,
) -> Watch:
    """Record the heartbeat of the daemon and of healthy mail sources, and handle any outage.

    Deadlines that passed in an outage move in the same transaction, and everyone is notified once.
    The database has rejected heartbeats from *silent_since* until now. *is_synchronised* says that
    the system vouches for its clock.
    """
    if not _is_time_right(desk):
        (daemon,) = heartbeats.among(desk.session, {heartbeats.DAEMON})
        # A clock that was set back only in part is still ahead.
        return Watch(is_doubtful=True, settled=daemon.settled_at)
    own = _outage_ended(desk.session, desk.site, SourceStatus(heartbeats.DAEMON, desk.now))
    if own is not None:
        own = replace(own, silent=silent_since)
    asleep = (
        set()
        if own is None
        else {source for source in sources if _was_asleep_too(source, own.away)}
    )
    found = [
        own,
        *(
            _outage_ended(desk.session, desk.site, source)
            for source in sources
            if source not in asleep
        ),
    ]
    outages = [outage for outage in found if outage is not None]
    for heartbeat in heartbeats.among(desk.session, {source.source for source in asleep}):
        heartbeat.beat_at = max(desk.now, heartbeat.beat_at)
    settled = _settled(desk, own, is_synchronised=is_synchronised)
    count = _move_deadlines(desk, outages, settled) if outages else 0
    if own is None and silent_since is not None:
        # Another daemon has written heartbeats.
        silence = Outage(silent_since, desk.now)
        if silence.gap > desk.site.patience.gap:
            _report_outage(desk, _Outage(heartbeats.DAEMON, silence, silent_since), (), settled)
    failing = heartbeats.among(
        desk.session, {source.source for source in sources if source.watermark is None}
    )
    # Turns do not wait forever for a mailbox that stays down.
    oldest = desk.now - desk.site.patience.longest
    awaited = [heartbeat.beat_at for heartbeat in failing if heartbeat.beat_at >= oldest]
    return Watch(watermark=min(awaited, default=None), settled=settled, moved=count)


def _settled(desk: Desk, own: _Outage | None, *, is_synchronised: bool) -> datetime | None:
    """Return up to when the time is trusted, or None if all of it is.

    A gap can be an outage or a wrong clock. It is an outage if the clock then runs on for an hour.
    """
    heartbeat = heartbeats.of(desk.session, heartbeats.DAEMON)
    assert heartbeat is not None
    if own is not None:
        heartbeat.settled_at = heartbeat.settled_at or own.away.since
        heartbeat.doubted_at = desk.now
    since = heartbeat.doubted_at
    if is_synchronised or (since is not None and desk.now - since >= TRUSTED_AFTER):
        heartbeat.settled_at = heartbeat.doubted_at = None
    return heartbeat.settled_at


def _is_time_right(desk: Desk) -> bool:
    """Return whether the clock can be trusted.

    A clock behind the last heartbeat was set back, or is wrong: no turn is resolved by it for as
    long as the gap limit. After that it is trusted, unless another machine keeps the other time.
    """
    heartbeat = heartbeats.of(desk.session, heartbeats.DAEMON)
    if heartbeat is None:
        heartbeats.begin(desk.session, heartbeats.DAEMON, desk.now)
        return True
    if heartbeat.beat_at - desk.now <= desk.site.patience.gap:
        heartbeat.behind_at = None
        return True
    if heartbeat.behind_at is None or desk.now < heartbeat.behind_at:
        heartbeat.behind_at = desk.now
        _report_clock(desk, heartbeat)
    if desk.now - heartbeat.behind_at <= desk.site.patience.gap:
        return False
    _set_back(desk, heartbeat.beat_at)
    return True


def _set_back(desk: Desk, before: datetime) -> None:
    """Adopt a clock that was set back from *before*: what was alive or due then still is.

    What was moved because of the other time moves back, unless the referee was down by this clock,
    too: then the other time only made that outage longer, and nobody loses what it gave.
    """
    session, now = desk.session, desk.now
    own = heartbeats.of(session, heartbeats.DAEMON)
    ahead = before - (own.behind_at if own is not None and own.behind_at is not None else now)
    shown = postponements.outage_after(session, now)
    was_down = shown is not None and shown.gap - ahead > desk.site.patience.gap
    if was_down:
        postponements.set_back(session, now, ahead)
    else:
        _move_back(desk)
    _set_turns_back(desk, before, ahead)
    for rows in (OutboxLetter, CallOutRow):
        outbox.keep_due(session, rows, before, now)
    circuit_breaker.keep_held(session, before, now)
    for heartbeat in heartbeats.later(session, now):
        heartbeat.beat_at, heartbeat.behind_at = now, None
        heartbeat.settled_at = heartbeat.settled_at if was_down else None
        heartbeat.doubted_at = now if heartbeat.settled_at is not None else None


def _outage_ended(session: Session, site: Site, source: SourceStatus) -> _Outage | None:
    """Record the heartbeat of a source; return the outage that it ends, or None."""
    if source.watermark is None:
        return None
    heartbeat = heartbeats.of(session, source.source)
    if heartbeat is None:
        heartbeats.begin(session, source.source, source.watermark)
        return None
    away = Outage(heartbeat.beat_at, source.watermark)
    heartbeat.beat_at = max(away.until, heartbeat.beat_at)
    return _Outage(source.source, away) if away.gap > site.patience.gap + source.every else None


def _was_asleep_too(source: SourceStatus, away: Outage) -> bool:
    """Return whether a source was healthy before our own outage, and not polled since.

    It missed no more than we did, so its next poll does not end another outage.
    """
    return source.watermark is not None and source.watermark <= away.since


def _move_deadlines(desk: Desk, outages: Sequence[_Outage], settled: datetime | None) -> int:
    """Move every deadline that passed in an outage, by the longest one; return their number."""
    longest = max(outages, key=lambda outage: outage.away.gap)
    _give_time_back(desk, longest.away)
    early = _begin_early_ends_again(desk, longest.away)
    moves = list(_moved(desk, outages, early))
    # The operator hears elsewhere of a mail source that fails.
    if moves or any(outage.source == heartbeats.DAEMON for outage in outages):
        cause = next((outage for outage in outages if outage.silent is not None), longest)
        _report_outage(desk, cause, moves, settled)
    return len(moves)


def _give_time_back(desk: Desk, away: Outage) -> None:
    """Move the limits of questions that could have been answered in the outage by the lost time."""
    session, longest = desk.session, desk.site.patience.longest
    for name, each in MOVABLE.items():
        for row in each.waiting(session):
            before = getattr(row, each.column.key)
            after = moved(before, before, away, longest)
            if after is not None:
                postponements.note(session, name, row, Shift(before, after), desk.now)
                each.move(session, row, after)
    lost = Shift(away.since, away.since + min(away.gap, longest))
    postponements.note(session, OUTAGE, None, lost, desk.now)


def _begin_early_ends_again(desk: Desk, away: Outage) -> Collection[Game]:
    """Restart the wait of turns that would have ended early in the outage: WAIT could be lost.

    Return their games: the wait is never longer than the turn, so it begins again with that, too.
    """
    early = games.ending_early(desk.session, away.since, away.until)
    for game in early:
        games.revoke_claim(games.lock(desk.session, game))
        readiness.end_early(desk.session, game, desk.now)
    return early


def _moved(desk: Desk, outages: Sequence[_Outage], early: Collection[Game]) -> Iterator[str]:
    """Move the deadlines; yield each game with its new one, for the operator."""
    latest = max(outage.away.until for outage in outages)
    latest += max(FIRST_NOTICE, desk.site.patience.retries)
    for game in games.running_until(desk.session, latest):
        dues = [(due, outage) for outage in outages if (due := _due(desk, game, outage.away))]
        if not dues:
            continue
        asked, outage = max(dues, key=lambda pair: pair[0])
        due = deadlines.land(game, asked)
        # A worker that has claimed the game must check its deadline again.
        games.revoke_claim(games.lock(desk.session, game))
        assert game.deadline_at is not None
        before = game.deadline_at
        postponements.note(desk.session, DEADLINE, game, Shift(before, due), desk.now)
        deadlines.move(desk.session, game, due, desk.now)
        if game in early:
            readiness.end_early(desk.session, game, desk.now)
        occasion = f"away{int(outage.away.until.timestamp())}"
        move = Move(f"{_loss(outage)}, so it moved the deadline of turn {game.turn}", before)
        why = _why(desk, before, outage.away, asked)
        if due != asked:
            why = f"{why} No turn can be due then, so it waits for the first moment when one can."
        proclaim(desk, game, why, occasion, _note(game, outage), move)
        yield f"{game.name}, turn {game.turn}, to {Moment(due, desk.site.zone)}"


def _due(desk: Desk, game: Game, away: Outage) -> datetime | None:
    """Return when the turn of a running game shall be due after an outage, or None.

    A source that fails again and again does not keep a turn from ending: after some moves only a
    deadline within an outage moves.
    """
    if game.deadline_at is None or game.closes_at is None:
        return None
    limits = desk.site.patience
    least = max(deadlines.shortest_turn(game), limits.retries)
    due = moved(game.deadline_at, game.closes_at, away, limits.longest, least)
    is_ahead = game.deadline_at > away.until
    if is_ahead and postponements.count_in_turn(desk.session, game) >= _MOST_MOVES:
        return None
    return due


def _why(desk: Desk, before: datetime, away: Outage, due: datetime) -> str:
    """Return why a deadline moved from *before* to *due* and no further, for all zones."""
    left, longest = before - away.since, desk.site.patience.longest
    if due - away.until == min(left, longest):
        if left > longest:
            return f"It leaves {in_words(longest)}, the most that an outage gives back."
        return f"It leaves the time that was left when the outage began: {roughly(left)}."
    least = in_words(due - away.until)
    return f"After an outage it leaves {least}, because emails can still be on their way."


def _loss(outage: _Outage) -> str:
    if outage.source == heartbeats.DAEMON:
        return f"The referee was down for {roughly(outage.away.gap)}"
    return f"For {roughly(outage.away.gap)} emails could not reach the referee"


def _note(game: Game, outage: _Outage) -> str:
    assert game.deadline_at is not None
    return (
        f"{_loss(outage)}, until {Moment(outage.away.until, 'UTC')}: the deadline of turn "
        f"{game.turn} moved to {Moment(game.deadline_at, 'UTC')}."
    )


def _report_outage(
    desk: Desk, outage: _Outage, moves: Sequence[str], settled: datetime | None
) -> None:
    who = "The referee" if outage.source == heartbeats.DAEMON else f"The source {outage.source}"
    away, zone = outage.away, desk.site.zone
    what = (
        f"{who} was down for {roughly(away.gap)}, from {Moment(away.since, zone)} to "
        f"{Moment(away.until, zone)}."
    )
    to_do = (
        "Nothing if you stopped it yourself. Otherwise check the log, and whether the clock of "
        "the machine was set."
    )
    subject = f"outage of {roughly(away.gap)}{', deadlines moved' if moves else ''}"
    if outage.silent is not None:
        subject = "the database could not be written"
        what = (
            f"The database could not be written from {Moment(outage.silent, zone)} to "
            f"{Moment(desk.now, zone)}. Emails and turns waited. Nothing is lost, and everything "
            "is running again."
        )
        to_do = (
            "Find the error of the database in the log of that time: a full disk, a missing "
            "permission, or another program that locked it."
        )
    if moves:
        what += (
            " Deadlines in that time and soon after it were moved, and the players notified: "
            f"{'; '.join(moves)}."
        )
    else:
        what += " No deadline had to be moved."
    if settled is not None:
        what += (
            " If the clock of the machine was set, this was no outage. So nothing starts, ends, "
            f"expires or is deleted by the clock before {Moment(desk.now + TRUSTED_AFTER, zone)}, "
            "unless the system says earlier that its clock is synchronised."
        )
    alert = OperatorAlert(subject, what, f"{away.until:%Y%m%d-%H%M%S}", to_do)
    tell_operator(desk, alert, f"outage{away.until:%Y%m%d%H%M%S}")


def _report_clock(desk: Desk, heartbeat: Heartbeat) -> None:
    zone = desk.site.zone
    what = (
        f"The clock shows {Moment(desk.now, zone)}, but it showed "
        f"{Moment(heartbeat.beat_at, zone)} "
        f"before. No turn is resolved for {roughly(desk.site.patience.gap)}. After that we trust "
        "the clock, unless another machine still uses the other time."
    )
    to_do = (
        "Check that the clocks of all machines are right. Deadlines that moved only because of the "
        "other time then move back."
    )
    reference = f"{desk.now:%Y%m%d-%H%M%S}"
    alert = OperatorAlert("the clock was set", what, reference, to_do)
    # While two machines disagree this recurs, so the alert is sent once a day.
    tell_operator(desk, alert, f"clock{desk.now:%Y%m%d}")


def _move_back(desk: Desk) -> None:
    """Undo the referee's moves while its clock was ahead of now; notify everyone once.

    What a GM or a vote has changed since stays as it is.
    """
    shifts = postponements.take_later(desk.session, desk.now)
    for (what, subject), moves in _by_subject(shifts):
        if what == DEADLINE:
            _move_deadline_back(desk, moves)
        elif what in MOVABLE:
            _take_time_back(desk, MOVABLE[what], subject, moves)


def _set_turns_back(desk: Desk, before: datetime, ahead: timedelta) -> None:
    """Adapt the turns that began or were to end while our clock was *ahead* to the right one."""
    for game in games.begun_after(desk.session, desk.now):
        _set_deadline_again(desk, game, ahead)
    # A turn that everybody is ready for would otherwise wait until the time of the wrong clock.
    for game in games.ending_early(desk.session, desk.now, before + timedelta(days=366)):
        games.revoke_claim(games.lock(desk.session, game))
        readiness.end_early(desk.session, game, desk.now)


def _by_subject(
    shifts: Sequence[Postponement],
) -> list[tuple[tuple[str, int], list[Postponement]]]:
    """Return the moves of each moment, newest first."""

    def key(shift: Postponement) -> tuple[str, int]:
        return shift.what, shift.subject

    groups = [list(moves) for _, moves in groupby(sorted(shifts, key=key), key)]
    return [((moves[0].what, moves[0].subject), moves) for moves in groups]


def _move_deadline_back(desk: Desk, moves: Sequence[Postponement]) -> None:
    game = moves[0].game
    assert game is not None
    games.revoke_claim(games.lock(desk.session, game))
    if _is_still_so(game, moves[0]):
        _put_back(desk, game, moves[-1].before)


def _set_deadline_again(desk: Desk, game: Game, ahead: timedelta) -> None:
    """Move the deadline of a turn that began while our clock was *ahead* to that of a right one.

    A deadline that is no longer the one of the schedule stays.
    """
    last = games.turn_of(desk.session, game, game.turn - 1)
    assert last.resolved_at is not None
    table = lay_begun(desk.session, desk.site, game)
    if table is None:
        return
    phase = table.phase.key
    by_schedule = partial(deadlines.following, game, phase, phase, due=last.deadline_at)
    if game.deadline_at == by_schedule(last.resolved_at):
        games.revoke_claim(games.lock(desk.session, game))
        _put_back(desk, game, by_schedule(last.resolved_at - ahead))


def _put_back(desk: Desk, game: Game, asked: datetime) -> None:
    """Move a deadline back to the one *asked* for, with time to read that it was wrong."""
    before, now = game.deadline_at, desk.now
    due = max(asked, deadlines.land(game, now + deadlines.shortest_turn(game)))
    if before is None or due >= before:
        return
    deadlines.move(desk.session, game, due, now)
    fact = f"The referee's clock was wrong, so it moved the deadline of turn {game.turn}"
    note = (
        f"The referee's clock was wrong for some time. The deadline of turn {game.turn} is "
        f"{Moment(due, 'UTC')} again, or as soon after it as leaves enough time."
    )
    if due == asked:
        note = (
            f"The referee's clock was wrong for some time: the deadline of turn {game.turn} moved "
            f"back to {Moment(due, 'UTC')}."
        )
    move = Move(fact, before)
    proclaim(desk, game, "", f"clock{int(now.timestamp())}", note, move)


def _is_still_so(game: Game, last: Postponement) -> bool:
    running = game.status is GameStatus.RUNNING
    return running and game.turn == last.turn and game.deadline_at == last.after


def _take_time_back(desk: Desk, each: Awaited, number: int, moves: Sequence[Postponement]) -> None:
    row: Any = desk.session.get(each.model, number)
    if row is None or not each.is_waiting(desk.session, row):
        return
    if getattr(row, each.column.key) == moves[0].after:
        each.move(desk.session, row, max(moves[-1].before, desk.now))
