"""The changes a letter makes to the sheet on file, line by line."""

import pytest

from referee.domain.sheets import Change, Draft, Entry


def typed(*lines: str) -> Draft:
    """Return a sheet with the orders A, B and A after the lines of a letter."""
    draft = Draft(("A", "B", "A"))
    for number, line in enumerate(lines, 1):
        word, _, text = line.partition(" ")
        match word:
            case "ADD":
                draft.add()
            case "CLEAR":
                draft.clear()
            case "CANCEL":
                draft.cancel(text)
            case _:
                draft.order(Entry(word, number))
    return draft


@pytest.mark.parametrize(
    ("lines", "texts", "change"),
    [
        ((), "A B A", Change.NONE),
        (("C", "D"), "C D", Change.REPLACED),
        (("ADD", "C"), "A B A C", Change.ADDED),
        (("C", "ADD", "D"), "C D", Change.REPLACED),
        (("CLEAR",), "", Change.REDUCED),
        (("CLEAR", "C"), "C", Change.REPLACED),
        (("C", "CLEAR"), "", Change.REDUCED),
        (("C", "CLEAR", "D"), "D", Change.REPLACED),
        (("ADD", "CLEAR", "C"), "C", Change.REPLACED),
        (("CANCEL A",), "B A", Change.REDUCED),
        (("CANCEL D",), "A B A", Change.NONE),
        (("CANCEL A", "C"), "B A C", Change.ADDED),
        (("CANCEL D", "C"), "A B A C", Change.ADDED),
        (("C", "D", "CANCEL C", "E"), "D E", Change.REPLACED),
        (("C", "CANCEL A"), "C", Change.REPLACED),
        (("ADD", "A", "CANCEL A", "C"), "B A A C", Change.ADDED),
    ],
)
def test_later_lines_apply_to_the_result_of_earlier_ones(
    lines: tuple[str, ...], texts: str, change: Change
) -> None:
    draft = typed(*lines)
    assert (draft.texts, draft.change) == (texts.split(), change)


def test_an_order_keeps_its_line() -> None:
    assert typed("CANCEL B", "C").entries == [Entry("A"), Entry("A"), Entry("C", 2)]


def test_a_change_that_is_not_possible_is_reported() -> None:
    draft = typed("C")
    assert not draft.add()
    assert not draft.cancel("B")
    assert draft.clear() == 1


def test_lost_orders_are_those_on_file_that_are_no_longer_on_the_sheet() -> None:
    draft = Draft(["A", "A", "B", "C"])
    assert draft.lost == 0
    draft.cancel("A")
    assert draft.lost == 1
    draft.clear()
    assert draft.lost == 4
    for text in ("B", "A", "D"):
        draft.order(Entry(text, 1))
    assert draft.lost == 2
