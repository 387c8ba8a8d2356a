"""The wording of remarks, numbers, lists and rulings."""

from collections.abc import Iterable

import pytest

from referee.rules.ruleset import Ruling, RulingKind
from referee.rules.wording import accepted, counted, listed, rejected, sentence, warned


@pytest.mark.parametrize("remark", ["w99 is not yours", "W99 is not yours."])
def test_a_remark_is_written_as_a_sentence(remark: str) -> None:
    assert sentence(remark) == "W99 is not yours."


@pytest.mark.parametrize("mark", ["?", "!"])
def test_a_remark_keeps_the_mark_at_its_end(mark: str) -> None:
    assert sentence(f"did you mean W9{mark}") == f"Did you mean W9{mark}"


@pytest.mark.parametrize(
    ("number", "words"), [(0, "0 ships"), (1, "1 ship"), (2, "2 ships"), (21, "21 ships")]
)
def test_one_thing_is_counted_in_the_singular(number: int, words: str) -> None:
    assert counted(number, "ship") == words


@pytest.mark.parametrize(
    ("parts", "words"), [([], "none"), (["a"], "a"), (["a", "b"], "a and b"), ("abc", "a, b and c")]
)
def test_parts_are_listed_as_one_reads_them_out(parts: Iterable[str], words: str) -> None:
    assert listed(iter(parts), "none") == words


def test_reasons_are_written_as_sentences() -> None:
    assert warned("F5 may not arrive") == Ruling(RulingKind.WARNED, "F5 may not arrive.")
    assert rejected("you have no ship S3") == Ruling(RulingKind.REJECTED, "You have no ship S3.")
    assert accepted() == Ruling(RulingKind.ACCEPTED)
