"""Test cases of A Fistful of Planets: the state before, the orders, and the expected state."""

from collections.abc import Iterator
from typing import Any, Final

from referee.rules.news import with_log
from referee.rules.notation import NotationRunner
from referee.rules.ruleset import Resolution, Seat, UserError
from referee.rules.scenarios import Case, entries, seat_of, told_wrongly
from referee.rulesets.fistful.notation import NOTATION
from referee.rulesets.fistful.options import rules_of
from referee.rulesets.fistful.report import view
from referee.rulesets.fistful.state import Player, Stage, State


class FistfulScenarios(NotationRunner[State]):
    """The runner of scenario files."""

    keys = frozenset({"players", "turn", "winners", "hides"})
    notation = NOTATION

    def fits(self, case: Case) -> bool:
        """Return whether a case is one of this game: its players are a list of names."""
        return isinstance(case.get("players"), list)

    def empty(self, case: Case) -> State:
        """Return two players without a star."""
        players = case.get("players", [])
        if not isinstance(players, list) or len(players) != 2:
            raise UserError('players: expected two names, such as ["A", "B"]')
        seats = [Seat(number) for number in (1, 2)]
        return State(
            turn=int(case.get("turn", 1)),
            stage=Stage.ORDERS,
            rules=rules_of(dict(entries(case, "options"))),
            stars={},
            fleets=[],
            players={s: Player(s, str(n).upper()) for s, n in zip(seats, players, strict=True)},
            chooser=seats[0],
        )

    def begin(self, case: Case) -> State:
        """Return the state before the orders; if a homeworld is missing, it is chosen first."""
        state = super().begin(case)
        if homeless := [s for s, player in state.players.items() if player.home is None]:
            state.stage, state.chooser = Stage.HOMES, homeless[0]
        return state

    def dice_path(self, state: State) -> str:
        """Return the path of the dice of the turn in the case."""
        return f"turn {state.turn}"

    def wrong_news(self, case: Case, turn: Resolution[State, Any]) -> Iterator[str]:
        """Yield the differences of the events, and the texts of ``hides`` in a report."""
        yield from super().wrong_news(case, turn)
        for name, texts in entries(case, "hides"):
            seat = seat_of(turn.state, name)
            report = repr(with_log(view(turn.state, seat, ""), turn.events, seat))
            yield from told_wrongly(name, texts, report)


SCENARIOS: Final = FistfulScenarios()
