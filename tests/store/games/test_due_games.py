"""The next due time of anything."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from referee.store import Session, Store
from referee.store.games import agenda, due_games
from referee.store.games.agenda import AgendaTopic
from referee.store.games.press import Press
from referee.store.models import LONG_AGO, Game, GameStatus
from referee.store.people import address_changes
from referee.store.people.absences import Absence
from referee.store.people.address_changes import ChangeKind
from tests.store.rows import NOW, a_game, a_letter, a_person, a_running_game, a_seat

SOON, LATER = NOW + timedelta(hours=1), NOW + timedelta(days=30)


def at_rest(session: Session) -> Game:
    """Create a game with the deadline ``LATER``, and nothing due before."""
    game = a_running_game(session)
    game.deadline_at = game.closes_at = LATER
    session.flush()
    game.remind_at = None
    session.flush()
    return game


def ready(_session: Session, game: Game) -> None:
    game.ready_at = SOON


def the_end_of_a_grace(session: Session, game: Game) -> None:
    game.deadline_at, game.closes_at = NOW, SOON
    session.flush()
    game.remind_at = None


def a_rest_after_a_trouble(session: Session, game: Game) -> None:
    game.deadline_at, game.closes_at, game.stalled_until = NOW, NOW, SOON
    session.flush()
    game.remind_at = None


def a_turn_moved_after_a_trouble(session: Session, game: Game) -> None:
    game.closes_at, game.stalled_until = SOON, NOW
    session.flush()
    game.remind_at = None


def a_reminder(_session: Session, game: Game) -> None:
    game.remind_at = SOON


def a_look(session: Session, game: Game) -> None:
    agenda.schedule(session, game, AgendaTopic.OBSERVERS)
    agenda.reschedule(session, game, AgendaTopic.OBSERVERS, SOON)


def a_message(session: Session, game: Game) -> None:
    for due_at, delivered in ((NOW, 1), (SOON, None), (None, None)):
        letter = a_letter(session, f"{due_at}")
        message = Press(
            game_id=game.id,
            turn=1,
            letter_id=letter.id,
            sender=1,
            anonymous=False,
            recipients=[0],
            text="",
            due_at=due_at,
            delivered_turn=delivered,
        )
        session.add(message)


def a_change_of_address(session: Session, _game: Game) -> None:
    person = a_person(session, "sam@there")
    for expires in (NOW, SOON):
        address_changes.ask(
            session, person, ChangeKind.RECORD, "sam@elsewhere", now=NOW, expires=expires
        )


CASES = (
    ready,
    the_end_of_a_grace,
    a_rest_after_a_trouble,
    a_turn_moved_after_a_trouble,
    a_reminder,
    a_look,
    a_message,
    a_change_of_address,
)


@pytest.mark.parametrize("case", CASES)
def test_the_first_of_all_is_next(store: Store, case: Callable[[Session, Game], None]) -> None:
    with store.write() as session:
        game = at_rest(session)
        assert due_games.next_moment(session) == LATER
        case(session, game)
        session.flush()
        assert due_games.next_moment(session) == SOON


@pytest.mark.parametrize("status", [GameStatus.HELD, GameStatus.ENDED])
def test_only_in_a_running_game_something_is_due(store: Store, status: GameStatus) -> None:
    with store.write() as session:
        a_game(session, "SW-2")
        at_rest(session).status = status
        session.flush()
        assert due_games.next_moment(session) is None


def test_a_game_that_was_not_checked_is_due_at_once(store: Store) -> None:
    with store.write() as session:
        a_running_game(session)
        assert due_games.next_moment(session) == LONG_AGO


def test_the_next_absence_without_a_reminder(store: Store) -> None:
    with store.write() as session:
        seat = a_seat(session, at_rest(session))
        assert seat.person_id is not None
        for begins, reminded in ((NOW, False), (SOON, True), (LATER, False)):
            session.add(
                Absence(
                    seat_id=seat.id,
                    person_id=seat.person_id,
                    begins_at=begins,
                    ends_at=LATER + timedelta(days=1),
                    zone="UTC",
                    reminded=reminded,
                )
            )
        assert due_games.next_leaving(session, NOW) == LATER
        assert due_games.next_leaving(session, LATER) is None
