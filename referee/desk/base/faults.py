"""Faults that are spared: what a turn or a letter does without if it cannot be made."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, TypeVar

from referee.desk.base.desk import Desk, SparedFault, package_of, spare
from referee.desk.base.outbox_writer import tell_operator
from referee.letters.outgoing.notices import OperatorAlert
from referee.store.models import Game

T = TypeVar("T")

FAILED: Final = "through a fault on our side. The operator has been notified."


class Part(Enum):
    """All that is made of a turn besides its record and the rules' own report of it.

    Each has its name, and the consequence if it fails. The turn stands without it. What a report
    lacks is named in it, and REPORT sends it later; the steps of the loop are tried again.
    """

    ROBOTS_PLAY_ON = "the note on robots", "a player does not read that the robots play on"
    LAYOUT = "its layout", "players get their report as plain text"
    FORMAT = "its shorter format", "players get the full report instead of a shorter one"
    LESSON = "the lesson", "players get no lesson"
    SHEET = "the order sheet", "players get no order sheet"
    GUIDE = "the guide", "players get no guide"
    ROBOTS = "the list of robots", "players do not read which seats robots play"
    SILENT = "the list of seats without orders", "players do not read who sent no orders"
    JSON = "report.json", "players get no report.json"
    MAP = "map.svg", "players get no map.svg"
    PNG = "map.png", "players get no map.png"
    CALENDAR = "deadline.ics", "players get no deadline.ics"
    ATLAS = "atlas.html", "players get no atlas.html"
    MORE_PRESS = "the email with more messages", "players get no messages that fit in no report"
    DEPUTY = "the copy for deputies", "deputies get no reports"
    MISSED = "the notice of a missed turn", "players get no notice of a missed turn"
    SUMMARY = "the summary", "GMs get no summary of a turn"
    CALL_OUT = "the call-out", "hooks do not hear of a turn"
    RECORD = "the record", "emails about the end of a game have no record"
    PUBLIC_REPORT = "send public reports", "observers get no reports"
    BOOK = "send books", "players do not get the book of the game"
    OWED = "make owed letters", "players do not get an atlas or a report later"
    DIGEST = "send daily digests", "people get no daily digest"
    PAGES = "publish pages", "web pages cannot be written"

    def __init__(self, title: str, consequence: str) -> None:
        self.title, self.consequence = title, consequence


_CONSEQUENCES: Final = {
    "validate": "players get no check of their orders",
    "explain": "players get no explanation of their orders",
    "unused": "players get no list of unused units",
    "forecast": "players get no forecast",
    "render": "orders of players are not filed",
    "setup": "games cannot be created",
    "change deputies": "deputies do not begin or end",
    "close votes": "votes of players are not closed",
    "offer seats": "vacant seats are not offered to standbys",
    "remind": "players are not reminded of missing orders",
    "remind of an absence": "players are not reminded before an absence",
    **{part.title: part.consequence for part in Part},
}


def consequence(failed: str) -> str:
    """Return the consequence, and for whom, of a failed part or step of the loop; "" if unknown."""
    return _CONSEQUENCES.get(failed, "")


def try_part(desk: Desk, game: Game | None, part: Part, work: Callable[[], T], otherwise: T) -> T:
    """Return a part of what is made of a turn of the game, or *otherwise* if it fails."""

    def failed(error: BaseException) -> T:
        reference = desk.site.entropy(4).hex()
        number, rules = (game.id, game.ruleset) if game is not None else (None, "")
        fault = SparedFault(part.title, reference, error, None, number, rules)
        note_fault(desk, fault, game)
        return otherwise

    return spare(work, failed)


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of one email about a game, each made alone; *lost* names those that failed."""

    desk: Desk
    game: Game
    lost: list[Part] = field(default_factory=list)

    def make(self, part: Part, work: Callable[[], T], otherwise: T) -> T:
        """Return a part of the email, or *otherwise* if it fails."""
        made = try_part(self.desk, self.game, part, lambda: (work(),), None)
        if made is None:
            self.lost.append(part)
        return otherwise if made is None else made[0]


def note_fault(desk: Desk, fault: SparedFault, game: Game | None) -> None:
    """Keep a fault for the log, and notify the operator of its cause once in a turn of the game."""
    desk.faults.append(fault)
    when = f"{game.turn}b{game.rollbacks}" if game is not None else f"{desk.now:%Y%m%d}"
    what = (
        f'"{fault.part}" fails in {_place(desk, fault, game)}. {fault.cause} The rest of each '
        "email is still processed and answered."
    )
    to_do = f"Find reference {fault.reference} in the log and fix the fault that it names."
    subject = consequence(fault.part) or f"{fault.part} does not work for players"
    of = fault.ruleset if game is None else ""
    serial = f"fault{hashlib.sha256(f'{fault.cause} {of}'.encode()).hexdigest()[:12]}t{when}"
    alert = OperatorAlert(subject, what, fault.reference, to_do)
    # The log has the fault even if the words of the email cannot be made either.
    spare(lambda: tell_operator(desk, alert, serial, game), lambda _error: None)


def _place(desk: Desk, fault: SparedFault, game: Game | None) -> str:
    rules = desk.site.rulesets.get(fault.ruleset)
    package = f" of the package {package_of(rules)}" if rules is not None else ""
    if game is not None:
        return f"{game.name} (ruleset {fault.ruleset}{package})"
    return f"the ruleset {fault.ruleset}{package}" if fault.ruleset else "an email"
