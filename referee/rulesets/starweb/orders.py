"""The orders of StarWeb, each declared once (s28).

CONTRIBUTING names the six places of a new order.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from referee.rules.order_forms import OrderForm, Target
from referee.rules.order_table import OrderTable
from referee.rules.views import UnitKind

WorldNumber = int
FleetNumber = int
ArtifactNumber = int


class Home(Enum):
    """The two home fleets of a world: ships that guard its industry or its people (s6)."""

    INDUSTRY = "I"
    PEOPLE = "P"

    @property
    def other(self) -> "Home":
        """The other home fleet."""
        return Home.PEOPLE if self is Home.INDUSTRY else Home.INDUSTRY

    @property
    def guarded(self) -> str:
        """The industry or people that the ships guard, in words."""
        return self.name.lower()


class Aim(Enum):
    """The targets of a fleet's shot besides a fleet (s15)."""

    INDUSTRY = "I"
    PEOPLE = "P"
    HOME_FLEETS = "H"

    @property
    def called(self) -> str:
        """The target of the shot in words."""
        kind = self.name.lower()
        return "home fleets" if self is Aim.HOME_FLEETS else f"{self.value}-Ships, then the {kind},"


class Trigger(Enum):
    """Whether a shot is always fired, or only if the target's owner fires (s15)."""

    ALWAYS = "A"
    CONDITIONAL = "C"

    @property
    def condition(self) -> str:
        """The words at the end of a sentence about the shot."""
        return ", if its owner fires at you there" if self is Trigger.CONDITIONAL else ""


@dataclass(frozen=True, slots=True)
class Order:
    """Any order of StarWeb."""


ORDERS: Final = OrderTable[Order]()

_KEY, _HOME, _ARTIFACT = UnitKind.FLEET, UnitKind.GARRISON, UnitKind.TREASURE
_SHIPS: Final = ("I as I-Ships", "P as P-Ships")
_FIRE: Final = ("A always", "C if fired at")
_AIMS: Final = (
    "AI at I-Ships, then industry",
    "AP at P-Ships, then people",
    "AH at home fleets",
    "CI at I-Ships if fired at",
    "CP at P-Ships if fired at",
    "CH at home fleets if fired at",
)


def _at_fleet(
    label: str, pattern: str, unit: UnitKind | None, choices: tuple[str, ...] = ()
) -> OrderForm:
    """Return an order form that is aimed at a fleet."""
    return OrderForm(label, pattern, unit, Target.UNIT, aims=("F",), choices=choices)


@ORDERS.order(
    "F{fleet}{route:W*}",
    "Fleet {fleet} moves{fleet,route:way}.",
    OrderForm("Move", "{key}{path}", _KEY, Target.PLACE),
)
@dataclass(frozen=True, slots=True)
class MoveFleet(Order):
    """A fleet passes through one, two or three gates (s11)."""

    fleet: FleetNumber
    route: tuple[WorldNumber, ...]


@ORDERS.order(
    "F{fleet}T{count}F{to}",
    "Fleet {fleet} gives {count:ships} to {to:key}{fleet:at}.",
    _at_fleet("Give ships to a fleet", "{key}T{amount}{target}", _KEY),
)
@dataclass(frozen=True, slots=True)
class TransferToFleet(Order):
    """A fleet gives ships to another key at the same world (s6)."""

    fleet: FleetNumber
    count: int
    to: FleetNumber


@ORDERS.order(
    "F{fleet}T{count}{to}",
    "Fleet {fleet} leaves {count:ships} to guard the {to.guarded} of {fleet:place}.",
    OrderForm("Leave ships at the world", "{key}T{amount}{choice}", _KEY, choices=_SHIPS),
)
@dataclass(frozen=True, slots=True)
class TransferToHome(Order):
    """A fleet leaves ships as a home fleet of its world (s6)."""

    fleet: FleetNumber
    count: int
    to: Home


@ORDERS.order(
    "{home}{world}T{count}F{to}",
    "W{world} gives {count} of its {home}-Ships to {to:key}.",
    _at_fleet("Give ships to a fleet", "{key}T{amount}{target}", _HOME),
)
@dataclass(frozen=True, slots=True)
class TransferFromHome(Order):
    """A home fleet of a world gives ships to a key there (s6)."""

    home: Home
    world: WorldNumber
    count: int
    to: FleetNumber


@ORDERS.order(
    "{home}{world}T{count}{home.other}",
    "W{world} moves {count} of its {home}-Ships to guard its {home.other.guarded}.",
    OrderForm("Turn into P-Ships", "{key}T{amount}P", _HOME, prefix="I"),
    OrderForm("Turn into I-Ships", "{key}T{amount}I", _HOME, prefix="P"),
    rules={"transfer_to_people": {}, "transfer_to_industry": {}},
)
@dataclass(frozen=True, slots=True)
class TransferBetweenHomes(Order):
    """Ships of *home* change to the other home fleet (s6)."""

    home: Home
    world: WorldNumber
    count: int


@ORDERS.order(
    "F{fleet}L{count}",
    "Fleet {fleet} loads {count:load}{fleet:at}.",
    OrderForm("Load metal", "{key}L", _KEY),
)
@dataclass(frozen=True, slots=True)
class Load(Order):
    """A fleet takes *count* metal, or all it can (s13)."""

    fleet: FleetNumber
    count: int | None = None


@ORDERS.order(
    "F{fleet}U{count}",
    "Fleet {fleet} unloads {count:cargo} on {fleet:place}.",
    OrderForm("Unload metal", "{key}U", _KEY),
)
@dataclass(frozen=True, slots=True)
class Unload(Order):
    """A fleet leaves *count* metal, or all it has, on its world (s13)."""

    fleet: FleetNumber
    count: int | None = None


@ORDERS.order(
    "F{fleet}N{count}",
    "Fleet {fleet} unloads {count:cargo} as consumer goods on {fleet:place}.",
    OrderForm("Unload as consumer goods", "{key}N", _KEY),
)
@dataclass(frozen=True, slots=True)
class UnloadGoods(Order):
    """A fleet leaves *count* metal, or all it has, as consumer goods (s4B)."""

    fleet: FleetNumber
    count: int | None = None


@ORDERS.order(
    "F{fleet}J{count}",
    "Fleet {fleet} throws {count:cargo} away.",
    OrderForm("Jettison metal", "{key}J", _KEY),
)
@dataclass(frozen=True, slots=True)
class Jettison(Order):
    """A fleet throws *count* metal away, or all it has (s13)."""

    fleet: FleetNumber
    count: int | None = None


@ORDERS.order(
    "F{fleet}P{at}",
    "Fleet {fleet} uses up one ship to probe W{at}.",
    OrderForm("Probe", "{key}P{target_number}", _KEY, Target.PLACE),
)
@dataclass(frozen=True, slots=True)
class ProbeFromFleet(Order):
    """A ship of a fleet is used up to see a world next door (s12)."""

    fleet: FleetNumber
    at: WorldNumber


@ORDERS.order(
    "{home}{world}P{at}",
    "W{world} uses up one of its {home}-Ships to probe W{at}.",
    OrderForm("Probe", "{key}P{target_number}", _HOME, Target.PLACE),
)
@dataclass(frozen=True, slots=True)
class ProbeFromHome(Order):
    """A ship of a home fleet is used up to see a world (s12)."""

    home: Home
    world: WorldNumber
    at: WorldNumber


@ORDERS.order(
    "F{fleet}{trigger}F{at}",
    "Fleet {fleet} fires at {at:key}{fleet:at}{trigger.condition}.",
    _at_fleet("Fire at a fleet", "{key}{choice}{target}", _KEY, _FIRE),
)
@dataclass(frozen=True, slots=True)
class FireAtFleet(Order):
    """A fleet fires at a fleet (s15)."""

    fleet: FleetNumber
    trigger: Trigger
    at: FleetNumber


@ORDERS.order(
    "F{fleet}{trigger}{aim}",
    "Fleet {fleet} fires at the {aim.called} of {fleet:place}{trigger.condition}.",
    OrderForm("Fire at the world", "{key}{choice}", _KEY, choices=_AIMS),
)
@dataclass(frozen=True, slots=True)
class FireAtWorld(Order):
    """A fleet fires at its world (s15)."""

    fleet: FleetNumber
    trigger: Trigger
    aim: Aim


@ORDERS.order(
    "{home}{world}{trigger}F{at}",
    "The {home}-Ships of W{world} fire at {at:key}{trigger.condition}.",
    _at_fleet("Fire at a fleet", "{key}{choice}{target}", _HOME, _FIRE),
)
@dataclass(frozen=True, slots=True)
class HomeFireAtFleet(Order):
    """A home fleet fires at a fleet (s15)."""

    home: Home
    world: WorldNumber
    trigger: Trigger
    at: FleetNumber


@ORDERS.order(
    "{home}{world}{trigger}C",
    "The {home}-Ships of W{world} fire at the converts there{trigger.condition}.",
    OrderForm("Fire at the converts", "{key}{choice}C", _HOME, choices=_FIRE),
)
@dataclass(frozen=True, slots=True)
class HomeFireAtConverts(Order):
    """A home fleet fires at the converts there (s15)."""

    home: Home
    world: WorldNumber
    trigger: Trigger


@ORDERS.order(
    "V{artifact}F{to}",
    "Artifact {artifact} is hooked to {to:key}.",
    _at_fleet("Hook to a fleet", "{key}{target}", _ARTIFACT),
)
@dataclass(frozen=True, slots=True)
class HookArtifact(Order):
    """An artifact is hooked to a key where it is (s14)."""

    artifact: ArtifactNumber
    to: FleetNumber


@ORDERS.order(
    "V{artifact}W",
    "Artifact {artifact} is dropped on {artifact:drop}.",
    OrderForm("Drop", "{key}W", _ARTIFACT),
)
@dataclass(frozen=True, slots=True)
class DropArtifact(Order):
    """An artifact goes from its key onto the world there (s14)."""

    artifact: ArtifactNumber


@ORDERS.order(
    "W{world}B{count}{to}",
    "W{world} builds {count:ships} to guard its {to.guarded}.",
    OrderForm("Build", "{key}B{amount}{choice}", choices=(*_SHIPS, "R robots")),
)
@dataclass(frozen=True, slots=True)
class BuildHomeShips(Order):
    """Industry builds ships into a home fleet (s9)."""

    world: WorldNumber
    count: int
    to: Home


@ORDERS.order("W{world}B{count}R", "W{world} uses {count} industry to build {count:robots}.")
@dataclass(frozen=True, slots=True)
class BuildRobots(Order):
    """*count* industry builds twice as many robots (s9)."""

    world: WorldNumber
    count: int


@ORDERS.order(
    "W{world}B{count}F{to}",
    "W{world} builds {count:ships} on {to:key}.",
    _at_fleet("Build on a fleet", "{key}B{amount}{target}", None),
)
@dataclass(frozen=True, slots=True)
class BuildFleetShips(Order):
    """Industry builds ships onto a key at the world (s9)."""

    world: WorldNumber
    count: int
    to: FleetNumber


@ORDERS.order(
    "W{world}I{count}I",
    "W{world} uses {count:price} industry to build {count} industry.",
    OrderForm("Build industry", "{key}I{amount}I"),
)
@dataclass(frozen=True, slots=True)
class BuildIndustry(Order):
    """Industry builds *count* industry (s9)."""

    world: WorldNumber
    count: int


@ORDERS.order(
    "W{world}I{count}L",
    "W{world} uses {count:price} industry to raise its population limit by {count}.",
    OrderForm("Raise the limit", "{key}I{amount}L"),
)
@dataclass(frozen=True, slots=True)
class RaiseLimit(Order):
    """Industry raises the population limit by *count* (s9)."""

    world: WorldNumber
    count: int


@ORDERS.order(
    "W{world}S{count}",
    "W{world} scraps {count:scrap} I-Ships and gets {count} industry.",
    OrderForm("Scrap I-Ships", "{key}S{amount}"),
)
@dataclass(frozen=True, slots=True)
class ScrapShips(Order):
    """I-Ships become *count* industry (s6)."""

    world: WorldNumber
    count: int


@ORDERS.order(
    "P{world}M{count}W{to}",
    "W{world} sends {world,count:people} to W{to}.",
    OrderForm("Migrate people", "P{number}M{amount}{target}", target=Target.PLACE),
)
@dataclass(frozen=True, slots=True)
class MigratePeople(Order):
    """People, or robots, move to a world next door (s9)."""

    world: WorldNumber
    count: int
    to: WorldNumber


@ORDERS.order(
    "C{world}M{count}W{to}",
    "W{world} sends {count:converts} to W{to}.",
    OrderForm("Migrate converts", "C{number}M{amount}{target}", target=Target.PLACE, own=False),
)
@dataclass(frozen=True, slots=True)
class MigrateConverts(Order):
    """Converts move to a world next door (s9)."""

    world: WorldNumber
    count: int
    to: WorldNumber


@ORDERS.order("W{world}X", "You plunder W{world}.", OrderForm("Plunder", "{key}X"))
@dataclass(frozen=True, slots=True)
class Plunder(Order):
    """A world is plundered by its owner (s19)."""

    world: WorldNumber


@ORDERS.order(
    "F{fleet}Q",
    "Fleet {fleet} is at peace and captures nothing.",
    OrderForm("Go at peace", "{key}Q", _KEY),
)
@dataclass(frozen=True, slots=True)
class MakePeace(Order):
    """A fleet captures nothing until further notice (s20)."""

    fleet: FleetNumber


@ORDERS.order(
    "F{fleet}X",
    "Fleet {fleet} is no longer at peace and can capture.",
    OrderForm("End peace", "{key}X", _KEY),
)
@dataclass(frozen=True, slots=True)
class EndPeace(Order):
    """A fleet can capture again (s20)."""

    fleet: FleetNumber


@ORDERS.order(
    "F{fleet}G={name}",
    "You give fleet {fleet} to {name}.",
    OrderForm("Give away", "{key}G={owner}", _KEY, Target.OWNER),
)
@dataclass(frozen=True, slots=True)
class GiveFleet(Order):
    """A fleet is given to a player (s18)."""

    fleet: FleetNumber
    name: str


@ORDERS.order(
    "W{world}G={name}",
    "You give W{world} to {name}.",
    OrderForm("Give away", "{key}G={owner}", target=Target.OWNER),
)
@dataclass(frozen=True, slots=True)
class GiveWorld(Order):
    """A world is given to a player (s18)."""

    world: WorldNumber
    name: str


@ORDERS.order(
    "F{fleet}B",
    "Fleet {fleet} turns 25 ships into a planet buster bomb.",
    OrderForm("Build a bomb", "{key}B", _KEY),
)
@dataclass(frozen=True, slots=True)
class BuildBomb(Order):
    """25 ships of a fleet become a planet buster bomb (s21)."""

    fleet: FleetNumber


@ORDERS.order(
    "F{fleet}D",
    "Fleet {fleet} drops its planet buster bomb on {fleet:place}.",
    OrderForm("Drop the bomb", "{key}D", _KEY),
)
@dataclass(frozen=True, slots=True)
class DropBomb(Order):
    """A fleet drops its planet buster bomb on its world (s21)."""

    fleet: FleetNumber


@ORDERS.order(
    "F{fleet}R{count}",
    "Fleet {fleet} lands {count:ships} as {count:robots} on {fleet:place}.",
    OrderForm("Attack with robots", "{key}R{amount}", _KEY),
)
@dataclass(frozen=True, slots=True)
class RobotAttack(Order):
    """*count* ships of a Berserker's fleet land as twice as many robots (s22)."""

    fleet: FleetNumber
    count: int


@ORDERS.order(
    "Z{world}",
    "You ambush nobody {world:area} this turn.",
    OrderForm("Ambush nobody", "Z{number}"),
)
@dataclass(frozen=True, slots=True)
class HoldAmbush(Order):
    """Nobody is ambushed this turn, anywhere or at one world (s16)."""

    world: WorldNumber | None = None


@ORDERS.order("A={name}", "{name} is your ally until further notice.")
@dataclass(frozen=True, slots=True)
class DeclareAlly(Order):
    """A player is an ally until further notice (s17)."""

    name: str


@ORDERS.order("N={name}", "{name} is no longer your ally.")
@dataclass(frozen=True, slots=True)
class DeclareNonAlly(Order):
    """A player is no longer an ally (s17)."""

    name: str


@ORDERS.order("L={name}", "{name} can load metal on your worlds from now on.")
@dataclass(frozen=True, slots=True)
class DeclareLoader(Order):
    """A player can load metal on the owner's worlds from now on (s13)."""

    name: str


@ORDERS.order("X={name}", "{name} can no longer load metal on your worlds.")
@dataclass(frozen=True, slots=True)
class DeclareNonLoader(Order):
    """A player can no longer load on the owner's worlds (s13)."""

    name: str


@ORDERS.order("J={name}", "You declare a jihad against {name}.")
@dataclass(frozen=True, slots=True)
class DeclareJihad(Order):
    """An Apostle's jihad against that player (s4F)."""

    name: str


@ORDERS.order("SIGN{lines:\n*}\nEND", 'Your sign: "{lines:sign}"', rules={})
@dataclass(frozen=True, slots=True)
class PostSign(Order):
    """One or two lines for all who meet the player (s26)."""

    lines: tuple[str, ...]


@ORDERS.order("ENDING {score}", "You vote to end the game at {score} points.")
@dataclass(frozen=True, slots=True)
class VoteEnding(Order):
    """On turn 1, the score at which the game should end (s30)."""

    score: int
