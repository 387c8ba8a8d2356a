"""The sightings of the reports: the worlds of each player, and the players named there."""

from collections.abc import Iterator, Mapping, Set

from referee.rules.ruleset import Seat
from referee.rulesets.starweb.orders import WorldNumber
from referee.rulesets.starweb.state import Fleet, Player, State, World, chart

Names = Mapping[WorldNumber, Set[Seat]]


def worlds_held(state: State) -> dict[Seat, set[WorldNumber]]:
    """Return the worlds where each player has the world itself or a key."""
    worlds: dict[Seat, set[WorldNumber]] = {seat: set() for seat in state.players}
    for number, world in state.worlds.items():
        if world.owner is not None:
            worlds[world.owner].add(number)
    for fleet in state.fleets.values():
        if fleet.owner is not None:
            worlds[fleet.owner].add(fleet.world)
    return worlds


def worlds_in_sight(state: State) -> dict[Seat, set[WorldNumber]]:
    """Return the worlds where each player has the world, a key or converts, which see it (s4F)."""
    worlds = worlds_held(state)
    for number, world in state.worlds.items():
        if world.apostle is not None:
            worlds[world.apostle].add(number)
    return worlds


def names_by_world(state: State) -> Names:
    """Return the players whose names the report of each world shows (s26, s27)."""
    names = {number: set(_names_of(world)) for number, world in state.worlds.items()}
    for fleet in state.fleets.values():
        names[fleet.world].update(_names_of(fleet))
    for each in state.departures:
        if each.owner is not None:
            names[each.world].add(each.owner)
    return names


def _names_of(thing: World | Fleet) -> Iterator[Seat]:
    apostle = thing.apostle if isinstance(thing, World) else None
    for seat in (thing.owner, apostle, thing.lost_by, thing.gift_from):
        if seat is not None:
            yield seat


def names_seen(player: Player, names: Names) -> set[Seat]:
    """Return the other players whose names the report of *player* shows."""
    return set[Seat]().union(*(names[number] for number in player.worlds)) - {player.seat}


def show(state: State, player: Player, worlds: set[WorldNumber], turn: int) -> None:
    """Record that the player's report of *turn* shows *worlds*, with their gates."""
    player.worlds = worlds
    chart(player, (state.worlds[number] for number in sorted(worlds)), turn)


def meet(state: State, player: Player, seen: Set[Seat]) -> list[Seat]:
    """Record that the player has met those *seen*, and return those not met before (s26).

    They are in the sequence of their names, so that the report does not tell who sits where.
    """
    strangers = _by_name(state, seen - set(player.met))
    player.met += strangers
    return strangers


def _by_name(state: State, seats: Set[Seat]) -> list[Seat]:
    return sorted(seats, key=lambda seat: state.players[seat].name)


def show_correction(state: State) -> None:
    """Add to the report of each player what it shows since *state* was corrected.

    What it showed before stays in it, because the player has read it.
    """
    worlds, names = worlds_in_sight(state), names_by_world(state)
    for seat, player in state.players.items():
        show(state, player, player.worlds | worlds[seat], state.turn)
        seen = names_seen(player, names)
        player.seen += tuple(_by_name(state, seen - set(player.seen)))
        strangers = meet(state, player, seen)
        player.signs += tuple(other for other in strangers if state.players[other].sign)
