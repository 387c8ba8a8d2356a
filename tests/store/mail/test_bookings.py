"""Bookings by the minute, and what was spent of them in an hour and in a day."""

from datetime import timedelta

from sqlalchemy import func, select

from referee.store import Store
from referee.store.mail import bookings
from referee.store.mail.bookings import Booking, Purse
from tests.store.rows import NOW

FRODO, SAM = Purse("WORK", "PERSON frodo"), Purse("WORK", "PERSON sam")


def test_what_was_spent_counts_for_an_hour_and_a_day(store: Store) -> None:
    with store.write() as session:
        for minutes in (0, 59, 60, 1439, 1440):
            bookings.add(session, {FRODO: 3_000_000_000}, NOW - timedelta(minutes=minutes))
        bookings.add(session, {SAM: 5}, NOW)
        found = bookings.spent(session, [FRODO], NOW)
        assert found == {FRODO: (6_000_000_000, 12_000_000_000)}
        assert bookings.spent(session, None, NOW) == {**found, SAM: (5, 5)}


def test_a_flood_within_a_minute_is_one_row(store: Store) -> None:
    with store.write() as session:
        for second in range(60):
            bookings.add(session, {FRODO: 1}, NOW + timedelta(seconds=second))
        assert session.scalar(select(func.count()).select_from(Booking)) == 1
        assert bookings.spent(session, [FRODO], NOW)[FRODO].day == 60


def test_no_more_is_taken_back_than_was_spent(store: Store) -> None:
    with store.write() as session:
        bookings.add(session, {FRODO: 1}, NOW)
        assert bookings.newest(session, [FRODO, SAM], NOW) == (FRODO, NOW)
        assert [bookings.take_back(session, each, NOW) for each in (FRODO, FRODO, SAM)] == [
            True,
            False,
            False,
        ]
        assert bookings.newest(session, [FRODO, SAM], NOW) is None
