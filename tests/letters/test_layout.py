"""How a fault is set in a letter of 78 columns."""

from referee.letters.layout import fault
from referee.letters.notices import Fault


def test_a_fault_of_no_line_is_a_paragraph_of_its_own() -> None:
    reason = "On this server only certain addresses may create games. Ask the operator."
    assert fault(Fault(0, "", reason)).splitlines() == [
        "  On this server only certain addresses may create games. Ask the",
        "  operator.",
    ]
