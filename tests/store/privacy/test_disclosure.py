"""What is stored about a person: no table is left out, and nothing of others is in it."""

from sqlalchemy import insert

from referee.store import Store
from referee.store.database.base import Base
from referee.store.mail import inbox
from referee.store.models import InboxLetter
from referee.store.people import address_changes, admissions
from referee.store.people.address_changes import ChangeKind, ChangeState
from referee.store.people.admissions import AdmissionState
from referee.store.privacy.disclosure import NOT_PERSONAL, SECTIONS, disclose
from referee.store.privacy.subject import subject_at, subject_of
from tests.store.rows import NOW, a_game, a_letter, a_person, an_answer

ADDRESSES = ("address", "recipient", "sender", "writer", "left", "person")
"""Words in the name of a column that holds an address or a person."""


def test_every_table_is_shown_or_has_nothing_of_a_person() -> None:
    shown = {section.table for section in SECTIONS}
    assert shown & set(NOT_PERSONAL) == set()
    assert shown | set(NOT_PERSONAL) == set(Base.metadata.tables)


def test_a_table_without_a_person_has_neither_a_person_nor_an_address() -> None:
    for name in NOT_PERSONAL:
        columns = Base.metadata.tables[name].columns
        assert [c.name for c in columns if any(word in c.name for word in ADDRESSES)] == []
        keys = {key.target_fullname for column in columns for key in column.foreign_keys}
        assert "people.id" not in keys


def test_a_letter_that_counts_for_another_player_is_not_shown(store: Store) -> None:
    with store.write() as session:
        frodo, sam = a_person(session), a_person(session, "sam@there")
        mine, forged = (a_letter(session, each, "frodo@there") for each in "12")
        inbox.by_id(session, mine.id).holder_id = frodo.id  # type: ignore[union-attr]
        inbox.by_id(session, forged.id).holder_id = sam.id  # type: ignore[union-attr]
        session.flush()
        found = disclose(session, subject_of(session, frodo))
        assert [letter["text"] for letter in found["inbox"]] == ["F3T1P\r\n"]
        # A deputy writes for the seat of Sam, who does not read the deputy's own words.
        assert "inbox" not in disclose(session, subject_of(session, sam))


def test_no_number_that_counts_the_emails_of_others_is_shown(store: Store) -> None:
    with store.write() as session:
        person = a_person(session)
        letter = a_letter(session, "1", "frodo@there")
        letter.receipt, letter.note = 3, "confirmed by email #17: change 5 done"
        an_answer(session)
        found = disclose(session, subject_of(session, person))
        (shown,), (answer,) = found["inbox"], found["outbox"]
        assert (shown["receipt"], shown["note"]) == (3, "confirmed by email: change done")
        assert "id" not in {*shown, *answer}


def test_the_newest_texts_are_shown_up_to_a_limit(store: Store) -> None:
    with store.write() as session:
        for source_id in "123":
            a_letter(session, source_id, "frodo@there")
        found = disclose(session, subject_at(session, "Frodo@There"), 8)
        assert [letter["text"] is None for letter in found["inbox"]] == [True, False, False]
        found = disclose(session, subject_at(session, "frodo@there"), 0)
        assert {letter["text"] for letter in found["inbox"]} == {None}


def test_the_network_that_handed_a_letter_over_is_shown(store: Store) -> None:
    with store.write() as session:
        person = a_person(session)
        a_letter(session, "1", "frodo@there").network = "8.8.8.0/24"
        session.flush()
        found = disclose(session, subject_of(session, person))
        assert [row["network"] for row in found["inbox"]] == ["8.8.8.0/24"]


def test_an_excluded_person_does_not_learn_of_the_game(store: Store) -> None:
    with store.write() as session:
        game, person = a_game(session), a_person(session)
        admissions.add(session, game, AdmissionState.EXCLUDED, NOW, person=person)
        assert "admissions" not in disclose(session, subject_of(session, person))
        admissions.add(session, game, AdmissionState.ALLOWED, NOW, address="frodo@there")
        found = disclose(session, subject_of(session, person))
        assert [row["state"] for row in found["admissions"]] == ["allowed"]


def test_the_code_of_a_person_is_never_shown(store: Store) -> None:
    with store.write() as session:
        person = a_person(session)
        an_answer(session)
        found = disclose(session, subject_of(session, person))
        assert [row["address"] for row in found["people"]] == ["frodo@there"]
        assert "code_hash" not in found["people"][0]
        assert found["outbox"][0]["text"] == "1 order read\r\n"


def test_letters_to_an_earlier_owner_of_the_address_are_not_shown(store: Store) -> None:
    with store.write() as session:
        a_letter(session, "1", "frodo@there")
        moved = {
            "person_id": a_person(session, "bilbo@there").id,
            "kind": "RECORD",
            "address": "bilbo@there",
            "left": "frodo@there",
            "state": "DONE",
        }
        times = dict.fromkeys(("asked_at", "expires_at", "wished_at", "proved_at"), NOW)
        later = {**times, "proved_at": NOW.replace(year=2027)}
        session.execute(insert(Base.metadata.tables["address_changes"]), {**moved, **later})
        now = subject_of(session, a_person(session))
        assert "inbox" not in disclose(session, now)
        assert session.query(InboxLetter).count() == 1


def test_letters_to_an_earlier_second_address_are_the_persons_too(store: Store) -> None:
    with store.write() as session:
        person = a_person(session)
        change = address_changes.ask(
            session, person, ChangeKind.SECOND, "frodo@old", now=NOW, expires=NOW
        )
        assert subject_of(session, person).addresses == ["frodo@there"]
        change.state = ChangeState.DONE
        session.flush()
        assert subject_of(session, person).addresses == ["frodo@there", "frodo@old"]
