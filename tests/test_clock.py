"""The ticker takes one step at a time: regularly, when woken, and at due times."""

import sys
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo
from threading import Event, Lock, Semaphore

import pytest

from referee.clock import now
from referee.ticker import Ticker


def nothing() -> None:
    return None


def ticking(step: Callable[[], object], seconds: float) -> Ticker:
    ticker = Ticker(step, nothing, seconds)
    ticker.start()
    return ticker


def test_now_has_its_zone() -> None:
    assert now().tzinfo is UTC
    assert abs(now() - datetime.now(UTC)) < timedelta(seconds=5)


@dataclass
class Steps:
    """Steps that were taken; *third* is set with the third."""

    taken: list[datetime] = field(default_factory=list)
    third: Event = field(default_factory=Event)

    def take(self) -> None:
        self.taken.append(now())
        if len(self.taken) == 3:
            self.third.set()


def test_steps_are_repeated() -> None:
    steps = Steps()
    ticker = ticking(steps.take, 0.05)
    assert steps.third.wait(5)
    assert ticker.stop()
    taken = len(steps.taken)
    time.sleep(0.15)
    assert len(steps.taken) == taken


def test_a_clock_a_year_ahead_costs_one_tick_and_no_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    offset = [timedelta(0)]

    class Shifted(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> "Shifted":
            return cls.fromtimestamp(time.time() + offset[0].total_seconds(), tz)

    monkeypatch.setattr("apscheduler.schedulers.base.datetime", Shifted)
    first, second = Event(), Event()

    def step() -> None:
        (second if offset[0] else first).set()

    ticker = ticking(step, 0.5)
    assert first.wait(5)
    tracemalloc.start()
    try:
        offset[0] = timedelta(days=365)
        assert second.wait(5)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert ticker.stop()
    assert peak < 1_000_000


def test_a_wake_up_does_not_wait_for_the_next_tick() -> None:
    first, second = Event(), Event()

    def step() -> None:
        (second if first.is_set() else first).set()

    ticker = ticking(step, 600)
    assert first.wait(5)
    ticker.wake()
    assert second.wait(5)
    assert ticker.stop()


def test_a_wake_up_during_the_step_of_another_one_is_followed_by_a_step() -> None:
    begun, released = Semaphore(0), Event()

    def step() -> None:
        begun.release()
        released.wait(5)

    ticker = ticking(step, 600)
    assert begun.acquire(timeout=5)
    ticker.wake()
    released.set()
    assert begun.acquire(timeout=5)
    released.clear()
    ticker.wake()
    assert begun.acquire(timeout=5)
    for _ in range(3):
        ticker.wake()
        time.sleep(0.1)
    released.set()
    assert begun.acquire(timeout=5)
    assert ticker.stop()


def test_a_step_is_taken_at_the_moment_something_falls_due() -> None:
    due = now() + timedelta(seconds=0.4)
    late: list[timedelta] = []
    done = Event()

    def step() -> None:
        if now() >= due:
            late.append(now() - due)
            done.set()

    ticker = Ticker(step, lambda: due, 30)
    ticker.start()
    assert done.wait(5)
    assert ticker.stop()
    assert late[0] < timedelta(seconds=0.3)


@pytest.mark.slow
def test_a_step_is_repeated_soon_while_something_is_overdue() -> None:
    steps = Steps()
    ticker = Ticker(steps.take, lambda: steps.taken[0] - timedelta(hours=1), 30)
    ticker.start()
    assert steps.third.wait(10)
    assert ticker.stop()


def test_steps_never_overlap() -> None:
    lock = Lock()
    overlaps: list[bool] = []
    enough = Event()

    def step() -> None:
        overlaps.append(not lock.acquire(blocking=False))
        time.sleep(0.03)
        lock.release()
        if len(overlaps) == 5:
            enough.set()

    ticker = ticking(step, 0.01)
    for _ in range(5):
        ticker.wake()
    assert enough.wait(5)
    assert ticker.stop()
    assert set(overlaps) == {False}


def test_stopping_does_not_wait_forever() -> None:
    begun, held = Event(), Event()

    def step() -> None:
        begun.set()
        held.wait(10)

    ticker = ticking(step, 600)
    assert begun.wait(5)
    assert not ticker.stop(patience_seconds=0.1)
    held.set()


@pytest.mark.slow
def test_a_stop_while_a_step_is_being_started_is_no_error() -> None:
    # An exception in the scheduler's thread is a failure of the test.
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for number in range(400):
            ticker = ticking(nothing, seconds=60)
            ticker.wake()
            time.sleep(number % 20 / 10_000)
            assert ticker.stop()
    finally:
        sys.setswitchinterval(interval)
