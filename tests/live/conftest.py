"""Real servers for the tests marked ``live``, each empty or with names of its own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.live import dovecot as dovecot_server
from tests.live import postfix as postfix_server
from tests.live.chromium import Browser
from tests.live.chromium import chromium as opened
from tests.live.dovecot import Dovecot
from tests.live.playing import House, MailServers
from tests.live.postfix import Postfix


@pytest.fixture
def dovecot() -> Iterator[Dovecot]:
    """Return a Dovecot with empty mailboxes for everybody."""
    with dovecot_server.running() as server:
        yield server


@pytest.fixture
def postfix() -> Iterator[Postfix]:
    """Return a Postfix that relays for this machine, to the targets of ``route``."""
    with postfix_server.running() as server:
        yield server


@pytest.fixture(scope="session")
def mail_servers() -> Iterator[MailServers]:
    """Return a Postfix that delivers into the mailboxes of a Dovecot, for all tests of a run."""
    with dovecot_server.running() as dovecot, postfix_server.running() as postfix:
        postfix.route("*", dovecot.lmtp_port, "lmtp")
        yield MailServers(postfix, dovecot)


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Return a browser for all tests of a run."""
    with opened(tmp_path_factory.mktemp("chromium")) as browser:
        yield browser


@pytest.fixture
def browser(chromium: Browser) -> Iterator[Browser]:
    """Return that browser, in which nothing is left of the test."""
    yield chromium
    chromium.forget()


@pytest.fixture
def house(mail_servers: MailServers, tmp_path: Path) -> House:
    """Return a referee that is not running yet, with its players."""
    return House(mail_servers, tmp_path)
