"""The register of tokens: the right of each kind, its life, and its places in our letters."""

import base64
import hashlib
import hmac
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, Flag, IntEnum, auto
from functools import lru_cache
from io import BytesIO
from typing import Final


class Kind(Enum):
    """The kinds of tokens, by the letter with which they begin, with the numbers of each."""

    SEAT = "s"
    """The seat, its epoch, and the turn of the game, 0 before the first."""
    DEPUTY = "d"
    """The deputyship, and the epoch of the seat; its row says until when it lasts."""
    GM = "g"
    """The person, the number of their address changes, and the second in which it was written.

    A person can be GM of several games, so the game of a reply says how many turns have passed."""
    QUESTION = "c"
    """The pending letter, by its number in the inbox."""
    ADDRESS = "a"
    """The address change, and the side of it that is asked."""
    OFFER = "o"
    """The offer of a seat, and the number of address changes of the person who has it."""
    INVITATION = "i"
    """The admission to a game, and the number of address changes of the person, 0 if unknown."""
    RETURN = "r"
    """The person whose letter bounces."""


class Right(Enum):
    """The right of a letter that was sent to a token."""

    SEAT = auto()
    """From an address of the owner, the letter is proven, and for this seat alone."""
    ENTER = auto()
    """From the address invited, the letter is proven to be from there, and can join the game."""
    GAMES = auto()
    """From the address of the GM, the letter is proven in each of their games."""
    ANSWER = auto()
    """From an address of the person asked, the letter answers the question of the token."""
    BOUNCE = auto()
    """The letter says whose letter of ours bounces, and nothing else."""


class Place(Flag):
    """The places of our letters in which a token can be written."""

    REPLY_TO = auto()
    """The reply address, so To and Cc of the replies."""
    RETURN_PATH = auto()
    """The envelope sender."""
    MESSAGE_ID = auto()
    """The Message-ID, as a name."""
    FILE = auto()
    """The address to which a file of the letter has orders sent, as a name."""
    NAMES = MESSAGE_ID | FILE
    """Others read what is written here, so it is a name: it only shows which letter is meant."""


@dataclass(frozen=True, slots=True)
class TokenRule:
    """A row of the register.

    *widths* are the octets of the numbers. A token with *turns* expires so many turns after that in
    which it was written; any other one when the row in the store that it names says so.
    """

    right: Right
    places: Place
    turns: int | None = None
    widths: tuple[int, int, int] = (4, 3, 3)


TOKENS: Final[Mapping[Kind, TokenRule]] = {
    Kind.SEAT: TokenRule(Right.SEAT, Place.REPLY_TO | Place.NAMES, turns=2),
    Kind.DEPUTY: TokenRule(Right.SEAT, Place.REPLY_TO | Place.NAMES),
    Kind.OFFER: TokenRule(Right.SEAT, Place.REPLY_TO),
    Kind.INVITATION: TokenRule(Right.ENTER, Place.REPLY_TO),
    Kind.GM: TokenRule(Right.GAMES, Place.REPLY_TO, turns=2, widths=(4, 2, 4)),
    Kind.QUESTION: TokenRule(Right.ANSWER, Place.REPLY_TO),
    Kind.ADDRESS: TokenRule(Right.ANSWER, Place.REPLY_TO),
    Kind.RETURN: TokenRule(Right.BOUNCE, Place.RETURN_PATH),
}
"""The register: nothing else decides how long a token proves its right, and where it is written."""

_FORM: Final = f"([{''.join(kind.value for kind in TOKENS)}])-([a-z2-7]{{40}})"
LENGTH: Final = 42
"""The octets of a token as text."""
_SHAPE: Final = re.compile(_FORM)
_ANYWHERE: Final = re.compile(f"(?=({_FORM}))")
_SHOWN: Final = re.compile(f"(?<![a-z0-9]){_FORM}(?![a-z0-9])", re.IGNORECASE)
_REST: Final = re.compile("-[a-z2-7]{40}", re.IGNORECASE)
_TAG: Final = 10
_LETTER: Final = 5
"""The octets that name its letter."""
_CONSONANTS: Final = "bcdfghjkmnpqrstvwxz"
_SEAL: Final = 8


class Side(IntEnum):
    """The address that is asked about a change: the old or the new one."""

    OLD = 1
    """The present address, at which the person confirms the wish."""
    NEW = 2
    """The new address, at which the person shows that it is theirs."""


@dataclass(frozen=True, slots=True)
class Token:
    """A token: its numbers, as its kind says, and the name of the letter that carries it.

    *number* names a row in the store. A token with another *epoch* than that row is invalid.
    *letter* makes the token differ from those of other letters, and cannot be read from it.
    """

    kind: Kind
    number: int
    epoch: int = 0
    written: int = 0
    letter: str = field(default="", compare=False)

    @property
    def rule(self) -> TokenRule:
        """The row of the register for its kind."""
        return TOKENS[self.kind]

    @property
    def name(self) -> str:
        """A name for what the token is about, such as s12 for a seat."""
        return f"{self.kind.value}{self.number}"

    @property
    def full_name(self) -> str:
        """The name with the epoch, such as ``s12 3``; a token that replaces it has another one."""
        return f"{self.name} {self.epoch}"

    def is_valid_in(self, turn: int) -> bool:
        """Return whether the token has not expired in a turn of its game."""
        return self.rule.turns is None or turn < self.written + self.rule.turns


def sign(token: Token, place: Place, key: bytes) -> str:
    """Return the token as text for a place of a letter, signed and sealed with *key*.

    Nobody else can read its numbers, which count what others do. The same token of the same letter
    always gives the same text. Nobody without *key* can compute it from the name, which is in every
    reply and often in a forwarded email. Raise ValueError if the register does not allow the token
    there.
    """
    if place not in token.rule.places:
        raise ValueError(f"no {token.kind.name} token is written in {place}")
    numbers = (token.number, token.epoch, token.written)
    return _sealed(place, token.kind, numbers, token.letter, key)


def verify(text: str, key: bytes) -> Token | None:
    """Return the token that *text* is, or None if it was not signed with *key*."""
    return _read(Place.REPLY_TO, text, key)


def named_after(token: str, key: bytes) -> str:
    """Return the name, as in the Message-ID, of the letter that carries the signed *token*.

    It is "" if the token is not ours.
    """
    said = _said(Place.REPLY_TO, token, key)
    return _text(Place.MESSAGE_ID, *said, key) if said is not None else ""


def named_in(text: str, key: bytes) -> Token | None:
    """Return the token of the letter of ours with the name *text*, or None."""
    found = _read(Place.MESSAGE_ID, text, key)
    return found if found is not None and Place.MESSAGE_ID in found.rule.places else None


def shows_token(text: str, key: bytes) -> bool:
    """Return whether *text* contains a token of ours, even broken over lines or quoted."""
    bare = "".join(c for c in text.lower() if c.isascii() and (c.isalnum() or c == "-"))
    return any(
        verify(bare[found.start(1) : found.end(1)], key) is not None
        for found in _ANYWHERE.finditer(bare)
    )


def without_tokens(text: str) -> str:
    """Return *text* with "(token)" in place of all that has the form of a token."""
    # A search that begins with a hyphen is much faster.
    return _SHOWN.sub("(token)", text) if _REST.search(text) is not None else text


def seal(message_id: str, key: bytes) -> str:
    """Return the seal of the order sheet in the letter of ours with this Message-ID.

    The Message-ID is that of one letter about one turn to one seat. The seal shows only which
    letter a quoted sheet is from; it authorises nothing. It has no vowels, so it makes no words.
    """
    digest = hmac.digest(key, b"referee sheet " + message_id.strip("<>").encode(), hashlib.sha256)
    return "".join(_CONSONANTS[octet % len(_CONSONANTS)] for octet in digest[:_SEAL])


# A letter carries its token in several places, and so does the answer to it.
@lru_cache(maxsize=64)
def _sealed(
    place: Place, kind: Kind, numbers: tuple[int, int, int], letter: str, key: bytes
) -> str:
    widths = zip(numbers, TOKENS[kind].widths, strict=True)
    said = b"".join(number.to_bytes(width) for number, width in widths)
    said += hmac.digest(key, b"referee letter " + letter.encode(), hashlib.sha256)[:_LETTER]
    return _text(place, kind.value, said, key)


def _text(place: Place, kind: str, said: bytes, key: bytes) -> str:
    """Return a token as text: a tag over its content, and this content under the tag's own mask."""
    tag = _tag(place, kind, said, key)
    return f"{kind}-{base64.b32encode(tag + _masked(tag, said, key)).decode().lower()}"


# A letter is asked for its tokens as it arrives, and as it is read.
@lru_cache(maxsize=64)
def _said(place: Place, text: str, key: bytes) -> tuple[str, bytes] | None:
    """Return the kind and the content of a text that was sealed for a place, or None."""
    if (match := _SHAPE.fullmatch(text.lower())) is None:
        return None
    kind, octets = match[1], base64.b32decode(match[2].upper())
    tag = octets[:_TAG]
    said = _masked(tag, octets[_TAG:], key)
    return (kind, said) if hmac.compare_digest(tag, _tag(place, kind, said, key)) else None


def _read(place: Place, text: str, key: bytes) -> Token | None:
    """Return the token in a text that was sealed for a place, or None if it is not ours."""
    if (found := _said(place, text, key)) is None:
        return None
    kind, content = Kind(found[0]), BytesIO(found[1])
    number, epoch, written = (int.from_bytes(content.read(each)) for each in TOKENS[kind].widths)
    return Token(kind, number, epoch, written)


def _tag(place: Place, kind: str, said: bytes, key: bytes) -> bytes:
    # A name never verifies as a token.
    purpose = b"referee message " if place in Place.NAMES else b"referee seal "
    return hmac.digest(key, purpose + kind.encode() + said, hashlib.sha256)[:_TAG]


def _masked(tag: bytes, octets: bytes, key: bytes) -> bytes:
    """Return the octets under the mask of a tag, or without it: the same twice changes nothing."""
    mask = hmac.digest(key, b"referee mask " + tag, hashlib.sha256)
    length = len(octets)
    return (int.from_bytes(octets) ^ int.from_bytes(mask[:length])).to_bytes(length)
