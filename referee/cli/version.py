"""``referee --version``: the version, and the commit that the program was made from."""

import subprocess
from importlib import metadata
from pathlib import Path
from typing import Final

_PACKAGE: Final = Path(__file__).parents[1]
_ROOT: Final = _PACKAGE.parent
_BUILT: Final = _PACKAGE / "_data" / "commit"
"""The file that a build from a checkout adds, see ``hatch_build.py``."""


def version_text() -> str:
    """Return the version, with the commit if it is known."""
    version = metadata.version("referee")
    known = commit()
    return f"referee {version} (commit {known})" if known else f"referee {version}"


def commit() -> str:
    """Return the commit of a build or a checkout, or "" if it is not known.

    In a checkout with changes it ends in "-dirty".
    """
    if _BUILT.exists():
        return _BUILT.read_text(encoding="ascii").strip()
    if not (_ROOT / ".git").exists():
        return ""
    command = ("git", "-C", str(_ROOT), "describe", "--always", "--abbrev=12", "--exclude=*")
    try:
        done = subprocess.run(  # noqa: S603 - fixed words and the folder of the program
            (*command, "--dirty"), capture_output=True, text=True, timeout=10, check=False
        )
    # Without git, or if it hangs, the version has to do.
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
