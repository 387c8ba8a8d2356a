"""Stores to try the store on: in memory, in a file, and on a PostgreSQL server."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from referee.store import Store
from tests.support.databases import ON_POSTGRESQL, Databases, Files

_SERVER = pytest.param("postgresql", marks=pytest.mark.live)


def _kinds(*kinds: str) -> Sequence[Any]:
    return [_SERVER] if ON_POSTGRESQL else [*kinds, _SERVER]


@pytest.fixture(params=_kinds("memory", "file"))
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """An empty store with all tables, one of each kind after the other."""
    made = _made(request, tmp_path)
    yield made
    made.close()


@pytest.fixture(params=_kinds("file"))
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
