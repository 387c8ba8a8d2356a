"""Query plans: no frequent query reads a growing table as a whole."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, event

from referee.plugins import installed_rulesets
from referee.store import Store
from referee.testing.conversation import Conversation
from tests.support.databases import Databases

FOLDER = Path(__file__).parents[1] / "conversations"
SMALL = {
    *("heartbeats", "mailbox_cursors", "intake_leases", "alembic_version"),
    *("sqlite_schema", "sqlite_master"),
}
"""Tables with one row for each daemon and mailbox, or for each table."""
SELDOM = {
    "games.name LIKE": "once for each game that is created",
    "UPDATE agenda SET at": "once, when the referee starts",
    "games.stalls >": "once a day, for the operator's digest",
    "UPDATE people SET fingerprint": "once a day, when the mail is kept no longer",
    "GROUP BY games.status": "once a day, for the operator's digest",
    "GROUP BY inbox.state": "once a day, for the operator's digest",
    "GROUP BY outbox.state": "once a day, for the operator's digest",
    "turns.resolved_at >": "once a day, for the operator's digest",
}
"""Tables that can be read as a whole, by words in the query, with the reason."""
TALKS = (
    *("standby", "deputy", "vote_draw", "observers"),
    *(pytest.param(talk, marks=pytest.mark.release) for talk in ("own_reminders", "press")),
)
"""Each has queries that those before do not have, the last ones a few."""

Asked = dict[str, Any]
"""The queries, each with its first values."""


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.live)])
def store(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """Return an empty store for the next conversation."""
    if request.param == "postgresql":
        databases: Databases = request.getfixturevalue("databases")
        made = databases.store()
    else:
        made = Store("sqlite://")
    monkeypatch.setattr(Conversation, "new_store", staticmethod(lambda: made))
    yield made
    made.close()


@pytest.mark.slow
@pytest.mark.every_case
@pytest.mark.parametrize("talk", TALKS)
def test_every_query_of_a_conversation_has_an_index(store: Store, talk: str) -> None:
    asked = _listened(store)
    with closing(Conversation(installed_rulesets())) as conversation:
        conversation.run((FOLDER / f"{talk}.txt").read_text(encoding="utf-8"))
        assert len(asked) > 50
        explain = _of_sqlite if store.kind == "sqlite" else _of_postgresql
        with store.write() as session:
            slow = [
                f"{table}: {question}"
                for question, values in asked.items()
                if not any(words in question for words in SELDOM)
                for table in explain(session.connection(), question, values)
                if table not in SMALL
            ]
    assert slow == []


def _listened(store: Store) -> Asked:
    """Return the queries that the store is asked from now on, but for those of migrations."""
    store.migrate()
    asked: Asked = {}

    def hear(
        _connection: object, _cursor: object, question: str, values: Any, _context: object, _: bool
    ) -> None:
        if question.split()[0] in ("SELECT", "UPDATE", "DELETE"):
            # For a statement with many sets of values, the first set is enough.
            asked.setdefault(question, values[0] if isinstance(values, list) else values)

    event.listen(store._engine, "before_cursor_execute", hear)
    return asked


def _of_sqlite(connection: Connection, question: str, values: Any) -> Iterator[str]:
    """Return the tables that SQLite would read as a whole."""
    plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {question}", values)
    for *_, step in plan:
        words = step.split()
        if words[0] == "SCAN" and words[1] != "CONSTANT" and not words[1].startswith("("):
            yield words[1]


def _of_postgresql(connection: Connection, question: str, values: Any) -> Iterator[str]:
    """Return the tables that PostgreSQL would read as a whole even if it tries not to."""
    connection.exec_driver_sql("SET LOCAL enable_seqscan = off")
    plan = connection.exec_driver_sql(f"EXPLAIN (FORMAT JSON) {question}", values).scalar()
    found = plan if isinstance(plan, list) else json.loads(str(plan))
    yield from _read_whole(found[0]["Plan"], is_cut=False)


def _read_whole(step: dict[str, Any], *, is_cut: bool) -> Iterator[str]:
    kind, is_cut = step["Node Type"], is_cut or step["Node Type"] == "Limit"
    unbounded = kind.startswith("Index") and "Index Cond" not in step and not is_cut
    if "Relation Name" in step and (kind == "Seq Scan" or unbounded):
        yield step["Relation Name"]
    for below in step.get("Plans", ()):
        yield from _read_whole(below, is_cut=is_cut)
