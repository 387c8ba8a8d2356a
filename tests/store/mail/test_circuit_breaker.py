"""The sending circuit breaker: tripped, reset, and reset automatically."""

from datetime import timedelta

from referee.store import Store
from referee.store.mail import circuit_breaker
from tests.store.rows import NOW

MINUTE = timedelta(minutes=1)


def test_a_breaker_that_never_tripped_stops_nothing(store: Store) -> None:
    with store.write() as session:
        assert circuit_breaker.holds_until(session, NOW) is None
        assert circuit_breaker.at(session, NOW).counted_from == NOW - circuit_breaker.SPAN
        assert not circuit_breaker.reset(session, NOW)


def test_a_tripped_breaker_resets_after_an_hour_and_counts_from_then(store: Store) -> None:
    with store.write() as session:
        circuit_breaker.trip(session, NOW)
    end = NOW + circuit_breaker.SPAN
    with store.read() as session:
        assert circuit_breaker.holds_until(session, NOW + 59 * MINUTE) == end
        assert circuit_breaker.holds_until(session, end) is None
        assert circuit_breaker.at(session, end + MINUTE).counted_from == end
        assert circuit_breaker.at(session, end + 90 * MINUTE).counted_from == end + 30 * MINUTE


def test_the_operator_resets_it_and_counting_starts_again(store: Store) -> None:
    with store.write() as session:
        circuit_breaker.trip(session, NOW)
    with store.write() as session:
        assert circuit_breaker.reset(session, NOW + MINUTE)
        assert not circuit_breaker.reset(session, NOW + MINUTE)
    with store.read() as session:
        assert circuit_breaker.holds_until(session, NOW + MINUTE) is None
        assert circuit_breaker.at(session, NOW + 2 * MINUTE).counted_from == NOW + MINUTE


def test_a_clock_that_was_set_back_does_not_prolong_the_stop(store: Store) -> None:
    day, later = timedelta(days=1), NOW + 10 * MINUTE
    with store.write() as session:
        circuit_breaker.trip(session, NOW)
        circuit_breaker.keep_held(session, later, later - day)
    end = NOW - day + circuit_breaker.SPAN
    with store.read() as session:
        assert circuit_breaker.holds_until(session, later - day) == end
        assert circuit_breaker.at(session, end + MINUTE).counted_from == end


def test_an_entry_before_the_new_time_is_not_moved(store: Store) -> None:
    with store.write() as session:
        circuit_breaker.trip(session, NOW)
        circuit_breaker.keep_held(session, NOW + 30 * MINUTE, NOW + MINUTE)
        assert circuit_breaker.holds_until(session, NOW + MINUTE) == NOW + circuit_breaker.SPAN
