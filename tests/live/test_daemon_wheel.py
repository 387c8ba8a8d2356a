"""The built package, installed without the checkout, receives and answers a letter."""

import os
import smtplib
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from tests.live.servers import PATIENCE, output, until
from tests.support.ports import free_port

ROOT = Path(__file__).parents[2]
SETTINGS = """
[site]
address = "games@example.org"
operator = "you@example.org"
[receiver]
port = {port}
[sending]
kind = "maildir"
path = "sent"
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """Return the program ``referee`` of a fresh environment with the wheel and our libraries."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path],
        cwd=ROOT,
        capture_output=True,
        timeout=120,
        check=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    fresh = tmp_path / "fresh"
    output(sys.executable, "-m", "venv", "--without-pip", fresh)
    python = fresh / "bin" / "python"
    quiet = ("--quiet", "--disable-pip-version-check", "--no-index", "--no-deps")
    output(sys.executable, "-m", "pip", "--python", python, "install", *quiet, wheel)
    # A folder in a .pth file provides its packages, but not its editable installs.
    site = sysconfig.get_path("purelib", vars={"base": str(fresh)})
    (Path(site) / "libraries.pth").write_text(sysconfig.get_path("purelib"))
    return fresh / "bin" / "referee"


@pytest.mark.release
def test_the_installed_wheel_takes_a_letter(program: Path, tmp_path: Path) -> None:
    place = "import referee; print(referee.__file__)"
    shown = subprocess.run(
        [program.parent / "python", "-c", place],
        cwd=tmp_path,
        env=_environment(),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    assert Path(shown.stdout.strip()).is_relative_to(program.parents[1])
    port = free_port()
    (tmp_path / "referee.toml").write_text(SETTINGS.format(port=port))
    referee = subprocess.Popen([program, "run"], cwd=tmp_path, env=_environment())
    try:
        until("it takes letters", lambda: _write(port))
        until("the letter is answered", lambda: any((tmp_path / "sent" / "new").glob("*")))
        referee.terminate()
        assert referee.wait(PATIENCE) == 0
    finally:
        referee.kill()
        referee.wait(PATIENCE)
    (answer,) = (tmp_path / "sent" / "new").glob("*")
    assert "In-Reply-To: <1@example.org>" in answer.read_text()
    assert "A new game of StarWeb" in answer.read_text()


def _environment() -> dict[str, str]:
    hidden = ("PYTHON", "REFEREE", "VIRTUAL_ENV")
    return {name: value for name, value in os.environ.items() if not name.startswith(hidden)}


def _write(port: int) -> bool:
    letter = (
        "From: <you@example.org>\r\nTo: games@example.org\r\n"
        'Message-ID: <1@example.org>\r\n\r\nCREATE STARWEB DEADLINE "72 hours"\r\n'
    )
    try:
        with smtplib.SMTP("127.0.0.1", port, timeout=PATIENCE) as client:
            client.sendmail("you@example.org", ["games@example.org"], letter)
    except (TimeoutError, ConnectionError):
        return False
    return True
