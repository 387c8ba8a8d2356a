"""A connection to a server that is cut at a chosen command."""

import socket
import socketserver
import threading
from types import TracebackType


class CuttingProxy:
    """Forwards everything to a local port, but cuts the first connection at its *n*-th command.

    With *after*, the server still gets that command, and only its answer is lost.
    """

    def __init__(self, target: int, n: int, *, after: bool) -> None:
        self.was_cut = False
        self._server = _Server(("127.0.0.1", 0), _Connection)
        self._server.target, self._server.left, self._server.after = target, n, after
        self._server.proxy = self
        self.port = int(self._server.server_address[1])
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))

    def __enter__(self) -> "CuttingProxy":
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


class _Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    target: int
    left: int
    after: bool
    proxy: CuttingProxy


class _Connection(socketserver.StreamRequestHandler):
    server: _Server

    def handle(self) -> None:
        with socket.create_connection(("127.0.0.1", self.server.target)) as upstream:
            back = threading.Thread(target=self._answers, args=(upstream,))
            back.start()
            self._commands(upstream)
            upstream.shutdown(socket.SHUT_RDWR)
            back.join()

    def _commands(self, upstream: socket.socket) -> None:
        while line := self._line():
            self.server.left -= 1
            is_last = self.server.left == 0
            if is_last:
                self.server.proxy.was_cut = True
                self.connection.shutdown(socket.SHUT_RDWR)
            if not is_last or self.server.after:
                upstream.sendall(line)
            if is_last:
                # The server has time to execute the command before its connection is cut, too.
                upstream.settimeout(0.2)
                return

    def _line(self) -> bytes:
        try:
            return self.rfile.readline()
        except OSError:
            return b""

    def _answers(self, upstream: socket.socket) -> None:
        try:
            while octets := upstream.recv(65536):
                self.connection.sendall(octets)
        except OSError:
            return
