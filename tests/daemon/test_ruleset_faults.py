"""Failures of one ruleset outside of turns: their effects, and what continues to work."""

import re
from collections.abc import Callable, Iterator

import pytest

from referee.plugins import installed_rulesets
from referee.store.games import games
from referee.store.models import GameStatus
from referee.tally import Counted
from referee.testing.conversation import Conversation
from tests.daemon.test_trouble import BEGINNING
from tests.support.faulty import Faulty

GM_JOINED, _, JOINING = BEGINNING.partition("=== frodo@shire.example writes")
CREATED, JOINED = GM_JOINED, "=== frodo@shire.example writes" + JOINING
FAULTY = {"ruleset": "FAULTY", "game": "FT-1"}
STARWEB = {"ruleset": "STARWEB", "game": "SW-1"}


@pytest.fixture
def faulty() -> Faulty:
    return Faulty()


@pytest.fixture
def talk(faulty: Faulty) -> Iterator[Conversation]:
    conversation = Conversation({**installed_rulesets(), "faulty": faulty})
    yield conversation
    conversation.close()


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
Subject: [FT-1] a change in FT-1
The game is full, and could not be started through a fault of the referee.
it starts by itself.
! F3T4F17
=== operator@referee.example gets
Subject: [FT-1] FT-1 is stalled
FT-1 is full and cannot be started: the rules of faulty
All other games go on
! F3T4F17
=== nobody gets anything
""")


@pytest.mark.parametrize(
    ("function", "error"),
    [
        ("setup", ZeroDivisionError),
        ("grammar", SystemExit),
        ("view", GeneratorExit),
        ("template", ZeroDivisionError),
        ("remarks", ZeroDivisionError),
    ],
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
The game was started late, through a fault of the referee.
=== sam@shire.example gets mail
=== gm@example.org gets mail
""")
    assert statuses(talk) == {"FT-1": GameStatus.RUNNING, "SW-1": GameStatus.RUNNING}


def test_a_step_that_fails_in_one_game_reminds_in_all_others(
    talk: Conversation, faulty: Faulty
) -> None:
    for named in (FAULTY, STARWEB):
        reminded = BEGINNING.replace("REMINDERS NONE", "REMINDERS 3 days")
        talk.run(reminded.format(**named))
    faulty.broken = {"grammar"}
    talk.run("""
=== it is 2026-09-03 12:00 UTC
=== frodo@shire.example gets
Subject: [SW-1 T1 FRODO]
=== sam@shire.example gets
Subject: [SW-1 T1 SAM]
=== operator@referee.example gets
The step "remind" fails in FT-1, through a fault of the program or of the ruleset faulty.
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
    faulty.broken = {"grammar"}
    talk.run("""
=== it is 2026-09-04 12:00 UTC
=== sam@shire.example gets
Subject: [SW-1 T1 SAM]
=== operator@referee.example gets
The step "remind of an absence" fails in FT-1
""")


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
    "idle": "The list of unused units could not be made",
    "forecast": "The forecast could not be made",
}
FILED = {
    "validate": "WARNINGS (1)\nIt could not be checked, through a fault of the referee.",
    "explain": "ACCEPTED (1)",
    "idle": "ACCEPTED (1)",
    "forecast": "ACCEPTED (1)",
}


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
Subject: [FT-1] {function} fails in FT-1
"{function}" fails in FT-1, of the ruleset faulty.
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
Subject: answer: STATUS; not done: {command}
NOT DONE (1)
{command}
This could not be done, through a fault on our side. The operator has been notified.
STATUS
=== operator@referee.example gets
Subject: [FT-1] {command} fails in FT-1
! F3T4F17
=== nobody gets anything
""")


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
"render" fails in FT-1
=== nobody gets anything
""")
    assert filed(talk) is None


def test_a_letter_whose_orders_cannot_be_read_is_quarantined(
    talk: Conversation, faulty: Faulty
) -> None:
    begin(talk, **FAULTY)
    begin(talk, **STARWEB)
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


@pytest.mark.parametrize("function", ["render", "view", "verdict"])
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
Turn 1 could not be resolved at its deadline
! F3T4F17
=== operator@referee.example gets
Turn 1 of FT-1 cannot be resolved
! F3T4F17
=== nobody gets anything
""")
