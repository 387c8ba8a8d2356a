"""A referee in its own process that reads one mailbox and reports its memory."""

import re
import sys
import threading
import time
from pathlib import Path

from referee.app import build
from referee.clock import now
from referee.daemon import Daemon
from referee.domain.mail_transfer import IncomingMail
from referee.settings import load
from referee.store.letter_states import InboxState
from referee.store.mail import inbox


def peak() -> int:
    """Return the peak memory of this process in bytes."""
    # getrusage would include the process that started this one.
    found = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
    assert found is not None
    return int(found[1]) * 1024


def main(settings: Path, letters: int) -> None:
    """Receive and read letters; print the memory beyond that for a small one in bytes."""
    app = build(load(settings))
    daemon = Daemon(app)
    app.accept(IncomingMail("pipe", "small", b"Subject: small\r\n\r\nx\r\n", now()))
    daemon.inbox.read_waiting(now())
    at_first = peak()
    stop = threading.Event()
    watching = threading.Thread(target=daemon.sources.watch, args=("games", stop, now))
    watching.start()
    try:
        while _read(daemon) < 1 + letters:
            time.sleep(0.02)
    finally:
        stop.set()
        watching.join()
    sys.stdout.write(f"{peak() - at_first}\n")
    app.close()


def _read(daemon: Daemon) -> int:
    daemon.inbox.read_waiting(now())
    with daemon.app.store.read() as session:
        states = inbox.counts(session)
    return sum(states.values()) - states[InboxState.WAITING]


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
