"""A turn of Star Empires with everything full, beside decoding and encoding the same state."""

from benchmarks.empires import DICE, EMPIRES, GALAXY_RADIUS, SHIPS, galaxy, sheets
from benchmarks.timing import Benchmark, report
from referee.rulesets.star_empires import RULESET
from referee.rulesets.star_empires.state import State
from referee.store import codec


def main() -> None:
    """Time it."""
    state = galaxy()
    orders = sheets(state)
    content = codec.encode(state).content
    report(
        Benchmark(
            f"Star Empires turn: {EMPIRES} empires, {SHIPS} ships, galaxy radius {GALAXY_RADIUS}",
            lambda: RULESET.resolve(state, orders, frozenset(), DICE),
            "decode and encode the same state",
            lambda: codec.encode(codec.decode(content, State)),
            aim=5,
        )
    )


if __name__ == "__main__":
    main()
