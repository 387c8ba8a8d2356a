"""Behaviour of a database server: restarts, its own clock, and locks of others."""

from collections.abc import Iterator
from datetime import timedelta
from threading import Thread

import pytest

from referee.errors import StoreBusy, StoreUnreachable, StoreUnwritable
from referee.store import Store
from referee.store.games import due_games, games
from referee.store.mail import inbox, outbox
from referee.store.people import people
from tests.live.postgresql import Postgres
from tests.store.rows import (
    GONE,
    LEASE,
    NOW,
    a_letter,
    a_person,
    a_running_game,
    an_answer,
    claim_due,
)

pytestmark = pytest.mark.live


@pytest.fixture
def address(postgres: Postgres, request: pytest.FixtureRequest) -> str:
    """Return the URL of a migrated database for this test."""
    url = postgres.database(request.node.name)
    store = Store(url)
    store.migrate()
    store.close()
    return url


@pytest.fixture
def one(address: str) -> Iterator[Store]:
    """Return the store of one daemon."""
    store = Store(address, patience=0.2)
    yield store
    store.close()


@pytest.fixture
def other(address: str) -> Iterator[Store]:
    """Return the store of another daemon on the same database."""
    store = Store(address, patience=5)
    yield store
    store.close()


@pytest.mark.slow
def test_work_continues_after_a_restart_of_the_server(postgres: Postgres, one: Store) -> None:
    with one.write() as session:
        kept = a_letter(session).id
    postgres.stop()
    try:
        with pytest.raises(StoreUnreachable), one.read() as session:
            inbox.by_id(session, kept)
    finally:
        postgres.start()
    with one.write() as session:
        assert a_letter(session).id == kept


@pytest.mark.slow
def test_a_transaction_the_server_died_in_leaves_nothing(postgres: Postgres, one: Store) -> None:
    with pytest.raises(StoreUnreachable):
        _write_through_a_restart(postgres, one)
    with one.write() as session:
        assert people.by_address(session, "frodo@there") is None
        assert people.by_address(session, "sam@there") is None


@pytest.mark.slow
def test_leases_run_by_the_servers_clock(one: Store) -> None:
    fast = NOW + timedelta(days=900)
    with one.write() as session:
        number = a_running_game(session).id
        a_letter(session)
        an_answer(session)
    for lease, taken in ((LEASE, True), (GONE, False)):
        with one.write() as session:
            claims = (
                due_games.claim_if_due(session, number, "worker", fast, lease),
                inbox.next_waiting(session, "worker", fast, lease),
                *outbox.claim(session, "worker", fast, lease, 1),
            )
        assert [claim is not None for claim in claims] == ([True] * 3 if taken else [False] * 2)


@pytest.mark.slow
def test_claims_skip_rows_that_are_being_claimed(one: Store, other: Store) -> None:
    with one.write() as session:
        letters = [a_letter(session, str(n)).id for n in (1, 2)]
        running = [a_running_game(session, f"SW-{n}").id for n in (1, 2)]
        answers = [an_answer(session, f"<{n}@here>").id for n in (1, 2)]
    with other.write() as busy:
        inbox.next_waiting(busy, "other", NOW, LEASE)
        claim_due(busy, "other")
        outbox.claim(busy, "other", NOW, LEASE, 1)
        with one.write() as session:
            letter = inbox.next_waiting(session, "one", NOW, LEASE)
            game = claim_due(session, "one")
            (answer,) = outbox.claim(session, "one", NOW, LEASE, 9)
    assert letter is not None
    assert game is not None
    assert [letter.id, game.id, answer.id] == [letters[1], running[1], answers[1]]


@pytest.mark.slow
def test_a_row_held_too_long_is_busy(one: Store, other: Store) -> None:
    with one.write() as session:
        game = a_running_game(session)
    with other.write() as busy:
        games.lock(busy, game)
        with pytest.raises(StoreBusy), one.write() as session:
            games.lock(session, game)


@pytest.mark.slow
def test_a_lock_waits_for_the_owner_of_the_game(one: Store, other: Store) -> None:
    with one.write() as session:
        number = a_running_game(session).id
    seen: list[int] = []

    def look() -> None:
        with other.write() as session:
            game = games.by_id(session, number)
            assert game is not None
            seen.append(games.lock(session, game).turn)

    with one.write() as session:
        game = games.by_id(session, number)
        assert game is not None
        games.lock(session, game)
        waiting = Thread(target=look)
        waiting.start()
        waiting.join(timeout=0.3)
        assert seen == []
        game.turn = 2
    waiting.join(timeout=10)
    assert seen == [2]


@pytest.mark.slow
def test_a_row_inserted_by_two_daemons_is_retried(one: Store, other: Store) -> None:
    with one.write() as session:
        a_person(session, "gandalf@there")
    with pytest.raises(StoreBusy):
        _make_the_same_game(one, other)
    with one.read() as session:
        assert [game.name for game in games.listing(session)] == ["SW-1"]


def test_a_missing_database_cannot_be_opened(postgres: Postgres) -> None:
    store = Store(postgres.database("there").replace("/there", "/nowhere"))
    with pytest.raises((StoreUnwritable, StoreUnreachable), match="nowhere"):
        store.check()
    store.close()


def _write_through_a_restart(postgres: Postgres, store: Store) -> None:
    with store.write() as session:
        a_person(session)
        postgres.stop()
        postgres.start()
        a_person(session, "sam@there")


def _make_the_same_game(store: Store, other: Store) -> None:
    with store.write() as late:
        assert games.listing(late) == []
        with other.write() as session:
            a_running_game(session)
        a_running_game(late)
