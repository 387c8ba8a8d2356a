"""Short commands load the settings and the store: which modules they import is counted."""

import subprocess
import sys
from pathlib import Path

import pytest

from referee.app import open_new
from referee.settings import load
from tests.cli.test_cli import SETTINGS

HEAVY = frozenset(
    {"PIL", "alembic", "aiosmtpd", "apscheduler", "dkim", "dns", "imapclient", "jinja2", "lark"}
    | {"referee.app", "referee.daemon", "referee.desk", "referee.parsing", "referee.reports"}
)
_LOADED = """
import atexit, sys
atexit.register(lambda: print(*sys.modules, file=sys.stderr))
from referee.cli import main
main(prog_name="referee")
"""
MOST = 820
"""About as many modules as the settings (Pydantic) and the store (SQLAlchemy) import."""


@pytest.mark.sampled
@pytest.mark.parametrize(
    "command",
    [["check", "--help"], ["status", "--help"], ["games", "--help"], ["status"], ["games"]],
)
def test_a_short_command_loads_neither_the_desk_nor_its_libraries(
    tmp_path: Path, command: list[str]
) -> None:
    file = tmp_path / "referee.toml"
    file.write_text(SETTINGS)
    open_new(load(file)).close()
    program = [sys.executable, "-c", _LOADED, "--settings", str(file), *command]
    ended = subprocess.run(program, check=True, capture_output=True, text=True, cwd=tmp_path)
    loaded = set(ended.stderr.split())
    assert "referee.store.models" in loaded
    assert loaded & HEAVY == set()
    assert len(loaded) < MOST
