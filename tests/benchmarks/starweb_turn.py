"""A turn of a full game of StarWeb."""

from referee.rulesets.starweb import RULESET
from tests.benchmarks.galaxy import DICE, ORDERS, SEATS, WORLD_COUNT, galaxy, sheets
from tests.benchmarks.turn import report_turn


def main() -> None:
    """Run the benchmark."""
    state = galaxy()
    name = f"StarWeb turn: {WORLD_COUNT} worlds, {SEATS} seats, {ORDERS} orders each"
    report_turn(name, RULESET, state, sheets(state), DICE, aim=1.5)


if __name__ == "__main__":
    main()
