"""The guide for newcomers: their worlds and keys, and orders for them with the reasons."""

from collections.abc import Iterator
from typing import Final

from referee.rules.ruleset import Guide, Seat, Suggestion
from referee.rules.wording import counted, listed
from referee.rulesets.starweb import orders as o
from referee.rulesets.starweb.sight import Sight
from referee.rulesets.starweb.state import Fleet, State, World

_LOAD: Final = 10
"""The ships of a first fleet: a third of what the homeworld builds."""


def guide(state: State, seat: Seat) -> Guide:
    """Return the guide of a seat, from the worlds and fleets of its report."""
    if seat not in state.players:
        return Guide()
    sight = Sight(state, seat)
    worlds, fleets = _worlds(sight), _fleets(sight)
    suggestions = (*_advice(sight, worlds, fleets), *_others(worlds, fleets))
    return Guide(_position(sight, worlds, fleets), suggestions, ("START", "PRINTOUT", "ORDERS"))


def _worlds(sight: Sight) -> list[World]:
    """Return the worlds of the seat, those that build most first."""
    own = [w for number in sight.player.worlds if (w := sight.own_world(number)) is not None]
    return sorted(own, key=lambda world: (-world.usable, world.number))


def _fleets(sight: Sight) -> list[Fleet]:
    """Return the fleets of the seat, by number."""
    found = (sight.own_fleet(number) for number in sorted(sight.state.fleets))
    return [fleet for fleet in found if fleet is not None]


def _position(sight: Sight, worlds: list[World], fleets: list[Fleet]) -> str:
    player = sight.player
    article = "an" if player.character.value[0] in "AE" else "a"
    owned = f"{counted(len(worlds), 'world')} and {counted(len(fleets), 'key')}"
    parts = [f"You are {player.name}, {article} {player.character.value}, with {owned}."]
    for world in worlds[:1]:
        metal, people = f"{world.metal} metal", f"{world.population} people"
        parts.append(
            f"W{world.number} has {world.industry} industry, {metal} and {people}: it can build "
            f"{counted(world.usable, 'ship')} this turn. Its gates lead to "
            f"{listed(f'W{gate}' for gate in world.gates)}."
        )
    empty = [f"F{fleet.number}" for fleet in fleets if not fleet.ships]
    if empty:
        has = "key has" if len(empty) == 1 else "keys have"
        parts.append(f"Your {has} no ships yet: {listed(empty)}.")
    return " ".join(parts)


def _advice(sight: Sight, worlds: list[World], fleets: list[Fleet]) -> Iterator[Suggestion]:
    """Yield the first orders: build ships, send them to the worlds next door, keep the keys."""
    for world in worlds:
        keys = [fleet for fleet in fleets if fleet.world == world.number and not fleet.ships]
        if not (world.usable and world.gates and keys):
            continue
        number, gate, first = world.number, world.gates[0], keys[0].number
        ships = min(_LOAD, world.usable)
        why = (
            f"The new ships move this turn if you add F{first}W{gate}. W{gate} is next door, and a "
            "world without defenders is yours if only you come."
        )
        yield Suggestion((o.BuildFleetShips(number, ships, first),), why)
        for key in keys[1:2]:
            why = f"One ship on key {key.number} keeps the key yours when other ships leave."
            yield Suggestion((o.BuildFleetShips(number, 1, key.number),), why)
        break
    if sight.state.turn == 1:
        why = "On turn 1 you vote for the score that ends the game; a high score is a long game."
        yield Suggestion((o.VoteEnding(8000),), why)


def _others(worlds: list[World], fleets: list[Fleet]) -> Iterator[Suggestion]:
    """Yield other orders that the worlds and fleets could get."""
    gates = {world.number: world.gates for world in worlds}
    for world in worlds:
        yield from _of_world(world)
    for fleet in fleets:
        yield from _of_fleet(fleet, gates.get(fleet.world, ()))
        for key in fleets:
            if fleet.ships > 1 and key.world == fleet.world and not key.ships:
                why = f"Key {key.number} gets a ship, so that it can move on its own."
                yield Suggestion((o.TransferToFleet(fleet.number, 1, key.number),), why)
    yield Suggestion((o.HoldAmbush(),), "Your resting fleets fire at nobody who passes.")


def _of_world(world: World) -> Iterator[Suggestion]:
    number = world.number
    if world.usable:
        why = "It guards the industry against other players."
        yield Suggestion((o.BuildHomeShips(number, 1, o.Home.INDUSTRY),), why)
        why = "It guards the people, so nobody takes the world without a fight."
        yield Suggestion((o.BuildHomeShips(number, 1, o.Home.PEOPLE),), why)
        why = "More industry builds more ships in later turns."
        yield Suggestion((o.BuildIndustry(number, 1),), why)
        why = "More people can live there in later turns."
        yield Suggestion((o.RaiseLimit(number, 1),), why)
    for gate in world.gates[:1]:
        if world.population:
            why = f"People move to W{gate}, where they can work."
            yield Suggestion((o.MigratePeople(number, 1, gate),), why)
        if world.iships:
            why = f"You see W{gate} before you go there. The ship is used up."
            yield Suggestion((o.ProbeFromHome(o.Home.INDUSTRY, number, gate),), why)


def _of_fleet(fleet: Fleet, gates: tuple[o.WorldNumber, ...]) -> Iterator[Suggestion]:
    number = fleet.number
    if not fleet.ships:
        return
    for gate in gates:
        yield Suggestion((o.MoveFleet(number, (gate,)),), f"W{gate} is next to W{fleet.world}.")
        why = f"You see W{gate} before you go there. The ship is used up."
        yield Suggestion((o.ProbeFromFleet(number, gate),), why)
    yield Suggestion((o.Load(number),), "Metal that you carry home builds ships there.")
    if fleet.cargo:
        yield Suggestion((o.Unload(number),), "Industry here can build with the metal.")
        yield Suggestion((o.Jettison(number),), "The fleet can then load something else.")
    why = "A ship that stays behind guards the people of the world."
    yield Suggestion((o.TransferToHome(number, 1, o.Home.PEOPLE),), why)
    why = "A fleet at peace captures nothing, so it offends nobody."
    yield Suggestion((o.MakePeace(number),), why)
