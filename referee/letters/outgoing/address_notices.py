"""Letters about a player's addresses and stored data, and the daily digest.

A new address may belong to a stranger, who must learn nothing about anyone.
"""

from dataclasses import dataclass

from referee.letters.outgoing.local_time import Deadline, Moment
from referee.letters.outgoing.notices import Notice
from referee.letters.outgoing.pairs import Drawn


@dataclass(frozen=True, slots=True)
class AddressConfirm(Notice):
    """To the current address: asks to confirm the new *address*, primary or *second*."""

    address: str
    second: bool
    games: tuple[str, ...]
    until: Moment


@dataclass(frozen=True, slots=True)
class AddressProof(Notice):
    """To the new address, perhaps a stranger's: asks to confirm it, and names nobody.

    *ours* is the referee's own address.
    """

    ours: str
    second: bool
    until: Moment


@dataclass(frozen=True, slots=True)
class AddressProved(Notice):
    """To the new address: it has confirmed, or too late; *waits* for the old one to confirm."""

    waits: bool


@dataclass(frozen=True, slots=True)
class NewTokens(Notice):
    """To a person, one letter for each game; the first has the new *code*.

    *game* and *seat* are empty for a person without a seat.
    """

    game: str
    seat: str
    turn: int
    account: int
    code: str
    deadline: Deadline | None


class AddressMoved(NewTokens):
    """The new tokens, at the new address of record."""


class TokensRenewed(NewTokens):
    """The new tokens, after SET TOKENS NEW."""


@dataclass(frozen=True, slots=True)
class AddressLeft(Notice):
    """To an address that we no longer write to, with advice in case of fraud."""

    games: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SecondAddressSet(Notice):
    """To a player: their second *address* is set; empty in the letter to that address itself."""

    address: str
    ours: str = ""


@dataclass(frozen=True, slots=True)
class AddressLapsed(Notice):
    """To a player: the change to the new *address* has expired for want of a confirmation.

    *wished* means that the current address had confirmed, *second* that it was the second one.
    """

    address: str
    wished: bool
    second: bool


@dataclass(frozen=True, slots=True)
class AddressRefused(Notice):
    """Both addresses have confirmed, but it is refused; only the *new* one gets the reason."""

    new: bool


@dataclass(frozen=True, slots=True)
class AtSecondAddress(Notice):
    """To the second address: letters go there now, because the primary address bounces."""

    address: str


@dataclass(frozen=True, slots=True)
class DigestItem:
    """A notice in a daily digest: its subject, its text, and the game and seat it is about."""

    subject: str
    written: Moment
    text: Drawn
    game: str = ""
    seat: str = ""


@dataclass(frozen=True, slots=True)
class DailyDigest(Notice):
    """To a player or GM with SET DIGEST: the notices that could wait.

    If not all are about one seat, or about one game, each says what it is about, and a reply must
    name the game.
    """

    notices: tuple[DigestItem, ...]
    is_of_one: bool = True

    @property
    def games(self) -> tuple[str, ...]:
        """The games of the notices, each once."""
        return tuple(dict.fromkeys(each.game for each in self.notices if each.game))


@dataclass(frozen=True, slots=True)
class Disclosure(Notice):
    """To a person: everything that is stored about them, in *file*.

    *left_out* is how many old emails come without their text, because the file would be too large
    or take too long.
    """

    account: int
    file: str
    rows: int
    left_out: int


@dataclass(frozen=True, slots=True)
class ForgetProof(Notice):
    """To the other address of a person who wants to be forgotten: asks to confirm it.

    *ours* is the referee's own address.
    """

    ours: str
    until: Moment


@dataclass(frozen=True, slots=True)
class Forgotten(Notice):
    """To a person: everything about them was deleted. It is the last letter to them."""

    ours: str
