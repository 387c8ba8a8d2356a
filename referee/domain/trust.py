"""The levels of trust in a letter, and the security codes of people."""

import hashlib
import hmac
from enum import IntEnum


class Trust(IntEnum):
    """How a letter is tied to its seat; a higher level is trusted more."""

    NONE = 0
    """Only a claim: the letter is not from the primary address."""
    ADDRESS = 1
    """From the primary address, which anyone can forge."""
    CODE = 2
    """From the primary address, with the security code in the heading."""
    ALIGNED = 3
    """From the primary address, and signed by the domain of that address."""
    TOKEN = 4
    """A reply to a letter of ours, with a token signed for that seat."""
    CONFIRMED = 5
    """The primary address confirmed this very letter."""


def hash_code(code: str, salt: bytes) -> bytes:
    """Return the hash of a security code; case and blanks do not matter."""
    folded = "".join(code.split()).upper()
    return hashlib.scrypt(folded.encode(), salt=salt, n=2**12, r=8, p=1, dklen=32)


def code_fits(code: str, salt: bytes, kept: bytes) -> bool:
    """Return whether *code* matches the stored hash, in constant time."""
    return hmac.compare_digest(hash_code(code, salt), kept)
