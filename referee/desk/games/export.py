"""Export of a game as files: its state, and every turn's orders and outcomes."""

import gzip
import json
from typing import Any, Final

from referee.desk.base.desk import Site
from referee.desk.base.loaded_games import ruleset_of
from referee.letters.outgoing.compose import OutgoingFile
from referee.store import Session
from referee.store.database import codec
from referee.store.games import games
from referee.store.models import Game, TurnRow

_KIND: Final = "application/json"
_LARGE: Final = 500_000
"""The octets above which a file is compressed."""


def files(session: Session, site: Site, game: Game) -> tuple[OutgoingFile, ...]:
    """Return the current state, and the orders of all turns that were not undone, as JSON.

    A large file is compressed with gzip.
    """
    info = ruleset_of(site.rulesets, game.ruleset).info
    turns = games.turns_of(session, game)
    state = {
        "game": game.name,
        "ruleset": info.key,
        "edition": turns[-1].edition,
        "schema": turns[-1].schema,
        "turn": game.turn,
        "options": game.options,
        "seats": {row.number: row.name for row in game.seats},
        "digest": turns[-1].digest,
        "state": json.loads(codec.as_json(turns[-1].state)),
    }
    orders = {"game": game.name, "turns": [_turn(row) for row in turns]}
    contents = (json.dumps(each, indent=1, ensure_ascii=True) for each in (state, orders))
    return tuple(
        _file(f"{game.name.lower()}-{name}.json", content.encode())
        for name, content in zip(("state", "orders"), contents, strict=True)
    )


def _file(name: str, content: bytes) -> OutgoingFile:
    if len(content) <= _LARGE:
        return OutgoingFile(name, _KIND, content)
    return OutgoingFile(f"{name}.gz", "application/gzip", gzip.compress(content, mtime=0))


def _turn(row: TurnRow) -> dict[str, Any]:
    return {
        "turn": row.number,
        "digest": row.digest,
        "corrections": row.corrections,
        "sheets": row.sheets,
        "missed": row.missed,
        "outcomes": row.outcomes,
        "events": row.events,
    }
