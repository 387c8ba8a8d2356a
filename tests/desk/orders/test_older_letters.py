"""Letters that a mail server gives later than newer ones: the newest orders stay on file."""

from datetime import timedelta

from referee.domain.mail_transfer import IncomingMail
from tests.attacks.siege import FRODO, Siege


class Delayed(Siege):
    """A siege whose mail server gives letters long after they arrived there."""

    behind = timedelta()

    def _arrive(self, raw: bytes, recipient: str, sender: str = "") -> None:
        self._arrivals += 1
        number, arrived_at = str(self._arrivals), self.now - self.behind
        self._accept(IncomingMail("test", number, raw, arrived_at, sender, recipient))
        self._step()


def test_orders_that_arrived_before_those_on_file_are_asked_about() -> None:
    siege = Delayed()
    siege.later(hours=2)
    siege.reply(FRODO, "ENDING 1003\n", "T1")
    siege.behind = timedelta(hours=1)
    siege.reply(FRODO, "ENDING 1001\n", "T1")
    assert siege.orders() == ["ENDING 1003"]
    assert "because your email arrived before the one with the sheet on file" in " ".join(
        siege.last(FRODO).text.split()
    )
    siege.behind = timedelta()
    siege.reply(FRODO, "YES\n")
    assert siege.orders() == ["ENDING 1001"]


def test_orders_that_arrived_after_those_on_file_are_filed() -> None:
    siege = Delayed()
    siege.later(hours=2)
    siege.behind = timedelta(hours=1)
    siege.reply(FRODO, "ENDING 1001\n", "T1")
    siege.behind = timedelta(minutes=59)
    siege.reply(FRODO, "ENDING 1002\n", "T1")
    assert siege.orders() == ["ENDING 1002"]


def test_a_sheet_of_a_moment_that_has_not_come_yet_is_no_newer_one() -> None:
    siege = Delayed()
    siege.behind = -timedelta(days=1)
    siege.reply(FRODO, "ENDING 1001\n", "T1")
    siege.behind = timedelta()
    siege.reply(FRODO, "ENDING 1002\n", "T1")
    assert siege.orders() == ["ENDING 1002"]
