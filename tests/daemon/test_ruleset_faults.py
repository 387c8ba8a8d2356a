"""Faults of one ruleset outside of turns: what they cost, and what goes on all the same."""

from collections.abc import Callable, Iterator

import pytest

from referee.plugins import installed_rulesets
from referee.store.games import games
from referee.store.models import GameStatus
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
    """Let the last seats of FT-1 be taken, which cannot be started."""
    talk.run("""
=== frodo@shire.example writes

JOIN FT-1 FRODO AS Empire Builder

=== frodo@shire.example gets mail
=== sam@shire.example writes

JOIN FT-1 SAM AS Empire Builder

=== sam@shire.example gets
Subject: welcome
=== gm@example.org gets
Subject: [FT-1] something has changed
The game is full, and could not be started through a fault of the referee.
it starts by itself.
! F3T4F17
=== operator@referee.example gets
Subject: needs a look
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
def test_a_game_that_cannot_be_started_keeps_no_other_from_it(
    talk: Conversation, faulty: Faulty, function: str, error: Callable[[str], BaseException]
) -> None:
    talk.run(CREATED.format(**FAULTY))
    faulty.broken, faulty.error = {function}, error
    fill(talk)
    begin(talk, **STARWEB)
    assert statuses(talk) == {"FT-1": GameStatus.FORMING, "SW-1": GameStatus.RUNNING}
    # Tried again, it is told no second time.
    talk.run("=== 90 minutes pass")
    faulty.broken = set()
    talk.run("""
=== 1 hour passes
=== frodo@shire.example gets
Subject: [FT-1 T1 FRODO] your first report
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
The step "remind" fails in FT-1, by a fault of the program or of its ruleset faulty.
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


def test_whoever_leaves_is_reminded_though_another_game_fails(
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


def test_votes_close_though_those_of_another_game_cannot(
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
Subject: [SW-1 T1 FRODO] a vote was not carried
=== sam@shire.example gets mail
=== gm@example.org gets mail
=== operator@referee.example gets
The step "close votes" fails in FT-1
""")
    faulty.broken = set()
    talk.run("""
=== 10 minutes pass
=== frodo@shire.example gets
Subject: [FT-1 T1 FRODO] a vote was not carried
=== sam@shire.example gets mail
=== gm@example.org gets mail
""")


def test_observers_read_on_though_another_game_cannot_be_shown(
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
Subject: please confirm
=== rosie@bywater.example replies
CONFIRM

=== rosie@bywater.example gets
Subject: you observe {named["game"]}
"""
            + OBSERVED[named["game"]]
        )


OBSERVED = {
    "FT-1": """
=== operator@referee.example gets
The step "tell observers" fails in FT-1
""",
    "SW-1": """
=== rosie@bywater.example gets
Subject: [SW-1 T1]
""",
}
