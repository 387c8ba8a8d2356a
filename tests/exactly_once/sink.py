"""A mail server in its own process that stores every letter as a file."""

import multiprocessing
import socket
import socketserver
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def running(folder: Path) -> Iterator[int]:
    """Run a server that stores letters in *folder*, which can disappear; yield its port."""
    with socketserver.TCPServer(("127.0.0.1", 0), _Session) as server:
        server.folder = folder  # type: ignore[attr-defined]  # the way to a session's settings
        child = multiprocessing.get_context("fork").Process(target=server.serve_forever)
        child.start()
        # A child that dies must not leave the server waiting on another child's connection.
        server.socket.close()
        yield int(server.server_address[1])
        child.kill()
        child.join()


class _Session(socketserver.StreamRequestHandler):
    """Accepts everything, and stores a letter before it acknowledges it."""

    timeout = 20

    def handle(self) -> None:
        """Answer commands until the other side disconnects."""
        self._say("220 sink")
        while line := self._line():
            command = line[:4].upper()
            self._say("354 go on" if command == b"DATA" else "250 yes")
            if command == b"DATA":
                if not self._keep():
                    return
                self._say("250 taken")
            if command == b"QUIT":
                return

    def _keep(self) -> bool:
        """Store a letter, unless its end is missing."""
        lines: list[bytes] = []
        while (line := self._line()) != b".\r\n":
            if not line:
                return False
            lines.append(line[1:] if line.startswith(b".") else line)
        folder: Path = self.server.folder  # type: ignore[attr-defined]  # given in running()
        number = sum(1 for _ in folder.iterdir())
        (folder / f"{number:08}").write_bytes(b"".join(lines))
        return True

    def _line(self) -> bytes:
        try:
            return self.rfile.readline()
        except (ConnectionError, TimeoutError):
            return b""

    def _say(self, answer: str) -> None:
        try:
            self.connection.sendall(f"{answer}\r\n".encode())
        except ConnectionError:
            # A killed client gets no answer, but its letter is stored.
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\0" * 8)
