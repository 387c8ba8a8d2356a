"""The designs and new ships of an empire's robot, and the worlds that get its RU."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from referee.rules.ruleset import UserError
from referee.rulesets.star_empires.class_names import class_name, names_in_use
from referee.rulesets.star_empires.hulls import Hull, Ratings, ShipClass, design
from referee.rulesets.star_empires.orders import Build, Design, Order, Pool
from referee.rulesets.star_empires.robots.realm import Realm
from referee.rulesets.star_empires.sectors import distance
from referee.rulesets.star_empires.state import World


class Role(Enum):
    """The purpose of a class of ships."""

    SCOUT = "scout"
    """Ships that explore."""
    SETTLER = "settler"
    """Ships that take free worlds."""
    GUARD = "guard"
    """Ships that hold a world."""
    LANCE = "lance"
    """Ships with the most guns, which need a carrier."""
    WARSHIP = "warship"
    """Ships that take worlds without wings."""
    BARGE = "barge"
    """Carriers of wings to other worlds."""


def _scouting(kind: ShipClass) -> float:
    return kind.ratings.scan * min(kind.ratings.engines, 5) / kind.cost


def _settling(kind: ShipClass) -> float:
    return min(kind.ratings.engines, 5) / kind.cost


def _guarding(kind: ShipClass) -> float:
    return (kind.ratings.dp + 0.1 * kind.ratings.guns) / kind.cost


def _striking(kind: ShipClass) -> float:
    return kind.ratings.guns / (kind.cost + 1.5 * kind.tonnage)


def _fighting(kind: ShipClass) -> float:
    return kind.ratings.guns / kind.cost


def _carrying(kind: ShipClass) -> float:
    return min(kind.ratings.engines, 4) * kind.ratings.racks / (kind.cost + 6)


@dataclass(frozen=True, slots=True)
class _Need:
    """A role: the hull that plays it, how well a class does, and the best design."""

    hull: Hull
    worth: Callable[[ShipClass], float]
    ideal: Ratings


_NEEDS: Final[Mapping[Role, _Need]] = {
    Role.SCOUT: _Need(Hull.SCOUT, _scouting, Ratings(1, 1, 3, 3, 0)),
    Role.SETTLER: _Need(Hull.SCOUT, _settling, Ratings(1, 1, 5, 0, 0)),
    Role.GUARD: _Need(Hull.WING, _guarding, Ratings(1, 15)),
    Role.LANCE: _Need(Hull.WING, _striking, Ratings(15, 1)),
    Role.WARSHIP: _Need(Hull.GUNSHIP, _fighting, Ratings(20, 10, 2, 0, 0)),
    Role.BARGE: _Need(Hull.TRANSPORT, _carrying, Ratings(1, 1, 4, 0, 6)),
}
_GAIN: Final = 1.2
"""How much better than all known classes a design must be to pay its fee."""


@dataclass(slots=True)
class Yards:
    """The building of a turn: the RU left at each world, and the classes for each role."""

    realm: Realm
    designs: bool
    """Whether the robot designs classes, or builds only those that it knows."""
    left: dict[str, int] = field(default_factory=dict)
    orders: list[Order] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Count the RU of the worlds that can build."""
        self.left = {
            world.name: 0 if world.interdicted else world.stockpile for world in self.realm.worlds
        }

    def best(self, role: Role) -> ShipClass | None:
        """Return the best known class for a role, or None."""
        realm, need = self.realm, _NEEDS[role]
        classes = (realm.state.classes[key] for key in sorted(realm.empire.classes))
        fitting = [k for k in classes if k.hull is need.hull and k.buildable and k.ratings.guns]
        return max(fitting, key=need.worth, default=None)

    def take(self, world: World, role: Role, count: int) -> int:
        """Build up to *count* ships for a role at a world; return how many.

        If the best class is not yet designed, design it first, where the RU suffice.
        """
        kind, name = self._design(world, role)
        if kind is None:
            return 0
        count = min(count, self.left[world.name] // kind.cost)
        if count > 0:
            self.left[world.name] -= count * kind.cost
            self.orders.append(Build(world.name, count, name))
        return max(0, count)

    def _design(self, world: World, role: Role) -> tuple[ShipClass | None, str]:
        """Return the class for a role and its name, after an order to design it if needed."""
        known, need, empire = self.best(role), _NEEDS[role], self.realm.empire
        drawn = [each for each in self.orders if isinstance(each, Design)]
        own = next((each.name for each in drawn if each.numbers == need.ideal.each()), None)
        if self.designs and (kind := self.draft(role)) is not None:
            if own is not None:
                return kind, own
            better = known is None or need.worth(kind) > _GAIN * need.worth(known)
            if better and self.left[world.name] >= kind.fee + kind.cost:
                self.left[world.name] -= kind.fee
                name = self._new_name(role.value)
                order = Design(world.name, name, need.hull.value, need.ideal.each())
                self.orders.append(order)
                return kind, name
        return known, "" if known is None else class_name(empire, known.name)

    def draft(self, role: Role) -> ShipClass | None:
        """Return the best design for a role, or None if the hull data do not allow it."""
        need = _NEEDS[role]
        try:
            return design(self.realm.state.table, role.value, need.hull, need.ideal)
        except UserError:
            return None

    def _new_name(self, wish: str) -> str:
        taken = names_in_use(self.realm.empire)
        names = (wish, *(f"{wish}{number}" for number in range(2, 99)))
        return next((name for name in names if name not in taken), wish)

    def pool(self) -> Iterator[Order]:
        """Yield the order to send all RU home, but for those of worlds that need a guard."""
        home = self.realm.home
        if home is None or len(self.realm.worlds) < 2:
            return
        built = {order.world for order in self.orders if isinstance(order, Build)}
        excepted = [
            world.name
            for world in self.realm.worlds[1:]
            if not self.realm.wings(world.at) and world.name not in built
        ]
        sends = [w for w in self.realm.worlds[1:] if w.name not in excepted and not w.blockaded]
        if sends:
            yield Pool(home.name, tuple(excepted))

    def threat(self, world: World, radius: int = 4) -> int:
        """Return the guns of foreign ships in sight near a world that its ships cannot bear."""
        realm = self.realm
        near = (at for at in realm.foes if distance(at, world.at) <= radius)
        own = sum(ship.dp for ship in realm.here[world.at])
        return max(0, sum(realm.guns_at(at) for at in near) - own)


def count_roles(yards: Yards) -> Counter[Role]:
    """Return how many ships the empire has for each role, by what they can do."""
    counts = Counter[Role]()
    for ship in yards.realm.fleet:
        kind = yards.realm.kind(ship)
        ratings = kind.ratings
        if kind.hull is Hull.SCOUT:
            counts[Role.SCOUT if ratings.scan > 1 else Role.SETTLER] += 1
        elif kind.hull is Hull.WING:
            counts[Role.LANCE if ratings.guns > ratings.dp else Role.GUARD] += 1
        elif kind.hull is Hull.GUNSHIP:
            counts[Role.WARSHIP] += 1
        elif kind.hull is Hull.TRANSPORT:
            counts[Role.BARGE] += 1
    return counts
