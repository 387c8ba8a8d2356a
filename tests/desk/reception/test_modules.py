"""The way of an email with orders, from its arrival to its answer: the modules that it passes."""

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Final

import pytest

import referee
from referee.desk.reception import intake
from referee.plugins import installed_rulesets
from referee.testing.conversation import Conversation

ROOT: Final = Path(referee.__file__).parent
MOST: Final = 67
"""Without those of the ruleset, and those that only an email's first of a process passes."""
BEGUN: Final = """
=== it is 2026-09-01 12:00 UTC
=== gm@example.org writes

CREATE STARWEB SEATS 2 DEADLINE "5 days" OPTION introduced=yes
=== gm@example.org gets mail
=== frodo@shire.example writes

JOIN SW-1 FRODO AS Empire Builder
=== frodo@shire.example gets mail
=== sam@shire.example writes

JOIN SW-1 SAM AS Empire Builder
=== sam@shire.example gets mail
=== frodo@shire.example gets mail
=== gm@example.org gets mail
"""
ANSWERED: Final = "\n=== frodo@shire.example gets\nSubject: 1 order accepted"


def test_a_letter_with_orders_passes_few_modules(monkeypatch: pytest.MonkeyPatch) -> None:
    passed = set[str]()

    def note(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call":
            passed.add(frame.f_code.co_filename)

    def noting(work: Callable[..., object]) -> Callable[..., object]:
        def noted(*arguments: object) -> object:
            sys.setprofile(note)
            try:
                return work(*arguments)
            finally:
                sys.setprofile(None)

        return noted

    conversation = Conversation(installed_rulesets())
    conversation.run(BEGUN)
    conversation.run(f"=== frodo@shire.example replies\nENDING 4000{ANSWERED}")
    for name in ("accept", "open_letter", "read_letters"):
        monkeypatch.setattr(intake, name, noting(getattr(intake, name)))
    conversation.run(f"=== frodo@shire.example replies\nENDING 5000{ANSWERED}")
    conversation.close()
    files = {Path(file).relative_to(ROOT) for file in passed if file.startswith(str(ROOT))}
    read = sorted(str(file) for file in files if file.parts[0] not in ("rulesets", "testing"))
    assert "desk/reception/reading.py" in read
    assert len(read) <= MOST, read
