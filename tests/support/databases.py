"""Fresh databases for tests, each a copy of one that was migrated once."""

import itertools
import os
import shutil
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from functools import cached_property
from pathlib import Path
from typing import Final

import psycopg
import pytest
from sqlalchemy import Connection, inspect

from referee.store import Store
from referee.store.database import schema
from tests.live.postgresql import Postgres

KIND: Final = os.environ.get("TEST_DATABASE", "sqlite")
"""The default database of tests: ``sqlite`` or ``postgresql``."""
_EMPTY: Final = """
DO $$
DECLARE name text;
BEGIN
    SET LOCAL session_replication_role = replica;
    FOR name IN SELECT tablename FROM pg_tables
        WHERE schemaname = 'public' AND tablename <> 'alembic_version'
    LOOP
        EXECUTE 'DELETE FROM ' || quote_ident(name);
    END LOOP;
    PERFORM setval(quote_ident(sequencename)::regclass, 1, false) FROM pg_sequences
        WHERE schemaname = 'public';
END $$
"""
"""Deletes all rows, in any sequence of the tables, and lets their numbers begin with 1."""
ON_POSTGRESQL: Final = KIND == "postgresql"
BOTH_KINDS: Final = (
    pytest.param("sqlite", marks=pytest.mark.sqlite("the other half is on a server")),
    pytest.param("postgresql", marks=[pytest.mark.live, pytest.mark.slow]),
)
"""The parameters of a test that makes a database of each kind itself."""


class Databases:
    """Creates databases in a server and drops them."""

    def __init__(self, server: Postgres) -> None:
        self._server = server
        self._numbers = itertools.count(1)
        self._free: list[Store] = []

    def make(self) -> str:
        """Create a database with all tables and no rows, and return its URL."""
        name = f"fresh{next(self._numbers)}"
        # Copying files is faster than the log, because nothing waits for the disk.
        self._say(f"CREATE DATABASE {name} TEMPLATE {self._template} STRATEGY FILE_COPY")
        return self._address(name)

    def drop(self, address: str) -> None:
        """Drop a database, even if it is in use; nothing if the server has stopped."""
        with suppress(psycopg.OperationalError):
            self._say(f"DROP DATABASE IF EXISTS {address.rpartition('/')[2]} WITH (FORCE)")

    def store(self, patience: float = 10.0) -> Store:
        """Return the store of a fresh database, which is dropped when the store is closed."""
        return _Passing(self.make(), self.drop, patience)

    def lent(self) -> Store:
        """Return a store without rows; closing it releases its database for the next one.

        Emptying a database takes a tenth of the time of making one, and compiled statements are
        kept.
        """
        kept = self._free.pop() if self._free else Store(self.make())
        with kept._engine.begin() as connection:
            connection.exec_driver_sql(_EMPTY)
        return _Lent(kept, self._free.append)

    def close(self) -> None:
        """Close the connections of the stores that are not in use."""
        for store in self._free:
            store.close()

    @cached_property
    def _template(self) -> str:
        store = Store(self._server.database("migrated"))
        store.migrate()
        store.close()
        return "migrated"

    def _address(self, name: str) -> str:
        return f"postgresql+psycopg://{self._server.user}@127.0.0.1:{self._server.port}/{name}"

    def _say(self, sentence: str) -> None:
        server = f"host=127.0.0.1 port={self._server.port} user={self._server.user}"
        with psycopg.connect(f"{server} dbname=postgres", autocommit=True) as connection:
            connection.execute(sentence.encode())


class Files:
    """Creates SQLite databases with all tables and no rows, in files and in memory."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "migrated.db"
        self._free: list[Store] = []

    def store(self, file: Path) -> Store:
        """Return the store of a new file."""
        shutil.copyfile(self._template, file)
        return Store(f"sqlite:///{file}")

    @cached_property
    def _template(self) -> Path:
        store = Store(f"sqlite:///{self._file}")
        store.migrate()
        store.close()
        return self._file

    def in_memory(self) -> Store:
        """Return a store in memory; closing it releases its connection for the next one.

        Statements compiled for a connection are kept, and most are used in every test.
        """
        kept = self._free.pop() if self._free else Store("sqlite://")
        _driver(kept).deserialize(self._tables)
        return _Lent(kept, self._free.append)

    @cached_property
    def _tables(self) -> bytes:
        # From Python 3.13 on, a connection that nobody closes is reported, in some later test.
        with closing(Store("sqlite://")) as store:
            store.migrate()
            return _driver(store).serialize()


def drawn_once(upgrade: Callable[[Connection], None]) -> Callable[[Connection], None]:
    """Return a migration that repeats the sentences which the first one left in a new SQLite file.

    Databases with tables, and on a server, are migrated as always, and so are those of a test with
    migrations of its own.
    """
    kept: dict[str, Sequence[str]] = {}

    def quickly(connection: Connection) -> None:
        place = f"{schema.scripts()} {schema.head()}"
        is_new = connection.dialect.name == "sqlite" and not inspect(connection).get_table_names()
        if is_new and place in kept:
            for sentence in kept[place]:
                connection.exec_driver_sql(sentence)
            return
        upgrade(connection)
        if is_new:
            kept[place] = _sentences(connection)

    return quickly


def _sentences(connection: Connection) -> Sequence[str]:
    drawn = connection.exec_driver_sql(
        "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%'"
    ).all()
    number = f"INSERT INTO alembic_version VALUES ('{schema.revision(connection)}')"
    return (*(sql for (sql,) in drawn), number)


def _driver(store: Store) -> sqlite3.Connection:
    database = store._engine.raw_connection().driver_connection
    assert isinstance(database, sqlite3.Connection)
    return database


class _Lent(Store):
    """A store with the connection of another one."""

    def __init__(self, kept: Store, give_back: Callable[[Store], None]) -> None:
        self.__dict__.update(kept.__dict__)
        self._kept: Store | None = kept
        self._give_back = give_back

    def close(self) -> None:
        """Release the connection, once."""
        kept, self._kept = self._kept, None
        if kept is not None:
            self._give_back(kept)


class _Passing(Store):
    """A store that drops its database when it is closed."""

    def __init__(self, address: str, drop: Callable[[str], None], patience: float) -> None:
        super().__init__(address, patience=patience)
        self._drop = drop

    def close(self) -> None:
        """Close all connections and drop the database."""
        super().close()
        self._drop(self.url.render_as_string())
