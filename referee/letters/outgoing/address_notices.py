"""What we write about a player's addresses, and his daily letter.

A new address may be a stranger's, who learns nothing of anybody.
"""

from dataclasses import dataclass

from referee.letters.outgoing.local_time import Moment
from referee.letters.outgoing.notices import Notice


@dataclass(frozen=True, slots=True)
class AddressConfirm(Notice):
    """To the address a player has: does he wish that new *address*, as his *second* or his own?"""

    address: str
    second: bool
    games: tuple[str, ...]
    until: Moment


@dataclass(frozen=True, slots=True)
class AddressProof(Notice):
    """To the new address, perhaps a stranger's: is it his who asked? It names no one.

    *ours* is the referee's own address.
    """

    ours: str
    second: bool
    until: Moment


@dataclass(frozen=True, slots=True)
class AddressProved(Notice):
    """To the new address: it has confirmed, or too late; *waits* tells that the old one has not."""

    waits: bool


@dataclass(frozen=True, slots=True)
class AddressMoved(Notice):
    """To the new address of record, one letter for each game, of one that has begun or will.

    *game* and *seat* are empty for who plays in none. The *code* is told once, in the first.
    """

    game: str
    seat: str
    turn: int
    account: int
    code: str
    deadline: Moment | None


@dataclass(frozen=True, slots=True)
class AddressLeft(Notice):
    """To an address that gets no more letters: that it is so, and what to do if it is wrong."""

    games: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SecondAddressSet(Notice):
    """To a player: *address* is his second one now; empty in the letter to that address itself."""

    address: str
    ours: str = ""


@dataclass(frozen=True, slots=True)
class AddressLapsed(Notice):
    """To a player: nothing came of the new *address*, for which a confirmation is missing.

    *wished* tells that his own was there, *second* that it was to be his second address.
    """

    address: str
    wished: bool
    second: bool


@dataclass(frozen=True, slots=True)
class AddressRefused(Notice):
    """Both have confirmed, and still it cannot be; only the *new* address is told why."""

    new: bool


@dataclass(frozen=True, slots=True)
class AtSecondAddress(Notice):
    """To the second address: letters go there now, because those to the first come back."""

    address: str


@dataclass(frozen=True, slots=True)
class DigestItem:
    """A notice that could wait, in a daily letter: its subject and its text."""

    subject: str
    written: Moment
    text: str


@dataclass(frozen=True, slots=True)
class DailyDigest(Notice):
    """To a player or GM who wants one letter a day: what could wait, of one *game* or of none."""

    game: str
    notices: tuple[DigestItem, ...]
