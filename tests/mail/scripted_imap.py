"""An IMAP server with one mailbox and scripted failures of real servers."""

import base64
import re
import socketserver
import threading
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta, timezone
from types import TracebackType

from tests.mail.scripted import Answer, Fault

ARRIVAL = datetime(2026, 9, 17, 20, 59, tzinfo=timezone(timedelta(hours=2)))
_FETCHED = re.compile(r"FETCH ([\d,]+) \((.*)\)")
_PARTIAL = re.compile(r"<0\.(\d+)>")
_MOVED = re.compile(r"MOVE ([\d,]+) (.*)")


class ScriptedImap:
    """A server for LOGIN, AUTHENTICATE, LIST, CREATE, SELECT, and UID SEARCH, FETCH and MOVE.

    *script* has replacements for the default answer by verb: ``NO words``, or a failure; each is
    used once, and None is the default answer. The argument of AUTHENTICATE is in ``proofs``.
    Letters in *choking* end the connection when they are fetched; letters in *bodiless* have no
    content; the server says that those in *understated* have one byte. While it ``is_closed``,
    every command ends the connection.
    """

    def __init__(
        self,
        letters: Mapping[int, bytes],
        script: Mapping[str, Sequence[Answer | None]] | None = None,
        *,
        choking: Sequence[int] = (),
        bodiless: Sequence[int] = (),
        understated: Sequence[int] = (),
    ) -> None:
        self.inbox = dict(letters)
        self.greeting = b"* OK [CAPABILITY IMAP4rev1 MOVE] ready\r\n"
        self.is_closed = False
        self.moved: list[int] = []
        self.commands: list[str] = []
        self.proofs: list[str] = []
        self.choking, self.bodiless = set(choking), set(bodiless)
        self.understated = set(understated)
        self._script = {verb: list(answers) for verb, answers in (script or {}).items()}
        self._server = _Server(("127.0.0.1", 0), _Connection)
        self._server.mailbox = self
        self.port = int(self._server.server_address[1])
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))

    def __enter__(self) -> "ScriptedImap":
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

    def instead(self, verb: str) -> Answer | None:
        """Return the replacement for the default answer, or None."""
        if self.is_closed:
            return Fault.DROP
        answers = self._script.get(verb)
        return answers.pop(0) if answers else None

    def answer(self, verb: str, command: str) -> bytes:
        """Return the untagged lines of the default answer, after its effect."""
        if verb == "SELECT":
            return b"* %d EXISTS\r\n* OK [UIDVALIDITY 7] ok\r\n" % len(self.inbox)
        if verb == "LIST":
            return b'* LIST () "/" Done\r\n'
        if verb == "SEARCH":
            return b"* SEARCH " + b" ".join(b"%d" % uid for uid in self.inbox) + b"\r\n"
        if verb == "FETCH" and (fetched := _FETCHED.search(command)):
            uids = [int(uid) for uid in fetched[1].split(",")]
            return b"".join(self._letter(uid, fetched[2]) for uid in uids)
        if verb == "MOVE" and (moved := _MOVED.search(command)):
            uids = [int(uid) for uid in moved[1].split(",")]
            self.moved += [uid for uid in uids if self.inbox.pop(uid, None) is not None]
        return b""

    def date(self, _uid: int) -> datetime:
        """Return the arrival of a letter: the same moment for all."""
        return ARRIVAL

    def _letter(self, uid: int, items: str) -> bytes:
        raw = self.inbox[uid]
        if "SIZE" in items:
            size = 1 if uid in self.understated else len(raw)
            return b"* %d FETCH (UID %d RFC822.SIZE %d)\r\n" % (uid, uid, size)
        if uid in self.choking:
            raise ConnectionAbortedError
        if (part := _PARTIAL.search(items)) is not None:
            raw = raw[: int(part[1])]
        text = b"NIL" if uid in self.bodiless else b"{%d}\r\n%s" % (len(raw), raw)
        date = f'INTERNALDATE "{self.date(uid):%d-%b-%Y %H:%M:%S %z}"'.encode()
        return b"* %d FETCH (UID %d %s BODY[] %s)\r\n" % (uid, uid, date, text)


class Once(threading.Event):
    """Stops a mailbox before it waits, so that it is checked only once."""

    def wait(self, timeout: float | None = None) -> bool:
        """Return at once, and be set."""
        self.set()
        return True


class _Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    mailbox: ScriptedImap


class _Connection(socketserver.StreamRequestHandler):
    server: _Server
    timeout = 20

    def handle(self) -> None:
        self.wfile.write(self.server.mailbox.greeting)
        while words := self._line().split(" ", 1):
            tag, command = words[0], words[-1]
            verb = command.removeprefix("UID ").split(" ")[0].upper()
            if not tag or not self._serve(tag, verb, command):
                return

    def _serve(self, tag: str, verb: str, command: str) -> bool:
        """Answer a command; return whether the connection continues."""
        mailbox = self.server.mailbox
        mailbox.commands.append(command)
        instead = mailbox.instead(verb)
        if instead is Fault.SILENCE:
            while self._line():
                pass
        if isinstance(instead, Fault):
            return False
        if verb == "AUTHENTICATE":
            mailbox.proofs.append(self._asked(b"+ "))
            # A server that rejects a token first gives the reason, and expects an empty line.
            if instead and self._asked(b"+ " + base64.b64encode(b'{"status":"401"}')):
                return False
        try:
            lines = b"" if instead else mailbox.answer(verb, command)
        except ConnectionAbortedError:
            return False
        if verb == "CAPABILITY":
            lines = b"* CAPABILITY IMAP4rev1 MOVE\r\n"
        if verb == "LOGOUT":
            lines = b"* BYE\r\n"
        self.wfile.write(lines + f"{tag} {instead or 'OK done'}\r\n".encode())
        return verb != "LOGOUT"

    def _asked(self, challenge: bytes) -> str:
        self.wfile.write(challenge + b"\r\n")
        return base64.b64decode(self._line()).decode()

    def _line(self) -> str:
        try:
            return self.rfile.readline().decode().rstrip("\r\n")
        except OSError:
            return ""
