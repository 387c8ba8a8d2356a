"""What tests of several folders share."""

from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests.live import postgresql

# How long an example takes says nothing about whether it is right; a busy machine is slow.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


@pytest.fixture(scope="session")
def postgres() -> Iterator[postgresql.Postgres]:
    """A PostgreSQL server for all tests of a run; each makes databases of its own in it."""
    with postgresql.running() as server:
        yield server
