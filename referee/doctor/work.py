"""The doctor's look at the work itself: whether a referee is at it, and games that cannot go on."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Final

from referee.clock import now
from referee.doctor.queues import opened
from referee.doctor.report import CheckResult, fault, look, well
from referee.plugins import ruleset_keys
from referee.settings import Settings
from referee.store import Session
from referee.store.games import games
from referee.store.mail import heartbeats
from referee.store.models import Game, GameStatus

_SILENT: Final = timedelta(minutes=10)


def look_at_work(settings: Settings) -> Iterator[CheckResult]:
    """Return whether a referee is at work, and which games cannot go on without help."""
    with opened(settings) as store:
        if store is None:
            return
        with store.read() as session:
            going = games.listing(session, GameStatus.FORMING, GameStatus.RUNNING, GameStatus.HELD)
            found = [*_at_work(session, going), *_stuck(session), *_unknown(going, ruleset_keys())]
    yield from found


def _at_work(session: Session, going: list[Game]) -> Iterator[CheckResult]:
    last = max(
        (pulse.beat_at for pulse in heartbeats.among(session, [heartbeats.DAEMON])), default=None
    )
    if last is not None and last > now() - _SILENT:
        yield well(f"a referee was at work at {last:%Y-%m-%d %H:%M} UTC")
        return
    words = "no referee has been at work here yet"
    if last is not None:
        words = f"no referee has been at work since {last:%Y-%m-%d %H:%M} UTC"
    remedy = "systemctl start referee; when it does not stay, its log says why"
    yield fault(words, remedy) if going and last is not None else look(words, remedy)


def _stuck(session: Session) -> Iterator[CheckResult]:
    for game in games.stalled(session):
        turn = f"turn {game.turn} of {game.name} cannot be resolved, through a fault"
        yield fault(
            turn if game.turn else f"{game.name} cannot be started, through a fault",
            f"look for game={game.id} in the log; once it is mended, "
            f"{'the turn resolves' if game.turn else 'the game starts'} by itself",
        )


def _unknown(going: list[Game], known: frozenset[str]) -> Iterator[CheckResult]:
    for game in going:
        if game.ruleset not in known:
            yield fault(
                f"{game.name} needs the ruleset {game.ruleset}, which is not installed",
                "install the package that brings it, into the environment of the referee",
            )
