"""Steps that take one game after the other: one in which a step fails holds up no other."""

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
"""Returns the ids of the games in which there is something to do by now."""
InGame = Callable[[Desk, int], object]
"""Does it in one game, in the caller's transaction."""


def found_by_agenda(topic: AgendaTopic) -> Find:
    """Return what finds the games that have to be looked at in a topic."""
    return lambda session, now: agenda.due(session, topic, now)


def by_agenda(topic: AgendaTopic, use_case: Callable[[Desk, Game], object]) -> InGame:
    """Make what is done in one game of a use case for a game that is on the agenda."""

    def work(desk: Desk, number: int) -> None:
        game = agenda.look_at(desk.session, number, topic, desk.now)
        if game is not None:
            use_case(desk, game)

    return work


class GameSteps:
    """Takes steps until *stopping*, each game in a transaction of its own."""

    def __init__(self, app: App, guard: Supervisor, stopping: Event) -> None:
        self._app, self._guard, self._stopping = app, guard, stopping

    def take(self, name: str, find: Find, work: InGame, now: datetime) -> None:
        """Take a step in every game found; a game that fails pauses, and the operator is told.

        Raises what the database complains of, for then no game is to blame.
        """
        for number in self._found(find, now):
            trouble = self._guard.step_in_game(name, number, self._one(work, number, now), now)
            if trouble is not None:
                self._blame_game(trouble)
                self._tell(partial(stalled_turns.tell_of_step, step=name), number, trouble, now)

    def start(self, name: str, find: Find, work: InGame, now: datetime) -> None:
        """Take the step that starts games; one that fails stalls as a turn does.

        Raises as ``take``.
        """
        for number in self._found(find, now):
            trouble = self._guard.attempt(self._one(work, number, now), step=name, game=number)
            if trouble is not None:
                self._blame_game(trouble)
                with self._app.store.write() as session:
                    stalled_turns.set_start_aside(session, number, now)
                self._tell(stalled_turns.tell_of_stall, number, trouble, now)

    def _found(self, find: Find, now: datetime) -> Iterable[int]:
        with self._app.store.read() as session:
            numbers = list(find(session, now))
        return (number for number in numbers if not self._stopping.is_set())

    def _one(self, work: InGame, number: int, now: datetime) -> Callable[[], None]:
        def one() -> None:
            with self._app.store.write() as session:
                work(Desk(session, self._app.site, now), number)

        return one

    def _blame_game(self, trouble: Failure) -> None:
        if isinstance(trouble.error, OUTAGES):
            raise trouble.error

    def _tell(
        self,
        tell: Callable[[Desk, int, str], None],
        number: int,
        trouble: Failure,
        now: datetime,
    ) -> None:
        def told() -> None:
            with self._app.store.write() as session:
                tell(Desk(session, self._app.site, now), number, trouble.reference)

        # What broke may be the very letters that would tell of it.
        self._guard.attempt(told, game=number)
