"""Test cases of The Singularity Trap: the state before, the orders, and what must stand after."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from referee.rules.dice import Dice, ScriptedDice
from referee.rules.ruleset import CheckTable, Mistake, Phase, ReadOrders, Ruleset, Seat
from referee.rules.scenarios import (
    entries,
    lines_of,
    missed,
    refuse_unknown,
    seat_of,
    sheets,
    with_defaults,
    wrong_winners,
    wrongly_ruled,
)
from referee.rulesets.singularity.notation import (
    apply,
    planet_line,
    ship_line,
)
from referee.rulesets.singularity.options import GRAY_CORE, rules_of
from referee.rulesets.singularity.sections import first_section
from referee.rulesets.singularity.state import Planet, Player, Section, State

_KEYS: Final = frozenset(
    {"name", "cite", "players", "options", "turn", "section", "given", "orders", "missed", "dice"}
    | {"then", "refused", "winners", "tells", "untold", "next", "awaiting"}
)


class SingularityScenarios:
    """Runs the cases of a scenario file."""

    tables: Final[Mapping[str, CheckTable]] = {}

    def fits(self, case: Mapping[str, Any]) -> bool:
        """Say whether a case is one of this game: its players have colours."""
        players = case.get("players")
        colours = players.values() if isinstance(players, Mapping) else ()
        return bool(colours) and all(isinstance(c, str) and c in "ROYGBV" for c in colours)

    def run(
        self, case: Mapping[str, Any], rules: Ruleset[Any, Any], read: ReadOrders
    ) -> Sequence[str]:
        """Run one case; give the differences, one line each, none when it passed.

        Raises Mistake, which names the key and the place in it, when the case itself is wrong.
        """
        refuse_unknown(case, _KEYS)
        state = _state(case)
        orders = sheets(case, state, rules, read)
        found = list(wrongly_ruled(case, state, orders, rules))
        out = missed(case, state)
        filed = with_defaults(state, orders, out, rules)
        after = rules.resolve(state, filed, out, _dice(case, state)).state
        found += _differences(case, after)
        return [*found, *_reports(case, after), *_waiting(case, after, rules.phase(after))]


def _state(case: Mapping[str, Any]) -> State:
    players = dict(entries(case, "players"))
    if not players:
        raise Mistake('players: should be names with colours, such as { A = "R", B = "O" }')
    options = dict(entries(case, "options"))
    rules = rules_of(options)
    colours = rules.board.colours(rules.wheel, gray_core=bool(options.get(GRAY_CORE, False)))
    section = case.get("section")
    state = State(
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
    for line in lines_of(str(case.get("given", ""))):
        apply(state, line)
    return state


def _differences(case: Mapping[str, Any], after: State) -> Iterator[str]:
    """Say which lines of ``then`` do not stand, and whether somebody else has won."""
    there = _lines(after)
    for line in lines_of(str(case.get("then", ""))):
        wanted = after.copy()
        apply(wanted, line)
        if missing := there - _lines(wanted):
            yield f"{line}: there is {'; '.join(sorted(missing))}"
        elif added := _lines(wanted) - there:
            yield f"{line}: there is no {'; '.join(sorted(added))}"
    yield from wrong_winners(case, after)


def _lines(state: State) -> set[str]:
    """Give all that ``then`` can speak of, a line each."""
    names = {seat: player.name for seat, player in state.players.items()}
    lines = {planet_line(state, planet) for planet in state.planets.values()}
    lines |= {ship_line(state, ship) for ship in state.ships.values()}
    lines |= {
        f"faction {faction.empire} {faction.since} {sorted(faction.members)}"
        for faction in state.factions
    }
    for player in state.players.values():
        lines.add(f"[{player.name}] {player.points} points")
        lines.add(f"[{player.name}] {player.successive} turns")
        lines.add(f"[{player.name}] allies {sorted(names[seat] for seat in player.allies)}")
        lines.add(f"[{player.name}] votes {sorted(names[seat] for seat in player.votes)}")
    return lines


def _reports(case: Mapping[str, Any], after: State) -> Iterator[str]:
    """Say which texts under ``tells`` no report has, and which under ``untold`` one has."""
    for key in ("tells", "untold"):
        for name, texts in entries(case, key):
            told = "\n".join(note.text for note in after.players[seat_of(after, name)].notes)
            for text in texts:
                if (text in told) is not (key == "tells"):
                    yield f"{name} is {'not ' if key == 'tells' else ''}told {text!r}: {told!r}"


def _waiting(case: Mapping[str, Any], after: State, phase: Phase) -> Iterator[str]:
    """Compare the section that follows with ``next``, and who owes orders with ``awaiting``."""
    if case.get("next", phase.key) != phase.key:
        yield f"next: {phase.key}, expected {case['next']}"
    found = sorted(after.players[seat].name for seat in phase.awaiting)
    if sorted(case.get("awaiting", found)) != found:
        yield f"awaiting: {found}, expected {sorted(case['awaiting'])}"


def _dice(case: Mapping[str, Any], state: State) -> Dice:
    return ScriptedDice({f"turn {state.turn}|{path}": d for path, d in entries(case, "dice")})


SCENARIOS: Final = SingularityScenarios()
