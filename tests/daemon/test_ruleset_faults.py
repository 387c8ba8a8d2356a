"""Failures of one ruleset outside of turns: their effects, and what continues to work."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from referee import resources
from referee.daemon import Daemon
from referee.desk.base.loaded_games import kept_states
from referee.rules.views import Prose
from referee.store.games import games
from referee.store.models import GameStatus
from referee.tally import Counted
from referee.testing.conversation import Conversation
from tests.daemon.test_trouble import BEGINNING, torn_composer, turns
from tests.support.examples import mostly_slow
from tests.support.faulty import Faulty

GM_JOINED, _, JOINING = BEGINNING.partition("=== frodo@shire.example writes")
CREATED, JOINED = GM_JOINED, "=== frodo@shire.example writes" + JOINING
FAULTY = {"ruleset": "FAULTY", "game": "FT-1"}
STARWEB = {"ruleset": "STARWEB", "game": "SW-1"}


def statuses(talk: Conversation) -> dict[str, GameStatus]:
    with talk.store.read() as session:
        return {game.name: game.status for game in games.listing(session)}


def begin(talk: Conversation, **named: str) -> None:
    talk.run(BEGINNING.format(**named))


def fill(talk: Conversation) -> None:
    """Fill the last seats of FT-1, which cannot be started."""
    talk.run("""
=== frodo@shire.example writes

JOIN FT-1 FRODO AS Empire Builder

=== frodo@shire.example gets mail
=== sam@shire.example writes

JOIN FT-1 SAM AS Empire Builder

=== sam@shire.example gets
Subject: welcome
=== gm@example.org gets
Subject: [FT-1] the game is full, but it could not be started
The game is full, but it could not be started. This is a fault on our side.
the game starts automatically.
! F3T4F17
=== operator@referee.example gets
Subject: [FT-1] the game cannot be started
FT-1 is full and cannot be started. The rules of faulty
All other games go on
! F3T4F17
=== nobody gets anything
""")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("function", "error"),
    mostly_slow(
        [
            ("setup", ZeroDivisionError),
            ("grammar", SystemExit),
            ("view", GeneratorExit),
            ("gm_notes", ZeroDivisionError),
        ]
    ),
)
def test_a_game_that_cannot_be_started_does_not_block_the_others(
    talk: Conversation, faulty: Faulty, function: str, error: Callable[[str], BaseException]
) -> None:
    talk.run(CREATED.format(**FAULTY))
    faulty.broken, faulty.error = {function}, error
    fill(talk)
    begin(talk, **STARWEB)
    assert statuses(talk) == {"FT-1": GameStatus.FORMING, "SW-1": GameStatus.RUNNING}
    # The retry is not reported again.
    talk.run("=== 90 minutes pass")
    faulty.broken = set()
    talk.run("""
=== 1 hour passes
=== frodo@shire.example gets
Subject: [FT-1 T1 FRODO] first report, orders due
The game was started late, because of a fault on our side.
=== sam@shire.example gets mail
=== gm@example.org gets mail
""")
    assert statuses(talk) == {"FT-1": GameStatus.RUNNING, "SW-1": GameStatus.RUNNING}


@pytest.mark.slow
def test_a_step_that_fails_in_one_game_reminds_in_all_others(
    talk: Conversation, faulty: Faulty
) -> None:
    for named in (FAULTY, STARWEB):
        reminded = BEGINNING.replace("OPTION REMINDERS NONE", "OPTION REMINDERS 3 days")
        talk.run(reminded.format(**named))
    faulty.broken = {"grammar"}
    talk.run("""
=== it is 2026-09-03 12:00 UTC
=== frodo@shire.example gets
Subject: [SW-1 T1 FRODO]
=== sam@shire.example gets
Subject: [SW-1 T1 SAM]
=== operator@referee.example gets
Subject: [FT-1] players are not reminded of missing orders
The step "remind" fails in FT-1. The program or the ruleset faulty has a fault.
! F3T4F17
=== 10 minutes pass
""")
    faulty.broken = set()
    talk.run("""
=== 10 minutes pass
=== frodo@shire.example gets
Subject: [FT-1 T1 FRODO]
=== sam@shire.example gets
Subject: [FT-1 T1 SAM]
""")


@pytest.mark.slow
def test_absences_cause_reminders_although_another_game_fails(
    talk: Conversation, faulty: Faulty
) -> None:
    for named in (FAULTY, STARWEB):
        begin(talk, **named)
        talk.run(f"""
=== sam@shire.example replies to {named["game"]}
ABSENT FROM 5 September TO 10 September

=== sam@shire.example gets mail
=== gm@example.org gets mail
""")
    talk.run("=== it is 2026-09-03 23:00 UTC")
    faulty.broken = {"grammar"}
    talk.run("""
=== it is 2026-09-04 00:30 UTC
=== sam@shire.example gets
Subject: [SW-1 T1 SAM]
=== operator@referee.example gets
Subject: [FT-1] players are not reminded before an absence
The step "remind of an absence" fails in FT-1
""")


@pytest.mark.slow
def test_votes_close_although_those_of_another_game_fail(
    talk: Conversation, faulty: Faulty
) -> None:
    for named in (FAULTY, STARWEB):
        begin(talk, **named)
        talk.run(f"""
=== frodo@shire.example replies to {named["game"]}
VOTE DRAW

=== frodo@shire.example gets mail
=== sam@shire.example gets mail
=== gm@example.org gets mail
""")
    faulty.broken = {"contacts"}
    talk.run("""
=== it is 2026-09-04 12:05 UTC
=== frodo@shire.example gets
Subject: [SW-1 T1 FRODO] vote did not pass: end the game as a draw
=== sam@shire.example gets mail
=== gm@example.org gets mail
=== operator@referee.example gets
Subject: [FT-1] votes of players are not closed
The step "close votes" fails in FT-1
""")
    faulty.broken = set()
    talk.run("""
=== 10 minutes pass
=== frodo@shire.example gets
Subject: [FT-1 T1 FRODO] vote did not pass: end the game as a draw
=== sam@shire.example gets mail
=== gm@example.org gets mail
""")


@pytest.mark.slow
def test_observers_get_reports_although_another_game_fails(
    talk: Conversation, faulty: Faulty
) -> None:
    for named in (FAULTY, STARWEB):
        begin(talk, **named)
        talk.run(f"""
=== gm@example.org writes

GM {named["game"]}
OBSERVERS ON DELAY 1 TURN

=== gm@example.org gets mail
=== gm@example.org replies
CONFIRM

=== gm@example.org gets mail
=== frodo@shire.example gets mail
=== sam@shire.example gets mail
""")
    talk.run("""
=== it is 2026-09-06 13:00 UTC
=== frodo@shire.example gets mail
=== sam@shire.example gets mail
""")
    faulty.broken = {"view"}
    for named in (FAULTY, STARWEB):
        talk.run(
            f"""
=== rosie@bywater.example writes

OBSERVE {named["game"]}

=== rosie@bywater.example gets
Subject: confirm: OBSERVE
=== rosie@bywater.example replies
CONFIRM

=== rosie@bywater.example gets
Subject: you now observe {named["game"]}
"""
            + OBSERVED[named["game"]]
        )


OBSERVED = {
    "FT-1": """
=== operator@referee.example gets
Subject: [FT-1] observers get no reports
The step "send public reports" fails in FT-1
""",
    "SW-1": """
=== rosie@bywater.example gets
Subject: [SW-1 T1]
""",
}


def home_of(talk: Conversation) -> str:
    report = next(
        got for got in talk.person("frodo@shire.example").got if "first report" in got.subject
    )
    found = re.search(r"^(W\d+) \([\d,]*\) \[FRODO\]", report.text, re.MULTILINE)
    assert found is not None, report.text
    return found[1]


def filed(talk: Conversation) -> list[str] | None:
    with talk.store.read() as session:
        (game,) = games.listing(session)
        sheet = games.sheet_of(session, game.seats[0], 1)
        return sheet.orders if sheet is not None else None


MISSING = {
    "validate": "The check of your orders could not be made",
    "explain": "The explanation of your orders could not be made",
    "unused": "The list of unused units could not be made",
    "forecast": "The forecast could not be made",
}
SUBJECTS = {
    "validate": "players get no check of their orders",
    "explain": "players get no explanation of their orders",
    "unused": "players get no list of unused units",
    "forecast": "players get no forecast",
}
FILED = {
    "validate": "WARNINGS (1)\nIt could not be checked, through a fault on our side.",
    "explain": "ACCEPTED (1)",
    "unused": "ACCEPTED (1)",
    "forecast": "ACCEPTED (1)",
}


@pytest.mark.slow
@pytest.mark.parametrize("error", [ZeroDivisionError, SystemExit])
@pytest.mark.parametrize("function", [*MISSING])
def test_an_acknowledgement_is_sent_without_the_failing_part(
    talk: Conversation, faulty: Faulty, function: str, error: Callable[[str], BaseException]
) -> None:
    begin(talk, **FAULTY)
    faulty.broken, faulty.error = {function}, error
    order = f"{home_of(talk)}B5I"
    before = talk.daemon.app.tally.of(Counted.FAILURES)
    talk.run(f"""
=== frodo@shire.example replies
{order}
STATUS
PRESS TO GM
Hello there.
END

=== frodo@shire.example gets
Subject: 1 order accepted
NOT DONE (1)
{MISSING[function]}, through a fault on our side.
The operator has been notified.
{FILED[function]}
COMMANDS (2)
STATUS
PRESS TO GM
! F3T4F17
=== operator@referee.example gets
Subject: [FT-1] {SUBJECTS[function]}
"{function}" fails in FT-1 (ruleset faulty of the package tests).
The exception is {error("").__class__.__name__} in support/faulty.py, line
! F3T4F17
=== nobody gets anything
""")
    assert filed(talk) == [order]
    assert before == {}
    assert talk.daemon.app.tally.of(Counted.FAILURES) == {"": 1}
    # One notice per turn is enough for the operator.
    talk.run(f"""
=== frodo@shire.example replies
CHECK
{order}

=== frodo@shire.example gets
{MISSING[function]}
=== nobody gets anything
""")


@pytest.mark.slow
@pytest.mark.parametrize(("function", "command"), [("chart", "MAP"), ("defaults", "ORDERS")])
def test_a_failing_query_does_not_affect_the_others(
    talk: Conversation, faulty: Faulty, function: str, command: str
) -> None:
    begin(talk, **FAULTY)
    faulty.broken = {function}
    talk.run(f"""
=== frodo@shire.example replies
{command}
STATUS

=== frodo@shire.example gets
Subject: not done: {command}; answer: STATUS
NOT DONE (1)
{command}
This could not be done, through a fault on our side. The operator has been notified.
STATUS
=== operator@referee.example gets
Subject: [FT-1] {command} does not work for players
! F3T4F17
=== nobody gets anything
""")


@pytest.mark.slow
def test_an_order_that_cannot_be_recorded_does_not_affect_the_rest_of_the_letter(
    talk: Conversation, faulty: Faulty
) -> None:
    begin(talk, **FAULTY)
    faulty.broken = {"render"}
    talk.run(f"""
=== frodo@shire.example replies
{home_of(talk)}B5I
STATUS

=== frodo@shire.example gets
NOT DONE
This could not be done, through a fault on our side.
STATUS
=== operator@referee.example gets
Subject: [FT-1] orders of players are not filed
"render" fails in FT-1
=== nobody gets anything
""")
    assert filed(talk) is None


@pytest.mark.slow
@pytest.mark.sqlite("its pauses run by the clock of the test")
def test_a_letter_whose_orders_cannot_be_read_is_quarantined(
    talk: Conversation, faulty: Faulty
) -> None:
    begin(talk, **FAULTY)
    begin(talk, **STARWEB)
    # A state that was read before keeps its grammar.
    kept_states.cache_clear()
    faulty.broken = {"grammar"}
    talk.run("""
=== frodo@shire.example replies to FT-1
STATUS

=== 1 minute passes
=== 1 minute passes
=== frodo@shire.example gets
Subject: we could not process your email
A fault on our side stopped us
! F3T4F17
=== operator@referee.example gets
failed 3 times and is in quarantine.
=== frodo@shire.example replies to SW-1
STATUS

=== frodo@shire.example gets
STATUS
""")


@pytest.mark.slow
@pytest.mark.parametrize("function", mostly_slow(["render", "view", "verdict"]))
@pytest.mark.parametrize("error", [ZeroDivisionError, SystemExit])
def test_a_turn_stalls_whatever_function_of_the_rules_fails_in_it(
    talk: Conversation, faulty: Faulty, function: str, error: Callable[[str], BaseException]
) -> None:
    begin(talk, **FAULTY)
    talk.run(f"""
=== frodo@shire.example replies
{home_of(talk)}B5I

=== frodo@shire.example gets mail
""")
    faulty.broken, faulty.error = {function}, error
    talk.run("""
=== it is 2026-09-06 12:00 UTC
=== gm@example.org gets
Turn 1 could not be resolved
! F3T4F17
=== operator@referee.example gets
Turn 1 of FT-1 cannot be resolved
! F3T4F17
=== nobody gets anything
""")


@pytest.mark.slow
def test_a_turn_is_resolved_without_the_files_that_cannot_be_made(
    talk: Conversation, faulty: Faulty
) -> None:
    begin(talk, **FAULTY)
    talk.run("""
=== frodo@shire.example replies
SET ATTACHMENTS MAP PNG REPORT DEADLINE ATLAS

=== frodo@shire.example gets mail
""")
    faulty.broken = {"chart"}
    before = talk.daemon.app.tally.of(Counted.FAILURES)
    talk.run("""
=== it is 2026-09-06 13:00 UTC
=== operator@referee.example gets
Subject: [FT-1] players get no report.json
"report.json" fails in FT-1 (ruleset faulty of the package tests).
! F3T4F17
=== frodo@shire.example gets
Subject: [FT-1 T2 FRODO] report, orders due
This email lacks report.json, map.svg, map.png and atlas.html, through a fault on our side.
You get it again when that is fixed.
=== frodo@shire.example gets mail
=== sam@shire.example gets
Subject: [FT-1 T2 SAM] report, orders due
! This email lacks
=== sam@shire.example gets mail
=== gm@example.org gets
Subject: [FT-1 T2] turn 1 resolved
=== nobody gets anything
""")
    assert talk.daemon.app.tally.of(Counted.FAILURES) == {"": before.get("", 0) + 4}


@pytest.mark.slow
def test_a_turn_is_resolved_although_the_record_of_the_one_before_is_missing(
    talk: Conversation,
) -> None:
    begin(talk, **STARWEB)
    talk.run("""
=== it is 2026-09-06 13:00 UTC
=== frodo@shire.example gets mail
=== sam@shire.example gets mail
=== gm@example.org gets mail
""")
    with talk.store.write() as session:
        (game,) = games.listing(session)
        session.delete(games.turn_of(session, game, 1))
    talk.run("""
=== it is 2026-09-11 13:00 UTC
=== frodo@shire.example gets
Subject: [SW-1 T3 FRODO] report, orders due
=== frodo@shire.example gets mail
=== sam@shire.example gets
Subject: [SW-1 T3 SAM] report, orders due
=== sam@shire.example gets mail
=== gm@example.org gets
Subject: [SW-1 T3] turn 2 resolved
=== nobody gets anything
""")


CREATE = """
=== gm@example.org writes

CREATE FAULTY SEATS 2
DEADLINE 24 hours
"""


@pytest.mark.parametrize("error", mostly_slow([ZeroDivisionError, SystemExit]))
def test_a_game_whose_rules_fail_is_not_created(
    talk: Conversation, faulty: Faulty, error: Callable[[str], BaseException]
) -> None:
    faulty.broken, faulty.error = {"setup"}, error
    talk.run(f"""{CREATE}
=== gm@example.org gets
Subject: not done: CREATE
No game was created, because of a fault in the ruleset Faulty. The operator has been notified.
! F3T4F17
=== operator@referee.example gets
Subject: games cannot be created
"setup" fails in the ruleset faulty of the package tests.
The exception is {error("").__class__.__name__} in support/faulty.py, line
in called.
! F3T4F17
=== nobody gets anything
""")
    assert statuses(talk) == {}


def test_a_change_that_the_rules_cannot_set_up_is_not_made(
    talk: Conversation, faulty: Faulty
) -> None:
    talk.run(f"{CREATE}=== gm@example.org gets mail\n")
    faulty.broken = {"setup"}
    talk.run("""
=== gm@example.org replies
SEATS 3

=== gm@example.org gets
Nothing was changed, because of a fault in the ruleset Faulty. The operator has been notified.
=== operator@referee.example gets
"setup" fails in FT-1 (ruleset faulty of the package tests).
=== nobody gets anything
""")


@pytest.mark.slow
def test_a_start_by_the_gm_waits_until_the_rules_are_fixed(
    talk: Conversation, faulty: Faulty
) -> None:
    talk.run(CREATED.format(**FAULTY).replace("SEATS 2", "SEATS 3"))
    talk.run("""
=== frodo@shire.example writes

JOIN FT-1 FRODO AS Empire Builder

=== frodo@shire.example gets mail
=== sam@shire.example writes

JOIN FT-1 SAM AS Empire Builder

=== sam@shire.example gets mail
=== gm@example.org replies
START

=== gm@example.org gets
FT-1 starts with 2 of 3 seats: FRODO, SAM.
""")
    faulty.broken = {"view"}
    talk.run("""
=== gm@example.org replies
CONFIRM

=== gm@example.org gets
FT-1 starts now, with 2 seats.
=== gm@example.org gets
The game is full, but it could not be started. This is a fault on our side.
=== operator@referee.example gets
Subject: [FT-1] the game cannot be started
=== nobody gets anything
""")
    faulty.broken = set()
    talk.run("""
=== 1 hour passes
=== frodo@shire.example gets
Subject: [FT-1 T1 FRODO] first report, orders due
=== sam@shire.example gets mail
=== gm@example.org gets mail
""")


LONG = "x" * 12_000_000


@pytest.mark.slow
@pytest.mark.parametrize(
    ("function", "result", "cause"),
    [
        ("explain", 7, "returns int, but must return str"),
        ("explain", LONG, "returns a text of 12,000,000 characters; at most 4,000 are allowed"),
        ("unused", "abc", "returns str, but must return Sequence[str]"),
        ("unused", ["x" * 4000] * 300, "returns texts of 1,200,000 characters; at most 1,000,000"),
        ("validate", ["accepted"], "returns str at [0], but must return Ruling there"),
        ("validate", [], "returns 0 rulings for 1 orders"),
        ("forecast", "abc", "returns str, but must return tuple["),
        ("forecast", (Prose(LONG),), "returns a text of 12,000,000 characters; at most 100,000"),
    ],
)
def test_a_wrong_result_costs_only_its_part_and_is_named(
    talk: Conversation, faulty: Faulty, function: str, result: object, cause: str
) -> None:
    begin(talk, **FAULTY)
    faulty.returning = {function: result}
    order = f"{home_of(talk)}B5I"
    talk.run(f"""
=== frodo@shire.example replies
{order}

=== frodo@shire.example gets
{MISSING[function]}, through a fault on our side.
! xxxxxxxxxx
=== operator@referee.example gets
Subject: [FT-1] {SUBJECTS[function]}
The cause: {function} of the ruleset faulty {cause}
=== nobody gets anything
""")
    assert filed(talk) == [order]


@pytest.mark.slow
def test_an_order_that_is_not_rendered_as_text_is_not_filed(
    talk: Conversation, faulty: Faulty
) -> None:
    begin(talk, **FAULTY)
    faulty.returning = {"render": 7}
    talk.run(f"""
=== frodo@shire.example replies
{home_of(talk)}B5I

=== frodo@shire.example gets
NOT DONE
This could not be done, through a fault on our side.
=== operator@referee.example gets
The cause: render of the ruleset faulty returns int, but must return str.
=== nobody gets anything
""")
    assert filed(talk) is None


def test_a_view_of_a_wrong_type_is_named_in_a_conversation_and_in_the_log(
    talk: Conversation, faulty: Faulty, caplog: pytest.LogCaptureFixture
) -> None:
    talk.run(CREATED.format(**FAULTY))
    faulty.returning = {"view": "a report"}
    fill(talk)
    said = "view of the ruleset faulty returns str, but must return tuple["
    assert [fault for fault in talk.faults if fault.startswith(said)] != []
    assert said in caplog.text


@pytest.mark.slow
def test_a_check_that_fails_stops_no_report_of_a_seat_with_standing_orders(
    talk: Conversation, faulty: Faulty
) -> None:
    begin(talk, **FAULTY)
    talk.run("""
=== frodo@shire.example replies to first report
STANDING
ENDING 8000
END
=== frodo@shire.example gets
1 standing order runs in every turn
""")
    faulty.broken = {"validate"}
    talk.run("""
=== 5 days pass
=== frodo@shire.example gets
Subject: [FT-1 T2 FRODO] report, orders due
your standing orders were used.
! would be rejected
=== sam@shire.example gets mail
=== gm@example.org gets mail
""")


UNNEEDED = [
    (
        "template",
        ["players get no order sheet"],
        "This email lacks the order sheet",
        {"missed", "gm"},
    ),
    (
        "contacts",
        ["players do not read who sent no orders"],
        "This email lacks the list of seats without orders and the list of robots",
        {"missed", "gm"},
    ),
    ("turn_summary", ["GMs get no summary"], "Orders due", {"missed"}),
    ("missed_turn", ["players get no notice of a missed turn"], "Orders due", {"gm"}),
]
"""What a turn does without, by the function or template that is broken: what the operator and the
report say, and which other letters there still are."""


@pytest.mark.slow
@pytest.mark.parametrize(("broken", "alerts", "said", "others"), mostly_slow(UNNEEDED))
def test_a_turn_is_resolved_without_each_part_that_it_does_not_need(
    talk: Conversation,
    faulty: Faulty,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    broken: str,
    alerts: list[str],
    said: str,
    others: set[str],
) -> None:
    begin(talk, **FAULTY)
    faulty.broken = {broken}
    torn = {broken} & {
        each.name.split(".")[0] for each in resources.folder("mailtemplates").iterdir()
    }
    composer = torn_composer(tmp_path / "mailtemplates", monkeypatch, *torn)
    app = talk.daemon.app
    app = replace(app, site=replace(app.site, composer=composer))
    talk.daemon = Daemon(app, owner="conversation")
    told = "".join(
        f"=== operator@referee.example gets\nSubject: [FT-1] {each}\n" for each in alerts
    )
    missed = "=== {0}@shire.example gets\nfor turn 1 of FT-1\n" * ("missed" in others)
    report = f"=== {{0}}@shire.example gets\nSubject: [FT-1 T2\n{said}\n! F3T4F17\n{missed}"
    talk.run(f"""
=== it is 2026-09-06 13:00 UTC
{told}{report.format("frodo")}{report.format("sam")}
{"=== gm@example.org gets mail" * ("gm" in others)}
=== nobody gets anything
""")
    assert turns(talk) == {"FT-1": 2}
