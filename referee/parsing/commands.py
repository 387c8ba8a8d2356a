"""The grammars of commands, and the values that their rules build."""

from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, partial
from typing import Final

from referee.domain import commands as c
from referee.domain.press import PressTime
from referee.domain.revealed_parts import RevealedPart
from referee.parsing import player_settings, votes
from referee.parsing.command_parts import CommandPart, fields_of, phrase, unquoted
from referee.parsing.days import period_fields, read_day
from referee.parsing.everyday import is_everyday, words_of
from referee.parsing.gm_commands import GM_COMMANDS
from referee.parsing.lines import Line, fold
from referee.parsing.press_times import read_press_time
from referee.parsing.reader import Reader
from referee.parsing.schedules import zone_named
from referee.rules.extras import Strength
from referee.rules.ruleset import Example, Grammar, Separator, UserError


@dataclass(frozen=True, slots=True)
class PressHead:
    """``PRESS TO name, name``: the first line of a message to players, signed or *anonymous*.

    *receipt* asks for a delivery receipt. *excluded* are the names after BUT, *when* the time after
    AT.
    """

    recipients: tuple[str, ...]
    anonymous: bool = False
    receipt: bool = False
    excluded: tuple[str, ...] = ()
    when: PressTime | None = None


@dataclass(frozen=True, slots=True)
class DiaryHead:
    """``DIARY``: the first line of an entry for the diary, or a question if none follows."""


@dataclass(frozen=True, slots=True)
class StandingHead:
    """``STANDING``: the first line of standing orders, or a question if none follow."""


def _join(game: str, *parts: CommandPart) -> c.Join:
    return c.Join(game, **fields_of(*parts))


def _cancel(text: str) -> c.Cancel | c.Recall:
    """Return what CANCEL withdraws: the messages of a letter by its receipt, or an order."""
    number = text.removeprefix("#").strip()
    return c.Recall(int(number)) if number.isdecimal() else c.Cancel(text)


def _press(*words: str | PressTime | tuple[str, ...]) -> PressHead:
    """Return the head of a message. Raises UserError if it has two times."""
    styles = {word for word in words if isinstance(word, str)}
    players, excluded = (*(word for word in words if isinstance(word, tuple)), ())[:2]
    times = [word for word in words if isinstance(word, PressTime)]
    if len(times) > 1:
        raise UserError("A message has one time. Write AT once.")
    when = times[0] if times else None
    return PressHead(players, "ANONYMOUS" in styles, "RECEIPT" in styles, excluded, when)


def _standby(*words: str) -> c.Command:
    """Return the command for the words after STANDBY: none, OFF, or a scope."""
    scope = " ".join(words).upper()
    if scope == "OFF" or scope.startswith("OFF "):
        return c.StandDown(scope.removeprefix("OFF").strip())
    return c.StandBy(scope) if scope else c.ShowStandby()


def _set_revealed(part: RevealedPart, ballot: str) -> c.SetRevealed:
    return c.SetRevealed(part, ballot == "YES")


COMMANDS: Final = Grammar(
    source="commands.lark",
    orders={
        "help": c.Help,
        "list_games": c.ListGames,
        "show_rules": c.ShowRules,
        "join": _join,
        "names": lambda *words: CommandPart("names", words),
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
        "list_play": c.ListPlay,
        "phrase": phrase,
        "status": c.Status,
        "report": c.ShowReport,
        "resign": c.Resign,
        "my_data": c.ShowStored,
        "forget_me": c.ForgetMe,
        "confirm": c.Confirm,
        "standby": _standby,
        "takeover": c.TakeOver,
        "decline": c.Decline,
        "show_orders": c.ShowOrders,
        "count_orders": c.CountOrders,
        "check": c.Check,
        "clear": c.Clear,
        "cancel": _cancel,
        "add": c.Add,
        "final": c.Final,
        "wait": c.Wait,
        "undo": c.Undo,
        "history": c.History,
        "no_standing": c.NoStanding,
        "run_standing": c.RunStanding,
        "set_zone": lambda word: c.SetZone(zone_named(word)),
        "set_name": c.SetName,
        "map": c.ShowMap,
        "map_atlas": c.ShowAtlas,
        "full_report": lambda turn=None: c.ShowReport(turn, full=True),
        "who": c.ShowPlayers,
        "show_settings": c.ShowSettings,
        "renew_tokens": c.RenewTokens,
        "set_address": c.SetAddress,
        "set_second_address": c.SetSecondAddress,
        "set_format": player_settings.report_format,
        "set_attachments": player_settings.attachments,
        "set_reminders": c.SetReminders,
        "no_reminders": tuple,
        "games_reminders": lambda: None,
        "leads": player_settings.leads,
        "lead": player_settings.lead,
        "set_digest": player_settings.digest,
        "set_quiet": player_settings.quiet,
        "absent": lambda *days: c.Absent(**period_fields(days)),
        "no_absence": c.NoAbsence,
        "name_deputy": lambda address, *days: c.NameDeputy(address, **period_fields(days)),
        "drop_deputy": c.DropDeputy,
        "observe": c.Observe,
        "stop_observing": c.StopObserving,
        "press": _press,
        "at": read_press_time,
        "players": lambda *names: names,
        "excluded": lambda *names: names,
        "vote": votes.vote,
        "extension": votes.extension,
        "concession": votes.concession,
        "the_concession": votes.concession,
        "another_gm": votes.another_gm,
        "standing": StandingHead,
        "diary": DiaryHead,
        "delete_entry": c.DeleteEntry,
        "reveal_diary": partial(_set_revealed, RevealedPart.DIARY),
        "reveal_press": partial(_set_revealed, RevealedPart.PRESS),
        "reveal_name": partial(_set_revealed, RevealedPart.NAME),
        "reveal_pages": partial(_set_revealed, RevealedPart.PAGES),
    },
    terminals={
        "NUMBER": int,
        "TURN": lambda word: int(word[1:]),
        "GAME": str.upper,
        "PLAYER": str.upper,
        "STYLE": str.upper,
        "MOTION": votes.motion_called,
        "BALLOT": str.upper,
        "MYSELF": str.upper,
        "DAY": read_day,
        "QUOTED_TEXT": unquoted,
        "TEXT": str.strip,
        "ADDRESS": str.lower,
        "TIME": player_settings.clock_time,
    },
    examples=(
        Example(
            "RULES STARWEB",
            "Of which game? RULES SW-1. HELP STARWEB explains the rules of StarWeb.",
        ),
        Example("JOIN", "Which game? See LIST, then JOIN SW-1 joins the game SW-1."),
        Example(
            "JOIN FRODO", "Expected a game first. JOIN SW-1 FRODO joins the game SW-1 as FRODO."
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
        Example("REVEAL DIARY", "Yes or no? REVEAL DIARY NO keeps your diary to yourself."),
        Example("REVEAL PRESS", "Yes or no? REVEAL PRESS YES lets all read what you signed."),
        Example("REVEAL NAME", "Yes or no? REVEAL NAME NO leaves out your real name."),
        Example("REVEAL PAGES", "Yes or no? REVEAL PAGES YES lets our web pages show it, too."),
        Example("CONFIRM ,", "Write CONFIRM on a line of its own, with nothing after it."),
        Example(
            "VOTE",
            "Expected what to vote on. Write VOTE EXTEND 2 days, PAUSE, DRAW, "
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
        Example("SET FORMAT", "Which? SET FORMAT FULL, CHANGES or COMPACT."),
        Example("SET REMINDERS", "When? SET REMINDERS 2 days, 6 hours, or NONE."),
        Example("SET REMINDERS 2", "Of what? SET REMINDERS 2 days, 6 hours."),
        Example("SET REMINDERS daily", "How long before the deadline? SET REMINDERS 2 days."),
        Example("SET REMINDERS AS", "As what? SET REMINDERS AS THE GAME."),
        Example("SET TOKENS", "Write SET TOKENS NEW."),
        Example("SET DIGEST", "On or off? SET DIGEST ON, or SET DIGEST OFF."),
        Example("SET QUIET", "Which hours? SET QUIET 22:00-07:00, or NONE."),
        Example("SET QUIET 22:00", "Until when? SET QUIET 22:00-07:00."),
        Example("SET QUIET 22", "Expected minutes after the hour. SET QUIET 22:00-07:00."),
        Example("SET QUIET night", "Which hours? SET QUIET 22:00-07:00, or NONE."),
        Example("SET ATTACHMENTS", "Which? SET ATTACHMENTS MAP DEADLINE, or NONE."),
        Example("SET ZONE", "Which time zone? SET ZONE Europe/Berlin."),
        Example("SET NAME", "Which name? SET NAME Frodo Baggins."),
        Example("ABSENT", "When? ABSENT FROM 18 September TO 2 October, or ABSENT NONE."),
        Example("ABSENT x", "When? ABSENT FROM 18 September TO 2 October, or ABSENT NONE."),
        Example("ABSENT FROM", "From when? ABSENT FROM 18 September TO 2 October."),
        Example("ABSENT FROM x", "From when? ABSENT FROM 18 September TO 2 October."),
        Example(
            "ABSENT FROM 18 September",
            "Expected a last day. Write ABSENT FROM 18 September TO 2 October.",
        ),
        Example(
            "ABSENT FROM 18 September x",
            "Expected a last day. Write ABSENT FROM 18 September TO 2 October.",
        ),
        Example(
            "ABSENT 18 September",
            "Expected a last day. Write ABSENT FROM 18 September TO 2 October.",
        ),
        Example(
            "ABSENT 18 September x",
            "Expected a last day. Write ABSENT FROM 18 September TO 2 October.",
        ),
        Example("ABSENT TO", "Expected a last day. Write ABSENT TO 2 October."),
        Example("ABSENT TO x", "Expected a last day. Write ABSENT TO 2 October."),
        Example("DEPUTY", "Who? DEPUTY sam@example.org TO 2 October, or DEPUTY NONE."),
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
        ("PRESS", "RULES"),
        ("REPORT", "OF"),
        ("RULES", "DROP"),
        ("RULES", "LIST"),
        ("RULES", "SAVE"),
        ("STANDBY", "OFFER"),
    }
)
"""The beginnings of GMs' commands whose first word is also a player's."""
GM_HEADED: Final = frozenset({("ORDERS", "FOR"), ("STANDBY",)})
"""The beginnings of players' lines that mean a GM's command in a letter with a GM's heading."""
_NEAR: Final = 0.75

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
def gm_words() -> frozenset[str]:
    """Return the words that only GMs' commands begin with."""
    return gms_reader().first_words() - players_reader().first_words()


@cache
def command_words() -> frozenset[str]:
    """Return the words that a command begins with; no order of any ruleset begins with one."""
    return players_reader().first_words() | gms_reader().first_words() | {"END"}


@cache
def players_words() -> frozenset[str]:
    """Return the words proposed to a player, who can also become the GM of a new game."""
    return command_words() - gm_words() | {"CREATE"}


def is_courtesy(text: str) -> bool:
    """Return whether a GM's line is a remark: everyday words, and no command, nor nearly one."""
    words = words_of(text)
    everyday = [word for word in words if is_everyday(word)]
    others = [word.upper() for word in words if word not in everyday]
    near = any(get_close_matches(word, command_words(), n=1, cutoff=_NEAR) for word in others)
    return bool(everyday) and len(everyday) >= len(others) and not near


def is_for_gms(line: Line, *, headed: bool = False) -> bool:
    """Return whether *line* is a GM's command; *headed* means below a GM's heading."""
    words = (*fold(line.text).text.upper().split()[:3], "", "", "")
    if words[0] == "DEPUTY":
        # A player names only an address, and a GM the seat before it.
        named = headed and words[1] != "NONE"
        return "@" not in words[1] and (named or "@" in words[2] or words[2] == "NONE")
    if words[0] == "REVEAL":
        # A player names a part, and a GM nothing.
        return words[1] not in {part.name for part in RevealedPart}
    if words[0] in gm_words() or words[:2] in GM_PHRASES:
        return True
    return headed and not GM_HEADED.isdisjoint((words[:1], words[:2]))
