"""Access tokens of a mail account, which a command of the operator's writes."""

import os
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from referee.errors import Finding, ResourceError

PATIENCE_SECONDS: Final = 30.0
_MOST_OCTETS: Final = 20_000


def read_token(
    command: Sequence[str], setting: str, patience_seconds: float = PATIENCE_SECONDS
) -> str:
    """Run *command*, without a shell, and give the first line it writes: the access token.

    Whatever else it writes is thrown away unseen, for it may hold the token, too. Raises
    ResourceError, which names *setting*, when it cannot be run, fails, takes too long, or writes
    what is no token.
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
        words = error.strerror if isinstance(error, OSError) else "it is no command"
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
        # A child of its that stays behind would keep the pipe open, and us waiting.
        if program.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(program.pid, signal.SIGKILL)
            program.communicate()


def _token(written: bytes, setting: str) -> str:
    line = written[:_MOST_OCTETS].partition(b"\n")[0].strip()
    # Anything else could end the command in which the token is told.
    if not line or not all(0x21 <= octet <= 0x7E for octet in line):
        raise _fault("writes no token: it has to be the only word of its first line", setting)
    return line.decode("ascii")


def _fault(trouble: str, setting: str) -> ResourceError:
    remedy = "run it by hand as the user of the referee: it has to write a fresh access token"
    return ResourceError(
        Finding(f"the command for access tokens {trouble}", remedy, "setting", setting)
    )
