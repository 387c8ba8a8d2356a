"""Sending limits: a flood stops with one alert, and letters to a busy domain wait."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from referee.desk.base.desk import Site
from referee.desk.due.send_limits import DueLetters, Pace, SendSlot, claim_due
from referee.domain.mail_transfer import Attempt, Delivery
from referee.letters.outgoing.compose import Composer
from referee.store import Session, Store
from referee.store.letter_states import OutboxState, SendShare
from referee.store.mail import circuit_breaker, outbox

NOON = datetime(2026, 9, 1, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
HOUSE = Site(
    rulesets={},
    composer=Composer("games@example.org", "The Referee"),
    key=bytes(32),
    address="games@example.org",
    operator="you@example.org",
)


@pytest.fixture
def store() -> Iterator[Store]:
    store = Store("sqlite://")
    store.migrate()
    yield store
    store.close()


def write(
    store: Store,
    *recipients: str,
    now: datetime = NOON,
    share: SendShare = SendShare.TURNS,
) -> None:
    with store.write() as session:
        for recipient in recipients:
            outbox.put(
                session,
                now,
                outbox.Finished(
                    message_id=f"<{outbox.counts(session)[OutboxState.WAITING]}.{recipient}{now}>",
                    kind="Acknowledgement",
                    envelope_sender="games@example.org",
                    recipient=recipient,
                    raw=b"Subject: x\r\n\r\n",
                    share=share,
                ),
            )


def send(store: Store, pace: Pace, now: datetime = NOON) -> list[str]:
    """Send until nothing can be sent; return the recipients."""
    went: list[str] = []
    while letters := _claim(store, pace, now).letters:
        with store.write() as session:
            for letter in letters:
                attempt = Attempt(outbox.dispatch(letter), Delivery.SENT)
                outbox.record(session, attempt, letter.fence, now)
                went.append(letter.recipient)
    return went


def _claim(store: Store, pace: Pace, now: datetime) -> DueLetters:
    with store.write() as session:
        return claim_due(session, HOUSE, pace, SendSlot("test", now, MINUTE, 2))


def waiting(session: Session) -> int:
    return outbox.counts(session)[OutboxState.WAITING]


def people(number: int) -> list[str]:
    return [f"p{n}@there.example" for n in range(number)]


def test_within_the_measure_everything_goes(store: Store) -> None:
    write(store, *people(5))
    assert send(store, Pace(5)) == people(5)
    with store.read() as session:
        assert circuit_breaker.holds_until(session, NOON) is None


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("letters", "pace", "claimed", "are_all"),
    [
        (0, Pace(100), 0, True),
        (1, Pace(100), 1, True),
        (2, Pace(100), 2, False),
        (1, Pace(100, 100), 1, True),
        # More letters of the same share may wait.
        (1, Pace(1), 1, False),
        # One is put off for a minute, and letters to other domains may wait.
        (2, Pace(100, 1), 1, False),
    ],
)
def test_only_a_round_that_nothing_limits_claims_all(
    store: Store, letters: int, pace: Pace, claimed: int, *, are_all: bool
) -> None:
    write(store, *people(letters))
    due = _claim(store, pace, NOON)
    assert (len(due.letters), due.are_all) == (claimed, are_all)


def test_a_flood_stops_for_an_hour_and_the_operator_gets_one_alert(store: Store) -> None:
    write(store, *people(8))
    pace = Pace(3)
    assert send(store, pace) == [*people(3), HOUSE.operator]
    for minutes in (0, 1, 59):
        assert send(store, pace, NOON + minutes * MINUTE) == []
    # An hour later sending goes on automatically, and stops again with a new alert.
    assert send(store, pace, NOON + HOUR) == [*people(8)[3:6], HOUSE.operator]
    assert send(store, pace, NOON + 2 * HOUR) == people(8)[6:]
    with store.read() as session:
        assert waiting(session) == 0


def test_the_operator_can_resume_sending_at_once(store: Store) -> None:
    write(store, *people(5))
    pace = Pace(3)
    send(store, pace)
    with store.write() as session:
        assert circuit_breaker.reset(session, NOON + MINUTE)
    assert send(store, pace, NOON + 2 * MINUTE) == people(5)[3:]


def test_a_measure_that_is_full_with_nothing_more_to_send_stops_nothing(store: Store) -> None:
    write(store, *people(3))
    assert send(store, Pace(3)) == people(3)
    assert send(store, Pace(3), NOON + MINUTE) == []
    with store.read() as session:
        assert circuit_breaker.holds_until(session, NOON + MINUTE) is None


def test_letters_sent_long_ago_are_not_counted(store: Store) -> None:
    for minutes in (0, 30, 61):
        write(store, *people(2), now=NOON + minutes * MINUTE)
        assert send(store, Pace(4), NOON + minutes * MINUTE) == people(2)


@pytest.mark.slow
def test_a_busy_domain_waits_a_minute_while_all_others_go(store: Store) -> None:
    write(store, *people(5), "frodo@Shire.example")
    pace = Pace(100, 2)
    assert send(store, pace) == [*people(2), "frodo@Shire.example"]
    assert send(store, pace, NOON + timedelta(seconds=59)) == []
    assert send(store, pace, NOON + MINUTE) == people(5)[2:4]
    assert send(store, pace, NOON + 2 * MINUTE) == people(5)[4:]
    with store.read() as session:
        # Waiting for the domain does not count as a failed attempt.
        assert {row.attempts for row in outbox.listing(session, None, 9)} == {1}


@pytest.mark.slow
def test_other_letters_and_answers_to_orders_leave_room_for_reports(store: Store) -> None:
    pace = Pace(40)
    write(store, *people(30), share=SendShare.OTHERS)
    assert sorted(send(store, pace)) == sorted([*people(20), HOUSE.operator])
    orders = [f"o{n}@there.example" for n in range(30)]
    write(store, *orders, now=NOON + MINUTE, share=SendShare.ORDERS)
    assert sorted(send(store, pace, NOON + MINUTE)) == sorted([*orders[:10], HOUSE.operator])
    reports = [f"r{n}@there.example" for n in range(7)]
    write(store, *reports, now=NOON + 2 * MINUTE)
    assert send(store, pace, NOON + 2 * MINUTE) == reports
    with store.read() as session:
        assert circuit_breaker.holds_until(session, NOON + 2 * MINUTE) is None
    assert len(send(store, pace, NOON + 2 * HOUR)) == 30
