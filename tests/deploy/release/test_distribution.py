"""The sdist carries everything: a wheel made from it works in an environment of its own."""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from deploy.release import ROOT
from referee.cli.version import commit


def run(*command: str | Path, folder: Path) -> str:
    """Run a command that must succeed, without a checkout or settings around it."""
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("REFEREE_")
    }
    done = subprocess.run(
        command,
        cwd=folder,
        env={**environment, "TMPDIR": str(folder), "PIP_NO_INDEX": "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build an sdist and a wheel from it, and install that where nothing else of ours is."""
    folder = tmp_path_factory.mktemp("distribution")
    build = (sys.executable, "-m", "hatchling", "build", "-d", folder, "-t")
    run(*build, "sdist", folder=ROOT)
    (sdist,) = folder.glob("*.tar.gz")
    run("tar", "-xzf", sdist, folder=folder)
    run(*build, "wheel", folder=folder / sdist.name.removesuffix(".tar.gz"))
    (wheel,) = folder.glob("*.whl")
    home = folder / "environment"
    run(sys.executable, "-m", "venv", "--without-pip", home, folder=folder)
    pip = (sys.executable, "-m", "pip", "--python", home / "bin" / "python", "install")
    run(*pip, "--no-deps", "--no-index", wheel, folder=folder)
    # The packages of the lock are those of this environment, without our own.
    (site,) = home.glob("lib/python*/site-packages")
    (site / "locked.pth").write_text(sysconfig.get_path("purelib"))
    return home


@pytest.mark.release
def test_the_installation_knows_its_commit(environment: Path, tmp_path: Path) -> None:
    known = f" (commit {commit()})" if commit() else ""
    program = environment / "bin" / "referee"
    assert run(program, "--version", folder=tmp_path) == f"referee 1.0.0{known}\n"


@pytest.mark.slow
def test_the_installation_has_its_rulesets_and_plays_a_game_by_email(
    environment: Path, tmp_path: Path
) -> None:
    code = "import referee; print(referee.__file__)"
    place = run(environment / "bin" / "python", "-c", code, folder=tmp_path)
    assert place.startswith(f"{environment}/lib/")
    told = run(environment / "bin" / "referee", "doctor", "rulesets", folder=tmp_path)
    assert "StarWeb" in told or "starweb" in told
    assert "FAULT" not in told
    told = run(environment / "bin" / "referee", "demo", folder=tmp_path)
    assert told.endswith("/bin/referee play TUTORIAL starweb\n")
