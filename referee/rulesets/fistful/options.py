"""The options and seats of A Fistful of Planets before a game begins."""

from collections.abc import Mapping
from typing import Final

from referee.rules.ruleset import NameRule, Option, RulesetInfo, UserError
from referee.rulesets.fistful.state import HomePick, Rules

FOG: Final = "fog"
DREADNOUGHT_COST: Final = "D.cost"
DREADNOUGHT_RANGE: Final = "D.range"
GROW_AT_1: Final = "grow_at_1"
BESIEGED_PRODUCES: Final = "besieged_produces"
CAPTURE_SIZE_LOSS: Final = "capture_size_loss"
TRANSPORTS_CAPTURE: Final = "transports_capture"
HOME_PICK: Final = "home_pick"
TURN_LIMIT: Final = "turn_limit"
COLOURS: Final = "colours"

_USUAL: Final = Rules()

INFO: Final = RulesetInfo(
    key="fistful",
    prefix="FP",
    title="A Fistful of Planets",
    edition="1",
    schema=1,
    fewest_seats=2,
    most_seats=2,
    options=(
        Option(
            FOG,
            bool,
            _USUAL.fog,
            "Whether you see only the places of enemy fleets and colonies, unless scouts look.",
        ),
        Option(
            DREADNOUGHT_COST,
            int,
            _USUAL.dreadnought_cost,
            "The cost of a dreadnought.",
            lowest=1,
            highest=10,
        ),
        Option(
            DREADNOUGHT_RANGE,
            int,
            _USUAL.dreadnought_range,
            "The number of hexes a dreadnought goes in a turn.",
            lowest=1,
            highest=10,
        ),
        Option(GROW_AT_1, bool, _USUAL.grow_at_1, "Whether a colony of size 1 can grow."),
        Option(
            BESIEGED_PRODUCES,
            bool,
            _USUAL.besieged_produces,
            "Whether a besieged colony still produces.",
        ),
        Option(
            CAPTURE_SIZE_LOSS,
            int,
            _USUAL.capture_size_loss,
            "The size a colony loses when it is captured; it keeps at least size 1.",
            highest=4,
        ),
        Option(
            TRANSPORTS_CAPTURE,
            bool,
            _USUAL.transports_capture,
            "Whether transports without warships can capture a colony.",
        ),
        Option(
            HOME_PICK,
            str,
            _USUAL.home_pick.value,
            "Whether homeworlds are chosen one after the other (open), or both at once (sealed).",
            choices=tuple(each.value for each in HomePick),
        ),
        Option(
            TURN_LIMIT,
            int,
            _USUAL.turn_limit,
            "The turn after which the larger colonies win; choosing homeworlds does not count.",
            lowest=1,
            highest=999,
        ),
        Option(
            COLOURS,
            str,
            ",".join(_USUAL.colours),
            "The colours of stars of capacity 1 to 5, separated by commas.",
        ),
    ),
    choices=(),
    names=NameRule(
        "[A-Z]{1,12}",
        "1 to 12 letters, without digits and blanks",
        frozenset({"ALL", "ANONYMOUS", "GM"}),
        ("ALMA", "BRUNO", "CLARA", "DARIO"),
    ),
    phases=("homes", "orders"),
)


def rules_of(options: Mapping[str, int | str | bool]) -> Rules:
    """Return the GM's options as rules. Raises UserError unless there are five colours."""
    chosen = {option.name: options.get(option.name, option.default) for option in INFO.options}
    colours = tuple(colour.strip() for colour in str(chosen[COLOURS]).split(","))
    if len(colours) != len(_USUAL.colours) or not all(colours):
        raise UserError(f"{COLOURS}: expected five, for example {','.join(_USUAL.colours)}.")
    return Rules(
        fog=bool(chosen[FOG]),
        dreadnought_cost=int(chosen[DREADNOUGHT_COST]),
        dreadnought_range=int(chosen[DREADNOUGHT_RANGE]),
        grow_at_1=bool(chosen[GROW_AT_1]),
        besieged_produces=bool(chosen[BESIEGED_PRODUCES]),
        capture_size_loss=int(chosen[CAPTURE_SIZE_LOSS]),
        transports_capture=bool(chosen[TRANSPORTS_CAPTURE]),
        home_pick=HomePick(chosen[HOME_PICK]),
        turn_limit=int(chosen[TURN_LIMIT]),
        colours=colours,
    )
