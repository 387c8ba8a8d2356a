"""A manual conversation with a line-based server."""

import socket
from types import TracebackType


class Wire:
    """A client that sends given lines and returns the answers."""

    def __init__(self, address: tuple[str, int] | str) -> None:
        family = socket.AF_UNIX if isinstance(address, str) else socket.AF_INET
        self._socket = socket.socket(family, socket.SOCK_STREAM)
        self._socket.settimeout(10)
        try:
            self._socket.connect(address)
        except OSError:
            self._socket.close()
            raise
        self._answers = self._socket.makefile("rb")

    def __enter__(self) -> "Wire":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._answers.close()
        self._socket.close()

    def say(self, *lines: bytes) -> None:
        """Send lines, each with its end."""
        self._socket.sendall(b"".join(line + b"\r\n" for line in lines))

    def hear(self) -> str:
        """Return the next answer, of several lines the last one."""
        while True:
            line = self._answers.readline()
            if not line:
                raise EOFError("the server hung up")
            if line[3:4] != b"-":
                return line.decode().rstrip("\r\n")

    def ask(self, line: bytes) -> str:
        """Send a line and return the answer."""
        self.say(line)
        return self.hear()
