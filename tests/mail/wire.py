"""A conversation by hand with a server that speaks in lines."""

import socket
from types import TracebackType


class Wire:
    """A client that says what it is told and shows the answers."""

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
        """Give the next answer, its last line when it has several."""
        while True:
            line = self._answers.readline()
            if not line:
                raise EOFError("the server hung up")
            if line[3:4] != b"-":
                return line.decode().rstrip("\r\n")

    def ask(self, line: bytes) -> str:
        """Send a line and give the answer."""
        self.say(line)
        return self.hear()
