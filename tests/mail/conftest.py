"""What several tests of the ways in and out need."""

import socket

import pytest


@pytest.fixture
def free_port() -> int:
    """A loopback port that nobody used a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
