"""The examples in the guide for game masters: each is sent, and its answer is that on the page."""

import re
from collections.abc import Iterator
from contextlib import closing
from typing import Final

import pytest

from referee.desk.base.option_text import written
from referee.domain.house_rules import HOUSE_OPTIONS
from referee.plugins import installed_rulesets
from referee.testing.conversation import Conversation
from tests.support.pages import blocks, code, read_page, rows, section

pytestmark = pytest.mark.slow

PAGE: Final = read_page("docs/gamemasters.md")
GM, SAM, TOM, ANN = (f"{name}@example.org" for name in ("gm", "sam", "tom", "ann"))


def flat(text: str) -> str:
    return " ".join(text.replace("\n  : ", " ").split())


EVERYBODY: Final = (SAM, TOM, ANN, GM)
CREATE, CREATED, INVITE, INVITED, SEATS, EXTEND, EXTENDED = blocks(section(PAGE, "Your first game"))
JOINED: Final = f"""
=== {SAM} writes

JOIN SW-1 CERES AS Pirate

=== {SAM} gets mail
=== {TOM} writes

JOIN SW-1 VESTA AS Merchant

=== {TOM} gets mail
=== {ANN} writes

JOIN SW-1 JUNO AS Apostle

=== {ANN} gets mail
=== {SAM} gets mail
=== {TOM} gets mail
=== {GM} gets mail
"""


def answered(running: Conversation, statement: str, *others: str, sender: str = GM) -> str:
    """Return the answer to an email, with its subject; *others* get emails, too."""
    read = "\n".join(f"=== {each} gets mail" for each in (sender, *others))
    running.run(f"=== {sender} {statement}\n{read}")
    return running.person(sender).got[-1].shown


def write(running: Conversation, body: str, *others: str) -> str:
    return answered(running, f"writes\n\n{body}\n", *others)


def confirm(running: Conversation, *others: str) -> str:
    return answered(running, "replies\nCONFIRM\n", *others)


BARRED: Final = {
    "PREVIEW": "PREVIEW",
    "CORRECT": blocks(section(PAGE, "Undoing turns and correcting mistakes"))[0].removeprefix(
        "GM SW-1\n"
    ),
    "PROMOTE": f"PROMOTE {ANN}",
    "DEPUTY": f"DEPUTY CERES {ANN} TO 3 September",
    "ORDERS": "ORDERS FOR CERES\nENDING 8000\nEND",
    "REPLACE": f"REPLACE CERES {ANN}",
    "VACATE": "VACATE CERES",
    "ELIMINATE": "ELIMINATE CERES",
    "ROLLBACK": "ROLLBACK",
    "RESOLVE": "RESOLVE",
    "DEADLINE": "DEADLINE 2 September 12:00 UTC",
    "OPTION EXTENSIONS": "OPTION EXTENSIONS 15 days",
    "OPTION BANK": "OPTION BANK 15 days",
    "SCHEDULE of 28 days": "SCHEDULE 3 days, at least 365 days apart",
    "SCHEDULE": "SCHEDULE 1 hour",
    "OPTION MISSED": "OPTION MISSED 1",
    "OPTION": "OPTION trust=address",
    "vote_draw": "OPTION vote_draw=majority",
    "vote_concede": "OPTION vote_concede=majority",
    "vote_end": "OPTION vote_end=majority",
}
"""A form of each command that a GM who plays cannot send."""
UNPROVEN: Final = "writes unsigned\n\nGM SW-1\n"


@pytest.fixture
def created() -> Iterator[Conversation]:
    """Yield a referee with the game of the page, which waits for players."""
    with closing(Conversation(installed_rulesets())) as running:
        running.run("=== it is 2026-09-01 16:00 UTC")
        assert CREATED in write(running, CREATE)
        yield running


@pytest.fixture(scope="module")
def started() -> Iterator[Conversation]:
    """Yield a referee with the same game on turn 1, in which nobody has sent anything."""
    with closing(Conversation(installed_rulesets())) as running:
        running.run("=== it is 2026-09-01 16:00 UTC")
        write(running, CREATE)
        running.run(JOINED)
        yield running


def test_the_first_game_goes_as_on_the_page(created: Conversation) -> None:
    assert INVITED in write(created, INVITE)
    confirm(created, SAM, TOM)
    assert "To join, reply with the word YES" in flat(created.person(SAM).got[-1].text)
    created.run(JOINED)
    assert "first report" in created.person(SAM).got[-1].subject
    assert "Deadline for turn 1: Sat 5 Sep" in created.person(GM).got[-1].text
    answered(created, "replies\nENDING 8000", sender=SAM)
    answered(created, "replies\nSTANDING\nENDING 8000\nEND", sender=TOM)
    created.run("=== 5 days pass\n" + "\n".join(f"=== {each} gets mail" for each in EVERYBODY))
    assert SEATS in created.person(GM).got[-1].text
    write(created, EXTEND, SAM, TOM, ANN)
    assert created.person(SAM).got[-1].text.startswith(EXTENDED)
    write(created, "GM SW-1\nEND GAME")
    confirm(created, SAM, TOM, ANN)
    assert "is attached as a book" in created.person(SAM).got[-1].text


def test_the_example_of_who_can_join_is_done(created: Conversation) -> None:
    (example,) = blocks(section(PAGE, "Who can join"))  # voice: ok
    assert "done: OPTION, ALLOW" in write(created, example)


def test_the_example_of_each_task_in_a_game_is_done(created: Conversation) -> None:
    created.run(JOINED)
    (deadlines,) = blocks(section(PAGE, "Deadlines"))
    assert "done: SCHEDULE, OPTION" in write(created, deadlines, SAM, TOM, ANN)
    (message,) = blocks(section(PAGE, "Messages"))
    assert "confirm: BROADCAST" in write(created, message)
    assert "done: BROADCAST" in confirm(created)
    (people,) = blocks(section(PAGE, "People"))
    assert "confirm: VACATE" in write(created, people)
    assert "done: VACATE" in confirm(created, SAM)
    (end,) = blocks(section(PAGE, "The end"))
    assert "confirm: END GAME" in write(created, end)
    assert "the game is over" in confirm(created, TOM, ANN)


def test_too_few_friends_are_no_obstacle(created: Conversation) -> None:
    joined, _ = JOINED.split(f"=== {ANN} writes")
    created.run(joined)
    for command in code(re.findall(r"If too few friends come, (.*?)\.", flat(PAGE))[0]):
        assert "starts" in write(created, f"GM SW-1\n{command}")
    confirm(created, SAM, TOM)
    assert "1 seat is played by a robot" in flat(created.person(SAM).got[-1].text)


def test_times_are_shown_by_the_clock_of_the_gm(created: Conversation) -> None:
    (zone,) = (phrase for phrase in code(PAGE) if phrase.startswith("SET ZONE "))
    answered(created, f"replies\n{zone}")
    created.run(JOINED)
    assert "Deadline for turn 1: Fri 4 Sep 2026, 18:00 MST" in created.person(GM).got[-1].text


def test_remarks_and_mistakes_are_listed_as_on_the_page(started: Conversation) -> None:
    remark, listed, refused = code(re.findall(r"- (Words, such as.*?)\n- ", PAGE, re.S)[0])
    answer = write(started, f"GM SW-1\n{remark}\nHOLDD\nSTATUS")
    assert f"\n{listed} (1)\n  Line 3: {remark}\n" in answer
    assert f"\n{refused} (1)\n  Line 4: HOLDD\n" in answer
    assert "CERES: no orders yet" in answer


def test_an_email_that_nothing_proves_is_shown_before_it_is_done(created: Conversation) -> None:
    created.run(JOINED)
    assert "CERES: no orders yet" in answered(created, f"{UNPROVEN}STATUS\n")
    for question in ("PREVIEW", "REPLAY", "REPORT OF CERES"):
        shown = answered(created, f"{UNPROVEN}{question}\n")
        assert f"confirm: {question.removesuffix(' CERES')}" in shown
    shown = answered(created, f"{UNPROVEN}{BARRED['CORRECT']}\n")
    assert "Nothing has been done" in shown
    assert "This changes in SW-1 before the orders of turn 1:" in shown
    assert "No turn of SW-1 is resolved until you write RESUME" in answered(
        created, f"{UNPROVEN}HOLD\n"
    )
    assert "The GM put the game on hold" in confirm(created, SAM, TOM, ANN)


def test_what_is_set_already_changes_nothing(started: Conversation) -> None:
    (press,) = code(re.findall(r"A new game has (.*?)\.\n", PAGE)[0])
    defaults = re.findall(r"^\| `OPTION (MISSED|EXTENSIONS) .*; default (.*) \|$", PAGE, re.M)
    assert len(defaults) == 2
    commands = [press, *(f"OPTION {' '.join(each)}" for each in defaults)]
    answer = write(started, "\n".join(("GM SW-1", *commands)))
    assert answer.count("so nothing changes") == len(commands)
    assert "confirm" not in answer


def test_the_defaults_of_house_options_are_those_of_the_page() -> None:
    listed: dict[str, str] = {}
    for names, values, _ in rows(section(PAGE, "House rules"), "option"):
        shown = values.split(", ")
        named = code(names)
        listed |= dict(zip(named, shown * len(named) if len(shown) == 1 else shown, strict=False))
    assert listed == {option.name: written(option.default) for option in HOUSE_OPTIONS}


def test_the_packs_of_the_page_are_those_of_the_program(started: Conversation) -> None:
    packs = code(re.findall(r"under a name: (.*?) come with", flat(PAGE))[0])
    listed = re.findall(r"^ +(\w+): Turns are due", write(started, "RULES LIST"), re.MULTILINE)
    assert sorted(packs) == sorted(listed)
    (create,) = (phrase for phrase in code(PAGE) if phrase.startswith("CREATE STARWEB RULES"))
    assert "Schedule: a turn every 14 days" in write(started, create)


def test_a_private_game_shows_the_line_with_its_code(created: Conversation) -> None:
    write(created, "GM SW-1\nOPTION private=yes")
    confirm(created)
    (line,) = (phrase for phrase in code(PAGE) if phrase.startswith("JOIN SW-1 CODE"))
    shown = re.sub(r"CODE [A-Z0-9]{8}", "CODE K7QX2M4A", write(created, "GM SW-1\nCODE"))
    assert line in shown
    assert "There is no game SW-1" in answered(created, "writes\n\nJOIN SW-1\n", sender=SAM)


def test_each_part_of_a_schedule_is_accepted_and_its_next_deadlines_shown(
    started: Conversation,
) -> None:
    *parts, phase = (
        each for names, _ in rows(section(PAGE, "Deadlines"), "part") for each in code(names)
    )
    assert len(parts) == 9
    # The game has one of them from the start.
    for part in (each for each in parts if each not in CREATE):
        schedule = part if part.startswith(("daily", "weekdays", "72", "14")) else f"3 days {part}"
        shown = flat(write(started, f"GM SW-1\nSCHEDULE {schedule}", SAM, TOM, ANN))
        assert shown.partition("The deadlines after it: ")[2].partition(". ")[0].count(";") == 4
    other = write(started, f'CREATE FISTFUL DEADLINE "3 days, {phase}"')
    assert "is open for players" in other


def test_a_correction_is_shown_as_on_the_page(started: Conversation) -> None:
    text = section(PAGE, "Undoing turns and correcting mistakes")
    (command,) = blocks(text)
    (difference,) = code(re.findall(r"such as (`.*?`)", text)[0])
    assert difference in flat(write(started, command))


def test_help_answers_what_the_page_asks(started: Conversation) -> None:
    asked = sorted({phrase for phrase in code(PAGE) if phrase.startswith("HELP ")})
    assert asked
    for each in asked:
        assert "There is no help" not in write(started, each)


def test_a_gm_who_plays_cannot_do_what_the_page_lists() -> None:
    text = section(PAGE, "Looking into the game").partition("**A GM who plays**")[2]
    named = {
        each.partition("=")[0] if each.startswith("vote") else each.split()[0]
        for each in code(text.rpartition("\n\n")[0])
    }
    assert named - {"EXTEND", "SHEETS"} == {name.split()[0] for name in BARRED}
    with closing(Conversation(installed_rulesets())) as running:
        running.run("=== it is 2026-09-01 16:00 UTC")
        write(running, CREATE)
        running.run(JOINED.replace(f"=== {GM} gets mail\n", "").replace(ANN, GM))
        assert "A GM of this game also plays in it" in running.person(SAM).got[-1].text
        answer = flat(write(running, "\n".join(("GM SW-1", *BARRED.values()))))
    assert f"NOT DONE ({len(BARRED)})" in answer
    assert answer.count("You play in SW-1, so you cannot") == len(BARRED)
