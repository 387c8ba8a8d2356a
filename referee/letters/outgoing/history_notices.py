"""Letters about what the letters of a player did."""

from dataclasses import dataclass

from referee.letters.outgoing.notices import Notice


@dataclass(frozen=True, slots=True)
class History(Notice):
    """What a player's letters did and the results of the turns, or all about one *turn*.

    *running* is the current turn, which is not played if the game has *ended*. *reports* are the
    turns whose reports can be mailed again. *result* says how the game ended, in a sentence.
    """

    game: str
    seat: str
    turn: int | None
    running: int
    ended: bool
    letters: tuple[str, ...]
    sheets: tuple[str, ...]
    turns: tuple[str, ...]
    outcomes: tuple[str, ...]
    reports: tuple[str, ...]
    result: str = ""
