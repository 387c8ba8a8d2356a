"""The register of moments: complete, read by the loop and the outages, printed for operators."""

from typing import Final

from referee.daemon.loop import STEPS
from referee.domain.moments import RECORDS, REGISTER, UNTRUSTED, AfterGap, that
from referee.store.database.base import Base, Utc
from referee.store.games.postponements import DEADLINE, MOVABLE, OUTAGE
from tests.support.pages import read_page, rows, section

COLUMNS: Final = {
    f"{table.name}.{column.name}"
    for table in Base.metadata.sorted_tables
    for column in table.columns
    if isinstance(column.type, Utc)
}
ELSEWHERE: Final = {
    "outbox.due_at",
    "absences.ends_at",
    "press.wanted_at",
    "heartbeats.behind_at",
    UNTRUSTED,
    *(name for name in REGISTER if name.endswith(".lease_until")),
}
"""The moments that no step of the loop looks at: sending, claims, and what others follow."""


def test_every_column_with_a_moment_is_in_the_register_or_records_the_past() -> None:
    assert set(REGISTER) | RECORDS == COLUMNS
    assert set(REGISTER) & RECORDS == set()


def test_every_moment_of_the_register_is_looked_at_by_a_step() -> None:
    assert {name for step in STEPS for name in step.moments} == set(REGISTER) - ELSEWHERE


def test_what_gets_lost_time_back_is_moved() -> None:
    assert {*MOVABLE, DEADLINE, OUTAGE} == that(AfterGap.MOVES)
    assert all(
        name == f"{each.model.__tablename__}.{each.column}" for name, each in MOVABLE.items()
    )


def test_what_nobody_can_undo_waits_for_a_trusted_time() -> None:
    waits = that(AfterGap.MOVES) | that(AfterGap.WAITS) | that(AfterGap.AGAIN)
    assert {name for name, each in REGISTER.items() if each.undoes == "nothing"} - waits == {
        "outbox.due_at"
    }


def test_the_guide_for_operators_has_the_register() -> None:
    assert rows(section(read_page("docs/operators.md"), "Moments")) == [
        [f"`{name}`", each.sets, each.does, each.undoes, each.after.value, each.told]
        for name, each in REGISTER.items()
    ]
