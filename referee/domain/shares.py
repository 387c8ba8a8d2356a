"""Shares: how much of each scarce thing each kind of payer can have.

Emails use up *things*, and each is charged to *keys*. `SHARES` is the table of both: every limit
that has a key and a memory is a row of it.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final


class Thing(StrEnum):
    """Anything that emails can use up, in the words of operators."""

    CHANGE = "answers to accepted emails that changed something"
    WORK = "other answers"
    QUESTION = "questions about emails that wait for a confirmation"
    CODE = "questions about emails with the right security code"
    EXIT = "answers to one of HOLD, SET TOKENS NEW, STATUS and UNDO, after those above"
    IDLE = "answers to emails that changed nothing and asked nothing"
    REPEATED = "answers to the same words with the marks of a program"
    STRANGER = "answers to unknown addresses"
    NEWCOMER = "questions to unknown addresses that want to join"
    UNASKED = "emails that others ask for"
    NEWS = "emails that notify others of changes"
    ANSWER = "answers of every kind"
    OCTETS_OUT = "bytes of answers"
    SENT = "emails that are sent"
    SENT_BUT_TURNS = "emails that are sent, without reports and reminders"
    SENT_OTHERS = "emails that are sent, without those and answers to orders"
    OCTETS_KEPT = "bytes of received emails"
    LOOKUP = "seconds of waiting for name servers"
    READING = "milliseconds of reading emails of people who are not proven"
    GUESS = "wrong security codes"
    FORMING = "games that wait for players"
    GAME_FOR_ONE = "games against robots"
    BEGINNING = "new games against robots"
    TURN_FOR_ONE = "turns of games against robots"
    WAITING = "people who wait for a GM to let them join"
    OBSERVER = "observers"
    DEPUTY = "people asked to be a deputy"
    INVITATION = "invitations"
    ADMISSION = "addresses that a GM allows or excludes"
    ADDRESS = "new addresses that are asked"
    PACK = "saved packs of rules"
    ENTRY = "diary entries"
    OCTETS_WRITTEN = "bytes of a diary"
    WIRE = "connections to the built-in receiver"
    HELD = "open questions about emails that wait for a confirmation"
    NOTICE = "emails that say that one of these is used up"
    NOTICE_UNDONE = "emails that say that others are not done, because too many wait"
    NOTICE_NEWCOMER = "emails that say that a newcomer cannot be asked now"


class Key(StrEnum):
    """A kind of payer, in the words of operators."""

    PERSON = "a person who is proven"
    PERSON_IN_GAME = "a person who is proven, in one game"
    SEAT = "a reply address, if its owner wrote"
    CLAIMED = "the address of a person in From"
    CLAIMED_IN_GAME = "the address of a person in From, in one game"
    MAILBOX = "a mailbox that we write to"
    DOMAIN = "a domain"
    NETWORK = "a network, the /24 or the /48 of a public address"
    GM = "a GM"
    GAME = "a game"
    OPERATOR = "the operator"
    ANYBODY = "everyone who proves nothing, together"
    ANYBODY_LARGE = "everyone who proves nothing, together, for emails above 64 kB"
    SITE = "everyone, together"


FREE: Final = frozenset({Key.CLAIMED, Key.CLAIMED_IN_GAME, Key.ANYBODY, Key.ANYBODY_LARGE})
"""The keys that cost nothing, because anybody can write any From."""
SHARED: Final = frozenset({Key.SITE, Key.ANYBODY, Key.DOMAIN})
"""The keys that people share who do not know of each other."""
POOLS: Final = frozenset({Key.GAME, Key.SITE})
"""The keys that stand for all others: a share of the rest is a part of theirs."""
PARTS_OF: Final[Mapping[Key, frozenset[Key]]] = dict.fromkeys(
    (Key.NETWORK, Key.ANYBODY_LARGE), frozenset({Key.ANYBODY})
)
"""The keys of which another key has a part where both pay, so that it is no smaller for others."""


class Span(StrEnum):
    """The span for which a number counts; an hour and a day end now.

    What was spent in an hour or a day is booked. What is held in a turn or at once is counted by
    the use case, which knows who holds it.
    """

    DAY = "a day"
    HOUR = "an hour"
    TURN = "a turn"
    AT_ONCE = "at once"


class Size(StrEnum):
    """The settings that numbers of the table grow with."""

    ANSWERS = "limits.answers_an_hour"
    LETTERS = "limits.letters_an_hour"
    DISK = "limits.disk_a_day"
    GAMES = "play.games"


SIZES: Final[Mapping[Size, int]] = {
    Size.ANSWERS: 60,
    Size.LETTERS: 2000,
    Size.DISK: 1_000_000_000,
    Size.GAMES: 100,
}
"""The settings for which the table has its numbers."""


@dataclass(frozen=True, slots=True)
class Share:
    """The most of a thing that one key can have.

    A share *of the rest* is a third of what its pool has left: the row for the site or a game, or
    one in ``PARTS_OF``.
    """

    thing: Thing
    key: Key
    hour: int = 0
    day: int = 0
    turn: int = 0
    at_once: int = 0
    grows_with: Size | None = None
    of_the_rest: bool = False

    @property
    def alerts_operator(self) -> bool:
        """Whether its end alerts the operator: many share it, or nobody else learns of it."""
        return self.thing is Thing.OCTETS_KEPT or self.key in SHARED

    @property
    def is_booked(self) -> bool:
        """Whether something is spent from the share, or from the pool of which it is a part."""
        return bool(self.hour or self.day or self.of_the_rest)

    def numbers(self, sizes: Mapping[Size, int] = SIZES) -> Mapping[Span, int]:
        """Return the number for each span that has one, on a site with these settings."""
        grown, at = (sizes[self.grows_with], SIZES[self.grows_with]) if self.grows_with else (1, 1)
        each = (self.day, self.hour, self.turn, self.at_once)
        numbers = dict(zip(Span, each, strict=True))
        return {span: -(-most * grown // at) for span, most in numbers.items() if most}


Spent = Callable[[Share, str, Span], int]
"""Returns how much was spent from a share, by whom, in an hour or a day."""


@dataclass(frozen=True, slots=True)
class Charge:
    """So much of a thing, and whose each key is that pays for it: an address, a name or a number.

    The pool of everyone always pays. *held* is how much each key holds already.
    """

    thing: Thing
    payers: Mapping[Key, str]
    amount: int = 1
    held: Mapping[Key, int] = field(default_factory=dict)

    def pool_of(self, key: Key) -> tuple[Share, str]:
        """Return the share of which that of a key is a part, and whose it is."""
        each = {share.key: (share, whose) for share, whose in self.shares()}
        return next(each[pool] for pool in (*PARTS_OF.get(key, ()), *POOLS) if pool in each)

    def shares(self) -> Iterator[tuple[Share, str]]:
        """Yield each share that pays, and whose it is, in the order of the table."""
        payers = {**self.payers, Key.SITE: ""}
        for share in SHARES[self.thing]:
            if share.key in payers:
                yield share, payers[share.key]

    def refused(
        self, spent: Spent = lambda *_: 0, sizes: Mapping[Size, int] = SIZES
    ) -> "Level | None":
        """Return the first share that has not enough left, or None."""
        each = (level for share in self.shares() for level in self.levels(*share, spent, sizes))
        return next((level for level in each if level.used + self.amount > level.most), None)

    def levels(
        self, share: Share, whose: str, spent: Spent, sizes: Mapping[Size, int]
    ) -> Iterator["Level"]:
        """Yield how much of a share is used in each span for which it has a number."""
        if share.of_the_rest:
            pool = self.levels(*self.pool_of(share.key), spent, sizes)
            numbers = {level.span: -(-level.left // 3) for level in pool}
        else:
            numbers = dict(share.numbers(sizes))
        for span, most in numbers.items():
            is_held = span in (Span.TURN, Span.AT_ONCE)
            used = self.held.get(share.key, 0) if is_held else spent(share, whose, span)
            yield Level(share, whose, span, used, most)


@dataclass(frozen=True, slots=True)
class Level:
    """How much of a share is used, in one span."""

    share: Share
    whose: str
    span: Span
    used: int
    most: int

    @property
    def left(self) -> int:
        """The amount that is left, 0 if nothing is."""
        return max(self.most - self.used, 0)

    @property
    def ratio(self) -> float:
        """The part that is used, above 1 if nothing is left."""
        return self.used / self.most if self.most else 1.0

    @property
    def figures(self) -> str:
        """The amount used of the most; of the rest, more may have been used when there was more."""
        return f"{self.used:,} of {max(self.most, self.used):,} {self.span.value}"

    @property
    def words(self) -> str:
        """The answer to a person who has used it up."""
        again = "tomorrow" if self.span is Span.DAY else f"in {self.span.value}"
        facts = {"whose": self.whose, "most": self.most, "kilobytes": self.most // 1000}
        return WORDS[self.share.thing, self.share.key].format(**facts, again=again)


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
    # Forged emails use up the shares above, but not those of the commands that end an attack.
    Share(Thing.EXIT, Key.PERSON, hour=4, day=12),
    Share(Thing.EXIT, Key.CLAIMED, hour=4, day=12),
    # A person who mistypes is answered, and then gets one answer that explains the pause. So is a
    # program without the marks of one: the number ends its loop.
    Share(Thing.IDLE, Key.PERSON, hour=30, day=60),
    Share(Thing.IDLE, Key.CLAIMED, hour=8, day=24),
    Share(Thing.REPEATED, Key.PERSON, day=1),
    Share(Thing.STRANGER, Key.MAILBOX, hour=8, day=20),
    Share(Thing.STRANGER, Key.SITE, hour=100, day=500, grows_with=Size.LETTERS),
    Share(Thing.STRANGER, Key.ANYBODY, of_the_rest=True),
    Share(Thing.STRANGER, Key.NETWORK, of_the_rest=True),
    Share(Thing.STRANGER, Key.DOMAIN, of_the_rest=True),
    Share(Thing.NEWCOMER, Key.MAILBOX, hour=8, day=20),
    Share(Thing.NEWCOMER, Key.SITE, hour=100, day=500, grows_with=Size.LETTERS),
    Share(Thing.NEWCOMER, Key.ANYBODY, of_the_rest=True),
    Share(Thing.NEWCOMER, Key.NETWORK, of_the_rest=True),
    Share(Thing.NEWCOMER, Key.DOMAIN, of_the_rest=True),
    Share(Thing.UNASKED, Key.PERSON, hour=30, day=60),
    Share(Thing.UNASKED, Key.MAILBOX, hour=8, day=20),
    # The change stands if they are used up. A GM has many players to notify of each.
    Share(Thing.NEWS, Key.PERSON, hour=30, day=60),
    Share(Thing.NEWS, Key.SITE, hour=900, grows_with=Size.LETTERS),
    Share(Thing.NEWS, Key.GM, of_the_rest=True),
    # No payer can use up the emails that the site can send.
    Share(Thing.ANSWER, Key.SITE, hour=1500, grows_with=Size.LETTERS),
    Share(Thing.ANSWER, Key.PERSON, of_the_rest=True),
    Share(Thing.ANSWER, Key.ANYBODY, of_the_rest=True),
    Share(Thing.OCTETS_OUT, Key.PERSON, day=100_000_000),
    Share(Thing.OCTETS_OUT, Key.CLAIMED, day=1_000_000),
    Share(Thing.OCTETS_OUT, Key.MAILBOX, day=250_000),
    # What is sent is counted in the outbox. Reports and answers to orders have a quarter each.
    Share(Thing.SENT, Key.SITE, hour=2000, grows_with=Size.LETTERS),
    Share(Thing.SENT_BUT_TURNS, Key.SITE, hour=1500, grows_with=Size.LETTERS),
    Share(Thing.SENT_OTHERS, Key.SITE, hour=1000, grows_with=Size.LETTERS),
    # An email that is not received is not answered either. An address in From has no share, which
    # anybody could use up; nor do large emails use up the room for first emails, which are small.
    Share(Thing.OCTETS_KEPT, Key.SITE, day=1_000_000_000, grows_with=Size.DISK),
    Share(Thing.OCTETS_KEPT, Key.SEAT, day=50_000_000, grows_with=Size.DISK),
    Share(Thing.OCTETS_KEPT, Key.PERSON, day=50_000_000, grows_with=Size.DISK),
    Share(Thing.OCTETS_KEPT, Key.ANYBODY, of_the_rest=True),
    Share(Thing.OCTETS_KEPT, Key.ANYBODY_LARGE, of_the_rest=True),
    Share(Thing.OCTETS_KEPT, Key.NETWORK, of_the_rest=True),
    Share(Thing.OCTETS_KEPT, Key.DOMAIN, of_the_rest=True),
    # Nobody waits for the others, so there is no number for all together.
    Share(Thing.LOOKUP, Key.DOMAIN, hour=20),
    # An email whose share is used up is read after the others of its lane, and costs nothing. No
    # turn waits for it, so that forged ones delay a turn by no more than the shares.
    Share(Thing.READING, Key.SITE, hour=300_000),
    Share(Thing.READING, Key.CLAIMED, hour=5_000),
    Share(Thing.READING, Key.DOMAIN, of_the_rest=True),
    Share(Thing.READING, Key.ANYBODY, of_the_rest=True),
    # A code has 40 bits: so many guesses a day for a century find one code in 300,000. Anybody can
    # use them up, so the right code is then asked about and never ignored.
    Share(Thing.GUESS, Key.SEAT, day=100),
    Share(Thing.GUESS, Key.CLAIMED, day=100),
    Share(Thing.FORMING, Key.GM, at_once=10),
    Share(Thing.FORMING, Key.SITE, at_once=200),
    Share(Thing.FORMING, Key.DOMAIN, of_the_rest=True),
    Share(Thing.GAME_FOR_ONE, Key.PERSON, at_once=2),
    Share(Thing.GAME_FOR_ONE, Key.SITE, at_once=100, grows_with=Size.GAMES),
    Share(Thing.GAME_FOR_ONE, Key.DOMAIN, of_the_rest=True),
    # Each takes some time to set up.
    Share(Thing.BEGINNING, Key.PERSON, day=20),
    Share(Thing.TURN_FOR_ONE, Key.PERSON, day=100),
    Share(Thing.WAITING, Key.GAME, at_once=50),
    Share(Thing.WAITING, Key.DOMAIN, of_the_rest=True),
    Share(Thing.OBSERVER, Key.GAME, at_once=200),
    Share(Thing.OBSERVER, Key.DOMAIN, of_the_rest=True),
    # Each of them gets a letter.
    Share(Thing.DEPUTY, Key.SEAT, at_once=12),
    Share(Thing.INVITATION, Key.GM, day=20),
    Share(Thing.INVITATION, Key.GAME, at_once=60),
    Share(Thing.ADMISSION, Key.GAME, at_once=500),
    Share(Thing.ADDRESS, Key.PERSON, day=5),
    Share(Thing.ADDRESS, Key.CLAIMED, day=5),
    # At least one email for each person who wants the address.
    Share(Thing.ADDRESS, Key.MAILBOX, day=3),
    Share(Thing.PACK, Key.GM, at_once=20),
    Share(Thing.ENTRY, Key.SEAT, turn=20),
    Share(Thing.OCTETS_WRITTEN, Key.SEAT, turn=50_000),
    # More would take the file descriptors that everything else needs.
    Share(Thing.WIRE, Key.SITE, at_once=50),
    Share(Thing.WIRE, Key.NETWORK, of_the_rest=True),
    # The oldest gives way to a new one.
    Share(Thing.HELD, Key.PERSON, at_once=40),
    Share(Thing.HELD, Key.CLAIMED, at_once=40),
    Share(Thing.NOTICE, Key.PERSON, hour=1, day=24),
    Share(Thing.NOTICE, Key.CLAIMED, hour=1, day=24),
    Share(Thing.NOTICE, Key.OPERATOR, day=1),
    Share(Thing.NOTICE_UNDONE, Key.PERSON, hour=1, day=24),
    Share(Thing.NOTICE_UNDONE, Key.CLAIMED, hour=1, day=24),
    Share(Thing.NOTICE_UNDONE, Key.MAILBOX, day=1),
    # The questions do not use it up, and it is there again each hour.
    Share(Thing.NOTICE_NEWCOMER, Key.SITE, hour=30, grows_with=Size.LETTERS),
    Share(Thing.NOTICE_NEWCOMER, Key.ANYBODY, of_the_rest=True),
    Share(Thing.NOTICE_NEWCOMER, Key.NETWORK, of_the_rest=True),
    Share(Thing.NOTICE_NEWCOMER, Key.DOMAIN, of_the_rest=True),
)
_UNTOLD: Final = (
    "But nobody was notified by email, because too many such emails have been sent. There can be "
    "more {again}."
)
WORDS: Final[Mapping[tuple[Thing, Key], str]] = {
    (Thing.UNASKED, Key.PERSON): (
        "You have had {most} emails sent to others, which is the most for one person. Try again "
        "{again}."
    ),
    (Thing.UNASKED, Key.MAILBOX): (
        "{whose} has been sent too many emails that it did not ask for. Try again {again}."
    ),
    (Thing.NEWS, Key.PERSON): _UNTOLD,
    (Thing.NEWS, Key.SITE): _UNTOLD,
    (Thing.NEWS, Key.GM): _UNTOLD,
    (Thing.FORMING, Key.GM): (
        "{most} games that you created within 30 days wait for players, which is the most for one"
        " GM. START one of them first."
    ),
    (Thing.FORMING, Key.SITE): "Too many games wait for players here. Try again later.",
    (Thing.FORMING, Key.DOMAIN): (
        "Too many games of people at {whose} wait for players here. Try again later."
    ),
    (Thing.GAME_FOR_ONE, Key.PERSON): (
        "You play {most} games against robots, which is the most for one person. RESIGN ends one."
    ),
    (Thing.GAME_FOR_ONE, Key.SITE): "Too many such games are being played here. Try again later.",
    (Thing.GAME_FOR_ONE, Key.DOMAIN): (
        "People at {whose} play too many such games here. Try again later."
    ),
    (Thing.BEGINNING, Key.PERSON): (
        "You have begun {most} games against robots within a day, which is the most. Try again "
        "{again}."
    ),
    (Thing.WAITING, Key.GAME): (
        "Too many people wait for the GM of {whose}. Try again in some days."
    ),
    (Thing.WAITING, Key.DOMAIN): (
        "Too many people at {whose} wait for the GM. Try again in some days."
    ),
    (Thing.OBSERVER, Key.GAME): "{whose} has {most} observers, which is the maximum.",
    (Thing.OBSERVER, Key.DOMAIN): "Too many people at {whose} observe the game.",
    (Thing.DEPUTY, Key.SEAT): "{most} people have been asked for {whose}, which is the maximum.",
    (Thing.INVITATION, Key.GM): (
        "You can send {most} invitations a day, so nobody was invited. Try again {again}."
    ),
    (Thing.INVITATION, Key.GAME): "{whose} can send {most} invitations, so nobody was invited.",
    (Thing.ADMISSION, Key.GAME): "You can allow and exclude at most {most} addresses in {whose}.",
    (Thing.ADDRESS, Key.PERSON): (
        "You asked for {most} new addresses within a day. Try again {again}."
    ),
    (Thing.ADDRESS, Key.CLAIMED): (
        "You asked for {most} new addresses within a day. Try again {again}."
    ),
    (Thing.ADDRESS, Key.MAILBOX): "That address has been asked too often. Try again {again}.",
    (Thing.PACK, Key.GM): (
        "You have {most} packs, which is the most. RULES LIST shows them, and RULES DROP deletes "
        "one."
    ),
    (Thing.ENTRY, Key.SEAT): (
        "A diary can have {most} entries in a turn, and yours has. It was not kept."
    ),
    (Thing.OCTETS_WRITTEN, Key.SEAT): (
        "A diary can have {kilobytes} kB in a turn. With this entry, yours would have more. It "
        "was not kept."
    ),
}
"""The answers to people who have used up a share."""

SHARES: Final[Mapping[Thing, tuple[Share, ...]]] = {
    thing: tuple(share for share in _TABLE if share.thing is thing) for thing in Thing
}
"""The rows of each thing: the first that has not enough left is named, so pools are above parts."""
