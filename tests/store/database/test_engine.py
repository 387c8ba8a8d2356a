"""Transactions: what commits, what rolls back, and how errors are raised."""

import errno
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from referee.domain.mail_transfer import IncomingMail
from referee.errors import (
    SettingsError,
    StoreBusy,
    StoreOutdated,
    StoreUnreachable,
    StoreUnwritable,
)
from referee.store import Store
from referee.store.mail import inbox, intake_leases
from referee.store.models import InboxLetter
from referee.store.people import people
from tests.store.rows import GONE, LEASE, NOW, a_game, a_letter, a_person
from tests.support.databases import Databases


def test_committed_rows_stay(store: Store) -> None:
    with store.write() as session:
        a_person(session)
    with store.read() as session:
        frodo = people.by_address(session, "frodo@there")
    assert frodo is not None
    assert (frodo.name, frodo.created_at) == ("Frodo", NOW)


def _break_off(store: Store) -> None:
    with store.write() as session:
        a_person(session)
        raise LookupError


def test_an_exception_rolls_back(store: Store) -> None:
    with pytest.raises(LookupError):
        _break_off(store)
    with store.read() as session:
        assert people.by_address(session, "frodo@there") is None


def test_a_reader_cannot_write(store: Store) -> None:
    with pytest.raises(StoreUnwritable), store.read() as session:
        a_person(session)
    with store.write() as session:
        assert people.by_address(session, "frodo@there") is None
        a_person(session)


def test_no_statement_is_compiled_again(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path}/referee.db")
    store.migrate()
    for transaction in (store.write, store.read, store.write, store.read):
        with transaction() as session:
            people.by_address(session, "frodo@there")
    with store.read() as session:
        options = session.scalars(text("PRAGMA compile_options")).all()
        if "ENABLE_STMTVTAB" not in options:
            pytest.skip("this SQLite does not count it")
        asked = "SELECT sum(reprep) FROM sqlite_stmt WHERE sql LIKE '%FROM people%'"
        assert session.scalar(text(asked)) == 0
    store.close()


@pytest.mark.slow
@pytest.mark.every_case
def test_a_reader_sees_one_moment(shared_store: Store) -> None:
    with shared_store.read() as reading:
        assert people.by_address(reading, "frodo@there") is None
        with shared_store.write() as writing:
            a_person(writing)
        assert people.by_address(reading, "frodo@there") is None


def test_foreign_keys_are_checked(store: Store) -> None:
    with pytest.raises(Exception, match=r"(?i)foreign key"), store.write() as session:
        a_letter(session).game_id = 77


def test_moments_keep_their_zone(store: Store) -> None:
    with store.write() as session:
        number = a_letter(session).id
    with store.read() as session:
        row = session.execute(text("SELECT arrived_at FROM inbox")).scalar_one()
        assert str(row).startswith("2026-09-17 21:04:00")
        assert session.get_one(InboxLetter, number).arrived_at == NOW


def test_a_naive_moment_is_rejected(store: Store) -> None:
    with pytest.raises(Exception, match="without zone"), store.write() as session:
        a_game(session).deadline_at = NOW.replace(tzinfo=None)


def test_a_lock_held_too_long_is_busy(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path}/referee.db", patience=0.05)
    store.migrate()
    with closing(sqlite3.connect(tmp_path / "referee.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusy), store.write() as session:
            a_person(session)
        with store.read() as session:
            assert people.by_address(session, "frodo@there") is None
    store.close()


def test_a_missing_folder_cannot_be_written(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path}/nowhere/referee.db")
    with pytest.raises(StoreUnwritable):
        store.migrate()


def test_a_full_disk_is_reported_and_nothing_is_lost(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path}/referee.db")
    store.migrate()
    with store.write() as session:
        a_letter(session, "1")
        # All transactions here share one connection, which keeps the limit.
        pages = session.execute(text("PRAGMA page_count")).scalar_one()
        session.execute(text(f"PRAGMA max_page_count={pages}"))
    with pytest.raises(StoreUnwritable, match="full"), store.write() as session:
        inbox.insert(session, IncomingMail("smtp", "2", os.urandom(1_000_000), NOW))
    with store.write() as session:
        session.execute(text("PRAGMA max_page_count=1000000"))
        assert a_letter(session, "2").id == 2
    store.close()


def test_missing_tables_are_outdated(tmp_path: Path) -> None:
    (tmp_path / "referee.db").touch()
    store = Store(f"sqlite:///{tmp_path}/referee.db")
    with pytest.raises(StoreOutdated), store.read() as session:
        people.by_address(session, "frodo@there")
    store.close()


def test_a_server_that_does_not_answer_is_unreachable() -> None:
    store = Store("postgresql+psycopg://referee@127.0.0.1:1/referee")
    with pytest.raises(StoreUnreachable), store.read() as session:
        people.by_address(session, "frodo@there")


@pytest.mark.parametrize("url", ["referee.db", "mysql://localhost/referee", "nonsense://x/y", ""])
def test_an_invalid_database_url_is_rejected(url: str) -> None:
    with pytest.raises(SettingsError):
        Store(url)


def test_a_power_failure_loses_no_letter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "referee.db"
    store = Store(f"sqlite:///{file}")
    store.migrate()
    flushed: list[tuple[str, int]] = []

    def flush(number: int) -> None:
        # During the wait for the disk, others can read the new data, and can write.
        with closing(sqlite3.connect(file, isolation_level=None, timeout=0)) as other:
            other.execute("BEGIN IMMEDIATE")
            (people_there,) = other.execute("SELECT count(*) FROM people").fetchone()
        flushed.append((os.readlink(f"/proc/self/fd/{number}"), people_there))

    monkeypatch.setattr(os, "fdatasync", flush)
    for name in ("frodo", "sam"):
        with store.write() as session:
            a_person(session, f"{name}@shire.example")
    assert [(f"{file}-wal", 1), (f"{file}-wal", 2)] == flushed
    store.close()


def test_a_full_disk_is_reported_although_the_row_exists(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(f"sqlite:///{tmp_path}/referee.db")
    store.migrate()

    def refuse(_number: int) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(os, "fdatasync", refuse)
    with pytest.raises(StoreUnwritable, match="disk: cannot write"), store.write():
        pass
    store.close()


def test_a_database_behind_a_link_is_flushed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "link.db").symlink_to(tmp_path / "referee.db")
    store = Store(f"sqlite:///{tmp_path}/link.db")
    store.migrate()
    flushed: list[str] = []
    monkeypatch.setattr(
        os, "fdatasync", lambda number: flushed.append(os.readlink(f"/proc/self/fd/{number}"))
    )
    with store.write():
        pass
    assert flushed == [f"{tmp_path}/referee.db-wal"]
    store.close()


def test_sqlite_does_not_wait_for_the_disk_with_a_log(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path}/referee.db")
    store.migrate()
    with store.read() as session:
        pragmas = [
            session.execute(text(f"PRAGMA {name}")).scalar_one()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        ]
    assert pragmas == ["wal", 1, 1]
    store.close()


def test_a_claim_is_visible_and_does_not_wait_for_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(f"sqlite:///{tmp_path}/referee.db")
    store.migrate()
    waits: list[int] = []
    monkeypatch.setattr(os, "fdatasync", waits.append)
    with store.claim() as session:
        a_person(session, "frodo@shire.example")
    assert not waits
    store.close()
    again = Store(f"sqlite:///{tmp_path}/referee.db")
    with again.read() as session:
        assert people.by_address(session, "frodo@shire.example") is not None
    again.close()


def test_a_single_statement_is_committed(shared_store: Store) -> None:
    with shared_store.statement() as session:
        a_person(session, "frodo@there")
    with shared_store.read() as session:
        assert people.by_address(session, "frodo@there") is not None


@pytest.mark.live
@pytest.mark.own_database
def test_a_frozen_claim_does_not_block_other_referees(databases: Databases) -> None:
    frozen = databases.store(patience=0.2)
    other = Store(frozen.url.render_as_string(hide_password=False))
    with frozen.claim() as session:
        intake_leases.tell(session, "frozen", NOW, NOW, GONE)

    def give_up_while_frozen() -> None:
        with frozen.claim() as session:
            intake_leases.tell(session, "frozen", NOW, NOW, LEASE)
            with other.claim() as waiting:
                intake_leases.give_up(waiting, NOW)

    with pytest.raises(StoreUnreachable, match="idle-in-transaction"):
        give_up_while_frozen()
    with frozen.read() as session:
        assert intake_leases.owners(session) == frozenset()
    other.close()
    frozen.close()
