"""StarWeb's test cases: the state before, the orders, and the expected state after."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import fields
from typing import Any, Final

from referee.rules.fields import Fields
from referee.rules.ruleset import Resolution, Seat, UserError
from referee.rules.scenarios import (
    Case,
    Game,
    ScenarioRunner,
    Sheets,
    about,
    entries,
    missed,
    seat_under,
)
from referee.rulesets.starweb.orders import WorldNumber
from referee.rulesets.starweb.state import Character, Player, State
from referee.rulesets.starweb.text.patch import place_everything
from referee.rulesets.starweb.text.printout import in_words, label
from referee.rulesets.starweb.text.records import Entries, FleetEntry, WorldEntry, read_records
from referee.rulesets.starweb.text.snapshot import fleet_record, world_record

_CHARACTERS: Final = {
    **{character.value.lower().replace(" ", "-"): character for character in Character},
    "collector": Character.COLLECTOR,
}
_MOST_TURNS: Final = 1000


class StarWebScenarios(ScenarioRunner[State]):
    """The runner of the cases in a StarWeb scenario file."""

    keys = frozenset({"players", "turns", "scores"})

    def fits(self, case: Case) -> bool:
        """Return whether a case is for StarWeb: its players have characters."""
        return isinstance(case.get("players"), Mapping)

    def begin(self, case: Case) -> State:
        """Return the players and the galaxy described by the records of ``given``."""
        players, given = _players(case), _records(case, "given")
        with about("given"):
            state = place_everything(players, given)
        for player in state.players.values():
            player.met = [seat for seat in state.players if seat != player.seat]
            own = [world.number for world in state.worlds.values() if world.owner == player.seat]
            player.home = min(own or state.worlds, default=0)
            player.worlds = _seen_worlds(state, player.seat)
        known = {field.name for field in fields(State) if field.type in ("int", int)}
        for name, value in entries(case, "options"):
            if name not in known or type(value) is not int:
                raise UserError(
                    f"options: {name} = {value!r} cannot be set. Possible: {_listed(known)}"
                )
            setattr(state, name, value)
        return state

    def play(self, case: Case, state: State, orders: Sheets, game: Game) -> Resolution[State, Any]:
        """Return the last of the turns of the case, resolved. The orders are for the first one."""
        turns = Fields(case).number("turns", 1)
        if not 1 <= turns <= _MOST_TURNS:
            raise UserError(f"turns: expected a number from 1 to {_MOST_TURNS}")
        for seat in missed(case, state):
            if orders[seat]:
                raise UserError(f"missed: {state.players[seat].name} has orders in this case")
        dice = self.dice(case, state, game)
        turn = super().play(case, state, orders, game)
        for _ in range(1, turns):
            nothing = dict.fromkeys(turn.state.players, ())
            turn = game.rules.resolve(turn.state, nothing, frozenset(), dice)
        return turn

    def differences(self, case: Case, before: State, after: State, game: Game) -> Iterator[str]:
        """Yield the differences from the records of ``then`` and the points of ``scores``."""
        del game
        yield from differences(after, _records(case, "then"))
        scores = Fields(case).table("scores")
        for name in scores.names():
            seat, points = seat_under(after, "scores", name), scores.number(name)
            gained = after.players[seat].score - before.players[seat].score
            if gained != points:
                player = after.players[seat].name
                yield f"{player}: {gained:+d} points, expected {points:+d}"


def _seen_worlds(state: State, seat: Seat) -> set[WorldNumber]:
    """Return the worlds of the report before the turn, by which orders are judged (s27)."""
    worlds = {w.number for w in state.worlds.values() if seat in (w.owner, w.apostle)}
    return worlds | {fleet.world for fleet in state.fleets.values() if fleet.owner == seat}


def _players(case: Case) -> dict[Seat, Player]:
    players: dict[Seat, Player] = {}
    for number, (name, character) in enumerate(entries(case, "players"), 1):
        code = str(character).lower().replace(" ", "-")
        if code not in _CHARACTERS:
            raise UserError(
                f"players: {name} cannot be {character!r}. Possible: {_listed(_CHARACTERS)}"
            )
        if not (name.isascii() and name.isalpha()):
            raise UserError(f"players: {name!r} is not a name. Use only letters")
        if any(player.name == name.upper() for player in players.values()):
            raise UserError(f"players: {name} is named twice")
        players[Seat(number)] = Player(Seat(number), name.upper(), _CHARACTERS[code], home=0)
    if not players:
        raise UserError("players: expected at least one player")
    return players


def _records(case: Case, key: str) -> Entries:
    text = Fields(case).text(key, "")
    with about(key):
        return read_records(text)


def _listed(names: Collection[str]) -> str:
    return ", ".join(sorted(names))


def differences(state: State, expected: Entries) -> list[str]:
    """Return a line for each value that *expected* names and that differs in *state*."""
    lines: list[str] = []
    for world in expected.worlds:
        lines += _world(state, world)
        for fleet in world.fleets:
            lines += _fleet(state, fleet, world.record.number)
    for fleet in expected.fleets:
        lines += _fleet(state, fleet, None)
    for player in expected.players:
        scores = {held.name: held.score for held in state.players.values()}
        if scores.get(player.name) != player.score:
            found = scores.get(player.name, "not in the game")
            lines.append(f"{player.name}: score is {found}, expected {player.score}")
    return lines


def _world(state: State, entry: WorldEntry) -> Iterator[str]:
    number = entry.record.number
    if number not in state.worlds:
        yield f"W{number}: is missing"
        return
    yield from _values(f"W{number}", entry, world_record(state, state.worlds[number]))


def _fleet(state: State, entry: FleetEntry, world: int | None) -> Iterator[str]:
    number = entry.record.number
    if number not in state.fleets:
        yield f"F{number}: is missing"
        return
    fleet = state.fleets[number]
    if world is not None and fleet.world != world:
        yield f"F{number}: is at W{fleet.world}, expected at W{world}"
    yield from _values(f"F{number}", entry, fleet_record(state, fleet))


def _values(what: str, entry: WorldEntry | FleetEntry, found: Any) -> Iterator[str]:
    for name in sorted(entry.named):
        value, expected = getattr(found, name), getattr(entry.record, name)
        # Flags, artifacts and departures that a record does not name are allowed.
        if isinstance(expected, tuple) and name != "gates":
            missing = [part for part in expected if part not in value]
            if missing:
                yield f"{what}: {label(name)} is {in_words(value)}, without {in_words(missing)}"
        elif value != expected:
            yield f"{what}: {label(name)} is {in_words(value)}, expected {in_words(expected)}"


SCENARIOS: Final = StarWebScenarios()
