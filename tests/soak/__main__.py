"""``python -m tests.soak WEEKS [SEED [GAMES]]``: a soak test, its failures, and its errors."""

import logging
import secrets
import sys
import tempfile
import time
from pathlib import Path

from tests.soak.soaking import Soaked, soak


def main(weeks: float, seed: int, games: int) -> int:
    """Print the result; return 1 if there are errors."""
    logging.disable(logging.CRITICAL)
    _say(f"{weeks:g} weeks of {games} games, seed {seed}")
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        soaked = soak(Path(folder), days=round(weeks * 7), games=games, seed=seed)
    _tell(soaked)
    _say(f"{time.monotonic() - begun:.0f} seconds")
    return int(bool(soaked.faults))


def _tell(soaked: Soaked) -> None:
    for what, count in sorted(soaked.troubles.items()):
        _say(f"{count:6} times {what}")
    _say(f"{soaked.turns:6} turns resolved")
    _say(f"{soaked.letters_in:6} letters came in, {soaked.letters_out} went out")
    _say(f"{soaked.starts:6} starts of the referee")
    _say(f"{soaked.copies:6} letters went again, because nobody could know")
    half, end = soaked.memory
    _say(f"{half.octets / 2**20:6.1f} MB and {half.values} values alive at half time")
    _say(f"{end.octets / 2**20:6.1f} MB and {end.values} values alive at the end")
    _say("\n".join(soaked.faults) or "every invariant holds")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    given = dict(enumerate(sys.argv[1:]))
    own = secrets.randbelow(10**6)
    sys.exit(main(float(given.get(0, 4)), int(given.get(1, own)), int(given.get(2, 20))))
