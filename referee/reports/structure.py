"""Views as plain values for ``report.json``, for those who read their reports with a program."""

import json
from dataclasses import asdict, dataclass
from enum import Enum
from typing import Any, Final

from referee.rules.views import View

SCHEMA: Final = 1
"""Changes with every change of the shape."""


@dataclass(frozen=True, slots=True)
class Heading:
    """Whose report it is; *deadline* is in UTC as RFC 3339 has it, None when there is none."""

    game: str
    turn: int
    seat: str
    deadline: str | None


def report_json(view: View) -> dict[str, Any]:
    """Return *view* as dicts, lists and texts alone, in the sequence of its blocks.

    Each block says by ``kind`` what it is (``prose``, ``table``, ``verbatim``, ``chart``) and has
    the fields of that block.
    """
    blocks = [{"kind": type(block).__name__.lower(), **_plain(asdict(block))} for block in view]
    return {"schema": SCHEMA, "blocks": blocks}


def report_file(view: View, heading: Heading) -> bytes:
    """Return ``report.json``: the heading, and below it the view as report_json gives it."""
    values = {**asdict(heading), **report_json(view)}
    return f"{json.dumps(values, ensure_ascii=False, indent=1)}\n".encode()


def _plain(value: Any) -> Any:
    """Return *value* with lists for its tuples and words for its Enums, as JSON has them."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
