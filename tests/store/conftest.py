"""Stores to try the store on: in memory, in a file, and on a PostgreSQL server."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from referee.store import Store
from referee.store.models import Base
from tests.live.postgresql import Postgres


@pytest.fixture(scope="session")
def shared_postgres(postgres: Postgres) -> Iterator[Store]:
    """One migrated database for all tests; making one for each would take its time."""
    store = Store(postgres.database("shared"), patience=5)
    store.migrate()
    yield store
    store.close()


@pytest.fixture(params=["memory", "file", pytest.param("postgresql", marks=pytest.mark.live)])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """An empty store with all tables, one of each kind after the other."""
    if request.param == "postgresql":
        yield emptied(request.getfixturevalue("shared_postgres"))
        return
    made = Store("sqlite://" if request.param == "memory" else f"sqlite:///{tmp_path}/referee.db")
    made.migrate()
    yield made
    made.close()


@pytest.fixture(params=["file", pytest.param("postgresql", marks=pytest.mark.live)])
def shared_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """An empty store that several workers can use at the same moment."""
    if request.param == "postgresql":
        yield emptied(request.getfixturevalue("shared_postgres"))
        return
    made = Store(f"sqlite:///{tmp_path}/referee.db")
    made.migrate()
    yield made
    made.close()


def emptied(store: Store) -> Store:
    tables = ", ".join(table.name for table in Base.metadata.sorted_tables)
    with store.write() as session:
        session.execute(text(f"TRUNCATE {tables} RESTART IDENTITY CASCADE"))
    return store
