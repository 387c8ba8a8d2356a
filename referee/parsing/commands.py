"""The grammars of commands, and what each of their rules builds."""

from dataclasses import dataclass
from typing import Any, Final

from referee.domain import commands as c
from referee.parsing.reader import Reader
from referee.parsing.schedules import read_schedule, zone_named
from referee.rules.ruleset import Example, Grammar, Mistake, Separator


@dataclass(frozen=True, slots=True)
class PressHead:
    """``PRESS TO name, name``: a message begins, for those players, signed or *anonymous*."""

    recipients: tuple[str, ...]
    anonymous: bool


@dataclass(frozen=True, slots=True)
class StandingHead:
    """``STANDING``: standing orders begin."""


@dataclass(frozen=True, slots=True)
class BroadcastHead:
    """``BROADCAST``: a message to all players begins."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a command that may stand anywhere in it: the field it fills, and with what."""

    field: str
    value: Any


def _gathered(*parts: _Part) -> dict[str, Any]:
    """Give the fields that *parts* fill; settings pile up. Raises Mistake for one filled twice."""
    fields: dict[str, Any] = {}
    for part in parts:
        if part.field == "options":
            fields["options"] = (*fields.get("options", ()), *part.value)
            continue
        if part.field in fields:
            raise Mistake(f"the {part.field.replace('_', ' ')} stands here twice.")
        fields[part.field] = part.value
    return fields


def _join(game: str, *parts: _Part) -> c.Join:
    return c.Join(game, **_gathered(*parts))


def _create(ruleset: str, *parts: _Part) -> c.Create:
    fields = _gathered(*parts)
    if "schedule" not in fields:
        raise Mistake('when are turns due? Add DEADLINE "weekdays 20:00 Europe/Berlin", say.')
    return c.Create(ruleset, **fields)


def _schedule(text: str) -> str:
    """Give *text* back if it is a schedule. Raises Mistake when it is none."""
    read_schedule(text)
    return text


def _setting(text: str) -> tuple[str, str]:
    name, _, value = text.partition("=")
    return name.strip().lower(), value.strip().strip('"')


def _attachments(*words: str) -> c.SetAttachments:
    """Give the kinds that *words* name. Raises Mistake for a word that names none."""
    names = [name.upper() for word in words for name in word.split(",") if name]
    if names == ["NONE"]:
        return c.SetAttachments(())
    known = {kind.name: kind for kind in c.AttachmentKind}
    for name in names:
        if name not in known:
            raise Mistake(f"{name} is none of {', '.join(known)}, nor NONE alone.")
    return c.SetAttachments(tuple(kind for kind in c.AttachmentKind if kind.name in names))


def _phrase(*words: str) -> str:
    return " ".join(words)


COMMANDS: Final = Grammar(
    source="commands.lark",
    orders={
        "help": c.Help,
        "list_games": c.ListGames,
        "join": _join,
        "names": lambda *words: _Part("names", words),
        "choices": lambda *phrases: _Part("choices", phrases),
        "real_name": lambda phrase: _Part("real_name", phrase),
        "zone": lambda word: _Part("zone", zone_named(word)),
        "phrase": _phrase,
        "status": c.Status,
        "report": c.ShowReport,
        "resign": c.Resign,
        "confirm": c.Confirm,
        "show_orders": c.ShowOrders,
        "count_orders": c.CountOrders,
        "check": c.Check,
        "clear": c.Clear,
        "cancel": c.Cancel,
        "add": c.Add,
        "final": c.Final,
        "wait": c.Wait,
        "set_zone": lambda word: c.SetZone(zone_named(word)),
        "set_name": c.SetName,
        "set_attachments": _attachments,
        "map": c.ShowMap,
        "press": lambda players: PressHead(players, anonymous=False),
        "anonymous_press": lambda players: PressHead(players, anonymous=True),
        "players": lambda *names: names,
        "standing": StandingHead,
    },
    terminals={
        "NUMBER": int,
        "GAME": str.upper,
        "PLAYER": str.upper,
        "QUOTED_TEXT": lambda text: text.strip('"').strip(),
        "TEXT": str.strip,
    },
    examples=(
        Example("JOIN", "which game? LIST shows them; JOIN SW-1 would join the game SW-1."),
        Example("JOIN FRODO", "first the game. JOIN SW-1 FRODO would join the game SW-1 as FRODO."),
        Example("CANCEL", "which order? CANCEL F3W75 would take it out, CLEAR takes out all."),
        Example("PRESS", "to whom? PRESS TO MARS, then the message, then END."),
        Example("PRESS MARS", "the word TO is missing. PRESS TO MARS, then the message, then END."),
        Example("PRESS TO", "to whom? PRESS TO MARS, then the message, then END."),
        Example("SET", "what? SET NAME Frodo Baggins, SET ZONE or SET ATTACHMENTS."),
        Example("SET ATTACHMENTS", "which? SET ATTACHMENTS MAP DEADLINE, or NONE."),
        Example("SET ZONE", "which time zone? SET ZONE Europe/Berlin."),
        Example("SET NAME", "which name? SET NAME Frodo Baggins."),
        Example("REPORT MARS", "a report is asked for by its turn. REPORT 7 mails that of turn 7."),
        Example("ORDERS F3W5", "orders are written without the word ORDERS. ORDERS 9 counts them."),
    ),
    separator=Separator.LINES,
)

GM_COMMANDS: Final = Grammar(
    source="gm.lark",
    orders={
        "create": _create,
        "title": lambda phrase: _Part("title", phrase),
        "seats": lambda number: _Part("seats", number),
        "schedule": lambda phrase: _Part("schedule", _schedule(phrase)),
        "options": lambda *settings: _Part("options", settings),
        "phrase": _phrase,
        "start": c.Start,
        "hold": c.Hold,
        "resume": c.Resume,
        "set_schedule": lambda phrase: c.SetSchedule(_schedule(phrase)),
        "broadcast": BroadcastHead,
    },
    terminals={
        "NUMBER": int,
        "QUOTED_TEXT": lambda text: text.strip('"').strip(),
        "SETTING": _setting,
    },
    examples=(
        Example("CREATE", 'which game? CREATE STARWEB SEATS 3 DEADLINE "daily 20:00 UTC".'),
        Example("CREATE STARWEB OPTION", "which option? OPTION worlds=60 would set one."),
        Example("CREATE STARWEB SEATS", "how many? SEATS 3 would have three."),
        Example("CREATE STARWEB DEADLINE", 'when? DEADLINE "daily 20:00 UTC".'),
        Example("SCHEDULE", "when? SCHEDULE weekdays 20:00 Europe/Berlin."),
    ),
    separator=Separator.LINES,
)

PLAYERS_READER: Final = Reader(COMMANDS, start="command")
GMS_READER: Final = Reader(GM_COMMANDS, start="command")

GM_WORDS: Final = GMS_READER.first_words()
COMMAND_WORDS: Final = PLAYERS_READER.first_words() | GM_WORDS | {"END"}
"""The words a command begins with; no order of any ruleset begins with one."""

CONTINUED: Final = {
    "JOIN": frozenset({"OR", "AS", "REAL", "ZONE"}),
    "CREATE": frozenset({"TITLE", "SEATS", "DEADLINE", "SCHEDULE", "OPTION", "OPTIONS"}),
}
"""Commands long enough to be wrapped, and the words a further line of them begins with."""
