"""Seeded and keyed dice, the only source of chance in a game."""

import hashlib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, TypeVar

T = TypeVar("T")

_BLOCK = 64
"""The number of bytes that SHA-256 hashes at a time."""

SECRET: Final = 32
"""The number of random bytes in a seed."""
_OCTET: Final = 256
"""The number of values of an octet."""


class Dice:
    """A stream of draws that depends on the game's seed and on the purpose of the draws.

    A draw is HMAC-SHA256(secret, "path|path|...|n"), where n counts from 0 in each stream. So it
    depends neither on the sequence in which the rules ask for it nor on any player's text, and it
    is the same on every Python. Take one stream with ``at`` for each event: taking the same path
    twice gives the same draws.
    """

    def __init__(self, seed: bytes, path: tuple[str, ...] = ()) -> None:
        self._seed = seed
        self._path = path
        self._drawn = 0

    def at(self, *path: str | int) -> "Dice":
        """Return the stream for a step, a place, an event: ``dice.at("growth", 5)``."""
        return Dice(self._seed, self._path + tuple(str(part) for part in path))

    def below(self, sides: int) -> int:
        """Draw from 0 to sides - 1, all equally likely. Raises ValueError if there are no sides."""
        if sides < 1:
            raise ValueError(f"a die needs at least one side, not {sides}")
        # Rejection keeps all sides equally likely although 2**256 is not a multiple of sides.
        limit = (1 << 256) - (1 << 256) % sides
        while (number := self._next()) >= limit:
            pass
        return number % sides

    def chance(self, numerator: int, denominator: int) -> bool:
        """Return True with the probability numerator/denominator."""
        return self.below(denominator) < numerator

    def hits(self, tries: int, numerator: int, denominator: int) -> int:
        """Return how many of *tries* succeed, each with the probability numerator/denominator.

        Each octet of a digest is a try, unless the denominator is more than 256: a digest for each
        try took a fifth of the time of a turn of StarWeb.
        """
        if denominator > _OCTET:
            return sum(self.chance(numerator, denominator) for _ in range(tries))
        # As in below, rejection keeps all sides equally likely.
        limit = _OCTET - _OCTET % denominator
        hits = 0
        while tries:
            kept = [octet for octet in self._digest() if octet < limit][:tries]
            tries -= len(kept)
            hits += sum(octet % denominator < numerator for octet in kept)
        return hits

    def pick(self, items: Sequence[T]) -> T:
        """Draw one of the items. Raises ValueError if there are none."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return the items in random order (Fisher and Yates)."""
        rest = list(items)
        for last in range(len(rest) - 1, 0, -1):
            drawn = self.below(last + 1)
            rest[last], rest[drawn] = rest[drawn], rest[last]
        return rest

    def _next(self) -> int:
        return int.from_bytes(self._digest(), "big")

    def _digest(self) -> bytes:
        message = "|".join((*self._path, str(self._drawn))).encode()
        self._drawn += 1
        keyed = _keyed(self._seed)
        inner, outer = keyed[0].copy(), keyed[1].copy()
        inner.update(message)
        outer.update(inner.digest())
        digest: bytes = outer.digest()
        return digest


@lru_cache(maxsize=64)
def _keyed(secret: bytes) -> tuple[Any, Any]:
    """Return the two hashes of HMAC-SHA256 (RFC 2104) after they have hashed only the key.

    Thousands of draws of a turn begin with the same key. Copies of these hashes take less than half
    of the time of the standard library's HMAC.
    """
    key = hashlib.sha256(secret).digest() if len(secret) > _BLOCK else secret
    block = key.ljust(_BLOCK, b"\0")
    inner, outer = (bytes(octet ^ pad for octet in block) for pad in (0x36, 0x5C))
    return hashlib.sha256(inner), hashlib.sha256(outer)


class ScriptedDice(Dice):
    """Dice whose draws are scripted, for scenarios; other draws come from a seed.

    *script* maps a joined path to its draws: ``{"growth|5": [0, 3]}``.
    """

    def __init__(self, script: Mapping[str, Sequence[int]], path: tuple[str, ...] = ()) -> None:
        super().__init__(b"scripted", path)
        self._script = script
        self._left = list(script.get("|".join(path), ()))

    def at(self, *path: str | int) -> "Dice":
        """Return the scripted stream for a step, a place, an event."""
        return ScriptedDice(self._script, self._path + tuple(str(part) for part in path))

    def hits(self, tries: int, numerator: int, denominator: int) -> int:
        """Return how many of *tries* succeed, each with a scripted draw of its own."""
        return sum(self.chance(numerator, denominator) for _ in range(tries))

    def below(self, sides: int) -> int:
        """Return the next scripted draw. Raises ValueError if it does not fit the die."""
        if not self._left:
            return super().below(sides)
        drawn = self._left.pop(0)
        if not 0 <= drawn < sides:
            raise ValueError(
                f"the script draws {drawn} of 0 to {sides - 1} at {'|'.join(self._path)}"
            )
        return drawn
