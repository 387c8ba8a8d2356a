"""After an outage, a deadline leaves the time in which other mail servers try again."""

from datetime import timedelta
from pathlib import Path

import pytest

from referee.store.games import games
from tests.support.hourly import HOUR, NOON, SETTINGS, begin, installed, play


@pytest.mark.slow
@pytest.mark.parametrize(
    ("more", "left"),
    [
        # As much as was left when the outage began.
        ("", HOUR),
        ("[receiver]\nport = 8025\n", 6 * HOUR),
    ],
)
def test_letters_that_mail_servers_kept_are_in_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: str, left: timedelta
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("REFEREE_SETTINGS", raising=False)
    (tmp_path / "referee.toml").write_text(SETTINGS + more)
    with installed() as app:
        begin(app)
        back = NOON + 40 * HOUR
        play(app, hours=0, since=back)
        with app.store.read() as session:
            (game,) = games.listing(session)
            assert (game.turn, game.deadline_at) == (4, back + left)
