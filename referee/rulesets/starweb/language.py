"""The order language of StarWeb: its grammar, texts of orders, and typical mistakes."""

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
"""The size of the caches: enough for the worlds, keys and artifacts of a game."""
SIGN_LINES: Final = 2
SIGN_WIDTH: Final = 78


class HomeShips(NamedTuple):
    """A home fleet as it is typed, ``I75`` or ``P75``."""

    home: Home
    world: WorldNumber


def _by_letter(kind: type[E]) -> Callable[[str], E]:
    """Return a function that finds a member of *kind* by its letter, capital or small."""
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
    """Return the sign. Raises UserError if it is too long or has no text (s26)."""
    text = tuple(line.rstrip() for line in lines)
    while text and not text[-1]:
        text = text[:-1]
    if not 1 <= len(text) <= SIGN_LINES:
        raise UserError("A sign has one or two lines between SIGN and END.")
    if any(len(line) > SIGN_WIDTH for line in text):
        raise UserError(f"A line of a sign has at most {SIGN_WIDTH} characters.")
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
    Example("F3", "Expected an action after the fleet. F3W5 moves it to W5."),
    Example("W75", "Expected an action after the world. W75B2I builds two I-Ships there."),
    Example("I75", "Expected an action after the I-Ships. I75T2F3 puts two of them on fleet 3."),
    Example("P75", "Expected an action after the P-Ships. P75T2F3 puts two of them on fleet 3."),
    Example("C75", "Converts can only migrate. C75M4W5 sends four to W5."),
    Example(
        "V41", "Expected a fleet or W after the artifact. V41F3 hooks it to fleet 3, V41W drops it."
    ),
    Example("F3TF7", "Expected a number of ships. {} moves five."),
    Example("F3TI", "Expected a number of ships. {} moves five."),
    Example("F3T", "Expected a number of ships and where they go. F3T5F7 moves five to fleet 7."),
    Example(
        "F3T4",
        "Expected where they go. I makes I-Ships, P makes P-Ships, F7 puts them on fleet 7.",
    ),
    Example(
        "F3T4W5",
        "Ships go to a fleet, to I or to P. I and P are the home fleets of the world there.",
    ),
    Example("I75TF3", "Expected a number of ships. {} moves five."),
    Example(
        "I75T4", "Expected where they go. I75T4F3 puts them on fleet 3, I75T4P makes them P-Ships."
    ),
    Example("I75T4I", "They are I-Ships already. I75T4P makes them P-Ships."),
    Example("P75T4P", "They are P-Ships already. P75T4I makes them I-Ships."),
    Example(
        "I75W5", "Home fleets cannot move. First put them on a fleet: I75T4F3 puts four on fleet 3."
    ),
    Example("P75W5", "Home fleets cannot move. P75M4W5 sends four people to W5."),
    Example("I75M4W5", "Only people and converts migrate. P75M4W5 sends four people to W5."),
    Example("I75AI", "Home fleets fire at a fleet or at converts. Write I75AF98 or I75AC."),
    Example("I75AP", "Home fleets fire at a fleet or at converts. Write I75AF98 or I75AC."),
    Example("I75A", "Expected a target. I75AF98 fires at fleet 98, I75AC at converts."),
    Example("W75BI", "Expected a number. {} builds five."),
    Example("W75BF3", "Expected a number of ships. {} builds five."),
    Example(
        "W75B10",
        "Expected what to build. I makes I-Ships, P makes P-Ships, F3 puts them on fleet 3.",
    ),
    Example(
        "W75B10C",
        "Converts and consumer goods are not built. W75B10I builds I-Ships, W75B10P P-Ships, "
        "W75B10F3 ships on fleet 3.",
    ),
    Example("W75B10L", "The limit is raised with I. W75I10L raises it by ten."),
    Example("W75II", "Expected a number. {} builds five industry."),
    Example(
        "W75I3", "Expected I or L at the end. W75I3I builds industry, W75I3L raises the limit."
    ),
    Example("W75I3F7", "Ships are built with B. W75B3F7 builds three on fleet 7."),
    Example("W75S", "Expected a number. {} makes five industry from I-Ships."),
    Example("W75W5", "A world cannot move. F3W5 moves fleet 3 to W5."),
    Example("P75MW5", "Expected a number of people. {} sends five."),
    Example("P75M4", "Expected a world. P75M4W5 sends them to W5."),
    Example(
        "F1W2W3W4W5",
        "A fleet passes at most three gates in a turn. End the route at the third world.",
    ),
    Example("F3PW5", "A probe needs only the number of the world. F3P5 probes W5."),
    Example("F3P", "Expected the number of a world. F3P66 probes W66."),
    Example(
        "F3A", "Expected a target. F3AF7 fires at fleet 7; F3AI, F3AP and F3AH fire at the world."
    ),
    Example("F3AW5", "A fleet fires where it is, at I, P or H. Write F3AI, F3AP or F3AH."),
    Example("F3AC", "Only home fleets can fire at converts. F3AP fires at the people."),
    Example("F3G", "Expected = and a name. F3G=HATYSA gives the fleet to HATYSA."),
    Example("W75G", "Expected = and a name. W75G=HATYSA gives the world to HATYSA."),
    Example("F3G=", "Expected a name. F3G=HATYSA gives the fleet to HATYSA."),
    Example("F3LM5", "Only a number can follow L. F3L5 loads five metal."),
    Example("F3B5", "A bomb always takes 25 ships. F3B builds it; T transfers ships."),
    Example("F3R", "Expected a number of ships. {} lands five ships as robots."),
    Example("A", "Expected = and a name. A=HATYSA makes HATYSA an ally."),
    Example("A=", "Expected a name. A=HATYSA makes HATYSA an ally."),
    Example("L=", "Expected a name. L=HATYSA lets HATYSA load your metal."),
    Example("A=ABCDEFGHIJ", "A code name has one to nine letters, and nothing else."),
    Example("ENDING", "Expected a score. ENDING 8000 votes for 8000."),
    Example("V41I", "An artifact goes to a fleet or to the world. Write V41F3 or V41W."),
    Example("Z=A", "Z takes the number of a world, or nothing. Write Z75 or Z."),
)
"""Typical mistakes, each with advice; ``{}`` is the player's own text, corrected."""

HINTS: Final = {
    "ALLY": "A=HATYSA makes HATYSA an ally.",
    "AMBUSH": "Your fleets ambush automatically. Z75 ambushes nobody at W75, Z nobody anywhere.",
    "ATTACK": "F3AF7 fires at fleet 7; F3AI, F3AP and F3AH fire at the world.",
    "BUILD": "W75B2I builds two I-Ships there, W75B2F3 two ships on fleet 3.",
    "EXPLORE": "F3P66 probes W66 with a ship of fleet 3, F3W66 moves there.",
    "FIRE": "F3AF7 fires at fleet 7; F3AI, F3AP and F3AH fire at the world.",
    "GIVE": "F3G=HATYSA gives fleet 3 to HATYSA, W75G=HATYSA the world.",
    "LOAD": "F3L loads all metal that fits, F3L5 loads five.",
    "MOVE": "F3W5 moves fleet 3 to W5.",
    "PROBE": "F3P66 probes W66 with a ship of fleet 3.",
    "TRANSFER": "F3T5F7 moves five ships to fleet 7.",
    "UNLOAD": "F3U unloads all metal, F3U5 unloads five.",
}
"""Words that players type instead of an order, each with one that it may mean."""

GRAMMAR: Final = Grammar(
    source="starweb.lark",
    orders=BUILDERS,
    terminals=TERMINALS,
    examples=EXAMPLES,
    hints=HINTS,
    blocks={"SIGN": _post_sign},
    joined=frozenset({"ENDING"}),
)
"""Numbers have no leading zeros, and routes at most three hops (settled case 30)."""


def _sign(order: PostSign) -> str:
    return "\n".join(("SIGN", *order.lines, "END"))


def _move(order: MoveFleet) -> str:
    return f"F{order.fleet}" + "".join([f"W{world}" for world in order.route])


def _to_other_home(order: TransferBetweenHomes) -> str:
    other = Home.PEOPLE if order.home is Home.INDUSTRY else Home.INDUSTRY
    return f"{order.home.value}{order.world}T{order.count}{other.value}"


def _if_any(number: int | None) -> int | str:
    """Return the optional last part of an order."""
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
    """Return the canonical text of *order*, from which the same order is read (s28)."""
    return _TEXTS[type(order)](order)
