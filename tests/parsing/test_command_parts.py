"""Days as people write them."""

import pytest

from referee.domain.days import Day, NamedDay, NearDay
from referee.parsing.command_parts import read_day
from referee.rules.ruleset import UserError


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026-09-18", NamedDay(9, 18, 2026)),
        ("2026/9/18", NamedDay(9, 18, 2026)),
        ("18 September 2026", NamedDay(9, 18, 2026)),
        ("18th Sept", NamedDay(9, 18)),
        ("1st may", NamedDay(5, 1)),
        ("2. October", NamedDay(10, 2)),
        ("Sep. 18, 2026", NamedDay(9, 18, 2026)),
        ("SEPTEMBER 18", NamedDay(9, 18)),
        ("18.9.", NamedDay(9, 18)),
        ("18.09.2026", NamedDay(9, 18, 2026)),
        ("today", NearDay(0)),
        ("Tomorrow", NearDay(1)),
    ],
)
def test_a_day_can_be_written_in_many_ways(text: str, day: Day) -> None:
    assert read_day(text) == day


@pytest.mark.parametrize("text", ["9/10", "09/10/2026", "18/9/26"])
def test_an_ambiguous_day_is_rejected(text: str) -> None:
    with pytest.raises(UserError, match="could mean two different days"):
        read_day(text)


@pytest.mark.parametrize("text", ["18 Octember", "marchember 3", "18 sepember"])
def test_a_month_is_written_in_full_or_abbreviated(text: str) -> None:
    with pytest.raises(UserError, match="Unknown month"):
        read_day(text)
