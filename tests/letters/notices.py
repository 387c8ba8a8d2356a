"""One letter of each kind; ``python -m tests.letters.notices`` writes the golden files again."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from referee.domain.player_settings import ReportFormat
from referee.domain.sheets import Change
from referee.letters.outgoing.acknowledgement_notice import Acknowledgement
from referee.letters.outgoing.address_notices import (
    AddressConfirm,
    AddressLapsed,
    AddressLeft,
    AddressMoved,
    AddressProof,
    AddressProved,
    AddressRefused,
    AtSecondAddress,
    DailyDigest,
    DigestItem,
    Disclosure,
    ForgetProof,
    Forgotten,
    SecondAddressSet,
    TokensRenewed,
)
from referee.letters.outgoing.compose import Composer
from referee.letters.outgoing.end_notices import Book, BookFile, FinalStanding, Plain, Revealed
from referee.letters.outgoing.gm_notices import (
    BounceWarning,
    KeptSummary,
    OrdersMissing,
    SeatSummary,
    TurnSummaries,
    TurnSummary,
    WatchedGame,
)
from referee.letters.outgoing.local_time import Deadline, Moment, MovedDeadline
from referee.letters.outgoing.notices import (
    AnswersPaused,
    Appointed,
    Atlas,
    Chapter,
    Checked,
    CommandAnswers,
    CommandReply,
    Confirmation,
    Correction,
    GameChanged,
    GameCreated,
    GameStarted,
    GmAnswer,
    GuideOrders,
    GuideText,
    HelpPage,
    History,
    HouseRules,
    HouseRulesChanged,
    HouseRulesText,
    Joined,
    LessonText,
    LineError,
    ManyWrongCodes,
    Map,
    MissedTurn,
    Notice,
    OperatorAlert,
    OperatorDigest,
    OrderResult,
    PressItem,
    Reminder,
    Report,
    ReportAgain,
    RuledOrder,
    StandingDoubts,
    TooLate,
    Unknown,
    VoteClosed,
    VoteOpened,
)
from referee.letters.outgoing.pairs import NOTHING, Drawn, as_lines
from referee.letters.outgoing.press_notices import (
    Diary,
    DiaryItem,
    MorePress,
    PressDelivered,
    PressLetter,
    PressToGm,
    diary_text,
)
from referee.letters.outgoing.seat_notices import (
    DeputyAccepted,
    DeputyAsked,
    DeputyBegins,
    DeputyEnded,
    HandedOver,
    Invitation,
    NotAsked,
    Observing,
    PublicReport,
    SeatGone,
    SeatOffered,
    SeatUnfilled,
    SheetChanged,
)
from referee.letters.outgoing.unread_notices import AlreadyReceived, Quarantined, TooBig
from referee.reports.html import html
from referee.rules.ruleset import Event, Weight
from referee.rules.views import Verbatim

GOLDEN: Final = Path(__file__).parent / "golden"

ARRIVED: Final = Moment(datetime(2026, 9, 18, 4, 4, tzinfo=UTC), "America/Phoenix")
BEFORE: Final = Moment(datetime(2026, 9, 17, 2, 30, tzinfo=UTC), "America/Phoenix")
TURN_SUMMARY: Final = TurnSummary(
    game="SW-7",
    turn=11,
    resolved=ARRIVED,
    why="at its deadline",
    missed=("CERES",),
    seats=(
        SeatSummary(
            "CERES: missed 2 turns in a row, the limit of this game, offered to standbys",
            "CERES lost W1 to MARS.",
        ),
        SeatSummary("MARS: 12 orders, late, 1 email bounced"),
        SeatSummary("VENUS: standing orders ran, away from Thu 17 Sep 2026 to Sat 19 Sep 2026"),
        SeatSummary("HATYSA: vacant"),
    ),
    news=(Event("A black box was opened.", None),),
    announced=("The GM accepted late orders for turn 11.",),
    waiting=(
        (
            "MARS #4 came too late. Once its turn is played again (ROLLBACK), ACCEPT LATE MARS #4 "
            "makes it count."
        ),
    ),
    actions=(
        "REMIND NOW: reminds the players who still have to send orders.",
        "EXTEND 1 day: gives everyone more time for the turn.",
        "STANDBY OFFER HATYSA: offers the seat to standbys.",
    ),
    deadline=Deadline(datetime(2026, 9, 21, 1, 0, tzinfo=UTC), "America/Phoenix"),
)
WATCHED: Final = WatchedGame(
    game="SW-7",
    turn=11,
    left="12 hours",
    deadline=ARRIVED,
    missing=("CERES: missed 1 turn", "MARS: standing orders run"),
    actions=TURN_SUMMARY.actions[:2],
)
DEADLINE: Final = Deadline(datetime(2026, 9, 19, 1, 0, tzinfo=UTC), "America/Phoenix")
MOVED: Final = MovedDeadline(
    "The GM moved the deadline of turn 11",
    Moment(datetime(2026, 9, 17, 1, 0, tzinfo=UTC), "America/Phoenix"),
    DEADLINE,
)

ACCEPTED: Final = (
    RuledOrder(2, "F3T4F17", "Fleet 3 gives 4 ships to fleet 17 at W5."),
    RuledOrder(3, "F3T1P", "Fleet 3 leaves 1 ship to guard the people of W5."),
    RuledOrder(6, "W75B2F119", "W75 builds 2 ships onto fleet 119."),
    RuledOrder(7, "F85W9W31W77 (conditionally)", "Fleet 85 goes to W77, through W9 and W31."),
)
WARNED: Final = (
    RuledOrder(
        5,
        "F17W66",
        "Fleet 17 goes to W66.",
        "F17 has no ships now. It moves only because line 2 gives it 4.",
    ),
)
FAULTS: Final = (
    LineError(4, "F3TF7", "How many ships?", "F3T5F7 would move five.", 3),
    LineError(
        9,
        "F109W99",
        "W99 is not next to W3, where F109 is.",
        "Gates from W3: W13, W176, W223, W251.",
        4,
        topic="F109W99",
    ),
    LineError(
        11,
        "F1W2 F3W4 F5W6 F7W8 F9W10 F11W12 F13W14 F15W16 F17W18 F19W2O F21W22 F23W24 F25W26",
        "this is the letter O.",
        "F19W20 has a zero.",
        61,
    ),
    LineError(12, "F3G=HATYSS", "HATYSS is nobody you have met.", "Did you mean HATYSA?"),
)


def printed(text: str) -> Drawn:
    """Return a printout as a part of a letter."""
    return Drawn(text, html((Verbatim(text, wraps=True),)))


FORECAST: Final = printed(
    "W5 (18,75,66,103) [TERRAN] (Metal=10,Mines=5,Population=11,Limit=20)\n   F3[CERES]=1"
)
COMMITMENT: Final = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
SEED: Final = "5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9"


def acknowledgement(**changes: object) -> Acknowledgement:
    """Return an empty acknowledgement with *changes*."""
    values: dict[str, object] = {
        "receipt": 3041,
        "game": "SW-555",
        "turn": 11,
        "arrived": ARRIVED,
        "filed": True,
        "accepted": (),
        "warned": (),
        "faults": (),
        "said": (),
        "unused": (),
        "forecast": NOTHING,
        "unread": (),
        "deadline": DEADLINE,
    }
    return Acknowledgement(**{**values, **changes})  # type: ignore[arg-type]  # fields by name


DOUBTS: Final = StandingDoubts(
    (OrderResult("F3W75", "There is no gate from W5 to W75."),),
    (OrderResult("W5B20F3", "Only 2 of 20 are possible."),),
)
REPORT: Final = Report(
    game="SW-7",
    title="Autumn",
    turn=11,
    seat="CERES",
    view=FORECAST,
    missed=False,
    generated=(),
    failed=(OrderResult("F109W99", "W99 is not next to W3."),),
    news=(Event("HATYSA has captured W31.", None, Weight.LOSS),),
    press=(
        PressItem("HATYSA", "CERES, MARS", "I shall not move on W13.\n\nDo you?"),
        PressItem("ANONYMOUS", "", "-- \nBeware."),
    ),
    notes=("The GM has moved the deadline by a day.",),
    deadline=DEADLINE,
    template=("F3", "F17", "W5"),
)

RULES: Final = HouseRulesText(
    "SW-7",
    "Autumn",
    2,
    None,
    (
        Chapter("DEADLINES", ("Turns are due: every second Friday 18:00 America/Phoenix.",)),
        Chapter(
            "VOTES",
            (
                "VOTE DRAW (end the game as a draw among all who still play): not here.",
                "A vote is open for 3 days. Every seat has one vote. Not voting counts as no.",
            ),
        ),
    ),
)

LETTERS: Final[dict[str, Notice]] = {
    "acknowledgement": acknowledgement(
        accepted=ACCEPTED,
        warned=WARNED,
        faults=FAULTS,
        said=(CommandReply(13, "FINAL", "You are ready. The others are not yet."),),
        unused=(
            "F21, F22: no order to move or fire, so they ambush.",
            "W20: 12 of 30 industry; they build I-Ships.",
        ),
        forecast=FORECAST,
        unread=("212 quoted lines", "your signature", "logo.png"),
        replaces="#3017",
        replaced=BEFORE,
        expected=12,
        can_undo=True,
        sheet=("F3T4F17 F3T1P W75B2F119", "F17W66"),
    ),
    "acknowledgement_of_good_orders": acknowledgement(accepted=ACCEPTED[:1]),
    "acknowledgement_of_a_changed_quote": acknowledgement(
        accepted=ACCEPTED[:1], edited=True, replaces="#3017", replaced=BEFORE, sheet=("F3T4F17",)
    ),
    "acknowledgement_of_an_undo": acknowledgement(
        change=Change.RESTORED,
        said=(CommandReply(1, "UNDO", "We took back what your email #3030 did."),),
        replaces="#3017",
        replaced=BEFORE,
        accepted=(replace(ACCEPTED[0], line=0),),
        sheet=("F3T4F17",),
    ),
    "acknowledgement_of_an_added_order_after_final": acknowledgement(
        change=Change.ADDED,
        replaces="#3017",
        replaced=BEFORE,
        accepted=(replace(ACCEPTED[0], line=0), ACCEPTED[1]),
        sheet=("F3T4F17 F3T1P",),
        final=True,
        can_undo=True,
    ),
    "acknowledgement_of_final_with_a_warning": acknowledgement(
        accepted=ACCEPTED,
        warned=WARNED[:1],
        sheet=("F3T4F17 F3T1P",),
        final=True,
    ),
    "acknowledgement_of_an_unread_order": acknowledgement(
        change=Change.NONE,
        replaces="#3017",
        replaced=BEFORE,
        faults=FAULTS[:1],
        accepted=(replace(ACCEPTED[0], line=0),),
        sheet=("F3T4F17",),
        final=True,
    ),
    "acknowledgement_of_rejected_orders_in_a_ready_turn": acknowledgement(
        faults=(replace(FAULTS[1], filed=True), FAULTS[2]),
        accepted=ACCEPTED[:1],
        said=(CommandReply(13, "FINAL", "Everyone is ready: the turn is resolved now."),),
        sheet=("F109W99 F3T4F17",),
        closed="The turn is resolved now",
        final=True,
        can_undo=True,
    ),
    "acknowledgement_out_of_turn": acknowledgement(
        faults=(replace(FAULTS[1], filed=True),),
        sheet=("F109W99",),
        awaited=False,
        can_undo=True,
    ),
    "acknowledgement_of_a_big_loss": acknowledgement(
        replaces="#3017",
        replaced=BEFORE,
        before=40,
        lost=40,
        faults=FAULTS[:2],
        accepted=ACCEPTED[:1],
        sheet=("F3T4F17",),
        can_undo=True,
    ),
    "acknowledgement_of_prose": acknowledgement(
        change=Change.NONE,
        faults=(LineError(1, "I am back on Monday.", "This is not an order.", is_words=True),),
        nearest="STARWEB MOVING",
    ),
    "acknowledgement_of_prose_in_a_tutorial": acknowledgement(
        change=Change.NONE,
        faults=(LineError(1, "What now?", "This is not an order.", is_words=True),),
        to_try=(GuideOrders(("W3B10F5 W3B10F10",), "W3 is your home."),),
        for_one=True,
    ),
    "acknowledgement_of_a_final_put_aside": acknowledgement(
        faults=(replace(FAULTS[1], filed=True),),
        accepted=ACCEPTED[:1],
        undone=(
            LineError(
                13,
                "FINAL",
                "Not carried out, because F109W99 was rejected. "
                "To say it, send an email with only FINAL.",
            ),
        ),
        sheet=("F109W99 F3T4F17",),
        final_aside=True,
        can_undo=True,
    ),
    "acknowledgement_of_a_failed_cancel": acknowledgement(
        change=Change.NONE,
        replaces="#3017",
        replaced=BEFORE,
        accepted=(replace(ACCEPTED[0], line=0),),
        said=(CommandReply(1, "CLEAR T13", "Your sheet for turn 13 is removed."),),
        undone=(LineError(2, "CANCEL F1W2", "F1W2 is not on your sheet. ORDERS shows the sheet."),),
        sheet=("F3T4F17",),
        can_undo=True,
    ),
    "acknowledgement_of_a_coming_turn": acknowledgement(
        turn=12, accepted=ACCEPTED[:1], sheet=("F3T4F17",), coming=True
    ),
    "acknowledgement_of_a_check": acknowledgement(
        filed=False, accepted=ACCEPTED[:2], forecast=FORECAST
    ),
    "acknowledgement_of_a_check_beside_a_sheet": acknowledgement(
        filed=False, faults=FAULTS[:1], replaces="#3017", replaced=BEFORE
    ),
    "acknowledgement_of_clear": acknowledgement(
        change=Change.REDUCED,
        said=(CommandReply(1, "CLEAR", "14 orders removed from the sheet."),),
        replaces="#3017",
        replaced=BEFORE,
        deadline=None,
        emptied=True,
    ),
    "checked": Checked(ACCEPTED[:2], WARNED, FAULTS[:2], ("F21: it stays.",), FORECAST),
    "joined": Joined(
        game="SW-7",
        title="Autumn",
        seat="CERES",
        choices=("character: Pirate, or Merchant",),
        remarks=("You cannot have the name MARS.",),
        account=1234,
        code="K7QX2M4A",
        taken=3,
        places=8,
        schedule="every second Friday 18:00 America/Phoenix",
        starts="The game starts when all seats are taken, or when the GM sends START.",
        starts_now=False,
        zone="America/Phoenix",
    ),
    "joined_with_many_wishes": Joined(
        game="SW-7",
        title="A cold and long autumn between the stars",
        seat="CERES",
        choices=("character: Empire Builder, or Artifact Collector",),
        remarks=("You cannot have the names MARS, VEGA and HATYSA. You are called CERES.",),
        account=1234,
        code="K7QX2M4A",
        taken=3,
        places=8,
        schedule="a turn on weekdays at 20:00 America/Argentina/Buenos_Aires",
        starts="The game starts on Fri 18 Sep 2026, 18:00 MST (Sat 01:00 UTC) if all seats are "
        "taken. If it has not started by Fri 25 Sep 2026, 18:00 MST (Sat 01:00 "
        "UTC), it is called off.",
        starts_now=False,
        zone="America/Argentina/Buenos_Aires",
    ),
    "joined_again": Joined(
        game="SW-8",
        title="",
        seat="CERES",
        choices=(),
        remarks=(),
        account=1234,
        code="",
        taken=8,
        places=8,
        schedule="a turn every 3 days",
        starts="The game starts when all seats are taken, or when the GM sends START.",
        starts_now=True,
        zone="UTC",
    ),
    "game_created": GameCreated(
        game="SW-7",
        title="Autumn",
        ruleset="StarWeb",
        places=8,
        schedule="every second Friday 18:00 America/Phoenix",
        starts="The game starts when all seats are taken, or when the GM sends START.",
        join="JOIN SW-7",
        joining=("The GM decides about everyone who wants to join.",),
        options=("target = 10000", "press = anonymous allowed"),
        account=17,
        code="AB2CD3EF",
        address="games@referee.example",
    ),
    "game_started": GameStarted(
        game="SW-7",
        title="Autumn",
        seats=("CERES: Frodo Baggins", "HATYSA: Sam"),
        remarks=("The best placed home has 8 % more within reach than the worst.",),
        deadline=DEADLINE,
        commitment=COMMITMENT,
    ),
    "report": REPORT,
    "report_first": Report(
        game="SW-7",
        title="",
        turn=1,
        seat="CERES",
        view=FORECAST,
        missed=False,
        generated=(),
        failed=(),
        news=(),
        press=(),
        notes=(),
        deadline=DEADLINE,
        template=("F3", "W5"),
        commitment=COMMITMENT,
        guide=GuideText(
            "You are CERES, a Pirate. W5 can build 3 ships this turn.",
            (
                GuideOrders(("W5B3F3",), "The new ships move this turn if you add F3W18."),
                GuideOrders(("BUILD Earth 2 probe", "MOVE p1 TO (1,0)"), "Probes see far."),
            ),
            ("HELP STARWEB START: your first turn, step by step",),
        ),
    ),
    "report_first_with_alternatives": Report(
        game="FP-1",
        title="",
        turn=1,
        seat="ALMA",
        view=FORECAST,
        missed=False,
        generated=(),
        failed=(),
        news=(),
        press=(),
        notes=(),
        deadline=DEADLINE,
        template=("H12",),
        guide=GuideText(
            "You are ALMA.",
            (GuideOrders(("H12",), "It has 6 stars nearby."),),
            ("HELP ORDERS: all orders",),
            alternatives=True,
        ),
    ),
    "report_with_lesson": replace(
        REPORT,
        lesson=LessonText(
            number=2,
            steps=5,
            title="Move your ships",
            remarks=("You built ships. Next, move them.",),
            paragraphs=("A fleet moves through a gate.", "You see a world when you are there."),
            orders=(GuideOrders(("F5W12",), "W12 is next door."),),
        ),
    ),
    "report_after_lessons": replace(
        REPORT,
        lesson=LessonText(
            number=None,
            steps=5,
            title="StarWeb",
            remarks=("Your fleets have moved.",),
            paragraphs=("You can play StarWeb now.",),
            orders=(),
        ),
    ),
    "report_corrected": replace(
        REPORT,
        correction=Correction(
            "Two ships were lost by a typing error.",
            printed("F109 is at W3 with 7 ships."),
            (OrderResult("F109W99", "W99 is not next to W3."),),
        ),
        failed=(),
        news=(),
        press=(),
        notes=(),
    ),
    "report_while_others_owe_orders": Report(
        game="FP-1",
        title="",
        turn=2,
        seat="ALMA",
        view=printed("Your enemy chooses a homeworld now."),
        missed=False,
        generated=(),
        failed=(),
        news=(),
        press=(),
        notes=(),
        deadline=DEADLINE,
        template=(),
        awaited=False,
    ),
    "report_after_a_missed_turn": Report(
        game="SW-7",
        title="",
        turn=12,
        seat="CERES",
        view=FORECAST,
        missed=True,
        generated=("W5B5I", "F3W5"),
        failed=(),
        news=(),
        press=(),
        notes=("No orders came from: CERES.",),
        deadline=None,
        template=(),
    ),
    "report_of_standing_orders": Report(
        game="SW-7",
        title="",
        turn=12,
        seat="CERES",
        view=FORECAST,
        missed=False,
        generated=(),
        failed=(),
        news=(),
        press=(),
        notes=(),
        deadline=DEADLINE,
        template=(),
        standing=True,
    ),
    "acknowledgement_of_a_ready_turn": acknowledgement(
        accepted=ACCEPTED,
        undone=(LineError(9, "PRESS", "You have not met MARS, so the message was not sent."),),
        closed="The turn is resolved now",
    ),
    "report_with_broken_standing_orders": replace(REPORT, doubts=DOUBTS),
    "report_last": Report(
        game="SW-7",
        title="Autumn",
        turn=20,
        seat="CERES",
        view=FORECAST,
        missed=False,
        generated=(),
        failed=(),
        news=(),
        press=(),
        notes=(),
        deadline=None,
        template=(),
        awaited=False,
        seed=SEED,
        winners=("CERES",),
    ),
    "report_again": ReportAgain("SW-7", 10, "CERES", FORECAST),
    "final_standing": FinalStanding(
        "SW-7",
        "Autumn",
        20,
        ("HATYSA",),
        printed("HATYSA  10250\nCERES    8790"),
        COMMITMENT,
        SEED,
        seat="CERES",
        players=("CERES: Sam Gamgee", "HATYSA: Rosie Cotton"),
        files=("sw-7-record.json.gz",),
        notes=("The GM set the option vote_days = 1.",),
        choices=(
            "When the GM reveals SW-7 after its end, all its players and GMs can read your diary.",
        ),
        reveals=(
            "The GM can reveal the game from Fri 18 Sep 2026, 14:00 CEST (12:00 UTC) on, or as "
            "soon as every player has chosen. Until then, players can change what it shows, for "
            "instance by SHARE DIARY NO."
        ),
        book=BookFile("sw-7-book.zip"),
    ),
    "final_standing_of_a_draw": FinalStanding(
        "SW-7",
        "",
        20,
        ("CERES", "HATYSA"),
        printed("HATYSA  10250\nCERES   10250"),
        COMMITMENT,
        SEED,
        seat="CERES",
        drawn=True,
        vote=(
            "The vote to end the game as a draw passed: 2 yes, 1 no, 0 did not vote.",
            "Yes: CERES, HATYSA",
            "No: 1 player you have not met",
        ),
        book=BookFile(),
    ),
    "final_standing_of_two_winners": FinalStanding(
        "SW-7",
        "",
        20,
        ("CERES", "HATYSA"),
        printed("HATYSA  10250\nCERES   10250"),
        COMMITMENT,
        SEED,
        seat="CERES",
        book=BookFile(operator="you@example.org"),
    ),
    "report_of_changes": replace(
        REPORT, format=ReportFormat.CHANGES, press=(), commitment=COMMITMENT
    ),
    "report_compact": replace(REPORT, format=ReportFormat.COMPACT, press=(), commitment=COMMITMENT),
    "report_of_news": replace(REPORT, format=ReportFormat.NEWS, view=NOTHING),
    "report_with_messages_in_another_email": replace(REPORT, more_press=3),
    "report_in_full": ReportAgain("SW-7", 10, "CERES", FORECAST, full=True),
    "atlas": Atlas("SW-7", 10, "CERES", "atlas.html"),
    "map": Map("SW-7", 10, "CERES", FORECAST, ("map.svg", "map.png")),
    "map_of_everything": Map("SW-7", 10, "", FORECAST, ("map.svg", "map.png")),
    "history": History(
        "SW-7",
        "CERES",
        None,
        11,
        False,
        ("#3017, Wed 16 Sep 2026, 19:30 UTC: sheet 1: 14 orders; FINAL",),
        ("turn 11: sheet 1, from #3017, 14 orders, in effect",),
        ("turn 10: 12 orders, 11 done, 1 failed",),
        (),
        ("1 to 8", "10 to 11"),
    ),
    "history_of_a_turn": History(
        "SW-7",
        "CERES",
        10,
        11,
        False,
        (),
        ("turn 10: sheet 1, from #3001, 2 orders, resolved: F3W75 W75B2F119",),
        ("turn 10: 2 orders, 1 done, 1 failed",),
        ("F3W75: done", "W75B2F119: there is no industry left"),
        (),
    ),
    "help_page": HelpPage("", "  LIST: the games that you can join"),
    "help_page_on_a_topic": HelpPage(
        "orders",
        "a fleet moves\n    F3W75",
        ("  F3W12: Fleet 3 moves from W5 to W12.", "  PRESS TO MARS\n  Hello.\n  END"),
    ),
    "help_page_on_an_order": HelpPage(
        "an order",
        "F3W75: move through a gate",
        ("  F3W12: W12 is next to W5.",),
        ("  F3W75: It would be rejected. W75 is not next to W5.",),
        ("  F109W99, line 9 of #41: W99 is not next to W3.",),
    ),
    "house_rules": HouseRules(replace(RULES, changed_turn=11)),
    "house_rules_changed": HouseRulesChanged(
        "SW-7",
        2,
        started=True,
        changed=(("Turns are due daily 20:00 UTC.", RULES.chapters[0].lines[0]),),
        gone=(),
        new=(),
    ),
    "house_rules_changed_before_the_start": HouseRulesChanged(
        "SW-7",
        2,
        started=False,
        changed=(
            ("Turns are due daily 20:00 UTC.", RULES.chapters[0].lines[0]),
            ("You can miss any number of turns.", "A player can miss 2 turns in a row."),
        ),
        gone=(
            (
                "A turn waits at least 1 day longer, until the next time of the schedule, if a "
                "seat would miss its first turn."
            ),
        ),
        new=("Anyone who is or was a GM of the game can take such a seat.",),
    ),
    "vote_opened": VoteOpened(
        "SW-555",
        "HATYSA",
        "to extend turn 11 by 2 days",
        "3 of 5 voters",
        secret=False,
        closes=DEADLINE,
        command="VOTE EXTEND",
        due=Moment(DEADLINE.at + timedelta(days=2), DEADLINE.zone),
        deadline=DEADLINE,
    ),
    "vote_opened_secret": VoteOpened(
        "SW-555",
        "a player",
        "to end the game with HATYSA as its winner",
        "all 5 voters",
        secret=True,
        closes=DEADLINE,
        command="VOTE CONCEDE TO HATYSA",
        deadline=DEADLINE,
    ),
    "vote_opened_to_a_gm": VoteOpened(
        "SW-555",
        "HATYSA",
        "to put the game on hold",
        "4 of 5 voters",
        secret=False,
        closes=DEADLINE,
        command="",
    ),
    "vote_opened_on_the_gm": VoteOpened(
        "SW-555",
        "HATYSA",
        "to make HATYSA the GM",
        "3 of 5 voters",
        secret=False,
        closes=DEADLINE,
        command="VOTE GM",
        for_gm=True,
    ),
    "vote_closed": VoteClosed(
        "SW-555",
        11,
        passed=True,
        proposal="extend turn 11 by 2 days",
        line="The vote to extend turn 11 by 2 days passed: 3 yes, 1 no, 1 did not vote.",
        yes="CERES, HATYSA, 1 player you have not met",
        no="MARS",
        effect="",
        deadline=DEADLINE,
        moved=replace(MOVED, fact="The players moved the deadline of turn 11"),
    ),
    "vote_closed_secret": VoteClosed(
        "SW-555",
        11,
        passed=False,
        proposal="end the game now without a winner",
        line="The vote to end the game now without a winner did not pass: 4 yes, 1 no.",
        yes="",
        no="",
        effect="",
        deadline=None,
    ),
    "press_letter": PressLetter(
        "SW-555",
        "HATYSA",
        "CERES, MARS",
        "I shall not move on W13.\n\nHATYSA",
        ("PRESS TO HATYSA", "...", "END"),
    ),
    "press_letter_unsigned": PressLetter("SW-555", "ANONYMOUS", "", "Beware of MARS.", ()),
    "press_to_gm": PressToGm(
        "SW-555", (PressItem("HATYSA", "the GM", "I am away in May."),), ("HATYSA",)
    ),
    "press_to_gm_unsigned": PressToGm("SW-555", (PressItem("ANONYMOUS", "", "MARS cheats."),), ()),
    "press_to_gm_of_several": PressToGm(
        "SW-555",
        (
            PressItem("HATYSA", "the GM", "I am away in May."),
            PressItem("MARS", "the GM", "HATYSA is away in May."),
            PressItem("ANONYMOUS", "", "MARS cheats."),
        ),
        ("HATYSA", "MARS"),
    ),
    "more_press": MorePress(
        "SW-555", 11, 1, 1, (PressItem("HATYSA", "CERES, MARS", "I shall not move on W13."),)
    ),
    "more_press_of_several": MorePress(
        "SW-555", 11, 2, 3, (PressItem("ANONYMOUS", "", "Beware of MARS."),)
    ),
    "press_delivered": PressDelivered("SW-555", 3041, "HATYSA, MARS", ARRIVED),
    "press_delivered_to_some": PressDelivered("SW-555", 3041, "HATYSA", ARRIVED, "MARS"),
    "press_delivered_to_nobody": PressDelivered("SW-555", 3041, "", ARRIVED, "MARS"),
    "reminder": Reminder(
        "SW-7", 11, "CERES", "3 hours", DEADLINE, "19 September", "VOTE EXTEND 1 day"
    ),
    "plain": Plain(
        "report", ("No deadline is set.", "You lost W5."), as_lines("W7 CERES"), "Report"
    ),
    "missed_turn": MissedTurn("SW-7", 11, "CERES", 1, 2, ("W5B5I",), DEADLINE, offered=False),
    "missed_turn_before_an_offer": MissedTurn(
        "SW-7", 11, "CERES", 1, 2, ("W5B5I",), DEADLINE, offered=True
    ),
    "missed_turn_too_often": MissedTurn("SW-7", 12, "CERES", 2, 2, (), None, offered=False),
    "missed_turn_and_offered": MissedTurn("SW-7", 12, "CERES", 2, 2, (), DEADLINE, offered=True),
    "turn_summary": TURN_SUMMARY,
    "turn_summary_of_a_good_turn": replace(
        TURN_SUMMARY,
        why="because everyone with orders to send had sent FINAL",
        missed=(),
        seats=(SeatSummary("CERES: 12 orders"), SeatSummary("MARS: 9 orders")),
        announced=(),
        waiting=(),
        actions=(),
    ),
    "turn_summaries_of_one": TurnSummaries(
        (KeptSummary("SW-7", "turn 11 resolved", as_lines("Turn 11 of SW-7 was resolved.")),)
    ),
    "turn_summaries": TurnSummaries(
        (
            KeptSummary("SW-7", "turn 11 resolved", as_lines("Turn 11 of SW-7 was resolved.")),
            KeptSummary(
                "SW-8", "turn 3 resolved, missed by MARS", as_lines("Turn 3 of SW-8 was resolved.")
            ),
        )
    ),
    "orders_missing": OrdersMissing((WATCHED,), untagged=False),
    "orders_missing_in_one_of_several": OrdersMissing((WATCHED,), untagged=True),
    "orders_missing_in_several": OrdersMissing(
        (WATCHED, replace(WATCHED, game="SW-8", turn=3, missing=("MARS",))),
        untagged=True,
    ),
    "gm_answer": GmAnswer("SW-7", "the report of turn 10 of CERES", FORECAST.text),
    "gm_answer_with_files": GmAnswer(
        "SW-7", "SW-7 as files", "The state.\nThe orders.", ("sw-7-state.json", "sw-7-orders.json")
    ),
    "invitation": Invitation(
        "SW-7",
        "Autumn",
        "StarWeb",
        "You rule one world out of a few hundred. Every world has gates to others.",
        "STARWEB",
        2,
        8,
        "a turn every 72 hours",
        ("worlds = 255: The number of worlds in the galaxy. 0 means 17 for each player.",),
        "games@referee.example",
        "gm@example.org",
        "JOIN SW-7 CODE K7QX2M4A",
        "JOIN SW-7 CERES AS Empire Builder",
        ("name: 1 to 9 letters.", "character: Empire Builder, Merchant or Pirate."),
        "Come and play.\n\nWe begin in May.",
    ),
    "appointed": Appointed("SW-7", "Autumn", 1007, "K7QX2222"),
    "appointed_by_the_operator": Appointed("SW-7", "Autumn", 1007, "", "The operator"),
    "handed_over": HandedOver(
        game="SW-7",
        title="Autumn",
        ruleset="StarWeb",
        turn=11,
        seat="CERES",
        players=8,
        robots=0,
        account=1007,
        code="K7QX2222",
        due=f"Turn 11, deadline {DEADLINE}.",
        moved=True,
        sheet=("F3W75", "W75B2F119"),
        has_sheet=True,
        sheet_by_gm=False,
        standing=("W75B5I",),
        files=("report-t10.txt", "report-t11.txt", "map.svg"),
        zone="America/Phoenix",
    ),
    "handed_over_to_a_known_person": HandedOver(
        game="SW-7",
        title="",
        ruleset="StarWeb",
        turn=11,
        seat="CERES",
        players=1,
        robots=2,
        account=1007,
        code="",
        due="Turn 11, on hold, so it has no deadline now.",
        moved=False,
        sheet=(),
        has_sheet=True,
        sheet_by_gm=False,
        standing=(),
        files=("map.svg",),
        zone="UTC",
    ),
    "seat_offered": SeatOffered(
        game="SW-7",
        title="Autumn",
        ruleset="StarWeb",
        turn=11,
        players=7,
        robots=0,
        schedule="every second Friday 18:00 America/Phoenix",
        deadline=DEADLINE,
        until=ARRIVED,
        silent=False,
    ),
    "seat_offered_while_its_player_is_silent": SeatOffered(
        game="SW-7",
        title="",
        ruleset="StarWeb",
        turn=11,
        players=1,
        robots=2,
        schedule="a turn every 72 hours",
        deadline=None,
        until=ARRIVED,
        silent=True,
    ),
    "seat_gone": SeatGone("SW-7", "Autumn", "Somebody else plays the seat now."),
    "seat_unfilled": SeatUnfilled("SW-7", "Autumn", "CERES", 1, vacant=True),
    "seat_unfilled_while_its_player_is_silent": SeatUnfilled("SW-7", "", "CERES", 3, vacant=False),
    "deputy_asked": DeputyAsked(
        game="SW-7",
        ruleset="StarWeb",
        seat="CERES",
        by_gm=False,
        days="from Fri 18 Sep 2026 to Fri 2 Oct 2026",
    ),
    "deputy_asked_by_the_gm": DeputyAsked(
        game="SW-7",
        ruleset="StarWeb",
        seat="CERES",
        by_gm=True,
        days="on Fri 18 Sep 2026",
    ),
    "deputy_accepted": DeputyAccepted(
        game="SW-7",
        seat="CERES",
        days="from Fri 18 Sep 2026 to Fri 2 Oct 2026",
        account=1240,
        code="K7QX2M4A",
    ),
    "deputy_accepted_again": DeputyAccepted(
        game="SW-7", seat="CERES", days="on Fri 18 Sep 2026", account=1240, code=""
    ),
    "deputy_begins": DeputyBegins(
        game="SW-7",
        turn=11,
        seat="CERES",
        until="Fri 2 Oct 2026",
        deadline=DEADLINE,
        orders=("F3T4F17", "F3T1P"),
        report=FORECAST,
    ),
    "deputy_begins_with_nothing": DeputyBegins(
        game="SW-7",
        turn=11,
        seat="CERES",
        until="Fri 2 Oct 2026",
        deadline=None,
        orders=(),
        report=NOTHING,
    ),
    "deputy_ended": DeputyEnded(game="SW-7", seat="CERES"),
    "sheet_changed": SheetChanged(
        game="SW-7",
        turn=11,
        seat="CERES",
        by_deputy=True,
        receipt=3041,
        sent=("a new sheet", "FINAL", "a message to MARS"),
        orders=("F3T4F17", "F3T1P"),
        deadline=DEADLINE,
    ),
    "sheet_changed_by_the_player": SheetChanged(
        game="SW-7",
        turn=11,
        seat="CERES",
        by_deputy=False,
        receipt=3041,
        sent=("a new sheet",),
        orders=(),
        deadline=None,
    ),
    "observing": Observing(
        game="SW-7", title="Autumn", later="3 turns later", first=False, account=1241, code="AB2CD3"
    ),
    "observing_before_the_start": Observing(
        game="SW-8", title="", later="at once", first=True, account=1241, code=""
    ),
    "public_report": PublicReport(
        game="SW-7",
        title="Autumn",
        turn=8,
        behind=3,
        view=printed("Turn 8, 3 players\n\nScore\n481\n480\n12"),
        news=(Event("A black box was opened.", None),),
        notes=("The GM has moved the deadline by a day.",),
        press=(PressItem("the GM", "", "Be kind to each other."),),
    ),
    "public_report_at_once": PublicReport(
        game="SW-8",
        title="",
        turn=1,
        behind=0,
        view=printed("Turn 1, 3 players"),
        news=(),
        notes=(),
        press=(),
    ),
    "public_report_corrected": PublicReport(
        game="SW-8",
        title="Autumn",
        turn=1,
        behind=0,
        view=printed("Turn 1, 3 players"),
        news=(),
        notes=(),
        press=(),
        correction=Correction("Two players had no points.", printed("Turn 1, 3 players"), ()),
    ),
    "final_standing_for_an_observer": FinalStanding(
        game="SW-7",
        title="Autumn",
        turn=21,
        winners=(),
        standing=printed("Player  Score\nCERES    9001"),
        commitment=COMMITMENT,
        seed=SEED,
        observer=True,
        book=BookFile("sw-7-book.zip"),
    ),
    "report_to_a_deputy": Report(
        game="SW-7",
        title="Autumn",
        turn=11,
        seat="CERES",
        view=FORECAST,
        missed=True,
        generated=("F3AP",),
        failed=(),
        news=(),
        press=(),
        notes=(),
        deadline=DEADLINE,
        template=(),
        excused="you were away",
        deputy_until="Fri 2 Oct 2026",
    ),
    "report_after_an_absence": Report(
        game="SW-7",
        title="Autumn",
        turn=11,
        seat="CERES",
        view=FORECAST,
        missed=True,
        generated=("F3AP",),
        failed=(),
        news=(),
        press=(),
        notes=(),
        deadline=DEADLINE,
        template=(),
        excused="you were away",
    ),
    "reminder_before_leaving": Reminder(
        game="SW-7",
        turn=11,
        seat="CERES",
        left="5 days",
        deadline=DEADLINE,
        absent_to="19 September",
        away="from Fri 18 Sep 2026 to Fri 2 Oct 2026",
    ),
    "reminder_with_standing_orders": Reminder(
        "SW-7", 11, "CERES", "1 day", DEADLINE, "19 September", "VOTE EXTEND YES", standing=2
    ),
    "reminder_with_broken_standing_orders": Reminder(
        "SW-7", 11, "CERES", "3 hours", DEADLINE, "19 September", standing=3, doubts=DOUBTS
    ),
    "reminder_to_a_deputy": Reminder(
        "SW-7", 11, "CERES", "1 day", DEADLINE, "19 September", deputy=True
    ),
    "revealed": Revealed(
        "SW-7",
        "Autumn",
        12,
        1,
        2,
        "WHO WAS WHO\nCERES: Tom\n\nTURN 1\n\n"
        "DIARY OF CERES, Wed 2 Sep 2026, 12:00 UTC\n: MARS lied.",
        ("sw-7-state.json", "sw-7-orders.json", "sw-7-record.json.gz"),
    ),
    "book": Book("SW-7", "Autumn", BookFile("sw-7-book.zip"), revealed=False, seat="CERES"),
    "book_of_a_revealed_game": Book("SW-7", "", BookFile("sw-7-book.zip"), revealed=True),
    "book_of_an_observer": Book(
        "SW-7", "", BookFile("sw-7-book.zip"), revealed=False, observer=True
    ),
    "book_too_large": Book("SW-7", "", BookFile(operator="you@example.org"), revealed=True),
    "revealed_without_archive": Revealed(
        "SW-7", "", 30, 400, 0, "", ("sw-7-state.json",), left_out=True
    ),
    "diary": Diary(
        "SW-7",
        2,
        diary_text(
            (
                DiaryItem(1, 3, "Wed 2 Sep 2026, 12:00 UTC", "MARS lied to me.\n\nNever again."),
                DiaryItem(2, 4, "Wed 9 Sep 2026, 12:00 UTC", "F3W75 was a mistake."),
            )
        ),
        (),
        ("Nobody else reads your diary of SW-7, not even after its end.",),
    ),
    "diary_attached": Diary("SW-7", 1, "", ("sw-7-diary.txt",), ()),
    "diary_too_large": Diary("SW-7", 900, "", (), ()),
    "game_changed": GameChanged("SW-7", 11, "Reason: CERES is in hospital.", DEADLINE, moved=MOVED),
    "game_changed_more": GameChanged(
        "SW-7",
        11,
        "The GM put the game on hold. You can still send orders. FINAL stays in effect.",
        None,
        on_hold=True,
        more=('The GM changed the title to "Autumn".', "No turn can be extended."),
    ),
    "game_changed_without_deadline": GameChanged("SW-7", 0, "You are a GM of SW-7 now.", None),
    "confirmation": Confirmation(
        game="SW-7",
        what="RESIGN",
        arrived=ARRIVED,
        preview=("RESIGN: CERES is vacant from turn 11 on.",),
        reason="Some of this cannot be undone.",
    ),
    "confirmation_of_orders": Confirmation(
        game="SW-7",
        what="orders",
        arrived=ARRIVED,
        preview=("2 orders for CERES in SW-7",),
        reason="It came from bill@bree.example, which is not an address of yours.",
        typed=("F3W5", "F4W9"),
    ),
    "confirmation_in_part": Confirmation(
        game="SW-7",
        what="OPTION, EXTEND",
        arrived=ARRIVED,
        preview=("A turn of SW-7 may be extended by 10 days in all (it was: 7 days).",),
        reason="Some of this cannot be undone.",
        undone=(
            LineError(3, "EXTEND 8 days", "a turn may be extended by 7 days in all."),
            LineError(4, "EXTENND", "Unknown word EXTENND.", "Did you mean EXTEND?"),
        ),
    ),
    "already_received": AlreadyReceived(3041, ARRIVED),
    "too_late": TooLate("SW-7", 11, 12, DEADLINE, 3041),
    "too_late_with_commands": TooLate(
        "SW-7",
        11,
        12,
        DEADLINE,
        3041,
        (CommandReply(4, "LIST", "SW-7: StarWeb, 8 players", is_answer=True),),
        (LineError(5, "EXTENND", "Unknown word EXTENND.", "Did you mean EXTEND?"),),
    ),
    "too_late_without_orders": TooLate(
        "SW-7",
        11,
        12,
        DEADLINE,
        3041,
        undone=(LineError(1, "W12B5X", "This is not an order."),),
        has_orders=False,
    ),
    "too_late_for_the_running_turn": TooLate(
        "SW-7", 11, 11, Deadline(BEFORE.at, BEFORE.zone), 3041
    ),
    "command_answers": CommandAnswers(
        (
            CommandReply(1, "STATUS", "SW-7 Autumn: turn 11, due on Friday.", is_answer=True),
            CommandReply(
                2, "LIST", "SW-7: StarWeb, 8 players\nSW-9: StarWeb, 2 of 8 seats free", True
            ),
            CommandReply(4, "FINAL", "You are done with turn 11."),
        ),
        (LineError(3, "REPROT 4", "Unknown word REPROT.", "Did you mean REPORT 4?"),),
    ),
    "command_answers_of_two_commands": CommandAnswers(
        (CommandReply(1, "WAIT", "You are not ready."), CommandReply(2, "MY DATA", "Sent.")),
    ),
    "command_answers_of_one_command": CommandAnswers(
        (CommandReply(1, "FINAL", "Everyone is ready: the turn is resolved now."),),
    ),
    "command_answers_of_a_join_that_the_gm_decides": CommandAnswers(
        (CommandReply(1, "JOIN SW-7", "The GM of SW-7 decides.", is_asked=True),),
    ),
    "command_answers_of_a_join_that_the_gm_decides_and_more": CommandAnswers(
        (
            CommandReply(1, "JOIN SW-7", "The GM of SW-7 decides.", is_asked=True),
            CommandReply(2, "SET ZONE UTC", "Times are in UTC."),
        ),
        (LineError(3, "REPROT 4", "Unknown word REPROT.", "Did you mean REPORT 4?"),),
    ),
    "command_answers_to_help": CommandAnswers(
        (CommandReply(0, "HELP", "Type your orders above the report.\n\n  LIST: games", True),),
    ),
    "command_answers_with_a_page": CommandAnswers(
        (CommandReply(0, "help: press", "The page is below.", is_answer=True),),
        page=printed("A message, up to a line END."),
    ),
    "command_answers_with_faults_alone": CommandAnswers(
        (), (LineError(0, "", "There is no game SW-9."),)
    ),
    "unknown": Unknown(wrong_code=False),
    "unknown_to_a_creator": Unknown(wrong_code=False, creates=True),
    "unknown_but_invited": Unknown(False, "SW-7", "JOIN SW-7 CODE K7QX2M4A"),
    "unknown_with_a_wrong_code": Unknown(wrong_code=True, game="SW-7"),
    "quarantined": Quarantined("Q-3041-2"),
    "too_big": TooBig(2),
    "many_wrong_codes": ManyWrongCodes(100, DEADLINE),
    "answers_paused": AnswersPaused("hour"),
    "answers_paused_to_idle_emails": AnswersPaused("hour", idle=True),
    "answers_paused_to_unproven_emails": AnswersPaused("day", proven=False),
    "answers_paused_with_an_email_not_done": AnswersPaused("hour", proven=False, waiting=True),
    "not_asked": NotAsked("hour"),
    "bounce_warning": BounceWarning("SW-7", "CERES", complaint=False),
    "bounce_warning_that_goes_on": BounceWarning("SW-7", "CERES", complaint=False, goes_on=True),
    "bounce_warning_of_a_complaint": BounceWarning("SW-7", "CERES", complaint=True),
    "operator_digest": OperatorDigest(
        quarantined=("email #3041: could not be read, reference Q-3041-2",),
        unasked=("email #3042: was not done, and nobody could be asked",),
        failed=("outgoing 912, a Report of SW-7: 550 5.1.1 no such user here",),
        bouncing=("account #1002: 3 emails bounced, the last on 2026-09-17",),
        withheld=("imap:games: UID 7",),
        used_up=("bytes of answers: used up by account #1002 (3 refusals)",),
        stalled=("FF-2: turn 4, tried 9 times without success",),
        health=(
            "games: 2 forming, 5 running",
            "turns resolved: 3",
            "emails sent: 61",
            "emails in: 0 waiting, 1 waiting for confirmation",
            "emails out: 2 waiting",
        ),
    ),
    "operator_alert": OperatorAlert(
        "email #3041 is in quarantine",
        "Email #3041 failed 3 times and is in quarantine. Everything else is running.",
        "Q-3041-2",
        "Find reference Q-3041-2 in the log: it names the fault. When the fault is fixed, run "
        "`referee mail release 3041`. `referee mail explain 3041` shows what is known about the "
        "email.",
    ),
    "daily_digest": DailyDigest(
        (
            DigestItem(
                "something has changed", BEFORE, as_lines("The GM stopped the game."), "SW-7"
            ),
            DigestItem("a message", ARRIVED, as_lines("PRESS FROM MARS\n: Shall we?"), "SW-7"),
        ),
    ),
    "daily_digest_of_games": DailyDigest(
        (
            DigestItem(
                "a message", ARRIVED, as_lines("PRESS FROM MARS\n: Shall we?"), "SW-7", "CERES"
            ),
            DigestItem("game on hold", BEFORE, as_lines("The GM stopped the game."), "SW-9"),
            DigestItem("a question", BEFORE, as_lines("What now?")),
        ),
        is_of_one=False,
    ),
    "daily_digest_of_no_game": DailyDigest(
        (DigestItem("a question", BEFORE, as_lines("What now?")),)
    ),
    "address_confirm": AddressConfirm(
        "ceres@new.example", second=False, games=("SW-7", "SW-9"), until=DEADLINE
    ),
    "address_confirm_of_a_second_one": AddressConfirm(
        "ceres@new.example", second=True, games=("SW-7",), until=DEADLINE
    ),
    "address_proof": AddressProof("games@referee.example", second=False, until=DEADLINE),
    "address_proof_of_a_second_one": AddressProof(
        "games@referee.example", second=True, until=DEADLINE
    ),
    "address_proved": AddressProved(waits=True),
    "address_proved_too_late": AddressProved(waits=False),
    "address_moved": AddressMoved("SW-7", "CERES", 11, 1007, "K7QX2222", DEADLINE),
    "address_moved_in_a_further_game": AddressMoved("SW-9", "MARS", 0, 1007, "", None),
    "address_moved_without_a_game": AddressMoved("", "", 0, 1007, "K7QX2222", None),
    "tokens_renewed": TokensRenewed("SW-7", "CERES", 11, 1007, "K7QX2222", DEADLINE),
    "tokens_renewed_without_a_game": TokensRenewed("", "", 0, 1007, "K7QX2222", None),
    "address_left": AddressLeft(("SW-7", "SW-9")),
    "address_left_without_a_game": AddressLeft(()),
    "disclosure": Disclosure(1007, "my-data.json", 412, 0),
    "disclosure_of_many_years": Disclosure(1007, "my-data.json", 1, 23),
    "forget_proof": ForgetProof("games@referee.example", DEADLINE),
    "forgotten": Forgotten("games@referee.example"),
    "second_address_set": SecondAddressSet("ceres@new.example"),
    "second_address_set_here": SecondAddressSet("", "games@referee.example"),
    "address_lapsed": AddressLapsed("ceres@new.example", wished=True, second=False),
    "address_lapsed_unwished": AddressLapsed("ceres@new.example", wished=False, second=True),
    "address_refused": AddressRefused(new=False),
    "address_refused_there": AddressRefused(new=True),
    "at_second_address": AtSecondAddress("ceres@old.example"),
}


def written(name: str) -> str:
    """Return the letter as a person sees it."""
    words = Composer("games@referee.example").words(LETTERS[name], "kmtwqzrb")
    return f"Subject: {words.subject}\n\n{words.text}\n"


def write_all() -> None:
    """Write every letter into the folder of golden files; check the diff afterwards."""
    for name in LETTERS:
        (GOLDEN / f"{name}.txt").write_text(written(name), "utf-8")


if __name__ == "__main__":
    write_all()
