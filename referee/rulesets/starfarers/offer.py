"""What Starfarers offers before a game begins, to the GM who creates it."""

from collections.abc import Mapping
from typing import Final

from referee.rules.ruleset import Mistake, NameRule, Option, RulesetInfo
from referee.rulesets.starfarers.goods import goods_of
from referee.rulesets.starfarers.state import Mode, Rules

COSTS: Final[Mapping[str, tuple[str, str]]] = {
    "trade_port": ("1O1U2G", "a trade port"),
    "colony": ("1O1U1C1F", "a colony"),
    "ring": ("3C2F", "the teleport ring that makes a colony a spaceport"),
    "starship": ("2O2U1C", "a starship"),
    "booster": ("2U", "a booster"),
    "cannon": ("2C", "a cannon"),
    "freight_ring": ("2O", "a freight ring"),
}
CAPS: Final[Mapping[str, tuple[int, str]]] = {
    "boosters": (6, "boosters"),
    "cannons": (6, "cannons"),
    "freight_rings": (5, "freight rings"),
    "starships": (3, "starships"),
    "colonies": (9, "colonies"),
    "trade_ports": (7, "trade ports"),
    "spaceports": (3, "spaceports"),
}
SOFT_START: Final = "deck.soft_start"

_OPTIONS: Final = (
    Option(
        "mode",
        str,
        Mode.BATCH.value,
        "Whether all send a whole turn at once, one after the other, or in two halves.",
        choices=tuple(mode.value for mode in Mode),
    ),
    *(
        Option(f"cost.{key}", str, cost, f"What {what} costs, in cards.")
        for key, (cost, what) in COSTS.items()
    ),
    *(
        Option(f"cap.{key}", int, number, f"How many {what} a player has at most.", 1, highest=50)
        for key, (number, what) in CAPS.items()
    ),
    Option("thrust.bag", str, "0,1,2,2,3", "The numbers of which two are drawn as thrust."),
    Option("thrust.boosters", bool, False, "Whether boosters add to thrust in battle."),
    Option(
        "colony_system",
        str,
        "galaxy",
        "Whether the bases of a colony system lie anywhere in a galaxy, or close together.",
        choices=("galaxy", "cluster"),
    ),
    Option(
        "peace_hold", int, 1, "For how many rounds more all colony systems must stand.", highest=9
    ),
    Option("combine_moves", bool, False, "Whether a ship may travel before it explores."),
    Option("mine_on_stay", bool, False, "Whether a ship that stays at a planet mines it again."),
    Option(
        "start_stance",
        str,
        "peace",
        "Whether all begin in peace or in hostility.",
        choices=("peace", "hostile"),
    ),
    Option(
        "pirate_win",
        str,
        "destroy",
        "Whether pirates destroy a base that they beat, or leave it.",
        choices=("destroy", "leave"),
    ),
    Option(
        "seat_order",
        str,
        "rotate",
        "Whether another player begins each round, or always the same.",
        choices=("rotate", "fixed"),
    ),
    Option("hand_limit", int, 0, "How many cards a player keeps at most; 0 for any.", highest=99),
    Option(
        SOFT_START,
        int,
        3,
        "How many first tiles of a galaxy have a free planet and neither pirates nor wormholes.",
        highest=10,
    ),
    Option(
        "fog",
        str,
        "none",
        "Whether all see everything, or the galaxies where they have a ship or base.",
        choices=("none", "galaxy"),
    ),
)

INFO: Final = RulesetInfo(
    key="starfarers",
    prefix="SF",
    title="Starfarers",
    edition="1",
    schema=1,
    fewest_seats=2,
    most_seats=6,
    options=_OPTIONS,
    choices=(),
    names=NameRule(
        "[A-Z]{1,12}",
        "1 to 12 letters, no digits and no blanks",
        frozenset({"ALL", "ANONYMOUS", "GM"}),
        ("ARGO", "BEAGLE", "CALYPSO", "DISCOVERY", "ENDEAVOUR", "FRAM", "GJOA", "HECLA"),
    ),
    phases=("turn", "travel", "build"),
)


def rules_of(options: Mapping[str, int | str | bool]) -> Rules:
    """Give what the GM chose. Raises Mistake for costs or a bag that cannot be."""
    chosen = {option.name: options.get(option.name, option.default) for option in _OPTIONS}
    bag = str(chosen["thrust.bag"]).split(",")
    if len(bag) < 2 or not all(number.strip().isdecimal() for number in bag):
        raise Mistake("thrust.bag: two numbers at least, with commas between them: 0,1,2,2,3.")
    return Rules(
        mode=Mode(chosen["mode"]),
        costs={key: goods_of(str(chosen[f"cost.{key}"]).upper()) for key in COSTS},
        caps={key: int(chosen[f"cap.{key}"]) for key in CAPS},
        thrust=tuple(int(number) for number in bag),
        thrust_boosters=bool(chosen["thrust.boosters"]),
        peace_hold=int(chosen["peace_hold"]),
        cluster=chosen["colony_system"] == "cluster",
        combine_moves=bool(chosen["combine_moves"]),
        mine_on_stay=bool(chosen["mine_on_stay"]),
        start_hostile=chosen["start_stance"] == "hostile",
        pirates_destroy=chosen["pirate_win"] == "destroy",
        rotate=chosen["seat_order"] == "rotate",
        hand_limit=int(chosen["hand_limit"]),
        fog=chosen["fog"] == "galaxy",
    )
