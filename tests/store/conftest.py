"""Stores for the tests: in memory, in a file, and on a PostgreSQL server."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.store import Store
from tests.support.databases import ON_POSTGRESQL, Databases, Files

_SERVER = pytest.param("postgresql", marks=pytest.mark.live)
# Tests with one worker run on SQLite first; concurrent ones differ most between servers.
_AFTERWARDS = pytest.param("postgresql", marks=[pytest.mark.live, pytest.mark.slow])


@pytest.fixture(params=[_SERVER] if ON_POSTGRESQL else ["memory", "file", _AFTERWARDS])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """Return an empty migrated store, one of each kind in turn."""
    made = _made(request, tmp_path)
    yield made
    made.close()


@pytest.fixture(params=[_SERVER] if ON_POSTGRESQL else ["file", _SERVER])
def shared_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """Return an empty store that several workers can use concurrently."""
    made = _made(request, tmp_path)
    yield made
    made.close()


def _made(request: pytest.FixtureRequest, folder: Path) -> Store:
    if request.param == "postgresql":
        databases: Databases = request.getfixturevalue("databases")
        return databases.store(patience=5)
    files: Files = request.getfixturevalue("files")
    return files.in_memory() if request.param == "memory" else files.store(folder / "referee.db")
