"""Views as plain values for ``report.json``, for players who read reports with a program."""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from enum import Enum
from typing import Any, Final

from referee.rules.ruleset import Event
from referee.rules.views import View

SCHEMA: Final = 1
"""The version of the format, which changes with every change of the shape."""


@dataclass(frozen=True, slots=True)
class Heading:
    """The game, turn and seat of a report; *deadline* is in UTC as in RFC 3339, or None."""

    game: str
    turn: int
    seat: str
    deadline: str | None


def report_json(view: View) -> dict[str, Any]:
    """Return *view* as only dicts, lists and texts, in the sequence of its blocks.

    The ``kind`` of each block is the name of its class in small letters, such as ``table``, and the
    block has the fields of that kind.
    """
    blocks = [{"kind": type(block).__name__.lower(), **_plain(asdict(block))} for block in view]
    return {"schema": SCHEMA, "blocks": blocks}


def report_file(view: View, heading: Heading, news: Iterable[Event]) -> bytes:
    """Return ``report.json``: the heading, the news, and the view as from ``report_json``."""
    told = [
        {"weight": event.weight.name.lower(), "text": event.text, "places": event.places}
        for event in news
    ]
    values = {**asdict(heading), "news": told, **report_json(view)}
    return f"{json.dumps(values, ensure_ascii=False, indent=1)}\n".encode()


def _plain(value: Any) -> Any:
    """Return *value* with lists for its tuples and words for its Enums, as in JSON."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
