"""``python -m tests.benchmarks.sink FILE``: a mail server that records arrival times."""

import socketserver
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO


@dataclass(frozen=True, slots=True)
class Taken:
    """A letter that the server accepted."""

    at: float
    recipient: str
    message_id: str
    answers: str
    """The Message-ID of the letter it answers, or a minus sign."""


class Log:
    """The log of a server, each line of which is read once."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._read = 0
        self._taken: list[Taken] = []

    def taken(self) -> list[Taken]:
        """Return the letters accepted so far."""
        with self._file.open("rb") as file:
            file.seek(self._read)
            whole, end, _ = file.read().rpartition(b"\n")
        self._read += len(whole) + len(end)
        rows = (line.split(" ") for line in whole.decode().splitlines())
        self._taken += [Taken(float(at), *words) for at, *words in rows]
        return self._taken


def taken(file: Path) -> list[Taken]:
    """Return the letters that a server has recorded so far."""
    return Log(file).taken()


class _Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = 100
    log: BinaryIO


class _Session(socketserver.StreamRequestHandler):
    """Accepts every letter, and answers several commands in one packet."""

    server: _Server
    # Like a real mail server, so that an answer never waits for an acknowledgement.
    disable_nagle_algorithm = True

    def handle(self) -> None:
        """Answer commands until the other side disconnects."""
        self._say("220 sink")
        recipient = ""
        while line := self.rfile.readline():
            command = line[:4].upper()
            if command == b"EHLO":
                self._say("250-sink\r\n250 PIPELINING")
            elif command == b"RCPT":
                recipient = line.partition(b"<")[2].partition(b">")[0].decode()
                self._say("250 yes")
            elif command == b"DATA":
                self._say("354 go on")
                self._take(recipient)
            elif command == b"QUIT":
                self._say("221 bye")
                return
            else:
                self._say("250 yes")

    def _take(self, recipient: str) -> None:
        found = {b"message-id": b"-", b"in-reply-to": b"-"}
        while (line := self.rfile.readline()) not in (b"\r\n", b""):
            name, _, value = line.partition(b":")
            if (name := name.lower()) in found:
                found[name] = value.strip() or b"-"
        while (line := self.rfile.readline()) != b".\r\n":
            if not line:
                return
        words = b" ".join((f"{time.time():.3f} {recipient}".encode(), *found.values()))
        self.server.log.write(words + b"\n")
        self._say("250 taken")

    def _say(self, answer: str) -> None:
        self.wfile.write(f"{answer}\r\n".encode())


def main(file: Path) -> None:
    """Serve until killed; the port is the first line of stdout."""
    with _Server(("127.0.0.1", 0), _Session) as server, file.open("ab", buffering=0) as log:
        server.log = log
        sys.stdout.write(f"{server.server_address[1]}\n")
        sys.stdout.flush()
        server.serve_forever()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
