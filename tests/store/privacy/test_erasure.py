"""Deletion of what is stored about a person: letters on their way, and those of other people."""

import pytest

from referee.domain.mail_transfer import Attempt, Delivery
from referee.errors import ClaimLost
from referee.store import Store
from referee.store.letter_states import InboxState, OutboxState
from referee.store.mail import outbox
from referee.store.models import InboxLetter, OutboxLetter
from referee.store.people import admissions, people
from referee.store.people.admissions import AdmissionState
from referee.store.privacy.erasure import erase
from referee.store.privacy.subject import subject_at, subject_of
from tests.store.rows import LEASE, NOW, a_game, a_letter, a_person, an_answer


def test_a_waiting_letter_is_not_sent_and_one_on_its_way_is_not_sent_again(store: Store) -> None:
    with store.write() as session:
        person = a_person(session)
        an_answer(session, "<1@here>")
        [being] = outbox.claim(session, "sender", NOW, LEASE, 10)
        an_answer(session, "<2@here>")
        attempt, fence = Attempt(outbox.dispatch(being), Delivery.DEFERRED, "later"), being.fence
        erase(session, subject_of(session, person), NOW, "print")
        [left] = session.query(OutboxLetter)
        assert (left.message_id, left.recipient, left.raw) == ("<1@here>", "", b"")
        assert left.state is OutboxState.SENT
        with pytest.raises(ClaimLost):
            outbox.record(session, attempt, fence, NOW)


def test_an_unread_letter_is_still_read_and_a_held_one_is_not(store: Store) -> None:
    with store.write() as session:
        person = a_person(session)
        held, unread = (a_letter(session, each, "frodo@there") for each in "12")
        held.state = InboxState.HELD
        other = a_letter(session, "3", "sam@there")
        erase(session, subject_of(session, person), NOW, "print")
        states = {each.id: (each.state, each.raw) for each in session.query(InboxLetter)}
        assert states[held.id] == (InboxState.IGNORED, b"")
        assert states[unread.id] == (InboxState.WAITING, b"F3T1P\r\n")
        assert states[other.id] == (InboxState.WAITING, b"F3T1P\r\n")
        assert held.sha256 != ""


def test_a_stranger_is_forgotten_by_address(store: Store) -> None:
    with store.write() as session:
        letter = a_letter(session, "1", "x@there")
        letter.state, letter.network = InboxState.HELD, "8.8.8.0/24"
        letter.note = "waits for a confirmation: It came from x@there."
        erase(session, subject_at(session, "X@There"), NOW, "")
        assert (letter.writer, letter.network, letter.raw, letter.note) == ("", "", b"", "")


def test_an_excluded_person_stays_excluded_by_their_number(store: Store) -> None:
    with store.write() as session:
        game, person = a_game(session), a_person(session)
        for state in AdmissionState:
            admissions.add(session, game, state, NOW, address="frodo@there", person=person)
        admissions.add(session, game, AdmissionState.EXCLUDED, NOW, address="frodo@there")
        erase(session, subject_of(session, person), NOW, "print")
        [left] = admissions.of(session, game)
        assert (left.state, left.address, left.person) == (AdmissionState.EXCLUDED, "", person)
        assert person.fingerprint == "print"


def test_a_person_in_no_game_leaves_no_fingerprint(store: Store) -> None:
    with store.write() as session:
        person = a_person(session)
        erase(session, subject_of(session, person), NOW, "print")
        assert (person.name, person.code_hash, person.fingerprint) == ("", b"", None)
        assert people.by_address(session, "frodo@there") is None
        assert a_person(session).id != person.id
