"""A small load test of letters at a deadline; ``make storm-intake`` runs a large one."""

from pathlib import Path

import pytest

from tests.support.storming import in_earnest, simulated


@pytest.mark.slow
def test_each_letter_is_in_or_out_by_its_arrival(tmp_path: Path) -> None:
    assert simulated(tmp_path, number=2, seats=3, before=60, after=12) == []


@pytest.mark.release
def test_a_load_test_by_lmtp_of_a_running_referee(tmp_path: Path) -> None:
    assert in_earnest(tmp_path, number=1, seats=3, before=24, after=6, seconds=4) == []
