"""Faults that are spared: a part of an email could not be made, and all else goes on."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, TypeVar

from referee.desk.base.desk import Desk, SparedFault, package_of, spare
from referee.desk.base.outbox_writer import Addressing, post
from referee.letters.incoming.letter import MailAddress
from referee.letters.outgoing.notices import OperatorAlert
from referee.store.models import Game

T = TypeVar("T")

FAILED: Final = "through a fault on our side. The operator has been notified."
_MISSED: Final = {
    "validate": "players get no check of their orders",
    "explain": "players get no explanation of their orders",
    "unused": "players get no list of unused units",
    "forecast": "players get no forecast",
    "render": "orders of players are not filed",
    "setup": "games cannot be created",
    "excuses": "a missed turn counts for those who are away or new, too",
    "missed turn": "players get no notice of a missed turn",
    "copy for deputies": "deputies get no reports",
    "record": "emails about the end of a game have no record",
    "summary": "GMs get no summary of a turn",
    "report format": "players get the full report instead of a shorter one",
}
"""The consequence and for whom, by the part that failed."""


def try_part(desk: Desk, game: Game, part: str, work: Callable[[], T], otherwise: T) -> T:
    """Return a part of an email about the game, or *otherwise* if it fails."""

    def failed(error: BaseException) -> T:
        reference = desk.site.entropy(4).hex()
        fault = SparedFault(part, reference, error, None, game.id, game.ruleset)
        note_fault(desk, fault, game)
        return otherwise

    return spare(work, failed)


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of one email about a game, each made alone; *lost* names those that failed."""

    desk: Desk
    game: Game
    lost: list[str] = field(default_factory=list)

    def make(self, part: str, work: Callable[[], T], otherwise: T) -> T:
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
    subject = _MISSED.get(fault.part, f"{fault.part} does not work for players")
    of = fault.ruleset if game is None else ""
    serial = f"fault{hashlib.sha256(f'{fault.cause} {of}'.encode()).hexdigest()[:12]}t{when}"
    addressing = Addressing(MailAddress("", desk.site.operator), serial, game=game)
    if desk.site.operator:
        alert = OperatorAlert(subject, what, fault.reference, to_do)
        # The log has the fault even if the words of the email cannot be made either.
        spare(lambda: post(desk, alert, addressing), lambda _error: 0)


def _place(desk: Desk, fault: SparedFault, game: Game | None) -> str:
    """Return the game and the ruleset in which a fault occurred, in words."""
    rules = desk.site.rulesets.get(fault.ruleset)
    package = f" of the package {package_of(rules)}" if rules is not None else ""
    if game is not None:
        return f"{game.name} (ruleset {fault.ruleset}{package})"
    return f"the ruleset {fault.ruleset}{package}" if fault.ruleset else "an email"
