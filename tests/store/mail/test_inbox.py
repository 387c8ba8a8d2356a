"""The inbox: each letter is stored, claimed and concluded only once, with a receipt of its seat."""

import hashlib
import random
from dataclasses import replace
from datetime import timedelta

import pytest

from referee.domain.mail_transfer import IncomingMail
from referee.errors import ClaimLost
from referee.store import Session, Store
from referee.store.letter_states import InboxState, Lane
from referee.store.mail import epochs, inbox
from referee.store.models import InboxLetter, SeatRow
from tests.store.rows import GONE, LEASE, NOW, a_game, a_letter, a_seat

ARRIVAL = IncomingMail("imap:games", "7/12", b"\x00\xffF3T1P", NOW, "frodo@there", "games@here")


def _claim(store: Store, owner: str = "first", lease: timedelta = LEASE) -> InboxLetter | None:
    with store.write() as session:
        return inbox.next_waiting(session, owner, NOW, lease)


def _claimed(store: Store, owner: str = "first", lease: timedelta = LEASE) -> InboxLetter:
    letter = _claim(store, owner, lease)
    assert letter is not None
    return letter


def _read(store: Store, claim: InboxLetter) -> None:
    """Read a letter with an effect, which must roll back if the conclusion is rejected."""
    with store.write() as session:
        a_letter(session, f"an effect of fence {claim.fence}")
        inbox.conclude(session, claim, InboxState.READ, "read", NOW)


def test_a_letter_is_stored_as_it_came(store: Store) -> None:
    with store.write() as session:
        number = inbox.insert(session, ARRIVAL)
    with store.read() as session:
        letter = inbox.by_id(session, number)
    assert letter is not None
    assert letter.raw == ARRIVAL.raw
    assert letter.sha256 == hashlib.sha256(ARRIVAL.raw).hexdigest()
    assert (letter.envelope_sender, letter.envelope_recipient) == ("frodo@there", "games@here")
    assert (letter.state, letter.attempts, letter.arrived_at) == (InboxState.WAITING, 0, NOW)


def test_the_same_bytes_are_stored_once(store: Store) -> None:
    arrivals = [replace(ARRIVAL, source_id=f"7/{n}", recipient=f"games+{n}@here") for n in range(9)]
    with store.write() as session:
        numbers = [inbox.insert(session, arrival) for arrival in arrivals[:3]]
        inbox.insert_all(session, [(each, "", Lane.KNOWN) for each in arrivals])
        others = [replace(one, source="smtp", raw=b"x") for one in arrivals]
        inbox.insert_all(session, [(each, "", Lane.STRANGERS) for each in others])
    with store.read() as session:
        letters = inbox.listing(session, None, 99)
        assert [letter.raw for letter in letters] == [b"x"] * 9 + [ARRIVAL.raw] * 9
        assert len([letter for letter in letters if letter.stored]) == 2
        assert {letter.id for letter in letters} > set(numbers)
        assert {letter.size for letter in letters} == {1, len(ARRIVAL.raw)}


def test_a_letter_whose_bytes_are_in_another_row_is_read_like_any_other(store: Store) -> None:
    with store.write() as session:
        for n in range(3):
            inbox.insert(session, replace(ARRIVAL, source_id=f"7/{n}"))
    letters = [_claimed(store) for _ in range(3)]
    assert [letter.raw for letter in letters] == [ARRIVAL.raw] * 3


def test_the_same_letter_is_stored_once(store: Store) -> None:
    with store.write() as session:
        first = inbox.insert(session, ARRIVAL)
        again = inbox.insert(session, replace(ARRIVAL, raw=b"something else"))
        other = inbox.insert(session, replace(ARRIVAL, source_id="7/13"))
        kept = [row.id for row in inbox.listing(session, None, 9)]
        assert session.get_one(InboxLetter, first).raw == ARRIVAL.raw
    assert again == first
    assert kept == [other, first]


def test_the_oldest_waiting_letter_comes_first(store: Store) -> None:
    with store.write() as session:
        numbers = [a_letter(session, str(n)).id for n in range(3)]
    assert [_claimed(store).id for _ in numbers] == numbers
    assert _claim(store) is None


def test_a_claim_counts_fence_and_attempts(store: Store) -> None:
    with store.write() as session:
        a_letter(session)
    assert [(c.fence, c.attempts) for c in (_claimed(store, lease=GONE), _claimed(store))] == [
        (1, 1),
        (2, 2),
    ]


def test_the_letters_that_come_next_are_read_together(store: Store) -> None:
    with store.write() as session:
        # The third sender writes again, before the fourth one does.
        numbers = [
            a_letter(session, str(n), f"{writer}@there").id for n, writer in enumerate("abccd")
        ]
    assert [_together(store, 2), _together(store, 8), _together(store, 8), _together(store, 8)] == [
        numbers[:2],
        numbers[2:3],
        # The third letter is still unread.
        numbers[4:],
        [],
    ]


@pytest.mark.parametrize("is_tried", [True, False])
def test_a_retried_or_large_letter_is_read_separately_and_in_order(
    store: Store, *, is_tried: bool
) -> None:
    large = random.Random(1).randbytes(20_000)
    with store.write() as session:
        alone = inbox.insert(session, replace(ARRIVAL, raw=b"F3T1P" if is_tried else large))
        if is_tried:
            inbox.next_waiting(session, "killed", NOW, GONE)
        behind = a_letter(session).id
    assert _together(store, 8) == [alone]
    assert _together(store, 8) == [behind]


def _together(store: Store, most: int) -> list[int]:
    with store.write() as session:
        return [row.id for row in inbox.next_together(session, "first", NOW, LEASE, most)]


def test_a_writers_letters_are_read_one_after_the_other(store: Store) -> None:
    with store.write() as session:
        a_letter(session, "1", "frodo@there")
        second = a_letter(session, "2", "frodo@there").id
        other = a_letter(session, "3", "sam@there").id
    first = _claimed(store)
    assert _claimed(store).id == other
    assert _claim(store) is None
    with store.write() as session:
        inbox.conclude(session, first, InboxState.READ, "orders", NOW)
    assert _claimed(store).id == second


@pytest.fixture
def mixed(store: Store) -> dict[str, int]:
    """Return the numbers of letters of three writers, the first of whom writes in all lanes."""
    letters = (
        ("sam", Lane.STRANGERS),
        ("sam", Lane.REPLIES),
        ("merry", Lane.KNOWN),
        ("frodo", Lane.REPLIES),
        ("sam", Lane.KNOWN),
    )
    with store.write() as session:
        return {
            f"{writer} {lane.name}": inbox.insert(
                session, replace(ARRIVAL, source_id=f"{writer} {lane}"), writer, lane
            )
            for writer, lane in letters
        }


IN_LANES = ("frodo REPLIES", "merry KNOWN", "sam STRANGERS", "sam REPLIES", "sam KNOWN")


def test_letters_are_claimed_by_lane_and_each_writers_in_their_order(
    store: Store, mixed: dict[str, int]
) -> None:
    for name in IN_LANES:
        claim = _claimed(store)
        assert claim.id == mixed[name]
        with store.write() as session:
            inbox.conclude(session, claim, InboxState.READ, "", NOW)


def test_letters_are_read_together_by_lane_and_each_writers_in_their_order(
    store: Store, mixed: dict[str, int]
) -> None:
    found = []
    while numbers := _together(store, 8):
        found.append(numbers)
        with store.write() as session:
            for number in numbers:
                row = session.get_one(InboxLetter, number)
                inbox.conclude(session, row, InboxState.READ, "", NOW)
    assert found == [[mixed[name] for name in IN_LANES[:3]], *([mixed[n]] for n in IN_LANES[3:])]


def test_the_last_lane_can_be_claimed_first(store: Store, mixed: dict[str, int]) -> None:
    with store.write() as session:
        claim = inbox.next_waiting(session, "first", NOW, LEASE, Lane.STRANGERS)
        assert claim is not None
        assert claim.id == mixed["sam STRANGERS"]
        assert inbox.next_waiting(session, "first", NOW, LEASE, Lane.STRANGERS) is None
        assert inbox.next_together(session, "first", NOW, LEASE, 8, Lane.STRANGERS) == []


def test_the_oldest_letter_of_each_lane_is_known(store: Store, mixed: dict[str, int]) -> None:
    with store.write() as session:
        for number in mixed.values():
            row = session.get_one(InboxLetter, number)
            row.arrived_at = NOW + timedelta(minutes=number)
        oldest = inbox.oldest_waiting(session)
        awaited = inbox.oldest_awaited(session)
    named = ("sam REPLIES", "merry KNOWN", "sam STRANGERS")
    assert oldest == {
        lane: NOW + timedelta(minutes=mixed[name]) for lane, name in zip(Lane, named, strict=True)
    }
    assert awaited == oldest[Lane.REPLIES]


def test_the_result_of_a_letter_is_recorded(store: Store) -> None:
    with store.write() as session:
        number, game = a_letter(session).id, a_game(session).id
    claim = _claimed(store)
    with store.write() as session:
        inbox.conclude(
            session,
            claim,
            InboxState.HELD,
            "waits for a confirmation",
            NOW,
            message_id="<1@there>",
            body_hash="b0d1",
            game_id=game,
            seat_number=2,
        )
    with store.read() as session:
        letter = inbox.by_id(session, number)
    assert letter is not None
    assert (letter.state, letter.note) == (InboxState.HELD, "waits for a confirmation")
    assert (letter.read_at, letter.owner, letter.lease_until) == (NOW, None, None)
    assert (letter.message_id, letter.body_hash) == ("<1@there>", "b0d1")
    assert (letter.game_id, letter.seat_number) == (game, 2)
    assert _claim(store) is None


def test_values_missing_in_the_conclusion_stay(store: Store) -> None:
    with store.write() as session:
        number = a_letter(session).id
    claim = _claimed(store)
    with store.write() as session:
        inbox.conclude(
            session, claim, InboxState.QUARANTINED, "", NOW, message_id="<1@there>", asked={"a": 1}
        )
        inbox.release(session, number)
    again = _claimed(store)
    with store.write() as session:
        inbox.conclude(session, again, InboxState.READ, "released", NOW, trust="none")
        read = session.get_one(InboxLetter, number)
        assert (read.state, read.note, read.trust) == (InboxState.READ, "released", "none")
        assert (read.message_id, read.asked) == ("<1@there>", {"a": 1})


def test_the_old_owner_concludes_nothing(store: Store) -> None:
    with store.write() as session:
        a_letter(session)
    old, new = _claimed(store, "killed", GONE), _claimed(store, "second")
    with pytest.raises(ClaimLost):
        _read(store, old)
    _read(store, new)
    with store.read() as session:
        sources = [row.source_id for row in inbox.listing(session, InboxState.WAITING, 10)]
    assert sources == ["an effect of fence 2"]


def test_a_letter_is_concluded_once(store: Store) -> None:
    with store.write() as session:
        a_letter(session)
    claim = _claimed(store)
    with store.write() as session:
        inbox.conclude(session, claim, InboxState.READ, "first", NOW)
    with pytest.raises(ClaimLost), store.write() as session:
        inbox.conclude(session, claim, InboxState.READ, "second", NOW)


@pytest.mark.parametrize(("pause", "claimable"), [(timedelta(hours=1), False), (GONE, True)])
def test_a_letter_put_back_waits_for_its_pause(
    store: Store, pause: timedelta, claimable: bool
) -> None:
    with store.write() as session:
        a_letter(session)
    claim = _claimed(store)
    with store.write() as session:
        inbox.put_back(session, claim, pause, NOW)
    assert (_claim(store) is not None) == claimable


def test_quarantine_and_release(store: Store) -> None:
    with store.write() as session:
        number = a_letter(session).id
        assert inbox.release(session, number) is None
    claim = _claimed(store)
    with store.write() as session:
        inbox.quarantine(session, claim, "broke the reader three times", NOW)
    assert _claim(store) is None
    with store.write() as session:
        assert inbox.release(session, number) is not None
        assert inbox.release(session, 77) is None
    again = _claimed(store)
    assert (again.id, again.attempts, again.note) == (number, 1, "broke the reader three times")


def test_twins_are_earlier_letters_read_or_pending(store: Store) -> None:
    with store.write() as session:
        rows = [a_letter(session, str(n)) for n in range(4)]
        for row in rows:
            row.message_id, row.body_hash = "<1@there>", "b0d1"
        rows[0].state = InboxState.IGNORED
        rows[1].state = InboxState.READ
        rows[2].state = InboxState.HELD
    numbers = [row.id for row in rows]
    with store.read() as session:
        twins = [inbox.twins(session, "<1@there>", "b0d1", number) for number in numbers]
        assert inbox.twins(session, "<1@there>", "another", numbers[3]) == []
        assert inbox.twins(session, "<2@there>", "b0d1", numbers[3]) == []
    found = [[twin.id for twin in each] for each in twins]
    assert found == [[], [], [numbers[1]], [numbers[1], numbers[2]]]


def test_listing_and_counts(store: Store) -> None:
    with store.write() as session:
        numbers = [a_letter(session, str(n)).id for n in range(3)]
    claim = _claimed(store)
    with store.write() as session:
        inbox.conclude(session, claim, InboxState.READ, "", NOW)
    with store.read() as session:
        waiting = [row.id for row in inbox.listing(session, InboxState.WAITING, 10)]
        newest = [row.id for row in inbox.listing(session, None, 2)]
        counts = inbox.counts(session)
    assert waiting == [numbers[2], numbers[1]]
    assert newest == [numbers[2], numbers[1]]
    assert counts == dict.fromkeys(InboxState, 0) | {
        InboxState.WAITING: 2,
        InboxState.READ: 1,
    }


def seats(session: Session) -> tuple[SeatRow, SeatRow]:
    """Return two seats of a game."""
    game = a_game(session)
    return a_seat(session, game, 1), a_seat(session, game, 2)


def filed(session: Session, seat: SeatRow, source_id: str) -> int:
    """Store a letter, read it for a seat, and return its receipt."""
    a_letter(session, source_id)
    letter = inbox.next_waiting(session, "test", NOW, LEASE)
    assert letter is not None
    receipt = inbox.take_receipt(session, letter, seat)
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
        number = inbox.letter_with(session, seat, first)
        assert number is not None
        letter = inbox.by_id(session, number)
        assert letter is not None
        assert (inbox.receipt_of(session, number), inbox.take_receipt(session, letter, seat)) == (
            1,
            1,
        )
        assert filed(session, seat, "2") == 2
        assert inbox.letter_with(session, seat, 3) is None


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
        found = inbox.letters_with(session, both[0].game, 1)
        assert [letter.seat_number for letter in found] == [1, 2]
