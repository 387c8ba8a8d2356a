"""Test cases of A Fistful of Planets: the state before, the orders, and what must stand after."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from referee.rules.dice import Dice, ScriptedDice
from referee.rules.ruleset import CheckTable, Mistake, ReadOrders, Ruleset, Seat
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
from referee.rulesets.fistful.notation import apply, fleet_line, star_line
from referee.rulesets.fistful.options import rules_of
from referee.rulesets.fistful.state import Player, Stage, State

_KEYS: Final = frozenset(
    {"name", "cite", "players", "options", "turn", "given", "orders", "missed", "dice", "then"}
    | {"refused", "winners", "tells", "hides"}
)


class FistfulScenarios:
    """Runs the cases of a scenario file."""

    tables: Final[Mapping[str, CheckTable]] = {}

    def fits(self, case: Mapping[str, Any]) -> bool:
        """Say whether a case is one of this game: its players are a list of names."""
        return isinstance(case.get("players"), list)

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
        rules=rules_of(dict(entries(case, "options"))),
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
    yield from wrong_winners(case, after)


def _untold(case: Mapping[str, Any], after: State) -> Iterator[str]:
    """Say which texts under ``tells`` do not stand in a player's report."""
    for name, texts in entries(case, "tells"):
        told = "\n".join(note.text for note in after.players[seat_of(after, name)].notes)
        for text in texts:
            if text not in told:
                yield f"{name} is not told {text!r} but {told!r}"


def _unhidden(case: Mapping[str, Any], after: State, rules: Ruleset[Any, Any]) -> Iterator[str]:
    """Say which texts under ``hides`` stand somewhere in a player's report."""
    for name, texts in entries(case, "hides"):
        report = repr(rules.view(after, seat_of(after, name), ""))
        yield from (f"{name} is told {text!r}" for text in texts if text in report)


def _dice(case: Mapping[str, Any], state: State) -> Dice:
    return ScriptedDice({f"turn {state.turn}|{path}": d for path, d in entries(case, "dice")})


SCENARIOS: Final = FistfulScenarios()
