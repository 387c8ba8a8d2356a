"""Letters about messages between players, and their diaries."""

from collections.abc import Iterable
from dataclasses import dataclass

from referee.letters.outgoing.layout import pressed
from referee.letters.outgoing.local_time import Moment
from referee.letters.outgoing.notices import Notice, PressItem


@dataclass(frozen=True, slots=True)
class PressLetter(Notice):
    """A message to a player that does not wait for the report.

    *sender* and *recipients* are as in a PressItem; *answer* are the lines that answer it.
    """

    game: str
    sender: str
    recipients: str
    text: str
    answer: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PressToGm(Notice):
    """Messages to the GM that are delivered together; *senders* are those who signed them."""

    game: str
    press: tuple[PressItem, ...]
    senders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MorePress(Notice):
    """Messages that did not fit into the report: letter *number* of *count*."""

    game: str
    turn: int
    number: int
    count: int
    press: tuple[PressItem, ...]


@dataclass(frozen=True, slots=True)
class PressDelivered(Notice):
    """To the writer of a message who asked for it, or if a seat had no player: it has gone out.

    *vacant* are the names of the seats that nobody played then.
    """

    game: str
    receipt: int
    recipients: str
    at: Moment
    vacant: str = ""


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
        f"ENTRY {item.number}, TURN {item.turn}, {item.at}\n{pressed(item.text)}" for item in items
    )
