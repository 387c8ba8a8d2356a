"""Games for one, kept in a folder."""

import os
from pathlib import Path

from referee.testing.game_for_one import opened


def test_only_its_owner_can_read_the_folder_of_a_game(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        with opened(tmp_path / "new"):
            pass
    finally:
        os.umask(before)
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o700
