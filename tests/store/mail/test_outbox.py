"""The outbox: each letter is stored and claimed once, and is sent or fails."""

from datetime import datetime, timedelta

import pytest

from referee.domain.mail_transfer import Attempt, Delivery
from referee.errors import ClaimLost
from referee.store import Store
from referee.store.letter_states import OutboxState
from referee.store.mail import outbox
from referee.store.models import OutboxLetter
from tests.store.rows import GONE, LEASE, NOW, a_game, a_letter, an_answer, outgoing


def _claim(
    store: Store, now: datetime = NOW, lease: timedelta = LEASE, limit: int = 50
) -> list[OutboxLetter]:
    with store.write() as session:
        return outbox.claim(session, "sender", now, lease, limit)


def _record(
    store: Store, letter: OutboxLetter, delivery: Delivery, now: datetime = NOW
) -> OutboxLetter:
    attempt = Attempt(outbox.dispatch(letter), delivery, "" if delivery is Delivery.SENT else "450")
    with store.write() as session:
        outbox.record(session, attempt, letter.fence, now)
        return session.get_one(OutboxLetter, letter.id)


def test_a_letter_put_in_is_due_at_once(store: Store) -> None:
    with store.write() as session:
        arrived, game = a_letter(session), a_game(session)
        outbox.put(
            session,
            NOW,
            outbox.Finished(
                message_id="<r1@here>",
                kind="report",
                envelope_sender="games+1@here",
                recipient="frodo@there",
                raw=b"\x00\xff",
                answers=arrived,
                game=game,
                seat=2,
                turn=3,
            ),
        )
        letter = outgoing(session, "<r1@here>")
        assert (letter.answers_id, letter.game_id) == (arrived.id, game.id)
        assert (letter.seat_number, letter.turn, letter.kind) == (2, 3, "report")
        assert outbox.next_due(session) == NOW
    sent = outbox.dispatch(_claim(store)[0])
    assert (sent.number, sent.message_id, sent.raw) == (letter.id, "<r1@here>", b"\x00\xff")
    assert (sent.sender, sent.recipient) == ("games+1@here", "frodo@there")


def test_the_same_message_id_is_put_in_once(store: Store) -> None:
    with store.write() as session:
        assert an_answer(session).id == an_answer(session).id
        assert outbox.counts(session)[OutboxState.WAITING] == 1


def test_a_claimed_letter_is_not_claimed_again(store: Store) -> None:
    with store.write() as session:
        numbers = [an_answer(session, f"<{n}@here>").id for n in range(3)]
    assert [row.id for row in _claim(store, limit=2)] == numbers[:2]
    assert [row.id for row in _claim(store)] == numbers[2:]
    assert _claim(store) == []


@pytest.mark.parametrize("limit", [2, 9])
def test_an_answer_is_claimed_before_letters_that_are_longer_due(store: Store, limit: int) -> None:
    with store.write() as session:
        others = [an_answer(session, f"<{n}@here>") for n in range(3)]
        answer = an_answer(session, "<answer@here>")
        answer.answers_id, answer.due_at = a_letter(session).id, NOW + timedelta(seconds=1)
        numbers = [letter.id for letter in (answer, *others)]
    claimed = _claim(store, NOW + timedelta(seconds=2), limit=limit)
    assert [row.id for row in claimed] == numbers[:limit]


def test_a_letter_is_not_due_before_its_time(store: Store) -> None:
    with store.write() as session:
        an_answer(session)
    assert _claim(store, NOW - timedelta(seconds=1)) == []
    assert len(_claim(store)) == 1


def test_a_sent_letter_is_done(store: Store) -> None:
    with store.write() as session:
        an_answer(session)
    sent = _record(store, _claim(store)[0], Delivery.SENT)
    assert (sent.state, sent.sent_at, sent.attempts) == (OutboxState.SENT, NOW, 1)
    assert _claim(store, NOW + timedelta(days=9)) == []


@pytest.mark.slow
@pytest.mark.every_case
def test_a_deferred_letter_waits_longer_each_time_and_fails_after_five_days(store: Store) -> None:
    with store.write() as session:
        an_answer(session)
    now, pauses = NOW, []
    while (letter := _record(store, _claim(store, now)[0], Delivery.DEFERRED, now)).state is (
        OutboxState.WAITING
    ):
        assert _claim(store, letter.due_at - timedelta(seconds=1)) == []
        pauses.append(letter.due_at - now)
        now = letter.due_at
    assert [pause.total_seconds() / 60 for pause in pauses[:7]] == [1, 2, 5, 15, 60, 240, 240]
    assert timedelta(days=5) <= now - NOW < timedelta(days=5, hours=4)
    assert (letter.state, letter.error) == (OutboxState.FAILED, "450")
    assert _claim(store, now + timedelta(days=9)) == []


def test_a_clock_that_was_set_back_delays_no_letter(store: Store) -> None:
    before, back = NOW + timedelta(minutes=3), NOW - timedelta(days=1)
    with store.write() as session:
        due, tried, morning = (an_answer(session, f"<{n}@here>") for n in range(3))
        morning.due_at = NOW + timedelta(hours=8)
        tried.attempts, tried.due_at = 1, NOW + timedelta(hours=4)
        session.flush()
        outbox.keep_due(session, OutboxLetter, before, back)
        for letter in (due, tried, morning):
            session.refresh(letter)
    # Letters for the morning wait for the morning by the new clock.
    assert (due.due_at, tried.due_at, morning.due_at) == (back, back, NOW + timedelta(hours=8))


def test_letters_sent_before_the_clock_was_set_back_are_in_the_past(store: Store) -> None:
    with store.write() as session:
        letter = an_answer(session)
        letter.state = OutboxState.SENT
        session.flush()
        hour = timedelta(hours=1)
        assert sum(outbox.sent_since(session, NOW - hour, NOW).values()) == 1
        assert sum(outbox.sent_since(session, NOW, NOW).values()) == 1
        assert sum(outbox.sent_since(session, NOW - hour, NOW - timedelta(minutes=1)).values()) == 0


def test_a_rejected_letter_fails_at_once_and_can_be_retried(store: Store) -> None:
    with store.write() as session:
        number = an_answer(session).id
        assert outbox.retry(session, number, NOW) is None
    failed = _record(store, _claim(store)[0], Delivery.REJECTED)
    assert failed.state is OutboxState.FAILED
    with store.write() as session:
        assert outbox.retry(session, number, NOW) is not None
    again = _record(store, _claim(store)[0], Delivery.DEFERRED)
    assert again.due_at == NOW + timedelta(minutes=1)


def test_the_old_owner_records_nothing(store: Store) -> None:
    with store.write() as session:
        an_answer(session)
    old, new = _claim(store, lease=GONE)[0], _claim(store)[0]
    with pytest.raises(ClaimLost):
        _record(store, old, Delivery.REJECTED)
    assert _record(store, new, Delivery.SENT).state is OutboxState.SENT


def test_an_attempt_is_recorded_once(store: Store) -> None:
    with store.write() as session:
        an_answer(session)
    letter = _claim(store)[0]
    _record(store, letter, Delivery.SENT)
    with pytest.raises(ClaimLost):
        _record(store, letter, Delivery.DEFERRED)
    with store.read() as session:
        assert outbox.counts(session)[OutboxState.SENT] == 1


def test_a_late_owner_that_was_not_replaced_still_records(store: Store) -> None:
    with store.write() as session:
        an_answer(session)
    assert _record(store, _claim(store, lease=GONE)[0], Delivery.SENT).state is OutboxState.SENT


def test_a_letter_put_back_is_due_at_once_and_was_not_tried(store: Store) -> None:
    with store.write() as session:
        an_answer(session)
    letter = _claim(store)[0]
    with store.write() as session:
        outbox.put_back(session, letter)
    again = _claim(store)[0]
    assert (again.id, again.attempts) == (letter.id, 0)
    with pytest.raises(ClaimLost), store.write() as session:
        outbox.put_back(session, letter)


def test_listing_and_counts(store: Store) -> None:
    with store.write() as session:
        numbers = [an_answer(session, f"<{n}@here>").id for n in range(3)]
    _record(store, _claim(store, limit=1)[0], Delivery.SENT)
    with store.read() as session:
        waiting = [row.id for row in outbox.listing(session, OutboxState.WAITING, 10)]
        newest = [row.id for row in outbox.listing(session, None, 1)]
        counts = outbox.counts(session)
        first = outbox.by_id(session, numbers[0])
    assert waiting == [numbers[2], numbers[1]]
    assert newest == [numbers[2]]
    assert counts == {OutboxState.WAITING: 2, OutboxState.SENT: 1, OutboxState.FAILED: 0}
    assert first is not None
    assert first.message_id == "<0@here>"


def test_waiting_letters_are_redirected_but_not_those_being_sent(
    store: Store,
) -> None:
    with store.write() as session:
        first, second = (an_answer(session, f"<{n}@here>") for n in (1, 2))
        old, numbers = first.recipient, (first.id, second.id)
    (claimed,) = _claim(store, limit=1)
    with store.write() as session:
        outbox.redirect_waiting(session, old, "new@there")
    with store.read() as session:
        letters = [outbox.by_id(session, number) for number in numbers]
        assert [letter.recipient for letter in letters if letter] == [old, "new@there"]
    # A letter that bounced goes to the other address from the start.
    _record(store, claimed, Delivery.SENT)
    with store.write() as session:
        sent = outbox.newest_sent_from(session, claimed.envelope_sender)
        assert sent is not None
        outbox.redirect(sent, "new@there", NOW)
    assert {letter.recipient for letter in _claim(store)} == {"new@there"}
