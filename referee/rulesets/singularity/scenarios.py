"""Test cases of The Singularity Trap: the state before, the orders, and what must stand after."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from referee.rules.dice import Dice, ScriptedDice
from referee.rules.ruleset import Mistake, Phase, ReadOrders, Ruleset, Seat, Standing
from referee.rulesets.singularity.notation import (
    apply,
    lines_of,
    planet_line,
    seat_of,
    ship_line,
)
from referee.rulesets.singularity.offer import GRAY_CORE, rules_of
from referee.rulesets.singularity.orders import Order
from referee.rulesets.singularity.sections import first_section
from referee.rulesets.singularity.state import Planet, Player, Section, State

_KEYS: Final = frozenset(
    {"name", "cite", "players", "options", "turn", "section", "given", "orders", "missed", "dice"}
    | {"then", "refused", "winners", "tells", "untold", "next", "awaiting"}
)


class SingularityScenarios:
    """Runs the cases of a scenario file."""

    tables: Final = frozenset[str]()

    def fits(self, case: Mapping[str, Any]) -> bool:
        """Say whether a case is one of this game: its players have colours."""
        players = case.get("players")
        colours = players.values() if isinstance(players, Mapping) else ()
        return bool(colours) and all(isinstance(c, str) and c in "ROYGBV" for c in colours)

    def run_table(self, key: str, row: Mapping[str, Any]) -> Sequence[str]:
        """There are no tables beside the cases."""
        raise Mistake(f"{key}: this game has no such table ({len(row)} entries)")

    def run(
        self, case: Mapping[str, Any], rules: Ruleset[Any, Any], read: ReadOrders
    ) -> Sequence[str]:
        """Run one case; give the differences, one line each, none when it passed.

        Raises Mistake, which names the key and the place in it, when the case itself is wrong.
        """
        unknown = sorted(case.keys() - _KEYS)
        if unknown:
            raise Mistake(
                f'"{unknown[0]}" is no key of a case; there are {", ".join(sorted(_KEYS))}'
            )
        state = _state(case)
        grammar = rules.grammar(rules.phase(state))
        orders = {
            seat_of(state, name): read(grammar, text) for name, text in _table(case, "orders")
        }
        found = list(_refusals(case, state, orders, rules))
        missed = frozenset(seat_of(state, name) for name in case.get("missed", []))
        sheets: dict[Seat, Sequence[Order]] = {seat: orders.get(seat, ()) for seat in state.players}
        for seat in missed:
            sheets[seat] = rules.defaults(state, seat, sheets[seat])
        after = rules.resolve(state, sheets, missed, _dice(case, state)).state
        found += _differences(case, after)
        return [*found, *_reports(case, after), *_waiting(case, after, rules.phase(after))]


def _state(case: Mapping[str, Any]) -> State:
    players = dict(_table(case, "players"))
    if not players:
        raise Mistake('players: should be names with colours, such as { A = "R", B = "O" }')
    options = dict(_table(case, "options"))
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


def _refusals(
    case: Mapping[str, Any],
    state: State,
    orders: Mapping[Seat, Sequence[Order]],
    rules: Ruleset[Any, Any],
) -> Iterator[str]:
    """Compare which orders are refused before the deadline with ``refused``."""
    for name, expected in _table(case, "refused"):
        seat = seat_of(state, name)
        sheet = orders.get(seat, ())
        rulings = rules.validate(state, seat, sheet)
        found = [
            rules.render(order)
            for order, ruling in zip(sheet, rulings, strict=True)
            if ruling.standing is Standing.REFUSED
        ]
        if found != list(expected):
            reasons = [ruling.reason for ruling in rulings if ruling.reason]
            yield f"{name}: refused are {found}, expected {list(expected)} ({reasons})"


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
    if "winners" in case:
        found = sorted(after.players[seat].name for seat in after.winners)
        if found != sorted(case["winners"]):
            yield f"winners: {found}, expected {sorted(case['winners'])}"


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
        for name, texts in _table(case, key):
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
    return ScriptedDice({f"turn {state.turn}|{path}": d for path, d in _table(case, "dice")})


def _table(case: Mapping[str, Any], key: str) -> list[tuple[str, Any]]:
    value = case.get(key, {})
    if not isinstance(value, Mapping):
        raise Mistake(f"{key}: should be a table")
    return list(value.items())


SCENARIOS: Final = SingularityScenarios()
