"""Intake leases: turns wait for an owner until it leaves or its lease expires."""

from datetime import timedelta
from threading import Thread

import pytest

from referee.store import Store
from referee.store.mail import intake_leases
from tests.store.rows import GONE, LEASE, NOW

SECOND = timedelta(seconds=1)


def test_all_other_owners_count_until_they_leave(store: Store) -> None:
    with store.write() as session:
        assert intake_leases.others(session, "one", NOW).watermark is None
        intake_leases.tell(session, "one", NOW, NOW, LEASE)
        intake_leases.tell(session, "two", NOW + SECOND, NOW, LEASE)
        intake_leases.tell(session, "three", NOW + 2 * SECOND, NOW, LEASE)
    with store.write() as session:
        assert intake_leases.others(session, "one", NOW).watermark == NOW + SECOND
        intake_leases.tell(session, "two", NOW + 3 * SECOND, NOW, LEASE)
        assert intake_leases.others(session, "one", NOW).watermark == NOW + 2 * SECOND
        intake_leases.leave(session, "three")
        intake_leases.leave(session, "two")
        assert intake_leases.others(session, "one", NOW).watermark is None
        assert intake_leases.owners(session) == {"one"}


def test_an_expired_lease_is_deleted_and_its_owner_notices(store: Store) -> None:
    with store.write() as session:
        intake_leases.tell(session, "one", NOW, NOW, LEASE)
        intake_leases.tell(session, "two", NOW, NOW, GONE)
    with store.write() as session:
        assert intake_leases.others(session, "one", NOW).is_overdue
        assert intake_leases.is_awaited(session, "two")
        intake_leases.give_up(session, NOW)
        assert not intake_leases.others(session, "one", NOW).is_overdue
        assert (
            intake_leases.is_awaited(session, "one"),
            intake_leases.is_awaited(session, "two"),
        ) == (
            True,
            False,
        )


@pytest.mark.slow
@pytest.mark.every_case
def test_a_lease_is_not_deleted_while_a_letter_is_stored(shared_store: Store) -> None:
    with shared_store.write() as session:
        intake_leases.tell(session, "one", NOW, NOW, GONE)

    def give_up() -> None:
        with shared_store.write() as session:
            intake_leases.give_up(session, NOW)

    with shared_store.write() as session:
        assert intake_leases.is_awaited(session, "one")
        giving_up = Thread(target=give_up)
        giving_up.start()
        giving_up.join(timeout=0.3)
        assert giving_up.is_alive()
    giving_up.join(timeout=10)
    with shared_store.read() as session:
        assert intake_leases.owners(session) == frozenset()
