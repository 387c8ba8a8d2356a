"""Log: one line of key=value for each event, without private data.

Letters, games and turns are given by number. Message bodies, full addresses, codes and tokens are
never written.
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
# The numbers of syslog, by which `journalctl -p err` filters.
_PRIORITIES: Final = {logging.ERROR: 3, logging.WARNING: 4, logging.INFO: 6, logging.DEBUG: 7}
_ADDRESS: Final = re.compile(
    r"(?<![^\s<>()\[\],;:\"'=])[^\s<>()\[\],;:\"'=]+@[^\s<>()\[\],;:\"'=]+"
)

_Trouble = tuple[type[BaseException], BaseException, TracebackType | None]


def line(event: str, **fields: object) -> str:
    """Return *event* and its fields as key=value, without fields that are None."""
    known = {"event": event, **fields}
    return " ".join(f"{key}={_value(value)}" for key, value in known.items() if value is not None)


def begin(level: str = "info") -> None:
    """Write the log to stderr from *level* up: error, info or debug."""
    writer = logging.StreamHandler(sys.stderr)
    writer.setFormatter(_JournalLine() if _is_journal() else _KeyValue())
    writer.setLevel(_LEVELS[level])
    # At lower levels, libraries log letters, addresses and statement values.
    logging.basicConfig(level=max(_LEVELS[level], logging.WARNING), handlers=[writer], force=True)
    logging.getLogger("referee").setLevel(_LEVELS[level])


def level() -> str:
    """Return the level of the log, in the form that ``begin`` takes."""
    here = logging.getLogger("referee").getEffectiveLevel()
    return next((name for name, number in _LEVELS.items() if number == here), "error")


def where(error: BaseException) -> str:
    """Return the stack of an error as file, line and function, without its message.

    The message may contain someone's orders or address; the frames contain only our own names.
    """
    frames = traceback.extract_tb(error.__traceback__)
    return " ".join(f"{_short(frame.filename)}:{frame.lineno}:{frame.name}" for frame in frames)


def kind(error: BaseException) -> str:
    """Return the type of an error and the types of its causes."""
    names: list[str] = []
    here: BaseException | None = error
    while here is not None and len(names) < 5:
        names.append(f"{type(here).__module__}.{type(here).__qualname__}")
        here = here.__cause__ or here.__context__
    return " from ".join(names)


class _KeyValue(logging.Formatter):
    """Formats a record as key=value; for an exception its type and place, never its message."""

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
    """Formats a record for systemd's journal, with a priority and without the time."""

    def format(self, record: logging.LogRecord) -> str:
        _, _, told = super().format(record).partition(" ")
        return f"<{_PRIORITIES.get(record.levelno, 6)}>{told}"


def _is_journal() -> bool:
    """Return whether stderr is connected to the journal, by the file that systemd names."""
    try:
        here = os.fstat(sys.stderr.fileno())
    except OSError:
        return False
    return os.environ.get("JOURNAL_STREAM") == f"{here.st_dev}:{here.st_ino}"


def _value(value: object) -> str:
    # Mail servers often repeat addresses, which include tokens.
    text = _ADDRESS.sub("[address]", str(value)).replace('"', "'")
    if not text.isprintable():
        text = "".join(c if c.isprintable() else "?" for c in text)
    return f'"{text}"' if not text or " " in text or "=" in text else text


def _short(file: str) -> str:
    at = file.rfind("referee/")
    # The folder of a file outside of referee names its package, such as a ruleset's.
    return file[at:] if at >= 0 else "/".join(file.rsplit("/", 2)[-2:])
