"""The arithmetic of docs/scaling.md: each calculated figure follows from the measured ones."""

import re
from pathlib import Path
from typing import Final

import pytest

from referee.settings.model import LimitsSettings
from tests.support.pages import read_page

PAGE: Final = read_page("docs/scaling.md")
FLAT: Final = " ".join(PAGE.split())
PLAYERS: Final = 1_000_000
SEATS: Final = 15
WEEK: Final = 7 * 86400


def figure(text: str) -> float:
    return float(text.replace(",", ""))


def told(pattern: str) -> list[float]:
    """Return the figures in the only place of the page with that pattern."""
    (found,) = re.findall(pattern, FLAT)
    return [figure(each) for each in ([found] if isinstance(found, str) else found)]


def row(name: str) -> list[float]:
    """Return the figures in the row of a table, one for each cell that is not empty."""
    (line,) = re.findall(rf"^\| {re.escape(name)} \|(.+)\|$", PAGE, re.MULTILINE)
    return [figure(each) for cell in line.split("|") for each in re.findall(r"[\d,.]+", cell)[:1]]


TURN: Final = told(r"a turn counts as (\d+) ms and an email as \d+ ms")[0] / 1000
EMAIL: Final = told(r"a turn counts as \d+ ms and an email as (\d+) ms")[0] / 1000
TURNS: Final = PLAYERS / SEATS
IN: Final = 3 * PLAYERS
OUT: Final = PLAYERS + IN


def test_a_million_players_are_counted() -> None:
    assert row("turns")[0] == round(TURNS)
    assert row("emails in")[0] == IN
    assert row("emails out, reports and answers")[0] == OUT
    for name, number in (
        ("turns", TURNS),
        ("emails in", IN),
        ("emails out, reports and answers", OUT),
    ):
        assert row(name)[1:3] == pytest.approx([number / WEEK, number / 36000], rel=0.03)
    assert row("turns")[3] == round(TURNS / 60)
    assert row("emails out, reports and answers")[3] == round(PLAYERS / 60)
    cores = [TURN * TURNS / seconds for seconds in (WEEK, 36000, 60)]
    assert row("cores for turns and their reports") == pytest.approx(cores, rel=0.03)
    cores = [EMAIL * IN / seconds for seconds in (WEEK, 36000)]
    assert row("cores for emails in and their answers") == pytest.approx(cores, rel=0.05)


def test_the_bytes_of_a_week_and_of_a_year_are_added_up() -> None:
    report, answer, email = told(r"an email with orders \| (\d+), ([\d.]+) and (\d+) kB")
    (state,) = told(r"a state, compressed \| (\d+) kB")
    kilobytes = SEATS * (report + 3 * email + 3 * answer) + state
    (week,) = row("new bytes: 15 reports, 45 emails in, 45 answers, a state")
    assert week == round(TURNS * kilobytes / 1e6)
    assert told(r"(\d+) GB a week are ([\d.]+) TB a year") == [week, round(52 * week / 1000, 1)]
    operators = (Path(__file__).parents[1] / "docs" / "operators.md").read_text("utf-8")
    (planned,) = re.findall(r"(\d+) kB of database for a turn", operators)
    assert figure(planned) == pytest.approx(kilobytes, rel=0.01)


def test_the_rates_of_the_bottlenecks_follow_from_the_measured_ones() -> None:
    reports, hours, limit = told(
        r"it are ([\d,]+) emails: (\d+) hours at `limits.domain_letters_a_minute = (\d+)`"
    )
    assert reports == round(PLAYERS / 3, -3)
    assert limit == LimitsSettings().domain_letters_a_minute
    assert hours == int(reports / limit / 60)

    turns, work, claim = told(r"at about (\d+) turns a second, calculated: (\d+) ms .*? (\d+) ms")
    assert turns == round(1000 / (work + claim + SEATS / 4))

    (here,) = told(r"before the next one is sent: (\d+) a second")
    near, near_ms, far, far_ms = told(r"it is (\d+) at (\d+) ms of round trip and (\d+) at (\d+)")
    for rate, trip in ((near, near_ms), (far, far_ms)):
        assert rate == pytest.approx(1 / (1 / here + 2 * trip / 1000), rel=0.04)

    rate, turns, seconds, cores = told(
        r"at (\d+) turns a second for each. All ([\d,]+) turns at once are ([\d,]+) seconds of a "
        r"core: (\d+) cores for a minute"
    )
    assert turns == round(TURNS)
    assert seconds == round(turns / rate, -2)
    assert cores == int(seconds / 60)

    emails, minutes, fewer = told(r"their ([\d,]+) emails in (\d+) minutes, ten in (\d+) seconds")
    (rate,) = told(r"one after the other, about (\d+) a second on a core")
    assert emails == PLAYERS / 10
    assert (minutes, fewer) == (round(emails / rate / 60), emails / rate / 10)


def test_the_commits_of_the_worst_hour_are_added_up() -> None:
    arriving, times, turns, sent, sum_of_all = told(
        r"that is (\d+) × (\d+) \+ (\d+) \+ (\d+) = (\d+) commits"
    )
    assert sum_of_all == arriving * times + turns + sent
    hourly = [row(name)[2] for name in ("emails in", "turns", "emails out, reports and answers")]
    assert [arriving, turns, sent] == [round(each) for each in hourly]
