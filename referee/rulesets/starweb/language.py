"""The order language of StarWeb: its grammar, how an order is written, typical mistakes."""

from collections.abc import Callable
from enum import Enum
from functools import lru_cache
from typing import Any, Final, NamedTuple, TypeVar

from referee.rules.ruleset import Example, Grammar, UserError
from referee.rulesets.starweb.orders import (
    Aim,
    BuildBomb,
    BuildFleetShips,
    BuildHomeShips,
    BuildIndustry,
    BuildRobots,
    DeclareAlly,
    DeclareJihad,
    DeclareLoader,
    DeclareNonAlly,
    DeclareNonLoader,
    DropArtifact,
    DropBomb,
    EndPeace,
    FireAtFleet,
    FireAtWorld,
    FleetNumber,
    GiveFleet,
    GiveWorld,
    HoldAmbush,
    Home,
    HomeFireAtConverts,
    HomeFireAtFleet,
    HookArtifact,
    Jettison,
    Load,
    MakePeace,
    MigrateConverts,
    MigratePeople,
    MoveFleet,
    Order,
    Plunder,
    PostSign,
    ProbeFromFleet,
    ProbeFromHome,
    RaiseLimit,
    RobotAttack,
    ScrapShips,
    TransferBetweenHomes,
    TransferFromHome,
    TransferToFleet,
    TransferToHome,
    Trigger,
    Unload,
    UnloadGoods,
    VoteEnding,
    WorldNumber,
)

E = TypeVar("E", bound=Enum)

_MOST_CODES: Final = 2000
"""So many codes are remembered: those of all worlds, keys and artifacts of a game."""
SIGN_LINES: Final = 2
SIGN_WIDTH: Final = 78


class HomeShips(NamedTuple):
    """A home fleet as it is typed, ``I75`` or ``P75``."""

    home: Home
    world: WorldNumber


def _by_letter(kind: type[E]) -> Callable[[str], E]:
    """Return what finds a member of *kind* by its letter, capital or small."""
    return {
        letter: member for member in kind for letter in (member.value, member.value.lower())
    }.__getitem__


_home = _by_letter(Home)


@lru_cache(_MOST_CODES)
def _home_ships(text: str) -> HomeShips:
    return HomeShips(_home(text[0]), int(text[1:]))


@lru_cache(_MOST_CODES)
def _after_letter(text: str) -> int:
    return int(text[1:])


def _move_fleet(fleet: FleetNumber, *route: WorldNumber) -> MoveFleet:
    return MoveFleet(fleet, route)


def _from_home(ships: HomeShips, count: int, to: FleetNumber) -> TransferFromHome:
    return TransferFromHome(ships.home, ships.world, count, to)


def _between_homes(ships: HomeShips, count: int) -> TransferBetweenHomes:
    return TransferBetweenHomes(ships.home, ships.world, count)


def _migrate_people(people: HomeShips, count: int, to: WorldNumber) -> MigratePeople:
    return MigratePeople(people.world, count, to)


def _probe_from_home(ships: HomeShips, at: WorldNumber) -> ProbeFromHome:
    return ProbeFromHome(ships.home, ships.world, at)


def _home_fire_at_fleet(ships: HomeShips, trigger: Trigger, at: FleetNumber) -> HomeFireAtFleet:
    return HomeFireAtFleet(ships.home, ships.world, trigger, at)


def _home_fire_at_converts(ships: HomeShips, trigger: Trigger) -> HomeFireAtConverts:
    return HomeFireAtConverts(ships.home, ships.world, trigger)


def _post_sign(lines: tuple[str, ...]) -> PostSign:
    """Return the sign. Raises UserError unless it has one or two lines of plain text (s26)."""
    text = tuple(line.rstrip() for line in lines)
    while text and not text[-1]:
        text = text[:-1]
    if not 1 <= len(text) <= SIGN_LINES:
        raise UserError("a sign has one or two lines between SIGN and END.")
    if any(len(line) > SIGN_WIDTH for line in text):
        raise UserError(f"a line of a sign has at most {SIGN_WIDTH} characters.")
    return PostSign(text)


BUILDERS: Final[dict[str, Callable[..., Order]]] = {
    "transfer_to_fleet": TransferToFleet,
    "transfer_to_home": TransferToHome,
    "transfer_from_home": _from_home,
    "transfer_to_people": _between_homes,
    "transfer_to_industry": _between_homes,
    "scrap_ships": ScrapShips,
    "build_home_ships": BuildHomeShips,
    "build_fleet_ships": BuildFleetShips,
    "build_industry": BuildIndustry,
    "raise_limit": RaiseLimit,
    "build_robots": BuildRobots,
    "migrate_people": _migrate_people,
    "migrate_converts": MigrateConverts,
    "move_fleet": _move_fleet,
    "probe_from_fleet": ProbeFromFleet,
    "probe_from_home": _probe_from_home,
    "load": Load,
    "unload": Unload,
    "jettison": Jettison,
    "unload_goods": UnloadGoods,
    "hook_artifact": HookArtifact,
    "drop_artifact": DropArtifact,
    "fire_at_fleet": FireAtFleet,
    "fire_at_world": FireAtWorld,
    "home_fire_at_fleet": _home_fire_at_fleet,
    "home_fire_at_converts": _home_fire_at_converts,
    "hold_ambush": HoldAmbush,
    "declare_ally": DeclareAlly,
    "declare_non_ally": DeclareNonAlly,
    "declare_loader": DeclareLoader,
    "declare_non_loader": DeclareNonLoader,
    "declare_jihad": DeclareJihad,
    "give_fleet": GiveFleet,
    "give_world": GiveWorld,
    "plunder": Plunder,
    "make_peace": MakePeace,
    "end_peace": EndPeace,
    "build_bomb": BuildBomb,
    "drop_bomb": DropBomb,
    "robot_attack": RobotAttack,
    "vote_ending": VoteEnding,
}

TERMINALS: Final[dict[str, Callable[[str], Any]]] = {
    "NUMBER": int,
    "FLEET": _after_letter,
    "WORLD": _after_letter,
    "ARTIFACT": _after_letter,
    "CONVERTS": _after_letter,
    "I_SHIPS": _home_ships,
    "P_SHIPS": _home_ships,
    "HOME": _home,
    "AIM": _by_letter(Aim),
    "TRIGGER": _by_letter(Trigger),
    "NAME": str.upper,
}

EXAMPLES: Final = (
    Example("F3", "what shall the fleet do? F3W5 would move it to W5."),
    Example("W75", "what shall the world do? W75B2I would build two I-Ships."),
    Example("I75", "what shall the I-Ships do? I75T2F3 would put two of them on fleet 3."),
    Example("P75", "what shall they do? P75T2F3 would put two P-Ships on fleet 3."),
    Example("C75", "converts can only migrate. C75M4W5 would send four to W5."),
    Example("V41", "what about the artifact? V41F3 hooks it to fleet 3, V41W drops it."),
    Example("F3TF7", "how many ships? {} would move five."),
    Example("F3TI", "how many ships? {} would move five."),
    Example("F3T", "how many ships, and where to? F3T5F7 would move five to fleet 7."),
    Example(
        "F3T4", "where to? {} would make them I-Ships; P makes P-Ships, F7 puts them on fleet 7."
    ),
    Example(
        "F3T4W5", "ships go to a fleet, to I or to P. I and P are those of the world they are at."
    ),
    Example("I75TF3", "how many ships? {} would move five."),
    Example("I75T4", "where to? I75T4F3 puts them on fleet 3, I75T4P makes them P-Ships."),
    Example("I75T4I", "they are I-Ships already. I75T4P would make them P-Ships."),
    Example("P75T4P", "they are P-Ships already. P75T4I would make them I-Ships."),
    Example("I75W5", "home fleets cannot move. I75T4F3 would put four of them on fleet 3 first."),
    Example("P75W5", "home fleets cannot move. To send people use P75M4W5."),
    Example("I75M4W5", "only people and converts migrate. P75M4W5 would send four people to W5."),
    Example("I75AI", "home fleets fire at a fleet or at converts. I75AF98 or I75AC."),
    Example("I75AP", "home fleets fire at a fleet or at converts. I75AF98 or I75AC."),
    Example("I75A", "what at? I75AF98 fires at fleet 98, I75AC at converts."),
    Example("W75BI", "how many? {} would build five."),
    Example("W75BF3", "how many ships? {} would build five."),
    Example("W75B10", "as what? I makes I-Ships, P makes P-Ships, F3 puts them on fleet 3."),
    Example("W75B10L", "the limit is raised with I. W75I10L would raise it by ten."),
    Example("W75II", "how much industry? {} would build five."),
    Example("W75I3", "industry or limit? W75I3I builds industry, W75I3L raises the limit."),
    Example("W75I3F7", "to build ships onto a fleet, use B. W75B3F7 builds three onto fleet 7."),
    Example("W75S", "how much industry shall be made of I-Ships? {} would make five."),
    Example("W75W5", "a world does not move. F3W5 would move fleet 3 to W5."),
    Example("P75MW5", "how many people? {} would send five."),
    Example("P75M4", "where to? P75M4W5 would send them to W5."),
    Example("F1W2W3W4W5", "a fleet passes at most three gates in a turn. Stop at the third world."),
    Example("F3PW5", "a probe names the world by its number alone. F3P5 would probe W5."),
    Example("F3P", "which world shall be probed? F3P66 would probe W66."),
    Example("F3A", "what at? F3AF7 fires at fleet 7, F3AI F3AP F3AH at the world."),
    Example("F3AW5", "a fleet fires where it is, at I, P or H. F3AI, F3AP or F3AH."),
    Example("F3AC", "only home fleets can fire at converts. F3AP fires at the population."),
    Example("F3G", "to whom? F3G=HATYSA would give the fleet to HATYSA."),
    Example("W75G", "to whom? W75G=HATYSA would give the world to HATYSA."),
    Example("F3G=", "to whom? F3G=HATYSA would give the fleet to HATYSA."),
    Example("F3LM5", "only the number follows L. F3L5 would load five metal."),
    Example("F3B5", "a bomb always takes 25 ships. F3B builds it; to transfer ships use T."),
    Example("F3R", "how many ships become robots? {} would land five ships' robots."),
    Example("A", "who? A=HATYSA would make HATYSA an ally."),
    Example("A=", "who? A=HATYSA would make HATYSA an ally."),
    Example("L=", "who? L=HATYSA would let HATYSA load."),
    Example("A=ABCDEFGHIJ", "code names have one to nine letters, and nothing else."),
    Example("ENDING", "at which score? ENDING 8000 would vote for 8000."),
    Example("V41I", "an artifact goes to a fleet or to the world. V41F3 or V41W."),
    Example("Z=A", "hold your ambush everywhere with Z, at one world with its number. Z75."),
)
"""Typical mistakes and the word for each; ``{}`` is the player's own text mended."""

GRAMMAR: Final = Grammar(
    source="starweb.lark",
    orders=BUILDERS,
    terminals=TERMINALS,
    examples=EXAMPLES,
    blocks={"SIGN": _post_sign},
    joined=frozenset({"ENDING"}),
)
"""No number has leading zeros, no route more than three hops (settled case 30)."""


def _sign(order: PostSign) -> str:
    return "\n".join(("SIGN", *order.lines, "END"))


def _move(order: MoveFleet) -> str:
    return f"F{order.fleet}" + "".join([f"W{world}" for world in order.route])


def _to_other_home(order: TransferBetweenHomes) -> str:
    other = Home.PEOPLE if order.home is Home.INDUSTRY else Home.INDUSTRY
    return f"{order.home.value}{order.world}T{order.count}{other.value}"


def _if_any(number: int | None) -> int | str:
    """Return the last part of an order that may be left out."""
    return "" if number is None else number


_TEXTS: Final[dict[type[Order], Callable[[Any], str]]] = {
    TransferToFleet: lambda o: f"F{o.fleet}T{o.count}F{o.to}",
    TransferToHome: lambda o: f"F{o.fleet}T{o.count}{o.to.value}",
    TransferFromHome: lambda o: f"{o.home.value}{o.world}T{o.count}F{o.to}",
    TransferBetweenHomes: _to_other_home,
    ScrapShips: lambda o: f"W{o.world}S{o.count}",
    BuildHomeShips: lambda o: f"W{o.world}B{o.count}{o.to.value}",
    BuildFleetShips: lambda o: f"W{o.world}B{o.count}F{o.to}",
    BuildIndustry: lambda o: f"W{o.world}I{o.count}I",
    RaiseLimit: lambda o: f"W{o.world}I{o.count}L",
    BuildRobots: lambda o: f"W{o.world}B{o.count}R",
    MigratePeople: lambda o: f"P{o.world}M{o.count}W{o.to}",
    MigrateConverts: lambda o: f"C{o.world}M{o.count}W{o.to}",
    MoveFleet: _move,
    ProbeFromFleet: lambda o: f"F{o.fleet}P{o.at}",
    ProbeFromHome: lambda o: f"{o.home.value}{o.world}P{o.at}",
    Load: lambda o: f"F{o.fleet}L{_if_any(o.count)}",
    Unload: lambda o: f"F{o.fleet}U{_if_any(o.count)}",
    Jettison: lambda o: f"F{o.fleet}J{_if_any(o.count)}",
    UnloadGoods: lambda o: f"F{o.fleet}N{_if_any(o.count)}",
    HookArtifact: lambda o: f"V{o.artifact}F{o.to}",
    DropArtifact: lambda o: f"V{o.artifact}W",
    FireAtFleet: lambda o: f"F{o.fleet}{o.trigger.value}F{o.at}",
    FireAtWorld: lambda o: f"F{o.fleet}{o.trigger.value}{o.aim.value}",
    HomeFireAtFleet: lambda o: f"{o.home.value}{o.world}{o.trigger.value}F{o.at}",
    HomeFireAtConverts: lambda o: f"{o.home.value}{o.world}{o.trigger.value}C",
    HoldAmbush: lambda o: f"Z{_if_any(o.world)}",
    DeclareAlly: lambda o: f"A={o.name}",
    DeclareNonAlly: lambda o: f"N={o.name}",
    DeclareLoader: lambda o: f"L={o.name}",
    DeclareNonLoader: lambda o: f"X={o.name}",
    DeclareJihad: lambda o: f"J={o.name}",
    GiveFleet: lambda o: f"F{o.fleet}G={o.name}",
    GiveWorld: lambda o: f"W{o.world}G={o.name}",
    Plunder: lambda o: f"W{o.world}X",
    MakePeace: lambda o: f"F{o.fleet}Q",
    EndPeace: lambda o: f"F{o.fleet}X",
    BuildBomb: lambda o: f"F{o.fleet}B",
    DropBomb: lambda o: f"F{o.fleet}D",
    RobotAttack: lambda o: f"F{o.fleet}R{o.count}",
    PostSign: _sign,
    VoteEnding: lambda o: f"ENDING {o.score}",
}


def render(order: Order) -> str:
    """Return the canonical text of *order*; reading it gives the order back (s28)."""
    return _TEXTS[type(order)](order)
