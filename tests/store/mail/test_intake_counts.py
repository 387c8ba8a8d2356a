"""Counts of what was stored for each sender in a day."""

from datetime import timedelta

from referee.store import Store
from referee.store.mail import intake_counts
from tests.store.rows import NOW

DAY = timedelta(days=1)


def test_each_purse_has_a_sum_for_each_day(store: Store) -> None:
    with store.write() as session:
        assert intake_counts.add(session, {"frodo": 3_000_000_000}, NOW) == {"frodo": 3_000_000_000}
        assert intake_counts.add(session, {"sam": 5}, NOW) == {"sam": 5}
        assert intake_counts.add(session, {"frodo": 7}, NOW) == {"frodo": 3_000_000_007}
        assert intake_counts.add(session, {"frodo": 1}, NOW + DAY) == {"frodo": 1}


def test_the_operator_is_warned_once_a_day(store: Store) -> None:
    with store.write() as session:
        moments = (NOW, NOW, NOW + DAY)
        assert [intake_counts.mark_warned(session, "x", at) for at in moments] == [
            True,
            False,
            True,
        ]
        assert intake_counts.add(session, {"x": 4}, NOW) == {"x": 4}


def test_old_counts_are_deleted(store: Store) -> None:
    with store.write() as session:
        for days in range(3):
            intake_counts.add(session, {"x": 1}, NOW + days * DAY)
        assert intake_counts.forget(session, NOW + 2 * DAY) == 2
        assert intake_counts.add(session, {"x": 1}, NOW + 2 * DAY) == {"x": 2}
