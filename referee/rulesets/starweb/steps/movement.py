"""Movement: fleets hop through gates, past ambushes, and are lost in black holes."""

from typing import Any

from referee.rules.ruleset import Seat
from referee.rules.turns import SheetOrder
from referee.rulesets.starweb import orders as o
from referee.rulesets.starweb.ships import destroyed_by, shots
from referee.rulesets.starweb.state import Departure, Fleet, State, World
from referee.rulesets.starweb.steps.firing import reward_destruction
from referee.rulesets.starweb.turn_state import Turn, acted

MOST_HOPS = 3


def return_keys(turn: Turn) -> None:
    """Move keys out of black holes to random ordinary worlds (s25, settled case 21)."""
    ordinary = [n for n in sorted(turn.state.worlds) if not turn.state.worlds[n].black_hole]
    holes = [n for n in sorted(turn.state.worlds) if turn.state.worlds[n].black_hole]
    for hole in holes:
        for fleet in sorted(turn.fleets_at(hole), key=lambda fleet: fleet.number):
            if ordinary:
                goal = turn.dice.at("black hole", fleet.number).pick(ordinary)
                turn.place(fleet, goal)


def check_routes(turn: Turn) -> None:
    """Record the fleets that move. A route with any wrong hop moves nothing (s11)."""
    for given, fleet in turn.of_fleets(o.MoveFleet):
        if (reason := _flaw(turn.state, fleet, given.order.route)) is not None:
            given.fail(reason)
        else:
            turn.moves[fleet.number] = given


def _flaw(state: State, fleet: Fleet, route: tuple[int, ...]) -> str | None:
    """Return the fault of a route, or None if every hop leads next door (s11)."""
    if not 1 <= len(route) <= MOST_HOPS:
        return f"F{fleet.number} can move one, two or three worlds"
    here = fleet.world
    for number in route:
        if number not in state.worlds[here].gates or number not in state.worlds:
            return f"W{number} is not next to W{here}"
        here = number
    return None


def move(turn: Turn) -> None:
    """Move the fleets, each hop by hop and past ambushes (s11, s16)."""
    for given in turn.given(o.MoveFleet):
        fleet = turn.state.fleets[given.order.fleet]
        if not fleet.ships:
            given.fail(f"F{fleet.number} has no ships left to move")
            continue
        acted(fleet, "Moved")
        _travel(turn, given, fleet)
    turn.state.departures.sort(key=lambda each: (each.world, each.fleet))


def _travel(turn: Turn, given: SheetOrder[o.MoveFleet], fleet: Fleet) -> None:
    for hop, goal in enumerate(given.order.route, 1):
        turn.state.departures.append(Departure(fleet.world, fleet.number, given.seat, goal))
        turn.place(fleet, goal)
        turn.sights[given.seat].add(goal)
        world = turn.world(goal)
        if world.black_hole:
            turn.lose(fleet, fleet.ships, "in the black hole")
            return
        if hop < len(given.order.route):
            _ambush(turn, world, fleet)
        if not fleet.ships:
            given.remark = f"F{fleet.number} was destroyed in an ambush at W{goal}"
            return


def _ambush(turn: Turn, world: World, passing: Fleet) -> None:
    """Shoot at a passing fleet with all ambushers together (s16, settled case 10).

    In ambush each ship has two shots, in home fleets too. Ships lost to fire do not shoot.
    """
    hits = 0
    seats: set[Seat] = set()
    for fleet in turn.fleets_at(world.number):
        if _lies_in_wait(turn, fleet) and _is_enemy(turn, fleet.owner, passing, world):
            strength = 2 * shots(turn.state, fleet)
            hits += strength
            seats |= {fleet.owner} if fleet.owner is not None and strength else set()
            if strength and not fleet.did.endswith("Ambush"):
                acted(fleet, "Ambush")
    if world.owner is not None and _is_enemy(turn, world.owner, passing, world):
        strength = _home_ambush(turn, world)
        hits += strength
        # An owner without a ship that shoots has destroyed nothing (s4E).
        seats |= {world.owner} if strength else set()
    lost = destroyed_by(hits, passing)
    reward_destruction(turn, passing, lost, seats)
    turn.lose(passing, lost, "in an ambush")


def _lies_in_wait(turn: Turn, fleet: Fleet) -> bool:
    return fleet.number not in turn.moves and fleet.number not in turn.engaged


def _is_enemy(turn: Turn, seat: Any, passing: Fleet, world: World) -> bool:
    """Return whether *seat* ambushes the fleet: not own, not an ally's, not held by Z (s16)."""
    if seat is None or seat == passing.owner or turn.allied(seat, passing.owner):
        return False
    return (seat, None) not in turn.calm and (seat, world.number) not in turn.calm


def _home_ambush(turn: Turn, world: World) -> int:
    """Return the shots of the home fleets in ambush, and mark these fleets (s16)."""
    hits = 0
    if world.iships and (world.number, o.Home.INDUSTRY) not in turn.engaged_homes:
        hits += 2 * world.iships
        world.iships_did = "Ambush"
    if world.pships and (world.number, o.Home.PEOPLE) not in turn.engaged_homes:
        hits += 2 * world.pships
        world.pships_did = "Ambush"
    return hits
