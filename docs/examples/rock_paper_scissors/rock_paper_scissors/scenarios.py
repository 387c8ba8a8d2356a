"""Test cases of Rock Paper Scissors: the orders of each player, and the winner of the round."""

from collections.abc import Iterator

import rock_paper_scissors as rps
from referee.rules.ruleset import Seat
from referee.rules.scenarios import Case, Game, ScenarioRunner, entries, seat_of


class RpsScenarios(ScenarioRunner["rps.State"]):
    """Runs the cases of files such as `scenarios/rounds.toml`."""

    keys = frozenset({"won"})

    def fits(self, case: Case) -> bool:
        return "won" in case

    def begin(self, case: Case) -> "rps.State":
        players = {Seat(1): rps.Player("ALMA"), Seat(2): rps.Player("BRUNO")}
        return rps.State(1, players, needed=2)

    def differences(
        self, case: Case, before: "rps.State", after: "rps.State", game: Game
    ) -> Iterator[str]:
        for name, expected in entries(case, "won"):
            found = after.players[seat_of(after, name)].won
            if found != expected:
                yield f"{name} has won {found}, expected {expected}"
