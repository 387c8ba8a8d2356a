"""The options of The Singularity Trap: for the GM, and for players who join."""

from collections.abc import Mapping
from typing import Final

from referee.rules.ruleset import NameRule, Option, RulesetInfo, UserError
from referee.rulesets.singularity.board import COLOURS, GRAY, Board
from referee.rulesets.singularity.state import Edge, Leaving, Mode, Rules
from referee.rulesets.singularity.units import NAMES, USUAL, ship_type

MODE: Final = "mode"
SLIP: Final = "slip_consumes_drive"
SENSOR_BASE: Final = "sensor.base"
OWNERSHIP: Final = "fog.ownership"
SCRAP_REFUND: Final = "scrap.refund"
DOCTRINE: Final = "doctrine"
TURN_LIMIT: Final = "turn_limit"
WHEEL: Final = "wheel"
RADIUS: Final = "board.radius"
LEVELS: Final = "board.levels"
GRAY_CORE: Final = "gray_core"
EDGE: Final = "edge"
JUMPS: Final = "jump.type"
PERMUTED: Final = "perm"
FACTION: Final = "faction"
RESIGN: Final = "resign"
COLOUR: Final = "colour"

_OPTIONS: Final = (
    Option(
        MODE,
        str,
        Mode.SINGLE.value,
        "Whether players send the orders of a turn at once, in two batches, or section by section.",
        choices=tuple(mode.value for mode in Mode),
    ),
    Option(SLIP, bool, False, "Whether a slipstream takes a drive unit as a warp does."),
    Option(
        SENSOR_BASE, int, 1, "How far ships and planets see without a sensor unit.", 0, highest=6
    ),
    Option(
        OWNERSHIP,
        str,
        "public",
        "Whether the owners of planets are public, or known only to players who see the planet.",
        choices=("public", "sight"),
    ),
    Option(SCRAP_REFUND, int, 0, "The points that a scrapped ship brings.", 0, highest=5),
    Option(
        DOCTRINE,
        str,
        "armed",
        "The ships that are fired at first without an order: armed ones, or the weakest.",
        choices=("armed", "weakest"),
    ),
    Option(TURN_LIMIT, int, 40, "The turn after which the most planets win.", 1, highest=999),
    # The usual wheel is a rainbow (T22).
    Option(WHEEL, str, "ROYGBV", "The colours in the order of the wheel."),
    Option(
        RADIUS,
        int,
        3,
        "The number of rings around the middle of the board: 3 make 37 planets, of which 25 win.",
        2,
        highest=4,
    ),
    Option(LEVELS, int, 5, "The number of levels of the board, an odd number.", 3, highest=9),
    Option(
        EDGE,
        str,
        Edge.STOP.value,
        "Whether a ship's way ends at the edge of the board, or only that segment is left out.",
        choices=tuple(edge.value for edge in Edge),
    ),
    Option(
        JUMPS,
        str,
        PERMUTED,
        "Whether at most one jump leads to each space, or every jump is drawn separately.",
        choices=(PERMUTED, "free"),
    ),
    Option(
        FACTION,
        str,
        "usual",
        "Whether players can declare factions in wars of four or more.",
        choices=("usual", "none"),
    ),
    Option(
        RESIGN,
        str,
        Leaving.NEUTRAL.value,
        "Whether ships and planets of a player who leaves become neutral, or stay and fight.",
        choices=tuple(leaving.value for leaving in Leaving),
    ),
    Option(GRAY_CORE, bool, False, "Whether only the planet in the middle is gray."),
    *(
        Option(
            f"ships.{letter.lower()}",
            str,
            USUAL[letter],
            f"The units and the cost of a {name}.",
        )
        for letter, name in NAMES.items()
    ),
)

INFO: Final = RulesetInfo(
    key="singularity",
    prefix="ST",
    title="The Singularity Trap",
    edition="1",
    schema=1,
    fewest_seats=2,
    most_seats=6,
    options=_OPTIONS,
    choices=(
        Option(
            COLOUR,
            str,
            "red",
            "The colour of the planets that bring you most points.",
            choices=tuple(name for letter, name in COLOURS.items() if letter != GRAY),
        ),
    ),
    names=NameRule(
        "[A-Z]{1,12}",
        "1 to 12 letters, no digits and no blanks",
        frozenset({"ALL", "ANONYMOUS", "GM"}),
        ("ABBOT", "BISHOP", "CANTOR", "DEAN", "EXARCH", "FRIAR", "GUARDIAN", "HERMIT"),
    ),
    phases=("turn", "plan", "settle", "economic", "movement", "combat", "ecopolitical"),
)


def rules_of(options: Mapping[str, int | str | bool]) -> Rules:
    """Return the rules that the GM chose. Raises UserError if an option is invalid."""
    chosen = {option.name: options.get(option.name, option.default) for option in _OPTIONS}
    wheel, levels = str(chosen[WHEEL]).upper(), int(chosen[LEVELS])
    if sorted(wheel) != sorted("ROYGBV"):
        raise UserError(f"{WHEEL}: expected the letters ROYGBV in any order, such as VBGYOR.")
    if levels % 2 == 0:
        raise UserError(f"{LEVELS}: expected an odd number, so that there is a middle level.")
    return Rules(
        mode=Mode(chosen[MODE]),
        types={
            letter: ship_type(letter, str(chosen[f"ships.{letter.lower()}"])) for letter in NAMES
        },
        wheel=wheel,
        board=Board(int(chosen[RADIUS]), levels // 2),
        slip_consumes_drive=bool(chosen[SLIP]),
        sensor_base=int(chosen[SENSOR_BASE]),
        ownership_public=chosen[OWNERSHIP] == "public",
        scrap_refund=int(chosen[SCRAP_REFUND]),
        weakest_first=chosen[DOCTRINE] == "weakest",
        turn_limit=int(chosen[TURN_LIMIT]),
        edge=Edge(chosen[EDGE]),
        factions=chosen[FACTION] == "usual",
        resign=Leaving(chosen[RESIGN]),
    )
