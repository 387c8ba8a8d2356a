"""Test cases of Starfarers: the table before, the orders, and what must stand after."""

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
from referee.rulesets.starfarers.decks import encounters
from referee.rulesets.starfarers.goods import Goods
from referee.rulesets.starfarers.notation import (
    NUMBERS,
    apply,
    bag_line,
    base_line,
    deck_line,
    hex_line,
    ship_line,
)
from referee.rulesets.starfarers.options import rules_of
from referee.rulesets.starfarers.state import Hex, Kind, Mode, Player, Stage, State

_KEYS: Final = frozenset(
    {"name", "cite", "seats", "options", "round", "stage", "given", "orders", "missed", "dice"}
    | {"then", "refused", "winners", "tells", "whispers"}
)


class StarfarersScenarios:
    """Runs the cases of a scenario file."""

    tables: Final[Mapping[str, CheckTable]] = {}

    def fits(self, case: Mapping[str, Any]) -> bool:
        """Say whether a case is one of this game: it has seats, in the sequence of play."""
        return isinstance(case.get("seats"), list)

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
        return [*found, *_differences(case, after), *_untold(case, after)]


def _state(case: Mapping[str, Any]) -> State:
    names = case.get("seats", [])
    if not isinstance(names, list) or len(names) < 2:
        raise Mistake('seats: should be names in the sequence of play, such as ["A", "B"]')
    rules = rules_of(dict(entries(case, "options")))
    seats = [Seat(number) for number in range(1, len(names) + 1)]
    first = Stage.TRAVEL if rules.mode is Mode.PHASED else Stage.TURN
    state = State(
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
    lines = {hex_line(state, place) for place in state.hexes.values()}
    lines |= {ship_line(state, ship) for ship in state.ships.values()}
    lines |= {base_line(state, base) for base in state.bases.values()}
    lines |= {bag_line(state, galaxy) for galaxy in state.bags} | {deck_line(state)}
    for player in state.players.values():
        head = f"[{player.name}]"
        lines.add(f"{head} hand {player.hand}")
        lines |= {f"{head} {key} {getattr(player, key)}" for key in NUMBERS}
        captor = "" if player.captor is None else names[player.captor]
        lines.add(f"{head} captor {captor}")
        lines.add(f"{head} hostile {sorted(names[seat] for seat in player.hostile)}")
        lines.add(f"{head} allies {sorted(names[seat] for seat in player.allies)}")
    return lines


def _untold(case: Mapping[str, Any], after: State) -> Iterator[str]:
    """Say which texts do not stand in the public report, or in that of a player alone."""
    told = "\n".join(note.text for note in after.notes)
    for text in case.get("tells", []):
        if text not in told:
            yield f"nobody is told {text!r} but {told!r}"
    for name, texts in entries(case, "whispers"):
        private = "\n".join(note.text for note in after.players[seat_of(after, name)].private)
        for text in (text for text in texts if text not in private):
            yield f"{name} is not told {text!r} but {private!r}"


def _dice(case: Mapping[str, Any], state: State) -> Dice:
    place = f"round {state.round}|{state.stage.value}|{state.turn_of or ''}"
    return ScriptedDice({f"{place}|{path}": draws for path, draws in entries(case, "dice")})


SCENARIOS: Final = StarfarersScenarios()
