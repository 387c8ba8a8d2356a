"""A mail server that stops responding after a letter gets the same letter again."""

from collections import Counter
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from referee.daemon import Daemon
from referee.mail.security import Security
from referee.mail.smtp import SmtpSender
from referee.testing.correspondents import Received
from tests.exactly_once.house import House
from tests.exactly_once.play import STEPS
from tests.mail.scripted import Fault, ScriptedSmtp


@pytest.mark.slow
@pytest.mark.parametrize("fault", list(Fault))
def test_silence_after_a_letter_causes_at_most_one_copy(tmp_path: Path, fault: Fault) -> None:
    house = House(tmp_path / "house")
    for step in STEPS[:2]:
        house.post(step)
        if step is STEPS[0]:
            house.serve(step)
    with ScriptedSmtp({"DOT": ["250 OK", fault]}) as server:
        sender = SmtpSender("127.0.0.1", server.port, Security.NONE, timeout_seconds=0.5)
        daemon = Daemon(replace(house.app, sender=sender))
        now = STEPS[1].now
        daemon.step(now)
        for _ in range(5):
            daemon.send(now)
            now += timedelta(minutes=1)
    house.app.close()
    taken = Counter(Received(raw).message_id for raw in server.letters)
    # One of them tells the operator of the hour between the two steps.
    assert sorted(taken.values()) == [1, 1, 1, 1, 1, 2]
    # The copy has the same bytes, so the readers' mail programs recognize it.
    assert len(set(server.letters)) == len(taken)
