"""GMs who want a game for themselves: no other GM can remove the first one."""

import re
from datetime import timedelta

import pytest

from referee.store.games import games
from tests.attacks.siege import FRODO, GM, Siege

GANDALF = "gandalf@grey.example"
SARUMAN = "saruman@isengard.example"
PUPPET = "grima@isengard.example"


def command(siege: Siege, gm: str, words: str) -> None:
    """Send a command of a GM, and confirm it."""
    siege.now += timedelta(hours=1)
    siege.write(gm, f"GM SW-1\n{words}\n")
    siege.reply(gm, "CONFIRM\n", "confirm")


def gms(siege: Siege) -> set[str]:
    with siege.store.read() as session:
        game = games.by_name(session, "SW-1")
        assert game is not None
        return {gm.person.address for gm in game.gms}


def text(siege: Siege, address: str, words: str = "") -> str:
    """Return the last letter to the address with *words* in its subject, as one line."""
    return " ".join(siege.last(address, words).text.split())


def besieged(*promoted: tuple[str, str]) -> Siege:
    """Return a game in which GMs, each named after their promoter, were promoted in this order."""
    siege = Siege()
    for promoter, new in promoted:
        command(siege, promoter, f"PROMOTE {new}")
    assert gms(siege) == {GM, *(new for _, new in promoted)}
    return siege


@pytest.mark.slow
def test_a_promoted_gm_cannot_remove_the_first_gm() -> None:
    siege = besieged((GM, SARUMAN), (GM, GANDALF))
    for _ in range(2):
        command(siege, SARUMAN, f"DEMOTE {GM}")
    assert gms(siege) == {GM, SARUMAN, GANDALF}
    for gm in (GM, GANDALF):
        assert "asks to remove the first GM of SW-1" in text(siege, gm)
    command(siege, GANDALF, f"DEMOTE {GM}")
    assert gms(siege) == {SARUMAN, GANDALF}
    assert "Two other GMs decided this" in text(siege, GM)


@pytest.mark.slow
@pytest.mark.parametrize("order", [(SARUMAN, PUPPET), (PUPPET, SARUMAN)])
def test_a_gm_and_the_one_they_promoted_count_as_one(order: tuple[str, str]) -> None:
    siege = besieged((GM, GANDALF), (GM, SARUMAN), (SARUMAN, PUPPET))
    for gm in order:
        command(siege, gm, f"DEMOTE {GM}")
    assert gms(siege) == {GM, GANDALF, SARUMAN, PUPPET}
    command(siege, GANDALF, f"DEMOTE {GM}")
    assert gms(siege) == {GANDALF, SARUMAN, PUPPET}


@pytest.mark.slow
def test_a_gm_who_was_removed_and_promoted_again_counts_with_the_promoter() -> None:
    siege = besieged((GM, SARUMAN), (GM, GANDALF))
    command(siege, SARUMAN, f"DEMOTE {GANDALF}")
    command(siege, SARUMAN, f"PROMOTE {GANDALF}")
    for gm in (SARUMAN, GANDALF):
        command(siege, gm, f"DEMOTE {GM}")
    assert gms(siege) == {GM, SARUMAN, GANDALF}


@pytest.mark.slow
def test_a_gm_who_removes_all_others_cannot_remove_the_first() -> None:
    siege = besieged((GM, SARUMAN), (GM, GANDALF))
    command(siege, SARUMAN, f"DEMOTE {GANDALF}")
    command(siege, SARUMAN, f"DEMOTE {GM}")
    assert gms(siege) == {GM, SARUMAN}
    command(siege, GM, f"DEMOTE {SARUMAN}")
    assert gms(siege) == {GM}


@pytest.mark.slow
def test_the_proposal_of_a_gm_who_was_removed_does_not_count() -> None:
    siege = besieged((GM, SARUMAN), (GM, GANDALF))
    command(siege, SARUMAN, f"DEMOTE {GM}")
    command(siege, GM, f"DEMOTE {SARUMAN}")
    command(siege, GANDALF, f"DEMOTE {GM}")
    assert gms(siege) == {GM, GANDALF}


@pytest.mark.slow
def test_a_proposal_counts_for_two_weeks() -> None:
    siege = besieged((GM, SARUMAN), (GM, GANDALF))
    command(siege, SARUMAN, f"DEMOTE {GM}")
    siege.now += timedelta(days=14)
    command(siege, GANDALF, f"DEMOTE {GM}")
    assert gms(siege) == {GM, SARUMAN, GANDALF}
    command(siege, SARUMAN, f"DEMOTE {GM}")
    assert gms(siege) == {SARUMAN, GANDALF}


def test_the_longest_serving_gm_follows_a_first_gm_who_leaves() -> None:
    siege = besieged((GM, GANDALF), (GM, SARUMAN))
    command(siege, GM, f"DEMOTE {GM}")
    assert gms(siege) == {GANDALF, SARUMAN}
    assert "No other GM can remove you alone" in text(siege, GANDALF, "first GM")
    command(siege, SARUMAN, f"DEMOTE {GANDALF}")
    assert gms(siege) == {GANDALF, SARUMAN}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seats", "words", "starts"),
    [
        (2, "APPROVE {0}\nAPPROVE {1}", True),
        (3, "APPROVE {0}\nAPPROVE {1}", False),
        (3, "APPROVE {0}\nAPPROVE {1}\nSEATS 2", True),
        (3, "APPROVE {0}\nAPPROVE {1}\nASSIGN ROBOT", True),
        (2, "START BY GM\nAPPROVE {0}", False),
    ],
)
def test_what_starts_the_game_is_previewed_to_an_unverified_gm(
    seats: int, words: str, starts: bool
) -> None:
    siege = Siege()
    siege.write(GM, f'CREATE STARWEB SEATS {seats} DEADLINE "5 days" OPTION approve=yes')
    siege.reply(GM, "CONFIRM\n")
    waiting = []
    for address in (GANDALF, SARUMAN):
        siege.write(address, "JOIN SW-2")
        siege.reply(address, "CONFIRM\n")
        waiting += re.findall(r"APPROVE (#\d+)", siege.last(GM).text)
    siege.write(GM, f"GM SW-2\n{words.format(*waiting)}\n")
    shown = text(siege, GM).replace(" : ", " ")
    assert ("The game is then full and starts." in shown) == starts
    siege.reply(GM, "CONFIRM\n", "confirm")
    assert "confirm" not in siege.last(GM, "SW-2").subject
    assert ("has started" in text(siege, GM)) == starts


def test_messages_of_a_gm_at_once_have_a_share() -> None:
    siege = Siege()
    block = "PRESS TO ALL\nhello {}\nEND\n"
    for _ in range(4):
        siege.reply(GM, "GM SW-1\n" + "".join(map(block.format, range(50))), "SW-1")
        siege.reply(GM, "CONFIRM\n", "confirm")
    assert "A BROADCAST is in the next report" in " ".join(siege.everything_mailed().split())
    siege.later(minutes=1)
    assert 100 <= len([each for each in siege.got(FRODO) if "message from" in each]) <= 150
