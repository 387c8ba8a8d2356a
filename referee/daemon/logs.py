"""The log: one line of key=value for each thing that happened, and nothing private in it.

A letter, game or turn goes by its number; no body, full address, code or token is ever written.
"""

import logging
import os
import re
import sys
import traceback
from datetime import UTC, datetime
from types import TracebackType
from typing import Final

_LEVELS: Final = {"error": logging.ERROR, "info": logging.INFO, "debug": logging.DEBUG}
# The numbers of syslog, by which `journalctl -p err` chooses.
_PRIORITIES: Final = {logging.ERROR: 3, logging.WARNING: 4, logging.INFO: 6, logging.DEBUG: 7}
_ADDRESS: Final = re.compile(r"[^\s<>()\[\],;:\"'=]+@[^\s<>()\[\],;:\"'=]+")

_Trouble = tuple[type[BaseException], BaseException, TracebackType | None]


def line(event: str, **fields: object) -> str:
    """Return *event* and what is known of it as key=value; what is None is left out."""
    known = {"event": event, **fields}
    return " ".join(f"{key}={_value(value)}" for key, value in known.items() if value is not None)


def begin(level: str = "info") -> None:
    """Write the log to stderr from now on, from *level* up: error, info or debug."""
    writer = logging.StreamHandler(sys.stderr)
    writer.setFormatter(_JournalLine() if _is_journal() else _KeyValue())
    writer.setLevel(_LEVELS[level])
    # Libraries write letters, addresses or statements with their values at lower levels.
    logging.basicConfig(level=max(_LEVELS[level], logging.WARNING), handlers=[writer], force=True)
    logging.getLogger("referee").setLevel(_LEVELS[level])


def level() -> str:
    """Return from which level up the log is written, as ``begin`` takes it."""
    here = logging.getLogger("referee").getEffectiveLevel()
    return next((name for name, number in _LEVELS.items() if number == here), "error")


def where(error: BaseException) -> str:
    """Return the way to the place an error comes from, without the words of the error.

    The words may hold somebody's orders or address; the frames hold only our own names.
    """
    frames = traceback.extract_tb(error.__traceback__)
    return " ".join(f"{_short(frame.filename)}:{frame.lineno}:{frame.name}" for frame in frames)


def kind(error: BaseException) -> str:
    """Return the type of an error, and of the errors it comes from."""
    names: list[str] = []
    here: BaseException | None = error
    while here is not None and len(names) < 5:
        names.append(f"{type(here).__module__}.{type(here).__qualname__}")
        here = here.__cause__ or here.__context__
    return " from ".join(names)


class _KeyValue(logging.Formatter):
    """Writes a record as key=value; of an exception its type and place, never its words."""

    def format(self, record: logging.LogRecord) -> str:
        words = record.getMessage()
        event = words if words.startswith("event=") else line(words)
        moment = datetime.fromtimestamp(record.created, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        head = f"time={moment} level={record.levelname.lower()} from={record.name}"
        return f"{head} {event}{self._trouble(record)}"

    def _trouble(self, record: logging.LogRecord) -> str:
        error = record.exc_info[1] if record.exc_info else None
        if error is None:
            return ""
        return f" error={_value(kind(error))} where={_value(where(error))}"


class _JournalLine(_KeyValue):
    """Writes a record for systemd's journal, which knows the time and takes the priority apart."""

    def format(self, record: logging.LogRecord) -> str:
        _, _, told = super().format(record).partition(" ")
        return f"<{_PRIORITIES.get(record.levelno, 6)}>{told}"


def _is_journal() -> bool:
    """Return whether stderr leads into the journal: systemd tells what file that is."""
    try:
        here = os.fstat(sys.stderr.fileno())
    except OSError:
        return False
    return os.environ.get("JOURNAL_STREAM") == f"{here.st_dev}:{here.st_ino}"


def _value(value: object) -> str:
    # Mail servers like to repeat the addresses, and with them the tokens, that they were told.
    text = _ADDRESS.sub("[address]", str(value)).replace('"', "'")
    if not text.isprintable():
        text = "".join(c if c.isprintable() else "?" for c in text)
    return f'"{text}"' if not text or " " in text or "=" in text else text


def _short(file: str) -> str:
    at = file.rfind("referee/")
    # The folder of a file that is not ours names the package, such as that of a ruleset.
    return file[at:] if at >= 0 else "/".join(file.rsplit("/", 2)[-2:])
