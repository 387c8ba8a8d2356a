"""The grammar of GMs' commands, and the values that its rules build."""

import re
from collections.abc import Mapping
from datetime import time, timedelta
from typing import Final

from referee.domain import commands as c
from referee.domain import gm_commands as gm
from referee.domain.days import Day, NamedDay, NamedMoment, Weekday
from referee.domain.house_rules import StartRule
from referee.domain.press import PressRule
from referee.parsing.command_parts import (
    CommandPart,
    clock_time,
    fields_of,
    named,
    period_fields,
    phrase,
    read_coming,
    read_dated,
    read_day,
    unquoted,
)
from referee.parsing.schedules import read_length, read_lengths, read_schedule, zone_named
from referee.rules.extras import Strength
from referee.rules.ruleset import Example, Grammar, Separator, UserError

_LONGEST_REASON: Final = 200
"""The most characters of the reason for a deadline that is moved."""
_SEAT: Final = re.compile(r"\b(SEAT)\b(.*)", re.IGNORECASE)


def _seats(number: int, *robots: object) -> CommandPart:
    """Return the SEATS of a new game. Raises UserError for robots, which only SEATS seats."""
    if robots:
        raise UserError(_ROBOTS_LATER)
    return CommandPart("seats", number)


def _starts(text: str) -> CommandPart:
    """Return the START of a new game as its option. Raises UserError for START ON a day."""
    word = text.split()[1].upper()
    if word == "ON":
        raise UserError(_DAY_LATER)
    rule = StartRule.GM if word == "BY" else StartRule.FULL
    return CommandPart("options", (("start", rule.value),))


def _create(ruleset: str, *parts: CommandPart) -> c.Create:
    fields = fields_of(*parts)
    if (seat := _SEAT.search(ruleset)) is not None:
        raise UserError(f"Unknown word {seat[1]}. Did you mean SEATS{seat[2]}?")
    if fields.keys().isdisjoint({"schedule", "rules"}):
        raise UserError(
            'When are turns due? For example, add DEADLINE "weekdays 20:00 Europe/Berlin".'
        )
    return c.Create(ruleset, **fields)


def _schedule(text: str) -> str:
    read_schedule(text)
    return text


def _extend(text: str, reason: str = "") -> gm.Extend:
    try:
        return gm.Extend(read_length(unquoted(text)), reason)
    except UserError as error:
        raise UserError("By how much? EXTEND 2 days.") from error


def _span(text: str) -> timedelta:
    return timedelta(0) if text.upper() == "NONE" else read_length(text)


def _deadline(day: Day | Weekday, at: time, *named: str | CommandPart) -> gm.SetDeadline:
    """Return a DEADLINE. A zone is a part of its own where it can be left out."""
    zone = next((part.value for part in named if isinstance(part, CommandPart)), "")
    words = [part for part in named if isinstance(part, str)]
    if isinstance(day, NamedDay):
        zone = words.pop(0)
    return gm.SetDeadline(day, at, zone_named(zone) if zone else "", *words)


def _because(text: str) -> str:
    """Return a reason that the players read. Raises UserError if it is too long."""
    # "Because of the holidays" gives a reason, too; the emails say "Reason: the holidays".
    reason = " ".join(text.split()).rstrip(".")
    reason = _OF.sub("", reason)
    if len(reason) > _LONGEST_REASON:
        raise UserError(
            f"A reason has at most {_LONGEST_REASON} characters. PRESS TO ALL has room."
        )
    return reason


def _press(*parts: CommandPart) -> gm.SetPress:
    fields = fields_of(*parts)
    if fields.get("limit", 0) > MOST_MESSAGES:
        raise UserError(f"A limit is from 1 to {MOST_MESSAGES} messages. NO LIMIT removes it.")
    if fields.get("kilobytes", 0) > MOST_KILOBYTES:
        raise UserError(f"A limit is from 1 to {MOST_KILOBYTES} KB. NO LIMIT removes it.")
    if fields.get("limit") == 0:
        fields.setdefault("kilobytes", 0)
    return gm.SetPress(**fields)


def _address(text: str) -> str:
    """Return an address in lower case, without the name that mail programs copy with it."""
    return text.rpartition("<")[2].removesuffix(">").lower()


def _undone(words: tuple[str | int | None, ...]) -> tuple[tuple[str | int, ...], bool]:
    """Return who is named, each once, and whether it is undone; the word UNDO is None."""
    named = dict.fromkeys(word for word in words if word is not None)
    return tuple(named), None in words


def _correct(reason: str = "") -> gm.Correct:
    if not reason:
        raise UserError("Why? All players read the reason: CORRECT W5 lost its mines by a mistake.")
    return gm.Correct(reason)


def _setting(text: str) -> tuple[str, str]:
    name, _, value = text.partition("=")
    return name.strip().lower(), unquoted(value.strip())


def _missed(text: str) -> gm.SetMissed:
    if text.upper() == "NONE":
        return gm.SetMissed(0)
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:3]) <= 20 and len(text) < 3):
        raise UserError(_HOW_MANY_MISSED)
    return gm.SetMissed(int(text))


MOST_MESSAGES: Final = 1000
"""The highest limit of messages per turn."""
MOST_KILOBYTES: Final = 1000
"""The highest limit of their size."""
_PRESS_RULES: Final = {"NOBODY": PressRule.NONE, "MET": PressRule.MET, "ALL": PressRule.ALL}

_HOW_MANY_MISSED: Final = "How many turns? OPTION MISSED 3, up to 20, or OPTION MISSED NONE."
_OF: Final = re.compile(r"^of +(?=\S)", re.IGNORECASE)
_ROBOTS_LATER: Final = (
    "SEATS with ROBOTS goes on a line of its own below CREATE, such as SEATS 4 ROBOTS 1: four "
    "seats, one of them for a robot."
)
_DAY_LATER: Final = (
    "START ON goes on a line of its own below CREATE, such as START ON 18 September 18:00 "
    "Europe/Berlin."
)
_DEPUTY: Final = "DEPUTY CERES sam@example.org TO 2 October, or DEPUTY CERES NONE."

GM_COMMANDS: Final = Grammar(
    source="gm.lark",
    orders={
        **named(gm),
        "create": _create,
        "title": lambda title: CommandPart("title", title),
        "seats": _seats,
        "schedule": lambda text: CommandPart("schedule", _schedule(text)),
        "options": lambda *settings: CommandPart("options", settings),
        "rules": lambda name: CommandPart("rules", name),
        "starts": _starts,
        "phrase": phrase,
        "set_title": lambda text: gm.SetTitle(unquoted(text)),
        "set_options": lambda *settings: gm.SetOptions(settings),
        "no_robots": lambda: 0,
        "when_full": lambda: StartRule.FULL,
        "by_gm": lambda: StartRule.GM,
        "moment": lambda day, at, zone: NamedMoment(day, at, zone_named(zone)),
        "set_schedule": lambda text: gm.SetSchedule(_schedule(text)),
        "set_deadline": _deadline,
        "near": lambda day: day,
        "zone": lambda word: CommandPart("zone", word),
        "extend": _extend,
        "because": _because,
        "set_extensions": lambda text: gm.SetExtensions(_span(text)),
        "set_grace": lambda text: gm.SetGrace(_span(text)),
        "set_bank": lambda text: gm.SetBank(_span(text)),
        "set_missed": _missed,
        "set_reminders": lambda text: gm.SetReminders(
            () if text.upper() == "NONE" else read_lengths(text)
        ),
        "accept_late": lambda *named: gm.AcceptLate(named[-1], *named[:-1]),
        "set_press": _press,
        "whom": lambda rule: CommandPart("rule", rule),
        "style": lambda style: CommandPart("anonymous", style == "ANONYMOUS"),
        "delivery": lambda word: CommandPart("at_once", word == "AT"),
        "to_all": lambda *no: CommandPart("broadcast", not no),
        "limit": lambda number=0: CommandPart("limit", number),
        "size": lambda number: CommandPart("kilobytes", number),
        "correct": _correct,
        "allow": lambda *whom: gm.Allow(*_undone(whom)),
        "exclude": lambda *whom: gm.Exclude(*_undone(whom)),
        "whoever": lambda named: named,
        "undo": lambda: None,
        "invite": lambda *addresses: gm.Invite(tuple(dict.fromkeys(addresses))),
        "give_deputy": lambda seat, address, *days: gm.GiveDeputy(
            seat, address, **period_fields(days)
        ),
    },
    terminals={
        "NUMBER": int,
        "QUOTED_TEXT": unquoted,
        "TEXT": str.strip,
        "ADDRESS": _address,
        "DAY": read_day,
        "COUNT": int,
        "SETTING": _setting,
        "DATE": read_dated,
        "COMING": read_coming,
        "TIME": clock_time,
        "PRESS_RULE": lambda text: _PRESS_RULES[text.upper()],
        "STYLE": str.upper,
        "AT": str.upper,
        "STRENGTH": lambda text: Strength(text.lower()),
        "SWITCH": lambda text: text.upper() == "ON",
    },
    examples=(
        Example("CREATE", 'Which game? CREATE STARWEB SEATS 3 DEADLINE "daily 20:00 UTC".'),
        Example(
            "CREATE STARWEB OPTION",
            "Which option? For example, OPTION worlds=60. One such as OPTION GRACE 2 hours goes on "
            "a line of its own below CREATE.",
        ),
        Example("CREATE STARWEB SEATS", "How many? For example, SEATS 3."),
        Example("CREATE STARWEB DEADLINE", 'When? DEADLINE "daily 20:00 UTC".'),
        Example("CREATE STARWEB RULES", "Which pack? RULES casual; RULES LIST shows them."),
        Example("RULES SAVE", "Under which name? RULES SAVE shire."),
        Example("RULES DROP", "Which pack? RULES DROP shire; RULES LIST shows them."),
        Example("OPTION", "Which option? For example, OPTION worlds=60."),
        Example("SEATS", "How many? For example, SEATS 3."),
        Example("SEATS 8 ROBOTS", "How many of them? SEATS 8 ROBOTS 3, or SEATS 8 ROBOTS NONE."),
        Example(
            "START WHEN", "When? START WHEN FULL, START BY GM, or START ON 18 September 18:00 UTC."
        ),
        Example("START ON", "When? START ON 18 September 18:00 Europe/Berlin."),
        Example("CALL OFF", "By when? CALL OFF 2 October 18:00 Europe/Berlin, or CALL OFF NONE."),
        Example(
            "CALL OFF 18 September",
            "At what time? Write it after the day, as 21:00, then the zone.",
        ),
        Example(
            "CALL OFF 18 September 18:00",
            "In which time zone? Write it at the end, as Europe/Berlin.",
        ),
        Example("TITLE", "Which title? TITLE The Shire League."),
        Example("SCHEDULE", "When? SCHEDULE weekdays 20:00 Europe/Berlin."),
        Example(
            "DEADLINE",
            "When? Write the day as Friday, 27 November or 2026-11-27, then the hour and the zone.",
        ),
        Example(
            "DEADLINE daily 20:00 UTC",
            "Which day? Write it as Friday, 27 November or 2026-11-27. For more time, use EXTEND; "
            "for all turns, SCHEDULE.",
        ),
        Example("DEADLINE tomorrow", "At what time? Write it after the day, as 21:00."),
        Example(
            "DEADLINE 18 September",
            "At what time? Write it after the day, as 21:00, then the zone.",
        ),
        Example(
            "DEADLINE 18 September 18:00",
            "In which time zone? Write it at the end, as Europe/Berlin.",
        ),
        Example("EXTEND", "By how much? EXTEND 2 days."),
        Example("HOLD BECAUSE", "Why? Write the reason after BECAUSE."),
        Example(
            "OPTION EXTENSIONS",
            "By how much may a turn be extended? OPTION EXTENSIONS 7 days, or NONE.",
        ),
        Example("OPTION GRACE", "How long? OPTION GRACE 2 hours, or OPTION GRACE NONE."),
        Example("OPTION BANK", "How long? OPTION BANK 1 day, or OPTION BANK NONE."),
        Example("REMIND", "REMIND NOW reminds those whose orders are missing."),
        Example(
            "OPTION REMINDERS",
            "When? OPTION REMINDERS 3 days, 1 day, 3 hours, or OPTION REMINDERS NONE.",
        ),
        Example("ACCEPT", "Which email? Give its seat and receipt: ACCEPT LATE CERES #41."),
        Example("ACCEPT LATE", "Which email? Give its seat and receipt: ACCEPT LATE CERES #41."),
        Example("CODE x", "CODE shows the code of a private game, CODE NEW changes it."),
        Example("APPROVE x", "Whom? ALLOW shows who waits, then APPROVE #1234 gives them a seat."),
        Example("REFUSE x", "Whom? ALLOW shows who waits, then REFUSE #1234 gives them no seat."),
        Example("ALLOW x", "Whom? ALLOW sam@example.org. ALLOW alone shows what you have decided."),
        Example("EXCLUDE", "Whom? EXCLUDE sam@example.org."),
        Example("INVITE", "Whom? INVITE sam@example.org."),
        Example("ASSIGN", "Whom? ASSIGN sam@example.org CERES."),
        Example("REPLACE", "Which seat, and who plays it now? REPLACE CERES sam@example.org."),
        Example("REPLACE CERES", "Who plays it now? REPLACE CERES sam@example.org."),
        Example("VACATE", "Which seat? VACATE CERES."),
        Example("PROMOTE", "Whom? PROMOTE sam@example.org."),
        Example("STANDBY OFFER", "Which seat? STANDBY OFFER CERES."),
        Example(
            "STANDBY x",
            "Which? STANDBY on its own lists the standbys; or add ON, OFF or OFFER CERES.",
        ),
        Example("OPTION MISSED", _HOW_MANY_MISSED),
        Example("ELIMINATE", "Which seat? ELIMINATE CERES."),
        Example("ORDERS FOR", "For which seat? ORDERS FOR CERES, then the orders, then END."),
        Example(
            "ORDERS FOR CERES x",
            "Write the orders below ORDERS FOR CERES, then END. ORDERS FOR CERES UNDO takes them "
            "back.",
        ),
        Example("DEMOTE", "Whom? DEMOTE sam@example.org."),
        Example("DEPUTY", f"Of which seat? {_DEPUTY}"),
        Example("DEPUTY CERES x", f"Who? {_DEPUTY}"),
        Example(
            "DEPUTY CERES sam@example.org",
            "Expected a last day. Write DEPUTY CERES sam@example.org TO 2 October.",
        ),
        Example("OBSERVERS x", "What? OBSERVERS ON, OBSERVERS OFF or OBSERVERS LIST."),
        Example("OBSERVERS ON DELAY x", "By how many turns? OBSERVERS ON DELAY 3 TURNS."),
        Example("ROLLBACK x", "How many turns? ROLLBACK, or ROLLBACK 2 TURNS."),
        Example("END x", "END on its own ends an email, END GAME ends the game."),
        Example("REPORT OF", "Which seat? REPORT OF CERES, or REPORT OF CERES 7."),
        Example("OPTION PRESS", "Which? For example, OPTION PRESS MET SIGNED AT ONCE LIMIT 5."),
        Example("OPTION PRESS x", "Which? For example, OPTION PRESS MET SIGNED AT ONCE LIMIT 5."),
        Example("OPTION PRESS LIMIT", "How many in a turn? OPTION PRESS LIMIT 5."),
    ),
    separator=Separator.LINES,
)

_EXCLUDE: Final = "EXCLUDE eve@example.org keeps an address out of the game."
_VACATE: Final = "VACATE CERES takes a seat from its player."
_HOLD: Final = "HOLD stops the game until RESUME."
_RESOLVE: Final = "RESOLVE resolves the turn now."
_EXTEND: Final = "EXTEND 2 days gives the turn more time."
_REPLACE: Final = "REPLACE CERES sam@example.org gives the seat to someone else."

COMMAND_MEANT: Final[Mapping[str, str]] = {
    "BAN": _EXCLUDE,
    "BLOCK": _EXCLUDE,
    "DENY": _EXCLUDE,
    "KICK": _VACATE,
    "REMOVE": _VACATE,
    "FREEZE": _HOLD,
    "PAUSE": _HOLD,
    "STOP": _HOLD,
    "SUSPEND": _HOLD,
    "CONTINUE": "RESUME continues the game.",
    "NEXT": _RESOLVE,
    "PROCESS": _RESOLVE,
    "RUN": _RESOLVE,
    "DELAY": _EXTEND,
    "POSTPONE": _EXTEND,
    "EXTENSIONS": "OPTION EXTENSIONS 7 days limits how much a turn can be extended.",
    "GRACE": "OPTION GRACE 2 hours sets how long orders still count after a deadline.",
    "BANK": "OPTION BANK 1 day sets how long a turn waits for a seat that would miss it.",
    "MISSED": "OPTION MISSED 3 sets how many turns a player can miss.",
    "REMINDERS": "OPTION REMINDERS 3 days, 1 day sets when players are reminded.",
    "RENAME": "TITLE The Shire League renames the game.",
    "PRIVATE": "OPTION private=yes makes the game private.",
    "ROBOTS": "SEATS 8 ROBOTS 3 gives three of eight seats to robots, SEATS 8 ROBOTS NONE none.",
    "SUBSTITUTE": _REPLACE,
}
"""The advice to a GM who begins a line with such a word."""
