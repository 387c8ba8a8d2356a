"""Letters about a deadline, many at once: a small storm; ``make storm-intake`` has a real one."""

from pathlib import Path

from tests.support.storming import in_earnest, simulated


def test_each_letter_is_in_or_out_by_its_arrival(tmp_path: Path) -> None:
    assert simulated(tmp_path, number=2, seats=3, before=60, after=12) == []


def test_a_storm_by_lmtp_into_a_running_referee(tmp_path: Path) -> None:
    assert in_earnest(tmp_path, number=1, seats=3, before=24, after=6, seconds=4) == []
