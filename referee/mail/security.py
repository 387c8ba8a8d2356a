"""Protection of connections to mail servers, and authentication there."""

import os
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from enum import Enum
from typing import Final

from referee.errors import Finding, ResourceError


class Security(Enum):
    """The protection of a connection to an IMAP or SMTP server."""

    TLS = "tls"
    """TLS from the first byte (ports 993 and 465)."""
    STARTTLS = "starttls"
    """Unencrypted at first, then TLS before any data of ours (ports 143 and 587)."""
    NONE = "none"
    """Unencrypted, only for a server on this machine."""


class Login(Enum):
    """The kind of credentials."""

    PASSWORD = "password"  # noqa: S105 - a kind of login
    TOKEN = "token"  # noqa: S105
    """An OAuth 2.0 access token, for the SASL mechanism XOAUTH2."""


def xoauth2(user: str, token: str) -> str:
    """Return the XOAUTH2 message before its base64 encoding."""
    return f"user={user}\x01auth=Bearer {token}\x01\x01"


PATIENCE_SECONDS: Final = 30.0
_MOST_OCTETS: Final = 20_000


def read_token(
    command: Sequence[str], setting: str, patience_seconds: float = PATIENCE_SECONDS
) -> str:
    """Run *command*, without a shell, and return the first line it writes: the access token.

    Its other output is discarded, because it may contain the token, too. Raises ResourceError,
    which names *setting*, if it cannot be run, fails, takes too long, or writes no token.
    """
    try:
        program = subprocess.Popen(  # noqa: S603 - the operator's own command
            list(command),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        words = error.strerror if isinstance(error, OSError) else "not a command"
        raise _fault(f"cannot be run: {words}", setting) from error
    written = _written(program, setting, patience_seconds)
    if program.returncode != 0:
        raise _fault(f"ended with status {program.returncode}", setting)
    return _token(written, setting)


def _written(program: subprocess.Popen[bytes], setting: str, patience_seconds: float) -> bytes:
    try:
        return program.communicate(timeout=patience_seconds)[0]
    except subprocess.TimeoutExpired as error:
        words = f"takes longer than {patience_seconds:g} seconds"
        raise _fault(words, setting) from error
    finally:
        # A child process left behind would keep the pipe open and block us.
        if program.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(program.pid, signal.SIGKILL)
            program.communicate()


def _token(written: bytes, setting: str) -> str:
    line = written[:_MOST_OCTETS].partition(b"\n")[0].strip()
    # Other characters could end the command that contains the token.
    if not line or not all(0x21 <= octet <= 0x7E for octet in line):
        raise _fault("writes no token as the only word of its first line", setting)
    return line.decode("ascii")


def _fault(problem: str, setting: str) -> ResourceError:
    remedy = "run it as the referee's user and check that it writes a fresh access token"
    return ResourceError(Finding(f"token command: {problem}", remedy, "setting", setting))
