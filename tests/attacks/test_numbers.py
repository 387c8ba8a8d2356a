"""Attacks by counting: what a player gets shows nothing of who else writes, and when."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from datetime import timedelta
from email import message_from_bytes
from email.message import Message
from email.policy import SMTP
from functools import cache

import pytest

from referee.plugins import installed_rulesets
from referee.testing.conversation import ADDRESS, OPERATOR, Conversation
from referee.testing.correspondents import Received
from tests.attacks.siege import FRODO, GM, SAM

MERRY, BILBO, PIPPIN = "merry@shire.example", "bilbo@shire.example", "pippin@shire.example"
MALLORY, STRANGER = "mallory@evil.example", "grima@orthanc.example"
_BEGUN = (
    (GM, 'CREATE STARWEB SEATS 3 DEADLINE "5 days" OPTION introduced=yes'),
    (FRODO, "JOIN SW-1 FRODO AS Empire Builder"),
    (SAM, "JOIN SW-1 SAM AS Empire Builder"),
    (MERRY, "JOIN SW-1 MERRY AS Pirate"),
    # The GM of the spied game learns after each turn who sent orders, but only in their own games.
    (OPERATOR, 'CREATE STARWEB SEATS 3 DEADLINE "5 days" OPTION introduced=yes'),
    (BILBO, "JOIN SW-2 BILBO AS Pirate"),
    (MALLORY, "JOIN SW-2 MALLORY AS Pirate"),
    (PIPPIN, "JOIN SW-2 PIPPIN AS Pirate"),
)
_SPIED = (
    "SET ATTACHMENTS REPORT MAP DEADLINE",
    "CHECK\nENDING 8000",
    "ENDING 8000\nPRESS RECEIPT TO GM\nGood morning.\nEND",
    "STATUS\nORDERS\nWHO\nLIST\nVOTE DRAW",
    "ENDING 2000",
    "UNDO\nADD\nENDING 4000",
    "UNDO #99\nCANCEL #99\nREPORT\nMAP\nHISTORY\nMY DATA",
    "HELP\nABSENT from 2026-11-01 to 2026-11-04",
    "SET ADDRESS frodo@rivendell.example",
    "SET TOKENS NEW",
    "RESIGN",
)
"""What the spy writes; anything can come for others before each of them."""
_OTHERS = (
    (SAM, "T1 SAM", "CHECK\nENDING 8000"),
    (SAM, "T1 SAM", "VOTE DRAW NO"),
    (BILBO, "T1 BILBO", "ENDING 8000\nPRESS TO PIPPIN\nGood morning.\nEND"),
    (MALLORY, "T1 MALLORY", "PRESS ANONYMOUS TO BILBO\nGive up.\nEND\nSTATUS"),
    (PIPPIN, "T1 PIPPIN", "SET ZONE Europe/Berlin\nCHECK\nENDING 8000"),
)
_MASKED = (
    # Tokens and Message-IDs, sealed with the secret of the site: tests/domain/test_trust.py.
    (re.compile(r"\b[acdgors]-[a-z2-7]{40}(?=@)"), "TOKEN"),
    (re.compile(r"<[0-9a-f]{20}(?=\.(?:sw-[12]|house)\.)"), "<NAME"),
    # What shows to which letter a sheet belongs: a keyed hash of the Message-ID.
    (re.compile(r"\([bcdfghjkmnpqrstvwxz]{8}\)"), "(SEAL)"),
    # The hash of the parts of a letter.
    (re.compile(r"=_[0-9a-f]{40}"), "BOUNDARY"),
)


_LOOKED = "GM SW-1\nSHEETS\nSTATUS\nAUDIT\nQUARANTINE\nEXPORT\nREPORT OF SAM"
"""What the GM writes then."""


@cache
def _got(*, alone: bool) -> Mapping[str, Sequence[Received]]:
    """Return what player, GM and stranger get, with or without the letters of others."""
    with closing(Conversation(installed_rulesets())) as talk:
        for sender, body in _BEGUN:
            talk.arrive(talk.person(sender).letter(ADDRESS, "", f"{body}\n", talk.now, {}))
        for body in _SPIED:
            for sender, words, other in _OTHERS if not alone else ():
                _reply(talk, sender, words, other)
            _reply(talk, FRODO, "T1 FRODO", body)
            _reply(talk, GM, "SW-1", _LOOKED)
            talk.arrive(talk.person(STRANGER).letter(ADDRESS, "", "LIST\n", talk.now, {}))
        # The result of the vote is known to all, and then the turn ends.
        _reply(talk, SAM, "T1 SAM", "VOTE DRAW NO")
        talk.pass_to(talk.now + timedelta(days=6))
        return {each: tuple(talk.person(each).got) for each in (FRODO, GM, STRANGER)}


def _reply(talk: Conversation, sender: str, words: str, body: str) -> None:
    person = talk.person(sender)
    answered = next(got for got in person.got if words in got.subject)
    talk.arrive(person.reply(answered, f"{body}\n", talk.now, {}), answered.reply_to)


def _shown(letter: Received) -> str:
    """Return all of a letter as its reader's program can show it, without what is sealed."""
    message = message_from_bytes(letter.raw, policy=SMTP)
    text = "\n".join(part for each in message.walk() for part in _part(each))
    # An attachment has whole emails, whose quoted-printable can break within a seal.
    text = re.sub(r"=(\r\n|\\r\\n)", "", text)
    for form, name in _MASKED:
        text = form.sub(name, text)
    return text


def _part(part: Message) -> Iterator[str]:
    yield from (f"{name}: {value}" for name, value in part.items())
    content = part.get_payload(decode=True)
    if isinstance(content, bytes):
        yield content.decode("utf-8", "replace")


SLOW_READERS = [pytest.param(each, marks=pytest.mark.slow) for each in (FRODO, STRANGER)]


@pytest.mark.slow
@pytest.mark.parametrize("reader", [GM, *SLOW_READERS])
def test_what_people_get_is_the_same_whoever_else_writes(reader: str) -> None:
    alone, among = _got(alone=True)[reader], _got(alone=False)[reader]
    assert len(alone) > 4
    assert [letter.subject for letter in alone] == [letter.subject for letter in among]
    for one, other in zip(alone, among, strict=True):
        assert _shown(one) == _shown(other)


@pytest.mark.slow
def test_the_others_do_write() -> None:
    for alone in (True, False):
        got = _got(alone=alone)[FRODO]
        assert len({letter.message_id for letter in got}) == len(got)
    # What is sealed depends on the numbers of the whole site, and cannot be compared.
    one, other = (_got(alone=alone)[FRODO][5] for alone in (True, False))
    assert one.message_id != other.message_id


@pytest.mark.slow
def test_receipts_count_only_the_letters_of_the_player() -> None:
    subjects = " ".join(letter.subject for letter in _got(alone=False)[FRODO])
    assert re.findall(r"\(#(\d+)\)", subjects) == ["2", "3", "5", "6"]
