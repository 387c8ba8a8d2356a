"""The first steps of docs/operators.md, with the emails as they are printed there."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from referee.cli import main
from tests.support.installing import blocks
from tests.support.ports import free_port
from tests.support.processes import Installation, wait_for

GUIDE = Path(__file__).parents[2] / "docs" / "operators.md"


def shell(commands: str, folder: Path) -> None:
    """Run the commands of the guide in *folder*, with this referee."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    subprocess.run(
        ["sh", "-euc", commands],
        cwd=folder,
        env={**os.environ, "PATH": path},
        timeout=60,
        check=True,
    )


@pytest.mark.slow
def test_a_game_is_opened_without_a_mail_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFEREE_RECEIVER__PORT", str(free_port()))
    main(["init", str(tmp_path)], standalone_mode=False)
    installation = Installation(tmp_path, (tmp_path / "referee.toml").read_text("utf-8"))
    first, second = (each for each in blocks(GUIDE.read_text("utf-8")) if "referee mail in" in each)

    def sent() -> str:
        return "".join(each.read_text("utf-8") for each in (tmp_path / "sent" / "new").glob("*"))

    with installation.running():
        shell(first, tmp_path)
        wait_for(lambda: "confirm: CREATE" in sent())
        shell(second, tmp_path)
        wait_for(lambda: "your game is open for players" in sent())
