"""Seats that robots play: their number, their orders in the record, and robots that fail."""

from collections.abc import Iterator
from typing import Any, Final

import pytest

from referee.desk.games.record import prove, record_of
from referee.plugins import installed_rulesets
from referee.rules.dice import Dice
from referee.rules.extras import Strength
from referee.rules.ruleset import Seat
from referee.rulesets.starweb import RULESET
from referee.store.games import audit, games
from referee.store.models import Game
from referee.testing.conversation import Conversation
from tests.support.robotic import Robotic

CREATED: Final = """
=== gm@example.org writes

CREATE STARWEB SEATS 3 DEADLINE "8 days" OPTION early=0

=== gm@example.org gets mail
"""
COMMANDED: Final = """
=== gm@example.org writes

GM SW-1
{command}

=== gm@example.org gets mail
=== gm@example.org replies
CONFIRM

=== gm@example.org gets mail
"""
JOINED: Final = """
=== frodo@shire.example writes

JOIN SW-1 FRODO

=== frodo@shire.example gets mail
=== gm@example.org gets mail
"""
ENDED: Final = """
=== frodo@shire.example replies to T1
FINAL

=== frodo@shire.example gets mail
"""


class Watched:
    """A robot that sends one order, and records for whom it was asked; it can fail."""

    def __init__(self) -> None:
        self.asked: list[tuple[Seat, Strength]] = []
        self.fails = False

    def play(self, state: Any, seat: Seat, strength: Strength, _dice: Dice) -> tuple[Any, ...]:
        if self.fails:
            raise ZeroDivisionError
        self.asked.append((seat, strength))
        return tuple(
            order for each in RULESET.guide(state, seat).suggestions[:1] for order in each.orders
        )


@pytest.fixture
def robot() -> Watched:
    return Watched()


@pytest.fixture
def talk(robot: Watched) -> Iterator[Conversation]:
    rulesets = {**installed_rulesets(), "starweb": Robotic(RULESET, robot.play)}
    conversation = Conversation(rulesets)
    conversation.run(CREATED)
    yield conversation
    conversation.close()


def _game(session: Any) -> Game:
    game = games.by_name(session, "SW-1")
    assert game is not None
    return game


def _robots(talk: Conversation) -> list[tuple[int, str]]:
    with talk.store.read() as session:
        seats = _game(session).seats
        return [(row.number, row.robot.value) for row in seats if row.robot is not None]


def _command(talk: Conversation, *commands: str) -> None:
    for command in commands:
        talk.run(COMMANDED.format(command=command))


@pytest.mark.slow
def test_the_number_of_robots_goes_up_and_down(talk: Conversation) -> None:
    _command(talk, "SEATS 5 ROBOTS 3")
    talk.run(JOINED.replace("=== gm@example.org gets mail\n", ""))
    assert _robots(talk) == [(1, "normal"), (2, "normal"), (3, "normal")]
    _command(talk, "SEATS 5 ROBOTS 2 HARD")
    assert _robots(talk) == [(1, "hard"), (2, "hard")]
    _command(talk, "SEATS 5 ROBOTS 3 EASY")
    assert _robots(talk) == [(1, "easy"), (2, "easy"), (4, "easy")]
    _command(talk, "SEATS 4 ROBOTS NONE")
    assert _robots(talk) == []


@pytest.mark.slow
def test_the_orders_of_robots_are_in_the_record(talk: Conversation, robot: Watched) -> None:
    _command(talk, "SEATS 3 ROBOTS 2 HARD")
    talk.run(JOINED + ENDED)
    assert {*robot.asked} == {(Seat(1), Strength.HARD), (Seat(2), Strength.HARD)}
    with talk.store.read() as session:
        record = record_of(session, _game(session))
    assert [len(record.turns[0].sheets[seat]) for seat in ("1", "2", "3")] == [1, 1, 0]
    assert record.turns[0].missed == []
    # The record proves the turn with rules that have no robot.
    assert prove(record, {"starweb": RULESET}).differences == ()


@pytest.mark.slow
def test_a_robot_that_fails_gets_default_orders(talk: Conversation, robot: Watched) -> None:
    _command(talk, "SEATS 3 ROBOTS 2")
    robot.fails = True
    talk.run(JOINED + ENDED)
    with talk.store.read() as session:
        game = _game(session)
        record, notes = record_of(session, game), audit.newest(session, game, 20)
        names = [row.name for row in game.seats if row.robot is not None]
    assert record.turns[0].missed == [1, 2]
    assert [note.what for note in notes if "failed" in note.what] == [
        f"The robot of {name} failed, so {name} got default orders in turn 1." for name in names
    ]
    assert prove(record, {"starweb": RULESET}).differences == ()


def test_robots_do_not_start_a_game_without_a_person(talk: Conversation) -> None:
    _command(talk, "SEATS 3 ROBOTS 2")
    talk.run("""
=== gm@example.org writes

GM SW-1
START

=== gm@example.org gets
SW-1 needs at least one player who is not a robot.
""")


@pytest.mark.slow
def test_a_newcomer_takes_a_vacant_seat_before_that_of_a_robot(talk: Conversation) -> None:
    _command(talk, "SEATS 3 ROBOTS 2")
    talk.run(JOINED)
    with talk.store.read() as session:
        newer = [row.name for row in _game(session).seats if row.robot is not None][1]
    _command(talk, f"VACATE {newer}")
    talk.run("""
=== bilbo@rivendell.example writes

TAKEOVER SW-1

=== bilbo@rivendell.example gets mail
=== bilbo@rivendell.example replies
CONFIRM

=== bilbo@rivendell.example gets mail
=== gm@example.org gets mail
""")
    with talk.store.read() as session:
        held = [row.name for row in _game(session).seats if row.person is not None]
    assert held == [newer, "FRODO"]
