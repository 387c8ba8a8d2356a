"""Metrics page for programs on this machine only."""

import logging
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Final

from referee.daemon.logs import line
from referee.daemon.metrics import CONTENT_TYPE

log = logging.getLogger(__name__)

HOST: Final = "127.0.0.1"
PATH: Final = "/metrics"
ADDRESS_FIELD: Final = "Referee-Address"
"""The field of an answer that has the address of the site, which tells two referees apart."""
REMEDY: Final = "stop the program that uses it, or set another port in [metrics]"


class MetricsPage:
    """Answers ``GET /metrics`` on a local port, in its own threads, once the port is free.

    Games and mail do not wait for it.
    """

    def __init__(self, port: int, address: str, text: Callable[[], str]) -> None:
        """Serve *text* for the site with the *address*; nothing listens yet."""
        self._port, self._address, self._text = port, address, text
        self._server: _Server | None = None
        self._is_failure_logged = False

    def keep_open(self) -> None:
        """Start listening, unless it does already; log only the first failure."""
        if self._server is not None:
            return
        try:
            self._server = _Server(self._port, self._address, self._text)
        except OSError as error:
            self._log_once(error)
            return
        Thread(target=self._server.serve_forever, name="metrics", daemon=True).start()
        log.info("%s", line("metrics page open", port=self._port))

    def close(self) -> None:
        """Stop listening."""
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()

    def _log_once(self, error: OSError) -> None:
        if not self._is_failure_logged:
            self._is_failure_logged = True
            event = "the metrics page cannot be opened; everything else works"
            log.error("%s", line(event, port=self._port, error=error.strerror, to_do=REMEDY))


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, port: int, address: str, text: Callable[[], str]) -> None:
        super().__init__((HOST, port), _Answer)
        self.address, self.text = address, text


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
        self.send_header(ADDRESS_FIELD, self.server.address)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Log nothing, because requests come every few seconds."""
