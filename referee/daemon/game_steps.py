"""Steps that handle each game separately, so that a failing game does not delay the others."""

from collections.abc import Callable, Iterable
from datetime import datetime
from functools import partial
from threading import Event

from referee.app import App
from referee.daemon.supervisor import Failure, Supervisor
from referee.daemon.turn_queue import OUTAGES
from referee.desk.base.desk import Desk
from referee.desk.due import stalled_turns
from referee.store import Session
from referee.store.games import agenda
from referee.store.games.agenda import AgendaTopic
from referee.store.models import Game

Find = Callable[[Session, datetime], Iterable[int]]
"""Returns the ids of the games that have something to do now."""
InGame = Callable[[Desk, int], object]
"""Does the step in one game, in the caller's transaction."""


def found_by_agenda(topic: AgendaTopic) -> Find:
    """Return a function that finds the games whose check of a topic is due."""
    return lambda session, now: agenda.due(session, topic, now)


def by_agenda(topic: AgendaTopic, use_case: Callable[[Desk, Game], object]) -> InGame:
    """Return the step in one game for a use case of an agenda topic."""

    def work(desk: Desk, number: int) -> None:
        game = agenda.look_at(desk.session, number, topic, desk.now)
        if game is not None:
            use_case(desk, game)

    return work


class GameSteps:
    """Takes steps until *stopping*, with a transaction for each game."""

    def __init__(self, app: App, guard: Supervisor, stopping: Event) -> None:
        self._app, self._guard, self._stopping = app, guard, stopping

    def take(self, name: str, find: Find, work: InGame, now: datetime) -> None:
        """Take a step in every game found; a failing game backs off and the operator is notified.

        Raises database errors, which are not the fault of a game.
        """
        for number in self._found(find, now):
            failure = self._guard.step_in_game(name, number, self._one(work, number, now), now)
            if failure is not None:
                self._raise_outage(failure)
                self._notify(
                    partial(stalled_turns.report_failed_step, step=name), number, failure, now
                )

    def start(self, name: str, find: Find, work: InGame, now: datetime) -> None:
        """Start the games found; a failing game stalls as in a failed turn.

        Raises database errors like ``take``.
        """
        for number in self._found(find, now):
            failure = self._guard.attempt(self._one(work, number, now), step=name, game=number)
            if failure is not None:
                self._raise_outage(failure)
                with self._app.store.write() as session:
                    stalled_turns.set_start_aside(session, number, now)
                self._notify(stalled_turns.report_stall, number, failure, now)

    def _found(self, find: Find, now: datetime) -> Iterable[int]:
        with self._app.store.read() as session:
            numbers = list(find(session, now))
        return (number for number in numbers if not self._stopping.is_set())

    def _one(self, work: InGame, number: int, now: datetime) -> Callable[[], None]:
        def one() -> None:
            with self._app.store.write() as session:
                work(Desk(session, self._app.site, now), number)

        return one

    def _raise_outage(self, failure: Failure) -> None:
        if isinstance(failure.error, OUTAGES):
            raise failure.error

    def _notify(
        self,
        tell: Callable[[Desk, int, str], None],
        number: int,
        failure: Failure,
        now: datetime,
    ) -> None:
        def notify() -> None:
            with self._app.store.write() as session:
                tell(Desk(session, self._app.site, now), number, failure.reference)

        # The failure may be in the notices themselves.
        self._guard.attempt(notify, game=number)
