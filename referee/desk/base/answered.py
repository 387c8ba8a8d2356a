"""The letter of ours that a letter answers, and what its sender typed themselves."""

from collections.abc import Iterator
from itertools import islice
from typing import Final

from referee.domain.tokens import named_after
from referee.letters.incoming.decode import decode, decode_covered, text_in
from referee.letters.incoming.letter import Letter
from referee.letters.incoming.quoting import OwnText, needs_ours, own_text
from referee.store import Session
from referee.store.mail import mail_queries
from referee.store.mail.mail_queries import Quotable
from referee.store.models import InboxLetter

_MOST_NAMED: Final = 6
"""The most Message-IDs that are looked up for one letter."""


def as_read(row: InboxLetter) -> Letter:
    """Return a stored letter as it was read: one that was signed, without its other fields."""
    if row.covers:
        return decode_covered(row.raw, row.covers.split())
    return decode(row.raw, row.envelope_recipient)


def answered_letter(session: Session, letter: Letter, key: bytes) -> Quotable | None:
    """Return the letter of ours that *letter* answers, or None.

    It is named by In-Reply-To or References, or else by the reply address.
    """
    named = islice(_each_once(_named(letter, key)), _MOST_NAMED)
    found = (mail_queries.letter_called(session, message_id) for message_id in named)
    return next(filter(None, found), None)


def typed_text(session: Session, letter: Letter, key: bytes) -> OwnText:
    """Return the text that the sender of *letter* typed.

    Our letter that it answers is looked up only if that can make a difference.
    """
    if not needs_ours(letter.text):
        return own_text(letter.text)
    ours = answered_letter(session, letter, key)
    return own_text(letter.text, text_in(ours.raw) if ours is not None else "")


def _each_once(names: Iterator[str]) -> Iterator[str]:
    """Yield each name once, and find the next one only when it is asked for."""
    seen: set[str] = set()
    for name in names:
        if name not in seen:
            seen.add(name)
            yield name


def _named(letter: Letter, key: bytes) -> Iterator[str]:
    """Yield the Message-IDs that *letter* can answer, nearest first.

    The token of a reply address shows the Message-ID of the letter that it belongs to.
    """
    yield from letter.references[:1]
    for address in letter.recipients:
        local, _, domain = address.rpartition("@")
        if name := named_after(local.partition("+")[2], key):
            yield f"{name}@{domain}"
    yield from letter.references[1:]
