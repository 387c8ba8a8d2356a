"""An HTTPS server on localhost that takes call-outs, as a program of its own.

It answers by the path: ``/ok`` with 204, ``/404`` with that status, ``/moved`` with a redirect to
``/ok``, ``/silent`` never, ``/slow`` a byte at a time. Every request is a line of JSON in a file.
"""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.mail.samples import server_context
from tests.support.ports import free_port


@dataclass(frozen=True, slots=True)
class HookServer:
    """A running server; *seen* has the requests so far, in their order."""

    port: int
    log: Path

    def url(self, path: str) -> str:
        return f"https://localhost:{self.port}{path}"

    @property
    def seen(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.log.read_text().splitlines()]


@contextmanager
def hook_server(folder: Path) -> Iterator[HookServer]:
    """Run the server; its file is in *folder*."""
    server = HookServer(free_port(), folder / "hooks.log")
    server.log.touch()
    command = [sys.executable, "-m", "tests.support.hook_server", str(server.port), str(server.log)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "ready\n"
        yield server
        program.kill()


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        head = {name.lower(): value for name, value in self.headers.items()}
        with Path(sys.argv[2]).open("a") as log:
            log.write(json.dumps({"path": self.path, "head": head, "body": body}) + "\n")
        if self.path == "/silent":
            time.sleep(60)
        elif self.path == "/slow":
            for _ in range(60):
                self.wfile.write(b"H")
                time.sleep(0.1)
        elif self.path == "/moved":
            self.send_response(307)
            self.send_header("Location", "/ok")
            self.end_headers()
        else:
            self.send_response(204 if self.path.startswith("/ok") else int(self.path[1:]))
            self.end_headers()

    def log_message(self, *_words: object) -> None:
        """Write no log."""


def _serve() -> None:
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), _Handler)
    server.daemon_threads = True
    server.socket = server_context().wrap_socket(server.socket, server_side=True)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    server.serve_forever()


if __name__ == "__main__":
    _serve()
