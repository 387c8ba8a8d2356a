"""Checks of the work: whether a referee runs, which games are stalled, and the last backup."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Final

from referee.clock import now
from referee.doctor.opening import opened
from referee.doctor.report import CheckResult, fault, look, well
from referee.doctor.unit import how_to_start
from referee.instance_lock import is_held
from referee.plugins import ruleset_keys
from referee.settings import Settings
from referee.state_dir import database_file, last_backup
from referee.store import Session
from referee.store.games import games
from referee.store.mail import heartbeats
from referee.store.models import Game, GameStatus

_SILENT: Final = timedelta(minutes=10)


def look_at_work(settings: Settings) -> Iterator[CheckResult]:
    """Check whether a referee is running, and which games need help."""
    with opened(settings) as store:
        if store is None:
            return
        with store.read() as session:
            going = games.listing(session, GameStatus.FORMING, GameStatus.RUNNING, GameStatus.HELD)
            is_stopped = database_file(settings) is not None and not is_held(settings)
            start = how_to_start(settings)
            at_work = _at_work(session, going, start, is_stopped=is_stopped)
            found = [*at_work, *_stuck(session), *_unknown(going, ruleset_keys())]
    yield from found


def _at_work(
    session: Session, going: list[Game], start: str, *, is_stopped: bool
) -> Iterator[CheckResult]:
    last = max(
        (pulse.beat_at for pulse in heartbeats.among(session, [heartbeats.DAEMON])), default=None
    )
    if last is not None and last > now() - _SILENT and not is_stopped:
        yield well(f"referee: last heartbeat {last:%Y-%m-%d %H:%M} UTC")
        return
    words = "referee: never started here"
    if last is not None:
        since = f"no heartbeat since {last:%Y-%m-%d %H:%M} UTC"
        words = f"No referee is running: {since}" if is_stopped else f"referee: {since}"
    remedy = f"{start}; if it stops again, see its log"
    yield fault(words, remedy) if going and last is not None else look(words, remedy)


def _stuck(session: Session) -> Iterator[CheckResult]:
    for game in games.stalled(session):
        turn = f"{game.name}: turn {game.turn} cannot be resolved because of a fault"
        yield fault(
            turn if game.turn else f"{game.name}: cannot be started because of a fault",
            f"look for game={game.id} in the log and fix the fault; "
            f"{'the turn resolves' if game.turn else 'the game starts'} automatically",
        )


def _unknown(going: list[Game], known: frozenset[str]) -> Iterator[CheckResult]:
    for game in going:
        if game.ruleset not in known:
            yield fault(
                f"{game.name}: the ruleset {game.ruleset} is not installed",
                "install its package into the environment of the referee",
            )


_OLD: Final = timedelta(days=2)


def look_at_backups(settings: Settings) -> Iterator[CheckResult]:
    """Check when `referee backup` has last written a backup, if there is anything to lose."""
    with opened(settings) as store:
        if store is None:
            return
    taken_at = last_backup(settings.state_dir)
    remedy = "let cron run `referee backup` every night, as in What to keep of the operators' guide"
    if taken_at is None:
        yield look("backup: `referee backup` has written none yet", remedy)
        return
    words = f"backup: the last one is of {taken_at:%Y-%m-%d %H:%M} UTC"
    if now() - taken_at > _OLD:
        days = (now() - taken_at).days
        yield look(f"{words}, {days} days ago", f"see why there is no newer one; {remedy}")
    else:
        yield well(words)
