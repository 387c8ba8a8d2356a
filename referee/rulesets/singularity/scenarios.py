"""Test cases of The Singularity Trap: the state before, the orders, and the state after."""

from collections.abc import Iterator, Mapping
from typing import Final

from referee.rules.notation import NotationRunner
from referee.rules.ruleset import Phase, Seat, UserError
from referee.rules.scenarios import Case, Game, entries
from referee.rulesets.singularity.notation import NOTATION
from referee.rulesets.singularity.options import GRAY_CORE, rules_of
from referee.rulesets.singularity.sections import first_section
from referee.rulesets.singularity.state import Planet, Player, Section, State


class SingularityScenarios(NotationRunner[State]):
    """The runner of scenario files."""

    keys = frozenset({"players", "turn", "section", "winners", "next", "awaiting"})
    notation = NOTATION

    def fits(self, case: Case) -> bool:
        """Return whether a case is one of this game: its players have colours."""
        players = case.get("players")
        colours = players.values() if isinstance(players, Mapping) else ()
        return bool(colours) and all(isinstance(c, str) and c in "ROYGBV" for c in colours)

    def empty(self, case: Case) -> State:
        """Return a state with the players at the beginning of a section, and free planets."""
        players = dict(entries(case, "players"))
        if not players:
            raise UserError('players: expected names with colours, such as { A = "R", B = "O" }.')
        options = dict(entries(case, "options"))
        rules = rules_of(options)
        colours = rules.board.colours(rules.wheel, gray_core=bool(options.get(GRAY_CORE, False)))
        section = case.get("section")
        return State(
            turn=int(case.get("turn", 1)),
            section=first_section(rules.mode) if section is None else Section(section),
            rules=rules,
            planets={c: Planet(c, 0, colours[c]) for c in rules.board.columns},
            ships={},
            players={
                Seat(number): Player(Seat(number), name.upper(), str(colour), points=0)
                for number, (name, colour) in enumerate(players.items(), 1)
            },
            jumps=[],
        )

    def dice_path(self, state: State) -> str:
        """Return the path of the dice of the turn in the case."""
        return f"turn {state.turn}"

    def differences(self, case: Case, before: State, after: State, game: Game) -> Iterator[str]:
        """Yield the differences, also from ``next`` and ``awaiting``."""
        yield from super().differences(case, before, after, game)
        yield from _waiting(case, after, game.rules.phase(after))


def _waiting(case: Case, after: State, phase: Phase) -> Iterator[str]:
    """Yield the differences to ``next``, the section that follows, and ``awaiting``."""
    if case.get("next", phase.key) != phase.key:
        yield f"next: {phase.key}, expected {case['next']}"
    found = sorted(after.players[seat].name for seat in phase.awaiting)
    if sorted(case.get("awaiting", found)) != found:
        yield f"awaiting: {found}, expected {sorted(case['awaiting'])}"


SCENARIOS: Final = SingularityScenarios()
