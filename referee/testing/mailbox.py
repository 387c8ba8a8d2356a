"""The mailbox of the robots that play by mail: it answers a report with an order sheet."""

import re
from dataclasses import dataclass
from typing import Final

from referee.desk.base.desk import Site
from referee.desk.base.loaded_games import lay_to_read
from referee.desk.base.robots import orders_of
from referee.rules.extras import Strength
from referee.rules.ruleset import Seat
from referee.store import Store
from referee.store.games import games
from referee.store.models import GameStatus

REPORT: Final = re.compile(
    r"\[(?P<game>[^\s\[\]]+) T(?P<turn>\d+) (?P<seat>[^\s\[\]]+)\] "
    r"(?:(?P<final>final) |first |corrected )?report(?:, .+)?$"
)
"""The subject of a report."""


@dataclass(frozen=True, slots=True)
class Mailbox:
    """The robots of all games of a site, each asked by the subject of a report."""

    store: Store
    site: Site

    def answer(self, subject: str, strength: Strength) -> str:
        """Return the order sheet of the robot that plays the seat of a report, as typed.

        It is empty if the game does not wait for this seat, or its turn is over. A robot that the
        game waits for, and that wants nothing or fails, sends an empty line.
        """
        report = REPORT.search(subject)
        if report is None:
            return ""
        with self.store.read() as session:
            game = games.by_name(session, report["game"])
            if game is None or game.status is not GameStatus.RUNNING:
                return ""
            if game.turn != int(report["turn"]):
                return ""
            table = lay_to_read(session, self.site, game)
            row = next(each for each in game.seats if each.name == report["seat"])
            if not table.awaits(row):
                return ""
            orders = orders_of(table, Seat(row.number), strength) or ()
            return "\n".join(table.render(orders)) + "\n"
