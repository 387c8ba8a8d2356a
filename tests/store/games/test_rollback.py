"""Rolled back turns: kept, no longer valid, and played again from the same state."""

from sqlalchemy import select

from referee.domain.reliability import Punctuality
from referee.store import Session, Store
from referee.store.games import attendance, audit, games
from referee.store.games import rollback as branches
from referee.store.models import Game, Sheet, TurnRow
from tests.store.rows import NOW, a_letter, a_person, a_running_game, a_seat

MISSED, ON_TIME = Punctuality.MISSED, Punctuality.ON_TIME


def a_turn(session: Session, game: Game, number: int) -> None:
    row = TurnRow(
        game_id=game.id,
        number=number,
        edition="1",
        schema=1,
        state=b"%d" % number,
        digest=f"d{number}",
    )
    session.add(row)
    session.flush()


def declare_ready(game: Game) -> None:
    game.ready_at = NOW


def test_undone_turns_are_kept_but_not_valid(store: Store) -> None:
    with store.write() as session:
        game = a_running_game(session)
        for number in (1, 2, 3):
            a_turn(session, game, number)
        seat, letter = a_seat(session, game), a_letter(session)
        for turn in (2, 3):
            games.file_sheet(session, seat, turn, letter, [f"T{turn}"], NOW)
        game.turn = 3
        declare_ready(game)
        branches.undo(session, game, 2)
        live = [(row.number, row.digest) for row in games.turns_of(session, game)]
        rows = session.execute(select(TurnRow.number, TurnRow.undone).order_by(TurnRow.id))
        assert live == [(1, "d1"), (2, "d2")]
        assert [tuple(row) for row in rows] == [(1, 0), (2, 1), (3, 1), (2, 0)]
        assert (game.turn, game.rollbacks, game.ready_at) == (2, 1, None)
        kept = games.sheet_of(session, seat, 2)
        assert kept is not None
        assert kept.orders == ["T2"]
        assert games.sheet_of(session, seat, 3) is None
        assert len(list(session.scalars(select(Sheet)))) == 2


def test_a_turn_can_be_undone_twice_and_its_sheets_filed_again(store: Store) -> None:
    with store.write() as session:
        game = a_running_game(session)
        a_turn(session, game, 1)
        seat, letter = a_seat(session, game), a_letter(session)
        for rollback in (1, 2):
            a_turn(session, game, 2)
            game.turn = 2
            games.file_sheet(session, seat, 2, letter, [str(rollback)], NOW)
            branches.undo(session, game, 1)
        assert (game.turn, game.rollbacks) == (1, 2)
        assert [row.number for row in games.turns_of(session, game)] == [1]


def test_undone_missed_turns_do_not_count(store: Store) -> None:
    with store.write() as session:
        game = a_running_game(session)
        seat = a_seat(session, game)
        for number, met in enumerate((ON_TIME, MISSED, MISSED), 1):
            a_turn(session, game, number)
            attendance.note(session, number, [attendance.Met(seat, met)])
        a_turn(session, game, 4)
        game.turn, seat.missed, seat.missed_all, seat.final_turn = 4, 2, 2, 4
        branches.undo(session, game, 3)
        assert (seat.missed, seat.missed_all, seat.final_turn) == (1, 1, 0)
        counted = attendance.of_people(session, [seat.person_id or 0], None)
        assert dict(counted) == {seat.person_id: {ON_TIME: 1, MISSED: 1}}


def test_missed_turns_of_one_round_count_once_after_a_rollback(store: Store) -> None:
    with store.write() as session:
        game = a_running_game(session)
        seat = a_seat(session, game)
        for number, round_ in enumerate((1, 2, 2, 3), 1):
            a_turn(session, game, number)
            attendance.note(session, number, [attendance.Met(seat, MISSED)], round_)
        a_turn(session, game, 5)
        game.turn, seat.missed, seat.missed_all = 5, 3, 4
        branches.undo(session, game, 4)
        assert (seat.missed, seat.missed_all) == (2, 3)


def test_missed_turns_of_a_former_player_do_not_count(store: Store) -> None:
    with store.write() as session:
        game = a_running_game(session)
        seat = a_seat(session, game)
        for number in (1, 2):
            a_turn(session, game, number)
            attendance.note(session, number, [attendance.Met(seat, MISSED)])
        a_turn(session, game, 3)
        game.turn, seat.person = 3, a_person(session, "newcomer@there")
        session.flush()
        branches.undo(session, game, 2)
        assert seat.missed == 0


def test_notes_of_undone_turns_are_in_no_report_to_come(store: Store) -> None:
    with store.write() as session:
        game = a_running_game(session)
        for number in (1, 2, 3):
            a_turn(session, game, number)
        game.turn = 3
        told = ("The GM changed the schedule: 5 days.", "The GM moved the deadline of turn 2.")
        for what in told:
            audit.note(session, game, "GM", what, NOW)
        for entry in audit.untold(session, game):
            entry.told_turn = 3
        lasting = "SAM has a new player."
        undone, corrected = (
            "The GM moved the deadline of turn 3.",
            "The GM corrected the game: a slip.",
        )
        for what in (
            lasting,
            undone,
            corrected,
            "The GM rolled the game back from turn 4 to turn 3.",
        ):
            audit.note(session, game, "GM", what, NOW)
        session.flush()
        branches.undo(session, game, 2)
        assert [entry.what for entry in audit.untold(session, game)] == [
            lasting,
            corrected,
            "The GM rolled the game back from turn 4 to turn 3.",
        ]
        assert audit.told_in(session, game, 3) == []
