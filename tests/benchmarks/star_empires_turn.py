"""A turn of a full game of Star Empires."""

from referee.rulesets.star_empires import RULESET
from tests.benchmarks.empires import DICE, EMPIRES, GALAXY_RADIUS, SHIPS, galaxy, sheets
from tests.benchmarks.turn import report_turn


def main() -> None:
    """Run the benchmark."""
    state = galaxy()
    name = f"Star Empires turn: {EMPIRES} empires, {SHIPS} ships, galaxy radius {GALAXY_RADIUS}"
    report_turn(name, RULESET, state, sheets(state), DICE, aim=1.8)


if __name__ == "__main__":
    main()
