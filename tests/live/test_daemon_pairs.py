"""Two referees with one mailbox and one database at the same time.

The second one would be rejected on an SQLite file; here it runs without the lock, because claims
must be exclusive on a file, too: not every disk supports the lock.
"""

import uuid
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from tests.live.playing import House, MailServers
from tests.live.postgresql import Postgres
from tests.support.processes import Running

pytestmark = [pytest.mark.live, pytest.mark.slow]

LETTERS = 6
_FILE = pytest.param("sqlite", marks=pytest.mark.sqlite("two referees on a file"))


@pytest.fixture(params=[_FILE, "postgresql"])
def shared(request: pytest.FixtureRequest, mail_servers: MailServers, tmp_path: Path) -> House:
    """Return a site whose database is a file, or is on a server."""
    if request.param == "sqlite":
        return House(mail_servers, tmp_path)
    postgres: Postgres = request.getfixturevalue("postgres")
    address = postgres.database(f"shared{uuid.uuid4().hex}")
    return House(mail_servers, tmp_path, more=f'[database]\nurl = "{address}"\n')


def running(house: House) -> AbstractContextManager[Running]:
    """Run a referee without the instance lock."""
    return house.installation.running(
        ("-m", "tests.support.unlocked", str(house.installation.file))
    )


@pytest.mark.release
def test_two_referees_do_everything_once(shared: House) -> None:
    with shared.installation.running() as one:
        shared.begin("72 hours")
        one.stop()
    # They find many letters of each player at once, of which the last one counts.
    orders = shared.order(1, LETTERS)

    with running(shared) as one, running(shared) as other:
        shared.until_quiet()
        shared.finish(1)
        shared.until_quiet()
        logs = one.stop() + other.stop()
    assert "level=error" not in logs
    assert logs.count('event="turn resolved"') == 1
    assert logs.count('event="letter read"') == 2 * (LETTERS + 1)
    assert shared.sheets(1) == orders
    shared.check_mailboxes(turns=2)
    assert shared.done() == (0, sum(len(person.wrote) for person in shared.people))
    assert shared.command("replay", "SW-1").output == "SW-1: 1 turn resolved again, identical\n"
