"""An LMTP receiver in its own process that reports its memory."""

import sys

from referee.mail.smtpd import MailProtocol, Receiver
from tests.live.heavy import peak
from tests.mail.samples import clock


def main() -> None:
    """Print the port, and when stdin ends, how much the peak memory grew in bytes."""
    receiver = Receiver(bool, clock=clock, recipients=bool, protocol=MailProtocol.LMTP)
    receiver.start()
    at_first = peak()
    sys.stdout.write(f"{receiver.port}\n")
    sys.stdout.flush()
    sys.stdin.read()
    receiver.stop()
    sys.stdout.write(f"{peak() - at_first}\n")


if __name__ == "__main__":
    main()
