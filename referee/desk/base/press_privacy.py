"""Privacy check of press: refuse secrets, ask before it reveals the sender."""

import re

from referee.desk.base import robots
from referee.desk.base.codes import code_fits
from referee.desk.base.desk import Site
from referee.domain.tokens import shows_token
from referee.parsing.words import is_everyday
from referee.rules.ruleset import UserError
from referee.store.models import Person, SeatRow

_ADDRESS = re.compile(r"[^\s@<>()\[\],;:\"]{1,64}@[^\s@<>()\[\],;:\"]{1,190}\.[^\W\d_]{2,20}")
_LIKE_CODE = re.compile(
    r"(?<![A-Z0-9])(?:[A-Z2-7]{8}|(?=[a-z]{0,7}[2-7])[a-z2-7]{8})(?![A-Za-z0-9])"
)
_SIGNATURE = re.compile(r"^--\s?$", re.MULTILINE)


def refuse_secrets(
    site: Site, person: Person | None, text: str, undone: str = "Your message was not sent"
) -> None:
    """Raise UserError if *text* has a secret with which others could write as the person.

    *undone* says what is not done with the text.
    """
    if shows_token(text, site.key):
        raise UserError(
            f"{undone}, because it contains one of your reply addresses. With it, others could "
            "write in your name. Take the address out."
        )
    if person is not None and _shows_code(person, text):
        raise UserError(f"{undone}, because it contains your security code.")


def shows_address(text: str) -> bool:
    """Return whether *text* has an email address in it."""
    return _ADDRESS.search(text) is not None


def without_addresses(text: str) -> str:
    """Return *text* with other words in the place of email addresses."""
    return _ADDRESS.sub("(address)", text)


def holder_of(row: SeatRow) -> str:
    """Return the name of the seat's player, or "" if the name contains an address."""
    if row.person is None:
        return f"({robots.without_player(row)})"
    return name_of(row.person)


def name_of(person: Person) -> str:
    """Return the real name of a person, or "" if it contains an address."""
    return "" if shows_address(person.name) else person.name


def given_away(person: Person, text: str, signed: str = "") -> str:
    """Return the words for what reveals the sender in *text*, a message *signed* so, or ""."""
    if shows_address(text):
        return "an email address"
    if _SIGNATURE.search(text) is not None:
        return "what looks like your email signature"
    name = " ".join(person.name.split())
    if name.casefold() != signed.casefold() and _has_name(" ".join(text.split()), name):
        return "your own name"
    return ""


def _has_name(text: str, name: str) -> bool:
    """Return whether *text* has *name*; an ordinary word counts only in the same letters."""
    if " " in name:
        return name.casefold() in text.casefold()
    case = re.NOFLAG if is_everyday(name) else re.IGNORECASE
    return bool(name) and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, case) is not None


def _shows_code(person: Person, text: str) -> bool:
    """Return whether *text* contains the person's security code.

    Each check is slow on purpose, so only the first 40 words that could be a code are checked.
    """
    words = dict.fromkeys(_LIKE_CODE.findall(text))
    return any(code_fits(word, person.code_salt, person.code_hash) for word in list(words)[:40])
