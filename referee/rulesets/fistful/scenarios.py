"""Test cases of A Fistful of Planets: the state before, the orders, and what must stand after."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from referee.rules.dice import Dice, ScriptedDice
from referee.rules.ruleset import Mistake, ReadOrders, Ruleset, Seat, Standing
from referee.rulesets.fistful.notation import apply, fleet_line, lines_of, seat_of, star_line
from referee.rulesets.fistful.offer import rules_of
from referee.rulesets.fistful.orders import Order
from referee.rulesets.fistful.state import Player, Stage, State

_KEYS: Final = frozenset(
    {"name", "cite", "players", "options", "turn", "given", "orders", "missed", "dice", "then"}
    | {"refused", "winners", "tells", "hides"}
)


class FistfulScenarios:
    """Runs the cases of a scenario file."""

    tables: Final = frozenset[str]()

    def fits(self, case: Mapping[str, Any]) -> bool:
        """Say whether a case is one of this game: its players are a list of names."""
        return isinstance(case.get("players"), list)

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
            raise Mistake(f'"{unknown[0]}" is no key of a case; there are {_listed(_KEYS)}')
        state = _state(case)
        grammar = rules.grammar(rules.phase(state))
        orders = {
            seat_of(state, name): read(grammar, text) for name, text in _table(case, "orders")
        }
        found = list(_refusals(case, state, orders, rules))
        missed = frozenset(seat_of(state, name) for name in case.get("missed", []))
        sheets: dict[Seat, Sequence[Order]] = {seat: orders.get(seat, ()) for seat in state.players}
        for seat in missed:
            sheets[seat] = tuple(rules.defaults(state, seat, orders.get(seat, ())))
        after = rules.resolve(state, sheets, missed, _dice(case, state)).state
        return [
            *found,
            *_differences(case, after),
            *_untold(case, after),
            *_unhidden(case, after, rules),
        ]


def _state(case: Mapping[str, Any]) -> State:
    players = case.get("players", [])
    if not isinstance(players, list) or len(players) != 2:
        raise Mistake('players: should be two names, such as ["A", "B"]')
    seats = [Seat(number) for number in (1, 2)]
    state = State(
        turn=int(case.get("turn", 1)),
        stage=Stage.ORDERS,
        rules=rules_of(dict(_table(case, "options"))),
        stars={},
        fleets=[],
        players={s: Player(s, str(n).upper()) for s, n in zip(seats, players, strict=True)},
        chooser=seats[0],
    )
    for line in lines_of(str(case.get("given", ""))):
        apply(state, line)
    if any(player.home is None for player in state.players.values()):
        state.stage = Stage.HOMES
        state.chooser = next(s for s, player in state.players.items() if player.home is None)
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
    there = {star_line(after, star) for star in after.stars.values()}
    there |= {fleet_line(after, fleet) for fleet in after.fleets}
    for line in lines_of(str(case.get("then", ""))):
        wanted = after.copy()
        apply(wanted, line)
        now = {star_line(wanted, star) for star in wanted.stars.values()}
        now |= {fleet_line(wanted, fleet) for fleet in wanted.fleets}
        if now != there:
            missing = sorted(there - now) or ["nothing of the kind"]
            yield f"{line}: there is {'; '.join(missing)}"
        homes = {s: p.home for s, p in wanted.players.items()}
        if homes != {s: p.home for s, p in after.players.items()}:
            yield f"{line}: it is not"
    if "winners" in case:
        found = sorted(after.players[seat].name for seat in after.winners)
        if found != sorted(case["winners"]):
            yield f"winners: {found}, expected {sorted(case['winners'])}"


def _untold(case: Mapping[str, Any], after: State) -> Iterator[str]:
    """Say which texts under ``tells`` do not stand in a player's report."""
    for name, texts in _table(case, "tells"):
        told = "\n".join(note.text for note in after.players[seat_of(after, name)].notes)
        for text in texts:
            if text not in told:
                yield f"{name} is not told {text!r} but {told!r}"


def _unhidden(case: Mapping[str, Any], after: State, rules: Ruleset[Any, Any]) -> Iterator[str]:
    """Say which texts under ``hides`` stand somewhere in a player's report."""
    for name, texts in _table(case, "hides"):
        report = repr(rules.view(after, seat_of(after, name), ""))
        yield from (f"{name} is told {text!r}" for text in texts if text in report)


def _dice(case: Mapping[str, Any], state: State) -> Dice:
    return ScriptedDice({f"turn {state.turn}|{path}": d for path, d in _table(case, "dice")})


def _table(case: Mapping[str, Any], key: str) -> list[tuple[str, Any]]:
    value = case.get(key, {})
    if not isinstance(value, Mapping):
        raise Mistake(f"{key}: should be a table")
    return list(value.items())


def _listed(names: frozenset[str]) -> str:
    return ", ".join(sorted(names))


SCENARIOS: Final = FistfulScenarios()
