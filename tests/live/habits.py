"""A proxy before an IMAP server that gives it the habits of other servers."""

import re
import socket
import socketserver
import threading
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from types import TracebackType

_SECONDS_BETWEEN = 0.02


@dataclass(frozen=True, slots=True)
class Habit:
    """How a server differs from the one behind the proxy.

    *before_idle* are lines that it sends before the ``+`` of IDLE, *in_idle* one that it sends
    again and again after it, and *last_in_idle* one after which it disconnects; with *ends_idle* it
    ends IDLE at once. *answers* are its tagged answers in place of executing a command that matches
    a pattern. With *renumbers* each SELECT has another UIDVALIDITY.

    It *hangs* at a command that matches this pattern, or after *stalls* octets, and sends nothing
    more. With *limit*, each command of a connection after so many is answered by *throttle*, which
    is tagged, or has a ``*`` and ends the connection. Only the first *connections* have the habit.
    """

    before_idle: bytes = b""
    in_idle: bytes = b""
    last_in_idle: bytes = b""
    ends_idle: bool = False
    answers: Mapping[bytes, bytes] = field(default_factory=dict)
    renumbers: bool = False
    hangs: bytes = b""
    stalls: int = 0
    limit: int = 0
    throttle: bytes = b""
    connections: int = 1_000_000


class HabitProxy:
    """Forwards everything to a local port but for a habit; counts connections and commands."""

    def __init__(self, target: int, habit: Habit) -> None:
        self.commands: Counter[str] = Counter()
        """How often each command came: ``IDLE``, ``UID SEARCH`` ..., and ``LOGIN``."""
        self.connections = 0
        self.repeated = 0
        """How often the line of *in_idle* was sent."""
        self._server = _Server(("127.0.0.1", 0), _Connection)
        self._server.proxy, self._server.target, self._server.habit = self, target, habit
        self.port = int(self._server.server_address[1])
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))

    def __enter__(self) -> "HabitProxy":
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
    habit: Habit
    proxy: HabitProxy


class _Connection(socketserver.StreamRequestHandler):
    server: _Server

    def handle(self) -> None:
        habit, proxy = self.server.habit, self.server.proxy
        proxy.connections += 1
        self._habit = habit if proxy.connections <= habit.connections else Habit()
        self._is_hanging, self._commands, self._octets = False, 0, 0
        self._lock = threading.Lock()
        self._idles = threading.Event()
        with socket.create_connection(("127.0.0.1", self.server.target)) as upstream:
            back = threading.Thread(target=self._answer, args=(upstream,))
            back.start()
            with suppress(OSError):
                while line := self.rfile.readline():
                    self._command(upstream, line)
            self._end(upstream)
            back.join()

    def _command(self, upstream: socket.socket, line: bytes) -> None:
        self._idles.clear()
        tag, _, command = line.strip().partition(b" ")
        verb = re.match(rb"(?:UID )?\w*", command)
        self.server.proxy.commands[verb[0].decode() if verb else ""] += 1
        self._commands += 1
        habit = self._habit
        if habit.hangs and re.match(habit.hangs, command or tag):
            self._is_hanging = True
        is_throttled = 0 < habit.limit < self._commands and command
        found = (answer for pattern, answer in habit.answers.items() if re.match(pattern, command))
        answer = habit.throttle if is_throttled else next(found, None)
        if answer is None:
            upstream.sendall(line)
        elif answer.startswith(b"*"):
            self._send(answer + b"\r\n")
            self._end(self.connection)
        else:
            self._send(tag + b" " + answer + b"\r\n")

    def _answer(self, upstream: socket.socket) -> None:
        habit = self._habit
        with suppress(OSError), upstream.makefile("rb") as answers:
            for line in answers:
                is_idle = line.startswith(b"+ idling")
                self._send(habit.before_idle + line if is_idle else self._renumbered(line))
                if is_idle and habit.last_in_idle:
                    self._send(habit.last_in_idle)
                    break
                if is_idle and habit.ends_idle:
                    upstream.sendall(b"DONE\r\n")
                if is_idle and habit.in_idle:
                    self._idles.set()
                    threading.Thread(target=self._repeat, daemon=True).start()
        self._end(self.connection)

    def _renumbered(self, line: bytes) -> bytes:
        if not self._habit.renumbers:
            return line
        number = b"%d" % (1000 + self.server.proxy.commands["SELECT"])
        return re.sub(rb"UIDVALIDITY \d+", b"UIDVALIDITY " + number, line)

    def _repeat(self) -> None:
        with suppress(OSError):
            while self._idles.is_set():
                self._send(self._habit.in_idle)
                self.server.proxy.repeated += 1
                threading.Event().wait(_SECONDS_BETWEEN)

    def _send(self, octets: bytes) -> None:
        with self._lock:
            self._octets += len(octets)
            self._is_hanging |= 0 < self._habit.stalls < self._octets
            if not self._is_hanging:
                self.wfile.write(octets)

    def _end(self, end: socket.socket) -> None:
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
