"""What a message gives away of its writer: never what opens his seat, the rest if he means it."""

import re

from referee.desk.base.site import Site
from referee.domain.trust import code_fits, shows_token
from referee.rules.ruleset import UserError
from referee.store.models import Person

_ADDRESS = re.compile(r"[^\s@<>()\[\],;:\"]{1,64}@[^\s@<>()\[\],;:\"]{1,190}\.[^\W\d_]{2,20}")
_LIKE_CODE = re.compile(r"(?<![A-Z0-9])(?:[A-Z2-7]{8}|(?=[a-z]*[2-7])[a-z2-7]{8})(?![A-Za-z0-9])")
_SIGNATURE = re.compile(r"^--\s?$", re.MULTILINE)


def refuse_secrets(site: Site, person: Person | None, text: str) -> None:
    """Raise UserError when *text* tells what others could write in the person's name with."""
    if shows_token(text, site.key):
        raise UserError(
            "The message has a reply address of yours in it, with which others could write in "
            "your name; it was not sent. Take the address out."
        )
    if person is not None and _shows_code(person, text):
        raise UserError("Your security code stands in the message, so it was not sent.")


def shows_address(text: str) -> bool:
    """Return whether a mail address stands in *text*."""
    return _ADDRESS.search(text) is not None


def given_away(person: Person | None, text: str) -> str:
    """Say what of its writer *text* tells its readers, as what stands in it; empty for nothing."""
    if shows_address(text):
        return "a mail address"
    if _SIGNATURE.search(text) is not None:
        return "what looks like your mail signature"
    # A single word would stand in many a message that means something else by it.
    name = " ".join(person.name.split()).casefold() if person is not None else ""
    if " " in name and name in " ".join(text.split()).casefold():
        return "your own name"
    return ""


def _shows_code(person: Person, text: str) -> bool:
    """Return whether the person's security code stands in *text*.

    Each look is slow on purpose, so only the first words that could be one are looked at.
    """
    words = dict.fromkeys(_LIKE_CODE.findall(text))
    return any(code_fits(word, person.code_salt, person.code_hash) for word in list(words)[:40])
