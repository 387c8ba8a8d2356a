"""Games to check for reminders, and a guard against missed changes in tests."""

from datetime import timedelta

from referee.store import Session, Store
from referee.store.games import games, reminders
from referee.store.models import LONG_AGO, Game
from referee.store.people import people
from tests.store.rows import NOW, a_person, a_running_game, a_seat
from tests.support.listeners import noticing

LATER = NOW + timedelta(days=1)


def at_rest(store: Store) -> None:
    """Create a game with a player and no reminder before ``LATER``."""
    with store.write() as session:
        game = a_running_game(session)
        a_seat(session, game)
        game.remind_at = LATER


def the_game(session: Session) -> Game:
    game = games.by_name(session, "SW-1")
    assert game is not None
    return game


def test_a_game_is_not_checked_before_its_time(store: Store) -> None:
    at_rest(store)
    with store.write() as session:
        assert reminders.due(session, NOW) == []
        assert reminders.look_at(session, the_game(session).id, NOW) is None
        reminders.check_reminders(the_game(session))
    with store.write() as session:
        number = the_game(session).id
        assert reminders.due(session, NOW) == [number]
        assert reminders.look_at(session, number, NOW) == the_game(session)


def test_the_games_of_a_player_are_checked_again(store: Store) -> None:
    at_rest(store)
    with store.write() as session:
        reminders.check_reminders_of(session, a_person(session, "sam@there"))
        assert the_game(session).remind_at == LATER
        player = people.by_address(session, "player1@there")
        assert player is not None
        reminders.check_reminders_of(session, player)
        assert the_game(session).remind_at == LONG_AGO


def test_a_change_without_a_check_of_reminders_is_detected(store: Store) -> None:
    at_rest(store)
    with noticing() as forgotten:
        with store.write() as session:
            the_game(session).turn += 1
        with store.write() as session:
            the_game(session).seats[0].person = a_person(session, "sam@there")
        with store.write() as session:
            person = people.by_address(session, "sam@there")
            assert person is not None
            person.zone = "Europe/Berlin"
        with store.write() as session:
            the_game(session).turn += 1
            reminders.check_reminders(the_game(session))
    assert forgotten == ["SW-1: Game", "SW-1: SeatRow", "SW-1: Person"]
