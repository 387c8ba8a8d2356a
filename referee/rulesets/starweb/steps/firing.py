"""Firing: all shots of a turn fall at once; conditional ones only if the target fired."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from referee.rules.ruleset import Seat
from referee.rules.turns import SheetOrder
from referee.rulesets.starweb import orders as o
from referee.rulesets.starweb.ships import defenders_of, destroyed_by, shots
from referee.rulesets.starweb.state import MOST, Character, Fleet, World
from referee.rulesets.starweb.steps.deaths import bury_converts, charge, martyr, slay
from referee.rulesets.starweb.turn_state import Hits, Turn, acted

SHOT: Final = -1
"""The price of each shot of an Apostle (s4F)."""


class Part(Enum):
    """The targets of shots. The value ends the mark in the report."""

    FLEET = "F"
    INDUSTRY = "I"
    PEOPLE = "P"
    HOME_FLEETS = "H"
    CONVERTS = "C"


@dataclass(frozen=True, slots=True)
class Target:
    """A fleet by its number, or a part of a world by the world's."""

    part: Part
    number: int


@dataclass(frozen=True, slots=True)
class Volley:
    """All shots of one unit at one target."""

    seat: Seat
    world: World
    shooter: Fleet | o.Home
    target: Target
    victim: Seat | None
    shots: int
    trigger: o.Trigger

    @property
    def mark(self) -> str:
        """The act as the report shows it: ``AF37``, ``CI``."""
        number = self.target.number if self.target.part is Part.FLEET else ""
        return f"{self.trigger.value}{self.target.part.value}{number}"


def fire(turn: Turn) -> None:
    """Resolve all shots at once (s15, settled cases 6 to 11)."""
    volleys = [*_fleet_volleys(turn), *_home_volleys(turn)]
    fired = _fall(volleys, _provocations(turn))
    pools: defaultdict[Target, list[Volley]] = defaultdict(list)
    for volley in fired:
        _mark(volley)
        _repent(turn, volley)
        pools[volley.target].append(volley)
    for target in sorted(pools, key=lambda target: (target.part is not Part.FLEET, target.number)):
        if target.part is Part.FLEET:
            _hit_fleet(turn, turn.state.fleets[target.number], pools[target])
    worlds = {volley.world.number for volley in fired if volley.target.part is not Part.FLEET}
    for number in sorted(worlds):
        _hit_world(turn, turn.world(number), pools)


def _fleet_volleys(turn: Turn) -> Iterator[Volley]:
    for given, fleet in turn.of_fleets(o.FireAtFleet, o.FireAtWorld):
        world = turn.world(fleet.world)
        if not fleet.ships:
            given.fail(f"F{fleet.number} has no ships to fire with")
        elif isinstance(given.order, o.FireAtFleet) and given.order.at == fleet.number:
            given.fail(f"F{fleet.number} cannot fire at itself")
        elif (target := _aim(turn, given, world)) is not None:
            turn.engaged.add(fleet.number)
            victim, count = _victim(turn, target), shots(turn.state, fleet)
            trigger = given.order.trigger
            yield Volley(given.seat, world, fleet, target, victim, count, trigger)


def _home_volleys(turn: Turn) -> Iterator[Volley]:
    for given, world in turn.of_worlds(o.HomeFireAtFleet, o.HomeFireAtConverts):
        home = given.order.home
        ships = world.iships if home is o.Home.INDUSTRY else world.pships
        if not ships:
            given.fail(f"W{world.number} has no {home.value}-Ships to fire with")
        elif (target := _aim(turn, given, world)) is not None:
            turn.engaged_homes.add((world.number, home))
            victim, count = _victim(turn, target), (ships + 1) // 2
            trigger = given.order.trigger
            yield Volley(given.seat, world, home, target, victim, count, trigger)


def _aim(turn: Turn, given: SheetOrder[Any], world: World) -> Target | None:
    """Return the target of a fire order, or None: the order fails if the target is elsewhere."""
    match given.order:
        case o.FireAtWorld(aim=aim):
            return Target(Part(aim.value), world.number)
        case o.HomeFireAtConverts():
            if not world.converts:
                given.fail(f"there are no converts on W{world.number}")
                return None
            return Target(Part.CONVERTS, world.number)
        case _:
            fleet = turn.state.fleets.get(given.order.at)
            if fleet is None or fleet.world != world.number:
                given.fail(f"F{given.order.at} is not at W{world.number}")
                return None
            return Target(Part.FLEET, fleet.number)


def _victim(turn: Turn, target: Target) -> Seat | None:
    if target.part is Part.FLEET:
        return turn.state.fleets[target.number].owner
    world = turn.world(target.number)
    return world.apostle if target.part is Part.CONVERTS else world.owner


Attack = tuple[int, Seat, Seat | None]
"""The world of an attack, the attacker and the owner of the target."""


def _provocations(turn: Turn) -> set[Attack]:
    """Return the attacks by robots and bombs, which also trigger conditional fire (s21, s22)."""
    fleets = [turn.state.fleets[number] for number in (*turn.attackers, *turn.bombers)]
    return {
        (fleet.world, fleet.owner, turn.world(fleet.world).owner)
        for fleet in fleets
        if fleet.owner is not None
    }


def _fall(volleys: list[Volley], provocations: set[Attack]) -> list[Volley]:
    """Return the volleys that are fired: the smallest set in which each one is triggered.

    See settled case 9.
    """
    attacks = set(provocations)
    fired: list[Volley] = []
    held = volleys
    while True:
        falling = [each for each in held if _is_triggered(each, attacks)]
        if not falling:
            return fired
        held = [each for each in held if not _is_triggered(each, attacks)]
        fired += falling
        attacks.update((each.world.number, each.seat, each.victim) for each in falling)


def _is_triggered(volley: Volley, attacks: set[Attack]) -> bool:
    if volley.trigger is o.Trigger.ALWAYS:
        return True
    return (
        volley.victim is not None and (volley.world.number, volley.victim, volley.seat) in attacks
    )


def _mark(volley: Volley) -> None:
    """Mark in the report who fired at what (s27)."""
    if isinstance(volley.shooter, Fleet):
        acted(volley.shooter, volley.mark)
    elif volley.shooter is o.Home.INDUSTRY:
        volley.world.iships_did = volley.mark
    else:
        volley.world.pships_did = volley.mark


def _repent(turn: Turn, volley: Volley) -> None:
    """Take a point from an Apostle for each shot, except at the victim of the jihad (s4F).

    Shots at people are counted now and charged at the end of the turn (settled case 35).
    """
    if not turn.plays(volley.seat, Character.APOSTLE):
        return
    victim = turn.player(volley.seat).jihad
    if victim is not None and victim == volley.victim:
        return
    if volley.target.part in (Part.PEOPLE, Part.CONVERTS):
        turn.shots_at_people[volley.seat, volley.world.number] += volley.shots
    else:
        turn.score(volley.seat, SHOT * volley.shots)


def _hit_fleet(turn: Turn, fleet: Fleet, volleys: list[Volley]) -> None:
    """Hit a fleet with all shots together; if it moves, with half of them (settled case 6)."""
    hits = sum(volley.shots for volley in volleys)
    if fleet.number in turn.moves:
        hits //= 2
    lost = destroyed_by(hits, fleet)
    reward_destruction(turn, fleet, lost, {volley.seat for volley in volleys})
    turn.lose(fleet, lost, "to fire")
    if fleet.number in turn.attackers:
        # Shots hit the ships that land as robots first (s22).
        turn.attackers[fleet.number] = max(0, turn.attackers[fleet.number] - lost)


def reward_destruction(turn: Turn, fleet: Fleet, lost: int, seats: set[Seat]) -> None:
    """Score two points a ship for Berserkers if a whole fleet dies (s4E, settled case 17)."""
    if lost and lost == fleet.ships:
        for seat in sorted(seats):
            if turn.plays(seat, Character.BERSERKER):
                turn.score(seat, 2 * lost)


def _hit_world(turn: Turn, world: World, pools: dict[Target, list[Volley]]) -> None:
    """Resolve the shots at a world: home fleets first, then what they guard (s15).

    Shots at the home fleets hit before shots at industry and people.
    """
    fired = {part: _pooled(pools, part, world) for part in Part}
    home_ships, industry = defenders_of(world), world.industry
    _hit_home_fleets(turn, world, fired[Part.HOME_FLEETS])
    iships_lost = min(world.iships, fired[Part.INDUSTRY] // 2)
    world.iships -= iships_lost
    world.industry -= min(world.industry, fired[Part.INDUSTRY] // 2 - iships_lost)
    pships_lost = min(world.pships, fired[Part.PEOPLE] // 2)
    world.pships -= pships_lost
    hits = Hits(home_ships - defenders_of(world), industry - world.industry)
    if hits.ships or hits.industry:
        turn.hits[world.number] = hits
    _hit_people(turn, world, fired[Part.PEOPLE] // 2 - pships_lost, pools)
    _hit_converts(turn, world, fired[Part.CONVERTS], pools)


def _pooled(pools: dict[Target, list[Volley]], part: Part, world: World) -> int:
    return sum(volley.shots for volley in pools.get(Target(part, world.number), ()))


def _hit_home_fleets(turn: Turn, world: World, hits: int) -> None:
    """Destroy home fleets; two shots more make the world neutral (settled case 11)."""
    spare = hits - 2 * (world.iships + world.pships)
    iships_lost = min(world.iships, hits // 2)
    world.iships -= iships_lost
    world.pships -= min(world.pships, hits // 2 - iships_lost)
    if spare >= 2:
        turn.own_world(world, None)


def _hit_people(turn: Turn, world: World, count: int, pools: dict[Target, list[Volley]]) -> None:
    volleys = pools.get(Target(Part.PEOPLE, world.number), [])
    if not volleys:
        return
    if world.robots:
        world.population -= min(world.population, count)
        return
    slay(turn, world, {volley.seat for volley in volleys}, count, "fire")


def _hit_converts(
    turn: Turn, world: World, shots_at_converts: int, pools: dict[Target, list[Volley]]
) -> None:
    """Kill one convert with each shot of home fleets (s15)."""
    volleys = pools.get(Target(Part.CONVERTS, world.number), [])
    dead = min(world.converts, shots_at_converts)
    if not dead:
        return
    charge(turn, world, {volley.seat for volley in volleys}, dead)
    martyr(turn, world, world.apostle, dead)
    world.population -= dead
    world.deaths = min(MOST, world.deaths + dead)
    bury_converts(world, dead)
