"""The demonstration: a referee on this machine, and robots who play by mail for a turn or two."""

from dataclasses import replace
from pathlib import Path

import pytest

from referee.cli import demo
from referee.testing.casts.installed import cast_keys, installed_casts
from tests.support.examples import mostly_slow

CASTS = installed_casts()
GAMES = sorted(cast_keys(), key=lambda key: key != "starweb")


@pytest.mark.slow
@pytest.mark.sampled
@pytest.mark.parametrize("game", mostly_slow(GAMES, every=len(GAMES)))
def test_a_game_is_played_by_mail(
    game: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert demo.watch(replace(CASTS[game], turns=CASTS[game].opening), tmp_path)
    output = capfd.readouterr().out
    assert "ACCEPTED (" in output
    titles = ["A PLAYER WRITES", "THE REFEREE ACKNOWLEDGES", "THE NEXT REPORT", " EMAILS, "]
    assert sorted(titles, key=output.index) == titles
    listed = output.partition(" EMAILS, ")[2]
    assert listed.count(" <  ") + listed.count("  > ") in range(5, 21)


@pytest.mark.slow
def test_a_game_that_is_not_played_in_time_fails(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert not demo.watch(CASTS["starweb"], tmp_path, patience_seconds=0.1)
    assert "not finished in time" in capfd.readouterr().err


def test_a_game_that_cannot_be_created_is_named_at_once(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    cast = replace(CASTS["starweb"], creation="CREATE STARWEB SEATS 99\n")
    assert not demo.watch(cast, tmp_path)
    reason = capfd.readouterr().err.partition("ruleset or cast failed:\n")[2]
    assert reason.startswith("  Line 1: CREATE STARWEB SEATS 99 ")
