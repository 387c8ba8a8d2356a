"""``python -m deploy.release.completion FOLDER`` writes the completion files for three shells."""

import sys
from pathlib import Path
from typing import Final

from click.shell_completion import get_completion_class

from referee.cli import main

PLACES: Final = {
    "bash": "bash-completion/completions/referee",
    "zsh": "zsh/vendor-completions/_referee",
    "fish": "fish/vendor_completions.d/referee.fish",
}
"""Where Debian looks for them, below /usr/share, by the shell."""


def script(shell: str) -> str:
    """Return the completion for a shell; it asks the program for the words."""
    completion = get_completion_class(shell)
    assert completion is not None
    return completion(main, {}, "referee", "_REFEREE_COMPLETE").source()


def write(folder: Path) -> None:
    """Write the completion for each shell below *folder*."""
    for shell, place in PLACES.items():
        file = folder / place
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(script(shell).lstrip(), encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
