"""How much of a test that knows many cases is tried: all of it, or a share with ``make test``."""

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
