"""Attacks with commands of a stranger: the question shows everything that a CONFIRM does."""

from collections.abc import Mapping
from typing import Final

import pytest

from referee.desk.orders.command_entries import Effect
from referee.desk.reception.commands import COMMANDS
from referee.domain import commands as c
from referee.parsing.commands import fixed_words
from referee.testing.conversation import ADDRESS
from referee.testing.correspondents import MAIL_SERVER
from tests.attacks.siege import GM, MALLORY, Siege

LINES: Final[Mapping[type[c.Command], str]] = {
    c.Join: "JOIN SW-2 oaf OR bob AS Pirate OR Merchant REAL NAME Ann Bee ZONE Asia/Tokyo",
    c.Play: "PLAY STARWEB ROBOTS 4 HARD AS Pirate WITHIN 3 days",
    c.Create: 'CREATE SINGULARITY TITLE "Big Talk" SEATS 5 DEADLINE "3 days" OPTION wheel=ROYGVB',
    c.StandBy: "STANDBY STARWEB",
}
"""Each command by which a stranger enters, with words of theirs in all places."""


def asked(letter: str, name: str = "Zed Quux", sender: str = MALLORY) -> tuple[Siege, str]:
    """Return the siege, and the question about an unsigned letter with that name in From."""
    siege = Siege(authserv_ids=frozenset({MAIL_SERVER}))
    siege.write(GM, 'CREATE STARWEB SEATS 2 DEADLINE "5 days"')
    headers = {"From": f"{name} <{sender}>"}
    raw = siege.person(sender).letter(ADDRESS, "", letter, siege.now, headers)
    siege._arrive(raw, ADDRESS)
    assert "confirm" in siege.last(sender).subject
    return siege, " ".join(siege.last(sender).text.replace("\n  : ", " ").split())


def test_the_lines_have_every_command_that_enters_a_stranger() -> None:
    assert {kind for kind, entry in COMMANDS.items() if entry.effect is Effect.ENTERS} == {*LINES}


@pytest.mark.parametrize("kind", LINES)
def test_the_question_has_every_word_that_is_the_senders(kind: type[c.Command]) -> None:
    _, question = asked(LINES[kind], sender=GM if kind is c.Create else MALLORY)
    words = LINES[kind].replace('"', "").replace("=", " ").split()
    own = {word.upper() for word in words} - fixed_words()
    assert own - {word.strip(".,:").upper() for word in question.split()} == set()


@pytest.mark.parametrize("line", ["JOIN SW-2 oaf", "PLAY STARWEB", "STANDBY ALL"])
def test_the_question_has_the_name_of_the_from_line_that_a_yes_makes_theirs(line: str) -> None:
    siege, question = asked(line)
    assert "If you are new here, your name is Zed Quux." in question
    siege.reply(MALLORY, "YES\n", "confirm")
    assert "Zed Quux" in str(siege.picture().people)


def test_the_from_line_names_nobody_with_a_whole_message() -> None:
    message = "Zed Quux wants you to call tonight because you owe money to Zed Quux"
    siege, question = asked("STANDBY ALL", message)
    assert "owe" not in question
    siege.reply(MALLORY, "YES\n", "confirm")
    assert message not in str(siege.picture().people)


def test_the_real_name_in_a_join_is_no_message() -> None:
    siege = Siege(authserv_ids=frozenset({MAIL_SERVER}))
    siege.write(GM, 'CREATE STARWEB SEATS 2 DEADLINE "5 days"')
    siege.write(MALLORY, f"JOIN SW-2 REAL NAME {'Zed ' * 20}")
    assert "A name can have at most 60 characters." in siege.last(MALLORY).text


def test_a_name_is_no_link_for_a_mail_program() -> None:
    _, question = asked("STANDBY ALL", "See evil.example")
    assert "evil.example" not in question.replace(MALLORY, "")
