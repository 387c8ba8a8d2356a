"""A hook of the build: a wheel or an sdist that is built in a checkout knows its commit."""

import subprocess
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_PLACE = "referee/_data/commit"
_DESCRIBE = ("git", "describe", "--always", "--abbrev=12", "--exclude=*", "--dirty")


class CommitHook(BuildHookInterface[Any]):
    """Adds the commit as a file, which ``referee --version`` shows."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the file; an sdist has it already, and an editable install asks git itself."""
        root = Path(self.root)
        if version == "editable" or not (root / ".git").exists():
            return
        told = subprocess.run(  # noqa: S603 - fixed words
            _DESCRIBE,
            cwd=root,
            capture_output=True,
            text=True,
            check=False,
        )
        if told.returncode == 0:
            self._folder = tempfile.TemporaryDirectory()
            file = Path(self._folder.name) / "commit"
            file.write_text(told.stdout, encoding="ascii")
            build_data["force_include"][str(file)] = _PLACE

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the temporary file."""
        if hasattr(self, "_folder"):
            self._folder.cleanup()
