"""Artifacts: dropping them on worlds and hooking them to keys."""

from typing import Any

from referee.rules.turns import SheetOrder
from referee.rulesets.starweb import orders as o
from referee.rulesets.starweb.state import Character, Fleet, World
from referee.rulesets.starweb.turn_state import Turn


def drop(turn: Turn) -> None:
    """Drop artifacts from their keys onto the worlds there, whoever owns these (s14)."""
    dropping = turn.given(o.DropArtifact)
    where = _places(turn) if dropping else {}
    for given in dropping:
        place = where.get(given.order.artifact)
        if not isinstance(place, Fleet) or place.owner != given.seat:
            given.fail(f"none of your fleets carries V{given.order.artifact}")
        else:
            place.artifacts.remove(given.order.artifact)
            _add(turn.world(place.world), given.order.artifact)


def hook(turn: Turn) -> None:
    """Attach artifacts to keys where they are, after all drops (s14)."""
    hooking = turn.given(o.HookArtifact)
    where = _places(turn) if hooking else {}
    for given in hooking:
        number = given.order.artifact
        place = where.get(number)
        goal = turn.state.fleets.get(given.order.to)
        if place is None or place.owner != given.seat:
            given.fail(f"V{number} is not yours")
        elif goal is None or goal.world != _world_of(place):
            given.fail(f"F{given.order.to} is not where V{number} is")
        elif _may_hook(turn, given, place, goal):
            place.artifacts.remove(number)
            _add(goal, number)


def _may_hook(turn: Turn, given: SheetOrder[Any], place: World | Fleet, goal: Fleet) -> bool:
    """Return whether the rules let the artifact go from *place* to *goal* (s14, s4D)."""
    collects = turn.plays(given.seat, Character.COLLECTOR)
    welcome = turn.plays(goal.owner, Character.COLLECTOR)
    if goal.owner != given.seat and not welcome:
        given.fail(f"F{goal.number} belongs neither to you nor to an Artifact Collector")
    elif isinstance(place, Fleet) and not (collects or welcome):
        given.fail(f"drop V{given.order.artifact} on a world first")
    return not given.failed


def _places(turn: Turn) -> dict[int, World | Fleet]:
    places: dict[int, World | Fleet] = {}
    for world in turn.state.worlds.values():
        places.update(dict.fromkeys(world.artifacts, world))
    for fleet in turn.state.fleets.values():
        places.update(dict.fromkeys(fleet.artifacts, fleet))
    return places


def _world_of(place: World | Fleet) -> int:
    return place.world if isinstance(place, Fleet) else place.number


def _add(place: World | Fleet, number: int) -> None:
    place.artifacts.append(number)
    place.artifacts.sort()
