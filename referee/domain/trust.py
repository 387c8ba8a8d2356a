"""The levels of trust in a letter, and the signed tokens that prove a reply."""

import base64
import hashlib
import hmac
import re
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from functools import lru_cache
from typing import Final

_FORM: Final = "([scraodg])-([a-z2-7]{48})"
_SHAPE: Final = re.compile(_FORM)
_ANYWHERE: Final = re.compile(f"(?=({_FORM}))")
_SHOWN: Final = re.compile(f"(?<![a-z0-9]){_FORM}(?![a-z0-9])", re.IGNORECASE)

TURNS_VALID: Final = 2
"""A seat's token expires so many turns after the turn in which it was written."""

_TAG = 12
_WIDTHS = (5, 3, 3)
"""The octets of the three numbers in a token."""
_LETTER = 7
"""The octets that name its letter."""

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
    """A token that authorises a seat during its epoch; *letter* names our letter that carries it.

    *letter* makes the token differ from those of other letters, and cannot be read from it. *turn*
    is the game's turn when the letter was written, 0 before the first.
    """

    seat: int
    epoch: int
    letter: str = field(compare=False)
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
    letter: str = field(compare=False)


@dataclass(frozen=True, slots=True)
class ConfirmationToken:
    """A token that confirms one pending letter, by its number in the inbox."""

    held: int


@dataclass(frozen=True, slots=True)
class ReturnToken:
    """A token that says whose letter bounces, by the person's id; it authorises nothing.

    *letter* is as in a seat token.
    """

    person: int
    letter: str = field(compare=False)


class Side(IntEnum):
    """The address that is asked about a change: the old or the new one."""

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
    letter: str = field(compare=False)


Token = (
    SeatToken | DeputyToken | ConfirmationToken | ReturnToken | AddressToken | OfferToken | GmToken
)


def sign(token: Token, key: bytes) -> str:
    """Return the token as text for an address, signed and sealed with *key*.

    Nobody else can read its numbers, which count what others do. The same token of the same letter
    always gives the same text.
    """
    return _sealed(*_claim(token), key)


def verify(text: str, key: bytes) -> Token | None:
    """Return the token that *text* is, or None if it was not signed with *key*."""
    return _read(Purpose.TOKEN, text, key)


def message_name(token: SeatToken | DeputyToken, key: bytes) -> str:
    """Return the Message-ID, without its domain, of the letter of ours that carries the token.

    A Message-ID is in every reply and often in a forwarded email, so it authorises nothing: it only
    shows which letter is meant.
    """
    return named_after(sign(token, key), key)


def named_after(token: str, key: bytes) -> str:
    """Return the Message-ID, without its domain, of the letter that carries the signed *token*.

    Nobody without *key* can compute the token from it. It is "" if the token is not ours.
    """
    said = _said(Purpose.TOKEN, token, key)
    return _text(Purpose.MESSAGE, *said, key) if said is not None else ""


def named_in(text: str, key: bytes) -> SeatToken | DeputyToken | None:
    """Return the token of the letter of ours with the Message-ID *text*, or None."""
    found = _read(Purpose.MESSAGE, text, key)
    return found if isinstance(found, SeatToken | DeputyToken) else None


def name_of(token: Token) -> str:
    """Return a name for what the token is about, such as s12 for a seat."""
    kind, number, *_ = _claim(token)
    return f"{kind}{number}"


def shows_token(text: str, key: bytes) -> bool:
    """Return whether *text* contains a token of ours, even broken over lines or quoted."""
    bare = "".join(c for c in text.lower() if c.isascii() and (c.isalnum() or c == "-"))
    return any(
        verify(bare[found.start(1) : found.end(1)], key) is not None
        for found in _ANYWHERE.finditer(bare)
    )


def without_tokens(text: str) -> str:
    """Return *text* with "(token)" in place of all that has the form of a token."""
    return _SHOWN.sub("(token)", text)


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


def _claim(token: Token) -> tuple[str, int, int, int, str]:
    """Return the content of a token: its kind, three numbers, and the name of its letter."""
    match token:
        case SeatToken(seat, epoch, letter, turn):
            return "s", seat, epoch, turn, letter
        case DeputyToken(deputy, epoch, letter):
            return "d", deputy, epoch, 0, letter
        case GmToken(person, moves, letter):
            return "g", person, moves, 0, letter
        case ReturnToken(person, letter):
            return "r", person, 0, 0, letter
        case AddressToken(change, side):
            return "a", change, side.value, 0, ""
        case OfferToken(offer, moves):
            return "o", offer, moves, 0, ""
        case ConfirmationToken(held):
            return "c", held, 0, 0, ""


def _token(kind: str, number: int, epoch: int, turn: int) -> Token:
    """Return the token that says this: the inverse of ``_claim``, but for the letter's name."""
    match kind:
        case "s":
            return SeatToken(number, epoch, "", turn)
        case "d":
            return DeputyToken(number, epoch, "")
        case "g":
            return GmToken(number, epoch, "")
        case "r":
            return ReturnToken(number, "")
        case "a":
            return AddressToken(number, Side(epoch))
        case "o":
            return OfferToken(number, epoch)
        case _:
            return ConfirmationToken(number)


class Purpose(Enum):
    """The purpose of a sealed text: one for another purpose never verifies."""

    TOKEN = b"referee seal "
    MESSAGE = b"referee message "


# A letter carries its token in several places, and so does the answer to it.
@lru_cache(maxsize=64)
def _sealed(kind: str, number: int, epoch: int, turn: int, letter: str, key: bytes) -> str:
    numbers = zip((number, epoch, turn), _WIDTHS, strict=True)
    said = b"".join(each.to_bytes(width) for each, width in numbers)
    said += hmac.digest(key, b"referee letter " + letter.encode(), hashlib.sha256)[:_LETTER]
    return _text(Purpose.TOKEN, kind, said, key)


def _text(purpose: Purpose, kind: str, said: bytes, key: bytes) -> str:
    """Return a token as text: a tag over its content, and this content under the tag's own mask."""
    tag = _tag(purpose, kind, said, key)
    return f"{kind}-{base64.b32encode(tag + _masked(tag, said, key)).decode().lower()}"


def _said(purpose: Purpose, text: str, key: bytes) -> tuple[str, bytes] | None:
    """Return the kind of a sealed text for a purpose, and its content, or None if not ours."""
    if (match := _SHAPE.fullmatch(text.lower())) is None:
        return None
    kind, octets = match[1], base64.b32decode(match[2].upper())
    tag = octets[:_TAG]
    said = _masked(tag, octets[_TAG:], key)
    return (kind, said) if hmac.compare_digest(tag, _tag(purpose, kind, said, key)) else None


def _read(purpose: Purpose, text: str, key: bytes) -> Token | None:
    """Return the token that a sealed text for a purpose says, or None if it is not ours."""
    if (found := _said(purpose, text, key)) is None:
        return None
    kind, said = found
    number, epoch, turn = (int.from_bytes(part) for part in (said[:5], said[5:8], said[8:11]))
    return _token(kind, number, epoch, turn)


def _tag(purpose: Purpose, kind: str, said: bytes, key: bytes) -> bytes:
    return hmac.digest(key, purpose.value + kind.encode() + said, hashlib.sha256)[:_TAG]


def _masked(tag: bytes, octets: bytes, key: bytes) -> bytes:
    """Return the octets under the mask of a tag, or without it: the same twice changes nothing."""
    mask = hmac.digest(key, b"referee mask " + tag, hashlib.sha256)
    length = len(octets)
    return (int.from_bytes(octets) ^ int.from_bytes(mask[:length])).to_bytes(length)
