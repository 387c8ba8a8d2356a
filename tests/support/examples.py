"""The number of examples: all of them, or a share with ``make test`` and in CI."""

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import HealthCheck, settings


def examples(number: int, *, unchecked: bool = False) -> settings:
    """Return the settings of a property with this number of examples, or a share of them.

    An *unchecked* one can filter and be slow.
    """
    suppressed = tuple(HealthCheck) if unchecked else ()
    return settings(max_examples=share(number), suppress_health_check=suppressed)


def share(number: int) -> int:
    """Return the share of *number* for this run, by the Hypothesis profile."""
    return max(1, number * settings().max_examples // 100)


def is_few() -> bool:
    """Return whether this run tries only a share."""
    return share(100) < 100


def mostly_slow(cases: Iterable[Any], every: int = 5) -> list[Any]:
    """Return the cases as parameters of a test that is slow for all but one in *every*."""
    return [
        pytest.param(*case, marks=[pytest.mark.slow] if place % every else [])
        for place, case in enumerate(each if isinstance(each, tuple) else (each,) for each in cases)
    ]
