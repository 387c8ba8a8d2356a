"""Address change requests: one of each kind waits, and addresses stay unique."""

from datetime import timedelta

from referee.store import Session, Store
from referee.store.models import Person
from referee.store.people import address_changes, people
from referee.store.people.address_changes import ChangeKind, ChangeState
from tests.store.rows import NOW

WEEK = timedelta(days=7)


def a_person(session: Session, address: str) -> Person:
    return people.enrol(session, address=address, name="", zone="UTC", account_key=b"key", now=NOW)


def test_a_later_request_replaces_an_earlier_one_of_its_kind(store: Store) -> None:
    with store.write() as session:
        frodo = a_person(session, "frodo@shire.example")
        wishes = [
            address_changes.ask(session, frodo, kind, address, now=NOW, expires=NOW + WEEK)
            for kind, address in (
                (ChangeKind.RECORD, "one@x.example"),
                (ChangeKind.SECOND, "two@x.example"),
                (ChangeKind.RECORD, "three@x.example"),
            )
        ]
        assert [wish.state for wish in wishes] == [
            ChangeState.REPLACED,
            ChangeState.WAITING,
            ChangeState.WAITING,
        ]
        assert address_changes.waiting(session, frodo) == wishes[1:]
        assert not address_changes.has_expired(session, NOW + WEEK - timedelta(seconds=1))
        assert address_changes.expired(session, NOW + WEEK) == wishes[1:]
        asked = [(frodo, "two@x.example"), (frodo, "four@x.example")]
        assert [address_changes.has_asked(session, *each, NOW - WEEK) for each in asked] == [
            True,
            False,
        ]
        assert not address_changes.has_asked(session, *asked[0], NOW)


def test_a_primary_address_is_found_before_a_second_one(store: Store) -> None:
    with store.write() as session:
        frodo, sam = (a_person(session, f"{name}@shire.example") for name in ("frodo", "sam"))
        frodo.second_address = sam.address
        session.flush()
        assert people.by_address(session, "SAM@shire.example") == sam
        frodo.second_address = "frodo@second.example"
        session.flush()
        assert people.by_address(session, "Frodo@second.example") == frodo
        assert address_changes.is_taken(session, "frodo@second.example", but_for=sam)
        assert not address_changes.is_taken(session, "frodo@second.example", but_for=frodo)
