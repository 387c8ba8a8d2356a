"""A short soak test: two games for some days; ``make soak`` runs twenty for weeks."""

from pathlib import Path

import pytest

from tests.soak.soaking import soak

pytestmark = [
    pytest.mark.sqlite("its file is locked and its disk full"),
    pytest.mark.slow,
]


def test_every_invariant_holds_after_days_of_failures(tmp_path: Path) -> None:
    soaked = soak(tmp_path, days=2, games=2, seed=5)
    assert soaked.faults == []
    # A soak test without failures, or without events, proves nothing.
    assert sum(soaked.troubles.values()) >= 3
    assert soaked.starts > 1
    assert soaked.turns >= 1
