"""A gate before a server: while shut, it accepts connections but forwards nothing."""

import socket
import socketserver
import threading
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType

_LOOK_SECONDS = 0.05


class Gate:
    """Forwards everything to a local port while open, and holds everything while shut."""

    def __init__(self, target: int) -> None:
        self._server = _Server(("127.0.0.1", 0), _Connection)
        self._server.target = target
        self.port = int(self._server.server_address[1])
        self._thread = threading.Thread(target=self._server.serve_forever, args=(_LOOK_SECONDS,))

    @property
    def callers(self) -> int:
        """Return the number of connections so far."""
        return self._server.callers

    @property
    def is_open(self) -> bool:
        """Return whether data passes."""
        return self._server.is_open.is_set()

    def open(self) -> None:
        """Forward all data, including held data."""
        self._server.shut_after = b""
        self._server.is_open.set()

    def shut(self) -> None:
        """Hold all data from now on."""
        self._server.is_open.clear()

    def cut(self) -> None:
        """Close all connections, discard held data, and open."""
        self._server.cuts += 1
        self.open()

    def shut_after(self, words: bytes) -> None:
        """Shut after a client has sent *words*: the server gets them, but its answer is held."""
        self._server.shut_after = words

    def __enter__(self) -> "Gate":
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.ended.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


class _Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    block_on_close = False
    target: int
    callers = cuts = 0
    shut_after = b""

    def __init__(self, address: tuple[str, int], kind: type[socketserver.BaseRequestHandler]):
        self.is_open = threading.Event()
        self.is_open.set()
        self.ended = threading.Event()
        super().__init__(address, kind)


class _Connection(socketserver.BaseRequestHandler):
    server: _Server

    def handle(self) -> None:
        self.server.callers += 1
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.server.target)) as far:
            back = threading.Thread(target=self._pass, args=(far, self.request, _nothing))
            back.start()
            self._pass(self.request, far, self._watch)
            back.join()

    def _pass(
        self, near: socket.socket, far: socket.socket, watch: Callable[[bytes], object]
    ) -> None:
        cuts = self.server.cuts
        with suppress(OSError):
            while (octets := near.recv(65536)) and self._may_pass(cuts):
                watch(octets)
                far.sendall(octets)
        # When one side disconnects, disconnect the other.
        for end in (near, far):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _may_pass(self, cuts: int) -> bool:
        """Wait until the gate is open; return whether the connection lasts so long."""
        while not self.server.is_open.wait(_LOOK_SECONDS):
            if self.server.ended.is_set():
                return False
        return self.server.cuts == cuts

    def _watch(self, octets: bytes) -> None:
        words = self.server.shut_after
        if words and octets.endswith(words):
            self.server.is_open.clear()


def _nothing(_octets: bytes) -> None:
    return
