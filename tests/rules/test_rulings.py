"""Rulings have their reasons as sentences."""

from referee.rules.ruleset import Ruling, RulingKind
from referee.rules.rulings import accepted, rejected, warned


def test_reasons_are_written_as_sentences() -> None:
    assert warned("F5 may not arrive") == Ruling(RulingKind.WARNED, "F5 may not arrive.")
    assert rejected("you have no ship S3") == Ruling(RulingKind.REJECTED, "You have no ship S3.")
    assert accepted() == Ruling(RulingKind.ACCEPTED)
