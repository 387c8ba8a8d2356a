"""The agenda: what changes is looked at, once, and nothing else is."""

from datetime import timedelta

import pytest

from referee.store import Store
from referee.store.games import agenda, games
from referee.store.games.agenda import AgendaTopic
from referee.store.models import GameStatus
from referee.store.people import deputies, observers, offers, standbys
from tests.store.rows import NOW, a_game, a_person, a_running_game, a_seat

LATER = NOW + timedelta(days=1)


def on_agenda(store: Store) -> set[AgendaTopic]:
    with store.read() as session:
        return {matter for matter in AgendaTopic if agenda.due(session, matter, NOW)}


def look_at_all(store: Store) -> None:
    """Look at whatever is due, and find nothing that would be due by itself."""
    with store.write() as session:
        for matter in AgendaTopic:
            for number in agenda.due(session, matter, NOW):
                game = games.by_id(session, number)
                assert game is not None
                assert agenda.take(session, game, matter, NOW)
                agenda.settle(session, game, matter, None)


def test_a_forming_game_is_looked_at_when_its_seats_or_places_change(store: Store) -> None:
    with store.write() as session:
        game = a_game(session, places=3)
    assert on_agenda(store) == set()
    with store.write() as session:
        seat = a_seat(session, games.lock(session, game), 1)
    assert on_agenda(store) == {AgendaTopic.START}
    look_at_all(store)
    assert on_agenda(store) == set()
    with store.write() as session:
        games.lock(session, session.merge(game)).places = 2
    assert on_agenda(store) == {AgendaTopic.START}
    look_at_all(store)
    with store.write() as session:
        found = games.seat_by_id(session, seat.id)
        assert found is not None
        found.person = None
    assert on_agenda(store) == {AgendaTopic.START}


def test_what_changes_in_a_game_is_a_reason_to_look_at_all_that_goes_on_in_it(
    store: Store,
) -> None:
    with store.write() as session:
        game = a_running_game(session)
        seat = a_seat(session, game)
        observers.add(session, game, a_person(session, "sam@there"), 0, NOW)
        offers.make(session, seat, a_person(session, "merry@there"), NOW, LATER)
        a_running_game(session, "SW-2")
    everything = {AgendaTopic.OBSERVERS, AgendaTopic.OFFERS}
    assert on_agenda(store) == everything
    look_at_all(store)
    assert on_agenda(store) == set()
    for change in ({"turn": 2}, {"status": GameStatus.HELD}, {"missed_limit": 5}):
        with store.write() as session:
            found = games.by_name(session, "SW-1")
            for name, value in change.items():
                setattr(found, name, value)
        assert on_agenda(store) == everything, change
        look_at_all(store)
    with store.write() as session:
        found = games.by_name(session, "SW-2")
        assert found is not None
        found.turn = 2
    assert on_agenda(store) == set()


def test_who_begins_to_stand_by_is_a_reason_to_look_at_seats_on_offer(store: Store) -> None:
    with store.write() as session:
        seat = a_seat(session, a_running_game(session))
        seat.offered_at = NOW
    assert on_agenda(store) == {AgendaTopic.OFFERS}
    look_at_all(store)
    with store.write() as session:
        standbys.add(session, a_person(session, "sam@there"), standbys.EVERYWHERE, NOW)
    assert on_agenda(store) == {AgendaTopic.OFFERS}


def test_a_look_can_be_put_off_and_closed(store: Store) -> None:
    with store.write() as session:
        game = a_running_game(session)
        observers.add(session, game, a_person(session, "sam@there"), 0, NOW)
        agenda.settle(session, game, AgendaTopic.OBSERVERS, LATER)
        assert not agenda.take(session, game, AgendaTopic.OBSERVERS, NOW)
        assert agenda.due(session, AgendaTopic.OBSERVERS, NOW) == []
        assert agenda.due(session, AgendaTopic.OBSERVERS, LATER) == [game.id]
        agenda.close(session, game, AgendaTopic.OBSERVERS)
        assert agenda.due(session, AgendaTopic.OBSERVERS, LATER) == []
        assert deputies.running(session, game) == []


@pytest.mark.live
def test_what_changes_during_a_look_is_looked_at_again(shared_store: Store) -> None:
    if shared_store.kind == "sqlite":
        return
    with shared_store.write() as session:
        game = a_running_game(session)
        observers.add(session, game, a_person(session, "sam@there"), 0, NOW)
    with shared_store.write() as one, shared_store.write() as other:
        mine = games.lock(one, game)
        assert agenda.take(one, mine, AgendaTopic.OBSERVERS, NOW)
        # Somebody else finds that it is being looked at.
        found = games.by_id(other, game.id)
        assert found is not None
        assert not agenda.take(other, found, AgendaTopic.OBSERVERS, NOW)
