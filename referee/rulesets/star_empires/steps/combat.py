"""Combat: self-destruction, fire, simultaneous damage and automatic repair (RULES 6.3)."""

from collections import Counter, defaultdict
from fractions import Fraction

from referee.rules.ruleset import Seat
from referee.rules.wording import counted, listed
from referee.rulesets.star_empires.hulls import Hull
from referee.rulesets.star_empires.lookup import one_sector, ships_of
from referee.rulesets.star_empires.orders import Destruct, Fire
from referee.rulesets.star_empires.sectors import Sector
from referee.rulesets.star_empires.ships import cargo_by_carrier, with_cargo
from referee.rulesets.star_empires.state import Ship, State
from referee.rulesets.star_empires.turn_state import Cause, EmpireOrder, Stage, Turn, named

COLLATERAL = 5
"""The tonnes that do one DP of damage when blown up; parts count as whole."""


def self_destruct(turn: Turn) -> None:
    """Record the ships that blow themselves up, and the damage they do (R6.3.1)."""
    tonnage: defaultdict[Sector, int] = defaultdict(int)
    cargo = cargo_by_carrier(turn.state)
    for given in turn.given(Destruct):
        found = ships_of(turn.roster, turn.empire(given.seat), given.order.ships)
        given.remarks += found.remarks
        for ship in found.ships:
            objection = objection_to_destruct(turn.state, ship)
            if objection:
                given.note(objection)
                continue
            given.done = True
            for each in (ship, *cargo.get(ship.number, ())):
                if each.number not in turn.exploding:
                    turn.exploding.add(each.number)
                    tonnage[each.at] += turn.state.kind(each).tonnage
    for at, tonnes in tonnage.items():
        damage = -(-tonnes // COLLATERAL)
        for ship in turn.roster.at(at):
            if not ship.loaded and ship.number not in turn.exploding:
                turn.collateral[ship.number] += damage


def objection_to_destruct(state: State, ship: Ship) -> str:
    """Return why a ship cannot blow itself up, or "" if it can (R6.3.1)."""
    if state.kind(ship).starbase:
        return f"the starbase {ship.callsign} cannot blow itself up"
    if ship.loaded:
        return f"{ship.callsign} is loaded and blows up only with its carrier"
    return ""


def fire(turn: Turn) -> None:
    """Fire the guns of every order at its targets, as the computers distribute them (R6.3.2)."""
    for given in turn.given(Fire):
        _Battle(turn, given).fight()


class _Battle:
    """One FIRE order: its guns and missiles, and its targets in their sequence."""

    def __init__(self, turn: Turn, given: EmpireOrder[Fire]) -> None:
        self._turn, self._given = turn, given
        found = ships_of(turn.roster, turn.empire(given.seat), given.order.ships)
        given.remarks += found.remarks
        self._at = one_sector(found.ships)
        if found.ships and self._at is None:
            given.note("the ships are not all in one sector")
        ships = found.ships if self._at is not None else ()
        able = [ship for ship in ships if self._can_fire(ship)]
        able.sort(key=self._turn_to_fire)
        self._guns = [ship for ship in able if not self._is_missile(ship)]
        self._missiles = [ship for ship in able if self._is_missile(ship)]

    def fight(self) -> None:
        """Fire at one target after the other while any guns or missiles are left."""
        if not self._guns and not self._missiles:
            return
        targets = self._targets()
        for target in targets:
            while self._left(target) > 0 and (shooter := self._next(self._left(target))):
                self._shoot(shooter, target)
        if not targets:
            self._given.note("none of these empires has a ship there")
        elif not self._given.done:
            self._given.note("your earlier orders already destroy all the ships there")

    def _can_fire(self, ship: Ship) -> bool:
        turn = self._turn
        if ship.number in turn.exploding:
            reason = f"{ship.callsign} blows itself up"
        elif ship.loaded:
            reason = f"{ship.callsign} is loaded"
        elif self._is_missile(ship):
            unused = ship.number in turn.unloaded and ship.number not in turn.spent
            reason = "" if unused else f"{ship.callsign} was not on a carrier this turn"
        else:
            reason = "" if turn.state.guns(ship) else f"{ship.callsign} has no working gun"
        if reason:
            self._given.note(reason)
        return not reason

    def _targets(self) -> list[Ship]:
        empires = self._turn.state.empires.items()
        names = {empire.name.casefold(): seat for seat, empire in empires}
        ranks: dict[Seat, int] = {}
        for name in self._given.order.targets:
            if name.casefold() in names:
                ranks.setdefault(names[name.casefold()], len(ranks))
        here = [
            ship
            for ship in self._turn.roster.at(self._at or (0, 0))
            if ship.owner in ranks and not ship.loaded and not self._is_fired(ship)
        ]
        if here:
            # The same words for an empire that was never met and for a name of nobody.
            there = {self._turn.name(ship.owner).casefold() for ship in here}
            for name in self._given.order.targets:
                if name.casefold() not in there:
                    self._given.note(f"{name} has no ship there")
        return sorted(here, key=lambda ship: (*self._group(ship, ranks), *self._worth(ship)))

    def _group(self, ship: Ship, ranks: dict[Seat, int]) -> tuple[int, int]:
        """Return the sort key: wings first, missiles last, then the empires as listed."""
        hull = self._turn.state.kind(ship).hull
        return {Hull.WING: 0, Hull.MISSILE: 2}.get(hull, 1), ranks[ship.owner]

    def _worth(self, ship: Ship) -> tuple[int, Fraction, int, str]:
        kind = self._turn.state.kind(ship)
        sign = 1 if self._given.order.ascending else -1
        rating = sign * Fraction(ship.dp, kind.ratings.dp)
        return sign * ship.dp, rating, sign * kind.tonnage, ship.callsign.casefold()

    def _turn_to_fire(self, ship: Ship) -> tuple[int, int, Fraction, int, int, str]:
        """Return the sort key: the least valuable ships fire first."""
        kind = self._turn.state.kind(ship)
        return (
            self._unfired(ship),
            self._turn.state.guns(ship),
            Fraction(ship.dp, kind.ratings.dp),
            kind.ratings.guns,
            kind.tonnage,
            ship.callsign.casefold(),
        )

    def _next(self, needed: int) -> Ship | None:
        """Return the next ship to fire, a missile only if the guns are not enough, or None."""
        guns = [ship for ship in self._guns if self._unfired(ship)]
        missiles = [ship for ship in self._missiles if ship.number not in self._turn.spent]
        if guns and (not missiles or sum(map(self._unfired, guns)) >= needed):
            return guns[0]
        enough = [each for each in missiles if self._payload(each) >= needed]
        if enough:
            return min(enough, key=self._payload)
        return max(missiles, key=self._payload, default=None)

    def _shoot(self, ship: Ship, target: Ship) -> None:
        turn = self._turn
        if self._is_missile(ship):
            shots = self._payload(ship)
            turn.spent.add(ship.number)
        else:
            shots = min(self._unfired(ship), self._left(target))
        turn.shots[ship.number] += shots
        turn.hits[ship.owner, target.number] += shots
        turn.empire(target.owner).attackers.add(ship.owner)
        ship.did.append("fired")
        self._given.done = True
        text = f"{turn.name(ship.owner)} fires at {turn.name(target.owner)}'s %s at %s"
        shooter, seers = named(ship, f"with {shots}"), turn.witnesses(ship.at)
        turn.tell_of(Stage.COMBAT, seers, text, shooter, named(target), ship.at)

    def _left(self, target: Ship) -> int:
        return target.dp - self._turn.hits[self._given.seat, target.number]

    def _is_fired(self, ship: Ship) -> bool:
        """Return whether a ship is a missile of the same empire, fired by an earlier order."""
        return ship.owner == self._given.seat and ship.number in self._turn.spent

    def _unfired(self, ship: Ship) -> int:
        return self._turn.state.guns(ship) - self._turn.shots[ship.number]

    def _payload(self, missile: Ship) -> int:
        return self._turn.state.kind(missile).ratings.guns

    def _is_missile(self, ship: Ship) -> bool:
        return self._turn.state.kind(ship).hull is Hull.MISSILE


def apply_damage(turn: Turn) -> None:
    """Apply all damage at once, and remove destroyed ships (R6.3.3, R6.3.4)."""
    used_up = turn.exploding | turn.spent
    suffered = turn.collateral.copy()
    for (_, number), shots in turn.hits.items():
        suffered[number] += shots
    for ship in turn.state.ships.values():
        damage = suffered[ship.number]
        if damage and ship.number not in used_up:
            suffer(turn, ship, damage, Stage.COMBAT)
    ships = turn.state.ships.values()
    gone = [ship for ship in ships if ship.dp <= 0 or ship.number in used_up]
    _tell_battles(turn, gone)
    turn.destroy(gone, Cause.BATTLE)


def _tell_battles(turn: Turn, gone: list[Ship]) -> None:
    """Report each battle to those there: the losses of all who fight, without fired missiles."""
    ships = turn.state.ships
    for seat, number in turn.hits:
        turn.battles[ships[number].at] |= {seat, ships[number].owner}
    for number in (*turn.exploding, *turn.collateral):
        turn.battles[ships[number].at].add(ships[number].owner)
    lost = Counter(
        (ship.at, ship.owner)
        for ship in with_cargo(turn.state, gone)
        if ship.number not in turn.spent
    )
    for at, seats in turn.battles.items():
        losses = listed(
            f"{turn.name(seat)} loses {counted(lost[at, seat], 'ship')}"
            for seat in turn.by_name(seats)
        )
        turn.tell(Stage.WORLDS, turn.witnesses(at), f"Battle at %s: {losses}.", at)


def suffer(turn: Turn, ship: Ship, damage: int, stage: Stage) -> None:
    """Damage a ship; empires there that know its class see the DP left (R6.3.3)."""
    ship.dp -= damage
    if ship.dp <= 0:
        return
    whole = turn.state.kind(ship).ratings.dp
    knowing = {s for s in turn.witnesses(ship.at) if ship.kind in turn.empire(s).classes}
    text = f"{turn.name(ship.owner)} survives at %s"
    left = named(ship, f"with {ship.dp} of {whole} DP")
    turn.tell_of(stage, knowing | {ship.owner}, text, left, ship.at)


def auto_repair(turn: Turn) -> None:
    """Repair every damaged ship by its own AR (R6.3.5)."""
    for ship in turn.state.ships.values():
        repaired = turn.state.self_repair(ship)
        if repaired > 0:
            ship.dp += repaired
            text = f"{turn.name(ship.owner)}'s ships repair themselves at %s"
            seers = turn.witnesses(ship.at) if not ship.loaded else {ship.owner}
            turn.tell_of(Stage.COMBAT, seers, text, named(ship, f"by {repaired} DP"), ship.at)
