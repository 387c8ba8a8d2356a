"""A turn of StarWeb with everything full."""

from benchmarks.galaxy import DICE, ORDERS, SEATS, WORLD_COUNT, galaxy, sheets
from benchmarks.turn import report_turn
from referee.rulesets.starweb import RULESET


def main() -> None:
    """Time it."""
    state = galaxy()
    name = f"StarWeb turn: {WORLD_COUNT} worlds, {SEATS} seats, {ORDERS} orders each"
    report_turn(name, RULESET, state, sheets(state), DICE)


if __name__ == "__main__":
    main()
