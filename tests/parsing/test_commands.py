"""Commands of players and GMs as typed, and the answers to bad ones."""

from datetime import time, timedelta

import pytest

from referee.domain import commands as c
from referee.domain import gm_commands as gm
from referee.domain.days import ClockTime, NamedDay, NearDay, Weekday
from referee.domain.mail_transfer import Line
from referee.domain.press import PressRule, PressTime
from referee.domain.revealed_parts import RevealedPart
from referee.domain.votes import Motion
from referee.parsing.commands import (
    command_words,
    gm_words,
    gms_reader,
    is_for_gms,
    players_reader,
    read_press_time,
)
from referee.parsing.gm_commands import COMMAND_MEANT
from referee.parsing.items import Parsed, PressBlock, StandingBlock, Unparsed
from referee.parsing.reader import Reader
from referee.rules.ruleset import UserError
from referee.rulesets.starweb.language import GRAMMAR

LONG_JOIN = (
    "JOIN SW-1 FRODO OR BILBO AS Empire Builder OR Pirate REAL NAME Frodo Baggins "
    "ZONE Europe/Berlin"
)
LONG_CREATE = (
    'CREATE STARWEB SEATS 3 DEADLINE "every second Friday 18:00 America/Phoenix" '
    'OPTION worlds=60 fog = "no", x=1 TITLE "The Shire"'
)


def read(reader: Reader, text: str) -> object:
    (item,) = reader.read(text)
    return item.order if isinstance(item, Parsed) else item


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("HELP", c.Help()),
        ("help option press", c.Help("option press")),
        ("LIST", c.ListGames()),
        ("SHARE DIARY NO", c.SetRevealed(RevealedPart.DIARY, agrees=False)),
        ("SHARE PRESS YES", c.SetRevealed(RevealedPart.PRESS, agrees=True)),
        ("SHARE NAME NO", c.SetRevealed(RevealedPart.NAME, agrees=False)),
        ("DIARY DELETE 3", c.DeleteEntry(3)),
        ("STATUS", c.Status()),
        ("ORDERS", c.ShowOrders()),
        ("ORDERS 90", c.CountOrders(90)),
        ("Total orders: 90", c.CountOrders(90)),
        ("total orders 90", c.CountOrders(90)),
        ("ORDERS: 90", c.CountOrders(90)),
        ("<90>", c.CountOrders(90)),
        ("< 90 >", c.CountOrders(90)),
        ("CHECK", c.Check()),
        ("Clear", c.Clear()),
        ("ADD", c.Add()),
        ("CANCEL F3W5", c.Cancel("F3W5")),
        ("CANCEL 3041", c.Recall(3041)),
        ("RULES", c.ShowRules()),
        ("rules sw-1", c.ShowRules("SW-1")),
        ("VOTE EXTEND 36 hours", c.CastVote(Motion.EXTEND, span=timedelta(hours=36))),
        ("vote extend no", c.CastVote(Motion.EXTEND, ballot=False)),
        ("VOTE HOLD", c.CastVote(Motion.HOLD)),
        ("VOTE END YES", c.CastVote(Motion.END, ballot=True)),
        ("VOTE CONCEDE TO mars", c.CastVote(Motion.CONCEDE, seat="MARS")),
        ("VOTE CONCEDE MARS NO", c.CastVote(Motion.CONCEDE, ballot=False, seat="MARS")),
        ("FINAL", c.Final()),
        ("WAIT", c.Wait()),
        ("REPORT", c.ShowReport()),
        ("REPORT 7", c.ShowReport(7)),
        ("RESIGN", c.Resign()),
        ("CONFIRM", c.Confirm()),
        ("SET NAME J\u00fcrgen M\u00fcller", c.SetName("J\u00fcrgen M\u00fcller")),
        ("SET ZONE europe/berlin", c.SetZone("Europe/Berlin")),
        ("MAP", c.ShowMap()),
        ("SET ATTACHMENTS NONE", c.SetAttachments(())),
        ("set attachments deadline, report",
         c.SetAttachments((c.AttachmentKind.REPORT, c.AttachmentKind.DEADLINE))),
        ("SET ATTACHMENTS PNG,MAP",
         c.SetAttachments((c.AttachmentKind.MAP, c.AttachmentKind.PNG))),
        ("JOIN sw-1", c.Join("SW-1")),
        ("JOIN SW-1 FRODO", c.Join("SW-1", ("FRODO",))),
        ("JOIN SW-1 Standing Bear AS Pirate", c.Join("SW-1", ("Standing Bear",), ("Pirate",))),
        ("JOIN", c.Join("")),
        ("JOIN FRODO AS Pirate", c.Join("", ("FRODO",), ("Pirate",))),
        (
            "JOIN SW-1 CODE SJHRCV37 THORIN AS Empire Builder",
            c.Join("SW-1", ("THORIN",), ("Empire Builder",), code="SJHRCV37"),
        ),
        (LONG_JOIN,
         c.Join("SW-1", ("FRODO", "BILBO"), ("Empire Builder", "Pirate"), "Frodo Baggins",
                "Europe/Berlin")),
        ("join sw-1 zone utc real name \u201cOr Zone\u201d as \"Empire Builder\"",
         c.Join("SW-1", (), ("Empire Builder",), "Or Zone", "UTC")),
        ("PRESS TO MARS", PressBlock(0, ("MARS",), False, "")),
        ("press to mars, hatysa and x:", PressBlock(0, ("MARS", "HATYSA", "X"), False, "")),
        ("PRESS ANONYMOUS TO MARS", PressBlock(0, ("MARS",), True, "")),
        ("PRESS AT DEADLINE-2h RECEIPT TO MARS",
         PressBlock(0, ("MARS",), False, "", receipt=True,
                    when=PressTime("DEADLINE-2h", timedelta(hours=2)))),
        ("press receipt anonymous to mars", PressBlock(0, ("MARS",), True, "", receipt=True)),
        ("STANDING", StandingBlock()),
    ],
)  # fmt: skip
def test_a_command_of_a_player_is_parsed(text: str, command: object) -> None:
    assert read(players_reader(), text) == command


@pytest.mark.parametrize(
    ("text", "command"),
    [
        (LONG_CREATE,
         c.Create("STARWEB", "The Shire", 3, "every second Friday 18:00 America/Phoenix",
                  (("worlds", "60"), ("fog", "no"), ("x", "1")))),
        ("create star web deadline 72 hours, not before 12:00 Europe/Berlin seats 3",
         c.Create("star web", "", 3, "72 hours, not before 12:00 Europe/Berlin")),
        ("START", gm.Start()),
        ("HOLD", gm.Hold()),
        ("RESUME", gm.Resume()),
        ("SCHEDULE weekdays 20:00 Europe/Berlin", gm.SetSchedule("weekdays 20:00 Europe/Berlin")),
        ('SCHEDULE "3 days"', gm.SetSchedule("3 days")),
        ("DEADLINE 2026-09-18 at 18:00 europe/berlin",
         gm.SetDeadline(NamedDay(9, 18, 2026), time(18), "Europe/Berlin")),
        ("DEADLINE 29 Nov 2026 18:00 Europe/Berlin",
         gm.SetDeadline(NamedDay(11, 29, 2026), time(18), "Europe/Berlin")),
        ("DEADLINE 29 November 2026, 18:00 Europe/Berlin",
         gm.SetDeadline(NamedDay(11, 29, 2026), time(18), "Europe/Berlin")),
        ("DEADLINE November 29, 2026 at 18:00 Europe/Berlin",
         gm.SetDeadline(NamedDay(11, 29, 2026), time(18), "Europe/Berlin")),
        ("DEADLINE Sun 29 Nov 2026, 18:00 Europe/Berlin",
         gm.SetDeadline(NamedDay(11, 29, 2026), time(18), "Europe/Berlin")),
        ("DEADLINE 29th nov 2026 18:00 Europe/Berlin",
         gm.SetDeadline(NamedDay(11, 29, 2026), time(18), "Europe/Berlin")),
        ("DEADLINE 3 December 18:00 Europe/Berlin",
         gm.SetDeadline(NamedDay(12, 3), time(18), "Europe/Berlin")),
        ("DEADLINE tomorrow 20:00", gm.SetDeadline(NearDay(1), time(20), "")),
        ("DEADLINE Fri, at 20:00 UTC BECAUSE Sam is ill",
         gm.SetDeadline(Weekday(4), time(20), "UTC", "Sam is ill")),
        ("DEADLINE sunday 8:00 because Sam is ill",
         gm.SetDeadline(Weekday(6), time(8), "", "Sam is ill")),
        ("EXTEND 2 days", gm.Extend(timedelta(days=2))),
        ('EXTEND "2 days"', gm.Extend(timedelta(days=2))),
        ("EXTEND 2 days BECAUSE Sam is ill.", gm.Extend(timedelta(days=2), "Sam is ill")),
        ("HOLD because of the holidays", gm.Hold("the holidays")),
        ("RESUME BECAUSE all are back", gm.Resume("all are back")),
        ("TITLE At war because of gold", gm.SetTitle("At war because of gold")),
        ("REMIND NOW", gm.Remind()),
        ("RESOLVE", gm.Resolve()),
        ("OPTION worlds=60, fog=no", gm.SetOptions((("worlds", "60"), ("fog", "no")))),
        ("SEATS 5", gm.SetSeats(5)),
        ("TITLE The Shire League", gm.SetTitle("The Shire League")),
        ("OPTION PRESS ALL ANONYMOUS AT ONCE NO BROADCAST LIMIT 5",
         gm.SetPress(PressRule.ALL, anonymous=True, at_once=True, broadcast=False, limit=5)),
        ("option press no limit broadcast with report",
         gm.SetPress(at_once=False, broadcast=True, limit=0, kilobytes=0)),
        ("OPTION PRESS LIMIT 200 KB", gm.SetPress(kilobytes=200)),
        ("option press limit 7 limit 30 kb", gm.SetPress(limit=7, kilobytes=30)),
        ("OPTION PRESS NO LIMIT LIMIT 30 KB", gm.SetPress(limit=0, kilobytes=30)),
        ("OPTION PRESS MET SIGNED", gm.SetPress(PressRule.MET, anonymous=False)),
        ("option press nobody", gm.SetPress(PressRule.NONE)),
        ("ACCEPT LATE 17", gm.AcceptLate(17)),
        ("ACCEPT LATE ceres 17", gm.AcceptLate(17, "ceres")),
        ("SHEETS", gm.ShowSheets()),
        ("REPORT OF CERES 7", gm.ShowReportOf("CERES", 7)),
        ("report of ceres", gm.ShowReportOf("ceres")),
        ("AUDIT", gm.ShowAudit()),
        ("QUARANTINE", gm.ShowQuarantine()),
        ("INVITE Sam@Example.org", gm.Invite(("sam@example.org",))),
        ("INVITE <Sam@Example.org>", gm.Invite(("sam@example.org",))),
        (
            'INVITE "Gamgee, S." <sam@a.example>, Tom Cotton <tom@a.example>',
            gm.Invite(("sam@a.example", "tom@a.example")),
        ),
        ("REPLACE CERES Sam G. <sam@a.example>", gm.Replace("CERES", "sam@a.example")),
        (
            "INVITE sam@a.example, tom@b.example and sam@a.example",
            gm.Invite(("sam@a.example", "tom@b.example")),
        ),
        ("SEATS 3", gm.SetSeats(3)),
        ("REPLACE CERES sam@example.org", gm.Replace("CERES", "sam@example.org")),
        ("VACATE CERES", gm.Vacate("CERES")),
        ("PROMOTE sam@example.org", gm.Promote("sam@example.org")),
        ("END GAME", gm.EndGame()),
        ("REVEAL", gm.Reveal()),
        ("PREVIEW", gm.Preview()),
        ("REPLAY", gm.Replay()),
        ("ROLLBACK", gm.Rollback(1)),
        ("ROLLBACK 2 TURNS", gm.Rollback(2)),
        ("CORRECT a mistake of mine", gm.Correct("a mistake of mine")),
        ("BROADCAST", gm.Broadcast()),
    ],
)  # fmt: skip
def test_a_command_of_a_gm_is_parsed(text: str, command: object) -> None:
    assert read(gms_reader(), text) == command


@pytest.mark.parametrize(
    ("text", "column", "reason", "advice"),
    [
        ("JOIN SW-1 ZONE UTC ZONE UTC", 1, "The zone is here twice.", ""),
        ("JOIN SW-1 FRODO BILBO", 22,
            ("Expected AS, CODE, REAL, ZONE or a word after JOIN SW-1 FRODO BILBO, "
             "but found nothing."),
            ""),
        ("SET ZONE Berlin", 1,
         "We do not know that time zone. Write it like Europe/Berlin. Did you mean Europe/Berlin?",
         ""),
        ("CANCEL", 7, "Which order?", "CANCEL F3W75 removes that order, CLEAR removes all."),
        ("PRESS MARS", 7, "Expected TO after PRESS.", "PRESS TO MARS, then the message, then END."),
        ("REPORT T7", 8, "Expected the number of a turn.", "REPORT 7 mails the report of turn 7."),
        ("FINAL.", 6, "An order ends without a full stop or other mark.", "Write FINAL."),
        ("VOTE", 5,
         "Expected what to vote on.",
         "Write VOTE EXTEND 2 days, HOLD, DRAW, CONCEDE TO MARS, END or GM."),
        ("VOTE EXTEND 2 parsecs", 1,
         "By how much? VOTE EXTEND 2 days, or VOTE EXTEND 36 hours.", ""),
        ("LIST of pills", 6, "Write LIST on a line of its own.", ""),
        ("wait for me", 6, "WAIT goes on a line of its own.", ""),
        ("REP0RT", 4, "This is a zero, not the letter O.", "Write REPORT."),
        ("ADD W7B5F9", 5, "ADD goes on a line of its own.", "Write the orders below it."),
        ("CLEAR W7B5F9", 7, "CLEAR removes all orders.",
         "Write CLEAR alone on its line; CANCEL F3W5 removes one."),
        ("CLEAR T0", 8, "There is no T0. Numbers begin at 1.", ""),
        ("CLEAR T-1", 8, "A number has no sign and no marks in it.", ""),
        ("ORDERS T0", 9, "There is no T0. Numbers begin at 1.", ""),
    ],
)  # fmt: skip
def test_a_bad_command_of_a_player_is_answered(
    text: str, column: int, reason: str, advice: str
) -> None:
    item = read(players_reader(), text)
    assert isinstance(item, Unparsed)
    assert (item.column, item.reason, item.advice) == (column, reason, advice)


@pytest.mark.parametrize(
    ("text", "column", "reason"),
    [
        ("CREATE", 7, "Which game?"),
        ("CREATE STARWEB SEATS 3", 1,
         'When are turns due? For example, add DEADLINE "weekdays 20:00 Europe/Berlin".'),
        ("CREATE STARWEB DEADLINE sometimes", 1,
         ('"sometimes" is not a schedule. Begin with daily, weekdays, every or a number, '
          "as in every Friday 18:00 UTC.")),
        ("CREATE STARWEB OPTION worlds", 23, "Which option?"),
        ("DEADLINE 3 days", 10, "Which day?"),
        ("DEADLINE 2026-02-30 18:00 UTC", 1,
         "There is no date 2026-02-30. Write it like 18 September or 2030-09-18."),
        ("EXTEND daily 20:00 UTC", 1, "By how much? EXTEND 2 days."),
        ("EXTEND 2 days BECAUSE", 22, "Why?"),
        (f"HOLD BECAUSE {'x' * 201}", 1,
         "A reason has at most 200 characters. PRESS TO ALL has room."),
        ("ACCEPT LATE", 12, "Which email?"),
        ("START now", 7, "Unexpected text after START: now."),
    ],
)  # fmt: skip
def test_a_bad_command_of_a_gm_is_answered(text: str, column: int, reason: str) -> None:
    item = read(gms_reader(), text)
    assert isinstance(item, Unparsed)
    assert (item.column, item.reason) == (column, reason)


def test_the_command_words_come_from_the_grammars() -> None:
    for word in ("CREATE", "START", "HOLD", "RESUME", "SCHEDULE", "DEADLINE", "BROADCAST"):
        assert (word in gm_words(), word in command_words()) == (True, True)
    for player in ("HELP", "ORDERS", "<", "JOIN", "PRESS", "STANDING", "REPORT", "STATUS"):
        assert (player in gm_words(), player in command_words()) == (False, True)


def test_no_order_begins_with_a_command_word() -> None:
    assert not Reader(GRAMMAR).first_words & command_words()


@pytest.mark.parametrize("text", ["DEPUTY", "DEPUTY CERES", "DEPUTY CERES TO 2 October"])
def test_a_gms_heading_makes_deputy_without_address_a_gm_command(text: str) -> None:
    line = Line(1, text)
    assert (is_for_gms(line), is_for_gms(line, headed=True)) == (False, True)


def test_a_player_who_is_gm_names_their_own_deputy() -> None:
    assert not is_for_gms(Line(1, "DEPUTY sam@example.org TO 2 October"), headed=True)
    assert not is_for_gms(Line(1, "DEPUTY NONE"), headed=True)


@pytest.mark.parametrize(
    ("text", "lead"),
    [
        ("DEADLINE-2h", timedelta(hours=2)),
        ("deadline - 30 min", timedelta(minutes=30)),
        ("DEADLINE-1d", timedelta(days=1)),
        ("DEADLINE -3 hours", timedelta(hours=3)),
        ("DEADLINE", timedelta(0)),
    ],
)
def test_a_time_before_the_deadline(text: str, lead: timedelta) -> None:
    assert read_press_time(text) == PressTime(text, lead=lead)


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("18:00", ClockTime(time(18))),
        ("Fri 18:00", ClockTime(time(18), Weekday(4))),
        ("thursday, 9:30 UTC", ClockTime(time(9, 30), Weekday(3), "UTC")),
        ("tomorrow at 9:30", ClockTime(time(9, 30), NearDay(1))),
        ("Fri 18 Sep, 18:00", ClockTime(time(18), NamedDay(9, 18))),
        ("2030-09-18 18:00 UTC", ClockTime(time(18), NamedDay(9, 18, 2030), "UTC")),
    ],
)
def test_a_time_by_the_clock(text: str, clock: ClockTime) -> None:
    assert read_press_time(text) == PressTime(text, clock=clock)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("noon", "When does it go out?"),
        ("DEADLINE+2h", "When does it go out?"),
        ("DEADLINE-2", "Expected hours or days after the number"),
        ("DEADLINE-soon", "is not a length of time"),
        ("25:00", "When does it go out?"),
        ("someday 18:00", "We do not know the day someday."),
        ("Fri 18:00 Shire", "We do not know that time zone."),
    ],
)
def test_a_time_that_cannot_be_read_says_how_to_write_it(text: str, words: str) -> None:
    with pytest.raises(UserError, match=words.replace("?", r"\?")):
        read_press_time(text)


def test_no_such_word_is_a_command() -> None:
    assert command_words().isdisjoint(COMMAND_MEANT)


def test_all_advice_begins_with_a_command_of_a_gm() -> None:
    assert [
        text for text in COMMAND_MEANT.values() if text.split()[0] not in gms_reader().first_words
    ] == []


@pytest.mark.parametrize(
    ("typed", "meant"), [("Total: 2", "Total ORDERS: 2"), ("Total 2", "Total ORDERS 2")]
)
def test_a_missing_word_is_proposed_with_a_blank_before_it(typed: str, meant: str) -> None:
    (item,) = players_reader().read(typed)
    assert isinstance(item, Unparsed)
    assert item.advice == f"Did you mean {meant}?"
