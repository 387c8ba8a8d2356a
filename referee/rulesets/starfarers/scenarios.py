"""Test cases of Starfarers: the table before, the orders, and the table after."""

from collections.abc import Iterator
from typing import Final

from referee.rules.dice import Dice
from referee.rules.notation import NotationRunner
from referee.rules.ruleset import Seat, UserError
from referee.rules.scenarios import Case, Game, entries, seat_of, untold
from referee.rulesets.starfarers.decks import encounters
from referee.rulesets.starfarers.goods import Goods
from referee.rulesets.starfarers.notation import NOTATION
from referee.rulesets.starfarers.options import rules_of
from referee.rulesets.starfarers.state import Hex, Kind, Mode, Player, Stage, State


class StarfarersScenarios(NotationRunner[State]):
    """The runner of scenario files."""

    keys = frozenset({"seats", "round", "stage", "winners", "tells", "whispers"})
    notation = NOTATION

    def fits(self, case: Case) -> bool:
        """Return whether a case is one of this game: it has seats, in the order of play."""
        return isinstance(case.get("seats"), list)

    def empty(self, case: Case) -> State:
        """Return a state with the players, each with a mothership in an empty galaxy."""
        names = case.get("seats", [])
        if not isinstance(names, list) or len(names) < 2:
            raise UserError('seats: expected names in the order of play, such as ["A", "B"].')
        rules = rules_of(dict(entries(case, "options")))
        seats = [Seat(number) for number in range(1, len(names) + 1)]
        first = Stage.TRAVEL if rules.mode is Mode.PHASED else Stage.TURN
        return State(
            round=int(case.get("round", 1)),
            stage=Stage(case.get("stage", first.value)),
            rules=rules,
            hexes={int(seat): Hex(int(seat), seat, (0, 0), Kind.MOTHERSHIP) for seat in seats},
            ships={},
            bases={},
            players={
                seat: Player(seat, str(name).upper(), hand=Goods())
                for seat, name in zip(seats, names, strict=True)
            },
            bags={seat: [] for seat in seats},
            deck=encounters(rules.encounters, (), 0, Dice(b"scenario")),
            turn_of=seats[0] if rules.mode is Mode.SERIAL else None,
        )

    def dice_path(self, state: State, game: Game) -> str:
        """Return the path of the dice of a batch."""
        del game
        return f"round {state.round}|{state.stage.value}|{state.turn_of or ''}"

    def visible_to(self, state: State, seat: Seat) -> str:
        """Return the news that only this player reads."""
        return "\n".join(note.text for note in state.players[seat].private)

    def wrong_reports(self, case: Case, after: State) -> Iterator[str]:
        """Yield differences of public news to ``tells``, and of private news to ``whispers``."""
        public = "\n".join(note.text for note in after.notes)
        yield from untold("everybody", case.get("tells", []), public)
        for name, texts in entries(case, "whispers"):
            yield from untold(name, texts, self.visible_to(after, seat_of(after, name)))


SCENARIOS: Final = StarfarersScenarios()
