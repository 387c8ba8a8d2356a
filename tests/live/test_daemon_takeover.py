"""One mailbox, two referees: one reads it, and the other one takes over."""

import uuid
from pathlib import Path

import pytest

from referee.daemon.claim_owners import machine
from referee.store import Session
from referee.store.mail.mailboxes import MailboxLease
from tests.live.playing import House, MailServers, in_time
from tests.live.postgresql import Postgres
from tests.support.processes import Running

pytestmark = [pytest.mark.live, pytest.mark.own_database, pytest.mark.slow]


@pytest.fixture
def shared(mail_servers: MailServers, postgres: Postgres, tmp_path: Path) -> House:
    """Return a site whose database is on a server."""
    address = postgres.database(f"takeover{uuid.uuid4().hex}")
    return House(mail_servers, tmp_path, more=f'[database]\nurl = "{address}"\n')


@pytest.mark.release
def test_a_mailbox_is_taken_over_after_a_crash_and_after_a_stop(shared: House) -> None:
    with shared.installation.running() as one:
        in_time("the first one reads", lambda: _reader(shared) == _name(one))
        with shared.installation.running() as other:
            _ask(shared)
            assert _reader(shared) == _name(one)
            one.kill()
            _ask(shared)
            assert _reader(shared) == _name(other)
            with shared.installation.running() as third:
                _ask(shared)
                assert _reader(shared) == _name(other)
                other.stop()
                in_time("the third one reads", lambda: _reader(shared) == _name(third))
                _ask(shared)


def _ask(house: House) -> None:
    house.gm.write(house.address, "HELP\n")
    house.gm.until_answered()


def _reader(house: House) -> str | None:
    """Return the owner of the mailbox lease, or None."""

    def look(session: Session) -> str | None:
        held = session.get(MailboxLease, "imap:games")
        return None if held is None else held.owner

    return house.look(look)


def _name(referee: Running) -> str:
    return f"{machine()}:{referee.program.pid}"
