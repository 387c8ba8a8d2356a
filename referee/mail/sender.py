"""The interface of all mail transports."""

from collections.abc import Generator, Sequence
from typing import Protocol

from referee.domain.mail_transfer import Attempt, OutgoingMail


class Sender(Protocol):
    """A mail transport: SMTP or a Maildir."""

    def send(self, dispatches: Sequence[OutgoingMail]) -> Generator[Attempt]:
        """Try each letter once, and yield one attempt per letter, in order.

        The attempts are yielded while letters are sent, so that each can be recorded before the
        next is sent; closing the generator leaves the others unsent. Errors of the other side are
        attempts, not exceptions.
        """
        ...
