"""What every way out has in common."""

from collections.abc import Generator, Sequence
from typing import Protocol

from referee.domain.mail_transfer import Attempt, OutgoingMail


class Sender(Protocol):
    """A way out: SMTP or a Maildir."""

    def send(self, dispatches: Sequence[OutgoingMail]) -> Generator[Attempt]:
        """Try each letter once and tell what became of it, one attempt per dispatch, in order.

        The attempts come one by one while the letters go, so that each can be recorded before the
        next is sent; closing the generator keeps the others here. The other side's troubles are
        attempts, never exceptions.
        """
        ...
