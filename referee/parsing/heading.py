"""The heading of a letter: the game, the turn, the seat and the security code in it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from referee.parsing.lines import MOST_CHARACTERS, Line, plain, words_of

_HEADING = re.compile(
    r"""\s*
    (?P<gm>GM[\s,:]+)?
    (?:GAME[\s,:]+)?
    (?P<game>[A-Z]{1,5}-[1-9][0-9]{0,8})\b
    (?:[\s,]+T(?:URN\s*)?(?P<turn>-?[0-9]+)\b)?
    (?:[\s,]+\[\s*(?P<seat>[^\]\s]{1,40})\s*\])?
    (?P<rest>(?:[\s,:].*)?)$""",
    re.IGNORECASE | re.ASCII | re.VERBOSE,
)
_TURN_LINE = re.compile(
    r"\s*T(?:URN\s*)?(?P<turn>-?[0-9]+)\b[\s.,:;]*(?P<rest>.*)$", re.IGNORECASE | re.ASCII
)
_NAMED_TURN = re.compile(
    r"(?<!after )(?<!since )(?<!from )\b(?:T(?:URN\s*)?(?P<turn>[0-9]{1,9})|NEXT\s+TURN)\b"
    r"(?!\s+(?:REPORT|RESULT|MAP))",
    re.IGNORECASE | re.ASCII,
)
_ABOUT_ORDERS = frozenset({"for", "move", "moves", "order", "orders"})
_AROUND_ORDERS = _ABOUT_ORDERS | {"are", "here", "is", "my", "the", "these", "this"}
_CODE = re.compile(r"(?:^|[,\s])([A-Z0-9]{4,16})[\s.]*$", re.IGNORECASE | re.ASCII)
_LOOKS_RANDOM = re.compile(r"(?=[A-Z]*[0-9])[A-Z0-9]{4,16}|[A-Z2-7]{8}", re.ASCII)
"""A code without an account before it has a digit or our full length, so that no name is one."""
_OF_ACCOUNT = re.compile(
    rf"#\s*(?P<account>[0-9]{{1,9}})\b(?:[,\s]+(?P<code>{_LOOKS_RANDOM.pattern})\b)?", re.ASCII
)
"""An account, and the code directly behind it."""

TURNS = range(1, 10_000)
"""The turns that orders can be for; a heading can name any other number by mistake."""

_PRIVATE = ("PRESS", "BROADCAST", "DIARY")
"""Below such a line another person's words can follow, so no heading is read there."""


@dataclass(frozen=True, slots=True)
class Heading:
    """``SW-555 T11 [CERES] Frodo Baggins, #1234, K7QX``, or ``GM SW-555``; empty means not given.

    Game and seat are in capitals. The turn is as typed and may not exist. The code proves nothing
    until it is compared.
    """

    game: str
    seat: str = ""
    turn: int | None = None
    code: str = ""
    account: int | None = None
    by_gm: bool = False


def find_heading(lines: Sequence[Line]) -> Heading | None:
    """Return the first heading among *lines*, above any message to other players."""
    for line in lines:
        if plain(line.text[:80]).strip().upper().startswith(_PRIVATE):
            return None
        if (heading := read_heading(line)) is not None:
            return heading
    return None


def read_heading(line: Line) -> Heading | None:
    """Return the heading that *line* is, or None."""
    found = _HEADING.match(plain(line.text[:200]))
    if found is None:
        return None
    rest = found["rest"]
    account, last = _OF_ACCOUNT.search(rest), _CODE.search(rest)
    code = last[1] if last is not None and _LOOKS_RANDOM.fullmatch(last[1]) else ""
    if account is not None:
        last = _CODE.search(rest[account.end() :])
        code = account["code"] or (last[1] if last is not None else "")
    return Heading(
        game=found["game"].upper(),
        seat=(found["seat"] or "").upper(),
        turn=int(found["turn"]) if found["turn"] else None,
        code=code.upper(),
        account=int(account["account"]) if account is not None else None,
        by_gm=found["gm"] is not None,
    )


def beside_heading(line: Line) -> Line | None:
    """Return the rest of *line* behind the game, the turn and the seat of its heading, or None.

    If it has a code with its account, the rest is behind that. The columns are unchanged.
    """
    found = _HEADING.match(plain(line.text[:200]))
    account = _OF_ACCOUNT.search(found["rest"]) if found is not None else None
    behind = account.end() if account is not None and account["code"] else 0
    if found is None or not found["rest"][behind:].strip(" ,:"):
        return None
    rest = found["rest"][behind:].lstrip(" \t,:")
    return Line(line.number, " " * (found.end("rest") - len(rest)) + rest)


@dataclass(frozen=True, slots=True)
class TurnLine:
    """A line such as ``T2: W7B5I``, which names a turn but no game.

    *head* is the turn as typed. *rest* is the line without it, with its columns unchanged.
    """

    turn: int
    head: str
    rest: Line


def read_turn_line(line: Line) -> TurnLine | None:
    """Return the turn that *line* begins with, or None."""
    found = _TURN_LINE.match(line.text[:MOST_CHARACTERS])
    if found is None:
        return None
    at = found.start("rest")
    rest = " " * at + line.text[at:]
    return TurnLine(
        int(found["turn"]), line.text[: found.end("turn")].strip(), Line(line.number, rest)
    )


def lone_turn(lines: Sequence[Line]) -> TurnLine | None:
    """Return the turn that the first line with text consists of (``T2``), or None."""
    first = next((line for line in lines if line.text.strip()), None)
    named = read_turn_line(first) if first is not None else None
    return named if named is not None and not named.rest.text.strip() else None


def other_turn(text: str, turn: int) -> int | None:
    """Return the turn that *text* says the lines below it are for, if it is not *turn*, or None.

    It says so if it ends with a colon (``Next turn I will do this:``), or consists of a turn and
    words about orders (``Orders turn 2``).
    """
    last = re.split(r"[.!?]\s", text.rstrip())[-1]
    named = [int(found["turn"] or turn + 1) for found in _NAMED_TURN.finditer(last)]
    if not named or turn in named:
        return None
    words = {word.casefold() for word in words_of(_NAMED_TURN.sub("", text))}
    is_about_orders = words <= _AROUND_ORDERS and words & _ABOUT_ORDERS and "?" not in text
    return named[0] if last.endswith(":") or is_about_orders else None
