"""``python -m tests.fuzz SECONDS [TARGET ...]``: every target in turn for that time."""

import logging
import random
import sys
import time

from hypothesis import HealthCheck, given, seed, settings

from tests.fuzz.targets import Target, targets

A_ROUND = 50


def fuzz(target: Target, until: float) -> int:
    """Fuzz a target until a moment; return the number of inputs. Raises at an error."""
    rounds = 0
    calm = settings(
        max_examples=A_ROUND,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        print_blob=True,
    )
    while rounds == 0 or time.monotonic() < until:
        seed(random.getrandbits(64))(calm(given(target.inputs)(target.read)))()
        rounds += 1
    return rounds * A_ROUND


def main(seconds: float, *names: str) -> None:
    """Fuzz each target for its share of the time, and print its number of inputs."""
    logging.disable(logging.CRITICAL)
    chosen = {name: each for name, each in targets().items() if not names or name in names}
    end = time.monotonic() + seconds
    for left, (name, target) in zip(range(len(chosen), 0, -1), chosen.items(), strict=True):
        now = time.monotonic()
        number = fuzz(target, now + max(end - now, 0) / left)
        sys.stdout.write(f"{name}: {number} inputs\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(float(sys.argv[1]), *sys.argv[2:])
