"""Letters that reach a real mailbox seconds before a deadline, and are then delayed."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.live.gate import Gate
from tests.live.playing import SEATS, House, MailServers, in_time

pytestmark = [pytest.mark.live, pytest.mark.slow]

LOOKING = timedelta(seconds=4)
"""Longer than a readable mailbox needs after a deadline."""


@pytest.fixture
def gate(mail_servers: MailServers) -> Iterator[Gate]:
    """Return a gate between the referee and its mailbox."""
    with Gate(mail_servers.dovecot.imap_port) as gate:
        yield gate


@pytest.fixture
def house(mail_servers: MailServers, gate: Gate, tmp_path: Path) -> House:
    """Return a referee that reads its mailbox through the gate."""
    return House(mail_servers, tmp_path, imap=gate.port)


@pytest.mark.release
@pytest.mark.parametrize("is_killed", [False, True], ids=["waiting", "killed meanwhile"])
def test_a_turn_waits_for_letters_in_the_mailbox(
    house: House, gate: Gate, *, is_killed: bool
) -> None:
    with house.installation.running() as referee:
        house.begin("8 seconds")
        house.take_time()
        deadline = house.look(lambda session: house.game(session).deadline_at)
        assert deadline is not None
        # The connection hangs, and neither side knows, so these letters are not announced.
        gate.shut()
        orders = house.order(1)
        assert datetime.now(UTC) < deadline
        in_time("the deadline has passed", lambda: datetime.now(UTC) > deadline + LOOKING)
        assert house.look(lambda session: house.game(session).turn) == 1
        if is_killed:
            referee.kill()
        else:
            gate.open()
            _look(house, orders)
    if is_killed:
        with house.installation.running():
            in_time("it has called", lambda: gate.callers > 1)
            assert house.look(lambda session: house.game(session).turn) == 1
            gate.open()
            _look(house, orders)


def _look(house: House, orders: object) -> None:
    for seat in SEATS:
        house.report(seat, 2)
    house.until_quiet()
    assert house.sheets(1) == orders
    house.check_mailboxes(turns=2)
