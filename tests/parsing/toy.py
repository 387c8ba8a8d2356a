"""A small order language for the tests of the reader."""

from dataclasses import dataclass

from referee.rules.ruleset import Example, Grammar, Mistake, Separator

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
    army: str
    to: str


@dataclass(frozen=True, slots=True)
class Rest:
    turns: int = 1


@dataclass(frozen=True, slots=True)
class Shout:
    word: str


@dataclass(frozen=True, slots=True)
class Song:
    lines: tuple[str, ...]


def shout(word: str) -> Shout:
    if word == "DAMN":
        raise Mistake("nobody swears here.")
    return Shout(word)


def song(lines: tuple[str, ...]) -> Song:
    if not lines:
        raise Mistake("a song has words.")
    return Song(lines)


def language(separator: Separator = Separator.BLANKS) -> Grammar:
    return Grammar(
        source=SOURCE,
        orders={"march": March, "rest": Rest, "shout": shout},
        terminals={"NUMBER": int, "PLACE": str.upper, "ARMY": str.upper, "WORD": str.upper},
        examples=(Example("A1-", "where to? {} would march there."),),
        separator=separator,
        blocks={"SING": song},
        joined=frozenset({"SHOUT"}),
    )
