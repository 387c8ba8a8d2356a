"""Dice: seeded and keyed, the only chance there is in a game."""

import hashlib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar

T = TypeVar("T")

_BLOCK = 64
"""Octets that SHA-256 takes at a time."""


class Dice:
    """A stream of draws that depends on the game's seed and on what the draws are for.

    A draw is HMAC-SHA256(seed, "path|path|...|n") with n counted from 0 in each stream, so it
    depends neither on the sequence in which the rules come to it nor on anybody's text, and is the
    same on every Python. Take one stream with ``at`` for each event: the same path taken twice
    gives the same draws.
    """

    def __init__(self, seed: bytes, path: tuple[str, ...] = ()) -> None:
        self._seed = seed
        self._path = path
        self._drawn = 0

    def at(self, *path: str | int) -> "Dice":
        """Return the stream for a step, a place, an event: ``dice.at("growth", 5)``."""
        return Dice(self._seed, self._path + tuple(str(part) for part in path))

    def below(self, sides: int) -> int:
        """Draw from 0 to sides - 1, all equally likely. Raises ValueError when there is no side."""
        if sides < 1:
            raise ValueError(f"a die needs at least one side, not {sides}")
        # Rejection keeps every side equally likely although 2**256 is no multiple of sides.
        limit = (1 << 256) - (1 << 256) % sides
        while (number := self._next()) >= limit:
            pass
        return number % sides

    def chance(self, numerator: int, denominator: int) -> bool:
        """Say yes with the probability numerator/denominator."""
        return self.below(denominator) < numerator

    def pick(self, items: Sequence[T]) -> T:
        """Draw one of the items. Raises ValueError when there are none."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return the items in random order (Fisher and Yates)."""
        rest = list(items)
        for last in range(len(rest) - 1, 0, -1):
            drawn = self.below(last + 1)
            rest[last], rest[drawn] = rest[drawn], rest[last]
        return rest

    def _next(self) -> int:
        message = "|".join((*self._path, str(self._drawn))).encode()
        self._drawn += 1
        keyed = _keyed(self._seed)
        inner, outer = keyed[0].copy(), keyed[1].copy()
        inner.update(message)
        outer.update(inner.digest())
        return int.from_bytes(outer.digest(), "big")


@lru_cache(maxsize=64)
def _keyed(seed: bytes) -> tuple[Any, Any]:
    """Return the two hashes of HMAC-SHA256 (RFC 2104) that have taken in the key, and nothing else.

    Thousands of draws of a turn begin with the same key; copies of these take less than half of
    the time that the standard library's HMAC takes from the beginning.
    """
    key = hashlib.sha256(seed).digest() if len(seed) > _BLOCK else seed
    block = key.ljust(_BLOCK, b"\0")
    inner, outer = (bytes(octet ^ pad for octet in block) for pad in (0x36, 0x5C))
    return hashlib.sha256(inner), hashlib.sha256(outer)


class ScriptedDice(Dice):
    """Dice whose draws are written down, for scenarios; what is not scripted is drawn from a seed.

    *script* has the draws by the joined path: ``{"growth|5": [0, 3]}``.
    """

    def __init__(self, script: Mapping[str, Sequence[int]], path: tuple[str, ...] = ()) -> None:
        super().__init__(b"scripted", path)
        self._script = script
        self._left = list(script.get("|".join(path), ()))

    def at(self, *path: str | int) -> "Dice":
        """Return the scripted stream for a step, a place, an event."""
        return ScriptedDice(self._script, self._path + tuple(str(part) for part in path))

    def below(self, sides: int) -> int:
        """Return the next scripted draw. Raises ValueError when it does not fit the die."""
        if not self._left:
            return super().below(sides)
        drawn = self._left.pop(0)
        if not 0 <= drawn < sides:
            raise ValueError(
                f"the script draws {drawn} of 0 to {sides - 1} at {'|'.join(self._path)}"
            )
        return drawn
