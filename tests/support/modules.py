"""The modules of the program as tests read them."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final
from unicodedata import normalize

ROOT: Final = Path(__file__).parents[2]
FILES: Final = tuple(sorted((ROOT / "referee").rglob("*.py")))


def trees(*words: str) -> Iterator[tuple[Path, ast.Module]]:
    """Yield the path in the project and the syntax tree of each module that has one of the words.

    Without words, yield all modules.
    """
    for file in FILES:
        # Python reads a name in other forms of its letters, too.
        read = normalize("NFKC", text(file))
        if not words or any(word in read for word in words):
            yield file.relative_to(ROOT), _tree(file)


@cache
def text(file: Path) -> str:
    """Return the text of a module, read once."""
    return file.read_text(encoding="utf-8")


@cache
def _tree(file: Path) -> ast.Module:
    return ast.parse(text(file))
