"""Games: creation, seats, due times and claims; sheets, turns and press."""

from datetime import datetime, timedelta

import pytest
from sqlalchemy import inspect

from referee.errors import ClaimLost
from referee.store import Session, Store, moments
from referee.store.games import audit, due_games, games, press
from referee.store.games.press import Press
from referee.store.letter_states import InboxState
from referee.store.mail import inbox, mail_queries
from referee.store.models import Game, GameStatus, TurnRow
from referee.store.people import people
from tests.store.rows import (
    GONE,
    LEASE,
    NOW,
    a_game,
    a_letter,
    a_person,
    a_running_game,
    a_seat,
    an_answer,
    claim_due,
)

MINUTE = timedelta(minutes=1)


def _due(store: Store, now: datetime = NOW) -> list[int]:
    with store.read() as session:
        return list(due_games.due(session, now))


def _claim_due(store: Store, now: datetime = NOW, lease: timedelta = LEASE) -> Game | None:
    with store.write() as session:
        return claim_due(session, "worker", now, lease)


def test_a_game_is_found_by_name_and_id(store: Store) -> None:
    with store.write() as session:
        made = a_game(session)
    with store.read() as session:
        game = games.by_name(session, "SW-1")
        assert game is not None
        assert games.by_id(session, made.id) is game
        assert games.by_name(session, "SW-2") is None
        assert [master.person.address for master in game.gms] == ["gandalf@there"]
        assert (game.options, game.reminders, game.fence) == ({"score": 1000}, [86400], 0)


def test_names_are_counted_for_each_prefix(store: Store) -> None:
    with store.write() as session:
        assert games.next_name(session, "SW") == "SW-1"
        for name in ("SW-9", "SW-10", "SWX-77", "FF-3", "S_-5"):
            a_game(session, name)
        names = [games.next_name(session, prefix) for prefix in ("SW", "FF", "S", "S_")]
    assert names == ["SW-11", "FF-4", "S-1", "S_-6"]


def test_games_are_listed_by_status(store: Store) -> None:
    with store.write() as session:
        forming, running = a_game(session, "SW-1"), a_running_game(session, "SW-2")
        assert games.listing(session) == [forming, running]
        assert games.listing(session, GameStatus.RUNNING, GameStatus.HELD) == [running]


def test_a_game_is_full_when_every_place_is_taken(store: Store) -> None:
    with store.write() as session:
        game = a_game(session, places=2)
        a_seat(session, game, 1)
        assert not games.is_full(session, game)
        a_seat(session, game, 2)
        assert [seat.number for seat in game.seats] == [1, 2]
        assert games.is_full(session, game)
        game.seats[0].person = None
        assert not games.is_full(session, game)
        game.seats[0].person = a_person(session)
        game.status = GameStatus.RUNNING
        assert not games.is_full(session, game)


def test_a_persons_seats_are_those_in_games_that_have_not_ended(store: Store) -> None:
    with store.write() as session:
        first, second = a_game(session, "SW-1"), a_game(session, "SW-2")
        seats = [a_seat(session, first), a_seat(session, second)]
        person = people.by_address(session, "player1@there")
        assert person is not None
        assert games.seats_of(session, person) == seats
        first.status = GameStatus.ENDED
        assert games.seats_of(session, person) == seats[1:]
        assert games.seat_by_id(session, seats[0].id) is seats[0]


def test_later_seats_are_renumbered_when_a_seat_is_removed(store: Store) -> None:
    with store.write() as session:
        game = a_game(session)
        seats = [a_seat(session, game, number) for number in (1, 2, 3)]
        games.remove_seat(session, seats[0])
        assert [(seat.number, seat.name) for seat in game.seats] == [(1, "SEAT2"), (2, "SEAT3")]
    with store.read() as session:
        again = games.by_name(session, "SW-1")
        assert again is not None
        assert [seat.name for seat in again.seats] == ["SEAT2", "SEAT3"]


def test_a_game_is_due_after_deadline_and_grace(store: Store) -> None:
    with store.write() as session:
        game = a_running_game(session)
        game.closes_at = NOW + MINUTE
    assert _due(store, NOW) == []
    assert _due(store, NOW + MINUTE) == [game.id]
    with store.read() as session:
        assert moments.first(session, moments.TURNS) == NOW + MINUTE


def test_a_game_that_need_not_wait_is_due_before_its_deadline(store: Store) -> None:
    with store.write() as session:
        game = a_running_game(session)
        game.ready_at = NOW - MINUTE
    assert _due(store, NOW - 2 * MINUTE) == []
    assert _due(store, NOW - MINUTE) == [game.id]
    with store.read() as session:
        assert moments.first(session, moments.TURNS) == NOW - MINUTE


def test_a_game_ends_early_only_when_earlier_letters_are_received_and_read(store: Store) -> None:
    with store.write() as session:
        game = a_running_game(session)
        game.ready_at = NOW - MINUTE
        for closed, is_all_read, due in (
            (NOW - MINUTE, True, [game.id]),
            (NOW - MINUTE, False, []),
            (NOW - 2 * MINUTE, True, []),
            (None, False, []),
        ):
            watermark = due_games.Watermark(closed, is_all_read)
            assert list(due_games.due(session, NOW - MINUTE, watermark)) == due


@pytest.mark.parametrize("status", [GameStatus.FORMING, GameStatus.HELD, GameStatus.ENDED])
def test_only_a_running_game_is_due(store: Store, status: GameStatus) -> None:
    with store.write() as session:
        a_running_game(session).status = status
    assert _due(store) == []
    assert _claim_due(store) is None
    with store.read() as session:
        assert moments.first(session, moments.TURNS) is None


def test_the_longest_due_game_is_claimed_first(store: Store) -> None:
    with store.write() as session:
        late, later = a_running_game(session, "SW-1"), a_running_game(session, "SW-2")
        later.deadline_at = later.closes_at = NOW - MINUTE
    claims = [_claim_due(store), _claim_due(store), _claim_due(store)]
    assert [claim and claim.id for claim in claims] == [later.id, late.id, None]


def test_an_expired_claim_is_taken_over_and_its_owner_rejected(store: Store) -> None:
    with store.write() as session:
        a_running_game(session)
    old, new = _claim_due(store, lease=GONE), _claim_due(store)
    assert old is not None
    assert new is not None
    assert (old.fence, new.fence) == (1, 2)
    with pytest.raises(ClaimLost), store.write() as session:
        games.claimed(session, old.id, old.fence)
    with store.write() as session:
        game = games.claimed(session, new.id, new.fence)
        game.deadline_at = game.closes_at = NOW + MINUTE
        games.release(session, game)
    assert _claim_due(store) is None
    assert _claim_due(store, NOW + MINUTE) is not None


def test_a_released_game_can_be_claimed_by_its_number(store: Store) -> None:
    with store.write() as session:
        number = a_running_game(session).id
        forming = a_game(session, "SW-2").id
        assert due_games.claim_if_due(session, number, "one", NOW, LEASE) == 1
        assert due_games.claim_if_due(session, number, "two", NOW, LEASE) is None
        assert due_games.claim_if_due(session, forming, "one", NOW, LEASE) is None
        games.release(session, games.claimed(session, number, 1))
        assert due_games.claim_if_due(session, number, "two", NOW, LEASE) == 3


@pytest.mark.sampled
def test_a_locked_game_is_read_again(shared_store: Store) -> None:
    with shared_store.write() as session:
        stale = a_game(session)
    with shared_store.write() as session:
        session.connection().exec_driver_sql("UPDATE games SET title = 'Mordor'")
    with shared_store.write() as session:
        assert stale.title == "The Shire"
        assert games.lock(session, stale).title == "Mordor"


def test_the_newest_sheet_counts(store: Store) -> None:
    with store.write() as session:
        seat = a_seat(session, a_running_game(session))
        assert games.sheet_of(session, seat, 1) is None
        letters = [a_letter(session, str(n)) for n in range(3)]
        games.file_sheet(session, seat, 1, letters[0], ["F1W2"], NOW)
        games.file_sheet(session, seat, 1, letters[1], ["F1W3", "F2W4"], NOW)
        games.file_sheet(session, seat, 2, letters[2], [], NOW)
        newest = games.sheet_of(session, seat, 1)
        assert newest is not None
        assert (newest.revision, newest.orders) == (2, ["F1W3", "F2W4"])
        coming = games.sheet_of(session, seat, 2)
        assert coming is not None
        assert (coming.revision, coming.orders) == (1, [])


def test_a_letter_files_one_sheet_for_a_turn(store: Store) -> None:
    with store.write() as session:
        seat = a_seat(session, a_running_game(session))
        first, second = a_letter(session, "1"), a_letter(session, "2")
        revisions = [
            games.file_sheet(session, seat, 1, letter, [text], NOW).revision
            for letter, text in ((first, "F1W2"), (second, "F1W3"), (first, "F1W2"))
        ]
        assert revisions == [1, 2, 1]
        newest = games.sheet_of(session, seat, 1)
        assert newest is not None
        assert newest.orders == ["F1W3"]


def test_turns_are_found_by_number(store: Store) -> None:
    with store.write() as session:
        game = a_running_game(session)
        rows = [_turn(session, game, number) for number in (1, 2)]
        assert games.turn_of(session, game, 2) is rows[1]
        session.expire_all()
        assert games.turns_of(session, game) == rows
        # Nobody reads the states of all turns, unless they resolve them again.
        assert ["stored" in inspect(row).unloaded for row in rows] == [True, True]
        with pytest.raises(LookupError, match="SW-1 has no turn 3"):
            games.turn_of(session, game, 3)


def test_turns_can_be_queried_for_missing_values(store: Store) -> None:
    with store.write() as session:
        game = a_running_game(session)
        row = _turn(session, game, 1)
        row.sheets = None
        session.flush()
        found = session.connection().exec_driver_sql("SELECT id FROM turns WHERE sheets IS NULL")
        assert found.scalars().all() == [row.id]


def test_press_waits_until_it_is_delivered(store: Store) -> None:
    with store.write() as session:
        game = a_running_game(session)
        rows = [
            Press(
                game_id=game.id,
                turn=1,
                letter_id=a_letter(session).id,
                sender=sender,
                anonymous=False,
                recipients=[1, 2],
                text="I come in peace.",
            )
            for sender in (0, 1)
        ]
        session.add_all(rows)
        assert press.undelivered(session, game) == rows
        rows[0].delivered_turn = 2
        assert press.undelivered(session, game) == rows[1:]


def test_the_id_of_a_removed_seat_is_never_reused(store: Store) -> None:
    with store.write() as session:
        game = a_game(session)
        first = a_seat(session, game)
        number = first.id
        games.remove_seat(session, first)
        assert a_seat(session, game).id != number


def test_actions_on_a_game_are_recorded(store: Store) -> None:
    with store.write() as session:
        game, other = a_game(session, "SW-1"), a_game(session, "SW-2")
        acts = ((game, "Held."), (other, "Held."), (game, "Resumed."), (game, "Started."))
        for hours, (about, what) in enumerate(acts):
            audit.note(session, about, "GM", what, NOW + timedelta(hours=hours))
        untold = audit.untold(session, game)
        assert [entry.what for entry in untold] == ["Held.", "Resumed.", "Started."]
        untold[0].told_turn = 2
        audit.note(session, game, "GM", "Looked.", NOW, public=False)
        assert audit.untold(session, game) == untold[1:]
        newest = audit.newest(session, game, 2)
    assert [(entry.who, entry.what) for entry in newest] == [("GM", "Started."), ("GM", "Looked.")]


def test_a_report_is_found_by_game_seat_and_turn(store: Store) -> None:
    with store.write() as session:
        game = a_game(session)
        for kind, seat, turn in (("Report", 1, 2), ("Reminder", 1, 3), ("Report", 1, 3)):
            letter = an_answer(session, f"<{kind}{seat}.{turn}@here>")
            letter.kind, letter.game_id = kind, game.id
            letter.seat_number, letter.turn = seat, turn
        found = mail_queries.report_of(session, game, 1, 3)
        assert found is not None
        assert found.message_id == "<Report1.3@here>"
        assert mail_queries.report_of(session, game, 2, 3) is None


def test_an_unread_letter_is_seen_until_it_is_concluded(store: Store) -> None:
    with store.write() as session:
        a_letter(session)
        assert not mail_queries.unread_before(session, NOW - MINUTE)
        assert mail_queries.unread_before(session, NOW)
        claim = inbox.next_waiting(session, "reader", NOW, LEASE)
        assert claim is not None
        assert mail_queries.unread_before(session, NOW)
        inbox.conclude(session, claim, InboxState.READ, "", NOW)
        assert not mail_queries.unread_before(session, NOW)


def _turn(session: Session, game: Game, number: int) -> TurnRow:
    row = TurnRow(
        game_id=game.id, number=number, edition="1", schema=1, state=b"state", digest="d1g357"
    )
    session.add(row)
    session.flush()
    return row


def test_orders_of_a_gm_are_those_of_the_player_who_says_final(store: Store) -> None:
    with store.write() as session:
        seat = a_seat(session, a_running_game(session))
        assert not games.has_own_sheet(session, seat)
        letter = a_letter(session)
        games.file_sheet(session, seat, 1, letter, ["F3T1P"], NOW, by_gm=True)
        assert not games.has_own_sheet(session, seat)
        seat.final_turn = 1
        assert games.has_own_sheet(session, seat)


def test_extensions_end_at_the_cap() -> None:
    day = 86400
    for cap, extended, left in ((7, 0, 7), (7, 5, 2), (1, 5, 0)):
        game = Game(extension_seconds=cap * day, extended_seconds=extended * day)
        assert game.left_to_extend == timedelta(days=left)
