"""The order language of StarWeb: its grammar, and the advice and words for players."""

from typing import Final

from referee.rules.order_table import key_of
from referee.rules.ruleset import Example, Grammar, Seat, UserError
from referee.rules.wording import counted
from referee.rulesets.starweb.industry import industry_price, scrap_price
from referee.rulesets.starweb.orders import (
    ORDERS,
    Aim,
    ArtifactNumber,
    FleetNumber,
    Home,
    Order,
    PostSign,
    Trigger,
    WorldNumber,
)
from referee.rulesets.starweb.sight import Sight
from referee.rulesets.starweb.state import State

SIGN_LINES: Final = 2
SIGN_WIDTH: Final = 78


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
    orders=ORDERS.rules,
    terminals={
        "NUMBER": int,
        "FLEET": key_of,
        "WORLD": key_of,
        "ARTIFACT": key_of,
        "CONVERTS": key_of,
        "I_SHIPS": key_of,
        "P_SHIPS": key_of,
        "HOME": lambda text: Home(text.upper()),
        "AIM": lambda text: Aim(text.upper()),
        "TRIGGER": lambda text: Trigger(text.upper()),
        "NAME": str.upper,
    },
    examples=EXAMPLES,
    hints=HINTS,
    blocks={"SIGN": _post_sign},
    joined=frozenset({"ENDING"}),
)
"""Numbers have no leading zeros, and routes at most three hops (settled case 30)."""


def explain(state: State, seat: Seat, order: Order) -> str:
    """Return the meaning of *order* in one line, from what the seat can know (s28)."""
    return ORDERS.explain(order, _Words(Sight(state, seat)))


class _Words:
    """The words for the values of an order, from what its player sees."""

    def __init__(self, sight: Sight) -> None:
        self._sight = sight

    def key(self, number: FleetNumber) -> str:
        """Return the words for a fleet, with its owner if it is seen and not the player's own."""
        fleet = self._sight.fleet(number)
        if fleet is None or fleet.owner == self._sight.seat:
            return f"fleet {number}"
        owner = self._sight.owner_name(fleet)
        return f"{owner}'s fleet {number}" if owner else f"neutral fleet {number}"

    def place(self, fleet: FleetNumber) -> str:
        own = self._sight.own_fleet(fleet)
        return f"W{own.world}" if own is not None else "its world"

    def at(self, fleet: FleetNumber) -> str:
        own = self._sight.own_fleet(fleet)
        return f" at W{own.world}" if own is not None else ""

    def way(self, fleet: FleetNumber, route: tuple[WorldNumber, ...]) -> str:
        own = self._sight.own_fleet(fleet)
        begin = f" from W{own.world}" if own is not None else ""
        worlds = [f"W{world}" for world in route]
        through = f" through {' and '.join(worlds[:-1])}" if worlds[:-1] else ""
        return f"{begin}{through} to {''.join(worlds[-1:])}"

    def drop(self, artifact: ArtifactNumber) -> str:
        holder = self._sight.artifact(artifact)
        return f"W{getattr(holder, 'world', holder.number)}" if holder is not None else "the world"

    def area(self, world: WorldNumber | None) -> str:
        return "anywhere" if world is None else f"at W{world}"

    def ships(self, count: int) -> str:
        return counted(count, "ship")

    def robots(self, count: int) -> str:
        return f"{2 * count} robots"

    def people(self, world: WorldNumber, count: int) -> str:
        seen = self._sight.world(world)
        if seen is not None and seen.robots:
            return counted(count, "robot")
        return "1 person" if count == 1 else f"{count} people"

    def converts(self, count: int) -> str:
        return counted(count, "convert")

    def price(self, count: int) -> int:
        return count * industry_price(self._sight.player)

    def scrap(self, count: int) -> int:
        return count * scrap_price(self._sight.player)

    def load(self, count: int | None) -> str:
        return "all the metal it can carry" if count is None else f"{count} metal"

    def cargo(self, count: int | None) -> str:
        return "all its metal" if count is None else f"{count} metal"

    def sign(self, lines: tuple[str, ...]) -> str:
        return " / ".join(lines)
