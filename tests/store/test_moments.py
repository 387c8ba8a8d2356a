"""The register of moments: complete, read by the loop and the outages, printed for operators."""

from collections.abc import Callable
from datetime import timedelta
from typing import Final

import pytest

from referee.daemon.loop import LOOKED_AT, STEPS
from referee.domain.moments import RECORDS, REGISTER, UNTRUSTED, AfterGap, that
from referee.store import Session, Store
from referee.store.database.base import Base, Utc
from referee.store.games import agenda
from referee.store.games.agenda import AgendaTopic
from referee.store.games.postponements import DEADLINE, OUTAGE
from referee.store.games.press import Press
from referee.store.models import LONG_AGO, Game, GameStatus
from referee.store.moments import AWAITED, BY_THEMSELVES, MOVABLE, first
from referee.store.people import address_changes
from referee.store.people.absences import REMINDED_BEFORE, Absence
from referee.store.people.address_changes import ChangeKind
from tests.store.rows import NOW, a_game, a_letter, a_person, a_running_game, a_seat
from tests.support.pages import read_page, rows, section

COLUMNS: Final = {
    f"{table.name}.{column.name}"
    for table in Base.metadata.sorted_tables
    for column in table.columns
    if isinstance(column.type, Utc)
}
ELSEWHERE: Final = {
    "outbox.due_at",
    "call_outs.due_at",
    "absences.ends_at",
    "press.wanted_at",
    "heartbeats.behind_at",
    UNTRUSTED,
    *(name for name in REGISTER if name.endswith(".lease_until")),
}
"""The moments that no step of the loop looks at: sending, claims, and what others follow."""


def test_every_column_with_a_moment_is_in_the_register_or_records_the_past() -> None:
    assert set(REGISTER) | RECORDS == COLUMNS
    assert set(REGISTER) & RECORDS == set()


def test_every_moment_of_the_register_is_looked_at_by_a_step() -> None:
    assert set(REGISTER) - ELSEWHERE == LOOKED_AT


def test_each_moment_that_wakes_the_loop_is_awaited() -> None:
    names = {name for step in STEPS if not step.in_every_round for name in step.moments}
    assert {*names, "outbox.due_at"} == {*AWAITED, "games.deadline_at"}


def test_what_gets_lost_time_back_is_moved() -> None:
    assert {*MOVABLE, DEADLINE, OUTAGE} == that(AfterGap.MOVES)


def test_what_nobody_can_undo_waits_for_a_trusted_time() -> None:
    waits = that(AfterGap.MOVES) | that(AfterGap.WAITS) | that(AfterGap.AGAIN)
    assert {name for name, each in REGISTER.items() if each.undoes == "nothing"} - waits == {
        "outbox.due_at",
        "call_outs.due_at",
    }


def test_the_guide_for_operators_has_the_register() -> None:
    assert rows(section(read_page("docs/reference.md"), "Moments")) == [
        [f"`{name}`", each.sets, each.does, each.undoes, each.after.value, each.told]
        for name, each in REGISTER.items()
    ]


SOON, LATER = NOW + timedelta(hours=1), NOW + timedelta(days=30)


def at_rest(session: Session) -> Game:
    """Create a game with the deadline ``LATER``, and nothing due before."""
    game = a_running_game(session)
    game.deadline_at = game.closes_at = LATER
    session.flush()
    game.remind_at = None
    session.flush()
    return game


def ready(_session: Session, game: Game) -> None:
    game.ready_at = SOON


def the_end_of_a_grace(session: Session, game: Game) -> None:
    game.deadline_at, game.closes_at = NOW, SOON
    session.flush()
    game.remind_at = None


def a_rest_after_a_trouble(session: Session, game: Game) -> None:
    game.deadline_at, game.closes_at, game.stalled_until = NOW, NOW, SOON
    session.flush()
    game.remind_at = None


def a_turn_moved_after_a_trouble(session: Session, game: Game) -> None:
    game.closes_at, game.stalled_until = SOON, NOW
    session.flush()
    game.remind_at = None


def a_reminder(_session: Session, game: Game) -> None:
    game.remind_at = SOON


def a_look(session: Session, game: Game) -> None:
    agenda.schedule(session, game, AgendaTopic.OBSERVERS)
    agenda.reschedule(session, game, AgendaTopic.OBSERVERS, SOON)


def a_message(session: Session, game: Game) -> None:
    for due_at, delivered in ((NOW, 1), (SOON, None), (None, None)):
        letter = a_letter(session, f"{due_at}")
        message = Press(
            game_id=game.id,
            turn=1,
            letter_id=letter.id,
            sender=1,
            anonymous=False,
            recipients=[0],
            text="",
            due_at=due_at,
            delivered_turn=delivered,
        )
        session.add(message)


def a_leave(session: Session, game: Game) -> None:
    leaves = SOON + REMINDED_BEFORE
    game.deadline_at = leaves + timedelta(hours=1)
    seats = [a_seat(session, game, number) for number in (1, 2, 3)]
    # One was reminded, and one leaves after the deadline.
    for seat, begins, reminded in zip(
        seats, (NOW, leaves, LATER), (True, False, False), strict=True
    ):
        session.add(
            Absence(
                seat=seat,
                person_id=seat.person_id,
                begins_at=begins,
                ends_at=LATER + timedelta(days=1),
                zone="UTC",
                reminded=reminded,
            )
        )
    session.flush()
    game.remind_at = None


def a_change_of_address(session: Session, _game: Game) -> None:
    person = a_person(session, "sam@there")
    for expires in (NOW, SOON):
        address_changes.ask(
            session, person, ChangeKind.RECORD, "sam@elsewhere", now=NOW, expires=expires
        )


CASES = (
    ready,
    the_end_of_a_grace,
    a_rest_after_a_trouble,
    a_turn_moved_after_a_trouble,
    a_reminder,
    a_look,
    a_message,
    a_leave,
    a_change_of_address,
)


@pytest.mark.parametrize("case", CASES)
def test_the_first_of_all_is_next(store: Store, case: Callable[[Session, Game], None]) -> None:
    with store.write() as session:
        game = at_rest(session)
        assert first(session, BY_THEMSELVES) == LATER
        case(session, game)
        session.flush()
        assert first(session, BY_THEMSELVES) == SOON


@pytest.mark.parametrize("status", [GameStatus.HELD, GameStatus.ENDED])
def test_only_in_a_running_game_something_is_due(store: Store, status: GameStatus) -> None:
    with store.write() as session:
        a_game(session, "SW-2")
        at_rest(session).status = status
        session.flush()
        assert first(session, BY_THEMSELVES) is None


def test_a_game_that_was_not_checked_is_due_at_once(store: Store) -> None:
    with store.write() as session:
        a_running_game(session)
        assert first(session, BY_THEMSELVES) == LONG_AGO
