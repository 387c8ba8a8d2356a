"""The orders of StarWeb, one class for each form (s28)."""

from dataclasses import dataclass
from enum import Enum

WorldNumber = int
FleetNumber = int
ArtifactNumber = int


class Home(Enum):
    """The two home fleets of a world: ships that guard its industry or its people (s6)."""

    INDUSTRY = "I"
    PEOPLE = "P"


class Aim(Enum):
    """What a fleet fires at besides a fleet (s15)."""

    INDUSTRY = "I"
    PEOPLE = "P"
    HOME_FLEETS = "H"


class Trigger(Enum):
    """Whether a shot is always fired, or only if the target's owner fires (s15)."""

    ALWAYS = "A"
    CONDITIONAL = "C"


@dataclass(frozen=True, slots=True)
class Order:
    """Any order of StarWeb."""


@dataclass(frozen=True, slots=True)
class TransferToFleet(Order):
    """``FnnnTqFmmm``: a fleet gives ships to another key at the same world (s6)."""

    fleet: FleetNumber
    count: int
    to: FleetNumber


@dataclass(frozen=True, slots=True)
class TransferToHome(Order):
    """``FnnnTqI`` ``FnnnTqP``: a fleet leaves ships as a home fleet of its world (s6)."""

    fleet: FleetNumber
    count: int
    to: Home


@dataclass(frozen=True, slots=True)
class TransferFromHome(Order):
    """``InnnTqFmmm`` ``PnnnTqFmmm``: a home fleet of a world gives ships to a key there (s6)."""

    home: Home
    world: WorldNumber
    count: int
    to: FleetNumber


@dataclass(frozen=True, slots=True)
class TransferBetweenHomes(Order):
    """``InnnTqP`` ``PnnnTqI``: ships of *home* change to the other home fleet (s6)."""

    home: Home
    world: WorldNumber
    count: int


@dataclass(frozen=True, slots=True)
class ScrapShips(Order):
    """``WnnnSq``: I-Ships become *count* industry (s6)."""

    world: WorldNumber
    count: int


@dataclass(frozen=True, slots=True)
class BuildHomeShips(Order):
    """``WnnnBqI`` ``WnnnBqP``: industry builds ships into a home fleet (s9)."""

    world: WorldNumber
    count: int
    to: Home


@dataclass(frozen=True, slots=True)
class BuildFleetShips(Order):
    """``WnnnBqFmmm``: industry builds ships onto a key at the world (s9)."""

    world: WorldNumber
    count: int
    to: FleetNumber


@dataclass(frozen=True, slots=True)
class BuildIndustry(Order):
    """``WnnnIqI``: industry builds *count* industry (s9)."""

    world: WorldNumber
    count: int


@dataclass(frozen=True, slots=True)
class RaiseLimit(Order):
    """``WnnnIqL``: industry raises the population limit by *count* (s9)."""

    world: WorldNumber
    count: int


@dataclass(frozen=True, slots=True)
class BuildRobots(Order):
    """``WnnnBqR``: *count* industry builds twice as many robots (s9)."""

    world: WorldNumber
    count: int


@dataclass(frozen=True, slots=True)
class MigratePeople(Order):
    """``PnnnMqWmmm``: people, or robots, move to a world next door (s9)."""

    world: WorldNumber
    count: int
    to: WorldNumber


@dataclass(frozen=True, slots=True)
class MigrateConverts(Order):
    """``CnnnMqWmmm``: converts move to a world next door (s9)."""

    world: WorldNumber
    count: int
    to: WorldNumber


@dataclass(frozen=True, slots=True)
class MoveFleet(Order):
    """``FnnnWmmm...``: a fleet passes through one, two or three gates (s11)."""

    fleet: FleetNumber
    route: tuple[WorldNumber, ...]


@dataclass(frozen=True, slots=True)
class ProbeFromFleet(Order):
    """``FnnnPmmm``: a ship of a fleet is used up to see a world next door (s12)."""

    fleet: FleetNumber
    at: WorldNumber


@dataclass(frozen=True, slots=True)
class ProbeFromHome(Order):
    """``InnnPmmm`` ``PnnnPmmm``: a ship of a home fleet is used up to see a world (s12)."""

    home: Home
    world: WorldNumber
    at: WorldNumber


@dataclass(frozen=True, slots=True)
class Load(Order):
    """``FnnnL[q]``: a fleet takes *count* metal, or all it can (s13)."""

    fleet: FleetNumber
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Unload(Order):
    """``FnnnU[q]``: a fleet leaves *count* metal, or all it has, on its world (s13)."""

    fleet: FleetNumber
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Jettison(Order):
    """``FnnnJ[q]``: a fleet throws *count* metal away, or all it has (s13)."""

    fleet: FleetNumber
    count: int | None = None


@dataclass(frozen=True, slots=True)
class UnloadGoods(Order):
    """``FnnnN[q]``: a fleet leaves *count* metal, or all it has, as consumer goods (s4B)."""

    fleet: FleetNumber
    count: int | None = None


@dataclass(frozen=True, slots=True)
class HookArtifact(Order):
    """``VnnnFmmm``: an artifact is hooked to a key where it is (s14)."""

    artifact: ArtifactNumber
    to: FleetNumber


@dataclass(frozen=True, slots=True)
class DropArtifact(Order):
    """``VnnnW``: an artifact goes from its key onto the world there (s14)."""

    artifact: ArtifactNumber


@dataclass(frozen=True, slots=True)
class FireAtFleet(Order):
    """``FnnnAFmmm`` ``FnnnCFmmm``: a fleet fires at a fleet (s15)."""

    fleet: FleetNumber
    trigger: Trigger
    at: FleetNumber


@dataclass(frozen=True, slots=True)
class FireAtWorld(Order):
    """``FnnnAI`` ``FnnnAP`` ``FnnnAH`` and with ``C``: a fleet fires at its world (s15)."""

    fleet: FleetNumber
    trigger: Trigger
    aim: Aim


@dataclass(frozen=True, slots=True)
class HomeFireAtFleet(Order):
    """``InnnAFmmm`` ``PnnnAFmmm`` and with ``C``: a home fleet fires at a fleet (s15)."""

    home: Home
    world: WorldNumber
    trigger: Trigger
    at: FleetNumber


@dataclass(frozen=True, slots=True)
class HomeFireAtConverts(Order):
    """``InnnAC`` ``PnnnAC`` and with ``C``: a home fleet fires at the converts there (s15)."""

    home: Home
    world: WorldNumber
    trigger: Trigger


@dataclass(frozen=True, slots=True)
class HoldAmbush(Order):
    """``Z`` ``Znnn``: nobody is ambushed this turn, anywhere or at one world (s16)."""

    world: WorldNumber | None = None


@dataclass(frozen=True, slots=True)
class DeclareAlly(Order):
    """``A=name``: that player is an ally until further notice (s17)."""

    name: str


@dataclass(frozen=True, slots=True)
class DeclareNonAlly(Order):
    """``N=name``: that player is no longer an ally (s17)."""

    name: str


@dataclass(frozen=True, slots=True)
class DeclareLoader(Order):
    """``L=name``: that player can load metal on the owner's worlds from now on (s13)."""

    name: str


@dataclass(frozen=True, slots=True)
class DeclareNonLoader(Order):
    """``X=name``: that player can no longer load on the owner's worlds (s13)."""

    name: str


@dataclass(frozen=True, slots=True)
class DeclareJihad(Order):
    """``J=name``: an Apostle's jihad against that player (s4F)."""

    name: str


@dataclass(frozen=True, slots=True)
class GiveFleet(Order):
    """``FnnnG=name``: a fleet is given to a player (s18)."""

    fleet: FleetNumber
    name: str


@dataclass(frozen=True, slots=True)
class GiveWorld(Order):
    """``WnnnG=name``: a world is given to a player (s18)."""

    world: WorldNumber
    name: str


@dataclass(frozen=True, slots=True)
class Plunder(Order):
    """``WnnnX``: a world is plundered by its owner (s19)."""

    world: WorldNumber


@dataclass(frozen=True, slots=True)
class MakePeace(Order):
    """``FnnnQ``: a fleet captures nothing until further notice (s20)."""

    fleet: FleetNumber


@dataclass(frozen=True, slots=True)
class EndPeace(Order):
    """``FnnnX``: a fleet can capture again (s20)."""

    fleet: FleetNumber


@dataclass(frozen=True, slots=True)
class BuildBomb(Order):
    """``FnnnB``: 25 ships of a fleet become a planet buster bomb (s21)."""

    fleet: FleetNumber


@dataclass(frozen=True, slots=True)
class DropBomb(Order):
    """``FnnnD``: a fleet drops its planet buster bomb on its world (s21)."""

    fleet: FleetNumber


@dataclass(frozen=True, slots=True)
class RobotAttack(Order):
    """``FnnnRq``: *count* ships of a Berserker's fleet land as twice as many robots (s22)."""

    fleet: FleetNumber
    count: int


@dataclass(frozen=True, slots=True)
class PostSign(Order):
    """``SIGN ... END``: one or two lines for all who meet the player (s26)."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class VoteEnding(Order):
    """``ENDING q``: on turn 1, the score at which the game should end (s30)."""

    score: int
