"""A referee in a program of its own that reads one mailbox and tells how much memory it took."""

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
from referee.store.mail import inbox
from referee.store.models import InboxState


def peak() -> int:
    """Give the most octets this program has held at once."""
    # getrusage would tell what the program that started this one held.
    found = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
    assert found is not None
    return int(found[1]) * 1024


def main(settings: Path, letters: int) -> None:
    """Take and read so many letters; write the octets that took beyond those of a small one."""
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
