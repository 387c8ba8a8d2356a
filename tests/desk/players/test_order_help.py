"""A rejected line points to HELP on its kind of order, in the words of each game."""

import pytest

from referee.desk.players.order_help import page, pointed
from referee.letters.outgoing.notices import LineError
from tests.desk.players.test_help_topics import table


@pytest.mark.parametrize(
    ("key", "lines", "topics"),
    [
        ("starweb", ["F6W99", "F9W98", "W7BX", "ENDING 7 8"], ["F6W99", "", "W7BX", "ENDING"]),
        ("starweb", ["XYZ1", "hello"], ["", ""]),
        ("star_empires", ["BUILD Sol 2 x", "BIULD Sol 2 x", "MOVE p1 TO"], ["BUILD", "", "MOVE"]),
        ("fistful", ["W1B1C", "W2B9SFA", "FAR1R"], ["W1B1C", "", "FAR1R"]),
        ("singularity", ["W1B9C", "S17W9=", "S17W2="], ["W1B9C", "S17W9=", ""]),
        ("starfarers", ["S1E7", "S2E1", "H7BX"], ["S1E7", "", "H7BX"]),
    ],
)
def test_the_first_line_of_each_kind_has_a_topic(
    key: str, lines: list[str], topics: list[str]
) -> None:
    faults = [LineError(number, text, "No.") for number, text in enumerate(lines, 1)]
    assert [fault.topic for fault in pointed(table(key), faults)] == topics
    assert all(page(table(key), topic) for topic in topics if topic)


def test_a_remark_has_no_topic() -> None:
    remark = LineError(1, "F6W99 is nice", "This is not an order.", is_remark=True)
    assert pointed(table("starweb"), [remark]) == (remark,)
