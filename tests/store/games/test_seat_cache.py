"""Seats at hand: looked up once, and never older than what was written."""

import pytest
from sqlalchemy import inspect

from referee.store import Store
from referee.store.games import games, seat_cache
from referee.store.people import people
from tests.store.rows import a_running_game, a_seat


@pytest.fixture
def numbers(store: Store) -> list[int]:
    """The ids of two seats of a game."""
    with store.write() as session:
        game = a_running_game(session)
        return [a_seat(session, game, number).id for number in (1, 2)]


def test_what_nobody_changes_stays_at_hand(store: Store, numbers: list[int]) -> None:
    with store.write() as session:
        seat_cache.look_up(session, numbers)
        seats = [games.seat_by_id(session, number) for number in numbers]
        seat_cache.begin_anew(session)
        for number, seat in zip(numbers, seats, strict=True):
            assert seat is not None
            assert games.seat_by_id(session, number) is seat_cache.seat(session, number) is seat
            assert seat.game.masters[0].person_id != seat.person_id
        assert games.seat_by_id(session, max(numbers) + 1) is None


def test_what_was_changed_is_looked_up_again(store: Store, numbers: list[int]) -> None:
    with store.write() as session:
        seat_cache.look_up(session, numbers)
        before = games.seat_by_id(session, numbers[0])
        assert before is not None
        assert before.person is not None
        before.person.zone = "Asia/Tokyo"
        seat_cache.begin_anew(session)
        assert seat_cache.seat(session, numbers[1]) is None
        after = games.seat_by_id(session, numbers[0])
        assert after is not None
        assert after is not before
        assert after.person is not None
        assert after.person.zone == "Asia/Tokyo"
        # What comes later is written as well.
        after.missed = 1
        seat_cache.begin_anew(session)
        again = games.seat_by_id(session, numbers[0])
        assert again is not None
        assert again.missed == 1


def test_with_other_objects_all_is_put_away(store: Store, numbers: list[int]) -> None:
    with store.write() as session:
        seat_cache.look_up(session, numbers)
        gandalf = people.by_address(session, "gandalf@there")
        seat_cache.begin_anew(session)
        assert inspect(gandalf).detached
        assert seat_cache.seat(session, numbers[0]) is None
