"""The levels of trust in a letter, and the signed tokens that prove a reply."""

import base64
import hashlib
import hmac
import re
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import Final

_SHAPE = re.compile(
    r"^([scraodg])([0-9]{1,12})-([0-9]{1,6})(?:t([0-9]{1,6}))?-([a-z0-9]{1,40})-([a-z2-7]{20})$"
)

_ANYWHERE = re.compile(
    r"(?=([scraodg][0-9]{1,12}-[0-9]{1,6}(?:t[0-9]{1,6})?-[a-z0-9]{1,40}-[a-z2-7]{20}))"
)

TURNS_VALID: Final = 2
"""A seat's token expires so many turns after the turn in which it was written."""

_CONSONANTS = "bcdfghjkmnpqrstvwxz"
_SEAL = 8


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


@dataclass(frozen=True, slots=True)
class SeatToken:
    """A token that authorises a seat during its epoch; *letter* names our letter that carried it.

    *letter* consists of lower-case letters and digits. *turn* is the game's turn when the letter
    was written, 0 before the first.
    """

    seat: int
    epoch: int
    letter: str
    turn: int = 0

    def is_valid_in(self, turn: int) -> bool:
        """Return whether the token is still valid in a turn of its game."""
        return turn < self.turn + TURNS_VALID


@dataclass(frozen=True, slots=True)
class DeputyToken:
    """A token that names a deputy by number during the epoch of the seat.

    It does not authorise the seat: the deputy's row says what the deputy can do, and until when.
    *letter* is as in a seat token.
    """

    deputy: int
    epoch: int
    letter: str


@dataclass(frozen=True, slots=True)
class ConfirmationToken:
    """A token that confirms one pending letter, by its number in the inbox."""

    held: int


@dataclass(frozen=True, slots=True)
class ReturnToken:
    """A token that says whose letter bounces, by the person's id; it authorises nothing.

    *letter* consists of lower-case letters and digits.
    """

    person: int
    letter: str


class Side(IntEnum):
    """Which of the two addresses is asked about a change of address."""

    OLD = 1
    """The present address, at which the person confirms the wish."""
    NEW = 2
    """The new address, at which the person shows that it is theirs."""


@dataclass(frozen=True, slots=True)
class AddressToken:
    """A token that confirms one side of an address change, by number; it authorises no seat."""

    change: int
    side: Side


@dataclass(frozen=True, slots=True)
class OfferToken:
    """A token that answers the offer of a seat, by number, for the person it was offered to.

    *moves* is the number of that person's address changes so far. The next change makes it invalid.
    """

    offer: int
    moves: int


@dataclass(frozen=True, slots=True)
class GmToken:
    """A token in letters to a GM about their game, by the person's id.

    It proves a letter from that person's own address. *moves* is the number of the person's address
    changes so far; the next change makes it invalid. *letter* is as in a seat token.
    """

    person: int
    moves: int
    letter: str


Token = (
    SeatToken | DeputyToken | ConfirmationToken | ReturnToken | AddressToken | OfferToken | GmToken
)


def sign(token: Token, key: bytes) -> str:
    """Return the token as text for an address or a Message-ID, signed with *key*."""
    claim = _claim(token)
    return f"{claim}-{_signature(claim, key)}"


def verify(text: str, key: bytes) -> Token | None:
    """Return the token that *text* is, or None if it was not signed with *key*."""
    match = _SHAPE.match(text.lower())
    if match is None:
        return None
    kind, number, epoch, turn, letter, signature = match.groups()
    claim = f"{kind}{number}-{epoch}{f't{turn}' if turn else ''}-{letter}"
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
    if kind == "g":
        return GmToken(int(number), int(epoch), letter)
    if kind == "d":
        return DeputyToken(int(number), int(epoch), letter)
    return SeatToken(int(number), int(epoch), letter, int(turn or 0))


def named_by(text: str) -> str:
    """Return the seat or deputy that a token names, such as s12, or "".

    The signature is not checked.
    """
    match = _SHAPE.match(text.lower())
    return match[1] + match[2] if match is not None and match[1] in "sd" else ""


def shows_token(text: str, key: bytes) -> bool:
    """Return whether *text* contains a token of ours, even broken over lines or quoted."""
    bare = "".join(c for c in text.lower() if c.isascii() and (c.isalnum() or c == "-"))
    return any(
        verify(bare[found.start(1) : found.end(1)], key) is not None
        for found in _ANYWHERE.finditer(bare)
    )


def seal(message_id: str, key: bytes) -> str:
    """Return the seal of the order sheet in the letter of ours with this Message-ID.

    The Message-ID is that of one letter about one turn to one seat. The seal shows only which
    letter a quoted sheet is from; it authorises nothing. It has no vowels, so it makes no words.
    """
    digest = hmac.digest(key, b"referee sheet " + message_id.strip("<>").encode(), hashlib.sha256)
    return "".join(_CONSONANTS[octet % len(_CONSONANTS)] for octet in digest[:_SEAL])


def hash_code(code: str, salt: bytes) -> bytes:
    """Return the hash of a security code; case and blanks do not matter."""
    folded = "".join(code.split()).upper()
    return hashlib.scrypt(folded.encode(), salt=salt, n=2**12, r=8, p=1, dklen=32)


def code_fits(code: str, salt: bytes, kept: bytes) -> bool:
    """Return whether *code* matches the stored hash, in constant time."""
    return hmac.compare_digest(hash_code(code, salt), kept)


def _claim(token: Token) -> str:
    if isinstance(token, ConfirmationToken):
        return f"c{token.held}-0-held"
    if isinstance(token, AddressToken):
        return f"a{token.change}-{token.side.value}-address"
    if isinstance(token, OfferToken):
        return f"o{token.offer}-{token.moves}-seat"
    if isinstance(token, GmToken):
        return f"g{token.person}-{token.moves}-{token.letter}"
    if isinstance(token, ReturnToken):
        return f"r{token.person}-0-{token.letter}"
    if isinstance(token, DeputyToken):
        return f"d{token.deputy}-{token.epoch}-{token.letter}"
    return f"s{token.seat}-{token.epoch}t{token.turn}-{token.letter}"


# A letter carries its token in several places, and so does the answer to it.
@lru_cache(maxsize=64)
def _signature(claim: str, key: bytes) -> str:
    digest = hmac.digest(key, b"referee token " + claim.encode(), hashlib.sha256)
    # Fifteen bytes fill the base32 letters exactly, without padding.
    return base64.b32encode(digest[:15])[:20].decode().lower()
