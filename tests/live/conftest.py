"""Real servers for the tests marked ``live``: each test has its own, empty, or names of its own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.live import dovecot as dovecot_server
from tests.live import postfix as postfix_server
from tests.live.dovecot import Dovecot
from tests.live.playing import House, MailServers
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


@pytest.fixture(scope="session")
def mail_servers() -> Iterator[MailServers]:
    """A Postfix that brings every letter into a mailbox of a Dovecot, for all tests of a run."""
    with dovecot_server.running() as dovecot, postfix_server.running() as postfix:
        postfix.route("*", dovecot.lmtp_port, "lmtp")
        yield MailServers(postfix, dovecot)


@pytest.fixture
def house(mail_servers: MailServers, tmp_path: Path) -> House:
    """A referee that is not running yet, in the midst of people."""
    return House(mail_servers, tmp_path)
