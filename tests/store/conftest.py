"""Stores to try the store on: in memory, in a file, and on a PostgreSQL server."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.store import Store
from tests.support.databases import ON_POSTGRESQL, Databases, Files

_SERVER = pytest.param("postgresql", marks=pytest.mark.live)
# What one worker asks is asked of SQLite first; where two meet, the servers differ most.
_AFTERWARDS = pytest.param("postgresql", marks=[pytest.mark.live, pytest.mark.slow])


@pytest.fixture(params=[_SERVER] if ON_POSTGRESQL else ["memory", "file", _AFTERWARDS])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """An empty store with all tables, one of each kind after the other."""
    made = _made(request, tmp_path)
    yield made
    made.close()


@pytest.fixture(params=[_SERVER] if ON_POSTGRESQL else ["file", _SERVER])
def shared_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """An empty store that several workers can use at the same moment."""
    made = _made(request, tmp_path)
    yield made
    made.close()


def _made(request: pytest.FixtureRequest, folder: Path) -> Store:
    if request.param == "postgresql":
        databases: Databases = request.getfixturevalue("databases")
        return databases.store(patience=5)
    files: Files = request.getfixturevalue("files")
    return files.in_memory() if request.param == "memory" else files.store(folder / "referee.db")
