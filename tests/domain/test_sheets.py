"""What a new letter makes of the sheet on file."""

import pytest

from referee.domain.sheets import Filing, Revision, revise


@pytest.mark.parametrize(
    ("new", "cancelled", "filing", "expected"),
    [
        (("C",), (), Filing.REPLACE, Revision(("C",))),
        ((), (), Filing.REPLACE, Revision(())),
        (("C",), (), Filing.ADD, Revision(("A", "B", "A", "C"))),
        ((), ("A",), Filing.REPLACE, Revision(("B", "A"))),
        (("C",), ("A",), Filing.ADD, Revision(("B", "A", "C"))),
        ((), ("D",), Filing.REPLACE, Revision(("A", "B", "A"), ("D",))),
        (("C",), ("A",), Filing.REPLACE, Revision(("C",), ("A",))),
    ],
)
def test_a_letter_revises_the_sheet(
    new: tuple[str, ...], cancelled: tuple[str, ...], filing: Filing, expected: Revision
) -> None:
    assert revise(("A", "B", "A"), new, cancelled, filing) == expected
