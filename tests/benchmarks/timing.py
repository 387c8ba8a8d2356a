"""Timing of benchmarks: the best of several rounds, alternating with a baseline."""

import gc
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from time import perf_counter
from typing import Final

SMALLEST: Final = "BENCHMARKS_SMALLEST"
"""The environment variable with which each benchmark only runs, and its times say nothing."""


def size(full: int, smallest: int) -> int:
    """Return the number that a measurement needs, or that which a trial of the benchmark needs."""
    return smallest if SMALLEST in os.environ else full


_ROUNDS: Final = size(15, 1)
_LEAST: Final = 0.02
"""The minimum duration of a round, which repeats the work if necessary."""

Deed = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A function with its baseline, and the highest accepted ratio of their times."""

    name: str
    deed: Deed
    baseline_name: str
    baseline: Deed
    aim: float
    letters: int = 0
    """The number of letters in the work, to print letters per second."""
    parts: Mapping[str, Deed] = field(default_factory=dict)
    """The parts of the baseline by their names; their times are printed too."""


def report(benchmark: Benchmark) -> None:
    """Run a benchmark and print both times, their ratio and the goal."""
    times = _repetitions(benchmark.deed), _repetitions(benchmark.baseline)
    # Both alternate, so that a busy machine slows down both.
    rounds = [
        (_seconds(benchmark.deed, times[0]), _seconds(benchmark.baseline, times[1]))
        for _ in range(_ROUNDS)
    ]
    deed, baseline = (min(column) for column in zip(*rounds, strict=True))
    parts = {name: _best(part) for name, part in benchmark.parts.items()}
    sys.stdout.write(
        f"{benchmark.name}\n"
        f"  {1000 * deed:9.3f} ms{_rate(benchmark, deed)}\n"
        f"  {1000 * baseline:9.3f} ms{_rate(benchmark, baseline)}  {benchmark.baseline_name}\n"
        + "".join(f"  {1000 * each:9.3f} ms  {name}\n" for name, each in parts.items())
        + f"  {deed / baseline:9.2f}     ratio; the aim is at most {benchmark.aim:g}\n"
    )


def _rate(benchmark: Benchmark, seconds: float) -> str:
    return f"  {benchmark.letters / seconds:,.0f} letters a second" if benchmark.letters else ""


def _best(deed: Deed) -> float:
    times = _repetitions(deed)
    return min(_seconds(deed, times) for _ in range(_ROUNDS))


def _repetitions(deed: Deed) -> int:
    once = _seconds(deed, 1)
    return size(max(1, round(_LEAST / once)), 1)


def _seconds(deed: Deed, times: int) -> float:
    """Return the mean seconds of *deed*; garbage is collected before, not during it."""
    gc.collect()
    gc.disable()
    try:
        begun = perf_counter()
        for _ in range(times):
            deed()
        return (perf_counter() - begun) / times
    finally:
        gc.enable()
