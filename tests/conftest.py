"""What tests of several folders share."""

from collections.abc import Iterator

import pytest

from tests.live import postgresql


@pytest.fixture(scope="session")
def postgres() -> Iterator[postgresql.Postgres]:
    """A PostgreSQL server for all tests of a run; each makes databases of its own in it."""
    with postgresql.running() as server:
        yield server
