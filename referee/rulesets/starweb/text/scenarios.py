"""StarWeb's test cases: the state before, the orders, and the expected state after."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import fields
from typing import Final

from referee.rules.fields import Fields
from referee.rules.ruleset import Seat, UserError
from referee.rules.scenarios import (
    Case,
    Game,
    ScenarioRunner,
    Sheets,
    about,
    entries,
    seat_under,
)
from referee.rulesets.starweb.orders import WorldNumber
from referee.rulesets.starweb.state import Character, Player, State
from referee.rulesets.starweb.text.comparison import differences
from referee.rulesets.starweb.text.patch import place_everything
from referee.rulesets.starweb.text.records import Entries, read_records

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

    def play(self, case: Case, state: State, orders: Sheets, game: Game) -> State:
        """Return the galaxy after the turns of the case. The orders are for the first one."""
        turns = Fields(case, "").number("turns", 1)
        if not 1 <= turns <= _MOST_TURNS:
            raise UserError(f"turns: expected a number from 1 to {_MOST_TURNS}")
        for seat in _missed(case, state):
            if orders[seat]:
                raise UserError(f"missed: {state.players[seat].name} has orders in this case")
        dice = self.dice(case, state, game)
        state = super().play(case, state, orders, game)
        for _ in range(1, turns):
            nothing = dict.fromkeys(state.players, ())
            state = game.rules.resolve(state, nothing, frozenset(), dice).state
        return state

    def dice_path(self, state: State, game: Game) -> str:
        """Return the dice path of the first turn in most cases."""
        del state, game
        return "turn 1"

    def differences(self, case: Case, before: State, after: State, game: Game) -> Iterator[str]:
        """Yield the differences from the records of ``then`` and the points of ``scores``."""
        del game
        yield from differences(after, _records(case, "then"))
        scores = Fields(case, "").table("scores")
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
    text = Fields(case, "").text(key, "")
    with about(key):
        return read_records(text)


def _missed(case: Case, state: State) -> frozenset[Seat]:
    names = case.get("missed", [])
    if not isinstance(names, list):
        raise UserError('missed: expected a list of players, such as ["A"]')
    return frozenset(seat_under(state, "missed", name) for name in names)


def _listed(names: Collection[str]) -> str:
    return ", ".join(sorted(names))


SCENARIOS: Final = StarWebScenarios()
