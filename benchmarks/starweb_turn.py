"""A turn of StarWeb with everything full, beside decoding and encoding the same state."""

from benchmarks.galaxy import DICE, ORDERS, SEATS, WORLD_COUNT, galaxy, sheets
from benchmarks.timing import Benchmark, report
from referee.rulesets.starweb import RULESET
from referee.rulesets.starweb.state import State
from referee.store import codec


def main() -> None:
    """Time it."""
    state = galaxy()
    orders = sheets(state)
    content = codec.encode(state).content
    report(
        Benchmark(
            f"StarWeb turn: {WORLD_COUNT} worlds, {SEATS} seats, {ORDERS} orders each",
            lambda: RULESET.resolve(state, orders, frozenset(), DICE),
            "decode and encode the same state",
            lambda: codec.encode(codec.decode(content, State)),
            aim=5,
        )
    )


if __name__ == "__main__":
    main()
