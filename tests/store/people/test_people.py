"""People and mailbox cursors: stored once, and kept."""

from referee.store import Session, Store
from referee.store.mail import mailboxes
from referee.store.people import people
from tests.store.rows import NOW, a_person


def test_a_person_is_found_by_address_in_any_case(store: Store) -> None:
    with store.write() as session:
        frodo = a_person(session, "Frodo@There")
        assert frodo.address == "frodo@there"
        assert people.by_address(session, "FRODO@THERE") is frodo
        assert people.by_id(session, frodo.id) is frodo
        assert people.by_address(session, "sam@there") is None


def test_the_signing_address_is_that_of_the_person_with_either_address(store: Store) -> None:
    with store.write() as session:
        frodo = a_person(session, "frodo@there")
        frodo.second_address = "frodo@bagend"
        session.flush()
        assert people.signs(session, "Frodo@There") == ""
        people.note_signature(session, "frodo@there")
        session.flush()
        assert people.signs(session, "frodo@bagend") == "frodo@there"
        assert people.signs(session, "sam@there") is None


def test_the_number_of_an_account_counts_nobody(store: Store) -> None:
    with store.write() as session:
        drawn = [enrolled(session, b"key", f"p{number}") for number in range(40)]
        assert drawn != sorted(drawn)
        assert all(100_000 <= account < 1_000_000 for account in drawn)


def test_the_first_account_has_another_number_on_another_site(store: Store) -> None:
    with store.write() as session:
        first = enrolled(session, b"key", "first")
        session.delete(people.by_id(session, 1))
        session.flush()
        assert enrolled(session, b"another key", "first") != first


def test_a_number_that_is_taken_is_drawn_again(store: Store) -> None:
    with store.write() as session:
        first = enrolled(session, b"key", "first")
        session.delete(people.by_id(session, 1))
        session.flush()
        other = a_person(session)
        other.account, other.id = first, 0
        session.flush()
        assert enrolled(session, b"key", "again") != first


def enrolled(session: Session, key: bytes, name: str) -> int:
    """Add a person, and return the number of the account."""
    address = f"{name}@there"
    return people.enrol(
        session, address=address, name="", zone="UTC", account_key=key, now=NOW
    ).account


def test_a_known_person_is_not_changed(store: Store) -> None:
    with store.write() as session:
        frodo = a_person(session)
        frodo.name = "Mr Underhill"
        assert a_person(session) is frodo
        assert frodo.name == "Mr Underhill"


def test_a_cursor_never_decreases(store: Store) -> None:
    with store.write() as session:
        assert mailboxes.cursor(session, "imap:games") is None
        read = [
            mailboxes.advance(session, "imap:games", *to).last_uid
            for to in ((7, 12), (7, 5), (7, 13))
        ]
    assert read == [12, 12, 13]


def test_a_different_uidvalidity_is_a_different_mailbox(store: Store) -> None:
    last = 2**32 - 1
    with store.write() as session:
        mailboxes.advance(session, "imap:games", 7, last)
        mailboxes.advance(session, "imap:other", 7, 4)
        mailboxes.advance(session, "imap:games", last, 1)
    with store.read() as session:
        games, other = (mailboxes.cursor(session, f"imap:{name}") for name in ("games", "other"))
    assert games is not None
    assert (games.uidvalidity, games.last_uid) == (last, 1)
    assert other is not None
    assert (other.uidvalidity, other.last_uid) == (7, 4)
