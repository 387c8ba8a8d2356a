"""StarWeb's test cases: the state before, the orders, and what must stand afterwards."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields
from typing import Any, Final

from referee.rules.dice import Dice, ScriptedDice
from referee.rules.ruleset import CheckTable, Mistake, ReadOrders, Ruleset, Seat
from referee.rulesets.starweb.orders import Order, WorldNumber
from referee.rulesets.starweb.state import Character, Player, State
from referee.rulesets.starweb.text.comparison import differences
from referee.rulesets.starweb.text.patch import place_everything
from referee.rulesets.starweb.text.records import Entries, read_records

_KEYS: Final = frozenset(
    {"name", "cite", "players", "given", "orders", "missed", "dice", "options", "turns", "then"}
    | {"scores", "misread"}
)
_CHARACTERS: Final = {
    **{character.value.lower().replace(" ", "-"): character for character in Character},
    "collector": Character.COLLECTOR,
}
_MOST_TURNS: Final = 1000


class StarWebScenarios:
    """Runs the cases of a StarWeb scenario file."""

    tables: Final[Mapping[str, CheckTable]] = {}

    def fits(self, case: Mapping[str, Any]) -> bool:
        """Say whether a case is one of StarWeb: its players have characters."""
        return isinstance(case.get("players"), Mapping)

    def run(
        self, case: Mapping[str, Any], rules: Ruleset[Any, Any], read: ReadOrders
    ) -> Sequence[str]:
        """Run one case; give the differences, one line each, none when it passed.

        Raises Mistake, which names the key and the place in it, when the case itself is wrong.
        """
        _known(case, _KEYS, "a case")
        state = _state(case)
        then = _records(case, "then")
        expected = _scores(case, state)
        turns = _whole(case, "turns", 1)
        if not 1 <= turns <= _MOST_TURNS:
            raise Mistake(f"turns: from 1 to {_MOST_TURNS}")
        after = _play(case, state, turns, rules, read)
        return [
            *_read_as_orders(case, state, rules, read),
            *differences(after, then),
            *_score_differences(state, after, expected),
        ]


def _read_as_orders(
    case: Mapping[str, Any], state: State, rules: Ruleset[Any, Any], read: ReadOrders
) -> Iterator[str]:
    """Say which texts under ``misread``, none of which is an order, are read as orders."""
    texts = case.get("misread", [])
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise Mistake('misread: should be a list of texts, such as ["F005W2"]')
    grammar = rules.grammar(rules.phase(state))
    for text in texts:
        try:
            read(grammar, text)
        except Mistake:
            continue
        yield f"{text}: is read as an order, expected none"


def _play(
    case: Mapping[str, Any], state: State, turns: int, rules: Ruleset[Any, Any], read: ReadOrders
) -> State:
    orders = _orders(case, state, rules, read)
    missed = _missed(case, state)
    for seat in missed:
        if orders[seat]:
            raise Mistake(f"missed: {state.players[seat].name} has orders in this case")
    dice = _dice(case)
    for turn in range(turns):
        sheets = orders if turn == 0 else dict.fromkeys(state.players, ())
        silent = missed if turn == 0 else frozenset[Seat]()
        defaults = {seat: rules.defaults(state, seat, ()) for seat in silent}
        state = rules.resolve(state, {**sheets, **defaults}, silent, dice).state
    return state


def _state(case: Mapping[str, Any]) -> State:
    players, entries = _players(case), _records(case, "given")
    with _about("given"):
        state = place_everything(players, entries)
    for player in state.players.values():
        player.met = [seat for seat in state.players if seat != player.seat]
        own = [world.number for world in state.worlds.values() if world.owner == player.seat]
        player.home = min(own or state.worlds, default=0)
        player.worlds = _seen_worlds(state, player.seat)
    known = {field.name for field in fields(State) if field.type in ("int", int)}
    for name, value in _table(case, "options").items():
        if name not in known or type(value) is not int:
            raise Mistake(f"options: {name} = {value!r} cannot be set; {_listed(known)} can")
        setattr(state, name, value)
    return state


def _seen_worlds(state: State, seat: Seat) -> set[WorldNumber]:
    """Give the worlds of a report before the turn: by it a sheet's orders are judged (s27)."""
    worlds = {w.number for w in state.worlds.values() if seat in (w.owner, w.apostle)}
    return worlds | {fleet.world for fleet in state.fleets.values() if fleet.owner == seat}


def _players(case: Mapping[str, Any]) -> dict[Seat, Player]:
    players: dict[Seat, Player] = {}
    for number, (name, character) in enumerate(_table(case, "players").items(), 1):
        code = str(character).lower().replace(" ", "-")
        if code not in _CHARACTERS:
            raise Mistake(f"players: {name} cannot be {character!r}; {_listed(_CHARACTERS)} can be")
        if not (name.isascii() and name.isalpha()):
            raise Mistake(f"players: {name!r} is no name: letters only")
        if any(player.name == name.upper() for player in players.values()):
            raise Mistake(f"players: {name} stands there twice")
        players[Seat(number)] = Player(Seat(number), name.upper(), _CHARACTERS[code], home=0)
    if not players:
        raise Mistake("players: nobody plays")
    return players


def _records(case: Mapping[str, Any], key: str) -> Entries:
    text = _text(case, key)
    with _about(key):
        return read_records(text)


def _orders(
    case: Mapping[str, Any], state: State, rules: Ruleset[Any, Any], read: ReadOrders
) -> dict[Seat, Sequence[Order]]:
    texts = _table(case, "orders")
    orders: dict[Seat, Sequence[Order]] = dict.fromkeys(state.players, ())
    grammar = rules.grammar(rules.phase(state))
    for name in texts:
        seat = _seat(state, "orders", name)
        text = _text(texts, name, "orders.")
        with _about(f"orders.{name}"):
            orders[seat] = read(grammar, text)
    return orders


def _missed(case: Mapping[str, Any], state: State) -> frozenset[Seat]:
    names = case.get("missed", [])
    if not isinstance(names, list):
        raise Mistake('missed: should be a list of players, such as ["A"]')
    return frozenset(_seat(state, "missed", name) for name in names)


def _dice(case: Mapping[str, Any]) -> Dice:
    script: dict[str, Sequence[int]] = {}
    for path, draws in _table(case, "dice").items():
        if not isinstance(draws, list) or any(type(draw) is not int for draw in draws):
            raise Mistake(f'dice: "{path}" should be a list of whole numbers')
        # A case seldom has more than one turn; its name may then be left out.
        script[path if path.startswith("turn ") else f"turn 1|{path}"] = draws
    return ScriptedDice(script)


def _scores(case: Mapping[str, Any], state: State) -> dict[Seat, int]:
    table = _table(case, "scores")
    return {_seat(state, "scores", name): _whole(table, name, 0, "scores.") for name in table}


def _score_differences(before: State, after: State, expected: Mapping[Seat, int]) -> list[str]:
    lines = []
    for seat, points in expected.items():
        gained = after.players[seat].score - before.players[seat].score
        if gained != points:
            lines.append(f"{after.players[seat].name}: {gained:+d} points, expected {points:+d}")
    return lines


def _seat(state: State, key: str, name: object) -> Seat:
    for seat, player in state.players.items():
        if isinstance(name, str) and player.name == name.upper():
            return seat
    raise Mistake(f"{key}: {name!r} is none of the players")


def _known(table: Mapping[str, Any], known: frozenset[str], what: str) -> None:
    unknown = [key for key in table if key not in known]
    if unknown:
        raise Mistake(f'"{unknown[0]}" is no key of {what}; there are {_listed(known)}')


def _table(table: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = table.get(key, {})
    if not isinstance(value, Mapping):
        raise Mistake(f"{key}: should be a table")
    return value


def _text(table: Mapping[str, Any], key: str, above: str = "") -> str:
    value = table.get(key, "")
    if not isinstance(value, str):
        raise Mistake(f"{above}{key}: should be text")
    return value


def _whole(table: Mapping[str, Any], key: str, default: int, above: str = "") -> int:
    value = table.get(key, default)
    if type(value) is not int:
        raise Mistake(f"{above}{key}: should be a whole number")
    return value


@contextmanager
def _about(key: str) -> Iterator[None]:
    """Let a mistake say under which key of the case it was made."""
    try:
        yield
    except Mistake as mistake:
        raise Mistake(f"{key}: {mistake}") from mistake


def _listed(names: Sequence[str] | Mapping[str, Any] | frozenset[str] | set[str]) -> str:
    return ", ".join(sorted(names))


SCENARIOS: Final = StarWebScenarios()
