"""How much of a test that knows many cases is tried: all of it, or a share with ``make test``."""

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import HealthCheck, settings


def examples(number: int, *, unchecked: bool = False) -> settings:
    """Return the settings of a property that is tried with so many examples, or a share of them.

    An *unchecked* one may filter, and take its time, as it likes.
    """
    suppressed = tuple(HealthCheck) if unchecked else ()
    return settings(max_examples=share(number), suppress_health_check=suppressed)


def share(number: int) -> int:
    """Return how many of so many cases this run tries; the profile of Hypothesis says it."""
    return max(1, number * settings().max_examples // 100)


def is_few() -> bool:
    """Return whether this run tries only a share of what it could."""
    return share(100) < 100


def mostly_slow(cases: Iterable[str], every: int = 5) -> list[Any]:
    """Return the cases as parameters of a test that is slow for all but each fifth of them."""
    return [
        pytest.param(case, marks=[pytest.mark.slow] if place % every else [])
        for place, case in enumerate(cases)
    ]
