"""Receipts: counted for each seat, whatever comes for others."""

from referee.store import Session, Store
from referee.store.letter_states import InboxState
from referee.store.mail import epochs, inbox, receipts
from referee.store.models import SeatRow
from tests.store.rows import LEASE, NOW, a_game, a_letter, a_seat


def seats(session: Session) -> tuple[SeatRow, SeatRow]:
    """Return two seats of a game."""
    game = a_game(session)
    return a_seat(session, game, 1), a_seat(session, game, 2)


def filed(session: Session, seat: SeatRow, source_id: str) -> int:
    """Store a letter, read it for a seat, and return its receipt."""
    a_letter(session, source_id)
    letter = inbox.next_waiting(session, "test", NOW, LEASE)
    assert letter is not None
    receipt = receipts.take(session, letter, seat)
    game, number = seat.game_id, seat.number
    inbox.conclude(session, letter, InboxState.READ, "", NOW, game_id=game, seat_number=number)
    return receipt


def test_each_seat_counts_its_own_letters(store: Store) -> None:
    with store.write() as session:
        mine, other = seats(session)
        a_letter(session, "unread")
        taken = [filed(session, seat, str(n)) for n, seat in enumerate([mine, other, other, mine])]
    assert taken == [1, 1, 2, 2]


def test_a_letter_keeps_its_receipt(store: Store) -> None:
    with store.write() as session:
        seat, _ = seats(session)
        first = filed(session, seat, "1")
        number = receipts.letter_with(session, seat, first)
        assert number is not None
        letter = inbox.by_id(session, number)
        assert letter is not None
        assert (receipts.of(session, number), receipts.take(session, letter, seat)) == (1, 1)
        assert filed(session, seat, "2") == 2
        assert receipts.letter_with(session, seat, 3) is None


def test_receipts_continue_after_a_restore_for_every_seat(store: Store) -> None:
    with store.write() as session:
        mine, silent = seats(session)
        assert filed(session, mine, "1") == 1
        begins = epochs.begin(session, 0, NOW)
        taken = [filed(session, seat, f"{n}") for n, seat in enumerate([mine, silent, mine], 2)]
    assert taken == [begins + 1, begins + 1, begins + 2]


def test_letters_of_several_seats_can_have_one_receipt(store: Store) -> None:
    with store.write() as session:
        both = seats(session)
        for n, each in enumerate(both):
            filed(session, each, str(n))
        found = receipts.letters_with(session, both[0].game, 1)
        assert [letter.seat_number for letter in found] == [1, 2]
