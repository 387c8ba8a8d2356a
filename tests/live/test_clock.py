"""A real daemon whose machine's clock jumps, by a library that changes the time."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from referee.clock import now
from tests.daemon.test_service import Playing
from tests.live.servers import output, program
from tests.support.processes import wait_for

pytestmark = [pytest.mark.live, pytest.mark.slow]

SOURCE = Path(__file__).with_name("jumping.c")
HOUR = timedelta(hours=1)


class Jumping(Playing):
    """A site whose daemon and workers see another time, by a library that is loaded with them."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__(folder)
        library = folder / "jumping.so"
        compiler = program("cc", "A C compiler", "gcc libc6-dev")
        output(compiler, "-shared", "-fPIC", "-Wall", "-Werror", "-o", library, SOURCE, "-ldl")
        self._ahead = folder / "ahead"
        self.jump(timedelta(0))
        monkeypatch.setenv("LD_PRELOAD", str(library))
        monkeypatch.setenv("CLOCK_AHEAD", str(self._ahead))

    def jump(self, ahead: timedelta) -> None:
        """Set the daemon's clock this far ahead of ours."""
        new = self._ahead.with_suffix(".new")
        new.write_text(f"{ahead.total_seconds():.0f}\n")
        new.rename(self._ahead)

    def told(self, words: str) -> int:
        """Return the number of letters with these words."""
        return sum(words in " ".join(letter.split()) for letter in self.answers())


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Jumping:
    return Jumping(tmp_path, monkeypatch)


def test_a_clock_that_jumps_past_a_deadline_moves_it(house: Jumping) -> None:
    with house.running(house.command) as referee:
        wait_for(house.is_watched)
        due = house.let_turn_end(HOUR.total_seconds())
        house.jump(3 * HOUR)
        wait_for(lambda: house.turn()[1] != due)
        turn, moved = house.turn()
        assert turn == 1
        # Half a turn is left, an hour before the deadline as it was.
        assert due + 8 * HOUR <= moved <= due + 8 * HOUR + timedelta(seconds=4)
        words = "The referee was down for 3 hours, so it moved the deadline of turn 1"
        wait_for(lambda: house.told(words) == 3)
        log = referee.stop()
    assert "Traceback" not in log
    assert 'event="turn resolved"' not in log


def test_nothing_is_resolved_while_the_clock_is_in_doubt(
    house: Jumping,
) -> None:
    with house.running(house.command):
        wait_for(house.is_watched)
        house.jump(-2 * HOUR)
        went_back = now()
        wait_for(lambda: house.told("No turn is resolved for") == 1)
        # By the current clock, the turn is over.
        house.let_turn_end(-2 * HOUR.total_seconds() - 60)
        house.write(1, "HELP")
        wait_for(lambda: house.told("In-Reply-To: <1@example.org>") == 1)
        wait_for(lambda: house.turn()[0] == 2)
        assert now() - went_back >= timedelta(seconds=4)
        assert house.turn()[1] < datetime.now(UTC)
        assert house.told("No turn is resolved for") == 1
