"""A rejected line points to HELP on its kind of order, in the words of each game."""

import pytest

from referee.desk.players.order_help import page, pointed, shown_topic
from referee.letters.outgoing.notices import LineError
from tests.desk.players.test_help import table


@pytest.mark.parametrize(
    ("key", "lines", "topics"),
    [
        ("starweb", ["F6W99", "F9W98", "W7BX", "ENDING 7 8"], ["F6W99", "F9W98", "W7BX", "ENDING"]),
        ("starweb", ["XYZ1", "hello", "MOVE 6 to 9"], ["ORDERS", "ORDERS", "MOVE"]),
        (
            "star_empires",
            ["BUILD Sol 2 x", "BIULD Sol 2 x", "MOVE p1 TO"],
            ["BUILD", "BUILD", "MOVE"],
        ),
        ("fistful", ["W1B1C", "F1X9", "FAR1R", "BUILD 2"], ["W1B1C", "ORDERS", "FAR1R", "BUILD"]),
        ("singularity", ["W1B9C", "S17W9=", "S17W2="], ["W1B9C", "S17W9=", "S17W2="]),
        ("starfarers", ["S1E7", "S2E1", "H7BX"], ["S1E7", "S2E1", "H7BX"]),
    ],
)
def test_every_rejected_line_has_a_topic(key: str, lines: list[str], topics: list[str]) -> None:
    faults = [LineError(number, text, "No.") for number, text in enumerate(lines, 1)]
    assert [fault.topic for fault in pointed(table(key), faults)] == topics
    assert all(page(table(key), topic) for topic in topics if topic != "ORDERS")


def test_a_line_far_below_others_or_too_long_points_to_all_orders() -> None:
    faults = [LineError(number, f"F6W{number}", "No.") for number in range(1, 50)]
    topics = [fault.topic for fault in pointed(table("starweb"), faults)]
    assert topics == [*(f"F6W{number}" for number in range(1, 31)), *["ORDERS"] * 19]
    long = LineError(1, "F6W99" + "W99" * 20, "No.")
    assert [fault.topic for fault in pointed(table("starweb"), [long])] == ["ORDERS"]


def test_a_remark_has_no_topic() -> None:
    remark = LineError(1, "F6W99 is nice", "This is not an order.", is_words=True)
    assert pointed(table("starweb"), [remark]) == (remark,)


@pytest.mark.parametrize(
    ("key", "word", "first", "entries"),
    [
        ("starweb", "build", "W75B10I, W75B2P: build ships as I-Ships, as P-Ships", 5),
        ("starweb", "MOVE", "F3W75, F119W5W18, F8W2W3W4: move through one, two or three gates", 1),
        ("fistful", "Build", "build a cruiser and a transport in fleet A\n    W12B1C1TFA", 2),
        ("singularity", "FIRE", "fire at these players first, or at these types", 2),
        ("starfarers", "JUMP", "jump to the node at hex 40, to player 2's mothership", 1),
        ("starfarers", "build", "a trade port, colony or spaceport on hex 14", 5),
        ("star_empires", "build", "", 1),
    ],
)
def test_an_order_that_is_a_code_is_found_by_the_english_word_for_it(
    key: str, word: str, first: str, entries: int
) -> None:
    text = page(table(key), word)
    assert text.startswith(first), text
    assert text.count("\n\n") + 1 == entries, text
    assert shown_topic(table(key), word) == word.lower()


@pytest.mark.parametrize("word", ["with", "the", "nonsense", "through one", "order"])
def test_other_words_of_explanations_are_no_topic(word: str) -> None:
    assert page(table("starweb"), word) == ""
