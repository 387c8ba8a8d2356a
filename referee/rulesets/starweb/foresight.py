"""The turn as one player can foresee it: only their own orders, in the galaxy they know."""

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeVar

from referee.rules.dice import Dice
from referee.rules.ruleset import Resolution, Seat
from referee.rules.views import Verbatim, View
from referee.rules.wording import left_out
from referee.rulesets.starweb import orders as o
from referee.rulesets.starweb.state import Character, Fleet, Player, State, World
from referee.rulesets.starweb.steps.building import build_idly
from referee.rulesets.starweb.steps.sheets import FLEET_ORDERS
from referee.rulesets.starweb.text import (
    WORLD_FORMS,
    WorldRecord,
    bare_record,
    broken,
    enclosed,
    fleet_lines,
    fleet_record,
    fleets_by_world,
    name_of,
    shown,
)
from referee.rulesets.starweb.turn import GALAXY
from referee.rulesets.starweb.turn_state import Turn

T = TypeVar("T", World, Fleet)


class Fortune(Dice):
    """Dice that always fall the same way: everything that can happen happens, or nothing."""

    def __init__(self, *, good: bool) -> None:
        super().__init__(b"forecast")
        self._good = good
        self.is_asked = False
        """Whether anything depended on luck so far."""

    def at(self, *path: str | int) -> Dice:
        """Return the same luck."""
        return self

    def below(self, sides: int) -> int:
        """Return the lowest number with good luck, the highest with bad."""
        self.is_asked = True
        return 0 if self._good else sides - 1

    def hits(self, tries: int, numerator: int, denominator: int) -> int:
        """Return all *tries* with good luck and none with bad, if there is a chance."""
        return tries if tries and self.chance(numerator, denominator) else 0


@dataclass(frozen=True, slots=True)
class Foresight:
    """The turn without luck, and what the orders leave unused; *known* is the state before it."""

    known: State
    sheets: dict[Seat, Sequence[o.Order]]
    resolution: Resolution[State, o.Order]
    unused: tuple[str, ...]
    needs_luck: bool
    """Whether anything depends on luck."""

    def with_luck(self) -> State:
        """Return the worlds and fleets after the turn if all luck is good."""
        if not self.needs_luck:
            return self.resolution.state
        return Turn(self.known, self.sheets, Fortune(good=True)).run(GALAXY).state


_latest: list[tuple[State, Seat, Sequence[o.Order], Foresight]] = []
"""The latest result: rulings, unused units and the forecast of one email all ask for it."""


def foresee(state: State, seat: Seat, orders: Sequence[o.Order]) -> Foresight:
    """Resolve the orders of *seat* in what it knows, while no other player acts or ambushes.

    The result has worlds, fleets and outcomes of orders, but no points or reports. The seat must
    belong to a player of the game. *state* must not change afterwards: the result is cached.
    """
    for before, who, sheet, foreseen in _latest:
        if before is state and who == seat and sheet == (*orders,):
            return foreseen
    known = known_state(state, seat, orders)
    sheets: dict[Seat, Sequence[o.Order]] = dict.fromkeys(known.players, (o.HoldAmbush(),))
    sheets[seat] = (*orders,)
    luck = Fortune(good=False)
    turn = Turn(known, sheets, luck)
    unused: tuple[str, ...] = ()
    for step in GALAXY:
        if step.take is build_idly:
            unused = (*_unused_fleets(turn, seat), *_unused_industry(turn, seat))
        step.take(turn)
    foreseen = Foresight(known, sheets, turn.resolution(), unused, luck.is_asked)
    _latest[:] = [(state, seat, sheets[seat], foreseen)]
    return foreseen


def unused(state: State, seat: Seat, orders: Sequence[o.Order]) -> Sequence[str]:
    """Return a line for each group of unused fleets and industry, with what they do."""
    return foresee(state, seat, orders).unused if seat in state.players else ()


def _unused_fleets(turn: Turn, seat: Seat) -> list[str]:
    busy = {given.order.fleet for given in turn.given(*FLEET_ORDERS) if given.seat == seat}
    resting = [
        fleet
        for number, fleet in sorted(turn.state.fleets.items())
        if fleet.owner == seat and fleet.ships and number not in busy
    ]
    calm = [f.number for f in resting if {(seat, None), (seat, f.world)} & turn.calm]
    waiting = [fleet.number for fleet in resting if fleet.number not in calm]
    lines = [_resting(waiting, "ambushes", "ambush")] if waiting else []
    return lines + ([_resting(calm, "stays", "stay")] if calm else [])


def _resting(numbers: list[o.FleetNumber], one: str, many: str) -> str:
    """Return the line on fleets without an order to move or fire; they may have other orders."""
    names = ", ".join(f"F{number}" for number in numbers)
    so = f"it {one}" if len(numbers) == 1 else f"they {many}"
    return f"{names}: no order to move or fire, so {so}."


def _unused_industry(turn: Turn, seat: Seat) -> list[str]:
    return [
        f"W{number}: {left} of {turn.state.worlds[number].industry} industry. "
        f"It builds {'an I-Ship' if left == 1 else 'I-Ships'}."
        for number, left in sorted(turn.capacity.items())
        if left and turn.state.worlds[number].owner == seat
    ]


def known_state(state: State, seat: Seat, orders: Sequence[o.Order]) -> State:
    """Return the galaxy that *seat* knows from its reports, as a state that resolves its orders.

    The worlds of the last report have all that it shows. Other worlds are only there if *orders*
    name them, with their known gates. Other players have nothing of their own. A route through
    gates that were never seen is assumed to be right.

    Worlds and fleets that are known completely are shared with *state*: neither may be changed.
    """
    player = state.players[seat]
    shown = {n: state.worlds[n] for n in player.worlds if n in state.worlds}
    fleets = _known_fleets(state, seat, shown)
    gates = _known_gates(shown, player)
    named = set(shown)
    for order in orders:
        named.update(_goals(order))
        if isinstance(order, o.MoveFleet) and order.fleet in fleets:
            _believe(gates, player, (fleets[order.fleet].world, *order.route))
    worlds = {
        number: _known_world(state, player, number, tuple(sorted(gates[number])))
        for number in sorted(named & gates.keys())
    }
    players = {other: _stranger(state, other) for other in _known_players(player, shown, fleets)}
    own = replace(player, allies=player.allies & {*players}, loaders=player.loaders & {*players})
    return State(state.turn, worlds, fleets, {**players, seat: own}, game=state.game)


def _goals(order: o.Order) -> tuple[o.WorldNumber, ...]:
    """Return the worlds named by *order* that can be missing in the report."""
    match order:
        case o.MoveFleet(_, route):
            return route
        case o.ProbeFromFleet(_, goal) | o.ProbeFromHome(_, _, goal):
            return (goal,)
        case o.MigratePeople(_, _, goal) | o.MigrateConverts(_, _, goal):
            return (goal,)
        case o.HoldAmbush(world) if world is not None:
            return (world,)
        case _:
            return ()


def _known_fleets(
    state: State, seat: Seat, shown: dict[o.WorldNumber, World]
) -> dict[o.FleetNumber, Fleet]:
    """Return the fleets of the last report. Only the owner sees cargo (s7)."""
    # A key in a black hole moves to an unknown world at the start of the next turn.
    ordinary = {number for number, world in shown.items() if not world.black_hole}
    fleets = {n: fleet for n, fleet in state.fleets.items() if fleet.world in ordinary}
    for number, fleet in fleets.items():
        if fleet.cargo and fleet.owner != seat:
            fleets[number] = replace(fleet, cargo=0)
    return fleets


def _known_gates(
    shown: dict[o.WorldNumber, World], player: Player
) -> dict[o.WorldNumber, set[o.WorldNumber]]:
    """Return the gates of every world whose number is known. A gate leads both ways."""
    gates = {number: set(known) for number, known in player.charted.items()}
    gates |= {number: set(world.gates) for number, world in shown.items()}
    for number, known in list(gates.items()):
        for neighbour in known:
            gates.setdefault(neighbour, set()).add(number)
    return gates


def _believe(
    gates: dict[o.WorldNumber, set[o.WorldNumber]], player: Player, route: Sequence[o.WorldNumber]
) -> None:
    """Add gates for the hops of *route* between worlds whose gates were never seen."""
    known = player.charted.keys() | player.worlds
    for here, there in pairwise(route):
        if here in gates and here not in known and there not in known:
            gates[here].add(there)
            gates.setdefault(there, set()).add(here)


def _known_world(
    state: State, player: Player, number: o.WorldNumber, gates: tuple[o.WorldNumber, ...]
) -> World:
    """Return a world as reported. Of others, only a black hole seen before is known."""
    world = state.worlds.get(number)
    if world is not None and number in player.worlds:
        return world if world.gates == gates else replace(world, gates=gates)
    hole = world is not None and number in player.charted and world.black_hole
    return World(number, gates, black_hole=hole)


def _known_players(
    player: Player, shown: dict[o.WorldNumber, World], fleets: dict[o.FleetNumber, Fleet]
) -> set[Seat]:
    names = {*player.met, player.jihad}
    for world in shown.values():
        names |= {world.owner, world.apostle}
    names |= {fleet.owner for fleet in fleets.values()}
    return {name for name in names if name is not None and name != player.seat}


def _stranger(state: State, seat: Seat) -> Player:
    """Return another player with only the name, because the character is secret."""
    return Player(seat, state.players[seat].name, Character.EMPIRE_BUILDER, home=0)


def forecast(state: State, seat: Seat, orders: Sequence[o.Order]) -> View:
    """Return the seat's worlds and fleets after the turn, only from what the seat can know.

    Results of chance, such as growth, are shown as ranges. Orders, fire and ambushes of other
    players are left out, and nothing is gained where they have something that could hold it.
    """
    if seat not in state.players:
        return ()
    foreseen = foresee(state, seat, orders)
    known, others = foreseen.known, [*_others(foreseen.known, seat)]
    held = {number for number, _ in others}
    low = _without_gains(known, foreseen.resolution.state, seat, held)
    high = _without_gains(known, foreseen.with_luck(), seat, held)
    lines: list[str] = []
    fleets = fleets_by_world(low)
    concerned = _concerned(known, low, seat)
    for number in concerned:
        if number in state.players[seat].worlds:
            low_record = bare_record(low, low.worlds[number])
            high_record = bare_record(high, high.worlds[number])
            lines += _world_lines(low_record, high_record)
        else:
            lines.append(f"W{number}: not in your last report")
        for fleet in fleets.get(number, ()):
            lines += fleet_lines(fleet_record(low, fleet))
    if not lines:
        return ()
    crossed = {*concerned, *(each.world for each in low.departures if each.owner == seat)}
    foreign = {f"W{n}" for n in concerned if known.worlds[n].owner != seat}
    there = ((f"W{number}", unit) for number, unit in others if number in crossed)
    return (Verbatim("\n".join(lines), wraps=True), *left_out(there, foreign))


def _others(known: State, seat: Seat) -> Iterator[tuple[o.WorldNumber, str]]:
    """Yield the ships and converts of others, which could hold a world (s8, s4F), in words."""
    fleets = fleets_by_world(known)
    for number, world in sorted(known.worlds.items()):
        units = [(f"F{each.number}", each.ships, each.owner) for each in fleets.get(number, ())]
        units += [
            (f"I-Ships={world.iships}", world.iships, world.owner),
            (f"P-Ships={world.pships}", world.pships, world.owner),
            (f"Converts={world.converts}", world.converts, world.apostle),
        ]
        for unit, count, owner in units:
            if count and owner not in (None, seat):
                yield number, f"{unit} of {name_of(known, owner)}"


def _without_gains(
    known: State, after: State, seat: Seat, places: Container[o.WorldNumber]
) -> State:
    """Return the state after the turn, without the worlds and keys that are gained at *places*."""

    def owned(was: T, now: T) -> T:
        gained = was.owner != seat == now.owner
        return replace(now, owner=was.owner, captured=False, lost_by=None) if gained else now

    worlds = {n: owned(known.worlds[n], w) if n in places else w for n, w in after.worlds.items()}
    fleets = {
        n: owned(known.fleets[n], fleet) if fleet.world in places else fleet
        for n, fleet in after.fleets.items()
    }
    return replace(after, worlds=worlds, fleets=fleets)


def _concerned(before: State, after: State, seat: Seat) -> list[o.WorldNumber]:
    """Return the worlds where the seat will have something and those that it loses, ascending."""
    owned = {
        world.number
        for state in (before, after)
        for world in state.worlds.values()
        if world.owner == seat
    }
    held = {fleet.world for fleet in after.fleets.values() if fleet.owner == seat}
    return sorted(owned | held)


def _world_lines(low: WorldRecord, high: WorldRecord) -> list[str]:
    """Return a world's record in the form of the printout, with ranges where the two differ."""
    gates = ",".join(map(str, low.gates or ()))
    apostle = f" C[{low.apostle or high.apostle}]" if low.apostle or high.apostle else ""
    fields = enclosed(_fields(low, high))
    return broken(f"W{low.number} ({gates}) [{low.owner}]{apostle}{fields}", low.artifacts)


def _fields(low: WorldRecord, high: WorldRecord) -> list[str]:
    if low == high:
        return shown(WORLD_FORMS, low)
    ranges = [_range(form.shows(low), form.shows(high)) for form in WORLD_FORMS]
    return [text for text in ranges if text]


def _range(low: str, high: str) -> str:
    """Return the range from one form of a field to the other: ``Population=55-56``."""
    if low == high:
        return low
    name = (low or high).split("=")[0]
    if not low:
        return f"{name}=0-{high.partition('=')[2]}"
    return f"{low}-{high.partition('=')[2] or 0}"
