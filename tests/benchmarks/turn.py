"""A turn with everything full, beside decoding and encoding the same state."""

from collections.abc import Mapping, Sequence
from typing import Any

from referee.rules.dice import Dice
from referee.rules.ruleset import Ruleset, Seat
from referee.store.database import codec
from tests.benchmarks.timing import Benchmark, report

_AIM = 5


def report_turn(
    name: str,
    rules: Ruleset[Any, Any],
    state: Any,
    sheets: Mapping[Seat, Sequence[Any]],
    dice: Dice,
) -> None:
    """Time how long the sheets of all seats take to be resolved, and write it down."""
    content, kind = codec.encode(state).content, type(state)
    report(
        Benchmark(
            name,
            lambda: rules.resolve(state, sheets, frozenset(), dice),
            "decode and encode the same state",
            lambda: codec.encode(codec.decode(content, kind)),
            aim=_AIM,
        )
    )
