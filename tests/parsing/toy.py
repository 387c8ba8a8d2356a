"""A small order language for the tests of the reader."""

from dataclasses import dataclass

from referee.rules.ruleset import Example, Grammar, Separator, UserError

SOURCE = """
order : march | rest | _shout
march : ARMY "-" PLACE
rest  : "REST" NUMBER?
_shout : shout
shout : "SHOUT" WORD
ARMY  : /[AB][1-9][0-9]*/
PLACE : /[A-Z]{3}/
WORD  : /[A-Z]+/
NUMBER : /[1-9][0-9]*/
%ignore / +/
"""


@dataclass(frozen=True, slots=True)
class March:
    """An army goes to a place."""

    army: str
    to: str


@dataclass(frozen=True, slots=True)
class Rest:
    """Everybody rests for some turns."""

    turns: int = 1


@dataclass(frozen=True, slots=True)
class Shout:
    """A word is shouted."""

    word: str


@dataclass(frozen=True, slots=True)
class Song:
    """Lines are sung: the order that takes a block."""

    lines: tuple[str, ...]


def shout(word: str) -> Shout:
    """Return the order for a word. Raises UserError for the one that is not shouted."""
    if word == "DAMN":
        raise UserError("nobody swears here.")
    return Shout(word)


def song(lines: tuple[str, ...]) -> Song:
    """Return the order for a block of lines. Raises UserError if it is empty."""
    if not lines:
        raise UserError("a song has words.")
    return Song(lines)


def language(separator: Separator = Separator.BLANKS) -> Grammar:
    """Return the language, whose orders are separated by *separator*."""
    return Grammar(
        source=SOURCE,
        orders={"march": March, "rest": Rest, "shout": shout},
        terminals={"NUMBER": int, "PLACE": str.upper, "ARMY": str.upper, "WORD": str.upper},
        examples=(Example("A1-", "where to? {} would march there."),),
        separator=separator,
        blocks={"SING": song},
        joined=frozenset({"SHOUT"}),
    )
