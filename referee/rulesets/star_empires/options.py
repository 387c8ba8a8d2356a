"""The options and seats of Star Empires before a game begins."""

from typing import Final

from referee.rules.ruleset import NameRule, Option, RulesetInfo
from referee.rulesets.star_empires.hulls import Table
from referee.rulesets.star_empires.names import EMPIRES

HULLS: Final = "hulls"
DEVICES: Final = "devices"
ALLIANCE_SIZE: Final = "alliance_size"
RADIUS: Final = "radius"
WORLD_DENSITY: Final = "world_density"
WORMNETS: Final = "wormnets"
WORMNET_PORTALS: Final = "wormnet_portals"
STORM_DENSITY: Final = "storm_density"
NEBULA_DENSITY: Final = "nebula_density"
STORM_INTENSITY: Final = "storm_intensity"
LOCAL_FRAMES: Final = "local_frames"
ABANDONED: Final = "abandoned"
NEVER: Final = "never"

FEWEST_EMPIRES, MOST_EMPIRES = 2, 8


def _number(name: str, default: int, sentence: str, lowest: int, highest: int) -> Option:
    return Option(name, int, default, sentence, lowest=lowest, highest=highest)


INFO: Final = RulesetInfo(
    key="star_empires",
    prefix="SE",
    title="Star Empires",
    edition="1",
    schema=1,
    fewest_seats=FEWEST_EMPIRES,
    most_seats=MOST_EMPIRES,
    options=(
        _number(
            RADIUS, 5, "The distance from the centre of the galaxy to its rim, in sectors.", 2, 10
        ),
        Option(
            HULLS,
            str,
            Table.RULES.value,
            "The hull data: those printed in the rules, or those of the old server.",
            choices=tuple(table.value for table in Table),
        ),
        Option(DEVICES, bool, False, "Whether portal hammers and ion shields can be built."),
        _number(ALLIANCE_SIZE, 1, "The most empires that can win together as allies.", 1, 7),
        Option(
            ABANDONED,
            str,
            "3",
            "After so many missed turns in a row an empire is abandoned: it fires at strangers, "
            "spends its RU and brings its ships home. Before that it only waits.",
            choices=(NEVER, *map(str, range(1, 10))),
        ),
        _number(WORLD_DENSITY, 5, "The number of worlds per hundred sectors.", 1, 10),
        _number(WORMNETS, 1, "The number of wormnets.", 0, 3),
        _number(
            WORMNET_PORTALS, 3, "A wormnet has fewer portals than this, but at least two.", 2, 5
        ),
        _number(STORM_DENSITY, 5, "The number of ion storms per hundred sectors.", 1, 10),
        _number(NEBULA_DENSITY, 5, "The number of nebulae per hundred sectors.", 1, 10),
        _number(STORM_INTENSITY, 5, "The greatest strength of an ion storm.", 0, 10),
        Option(
            LOCAL_FRAMES,
            bool,
            True,
            "Whether every empire has its own coordinates, turned and mirrored.",
        ),
    ),
    choices=(),
    names=NameRule(
        "[A-Z0-9_]{1,20}",
        "1 to 20 letters, digits and _, without blanks",
        frozenset({"ALL", "ANONYMOUS", "GM", "TO", "FROM", "AT", "EXCEPT"}),
        tuple(name.upper() for name in EMPIRES),
    ),
)
