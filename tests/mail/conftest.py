"""Fixtures for several tests of mail sources and transports."""

import pytest

from tests.support import ports


@pytest.fixture
def free_port() -> int:
    """Return a loopback port that is free."""
    return ports.free_port()
