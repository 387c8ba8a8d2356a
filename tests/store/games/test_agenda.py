"""The agenda: each change causes one check, and nothing else does."""

from datetime import timedelta

import pytest

from referee.store import Store
from referee.store.games import agenda, games
from referee.store.games.agenda import AgendaTopic
from referee.store.models import Game, SeatRow
from referee.store.people import observers, offers, standbys
from tests.store.rows import NOW, a_game, a_person, a_running_game, a_seat
from tests.support.listeners import noticing

LATER = NOW + timedelta(days=1)


def on_agenda(store: Store) -> set[AgendaTopic]:
    with store.read() as session:
        return {topic for topic in AgendaTopic if agenda.due(session, topic, NOW)}


def look_at_all(store: Store) -> None:
    """Do all checks that are due, with no later time of their own."""
    with store.write() as session:
        for topic in AgendaTopic:
            for number in agenda.due(session, topic, NOW):
                game = games.by_id(session, number)
                assert game is not None
                assert agenda.take(session, game, topic, NOW)
                agenda.reschedule(session, game, topic, None)


def test_a_scheduled_topic_is_checked_once(store: Store) -> None:
    with store.write() as session:
        game = a_game(session, places=3)
        a_seat(session, game, 1)
    assert on_agenda(store) == set()
    for _ in range(2):
        with store.write() as session:
            agenda.schedule(session, session.merge(game), AgendaTopic.START, AgendaTopic.VOTES)
        assert on_agenda(store) == {AgendaTopic.START, AgendaTopic.VOTES}
        look_at_all(store)
        assert on_agenda(store) == set()


def test_a_game_can_be_checked_in_all_topics_on_its_agenda(store: Store) -> None:
    with store.write() as session:
        game, other = a_running_game(session), a_running_game(session, "SW-2")
        agenda.schedule(session, game, AgendaTopic.OBSERVERS, AgendaTopic.OFFERS)
    look_at_all(store)
    assert on_agenda(store) == set()
    with store.write() as session:
        agenda.schedule(session, session.merge(other))
    assert on_agenda(store) == set()
    with store.write() as session:
        agenda.schedule(session, session.merge(game))
    assert on_agenda(store) == {AgendaTopic.OBSERVERS, AgendaTopic.OFFERS}


def test_all_games_can_be_checked_in_one_topic(store: Store) -> None:
    with store.write() as session:
        found = [a_running_game(session, name) for name in ("SW-1", "SW-2", "SW-3")]
        agenda.schedule(session, found[0], AgendaTopic.OFFERS, AgendaTopic.VOTES)
        agenda.schedule(session, found[1], AgendaTopic.OFFERS)
    look_at_all(store)
    with store.write() as session:
        agenda.schedule_all(session, AgendaTopic.OFFERS)
        due = agenda.due(session, AgendaTopic.OFFERS, NOW)
        assert due == [game.id for game in found[:2]]
    assert on_agenda(store) == {AgendaTopic.OFFERS}


def test_a_change_that_puts_nothing_on_the_agenda_is_noticed(store: Store) -> None:
    with store.write() as session:
        game = a_running_game(session)
        seat = a_seat(session, game)
        agenda.schedule(session, game, AgendaTopic.OFFERS)
    look_at_all(store)
    with noticing() as forgotten:
        with store.write() as session:
            session.get_one(Game, game.id).missed_limit = 5
        with store.write() as session:
            sam = a_person(session, "sam@there")
            standbys.add(session, sam, standbys.EVERYWHERE, NOW)
        with store.write() as session:
            observers.add(session, session.get_one(Game, game.id), sam, 0, NOW)
        with store.write() as session:
            a_seat(session, a_game(session, "SW-2"), 2)
        with store.write() as session:
            offers.make(session, session.get_one(SeatRow, seat.id), sam, NOW, LATER)
            agenda.reschedule(session, session.get_one(Game, game.id), AgendaTopic.OFFERS, LATER)
        with store.write() as session:
            session.get_one(Game, game.id).missed_limit = 6
            agenda.schedule(session, session.get_one(Game, game.id))
    assert forgotten == ["SW-1: offers", "SW-1: offers", "SW-1: observers", "SW-2: start"]


def test_a_check_can_be_postponed_and_closed(store: Store) -> None:
    with store.write() as session:
        game = a_running_game(session)
        agenda.schedule(session, game, AgendaTopic.OBSERVERS)
        agenda.reschedule(session, game, AgendaTopic.OBSERVERS, LATER)
        assert not agenda.take(session, game, AgendaTopic.OBSERVERS, NOW)
        assert agenda.due(session, AgendaTopic.OBSERVERS, NOW) == []
        assert agenda.due(session, AgendaTopic.OBSERVERS, LATER) == [game.id]
        agenda.close(session, game, AgendaTopic.OBSERVERS)
        assert agenda.due(session, AgendaTopic.OBSERVERS, LATER) == []


@pytest.mark.slow
@pytest.mark.every_case
@pytest.mark.live
def test_a_change_during_a_check_causes_another_check(shared_store: Store) -> None:
    if shared_store.kind == "sqlite":
        return
    with shared_store.write() as session:
        game = a_running_game(session)
        agenda.schedule(session, game, AgendaTopic.OBSERVERS)
    with shared_store.write() as one, shared_store.write() as other:
        mine = games.lock(one, game)
        assert agenda.take(one, mine, AgendaTopic.OBSERVERS, NOW)
        # Another transaction finds that the check is in progress.
        found = games.by_id(other, game.id)
        assert found is not None
        assert not agenda.take(other, found, AgendaTopic.OBSERVERS, NOW)
