"""Metrics page for programs on this machine only."""

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
    """Answers ``GET /metrics`` on a local port, in its own threads."""

    def __init__(self, port: int, text: Callable[[], str]) -> None:
        """Start listening. Raises ResourceError if the port is in use."""
        try:
            self._server = _Server(port, text)
        except OSError as error:
            what = f"metrics: port {port} cannot be opened: {error.strerror}"
            remedy = "choose another port, or stop the program that uses it"
            raise ResourceError(Finding(what, remedy, "setting", "metrics.port")) from error
        Thread(target=self._server.serve_forever, name="metrics", daemon=True).start()

    def close(self) -> None:
        """Stop listening."""
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
        """Log nothing, because requests come every few seconds."""
