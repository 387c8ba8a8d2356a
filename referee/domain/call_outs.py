"""Call-outs: public events of games, as they are posted to the addresses that an operator names."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from enum import Enum
from html import escape
from typing import Any, Final

LONGEST: Final = 900
"""The most characters of a text; Discord takes 2000, and each can need an escape."""


class CallOutEvent(Enum):
    """The events that are posted."""

    BEGUN = "game.begun"
    RESOLVED = "turn.resolved"
    AWAITED = "orders.awaited"
    VOTE = "vote.opened"
    ENDED = "game.ended"


@dataclass(frozen=True, slots=True)
class Hook:
    """An address that gets call-outs, by its name in the settings.

    With *games* it gets those of these games, which can be private: then its readers are players.
    Without, it gets those of every game that LIST shows.
    """

    name: str
    games: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class CallOut:
    """An event in words and as fields; *deadline* is that of the current turn.

    *awaited* has the names of seats, and *others* the number of seats that not everybody knows.
    """

    event: CallOutEvent
    at: datetime
    game: str
    title: str
    turn: int
    text: str
    deadline: datetime | None = None
    awaited: tuple[str, ...] = ()
    others: int = 0
    page: str = ""

    def as_json(self) -> bytes:
        """Return the call-out as it is stored, and posted in the format ``json``."""
        fields = asdict(self)
        kind, at = fields.pop("event").value, fields.pop("at").isoformat()
        due = fields["deadline"]
        fields |= {"deadline": due and due.isoformat(), "text": self.text[:LONGEST]}
        return _encoded({"type": kind, "timestamp": at, "data": fields})


def in_format(stored: bytes, name: str) -> bytes:
    """Return the body to post of a stored call-out, in one of FORMATS."""
    data = json.loads(stored)["data"]
    return FORMATS[name](data) if name != "json" else stored


def _discord(data: Mapping[str, Any]) -> bytes:
    # Names are players' own, so they format nothing and call nobody.
    text = re.sub(r"([\\*_~`|<>\[\]()#@:-])", r"\\\1", data["text"])
    return _encoded({"content": _linked(text, data), "allowed_mentions": {"parse": []}})


def _slack(data: Mapping[str, Any]) -> bytes:
    return _encoded({"text": _linked(escape(data["text"], quote=False), data), "mrkdwn": False})


def _matrix(data: Mapping[str, Any]) -> bytes:
    """Return the body for a generic webhook of the bridge Hookshot."""
    text = _linked(data["text"], data)
    return _encoded({"text": text, "html": escape(text)})


def _linked(text: str, data: Mapping[str, Any]) -> str:
    return f"{text} {data['page']}".rstrip()


def _encoded(fields: Mapping[str, Any]) -> bytes:
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode()


FORMATS: Final[Mapping[str, Callable[[Mapping[str, Any]], bytes]]] = {
    "json": _encoded,
    "discord": _discord,
    "slack": _slack,
    "matrix": _matrix,
}
"""The templates, by their names in the settings."""
