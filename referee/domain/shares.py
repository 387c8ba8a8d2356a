"""Shares: how much of each scarce thing each kind of payer can have.

Emails use up *things*, and each is charged to *keys*. `SHARES` is the table of both: every limit
that has a key and a memory is a row of it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final


class Thing(Enum):
    """Anything that emails can use up, in the words of operators."""

    CHANGE = "answers to accepted emails that changed something"
    WORK = "other answers"
    QUESTION = "questions about emails that wait for a confirmation"
    CODE = "questions about emails with the right security code"
    IDLE = "answers to emails that changed nothing and asked nothing"
    STRANGER = "answers to unknown addresses"
    NEWCOMER = "questions to unknown addresses that want to join"
    UNASKED = "emails that others ask for"
    OCTETS_OUT = "bytes of answers"
    OCTETS_KEPT = "bytes of received emails"
    GUESS = "wrong security codes"
    NOTICE = "emails that say that one of these is used up"


class Key(Enum):
    """A kind of payer, in the words of operators."""

    PERSON = "a person who is proven"
    PERSON_IN_GAME = "a person who is proven, in one game"
    SEAT = "a reply address, if its owner wrote"
    CLAIMED = "the address of a person in From"
    CLAIMED_IN_GAME = "the address of a person in From, in one game"
    MAILBOX = "a mailbox that we write to"
    DOMAIN = "a domain"
    OPERATOR = "the operator"
    KNOWN = "everyone who proves something, together"
    ANYBODY = "everyone who proves nothing, together"
    SITE = "everyone, together"


FREE: Final = frozenset({Key.CLAIMED, Key.CLAIMED_IN_GAME, Key.ANYBODY})
"""The keys that cost nothing, because anybody can write any From."""


class Span(Enum):
    """The span for which a number counts; an hour and a day end now."""

    DAY = "day"
    HOUR = "hour"


class Size(Enum):
    """The settings that numbers of the table grow with."""

    ANSWERS = "limits.answers_an_hour"
    DISK = "limits.disk_a_day"


SIZES: Final[Mapping[Size, int]] = {Size.ANSWERS: 60, Size.DISK: 1_000_000_000}
"""The settings for which the table has its numbers."""


@dataclass(frozen=True, slots=True)
class Share:
    """The most of a thing that one key can have, and the words for an owner who has had it.

    A share *of the rest* is a third of what the pool has left, the row for everyone together.
    """

    thing: Thing
    key: Key
    hour: int = 0
    day: int = 0
    grows_with: Size | None = None
    of_the_rest: bool = False
    words: str = ""

    def numbers(self, sizes: Mapping[Size, int] = SIZES) -> Mapping[Span, int]:
        """Return the number for each span that has one, on a site with these settings."""
        grown, at = (sizes[self.grows_with], SIZES[self.grows_with]) if self.grows_with else (1, 1)
        numbers = {Span.DAY: self.day, Span.HOUR: self.hour}
        return {span: most * grown // at for span, most in numbers.items() if most}


@dataclass(frozen=True, slots=True)
class Charge:
    """So much of a thing, and whose each key is that pays for it: an address, a name or a number.

    The pool of everyone always pays.
    """

    thing: Thing
    payers: Mapping[Key, str]
    amount: int = 1

    def shares(self) -> Iterator[tuple[Share, str]]:
        """Yield each share that pays, and whose it is, in the order of the table."""
        payers = {**self.payers, Key.SITE: ""}
        for share in SHARES[self.thing]:
            if share.key in payers:
                yield share, payers[share.key]


@dataclass(frozen=True, slots=True)
class Refusal:
    """The first share that has not enough left for a charge."""

    share: Share
    whose: str
    span: Span
    most: int

    @property
    def words(self) -> str:
        """The answer to a person whose share it is."""
        again = "tomorrow" if self.span is Span.DAY else "in an hour"
        return self.share.words.format(whose=self.whose, most=self.most, again=again)


_TABLE: Final = (
    Share(Thing.CHANGE, Key.PERSON_IN_GAME, hour=120, grows_with=Size.ANSWERS),
    Share(Thing.CHANGE, Key.PERSON, day=500, grows_with=Size.ANSWERS),
    Share(Thing.WORK, Key.PERSON_IN_GAME, hour=60, grows_with=Size.ANSWERS),
    Share(Thing.WORK, Key.PERSON, day=250, grows_with=Size.ANSWERS),
    Share(Thing.WORK, Key.CLAIMED_IN_GAME, hour=12),
    Share(Thing.WORK, Key.CLAIMED, day=40),
    Share(Thing.QUESTION, Key.PERSON, hour=60, day=250, grows_with=Size.ANSWERS),
    Share(Thing.QUESTION, Key.CLAIMED, hour=12, day=40),
    Share(Thing.CODE, Key.PERSON, hour=12, day=40),
    Share(Thing.CODE, Key.CLAIMED, hour=12, day=40),
    # A person who mistypes gets eight answers an hour, and then one that explains the pause.
    Share(Thing.IDLE, Key.PERSON, hour=8, day=24),
    Share(Thing.IDLE, Key.CLAIMED, hour=8, day=24),
    Share(Thing.STRANGER, Key.MAILBOX, hour=8, day=20),
    Share(Thing.STRANGER, Key.DOMAIN, of_the_rest=True),
    Share(Thing.STRANGER, Key.ANYBODY, of_the_rest=True),
    Share(Thing.STRANGER, Key.SITE, hour=100, day=500),
    Share(Thing.NEWCOMER, Key.MAILBOX, hour=8, day=20),
    Share(Thing.NEWCOMER, Key.DOMAIN, of_the_rest=True),
    Share(Thing.NEWCOMER, Key.ANYBODY, of_the_rest=True),
    Share(Thing.NEWCOMER, Key.SITE, hour=100, day=500),
    Share(
        Thing.UNASKED,
        Key.MAILBOX,
        hour=8,
        day=20,
        words="{whose} has been sent too many emails that it did not ask for. Try again {again}.",
    ),
    Share(Thing.OCTETS_OUT, Key.PERSON, day=100_000_000),
    Share(Thing.OCTETS_OUT, Key.CLAIMED, day=1_000_000),
    Share(Thing.OCTETS_OUT, Key.MAILBOX, day=250_000),
    Share(Thing.OCTETS_KEPT, Key.SEAT, day=50_000_000, grows_with=Size.DISK),
    Share(Thing.OCTETS_KEPT, Key.PERSON, day=50_000_000, grows_with=Size.DISK),
    Share(Thing.OCTETS_KEPT, Key.CLAIMED, day=50_000_000, grows_with=Size.DISK),
    Share(Thing.OCTETS_KEPT, Key.KNOWN, day=500_000_000, grows_with=Size.DISK),
    Share(Thing.OCTETS_KEPT, Key.ANYBODY, day=500_000_000, grows_with=Size.DISK),
    # A code has 40 bits: so many guesses a day for a century find one code in 300,000. Anybody can
    # use them up, so the right code is then asked about and never ignored.
    Share(Thing.GUESS, Key.CLAIMED, day=100),
    Share(Thing.NOTICE, Key.PERSON, hour=1, day=24),
    Share(Thing.NOTICE, Key.CLAIMED, hour=1, day=24),
    Share(Thing.NOTICE, Key.OPERATOR, day=1),
)

SHARES: Final[Mapping[Thing, tuple[Share, ...]]] = {
    thing: tuple(share for share in _TABLE if share.thing is thing) for thing in Thing
}
"""The rows of each thing, in the order in which their words are chosen."""
