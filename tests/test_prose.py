"""Our prose is plain English: code, templates, docs and the letters themselves."""

import ast
from itertools import groupby
from pathlib import Path

import pytest

from tests.letters.notices import GOLDEN
from tests.support.modules import trees
from tests.support.prose import faults, letter_faults, nameless

ROOT = Path(__file__).parents[1]
KINDS = ("*.py", "*.md", "*.j2", "*.lark", "*.toml", "*.html", "*.js")
FOLDERS = (
    "deploy",
    "docs",
    "grammars",
    "mailtemplates",
    "migrations",
    "referee",
    "tests",
)
FILES = sorted(
    (
        file
        for place in (
            ROOT.glob("*.md"),
            [ROOT / "pyproject.toml", ROOT / "Makefile", ROOT / ".ci" / "run"],
            (each for each in (ROOT / "deploy").iterdir() if each.is_file()),
            (ROOT / "tests" / "conversations").glob("*.txt"),
            *((ROOT / each).rglob(kind) for each in FOLDERS for kind in KINDS),
        )
        for file in place
    ),
    key=lambda file: (file.parent, file.name),
)
BY_FOLDER = {folder: [*files] for folder, files in groupby(FILES, lambda file: file.parent)}


@pytest.mark.parametrize("folder", BY_FOLDER, ids=lambda folder: str(folder.relative_to(ROOT)))
def test_prose_is_plain(folder: Path) -> None:
    found = [f"{file.name}:{fault}" for file in BY_FOLDER[folder] for fault in faults(file)]
    assert found == []


@pytest.mark.slow
def test_docstrings_name_their_things() -> None:
    assert [f"{file}:{fault}" for file, tree in trees() for fault in nameless(tree)] == []


def test_letters_have_the_form_of_letters() -> None:
    for file in sorted(GOLDEN.glob("*.txt")):
        head, _, text = file.read_text(encoding="utf-8").partition("\n\n")
        assert (file, list(letter_faults(head.removeprefix("Subject: "), text))) == (file, [])


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        ("a.txt", "=== sam gets\n# Who is told", "2: who as subject: Who i"),  # voice: ok
        ("a.txt", "# Let it go.", "1: first word: Let it go."),  # voice: ok
        ("a.toml", 'given = "He"\nname = "who waits"', "2: who as subject: Who w"),  # voice: ok
        ("a.toml", 'names = [\n  "he",  # his name\n]', "2: pronoun: His n"),  # voice: ok
        ("test_a.py", "def test_his_token_is_dead():\n    pass", "1: pronoun: His t"),  # voice: ok
    ],
)
def test_prose_is_found(tmp_path: Path, name: str, text: str, fault: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    first, *_ = faults(tmp_path / name)
    assert first.startswith(fault)


@pytest.mark.parametrize(
    ("docstring", "is_nameless"),
    [
        ("What an order means.", True),
        ("Which seats are free.", True),
        ("It is free.", True),
        ("Return what an order means.", True),
        ("Whether it is free.", True),
        ("Return whether that is free.", True),
        ("Return that a seat is free.", True),
        ("Return the orders, and what they mean.", False),
        ("Items of a sheet.", False),
    ],
)
def test_a_nameless_docstring_is_found(docstring: str, *, is_nameless: bool) -> None:
    tree = ast.parse(f'A = 1\n"""{docstring}"""\n')
    assert list(nameless(tree)) == [f"2: nameless: {docstring}"] * is_nameless


def test_letter_text_is_not_prose_of_ours(tmp_path: Path) -> None:
    text = "=== sam writes\nWho said that he left?\n#4 tells whether\n## He asked"  # voice: ok
    (tmp_path / "a.txt").write_text(text, encoding="utf-8")
    assert list(faults(tmp_path / "a.txt")) == []
