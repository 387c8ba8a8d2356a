"""Prepared statements: each database does what SQLAlchemy would have it do."""

import pytest
from sqlalchemy import Executable, Select, Update, bindparam, column, insert, select, text, update

from referee.errors import StoreOutdated
from referee.store import Store
from referee.store.database.compiled_statements import Prepared
from referee.store.database.dialect import table
from referee.store.models import InboxLetter, InboxState
from tests.store.rows import NOW, a_letter

LETTERS = table(InboxLetter)
LETTER = {
    "source": "smtp",
    "source_id": "2",
    "sha256": "",
    "raw": b"F3T1P\r\n" * 100,
    "arrived_at": NOW,
    "asked": {"shown": ["F3T1P"]},
    "state": InboxState.HELD,
}


@Prepared
def _asking() -> Select[InboxState]:
    letters = LETTERS.c
    columns = letters.source_id, letters.state, letters.arrived_at, letters.raw, letters.asked
    return select(*columns, letters.attempts).order_by(letters.id)


@Prepared
def _keeping() -> Executable:
    return insert(LETTERS).returning(LETTERS.c.id)


@Prepared
def _writing() -> Update:
    return update(LETTERS).where(LETTERS.c.source_id == bindparam("which"))


def test_what_is_written_is_read_again(store: Store) -> None:
    with store.write() as session:
        ((number,),) = _keeping.rows(session, LETTER)
        letter = session.get_one(InboxLetter, number)
        assert (letter.state, letter.arrived_at, letter.raw) == (
            InboxState.HELD,
            NOW,
            LETTER["raw"],
        )
        assert (letter.asked, letter.fence) == (LETTER["asked"], 0)
        (row,) = _asking.rows(session, {})
    assert list(row) == ["2", InboxState.HELD, NOW, LETTER["raw"], LETTER["asked"], 0]


def test_it_writes_the_columns_that_are_named(store: Store) -> None:
    with store.write() as session:
        _keeping.rows(session, LETTER)
        for values in ({"attempts": 3}, {"state": InboxState.READ, "asked": None}):
            assert not _writing.rows(session, {"which": "2", **values})
        row = _asking.first(session, {})
    assert row is not None
    assert (row[1], row[4], row[5]) == (InboxState.READ, None, 3)


def test_it_meets_what_objects_became_just_before(store: Store) -> None:
    with store.write() as session:
        a_letter(session).attempts = 2
        row = _asking.first(session, {})
    assert row is not None
    assert row[5] == 2


def test_many_rows_are_written_in_one_go(store: Store) -> None:
    keeping = Prepared(lambda: insert(LETTERS))
    with store.write() as session:
        keeping.each(session, [LETTER, LETTER | {"source_id": "3"}])
        assert [row[0] for row in _asking.rows(session, {})] == ["2", "3"]


def test_a_complaint_of_the_database_is_ours(store: Store) -> None:
    missing = Prepared(lambda: select(column("name")).select_from(text("hobbits")))
    with pytest.raises(StoreOutdated), store.read() as session:
        missing.rows(session, {})
