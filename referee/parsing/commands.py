"""The grammars of commands, and the values that their rules build."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import time, timedelta
from functools import cache, partial
from typing import Final

from referee.domain import commands as c
from referee.domain.days import ClockTime, Day, Weekday
from referee.domain.mail_transfer import Line
from referee.domain.player_settings import QuietHours, ReportFormat
from referee.domain.press import PressTime
from referee.domain.revealed_parts import RevealedPart
from referee.domain.votes import Motion
from referee.parsing.command_parts import (
    WEEKDAYS,
    CommandPart,
    clock_time,
    fields_of,
    length_of,
    named,
    period_fields,
    phrase,
    read_day,
    unquoted,
)
from referee.parsing.gm_commands import GM_COMMANDS
from referee.parsing.items import DiaryBlock, PressBlock, StandingBlock
from referee.parsing.lines import COURTESIES, fold, without_courtesies
from referee.parsing.reader import Reader
from referee.parsing.schedules import read_length, zone_named
from referee.rules.extras import Strength
from referee.rules.ruleset import Example, Grammar, Separator, UserError

_MOST_REMINDERS: Final = 6
_LONGEST_LEAD: Final = timedelta(days=60)
_SHORTEST_LEAD: Final = timedelta(minutes=10)

_DEADLINE: Final = re.compile(r"deadline *(?:- *(.+))?", re.IGNORECASE)
_SHORT: Final = re.compile(r"(?<![0-9])([0-9]+) *(m|mins?|h|hrs?|d)\b", re.IGNORECASE)
_UNITS: Final = {"m": "minutes", "h": "hours", "d": "days"}
_CLOCK: Final = re.compile(r"(?:[01]?[0-9]|2[0-3]):[0-5][0-9]")
_WEEKDAY: Final = re.compile(
    r"(mon|tue|wed|thu|fri|sat|sun)(?:s|nes|rs|ur)?(?:day)?\b,? *", re.IGNORECASE
)
_PRESS_TIMES: Final = "Write it like DEADLINE-2h, Fri 18:00 or 18 September 18:00."


def _join(*parts: str | CommandPart) -> c.Join:
    """Return the command; without a game, it is for that of an invitation."""
    game = next((part for part in parts if isinstance(part, str)), "")
    return c.Join(game, **fields_of(*(part for part in parts if isinstance(part, CommandPart))))


def _help(text: str = "") -> c.Help:
    *_, topic = "", *without_courtesies(text, COURTESIES | {"me"})
    return c.Help(topic.strip())


def _cancel(text: str) -> c.Cancel | c.Recall:
    """Return the command to withdraw the messages of a letter by its receipt, or an order."""
    number = text.removeprefix("#").strip()
    return c.Recall(int(number)) if number.isdecimal() else c.Cancel(text)


def _press(*words: str | PressTime | tuple[str, ...]) -> PressBlock:
    """Return a message without its text. Raises UserError if it has two times."""
    styles = {word for word in words if isinstance(word, str)}
    players, excluded = (*(word for word in words if isinstance(word, tuple)), ())[:2]
    times = [word for word in words if isinstance(word, PressTime)]
    if len(times) > 1:
        raise UserError("A message has one time. Write AT once.")
    when = times[0] if times else None
    anonymous, receipt = "ANONYMOUS" in styles, "RECEIPT" in styles
    return PressBlock(0, players, anonymous, "", receipt, excluded, when)


def _standby(*words: str) -> c.Command:
    """Return the command for the words after STANDBY: none, OFF, or a scope."""
    scope = " ".join(words).upper()
    if scope == "OFF" or scope.startswith("OFF "):
        return c.StandDown(scope.removeprefix("OFF").strip())
    return c.StandBy(scope) if scope else c.ShowStandby()


def _set_revealed(part: RevealedPart, ballot: str) -> c.SetRevealed:
    return c.SetRevealed(part, ballot == "YES")


def _attachments(*words: str) -> c.SetAttachments:
    """Return the kinds that *words* name. Raises UserError if a word names none."""
    names = [name.upper() for word in words for name in word.split(",") if name]
    if names == ["NONE"]:
        return c.SetAttachments(())
    known = {kind.name: kind for kind in c.AttachmentKind}
    for name in names:
        if name not in known:
            raise UserError(
                f"{name} is not one of {', '.join(known)}. Without any: SET ATTACHMENTS NONE."
            )
    return c.SetAttachments(tuple(kind for kind in c.AttachmentKind if kind.name in names))


def _report_format(word: str) -> c.SetFormat:
    known = {kind.name: kind for kind in ReportFormat}
    if word.upper() not in known:
        raise UserError(f"{word.upper()} is not one of {', '.join(known)}.")
    return c.SetFormat(known[word.upper()])


def _is_on(word: str, setting: str) -> bool:
    if word.upper() not in ("ON", "OFF"):
        raise UserError(f"Write SET {setting} ON or SET {setting} OFF.")
    return word.upper() == "ON"


def _quiet(begin: time | None = None, end: time | None = None) -> c.SetQuiet:
    """Return the quiet hours, or none. Raises UserError if they fill the whole day."""
    if begin is None or end is None:
        return c.SetQuiet(None)
    if begin == end:
        raise UserError("These hours are the whole day. Write, for example, SET QUIET 22:00-07:00.")
    return c.SetQuiet(QuietHours(begin, end))


def _lead(count: int, unit: str) -> timedelta:
    """Return a time before a deadline. Raises UserError if it is too long or too short."""
    too_long = f"A reminder is sent at most {_LONGEST_LEAD.days} days before the deadline."
    lead = length_of(count, unit, _LONGEST_LEAD, too_long)
    if lead < _SHORTEST_LEAD:
        raise UserError("A reminder is sent at least 10 minutes before the deadline.")
    return lead


def _leads(*spans: timedelta) -> tuple[timedelta, ...]:
    """Return the spans, each once, longest first. Raises UserError if there are too many."""
    if len(set(spans)) > _MOST_REMINDERS:
        raise UserError(f"You can have at most {_MOST_REMINDERS} reminders for one turn.")
    return tuple(sorted(set(spans), reverse=True))


def read_press_time(text: str) -> PressTime:
    """Return the time in *text*. Raises UserError with the fix."""
    if found := _DEADLINE.fullmatch(text):
        lead = _SHORT.sub(lambda short: f"{short[1]} {_UNITS[short[2][0].lower()]}", found[1] or "")
        return PressTime(text, lead=read_length(lead) if lead else timedelta(0))
    return PressTime(text, clock=_clock(text.split()))


def _clock(words: Sequence[str]) -> ClockTime:
    """Return the moment: a day or none, ``at`` or nothing, the time, and a time zone or none."""
    at = next((place for place in (-1, -2) if _CLOCK.fullmatch("".join(words[place:][:1]))), None)
    if at is None:
        raise UserError(f"When does it go out? {_PRESS_TIMES}")
    zone = zone_named(words[-1]) if at == -2 else ""
    day = list(words[:at])
    if day and day[-1].lower() == "at":
        day.pop()
    return ClockTime(clock_time(words[at]), _day(" ".join(day).rstrip(",")), zone)


def _day(text: str) -> Day | Weekday | None:
    if not text:
        return None
    weekday = _WEEKDAY.match(text)
    rest = text[weekday.end() :] if weekday is not None else text
    if weekday is not None and not rest:
        return Weekday(WEEKDAYS.index(weekday[1].lower()))
    try:
        return read_day(rest)
    except UserError as error:
        raise UserError(f"We do not know the day {text}. {_PRESS_TIMES}") from error


def _extension(number: int = 0, unit: str = "") -> c.CastVote:
    """Return a proposal of more time. Raises UserError if the words are not a length of time."""
    if not unit:
        return c.CastVote(Motion.EXTEND)
    try:
        return c.CastVote(Motion.EXTEND, span=read_length(f"{number} {unit}"))
    except UserError:
        raise UserError("By how much? VOTE EXTEND 2 days, or VOTE EXTEND 36 hours.") from None


def _concession(seat: str = "") -> c.CastVote:
    """Return the proposal that a seat has won, or the one proposal of that kind that is open."""
    return c.CastVote(Motion.CONCEDE, seat=seat)


def _vote(proposal: c.CastVote, *ballot: str) -> c.CastVote:
    return replace(proposal, ballot=ballot == ("YES",)) if ballot else proposal


COMMANDS: Final = Grammar(
    source="commands.lark",
    orders={
        **named(c),
        "join": _join,
        "names": lambda *words: CommandPart("names", words),
        "long_names": lambda *words: CommandPart("names", (" ".join(words),)),
        "choices": lambda *phrases: CommandPart("choices", phrases),
        "real_name": lambda phrase: CommandPart("real_name", phrase),
        "zone": lambda word: CommandPart("zone", zone_named(word)),
        "code": lambda word: CommandPart("code", word),
        "play": lambda ruleset, *parts: c.Play(ruleset, **fields_of(*parts)),
        "tutorial": lambda: None,
        "play_tutorial": lambda _tutorial, ruleset, *parts: c.Play(
            ruleset, strength=Strength.EASY, tutorial=True, **fields_of(*parts)
        ),
        "robots": lambda number: CommandPart("robots", number),
        "strength": lambda word: CommandPart("strength", Strength(word.lower())),
        "within": lambda number: CommandPart("days", number),
        "phrase": phrase,
        "standby": _standby,
        "cancel": _cancel,
        "help": _help,
        "set_zone": lambda word: c.SetZone(zone_named(word)),
        "full_report": lambda turn=None: c.ShowReport(turn, full=True),
        "set_format": _report_format,
        "set_attachments": _attachments,
        "no_reminders": tuple,
        "games_reminders": lambda: None,
        "leads": _leads,
        "lead": _lead,
        "set_digest": lambda word: c.SetDigest(on=_is_on(word, "DIGEST")),
        "set_html": lambda word: c.SetHtml(on=_is_on(word, "HTML")),
        "set_quiet": _quiet,
        "absent": lambda *days: c.Absent(**period_fields(days)),
        "set_name": lambda text: c.SetName(unquoted(text)),
        "name_deputy": lambda address, *days: c.NameDeputy(address, **period_fields(days)),
        "press": _press,
        "at": read_press_time,
        "players": lambda *names: names,
        "excluded": lambda *names: names,
        "vote": _vote,
        "extension": _extension,
        "concession": _concession,
        "the_concession": _concession,
        "another_gm": lambda *myself: c.CastVote(Motion.GM, is_candidate=bool(myself)),
        "standing": StandingBlock,
        "diary": DiaryBlock,
        **{f"reveal_{part.value}": partial(_set_revealed, part) for part in RevealedPart},
    },
    terminals={
        "NUMBER": int,
        "TURN": lambda word: int(word[1:]),
        "GAME": str.upper,
        "PLAYER": str.upper,
        "STYLE": str.upper,
        "MOTION": lambda word: c.CastVote(Motion[word.upper()]),
        "BALLOT": str.upper,
        "MYSELF": str.upper,
        "DAY": read_day,
        "QUOTED_TEXT": unquoted,
        "TEXT": str.strip,
        "ADDRESS": str.lower,
        "TIME": clock_time,
    },
    examples=(
        Example(
            "RULES STARWEB",
            "Of which game? RULES SW-1. HELP STARWEB explains the rules of StarWeb.",
        ),
        Example("JOIN SW-1 CODE", "The code is missing. The GM has it: JOIN SW-1 CODE K7QX2M4A."),
        Example("TAKEOVER CERES", "Expected a game first. TAKEOVER SW-1 CERES."),
        Example("CANCEL", "Which order? CANCEL F3W75 removes that order, CLEAR removes all."),
        Example("PRESS", "To whom? PRESS TO MARS, then the message, then END."),
        Example(
            "PRESS MARS", "Expected TO after PRESS. PRESS TO MARS, then the message, then END."
        ),
        Example("PRESS AT", "When? PRESS AT DEADLINE-2h TO MARS, or PRESS AT Fri 18:00 TO MARS."),
        Example("PRESS AT Fri 18:00", "To whom? PRESS AT Fri 18:00 TO MARS."),
        Example("PRESS TO", "To whom? PRESS TO MARS, then the message, then END."),
        Example("DIARY x", "DIARY goes on a line of its own. Write the entry below it, then END."),
        Example(
            "DIARY DELETE", "Which entry? DIARY shows their numbers; DIARY DELETE 3 deletes one."
        ),
        Example("SHARE DIARY", "Yes or no? SHARE DIARY NO keeps your diary to yourself."),
        Example("SHARE PRESS", "Yes or no? SHARE PRESS YES lets all read what you signed."),
        Example("SHARE NAME", "Yes or no? SHARE NAME NO leaves out your real name."),
        Example("SHARE PAGES", "Yes or no? SHARE PAGES YES lets our web pages show it, too."),
        Example("CONFIRM ,", "Write CONFIRM on a line of its own, with nothing after it."),
        Example(
            "VOTE",
            "Expected what to vote on. Write VOTE EXTEND 2 days, HOLD, DRAW, "
            "CONCEDE TO MARS, END or GM.",
        ),
        Example(
            "VOTE YES",
            "Expected what to vote on. STATUS shows the open votes and how to vote on them.",
        ),
        Example("VOTE EXTEND soon", "By how much? VOTE EXTEND 2 days."),
        Example("VOTE EXTEND 2", "By 2 of what? VOTE EXTEND 2 days."),
        Example("VOTE CONCEDE", "To whom? VOTE CONCEDE TO MARS."),
        Example("SET FOO", "Unknown setting. SET on its own shows all settings."),
        Example("SET ADDRESS", "Which address? SET ADDRESS frodo@example.org."),
        Example("SET ADDRESS frodo", "An address has an @. SET ADDRESS frodo@example.org."),
        Example("SET SECOND", "Which? SET SECOND ADDRESS frodo@example.org, or NONE."),
        Example("SET SECOND ADDRESS", "Which? SET SECOND ADDRESS frodo@example.org, or NONE."),
        Example("SET SECOND ADDRESS frodo", "An address has an @, as in frodo@example.org."),
        Example("SET FORMAT", "Which? SET FORMAT FULL, CHANGES, COMPACT or NEWS."),
        Example("SET REMINDERS", "When? SET REMINDERS 2 days, 6 hours, or NONE."),
        Example("SET REMINDERS 2", "Of what? SET REMINDERS 2 days, 6 hours."),
        Example("SET REMINDERS daily", "How long before the deadline? SET REMINDERS 2 days."),
        Example("SET REMINDERS AS", "As what? SET REMINDERS AS THE GAME."),
        Example("SET TOKENS", "Write SET TOKENS NEW."),
        Example("SET DIGEST", "On or off? SET DIGEST ON, or SET DIGEST OFF."),
        Example("SET HTML", "On or off? SET HTML ON, or SET HTML OFF."),
        Example("SET QUIET", "Which hours? SET QUIET 22:00-07:00, or NONE."),
        Example("SET QUIET 22:00", "Until when? SET QUIET 22:00-07:00."),
        Example("SET QUIET 22", "Expected minutes after the hour. SET QUIET 22:00-07:00."),
        Example("SET ATTACHMENTS", "Which? SET ATTACHMENTS MAP DEADLINE, or NONE."),
        Example("SET ZONE", "Which time zone? SET ZONE Europe/Berlin."),
        Example("SET NAME", "Which name? SET NAME Frodo Baggins."),
        Example("ABSENT", "When? ABSENT FROM 18 September TO 2 October, or ABSENT NONE."),
        Example("ABSENT x", "When? ABSENT FROM 18 September TO 2 October, or ABSENT NONE."),
        Example("ABSENT FROM x", "From when? ABSENT FROM 18 September TO 2 October."),
        Example(
            "ABSENT FROM 18 September x",
            "Expected a last day. Write ABSENT FROM 18 September TO 2 October.",
        ),
        Example(
            "ABSENT 18 September x",
            "Expected a last day. Write ABSENT FROM 18 September TO 2 October.",
        ),
        Example("ABSENT TO x", "Expected a last day. Write ABSENT TO 2 October."),
        Example("DEPUTY x", "Who? DEPUTY sam@example.org TO 2 October, or DEPUTY NONE."),
        Example(
            "DEPUTY sam@example.org",
            "Expected a last day. Write DEPUTY sam@example.org TO 2 October.",
        ),
        Example(
            "DEPUTY sam@example.org x",
            "Expected a last day. Write DEPUTY sam@example.org TO 2 October.",
        ),
        Example("OBSERVE x", "Which game? See LIST, then OBSERVE SW-1 observes the game SW-1."),
        Example(
            "REPORT MARS", "Expected the number of a turn. REPORT 7 mails the report of turn 7."
        ),
        Example(
            "UNDO F3W5",
            "Expected a receipt number. Write UNDO alone on its line. UNDO #12 takes back what "
            "your email #12 did.",
        ),
        Example("HISTORY MARS", "Expected the number of a turn. HISTORY 7 shows turn 7."),
        Example("ADD F3W5", "ADD goes on a line of its own. Write the orders below it."),
        Example("CHECK F3W5", "CHECK goes on a line of its own. Write the orders below it."),
        Example("FINAL F3W5", "FINAL goes on a line of its own."),
        Example("WAIT F3W5", "WAIT goes on a line of its own."),
        Example(
            "CLEAR F3W5",
            "CLEAR removes all orders. Write CLEAR alone on its line; CANCEL F3W5 removes one.",
        ),
        Example("RESIGN F3W5", "RESIGN goes on a line of its own."),
        Example("LIST F3W5", "Write LIST on a line of its own."),
        Example("MAP F3W5", "MAP goes on a line of its own."),
        Example(
            "ORDERS F3W5",
            "Write orders without the word ORDERS. ORDERS shows those on file, "
            "and ORDERS 9 says how many there are.",
        ),
    ),
    separator=Separator.LINES,
)

GM_PHRASES: Final = frozenset(
    {
        ("REPORT", "OF"),
        ("RULES", "DROP"),
        ("RULES", "LIST"),
        ("RULES", "SAVE"),
        ("STANDBY", "OFFER"),
    }
)
"""The beginnings of GMs' commands whose first word is also a player's."""
GM_HEADED: Final = frozenset({("ORDERS", "FOR"), ("STANDBY",), ("UNDO",)})
"""The beginnings of players' lines that mean a GM's command in a letter with a GM's heading."""

CONTINUED: Final = {
    "DEPUTY": frozenset({"FROM", "TO", "UNTIL"}),
    "PLAY": frozenset({"ROBOTS", "EASY", "NORMAL", "HARD", "AS", "OR", "WITHIN"}),
    "JOIN": frozenset({"OR", "AS", "REAL", "ZONE", "CODE"}),
    "CREATE": frozenset(
        {"TITLE", "SEATS", "DEADLINE", "SCHEDULE", "OPTION", "OPTIONS", "RULES", "START"}
    ),
}
"""The commands long enough to be wrapped, and the words that begin their further lines."""


@cache
def players_reader() -> Reader:
    """Return the reader of players' commands, made when a letter is first read."""
    return Reader(COMMANDS, start="command")


@cache
def gms_reader() -> Reader:
    """Return the reader of GMs' commands."""
    return Reader(GM_COMMANDS, start="command")


@cache
def create_reader() -> Reader:
    """Return the reader of the parts that CREATE has behind the name of the ruleset."""
    return Reader(replace(GM_COMMANDS, examples=()), start="_part")


@cache
def gm_words() -> frozenset[str]:
    """Return the words that only GMs' commands begin with."""
    return gms_reader().first_words - players_reader().first_words


@cache
def command_words() -> frozenset[str]:
    """Return the words that a command begins with; no order of any ruleset begins with one."""
    return players_reader().first_words | gms_reader().first_words | {"END"}


@cache
def fixed_words() -> frozenset[str]:
    """Return the words of players' commands, and those that any command begins with."""
    return command_words() | players_reader().fixed_words() | {"YES", "NO", "HOUR", "HOURS"}


@cache
def players_words() -> frozenset[str]:
    """Return the words proposed to a player, who can also become the GM of a new game."""
    return command_words() - gm_words() | {"CREATE"}


def is_for_gms(line: Line, *, headed: bool = False) -> bool:
    """Return whether *line* is a GM's command; *headed* means below a GM's heading."""
    words = (*fold(line.text).text.upper().split()[:3], "", "", "")
    if words[0] == "DEPUTY":
        # A player names only an address, and a GM the seat before it.
        named = headed and words[1] != "NONE"
        return "@" not in words[1] and (named or "@" in words[2] or words[2] == "NONE")
    if words[0] in gm_words() or words[:2] in GM_PHRASES:
        return True
    return headed and not GM_HEADED.isdisjoint((words[:1], words[:2]))
