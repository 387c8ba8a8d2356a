"""The orders of an abandoned empire, which defends itself, phase by phase (RULES 8)."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import groupby
from typing import Final, NamedTuple

from referee.rules.extras import Steward
from referee.rules.ruleset import Seat
from referee.rulesets.star_empires.class_names import class_name
from referee.rulesets.star_empires.hulls import ONE_SHOT, Hull, ShipClass
from referee.rulesets.star_empires.knowledge import Sighted, believed, sighted
from referee.rulesets.star_empires.orders import (
    Build,
    Conceal,
    Deny,
    Destruct,
    Fire,
    Load,
    Move,
    Order,
    Pool,
    Repair,
    Scope,
    Toggle,
    Traverse,
    Unload,
)
from referee.rulesets.star_empires.roster import Roster
from referee.rulesets.star_empires.sectors import Sector, disk, distance
from referee.rulesets.star_empires.ships import named
from referee.rulesets.star_empires.state import Empire, Portal, Ship, State, World
from referee.rulesets.star_empires.steps.maintenance import pay_for_repair
from referee.rulesets.star_empires.steps.ownership import dp_and_guns

SCOUT: Final = 3
"""A ship with at least this scan is a scout: it stays between worlds (R6.4.2)."""


def defaults(_state: State, _seat: Seat, standing: Sequence[Order]) -> Sequence[Order]:
    """Return the standing orders, or none: until it is abandoned, an empire only waits."""
    return tuple(standing)


def _orders(state: State, seat: Seat, played: int) -> Sequence[Order]:
    """Return the orders of an empire that has been abandoned for *played* turns (RULES 8)."""
    return tuple(_Steward(state, seat, played).orders())


STEWARD: Final = Steward(after=lambda state: state.abandoned, orders=_orders)
"""The steward of abandoned empires."""


class _Way(NamedTuple):
    """A route to a sector: its length, and the two portals it uses, if any."""

    length: int
    gate: tuple[Portal, Portal] | None


class _Steward:
    """The writer of an abandoned empire's orders; it uses only what the empire knows."""

    def __init__(self, state: State, seat: Seat, played: int) -> None:
        self._state, self._played = believed(state, seat), played
        self._roster = Roster(self._state)
        self._seat = seat
        self._empire: Empire = self._state.empires[seat]
        self._foes: defaultdict[Sector, list[Sighted]] = defaultdict(list)
        """The ships in each sector that can be targets: not those of an ally who did not fire."""
        spared = self._empire.allies - self._empire.attackers
        for each in sighted(state, seat):
            if each.close and each.ship.owner not in spared:
                self._foes[each.ship.at].append(each)
        self._homes = {world.at for world in self._state.worlds_of(seat)}
        self._foreign = {world.at for world in self._state.worlds.values()} - self._homes
        self._attackers = self._empire.attackers
        self._targeted = self._attackers | {
            foe.ship.owner for at in self._homes for foe in self._foes[at]
        }
        self._busy: set[int] = set()
        """The numbers of the ships that fire or blow themselves up."""

    def orders(self) -> Iterator[Order]:
        """Return all orders, in the order of the phases."""
        combat = list(self._combat())
        yield from self._unloading()
        yield from self._loading()
        yield from combat
        self._self_repair()
        yield from self._moves()
        yield from self._building()
        yield from self._repairs()
        yield from self._silence()

    def _combat(self) -> Iterator[Order]:
        # Between worlds they fire at the empires that are targets at the worlds.
        between = {ship.at for ship in self._fleet()} - self._homes - self._foreign
        places = sorted({ship.at for ship in self._fleet()}, key=lambda at: (at in between, at))
        for at in places:
            ships = [ship for ship in self._fleet() if ship.at == at]
            targets = self._targets(at, ships)
            self._targeted.update(targets)
            if targets:
                yield from self._fire(ships, targets)
            elif at in self._foreign and self._foes[at]:
                yield from self._destruct(at, ships)

    def _targets(self, at: Sector, ships: list[Ship]) -> list[Seat]:
        """Return the empires that the ships in a sector fire at, the weakest first (R6.3.2)."""
        here = {foe.ship.owner for foe in self._foes[at]}
        if at in self._foreign:
            foes = here if here and self._can_destroy_all(at, ships) else here & self._attackers
        elif at in self._homes:
            foes = here
        else:
            foes = here & self._targeted
        return sorted(foes, key=lambda seat: (*self._strength(at, seat), self._name(seat)))

    def _strength(self, at: Sector, seat: Seat) -> tuple[int, int]:
        ships = [foe.ship for foe in self._foes[at] if foe.ship.owner == seat]
        weights = (self._kinds(ship).tonnage for ship in ships if self._knows(ship))
        return sum(ship.dp for ship in ships if self._knows(ship)), sum(weights)

    def _can_destroy_all(self, at: Sector, ships: list[Ship]) -> bool:
        """Return whether the guns there destroy all foes; False if a foe's class is unknown."""
        foes = [foe.ship for foe in self._foes[at]]
        if not all(self._knows(ship) for ship in foes):
            return False
        return sum(map(self._firepower, ships)) >= sum(ship.dp for ship in foes)

    def _fire(self, ships: list[Ship], targets: list[Seat]) -> Iterator[Order]:
        able = [ship for ship in ships if self._firepower(ship) and self._is_free(ship)]
        if able:
            self._busy |= {ship.number for ship in able}
            # One order per empire, so that the weakest is destroyed before the next is fired at.
            for seat in targets:
                yield Fire(named(able), (self._name(seat),))

    def _is_free(self, ship: Ship) -> bool:
        """Return whether a ship is free to fire: missiles only at foreign worlds (R6.2.1)."""
        if self._kinds(ship).hull is Hull.MISSILE:
            return ship.loaded and ship.at in self._foreign
        return not ship.loaded or ship.at in self._homes | self._foreign

    def _firepower(self, ship: Ship) -> int:
        kind = self._kinds(ship)
        if kind.hull is Hull.MISSILE:
            return kind.ratings.guns if ship.loaded else 0
        return self._state.guns(ship) if kind.hull is not Hull.DEVICE else 0

    def _destruct(self, at: Sector, ships: list[Ship]) -> Iterator[Order]:
        """Blow up the ships that foreign guns would destroy, in the order they fire (R6.3.1)."""
        guns = sum(self._state.guns(f.ship) for f in self._foes[at] if self._knows(f.ship))
        able = [
            ship
            for ship in ships
            if not ship.loaded
            and self._kinds(ship).hull is not Hull.MISSILE
            and not self._kinds(ship).starbase
        ]
        able.sort(key=self._turn_to_fall)
        doomed = []
        for ship in able:
            if ship.dp > guns:
                break
            guns -= ship.dp
            doomed.append(ship)
        if doomed:
            self._busy |= {ship.number for ship in doomed}
            yield Destruct(named(doomed))

    def _turn_to_fall(self, ship: Ship) -> tuple[bool, int, Fraction, int, str]:
        """Return the sort key by which guns choose targets: wings, then the largest (R6.3.2)."""
        kind = self._kinds(ship)
        rating = Fraction(ship.dp, kind.ratings.dp)
        wing = kind.hull is Hull.WING
        return not wing, -ship.dp, -rating, -kind.tonnage, ship.callsign.casefold()

    def _unloading(self) -> Iterator[Order]:
        """Unload ships that can hold a world, at the empire's worlds and in combat (R6.2.1)."""
        ships = [
            ship
            for ship in self._fleet()
            if ship.loaded
            and self._kinds(ship).hull not in ONE_SHOT
            and (ship.at in self._homes or ship.number in self._busy)
        ]
        if ships:
            yield Unload(tuple(ship.callsign for ship in ships))
        for ship in ships:
            ship.carrier = None

    def _loading(self) -> Iterator[Order]:
        """Load missiles, those with most guns first, where most racks are free (R6.2.2)."""
        missiles = [
            ship
            for ship in self._fleet()
            if not ship.loaded and self._kinds(ship).hull is Hull.MISSILE
        ]
        missiles.sort(key=lambda ship: (-self._kinds(ship).ratings.guns, ship.callsign.casefold()))
        racks = {
            ship.number: self._state.free_racks(ship)
            for ship in self._fleet()
            if not ship.loaded and self._kinds(ship).ratings.racks
        }
        for missile in missiles:
            weight = self._kinds(missile).tonnage
            carriers = [self._state.ships[number] for number in racks if racks[number] >= weight]
            near = [ship for ship in carriers if ship.at == missile.at]
            if near:
                carrier = max(near, key=lambda ship: (racks[ship.number], *self._state_of(ship)))
                missile.carrier = carrier.number
                racks[carrier.number] -= weight
                yield Load((missile.callsign,), carrier.callsign)

    def _state_of(self, ship: Ship) -> tuple[Fraction, int]:
        kind = self._kinds(ship)
        return Fraction(ship.dp, kind.ratings.dp), kind.tonnage

    def _self_repair(self) -> None:
        """Repair the own ships as they repair themselves between combat and moves (R6.3.5)."""
        for ship in self._fleet():
            ship.dp += self._state.self_repair(ship)

    def _moves(self) -> Iterator[Order]:
        """Go home from foreign worlds at once, from other sectors a turn later (R6.4.2)."""
        for ship in self._fleet():
            scout = self._kinds(ship).ratings.scan >= SCOUT
            between = ship.at not in self._homes | self._foreign
            stays = ship.at in self._homes or (between and (scout or self._played == 0))
            able = not ship.loaded and ship.number not in self._busy and self._state.engines(ship)
            if able and not stays and self._homes:
                yield from self._way_home(ship)

    def _way_home(self, ship: Ship) -> Iterator[Order]:
        """Move towards the nearest own world, through a wormnet if that is shorter."""
        ways = {w.name: self._way(ship.at, w.at) for w in self._state.worlds_of(self._seat)}
        nearest = min(
            self._state.worlds_of(self._seat),
            key=lambda world: (ways[world.name].length, -self._safety(world), world.name),
        )
        local, engines = self._empire.frame.local, self._state.engines(ship)
        gate = ways[nearest.name].gate
        aim = nearest.at if gate is None else gate[0].at
        near = disk(ship.at, min(engines, distance(ship.at, aim)))
        step = min(near, key=lambda at: (distance(at, aim), at))
        if step != ship.at:
            yield Move(named([ship]), local(step))
        if gate is not None and step == gate[0].at:
            yield Traverse(named([ship]), gate[0].name, gate[1].name)

    def _way(self, at: Sector, to: Sector) -> _Way:
        """Return the shortest route, through at most one wormnet."""
        portals = self._state.portals
        ways = [
            _Way(distance(at, entry.at) + distance(portals[name].at, to), (entry, portals[name]))
            for entry in portals.values()
            for name in sorted(entry.exits)
            if not entry.collapsed and not portals[name].collapsed
        ]
        return min((_Way(distance(at, to), None), *ways), key=lambda way: way.length)

    def _safety(self, world: World) -> Fraction:
        dp, guns = dp_and_guns(self._roster, world, self._seat)
        return Fraction(dp, guns) if guns else Fraction(10**12)

    def _building(self) -> Iterator[Order]:
        """Spend all RU: alternate the affordable class with most DP and with most guns (R6.6.1)."""
        for world in self._state.worlds_of(self._seat):
            for key, kinds in groupby(self._wares(world)):
                yield Build(world.name, len(list(kinds)), class_name(self._empire, key))

    def _wares(self, world: World) -> Iterator[str]:
        dp_next = True
        while (kind := self._affordable(world.stockpile, by_dp=dp_next)) is not None:
            world.stockpile -= kind.cost
            dp_next = not dp_next
            yield kind.name

    def _affordable(self, stockpile: int, *, by_dp: bool) -> ShipClass | None:
        kinds = [
            kind
            for key in sorted(self._empire.classes, key=partial(class_name, self._empire))
            if (kind := self._state.classes[key]).buildable
            and kind.cost <= stockpile
            and kind.hull is not Hull.DEVICE
        ]
        return max(
            kinds,
            key=lambda kind: (kind.ratings.dp if by_dp else kind.ratings.guns, -kind.cost),
            default=None,
        )

    def _repairs(self) -> Iterator[Order]:
        """Repair with the remaining RU, the worst damaged ships first (R6.6.2)."""
        damaged = [s for s in self._fleet() if s.dp < self._kinds(s).ratings.dp]
        damaged.sort(key=lambda ship: (Fraction(ship.dp, self._kinds(ship).ratings.dp), ship.dp))
        for ship in damaged:
            worlds = [world for world in self._state.worlds_of(self._seat) if world.stockpile]
            if worlds:
                yield Repair(ship.callsign, None, tuple(world.name for world in worlds))
                pay_for_repair(self._state, ship, worlds, self._kinds(ship).ratings.dp - ship.dp)

    def _silence(self) -> Iterator[Order]:
        """Hide every ship, pool the RU at the safest world, share nothing (R6.6 to R6.8)."""
        others = tuple(sorted(map(self._name, self._empire.contacts)))
        public = tuple(ship.callsign for ship in self._fleet() if ship.public)
        if public:
            yield Toggle(public=False, items=public)
        shown = [ship for ship in self._fleet() if ship.identified]
        if shown:
            names = tuple(sorted({self._name(seat) for ship in shown for seat in ship.identified}))
            yield Conceal(tuple(ship.callsign for ship in shown), names)
        worlds = self._state.worlds_of(self._seat)
        if len(worlds) > 1:
            yield Pool(max(worlds, key=lambda w: (self._safety(w), w.production, w.name)).name)
        if others and self._empire.shares:
            yield Deny(Scope(everything=True), others)

    def _name(self, seat: Seat) -> str:
        return self._state.empires[seat].name

    def _fleet(self) -> list[Ship]:
        return self._roster.fleet(self._seat)

    def _kinds(self, ship: Ship) -> ShipClass:
        return self._state.classes[ship.kind]

    def _knows(self, ship: Ship) -> bool:
        return ship.kind in self._state.classes
