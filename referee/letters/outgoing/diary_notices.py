"""Letters about diaries."""

from collections.abc import Iterable
from dataclasses import dataclass

from referee.letters.outgoing.layout import press
from referee.letters.outgoing.notices import Notice


@dataclass(frozen=True, slots=True)
class DiaryItem:
    """An entry of a diary, and when it was written in words."""

    number: int
    turn: int
    at: str
    text: str


@dataclass(frozen=True, slots=True)
class Diary(Notice):
    """To a player: their own diary of a game, as *text* or as *files*.

    *choices* say who can read it after the end, as long as the player can change that.
    """

    game: str
    count: int
    text: str
    files: tuple[str, ...]
    choices: tuple[str, ...]


def diary_text(items: Iterable[DiaryItem]) -> str:
    """Return a diary as text. Every line of an entry is marked like press, so it is never read."""
    return "\n\n".join(
        f"ENTRY {item.number}, TURN {item.turn}, {item.at}\n{press(item.text)}" for item in items
    )
