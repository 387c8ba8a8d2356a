"""A turn while it is resolved: the changing state, the orders, and the steps' records."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, Final, TypeVar, overload

from referee.rules.ruleset import Seat
from referee.rules.turns import SheetOrder, TurnState
from referee.rulesets.starweb.orders import (
    DropBomb,
    FleetNumber,
    Home,
    MoveFleet,
    Order,
    WorldNumber,
)
from referee.rulesets.starweb.ships import hold, take_ships
from referee.rulesets.starweb.state import Character, Fleet, Player, State, World

T = TypeVar("T")

ACTS: Final = ("Moved", "A", "C", "D", "R", "N")
"""The sequence in which the report shows what a fleet did; an ambush comes last (s27)."""


@dataclass(slots=True)
class Toll:
    """The attackers of a world's people this turn, and the dead (s4E, s10)."""

    killers: set[Seat]
    people: int = 0
    martyrs: dict[Seat, int] = field(default_factory=dict)
    """The converts among the dead, by their Apostles."""


class Turn(TurnState[State, Order]):
    """A turn being resolved.

    The steps draw dice at ``growth|W``, ``conversion|W``, ``converts|won|W``,
    ``converts|migrating|W|n``, ``goods|W``, ``deaths|CAUSE|W``, ``robots|CAUSE|W``,
    ``black hole|F``, ``black box|W`` and ``seen|SEAT``, each for one event of the turn: W is the
    number of a world, F of a fleet; a cause is fire, starving, landing, migrating or bomb.
    """

    def begin(self) -> None:
        """Group the orders by their kinds, and set up the records of the steps."""
        self.dice = self.dice.at(f"turn {self.before.turn}")
        self._kinds: defaultdict[type[Order], list[SheetOrder[Any]]] = defaultdict(list)
        for given in self.all_given():
            self._kinds[type(given.order)].append(given)
        self._at: defaultdict[WorldNumber, list[Fleet]] = defaultdict(list)
        self._names = {player.name.upper(): seat for seat, player in self.state.players.items()}
        for number in sorted(self.state.fleets):
            fleet = self.state.fleets[number]
            self._at[fleet.world].append(fleet)

        self.capacity: dict[WorldNumber, int] = {}
        """The industry that can build this turn (s9)."""
        self.workers: defaultdict[WorldNumber, int] = defaultdict(int)
        """The people that ran industry this turn (s23)."""
        self.migrants: list[Migrants] = []
        self.moves: dict[FleetNumber, SheetOrder[MoveFleet]] = {}
        """The moves to make, if the fleet has ships by then."""
        self.engaged: set[FleetNumber] = set()
        """Fleets that do not ambush: they fire, land robots, drop a bomb or are given away."""
        self.engaged_homes: set[tuple[WorldNumber, Home]] = set()
        self.calm: set[tuple[Seat, WorldNumber | None]] = set()
        """Where a seat ambushes nobody (s16); None is everywhere."""
        self.sights: defaultdict[Seat, set[WorldNumber]] = defaultdict(set)
        """The worlds that each seat passed through or probed."""
        self.losses: defaultdict[FleetNumber, list[Loss]] = defaultdict(list)
        """The ships that fleets have lost, for the news."""
        self.hits: dict[WorldNumber, Hits] = {}
        """The ships and industry that fire has destroyed, by world, for the news."""
        self.tolls: dict[WorldNumber, Toll] = {}
        self.shots_at_people: defaultdict[tuple[Seat, WorldNumber], int] = defaultdict(int)
        """The shots of Apostles at the people of a world; who owns it in the end counts (s4F)."""
        self.unloaded: defaultdict[tuple[Seat, WorldNumber], int] = defaultdict(int)
        """The metal a seat unloaded on a world, minus what it loaded there (s4B)."""
        self.goods: defaultdict[WorldNumber, list[tuple[Seat, int]]] = defaultdict(list)
        """Consumer goods unloaded on a world this turn: by whom and how many."""
        self.attackers: dict[FleetNumber, int] = {}
        """The number of ships that land as robots from each fleet (s22)."""
        self.bombers: dict[FleetNumber, SheetOrder[DropBomb]] = {}
        """The fleets that drop a bomb, if they survive (s21)."""
        self.new_signs: set[Seat] = set()

    @overload
    def given(self, kind: type[T], /) -> list[SheetOrder[T]]: ...
    @overload
    def given(self, *kinds: type[Any]) -> list[SheetOrder[Any]]: ...
    def given(self, *kinds: type[Any]) -> list[SheetOrder[Any]]:
        """Return the orders of these kinds that have not failed, by seat and as typed."""
        filed = [given for kind in kinds for given in self._kinds.get(kind, ()) if not given.failed]
        return filed if len(kinds) == 1 or len(filed) < 2 else sorted(filed, key=_as_typed)

    @overload
    def of_fleets(self, kind: type[T], /) -> Iterator[tuple[SheetOrder[T], Fleet]]: ...
    @overload
    def of_fleets(self, *kinds: type[Any]) -> Iterator[tuple[SheetOrder[Any], Fleet]]: ...
    def of_fleets(self, *kinds: type[Any]) -> Iterator[tuple[SheetOrder[Any], Fleet]]:
        """Yield orders that have not failed, with their fleets. Orders to others' fleets fail."""
        for given in self.given(*kinds):
            fleet = self.state.fleets.get(given.order.fleet)
            if fleet is None:
                given.fail(f"there is no F{given.order.fleet}")
            elif fleet.owner != given.seat:
                given.fail(f"F{fleet.number} is not yours")
            else:
                yield given, fleet

    @overload
    def of_worlds(self, kind: type[T], /) -> Iterator[tuple[SheetOrder[T], World]]: ...
    @overload
    def of_worlds(self, *kinds: type[Any]) -> Iterator[tuple[SheetOrder[Any], World]]: ...
    def of_worlds(self, *kinds: type[Any]) -> Iterator[tuple[SheetOrder[Any], World]]:
        """Yield orders that have not failed, with their worlds. Orders to others' worlds fail."""
        for given in self.given(*kinds):
            world = self.state.worlds.get(given.order.world)
            if world is None or world.owner != given.seat:
                given.fail(f"W{given.order.world} is not yours")
            else:
                yield given, world

    def player(self, seat: Seat) -> Player:
        """Return the player in *seat*."""
        return self.state.players[seat]

    def plays(self, seat: Seat | None, character: Character) -> bool:
        """Return whether *seat* plays *character*; False if it is None."""
        return seat is not None and self.state.players[seat].character is character

    def world(self, number: WorldNumber) -> World:
        """Return a world that exists."""
        return self.state.worlds[number]

    def was(self, world: World) -> World:
        """Return *world* as it was before the turn."""
        return self.before.worlds[world.number]

    def fleets_at(self, number: WorldNumber) -> list[Fleet]:
        """Return the keys that are at a world now."""
        return self._at.get(number, [])

    def place(self, fleet: Fleet, number: WorldNumber) -> None:
        """Move *fleet* to a world."""
        if fleet.world != number:
            self._at[fleet.world].remove(fleet)
            fleet.world = number
            self._at[number].append(fleet)

    def met(self, given: SheetOrder[Any]) -> Seat | None:
        """Return the player named in the order, or None: it fails unless they have met (s17, s18).

        The reason is the same for a name that is not in the game, so that it reveals nothing.
        """
        seat = self._names.get(given.order.name.upper())
        if seat == given.seat:
            given.fail(f"{given.order.name.upper()} is your own name")
            return None
        if seat is None or seat not in self.state.players[given.seat].met:
            given.fail(f"you have not met {given.order.name.upper()}")
            return None
        return seat

    def allied(self, seat: Seat | None, other: Seat | None) -> bool:
        """Return whether *seat* has declared *other* an ally (s17)."""
        return seat is not None and other in self.state.players[seat].allies

    def own_world(self, world: World, owner: Seat | None) -> None:
        """Change the owner of a world; its turns number restarts (s8, s23)."""
        if world.owner == owner:
            return
        if world.owner is not None:
            world.lost_by = world.owner
        world.captured = owner is not None
        world.owner = owner
        world.turns = 1 if world.mines else 0

    def own_fleet(self, fleet: Fleet, owner: Seat | None) -> None:
        """Change the owner of a key; its bomb is lost (settled case 22)."""
        if fleet.owner == owner:
            return
        if fleet.owner is not None:
            fleet.lost_by = fleet.owner
        fleet.captured = owner is not None
        fleet.owner = owner
        fleet.bomb = fleet.bomb_built = fleet.at_peace = False
        # Only a Merchant carries two metal on a ship (settled case 33).
        fleet.cargo = min(fleet.cargo, hold(self.state, fleet))

    def score(self, seat: Seat, points: int) -> None:
        """Add points; negative ones are subtracted (settled case 35)."""
        self.state.players[seat].score += points

    def lose(self, fleet: Fleet, ships: int, cause: str) -> None:
        """Take destroyed ships from a fleet; the *cause* is that in the news: ``to fire``."""
        take_ships(self.state, fleet, ships)
        if ships:
            self.losses[fleet.number].append(Loss(fleet.world, ships, cause))

    def is_jihad_against(self, seat: Seat, world: World) -> bool:
        """Return whether the victim of the seat's jihad owns a world, or did before (s4F)."""
        victim = self.state.players[seat].jihad
        return victim is not None and victim in (world.owner, self.was(world).owner)

    def toll(self, world: World) -> Toll:
        """Return the record of this turn's attacks on the people of *world*."""
        return self.tolls.setdefault(world.number, Toll(set()))


@dataclass(frozen=True, slots=True)
class Loss:
    """Ships of a fleet that were destroyed at a world."""

    world: WorldNumber
    ships: int
    cause: str


@dataclass(frozen=True, slots=True)
class Hits:
    """Home ships and industry of a world that fire has destroyed."""

    ships: int
    industry: int


@dataclass(frozen=True, slots=True)
class Migrants:
    """People, converts or robots that migrate to a world next door (s9)."""

    seat: Seat
    to: WorldNumber
    people: int = 0
    converts: int = 0
    apostle: Seat | None = None
    robots: int = 0


_as_typed = attrgetter("seat", "place")


def acted(fleet: Fleet, act: str) -> None:
    """Record an act of a fleet, in the sequence of the report (s27)."""
    acts = sorted((*fleet.did.split(","), act), key=_place_of_act) if fleet.did else [act]
    fleet.did = ",".join(acts)


def _place_of_act(act: str) -> int:
    if act == "Ambush":
        return len(ACTS)
    return next(place for place, start in enumerate(ACTS) if act.startswith(start))
