"""Transfers of ships between fleets and home fleets of the same world."""

from collections import defaultdict
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Any

from referee.rules.turns import SheetOrder
from referee.rulesets.starweb import orders as o
from referee.rulesets.starweb.ships import add_ships, take_ships
from referee.rulesets.starweb.state import MOST
from referee.rulesets.starweb.turn_state import Turn

Berth = tuple[str, int]
"""Where ships are: ``("F", fleet)``, ``("I", world)`` or ``("P", world)``."""


@dataclass(slots=True)
class Transfer:
    """A transfer from one berth to another, and how many of its ships are available."""

    given: SheetOrder[Any]
    source: Berth
    goal: Berth
    count: int = 0


def transfer(turn: Turn) -> None:
    """Carry out all transfers together, whatever the sequence typed (settled case 29).

    A berth can give the ships that it had and those that it gets. If they are too few, home fleets
    are served before keys, and keys by their numbers.
    """
    transfers = sorted(_transfers(turn), key=lambda t: (t.goal[0] == "F", t.goal))
    leaving: defaultdict[Berth, list[Transfer]] = defaultdict(list)
    for each in transfers:
        leaving[each.source].append(each)
    stock = {berth: _ships_at(turn, berth) for berth in leaving}
    _settle(leaving, stock)
    for each in transfers:
        wanted = each.given.order.count
        if not each.count:
            each.given.fail(f"{_has(each.source)} no {_ships(each.source, 0)} left")
        elif each.count < wanted:
            left = f"{each.count} {_ships(each.source, each.count)}"
            each.given.remark = f"{_has(each.source)} only {left} to transfer"
    _carry_out(turn, transfers)


def _transfers(turn: Turn) -> list[Transfer]:
    """Return the transfers between berths at the same world. The others fail."""
    found: list[Transfer] = []
    for given, fleet in turn.of_fleets(o.TransferToFleet):
        if _key_is_at(turn, given, fleet.world) and given.order.to == fleet.number:
            given.fail(f"F{fleet.number} cannot transfer to itself")
        elif not given.failed:
            found.append(Transfer(given, ("F", fleet.number), ("F", given.order.to)))
    for to_home, fleet in turn.of_fleets(o.TransferToHome):
        berth = (to_home.order.to.value, fleet.world)
        found.append(Transfer(to_home, ("F", fleet.number), berth))
    for from_home, world in turn.of_worlds(o.TransferFromHome):
        if _key_is_at(turn, from_home, world.number):
            berth = (from_home.order.home.value, world.number)
            found.append(Transfer(from_home, berth, ("F", from_home.order.to)))
    for between, world in turn.of_worlds(o.TransferBetweenHomes):
        home = between.order.home
        other = o.Home.PEOPLE if home is o.Home.INDUSTRY else o.Home.INDUSTRY
        found.append(Transfer(between, (home.value, world.number), (other.value, world.number)))
    return found


def _key_is_at(turn: Turn, given: SheetOrder[Any], world: int) -> bool:
    goal = turn.state.fleets.get(given.order.to)
    if goal is None or goal.world != world:
        given.fail(f"F{given.order.to} is not at W{world}")
    return not given.failed


def _settle(leaving: dict[Berth, list[Transfer]], stock: dict[Berth, int]) -> None:
    """Compute the ships of each transfer: the least fixed point of what is available."""
    arrived: defaultdict[Berth, int] = defaultdict(int)
    waiting = sorted(leaving)
    queued = set(leaving)
    while waiting:
        berth = heappop(waiting)
        queued.discard(berth)
        rest = stock[berth] + arrived[berth]
        for each in leaving[berth]:
            # A berth holds at most MOST ships, so that circles end quickly.
            count = min(each.given.order.count, rest, MOST)
            rest -= count
            if count > each.count:
                arrived[each.goal] += count - each.count
                each.count = count
                if each.goal in leaving and each.goal not in queued:
                    queued.add(each.goal)
                    heappush(waiting, each.goal)


def _carry_out(turn: Turn, transfers: list[Transfer]) -> None:
    change: defaultdict[Berth, int] = defaultdict(int)
    for each in transfers:
        change[each.source] -= each.count
        change[each.goal] += each.count
    for berth, count in change.items():
        _change(turn, berth, count)


def _change(turn: Turn, berth: Berth, count: int) -> None:
    kind, number = berth
    if kind == "F":
        fleet = turn.state.fleets[number]
        take_ships(turn.state, fleet, max(0, -count))
        add_ships(fleet, max(0, count))
    elif kind == "I":
        world = turn.world(number)
        world.iships = min(MOST, world.iships + count)
    else:
        world = turn.world(number)
        world.pships = min(MOST, world.pships + count)


def _ships_at(turn: Turn, berth: Berth) -> int:
    kind, number = berth
    if kind == "F":
        return turn.state.fleets[number].ships
    world = turn.world(number)
    return world.iships if kind == "I" else world.pships


def _has(berth: Berth) -> str:
    kind, number = berth
    return f"F{number} has" if kind == "F" else f"W{number} has"


def _ships(berth: Berth, count: int) -> str:
    word = "ship" if berth[0] == "F" else f"{berth[0]}-Ship"
    return word if count == 1 else f"{word}s"
