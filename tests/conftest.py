"""Fixtures for the tests of several folders."""

import gc
import hashlib
import os
import sys
from collections import defaultdict
from collections.abc import Collection, Generator, Iterable, Iterator
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Final

import pytest
from hypothesis import settings

from referee.store.database import migrating
from referee.testing.conversation import Conversation
from tests.live import postgresql
from tests.support import same_sql
from tests.support.databases import ON_POSTGRESQL, Databases, Files, drawn_once
from tests.support.outsiders import Outsiders

# The code tested there is pure, so a database for each test would be a waste.
_PURE: Final = frozenset({"domain", "letters", "parsing", "reports", "rules", "rulesets", "mail"})

# These tests wait for servers, processes and the clock. If they began last, they would end last,
# one by one.
_LONG: Final = {
    *("live", "exactly_once", "soak", "testing"),
    *("test_service.py", "test_workers.py", "test_conversations.py", "test_plans.py"),
    *(
        "test_ruleset_authors.py",
        "test_benchmarks.py",
        "test_upgrade.py",
        "test_unwritable_disk.py",
    ),
}

# The tests that use the database most. Those of the store, and the live ones, run on a server, too.
_STORING: Final = frozenset({"desk", "daemon", "cli", "doctor", "test_conversations.py"})

# The tests that PostgreSQL repeats, if not all.
_REPEATED: Final = same_sql.enough() if same_sql.FILE and ON_POSTGRESQL else frozenset()

# The time of an example is not a test: a busy machine is slow. make test and CI use few examples;
# without a profile, all are used, as before a release.
settings.register_profile("few", deadline=None, max_examples=10)
settings.register_profile("all", deadline=None)
settings.load_profile("all")


@pytest.fixture(scope="session")
def postgres() -> Iterator[postgresql.Postgres]:
    """Start a PostgreSQL server for all tests of a run; each makes its own databases in it."""
    with postgresql.running() as server:
        yield server


@pytest.fixture(scope="session")
def databases(postgres: postgresql.Postgres) -> Iterator[Databases]:
    """Yield a source of fresh databases that are made quickly."""
    with closing(Databases(postgres)) as made:
        yield made


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """Return a source of fresh SQLite databases that are made quickly."""
    return Files(tmp_path_factory.mktemp("migrated"))


@pytest.fixture(scope="session", autouse=True)
def _stores_of_conversations(request: pytest.FixtureRequest) -> None:
    """Keep the rows of every conversation in its own database."""
    if ON_POSTGRESQL:
        databases: Databases = request.getfixturevalue("databases")
        Conversation.new_store = staticmethod(databases.lent)
    else:
        files: Files = request.getfixturevalue("files")
        Conversation.new_store = staticmethod(files.in_memory)


@pytest.fixture(scope="session", autouse=True)
def _tables_and_hashes() -> Iterator[None]:
    """Draw the tables of SQLite once in a run, and compute the hash of each security code once.

    The codes of all conversations are the same.
    """
    with pytest.MonkeyPatch.context() as once:
        once.setattr(migrating, "upgrade_within", drawn_once(migrating.upgrade_within))
        once.setattr(hashlib, "scrypt", cache(hashlib.scrypt))
        yield


@pytest.fixture(autouse=ON_POSTGRESQL)
def _installation_on_postgresql(
    request: pytest.FixtureRequest, databases: Databases, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """Set up the installation of a test with its own database, whatever its settings contain.

    A test without a folder of its own has no installation.
    """
    names_one = request.node.get_closest_marker("own_database") is not None
    has_folder = any(name.startswith("tmp_path") for name in request.fixturenames)
    if names_one or not has_folder or _place(request.node) in _PURE:
        yield
        return
    address = databases.make()
    monkeypatch.setenv("REFEREE_DATABASE__URL", address)
    yield
    databases.drop(address)


def pytest_xdist_auto_num_workers() -> int:
    """Run one test more than there are cores, because at any time about one test waits."""
    return len(os.sched_getaffinity(0)) + 1


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest tests; on PostgreSQL, leave out those of SQLite and repeated SQL."""
    choose_for_ci(items)
    items.sort(key=_is_short)
    for item in items if ON_POSTGRESQL else ():
        if (mark := item.get_closest_marker("sqlite")) is not None:
            item.add_marker(pytest.mark.skip(reason=f"about SQLite: {mark.args[0]}"))
    if _REPEATED:
        if missing := _REPEATED - {item.nodeid for item in items}:
            raise pytest.UsageError(f"TEST_SQL has tests that are not here: {sorted(missing)}")
        items[:] = [item for item in items if item.nodeid in _REPEATED]


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave out each file of which PostgreSQL repeats no test, if it repeats only some."""
    files = {Path(__file__).parents[1] / each.partition("::")[0] for each in _REPEATED}
    is_left_out = bool(files) and collection_path.is_file() and collection_path not in files
    return True if is_left_out else None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Keep the SQL of each test that PostgreSQL can repeat, if TEST_SQL names a file."""
    is_kept = same_sql.FILE and not ON_POSTGRESQL and _place(item) in _STORING
    if not is_kept or item.get_closest_marker("sqlite") is not None:
        return (yield)
    with same_sql.noted(item.nodeid):
        return (yield)


def choose_for_ci(items: list[pytest.Item]) -> None:
    """Mark what is slow, and what of it is for a release: CI plays the rest of the slow ones.

    What is for a release is slow, and so are the cases of a sampled test but for the first. Of the
    slow cases of a test all but the last are for a release, unless every_case is needed; one that
    can be skipped, or may fail, is not the last.
    """
    for item in _with(items, "release"):
        item.add_marker(pytest.mark.slow)
    for cases in _by_test(_with(items, "sampled")):
        for item in cases[1:]:
            item.add_marker(pytest.mark.slow)
    marks = ("release", "every_case", "skip", "skipif", "xfail")
    others = {item for mark in marks for item in _with(items, mark)}
    for cases in _by_test(item for item in _with(items, "slow") if item not in others):
        for item in cases[:-1]:
            item.add_marker(pytest.mark.release)


def _with(items: list[pytest.Item], mark: str) -> list[pytest.Item]:
    return [item for item in items if item.get_closest_marker(mark) is not None]


def _by_test(items: Iterable[pytest.Item]) -> Collection[list[pytest.Item]]:
    """Return the cases of each test, in their order."""
    cases = defaultdict[str, list[pytest.Item]](list)
    for item in items:
        cases[item.nodeid.partition("[")[0]].append(item)
    return cases.values()


def _place(item: pytest.Item) -> str:
    """Return the folder or the file of the tests that the test is in."""
    return item.path.relative_to(Path(__file__).parent).parts[0]


# Nearly all that is made until the first test lives as long as the run: modules, collected tests.
gc.disable()


def pytest_collection_finish() -> None:
    """Spare the garbage collector what lives as long as the run."""
    gc.freeze()
    gc.enable()
    gc.set_threshold(20_000, 20, 20)


def _is_short(item: pytest.Item) -> bool:
    return not {*item.path.relative_to(Path(__file__).parent).parts} & {*_LONG}


@pytest.fixture
def outsiders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Outsiders:
    """Return an empty folder for packages of other authors."""
    # A module rewritten within a second, with as many octets, would be read as it was compiled.
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    folder = tmp_path / "site"
    folder.mkdir()
    return Outsiders(folder, monkeypatch)
