"""A turn with full order sheets, compared with decoding and encoding the state."""

from collections.abc import Mapping, Sequence
from typing import Any

from referee.rules.dice import Dice
from referee.rules.ruleset import Ruleset, Seat
from referee.store.database import codec
from tests.benchmarks.timing import Benchmark, report


def report_turn(
    name: str,
    rules: Ruleset[Any, Any],
    state: Any,
    sheets: Mapping[Seat, Sequence[Any]],
    dice: Dice,
    aim: float,
) -> None:
    """Measure and print how long the sheets of all seats take to be resolved.

    *aim* is the highest accepted ratio to decoding and encoding the state.
    """
    content, kind = codec.encode(state).content, type(state)
    report(
        Benchmark(
            name,
            lambda: rules.resolve(state, sheets, frozenset(), dice),
            "decode and encode the same state",
            lambda: codec.encode(codec.decode(content, kind)),
            aim=aim,
            parts={
                "to decode": lambda: codec.decode(content, kind),
                "to encode": lambda: codec.encode(state),
            },
        )
    )
