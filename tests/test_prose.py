"""Our prose is plain English: code, templates, docs and the letters themselves."""

from pathlib import Path

import pytest

from tests.letters.notices import GOLDEN
from tests.support.prose import faults, letter_faults

ROOT = Path(__file__).parents[1]
KINDS = ("*.py", "*.md", "*.j2", "*.lark")
FOLDERS = ("deploy", "docs", "grammars", "mailtemplates", "migrations", "referee", "tests")
FILES = sorted(
    file
    for place in (
        ROOT.glob("*.md"),
        *((ROOT / each).rglob(kind) for each in FOLDERS for kind in KINDS),
    )
    for file in place
)


@pytest.mark.slow
@pytest.mark.parametrize("file", [str(file.relative_to(ROOT)) for file in FILES])
def test_prose_is_plain(file: str) -> None:
    assert list(faults(ROOT / file)) == []


@pytest.mark.parametrize("name", sorted(file.stem for file in GOLDEN.glob("*.txt")))
def test_a_letter_has_the_form_of_letters(name: str) -> None:
    head, _, text = (GOLDEN / f"{name}.txt").read_text(encoding="utf-8").partition("\n\n")
    assert list(letter_faults(head.removeprefix("Subject: "), text)) == []
