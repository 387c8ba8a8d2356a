"""Names of people: what others read of a person, so it cannot look like our own words."""

import re
import unicodedata
from typing import Final

from referee.domain.look_alikes import looks_like, mixes_alphabets, poses_as_latin
from referee.rules.ruleset import UserError

_OFFICIAL: Final = re.compile(
    r"referee|game ?master|moderator|operator|administrator|postmaster|press from|\b(the)?gms?\b"
)
_STATES: Final = frozenset(
    ("eliminated", "inactive", "missed", "reliable", "robot", "turn", "turns", "vacant")
)
"""Words by which WHO and reports say what is true of a player or a seat."""
_HEADINGS: Final = frozenset(
    (
        "rejected",
        "accepted",
        "warnings",
        "done",
        "not done",
        "not orders",
        "not possible",
        "commands",
        "announcements",
    )
)
"""The headings of our emails; one in a list of names would pass for ours."""
_LONGEST: Final = 60
_LINK: Final = re.compile(r"https?\b|://|\bwww\s*\.|@|\uff20|[^\W_]{2}\.[^\W\d_]{2}", re.IGNORECASE)
"""Mail programs make a link of two words with only a full stop between them, too."""
_LETTERS: Final = re.compile(r"[^\W\d_]+")
_MARK: Final = re.compile(r"[:()\[\]{}]")
"""The marks in our lists between a seat, the name of its player, and facts about them."""
_ASIDE: Final = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")


def is_official(name: str) -> bool:
    """Return whether a name looks like a role of ours, or like a heading of our emails."""
    words = " ".join(_LETTERS.findall(looks_like(name)))
    return _OFFICIAL.search(words) is not None or words in _HEADINGS


def tamed(name: str) -> str:
    """Return a name from an email without what is in brackets."""
    return " ".join(_ASIDE.sub(" ", name).split())


def shows_link(name: str) -> bool:
    """Return whether a name has a link or an address in it, which others could follow."""
    return _LINK.search(name) is not None


def name_fault(name: str) -> str:
    """Return why people cannot have this name, in a sentence, or "".

    It could be a whole message, have a link, or be taken for other letters, or for the referee's
    or the GM's.
    """
    if len(name) > _LONGEST:
        return f"A name can have at most {_LONGEST} characters."
    if shows_link(name):
        return (
            "A name has no link and no address in it: leave out http, www. and @, and write a "
            "blank behind a full stop."
        )
    if mixes_alphabets(name) or poses_as_latin(name):
        return (
            "Others could take letters of this name for other ones. Write it in the letters of one "
            "alphabet; if all of them look like Latin letters, in Latin letters."
        )
    if is_official(name):
        return "Others could take this name for an official one, or for a heading of our emails."
    if _MARK.search(unicodedata.normalize("NFKC", name)) is not None:
        return "A name has no colon and no brackets: our lists put these around names."
    if not _STATES.isdisjoint(_LETTERS.findall(looks_like(name))):
        return "Others could take this name for what our lists say of a player or a seat."
    return ""


def check_name(name: str) -> None:
    """Raise UserError if people cannot have this name."""
    if fault := name_fault(name):
        raise UserError(f"{fault} Choose another name.")
