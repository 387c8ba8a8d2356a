"""Seats that several people want: an answer in time counts, and only one person gets the seat."""

from datetime import datetime, timedelta

import pytest

from referee.domain.mail_transfer import IncomingMail
from referee.store.models import SeatRow
from tests.attacks.siege import FRODO, Siege

BILBO, MERRY = "bilbo@rivendell.example", "merry@buckland.example"


class Vacancy(Siege):
    """A game whose seat FRODO is vacant and offered to Bilbo; Merry is next."""

    def __init__(self) -> None:
        super().__init__()
        for standby in (BILBO, MERRY):
            self.write(standby, "STANDBY ALL\n")
            self.reply(standby, "CONFIRM\n", "confirm")
        self.reply(FRODO, "RESIGN\n", "T1")
        self.reply(FRODO, "CONFIRM\n", "confirm")

    def post(self, address: str, words: str, body: str, at: datetime) -> None:
        """Receive a reply at a given time, without reading it yet."""
        answered = self.last(address, words)
        raw = self.person(address).reply(answered, body, at, {})
        self._arrivals += 1
        self._accept(IncomingMail("test", str(self._arrivals), raw, at, "", answered.reply_to))

    def read(self) -> None:
        """Read the letters that have arrived."""
        self._step()

    @property
    def holder(self) -> str | None:
        with self.store.read() as session:
            row = session.query(SeatRow).filter_by(name="FRODO").one()
            return row.person.address if row.person is not None else None


@pytest.mark.slow
def test_an_answer_that_was_in_time_counts_however_late_it_is_read() -> None:
    vacancy = Vacancy()
    asked = vacancy.now
    vacancy.later(days=2)
    assert "is available" in vacancy.last(MERRY).subject
    vacancy.post(BILBO, "is available", "TAKEOVER\n", asked + timedelta(hours=1))
    vacancy.read()
    assert vacancy.holder == BILBO
    assert "is no longer available" in vacancy.last(MERRY).subject


@pytest.mark.slow
def test_an_answer_that_was_too_late_waits_for_the_next() -> None:
    vacancy = Vacancy()
    vacancy.later(days=2)
    vacancy.post(BILBO, "is available", "TAKEOVER\n", vacancy.now)
    vacancy.read()
    assert vacancy.holder is None
    vacancy.post(MERRY, "is available", "TAKEOVER\n", vacancy.now)
    vacancy.read()
    assert vacancy.holder == MERRY


def test_a_standby_who_declined_cannot_take_a_seat_offered_to_another() -> None:
    vacancy = Vacancy()
    vacancy.reply(BILBO, "DECLINE\n", "is available")
    vacancy.reply(BILBO, "TAKEOVER\n", "is available")
    assert "is no longer available" in vacancy.last(BILBO).subject
    assert vacancy.holder is None


@pytest.mark.slow
def test_if_two_confirm_at_the_same_moment_one_gets_the_seat() -> None:
    vacancy = Vacancy()
    vacancy.reply(BILBO, "DECLINE\n", "is available")
    vacancy.reply(MERRY, "DECLINE\n", "is available")
    for standby in (MERRY, BILBO):
        vacancy.write(standby, "TAKEOVER SW-1\n")
    for standby in (MERRY, BILBO):
        vacancy.post(standby, "confirm: ", "CONFIRM\n", vacancy.now)
    vacancy.read()
    assert vacancy.holder == MERRY
    assert "is no longer available" in vacancy.last(BILBO).subject
    # The newcomer gets one welcome, and nobody else gets any.
    welcomes = [sent.recipient for sent in vacancy.mailed if b"you now play FRODO" in sent.raw]
    assert welcomes == [MERRY]
