from collections.abc import Callable

import pytest

from referee.domain.effort import FREE, MOST_ADVISED, MOST_OCTETS, MOST_SECONDS, UNADVISED, Effort
from referee.domain.mail_transfer import Line
from referee.errors import LetterTooCostly


class Clock:
    """A clock that a test moves on."""

    now = 10.0

    def __call__(self) -> float:
        return self.now


def begun(octets: Callable[[], int] = lambda: 0) -> tuple[Clock, Effort]:
    clock = Clock()
    return clock, Effort(clock, octets)


def test_an_effort_is_used_up_after_its_seconds() -> None:
    clock, effort = begun()
    clock.now += MOST_SECONDS
    effort.check()
    clock.now += 0.1
    with pytest.raises(LetterTooCostly, match="more than 2 s of processor time"):
        effort.check()


def test_an_effort_is_used_up_by_its_memory() -> None:
    taken = [1_000_000_000]
    _, effort = begun(lambda: taken[0])
    effort.check()
    taken[0] += MOST_OCTETS + 1
    with pytest.raises(LetterTooCostly, match="more than 500 MB of memory"):
        effort.check()


def test_the_first_lines_get_advice_however_often_the_letter_is_read() -> None:
    _, effort = begun()
    lines = [Line(number, "F3W6 maybe") for number in range(MOST_ADVISED + 9)]
    for _ in range(2):
        assert [*effort.advised(lines)] == lines[:MOST_ADVISED]
        assert not effort.advises(lines[-1])


def test_time_apart_is_taken_but_not_counted() -> None:
    clock, effort = begun()
    with effort.apart():
        clock.now += 5
    assert (effort.spent, effort.taken) == (0, 5)
    effort.check()


def test_only_the_time_and_memory_of_its_own_letter_count() -> None:
    taken = [0]
    clock, effort = begun(lambda: taken[0])
    for _ in range(2):
        clock.now += 5
        taken[0] += MOST_OCTETS + 1
        with effort.going():
            clock.now += MOST_SECONDS / 2
            assert effort.spent <= MOST_SECONDS
            effort.check()
    with effort.going():
        clock.now += 0.1
        with pytest.raises(LetterTooCostly):
            effort.check()


def test_text_that_is_no_letter_is_free() -> None:
    lines = [Line(number, "F3W6 maybe") for number in range(MOST_ADVISED + 9)]
    assert [*FREE.advised(lines)] == lines
    assert [*UNADVISED.advised(lines)] == []
    FREE.check()
