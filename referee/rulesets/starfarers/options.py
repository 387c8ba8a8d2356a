"""The options of Starfarers: for the GM, and for players who join."""

from collections.abc import Mapping
from typing import Final

from referee.rules.ruleset import NameRule, Option, RulesetInfo, UserError
from referee.rulesets.starfarers.decks import ENCOUNTERS, Contents, cards_of, in_short
from referee.rulesets.starfarers.goods import NAMES, Goods, goods_of
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
TILES: Final[Mapping[str, tuple[int, str]]] = {
    **{name: (Contents().planets.of(letter), f"free planets of {name}")
       for letter, name in NAMES.items()},
    "occupied": (6, "occupied planets"),
    "empty": (12, "tiles of empty space"),
    "traders": (3, "traders"),
    "mercenaries": (2, "tiles of mercenaries"),
    "teleporters": (1, "teleporters"),
    "wormholes": (2, "wormholes"),
}  # fmt: skip
COLOUR: Final = "colour"
COLOURS: Final = ("red", "yellow", "blue", "green", "white", "violet")
NO_LIMIT: Final = "none"
USUAL: Final = Rules()

_OPTIONS: Final = (
    Option(
        "mode",
        str,
        Mode.BATCH.value,
        "Whether players send a whole turn at once, one after the other, or in two halves.",
        choices=tuple(mode.value for mode in Mode),
    ),
    *(
        Option(f"cost.{key}", str, cost, f"The cards that {what} costs.")
        for key, (cost, what) in COSTS.items()
    ),
    *(
        Option(f"cap.{key}", int, number, f"The most {what} that a player can have.", 1, highest=50)
        for key, (number, what) in CAPS.items()
    ),
    Option("thrust.bag", str, "0,1,2,2,3", "The numbers of which two are drawn as thrust."),
    Option("thrust.boosters", bool, False, "Whether boosters add to thrust in battle."),
    Option(
        "colony_system",
        str,
        "galaxy",
        "Whether the bases of a colony system can be anywhere in a galaxy, or must be joined.",
        choices=("galaxy", "cluster"),
    ),
    Option(
        "peace_hold",
        int,
        1,
        "The number of further rounds that all colony systems must last.",
        highest=9,
    ),
    Option(
        "turn_limit",
        int,
        USUAL.turn_limit,
        "The last round, after which the most galaxies with a colony system win.",
        1,
        highest=999,
    ),
    Option("combine_moves", bool, False, "Whether a ship can travel and then explore."),
    Option("mine_on_stay", bool, False, "Whether a ship that stays at a planet mines it again."),
    Option(
        "start_stance",
        str,
        "peace",
        "Whether all players begin at peace or hostile.",
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
        "Whether each round begins with another player, or always with the same.",
        choices=("rotate", "fixed"),
    ),
    Option(
        "hand_limit",
        str,
        NO_LIMIT,
        "The most cards that a player can keep, or none for any number.",
    ),
    *(
        Option(f"deck.{key}", int, number, f"The number of {what} in a galaxy.", 0, highest=99)
        for key, (number, what) in TILES.items()
    ),
    Option("deck.pirates", str, "1,1,2,2,3,4", "The cannons of each tile of pirates, or none."),
    Option(
        "deck.soft_start",
        int,
        3,
        "The number of first tiles with a free planet and neither pirates nor a wormhole.",
        highest=10,
    ),
    Option(
        "encounters",
        str,
        in_short(ENCOUNTERS),
        "The people of occupied planets, and how many of each are in the deck.",
    ),
    Option(
        "fog",
        str,
        "none",
        "Whether players see everything, or only galaxies where they have a ship or base.",
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
    choices=(
        Option(
            COLOUR,
            str,
            COLOURS[0],
            "The colour of your mothership, ships and bases.",
            choices=COLOURS,
        ),
    ),
    names=NameRule(
        "[A-Z]{1,12}",
        "1 to 12 letters, no digits and no blanks",
        frozenset({"ALL", "ANONYMOUS", "GM"}),
        ("ARGO", "BEAGLE", "CALYPSO", "DISCOVERY", "ENDEAVOUR", "FRAM", "GJOA", "HECLA"),
    ),
    phases=("turn", "travel", "build"),
)


def rules_of(options: Mapping[str, int | str | bool]) -> Rules:
    """Return the rules that the GM chose. Raises UserError if an option is invalid."""
    chosen = _chosen(options)
    thrust = _numbers("thrust.bag", str(chosen["thrust.bag"]))
    if len(thrust) < 2:
        raise UserError("The option thrust.bag needs at least two numbers, with commas: 0,1,2,2,3.")
    return Rules(
        mode=Mode(chosen["mode"]),
        costs={key: goods_of(str(chosen[f"cost.{key}"]).upper()) for key in COSTS},
        caps={key: int(chosen[f"cap.{key}"]) for key in CAPS},
        thrust=thrust,
        thrust_boosters=bool(chosen["thrust.boosters"]),
        encounters=cards_of(str(chosen["encounters"])),
        peace_hold=int(chosen["peace_hold"]),
        turn_limit=int(chosen["turn_limit"]),
        cluster=chosen["colony_system"] == "cluster",
        combine_moves=bool(chosen["combine_moves"]),
        mine_on_stay=bool(chosen["mine_on_stay"]),
        start_hostile=chosen["start_stance"] == "hostile",
        pirates_destroy=chosen["pirate_win"] == "destroy",
        rotate=chosen["seat_order"] == "rotate",
        hand_limit=_limit(str(chosen["hand_limit"]).lower()),
        fog=chosen["fog"] == "galaxy",
    )


def contents_of(options: Mapping[str, int | str | bool]) -> Contents:
    """Return the contents of the bags. Raises UserError if the pirates are invalid."""
    chosen = _chosen(options)
    pirates = str(chosen["deck.pirates"]).lower()
    numbers = {key: int(chosen[f"deck.{key}"]) for key in TILES}
    return Contents(
        Goods(*(numbers.pop(name) for name in NAMES.values())),
        pirates=() if pirates == "none" else _numbers("deck.pirates", pirates),
        soft_start=int(chosen["deck.soft_start"]),
        **numbers,
    )


def _chosen(options: Mapping[str, int | str | bool]) -> Mapping[str, int | str | bool]:
    return {option.name: options.get(option.name, option.default) for option in _OPTIONS}


def _numbers(name: str, text: str) -> tuple[int, ...]:
    numbers = [number.strip() for number in text.split(",")]
    if not all(number.isdecimal() and len(number) < 3 for number in numbers):
        raise UserError(
            f"The option {name} needs numbers below 100 with commas between them: 0,1,2."
        )
    return tuple(map(int, numbers))


def _limit(text: str) -> int:
    """Return the hand limit, or 0 for no limit (G28)."""
    if text == NO_LIMIT:
        return 0
    if not text.isdecimal() or not 0 < int(text) < 1000:
        raise UserError(f"The option hand_limit needs a number from 1 to 999, or {NO_LIMIT}.")
    return int(text)
