"""Real servers for the tests marked ``live``: each test has its own, empty."""

from collections.abc import Iterator

import pytest

from tests.live import dovecot as dovecot_server
from tests.live import postfix as postfix_server
from tests.live.dovecot import Dovecot
from tests.live.postfix import Postfix


@pytest.fixture
def dovecot() -> Iterator[Dovecot]:
    """A Dovecot with empty mailboxes for everybody."""
    with dovecot_server.running() as server:
        yield server


@pytest.fixture
def postfix() -> Iterator[Postfix]:
    """A Postfix that relays for this machine; where to is said with ``route``."""
    with postfix_server.running() as server:
        yield server
