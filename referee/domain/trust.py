"""How far a letter is believed, and the signed tokens that make a reply believable."""

import base64
import hashlib
import hmac
import re
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache

_SHAPE = re.compile(r"^([scraod])([0-9]{1,12})-([0-9]{1,6})-([a-z0-9]{1,40})-([a-z2-7]{20})$")

_ANYWHERE = re.compile(r"(?=([scraod][0-9]{1,12}-[0-9]{1,6}-[a-z0-9]{1,40}-[a-z2-7]{20}))")


class Trust(IntEnum):
    """How a letter is tied to its seat; more is believed more."""

    NONE = 0
    """Nothing but a claim: an address that is not the one of record."""
    ADDRESS = 1
    """From the address of record, which anybody can write on a letter."""
    CODE = 2
    """From the address of record, with the security code in the heading."""
    ALIGNED = 3
    """From the address of record, and signed by that address's domain."""
    TOKEN = 4
    """A reply to a letter of ours: it carries a token signed for that seat."""
    CONFIRMED = 5
    """The address of record answered our question about this very letter."""


@dataclass(frozen=True, slots=True)
class SeatToken:
    """Speaks for a seat while its epoch lasts; *letter* names the letter of ours that carried it.

    *letter* is lower-case letters and digits.
    """

    seat: int
    epoch: int
    letter: str


@dataclass(frozen=True, slots=True)
class DeputyToken:
    """Names a deputy, by his number, while his seat's epoch lasts; it is no seat's token.

    What it lets him do, and until when, stands with the deputy. *letter* is as of a seat's token.
    """

    deputy: int
    epoch: int
    letter: str


@dataclass(frozen=True, slots=True)
class ConfirmationToken:
    """Confirms one held letter, by its number in the inbox."""

    held: int


@dataclass(frozen=True, slots=True)
class ReturnToken:
    """Says whose letter comes back, by the person's id; it speaks for nobody.

    *letter* is lower-case letters and digits.
    """

    person: int
    letter: str


class Side(IntEnum):
    """Which of two addresses is asked about a change from one to the other."""

    OLD = 1
    """The one he has, where he says that he wishes it."""
    NEW = 2
    """The one he would have, where he shows that it is his."""


@dataclass(frozen=True, slots=True)
class AddressToken:
    """Confirms one side of a change of address, by its number; it speaks for nobody."""

    change: int
    side: Side


@dataclass(frozen=True, slots=True)
class OfferToken:
    """Answers the offer of a seat, by its number, and speaks for whom the seat was offered.

    *moves* counts his changes of address until then: after the next one it is dead.
    """

    offer: int
    moves: int


Token = SeatToken | DeputyToken | ConfirmationToken | ReturnToken | AddressToken | OfferToken


def sign(token: Token, key: bytes) -> str:
    """Return the token as text for an address or a Message-ID, signed with *key*."""
    claim = _claim(token)
    return f"{claim}-{_signature(claim, key)}"


def verify(text: str, key: bytes) -> Token | None:
    """Return the token that *text* is, or None unless it was signed with *key*."""
    match = _SHAPE.match(text.lower())
    if match is None:
        return None
    kind, number, epoch, letter, signature = match.groups()
    claim = f"{kind}{number}-{epoch}-{letter}"
    if not hmac.compare_digest(signature, _signature(claim, key)):
        return None
    if kind == "c":
        return ConfirmationToken(int(number))
    if kind == "a":
        return AddressToken(int(number), Side(int(epoch)))
    if kind == "o":
        return OfferToken(int(number), int(epoch))
    if kind == "r":
        return ReturnToken(int(number), letter)
    if kind == "d":
        return DeputyToken(int(number), int(epoch), letter)
    return SeatToken(int(number), int(epoch), letter)


def shows_token(text: str, key: bytes) -> bool:
    """Return whether a token of ours stands anywhere in *text*, even broken over lines or
    marked."""
    bare = "".join(c for c in text.lower() if c.isascii() and (c.isalnum() or c == "-"))
    return any(
        verify(bare[found.start(1) : found.end(1)], key) is not None
        for found in _ANYWHERE.finditer(bare)
    )


def hash_code(code: str, salt: bytes) -> bytes:
    """Return what is kept of a security code; case and blanks do not matter."""
    folded = "".join(code.split()).upper()
    return hashlib.scrypt(folded.encode(), salt=salt, n=2**12, r=8, p=1, dklen=32)


def code_fits(code: str, salt: bytes, kept: bytes) -> bool:
    """Return whether *code* is the one that was kept, in constant time."""
    return hmac.compare_digest(hash_code(code, salt), kept)


def _claim(token: Token) -> str:
    if isinstance(token, ConfirmationToken):
        return f"c{token.held}-0-held"
    if isinstance(token, AddressToken):
        return f"a{token.change}-{token.side.value}-address"
    if isinstance(token, OfferToken):
        return f"o{token.offer}-{token.moves}-seat"
    if isinstance(token, ReturnToken):
        return f"r{token.person}-0-{token.letter}"
    if isinstance(token, DeputyToken):
        return f"d{token.deputy}-{token.epoch}-{token.letter}"
    return f"s{token.seat}-{token.epoch}-{token.letter}"


# A letter bears its token in several places, and so does the answer to it.
@lru_cache(maxsize=64)
def _signature(claim: str, key: bytes) -> str:
    digest = hmac.digest(key, b"referee token " + claim.encode(), hashlib.sha256)
    # Fifteen octets make the letters without any that only fill up.
    return base64.b32encode(digest[:15])[:20].decode().lower()
