"""A short soak test: two games for some days; ``make soak`` runs twenty for weeks."""

from datetime import timedelta
from pathlib import Path
from random import Random

import pytest

from tests.soak.checking import faults
from tests.soak.soaking import soak
from tests.soak.trouble import Condition
from tests.soak.world import BEGINNING, World

pytestmark = [
    pytest.mark.sqlite("its file is locked and its disk full"),
    pytest.mark.slow,
]


@pytest.mark.release
def test_every_invariant_holds_after_days_of_failures(tmp_path: Path) -> None:
    soaked = soak(tmp_path, days=2, games=2, seed=5)
    assert soaked.faults == []
    # A soak test without failures, or without events, proves nothing.
    assert sum(soaked.troubles.values()) >= 3
    assert soaked.starts > 1
    assert soaked.turns >= 1


@pytest.mark.release
def test_every_game_is_created_and_played(tmp_path: Path) -> None:
    soaked = soak(tmp_path, days=0, games=11, seed=5)
    assert soaked.faults == []
    assert soaked.turns >= 11


def test_an_alert_that_could_not_be_written_is_no_error(tmp_path: Path) -> None:
    world = World(tmp_path, 1, seed=5)
    try:
        world.trouble.begin(Condition.FULL, BEGINNING + timedelta(hours=2))
        # A letter that needs new pages of the file.
        noise = Random(5).randbytes(20_000).hex()
        world.write(world.master.writes(f"HELP\n-- \n{noise}\n", world.now))
        world.pass_to(BEGINNING + timedelta(hours=4))
        assert len(world.alerts) == 1
        assert faults(world) == ["1 games were wanted, and 0 were created"]
    finally:
        world.close()
