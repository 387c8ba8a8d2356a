"""A running game under attack: everything that must not change, and who got which mail."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from typing import Any, ClassVar, Final

from sqlalchemy import Table, update

from referee.domain.tokens import Kind, Place, Token, sign
from referee.letters.incoming.authentication import Authenticator, Lookup
from referee.store import Session
from referee.store.database import db_copy
from referee.store.database.base import Base, is_postgres
from referee.store.games import games
from referee.store.games.press import Press
from referee.store.models import Game, Person, SeatRow, Sheet
from referee.testing.conversation import ADDRESS, Conversation, statements
from referee.testing.correspondents import Received
from tests.letters.signing import Names
from tests.support.rulesets import RULESETS

FRODO: Final = "frodo@shire.example"
SAM: Final = "sam@shire.example"
GM: Final = "gm@example.org"
MALLORY: Final = "mallory@evil.example"
KEY: Final = b"k" * 32
ACCOUNT: Final = 364529
"""The number of Frodo's account."""
_BEGIN: Final = """
=== it is 2026-09-01 12:00 UTC
=== gm@example.org writes
CREATE STARWEB SEATS 2 DEADLINE "5 days" OPTION introduced=yes
=== frodo@shire.example writes
JOIN SW-1 FRODO AS Empire Builder
=== sam@shire.example writes
JOIN SW-1 SAM AS Empire Builder
=== frodo@shire.example replies to T1
ENDING 8000
"""


@dataclass(frozen=True, slots=True)
class Picture:
    """Everything that an attacker would like to change."""

    games: Sequence[object]
    seats: Sequence[object]
    people: Sequence[object]
    sheets: Sequence[object]
    press: Sequence[object]


class Siege(Conversation):
    """A game SW-1 of Frodo and Sam in its first turn, and Mallory, a stranger."""

    begins: ClassVar[str] = _BEGIN
    """The conversation before the siege, in which every letter is as expected."""

    def __init__(self, names: Lookup | None = None, **trusted: Any) -> None:
        """Begin when the first reports have been sent and Frodo has filed an order."""
        lookup = names if names is not None else Names()
        self.before: dict[str, int] = {}
        super().__init__(RULESETS, Authenticator(ADDRESS, lookup, **trusted))
        begun, rows = _begun(self.begins)
        _copy(begun, rows, self)
        with self.store.write() as session:
            # The provider of nobody is known to sign in a siege.
            session.execute(update(Person).values(signs=None))

    def write(self, sender: str, body: str, subject: str = "", **headers: str) -> None:
        """Deliver a letter with *sender* in its From, unsigned if it is of a GM."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        to = named.get("To", ADDRESS)
        raw = self.person(sender).letter(to, subject, body, self.now, named)
        deliver = self._arrive if body.startswith("GM ") else self.arrive
        deliver(raw, to.rpartition("<")[2].strip("> "))

    def reply(self, address: str, body: str, words: str = "", **headers: str) -> None:
        """Deliver a reply from *address* to their last letter with *words* in its subject."""
        answered = self.last(address, words)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        raw = self.person(address).reply(answered, body, self.now, named)
        self.arrive(raw, named.get("To", answered.reply_to))

    def raw(self, text: str, recipient: str = ADDRESS, sender: str = "") -> None:
        """Deliver a letter with exactly these lines."""
        self.arrive(
            text.replace("\n", "\r\n").encode("utf-8", "surrogateescape"), recipient, sender
        )

    def last(self, address: str, words: str = "") -> Received:
        """Return the last letter to *address* with *words* in its subject."""
        return next(got for got in reversed(self.person(address).got) if words in got.subject)

    def got(self, address: str) -> list[str]:
        """Return the subjects of the letters to *address* since the siege began."""
        return [got.subject for got in self.person(address).got[self.before.get(address, 0) :]]

    def token(self, address: str) -> str:
        """Return the token in the reply address of the first report to *address*."""
        return re.sub(r"^games\+|@.*$", "", self.last(address, "T1").reply_to)

    def code(self, address: str) -> str:
        """Return the security code in the welcome letter to *address*."""
        text = self.person(address).got[0].text
        found = re.search(r", ([A-Z2-7]{8})$", text, re.MULTILINE)
        assert found is not None
        return found[1]

    def picture(self) -> Picture:
        """Return everything that must not change."""
        with self.store.read() as session:
            return Picture(
                games=[
                    (g.name, g.status, g.schedule, g.deadline_at, g.turn)
                    for g in _all(session, Game)
                ],
                seats=[
                    (s.name, s.person_id, s.epoch, s.final_turn, s.standing)
                    for s in _all(session, SeatRow)
                ],
                people=[
                    (p.address, p.second_address, p.is_at_second, p.name, p.zone, p.code_hash)
                    for p in _all(session, Person)
                ],
                sheets=[(s.seat_id, s.turn, s.orders) for s in _all(session, Sheet)],
                press=[(p.sender, p.recipients, p.text) for p in _all(session, Press)],
            )

    def orders(self, seat: str = "FRODO") -> list[Any]:
        """Return the orders on file for a seat."""
        with self.store.read() as session:
            game = games.by_name(session, "SW-1")
            assert game is not None
            row = next(row for row in game.seats if row.name == seat)
            sheet = games.sheet_of(session, row, game.turn)
            return [] if sheet is None else list(sheet.orders)

    def everything_mailed(self) -> str:
        """Return the decoded text of all mail since the siege began."""
        return "\n".join(
            got.subject + "\n" + got.text
            for address, person in self.people.items()
            for got in person.got[self.before.get(address, 0) :]
        )

    def later(self, **span: float) -> None:
        """Move the time forward by *span*, and run what falls due."""
        self.pass_to(self.now + timedelta(**span))


def _all(session: Session, rows: Any) -> list[Any]:
    return list(session.query(rows).order_by(rows.id))


@cache
def _begun(text: str) -> tuple[Conversation, Mapping[Table, Sequence[dict[str, Any]]]]:
    """Return a conversation and the rows of its tables, those that others refer to first."""
    begun = Conversation(RULESETS)
    for statement in statements(text):
        begun._unseen.clear()
        begun._perform(statement)
    with begun.store.read() as source:
        rows = {
            table: [dict(row) for row in source.execute(table.select()).mappings()]
            for table in Base.metadata.sorted_tables
        }
    return begun, {table: found for table, found in rows.items() if found}


def _copy(begun: Conversation, rows: Mapping[Table, Sequence[dict[str, Any]]], to: Siege) -> None:
    with begun.store.read() as source, to.store.write() as target:
        for table, found in rows.items():
            target.execute(table.insert(), found)
        if is_postgres(target):
            db_copy.go_on_counting(target.connection(), db_copy.given(source.connection()))
    for address, person in begun.people.items():
        to.person(address).got, to.person(address).wrote = list(person.got), person.wrote
    to.before = {address: len(person.got) for address, person in begun.people.items()}
    to._arrivals, to._drawn, to.now = 100, 100, begun.now


def token_of(seat: int, epoch: int, letter: str, key: bytes = KEY) -> str:
    """Return a token signed with any key."""
    return sign(Token(Kind.SEAT, seat, epoch, letter=letter), Place.REPLY_TO, key)
