"""Two games that differ only in what a sender may not know give them the same answers."""

import pytest

from referee.desk.reception.commands import COMMANDS
from tests.attacks import twins
from tests.attacks.siege import MALLORY
from tests.attacks.twins import LINES, SENDERS, Secret, Sender, TwinGame, crowded, told

PAIRS: list[tuple[Secret, Secret]] = [
    (twins.vacant, twins.robot),
    (twins.vacant, twins.nothing),
    (twins.inactive, twins.eliminated),
]
"""What one of two seats is that the sender has not met, and what the other one is."""
ALONE: list[Secret] = [twins.busy, twins.moved, twins.noted, twins.excluded, twins.voting]
"""What is so of one seat or of the whole game."""
TRYING_ALL = ("a stranger",)
"""The senders who try each line that changes something in an email of its own; for the others, all
lines are in few emails."""


def test_every_command_has_lines_that_try_it() -> None:
    assert set(LINES) == set(COMMANDS)


@pytest.mark.release
@pytest.mark.parametrize("sender", TRYING_ALL)
@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: "-".join(each.__name__ for each in pair))
def test_nobody_learns_which_seat_is_vacant(sender: str, pair: tuple[Secret, Secret]) -> None:
    one, other = pair
    # One pair is tried by each line alone, which can do what it cannot next to the others.
    texts = [] if pair is PAIRS[0] else crowded()
    found = told(SENDERS[sender], (one, "PIPPIN"), (other, "LEGOLAS"), texts=texts)
    assert found == told(SENDERS[sender], (one, "LEGOLAS"), (other, "PIPPIN"), texts=texts)


@pytest.mark.release
@pytest.mark.parametrize("sender", TRYING_ALL)
def test_nobody_learns_what_is_anothers(sender: str) -> None:
    secrets = [(each, "PIPPIN") for each in ALONE]
    assert told(SENDERS[sender], *secrets) == told(SENDERS[sender])


@pytest.mark.slow
@pytest.mark.sampled
@pytest.mark.parametrize("sender", [each for each in SENDERS if each not in TRYING_ALL])
def test_nobody_learns_a_secret_by_few_emails_with_every_line(sender: str) -> None:
    # A player learns of a vote.
    plays = sender.startswith(("a player", "a deputy"))
    hidden = [each for each in ALONE if not (plays and each is twins.voting)]
    secrets: list[tuple[Secret, str]] = [(each, "PIPPIN") for each in hidden]
    (one, other), *_ = PAIRS
    every = crowded()
    asker = SENDERS[sender]
    assert told(asker, *secrets, texts=every) == told(asker, texts=every)
    found = told(asker, (one, "PIPPIN"), (other, "LEGOLAS"), texts=every)
    assert found == told(asker, (one, "LEGOLAS"), (other, "PIPPIN"), texts=every)


@pytest.mark.sampled
@pytest.mark.parametrize(
    "line", ["TAKEOVER SW-1", "TAKEOVER SW-1 PIPPIN", "STATUS", "STANDBY SW-1"]
)
@pytest.mark.parametrize("sender", ["a player", "a former player", "a stranger who claims a seat"])
def test_a_vacancy_has_no_name(sender: str, line: str) -> None:
    pair = [("PIPPIN", "LEGOLAS"), ("LEGOLAS", "PIPPIN")]
    found = [
        answer(SENDERS[sender], line, (twins.vacant, one), (twins.robot, other))
        for one, other in pair
    ]
    assert found[0] == found[1]


@pytest.mark.sampled
@pytest.mark.parametrize("sender", ["a stranger", "a person without a seat", "an observer"])
def test_an_excluded_person_is_answered_as_if_no_seat_were_available(sender: str) -> None:
    shut = answer(SENDERS[sender], "TAKEOVER SW-1", (twins.vacant, "PIPPIN"), (twins.excluded, ""))
    assert shut == answer(SENDERS[sender], "TAKEOVER SW-1")
    assert shut != answer(SENDERS[sender], "TAKEOVER SW-1", (twins.vacant, "PIPPIN"))


@pytest.mark.sampled
@pytest.mark.parametrize("sender", ["a former player", "an observer", "a person without a seat"])
def test_only_those_who_play_learn_of_a_vote(sender: str) -> None:
    assert answer(SENDERS[sender], "STATUS", (twins.voting, "")) == answer(
        SENDERS[sender], "STATUS"
    )
    assert "End the game as a draw" in answer(SENDERS["a player"], "STATUS", (twins.voting, ""))[0]


@pytest.mark.sampled
@pytest.mark.parametrize("line", ["ORDERS FOR PIPPIN\nF1W2\nEND", "PIPPIN\nWHO"])
def test_nobody_learns_by_the_name_of_a_seat_in_the_heading_if_it_is_vacant(line: str) -> None:
    sender = SENDERS["a player who claims a seat"]
    assert answer(sender, line, (twins.vacant, "PIPPIN")) == answer(sender, line)


@pytest.mark.sampled
@pytest.mark.parametrize("to", ["ALL", "PIPPIN"])
def test_the_answer_to_a_message_names_no_robot_that_its_writer_has_not_met(to: str) -> None:
    def told_of(secret: Secret) -> list[str]:
        return answer(SENDERS["a player"], f"PRESS TO {to}\nHello\nEND", (secret, "PIPPIN"))

    assert told_of(twins.robot) == told_of(twins.vacant)


def test_a_gm_who_is_not_listed_seats_nobody_who_has_not_asked() -> None:
    game = TwinGame()
    gm = SENDERS["a GM in a game that forms"]
    refused = game.answers(gm, f"GM SW-3\nASSIGN {MALLORY}\n")
    assert "has not asked for a seat in SW-3" in " ".join(refused[-1].split())
    refused = game.answers(SENDERS["a GM in another game"], f"GM SW-2\nREPLACE THORIN {MALLORY}\n")
    assert "has not asked for a seat in SW-2" in " ".join(refused[-1].split())
    assert game.got(MALLORY) == []


def test_a_gm_who_is_not_listed_writes_no_title_to_a_stranger() -> None:
    game = TwinGame()
    gm = SENDERS["a GM in a game that forms"]
    game.answers(gm, "GM SW-3\nTITLE Buy my gold\n")
    game.answers(gm, f"GM SW-3\nPROMOTE {MALLORY}\n")
    assert "you are now a GM of SW-3" in game.last(MALLORY).subject
    assert "Buy my gold" not in game.last(MALLORY).text


def answer(sender: Sender, line: str, *secrets: tuple[Secret, str]) -> list[str]:
    """Return what the sender gets for one line, in a game that has these secrets."""
    (only,) = told(sender, *secrets, texts=[line])
    return only[1]
