"""The brake on sending: pulled, let go, and released by itself."""

from datetime import timedelta

from referee.store import Store
from referee.store.mail import circuit_breaker
from tests.store.rows import NOW

MINUTE = timedelta(minutes=1)


def test_a_brake_never_pulled_holds_nothing(store: Store) -> None:
    with store.write() as session:
        assert circuit_breaker.holds_until(session, NOW) is None
        assert circuit_breaker.counted_from(session, NOW) == NOW - circuit_breaker.SPAN
        assert not circuit_breaker.reset(session, NOW)


def test_a_pulled_brake_lets_go_after_an_hour_and_counts_from_then(store: Store) -> None:
    with store.write() as session:
        circuit_breaker.trip(session, NOW)
    end = NOW + circuit_breaker.SPAN
    with store.read() as session:
        assert circuit_breaker.holds_until(session, NOW + 59 * MINUTE) == end
        assert circuit_breaker.holds_until(session, end) is None
        assert circuit_breaker.counted_from(session, end + MINUTE) == end
        assert circuit_breaker.counted_from(session, end + 90 * MINUTE) == end + 30 * MINUTE


def test_the_operator_lets_go_and_counting_begins_anew(store: Store) -> None:
    with store.write() as session:
        circuit_breaker.trip(session, NOW)
    with store.write() as session:
        assert circuit_breaker.reset(session, NOW + MINUTE)
        assert not circuit_breaker.reset(session, NOW + MINUTE)
    with store.read() as session:
        assert circuit_breaker.holds_until(session, NOW + MINUTE) is None
        assert circuit_breaker.counted_from(session, NOW + 2 * MINUTE) == NOW + MINUTE


def test_a_clock_that_was_set_back_makes_it_hold_no_longer(store: Store) -> None:
    day, later = timedelta(days=1), NOW + 10 * MINUTE
    with store.write() as session:
        circuit_breaker.trip(session, NOW)
        circuit_breaker.keep_held(session, later, later - day)
    end = NOW - day + circuit_breaker.SPAN
    with store.read() as session:
        assert circuit_breaker.holds_until(session, later - day) == end
        assert circuit_breaker.counted_from(session, end + MINUTE) == end


def test_what_happened_before_the_clock_was_set_back_so_far_stays(store: Store) -> None:
    with store.write() as session:
        circuit_breaker.trip(session, NOW)
        circuit_breaker.keep_held(session, NOW + 30 * MINUTE, NOW + MINUTE)
        assert circuit_breaker.holds_until(session, NOW + MINUTE) == NOW + circuit_breaker.SPAN
