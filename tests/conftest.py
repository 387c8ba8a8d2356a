"""What tests of several folders share."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from hypothesis import settings

from referee.testing.conversation import Conversation
from tests.live import postgresql
from tests.support.databases import ON_POSTGRESQL, Databases, Files
from tests.support.outsiders import Outsiders

# What is tested there is pure: a database of its own for each test would be in vain.
_PURE: Final = frozenset({"domain", "letters", "parsing", "reports", "rules", "rulesets", "mail"})

# Begun last, the tests that wait for servers, processes and the clock would end last, one by one.
_LONG: Final = {"live", "test_service.py", "test_workers.py", "exactly_once", "soak", "testing"}

# How long an example takes says nothing about whether it is right; a busy machine is slow.
# make test asks for few examples, what says nothing gets all.
settings.register_profile("few", deadline=None, max_examples=10)
settings.register_profile("all", deadline=None)
settings.load_profile("all")


@pytest.fixture(scope="session")
def postgres() -> Iterator[postgresql.Postgres]:
    """A PostgreSQL server for all tests of a run; each makes databases of its own in it."""
    with postgresql.running() as server:
        yield server


@pytest.fixture(scope="session")
def databases(postgres: postgresql.Postgres) -> Databases:
    """What makes a fresh database in a moment."""
    return Databases(postgres)


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """What makes a fresh SQLite database in a moment."""
    return Files(tmp_path_factory.mktemp("migrated"))


@pytest.fixture(scope="session", autouse=True)
def _stores_of_conversations(request: pytest.FixtureRequest) -> None:
    """Let every conversation keep its rows in a database of its own."""
    if ON_POSTGRESQL:
        databases: Databases = request.getfixturevalue("databases")
        Conversation.new_store = staticmethod(databases.store)
    else:
        files: Files = request.getfixturevalue("files")
        Conversation.new_store = staticmethod(files.in_memory)


@pytest.fixture(autouse=ON_POSTGRESQL)
def _installation_on_postgresql(
    request: pytest.FixtureRequest, databases: Databases, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """Let the installation of a test have a database of its own, whatever its settings say."""
    names_one = request.node.get_closest_marker("own_database") is not None
    if names_one or request.path.relative_to(Path(__file__).parent).parts[0] in _PURE:
        yield
        return
    address = databases.make()
    monkeypatch.setenv("REFEREE_DATABASE__URL", address)
    yield
    databases.drop(address)


def pytest_xdist_auto_num_workers() -> int:
    """Run one test more than there are cores: at any moment about one waits."""
    return len(os.sched_getaffinity(0)) + 1


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest tests, and leave those of SQLite itself out on PostgreSQL."""
    items.sort(key=_is_short)
    for item in items:
        if ON_POSTGRESQL and (mark := item.get_closest_marker("sqlite")) is not None:
            item.add_marker(pytest.mark.skip(reason=f"about SQLite: {mark.args[0]}"))


def _is_short(item: pytest.Item) -> bool:
    return not {*item.path.relative_to(Path(__file__).parent).parts} & {*_LONG}


@pytest.fixture
def outsiders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Outsiders:
    """Give a folder for packages of other authors, empty."""
    folder = tmp_path / "site"
    folder.mkdir()
    return Outsiders(folder, monkeypatch)
