"""The page of metrics, which only programs on this machine can ask for."""

from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Final

from referee.daemon.metrics import CONTENT_TYPE
from referee.errors import Finding, ResourceError

HOST: Final = "127.0.0.1"
PATH: Final = "/metrics"


class MetricsPage:
    """Answers ``GET /metrics`` on a port of this machine, in threads of its own."""

    def __init__(self, port: int, text: Callable[[], str]) -> None:
        """Begin to listen. Raises ResourceError when the port is taken."""
        try:
            self._server = _Server(port, text)
        except OSError as error:
            what = f"metrics cannot be offered on port {port}: {error.strerror}"
            remedy = "choose another port, or stop the program that listens there"
            raise ResourceError(Finding(what, remedy, "setting", "metrics.port")) from error
        Thread(target=self._server.serve_forever, name="metrics", daemon=True).start()

    def close(self) -> None:
        """Listen no more."""
        self._server.shutdown()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, port: int, text: Callable[[], str]) -> None:
        super().__init__((HOST, port), _Answer)
        self.text = text


class _Answer(BaseHTTPRequestHandler):
    timeout = 10
    server: _Server

    def do_GET(self) -> None:
        """Answer with all metrics."""
        if self.path != PATH:
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        body = self.server.text().encode()
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", CONTENT_TYPE)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing: who asks every few seconds is no news."""
