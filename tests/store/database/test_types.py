"""Column types: values survive a round trip, and long letters are compressed."""

from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import text
from sqlalchemy.dialects import sqlite

from referee.store import Store
from referee.store.database.base import Packed
from referee.store.mail import inbox
from tests.store.rows import a_letter

DIALECT = sqlite.dialect()


@given(st.binary(max_size=3000))
def test_bytes_survive_a_round_trip(octets: bytes) -> None:
    packed = Packed()
    stored = packed.process_bind_param(octets, DIALECT)
    assert packed.process_result_value(stored, DIALECT) == octets


def test_a_letter_is_stored_compressed_and_read_whole(store: Store) -> None:
    raw = b"From: <frodo@shire.example>\r\n\r\n" + b"> W12 (3,4,5) [FRODO] (Homeworld)\r\n" * 500
    with store.write() as session:
        letter = a_letter(session)
        letter.raw = raw
        number = letter.id
    with store.read() as session:
        found = inbox.by_id(session, number)
        assert found is not None
        assert found.raw == raw
        stored = session.execute(text("SELECT length(raw) FROM inbox")).scalar_one()
    assert stored < len(raw) / 10
