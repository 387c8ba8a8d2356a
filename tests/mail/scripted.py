"""A mail server that follows a script, and can stop responding or disconnect."""

import socketserver
import threading
from collections.abc import Mapping, Sequence
from enum import Enum
from types import TracebackType


class Fault(Enum):
    """A failure of a server in place of an answer."""

    DROP = "drop"
    SILENCE = "silence"


Answer = str | Fault

_USUAL = {
    "GREETING": "220 ready",
    "EHLO": "250-test\r\n250-SIZE 10000000\r\n250 8BITMIME",
    "DATA": "354 go on",
    "QUIT": "221 bye",
}
_PIPELINING = "250-test\r\n250-PIPELINING\r\n250-SIZE 10000000\r\n250 8BITMIME"


class ScriptedSmtp:
    """An SMTP server with an answer for each command: GREETING, EHLO, MAIL, ..., DOT, QUIT.

    A command's answers are used one by one; then, and for other commands, the default is sent. With
    *pipelining*, it supports that, and answers MAIL only after RCPT and DATA have arrived.
    """

    def __init__(
        self, script: Mapping[str, Sequence[Answer]] | None = None, *, pipelining: bool = False
    ) -> None:
        self._script = {verb: list(answers) for verb, answers in (script or {}).items()}
        self.pipelining = pipelining
        self.commands: list[str] = []
        self.letters: list[bytes] = []
        self.sessions = 0
        self._server = _Server(("127.0.0.1", 0), _Connection)
        self._server.script = self
        self.port = int(self._server.server_address[1])
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))

    def __enter__(self) -> "ScriptedSmtp":
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

    def answer(self, verb: str) -> Answer:
        """Return the next answer to a command."""
        answers = self._script.get(verb)
        if answers:
            return answers.pop(0)
        hello = verb == "EHLO" and self.pipelining
        return _PIPELINING if hello else _USUAL.get(verb, "250 OK")


class _Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    script: ScriptedSmtp


class _Connection(socketserver.StreamRequestHandler):
    server: _Server
    timeout = 20

    def handle(self) -> None:
        script = self.server.script
        script.sessions += 1
        going_on = self._say("GREETING")
        while going_on and (line := self._line()):
            lines = [line]
            if script.pipelining and line.startswith("MAIL"):
                lines += [self._line(), self._line()]
            going_on = all(self._obey(each) for each in lines)

    def _obey(self, line: str) -> bool:
        """Answer a command; return whether the session continues."""
        script = self.server.script
        verb, _, rest = line.partition(":")
        # The case of the verbs depends on the client's Python version and does not matter.
        script.commands.append(f"{verb.upper()}:{rest}" if rest else line.lower())
        verb = line.split(" ")[0].upper()
        going_on = self._say(verb)
        if going_on and verb == "DATA" and self._last.startswith("354"):
            script.letters.append(self._letter())
            going_on = self._say("DOT")
        return going_on

    def _say(self, verb: str) -> bool:
        answer = self.server.script.answer(verb)
        if isinstance(answer, str):
            self._last = answer
            self.wfile.write(answer.encode() + b"\r\n")
            return verb != "QUIT"
        if answer is Fault.SILENCE:
            # The client gives up and disconnects; only then does a read end.
            while self._line():
                pass
        return False

    def _line(self) -> str:
        try:
            return self.rfile.readline().decode().rstrip("\r\n")
        except OSError:
            return ""

    def _letter(self) -> bytes:
        lines = []
        while (line := self.rfile.readline()) not in (b".\r\n", b""):
            lines.append(line)
        return b"".join(lines)
