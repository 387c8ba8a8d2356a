"""Packages of other authors, as if installed by pip."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

TOY = """
from dataclasses import replace
from referee.rules.extras import Extras
from referee.rules.ruleset import Grammar, NameRule, Ruleset, RulesetInfo

NAMES = NameRule("[A-Z]+", "capitals", stock=("A", "B", "C", "D"))
INFO = RulesetInfo("toy", "TY", "Toy", "1", 1, 2, 4, (), (), NAMES)
SOURCE = 'order: throw\\nthrow: "ROCK"\\n'


class Toy:
    info = INFO
    state_type = int


for name, member in vars(Ruleset).items():
    if callable(member) and not name.startswith("_"):
        setattr(Toy, name, member)
Toy.grammar = lambda self, phase: Grammar(SOURCE, {"throw": str})
RULESET = Toy()
"""
"""The source of a ruleset that does nothing, without a fault that is found at the start."""


def toy(**changes: object) -> str:
    """Return the source of the toy with another info."""
    return f"{TOY}Toy.info = replace(INFO, **{changes!r})\n"


def with_rulebook(place: str) -> str:
    """Return the source of the toy with a rulebook."""
    return f"{TOY}Toy.extras = Extras(rulebook={place!r})\n"


def with_grammar(source: str) -> str:
    """Return the source of the toy with another grammar."""
    return f"{TOY}SOURCE = {source!r}\n"


@dataclass(frozen=True, slots=True)
class Outsiders:
    """The folder in which packages are installed, on Python's path."""

    folder: Path
    monkeypatch: pytest.MonkeyPatch

    def install(
        self, name: str, source: str, points: str = "", files: Mapping[str, str] | None = None
    ) -> None:
        """Install the package *name*, version 1.0, whose ``__init__.py`` is *source*.

        *points* are its entry points; by default the ruleset ``toy``. *files* are more files of the
        package.
        """
        package = self.folder / name
        package.mkdir()
        (package / "__init__.py").write_text(source)
        for path, content in (files or {}).items():
            (package / path).write_text(content)
        about = self.folder / f"{name}-1.0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        points = points or f"[referee.rulesets]\ntoy = {name}:RULESET\n"
        (about / "entry_points.txt").write_text(points)
        self.monkeypatch.syspath_prepend(self.folder)
        self.forget(name)

    def forget(self, name: str) -> None:
        """Remove the package from the imported modules."""
        self.monkeypatch.delitem(sys.modules, name, raising=False)
