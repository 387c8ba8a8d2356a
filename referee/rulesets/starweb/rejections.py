"""Rejections: why an order cannot be carried out, by what its player can see."""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any, Final

from referee.rulesets.starweb import orders as o
from referee.rulesets.starweb.sight import Sight
from referee.rulesets.starweb.state import MOST, Character, Fleet, World

LOWEST_VOTE, HIGHEST_VOTE = 1000, 10000
"""The range of the vote for the ending score (s30)."""
MOST_NAMES = 12
"""The most names of players met that a rejection lists."""
NEEDED: Final[Mapping[type[o.Order], Character]] = {
    o.RobotAttack: Character.BERSERKER,
    o.DeclareJihad: Character.APOSTLE,
}
"""Orders that only one character can give, with that character (s4)."""


def rejection(sight: Sight, order: o.Order) -> str | None:
    """Return why the order is wrong by what the player can see, or None.

    The text is the same for a thing that is elsewhere and for one that does not exist.
    """
    return (
        _of_character(sight, order)
        or _of_subject(sight, order)
        or _of_name(sight, order)
        or _of_goal(sight, order)
    )


def _of_character(sight: Sight, order: o.Order) -> str | None:
    """Reject orders that only another character can give (s4)."""
    character = NEEDED.get(type(order))
    if character is None or sight.player.character is character:
        return None
    return f"Only {_a(character)} can do this, and you are {_a(sight.player.character)}."


def _of_subject(sight: Sight, order: Any) -> str | None:
    """Reject orders to fleets, worlds and artifacts that are not the player's."""
    if hasattr(order, "fleet") and sight.own_fleet(order.fleet) is None:
        return _foreign(sight, sight.fleet(order.fleet), f"fleet {order.fleet}")
    if hasattr(order, "artifact") and sight.artifact(order.artifact) is None:
        return f"You have no artifact {order.artifact}."
    if isinstance(order, o.HoldAmbush) or not hasattr(order, "world"):
        return None
    if sight.own_world(order.world) is None:
        return _foreign(sight, sight.world(order.world), f"world {order.world}")
    return None


def _of_name(sight: Sight, order: Any) -> str | None:
    """Reject the name of a player who has not been met (s17, s18)."""
    name = getattr(order, "name", None)
    if name is None or sight.named(name) is not None:
        return None
    if name == sight.player.name.upper():
        return f"{name} is your own name."
    near = get_close_matches(name, sight.names(), n=1)
    if near:
        return f"You have not met {name}. Did you mean {near[0]}?"
    met = ", ".join(sight.names()[:MOST_NAMES]) or "nobody yet"
    return f"You have not met {name}. You have met: {met}."


def _of_goal(sight: Sight, order: o.Order) -> str | None:
    """Reject goals out of reach: keys elsewhere, worlds that are not next to it."""
    match order:
        case o.TransferToFleet(fleet, _, to) if fleet == to:
            return "A fleet cannot give ships to itself."
        case o.FireAtFleet(fleet, _, at) if fleet == at:
            return "A fleet cannot fire at itself."
        case o.TransferToFleet(fleet, _, key) | o.FireAtFleet(fleet, _, key):
            return _key_elsewhere(sight, key, sight.own_fleet(fleet))
        case (
            o.TransferFromHome(_, world, _, key)
            | o.BuildFleetShips(world, _, key)
            | o.HomeFireAtFleet(_, world, _, key)
        ):
            return _key_elsewhere(sight, key, sight.own_world(world))
        case o.HookArtifact(artifact, key):
            return _key_elsewhere(sight, key, sight.artifact(artifact))
        case o.HoldAmbush(world) if world is not None and world > MOST:
            return _beyond_all(world)
        case o.VoteEnding(score) if not LOWEST_VOTE <= score <= HIGHEST_VOTE:
            return f"The ending score must be from {LOWEST_VOTE} to {HIGHEST_VOTE}."
        case _:
            return _world_away(sight, order)


def _world_away(sight: Sight, order: o.Order) -> str | None:
    match order:
        case o.MoveFleet(fleet, route):
            own = sight.own_fleet(fleet)
            return _wrong_hop(sight, own.world, route) if own is not None else None
        case o.ProbeFromFleet(fleet, goal):
            own = sight.own_fleet(fleet)
            return _not_next(sight, own.world, goal) if own is not None else None
        case o.MigratePeople(world, _, goal) | o.MigrateConverts(world, _, goal):
            return _not_next(sight, world, goal)
        case o.ProbeFromHome(_, world, goal):
            return _not_next(sight, world, goal)
        case _:
            return None


def _wrong_hop(sight: Sight, here: o.WorldNumber, route: tuple[o.WorldNumber, ...]) -> str | None:
    """Reject a route with a hop that is known to be wrong: the fleet would not move (s11)."""
    for goal in route:
        if (reason := _not_next(sight, here, goal)) is not None:
            return reason
        here = goal
    return None


def _beyond_all(number: o.WorldNumber) -> str:
    return f"There is no W{number}: the highest number of a world is {MOST}."


def _not_next(sight: Sight, here: o.WorldNumber, goal: o.WorldNumber) -> str | None:
    gates, back = sight.gates(here), sight.gates(goal)
    if gates is None and goal > MOST:
        return _beyond_all(goal)
    if gates is None:
        # A gate leads both ways, so the gates of the goal are enough.
        return None if back is None or here in back else f"No gate leads from W{here} to W{goal}."
    if goal in gates:
        return None
    listed = ", ".join(f"W{gate}" for gate in gates) or "none"
    return f"W{goal} is not next to W{here}. Gates from W{here}: {listed}."


def _key_elsewhere(sight: Sight, number: o.FleetNumber, place: World | Fleet | None) -> str | None:
    if place is None:
        return None
    world = place.world if isinstance(place, Fleet) else place.number
    key = sight.fleet(number)
    return None if key is not None and key.world == world else f"F{number} is not at W{world}."


def _foreign(sight: Sight, thing: World | Fleet | None, words: str) -> str:
    if thing is None:
        return f"You have no {words}."
    begin = f"{words[0].upper()}{words[1:]}"
    owner = sight.owner_name(thing)
    return (
        f"{begin} belongs to {owner}, not to you." if owner else f"{begin} is neutral, not yours."
    )


def _a(character: Character) -> str:
    return f"{'an' if character.value[0] in 'AE' else 'a'} {character.value}"
