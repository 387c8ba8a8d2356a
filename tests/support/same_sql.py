"""Tests whose SQL others have, so that a run on PostgreSQL need not repeat them.

With TEST_SQL=FILE, a run on SQLite adds the SQL of each test to the file, and a run on PostgreSQL
has only the fewest of these tests that together have all of that SQL.
"""

import json
import os
import re
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, Engine, event

FILE: Final = os.environ.get("TEST_SQL", "")
"""Where the SQL of the tests is, or "" if each test is run."""
_ROWS: Final = re.compile("SELECT|INSERT|UPDATE|DELETE|WITH")
_COLUMNS: Final = re.compile(
    r"(UPDATE \w+|INSERT INTO \w+) (?:SET (.*?) (WHERE .*)|\((.*?)\) (.*))", re.S
)
_VALUES: Final = re.compile(r"\(\?(?:, \?)*\)(?:, \(\?(?:, \?)*\))*")


def parts(statement: str) -> tuple[str, ...]:
    """Return the parts that a database may not know from others: the form, or each column set."""
    changing = _COLUMNS.match(statement)
    if changing is None:
        return (_VALUES.sub("(?)", statement),) if _ROWS.match(statement) else ()
    table, columns, condition, inserted, end = changing.groups()
    each = (columns or inserted).split(", ")
    form = _VALUES.sub("(?)", condition or end)
    return (f"{table} {form}", *(f"{table} {column}" for column in each))


@cache
def _hashes(statement: str) -> Collection[str]:
    # A test has up to a thousand parts, some of them long.
    return [blake2b(part.encode(), digest_size=6).hexdigest() for part in parts(statement)]


@contextmanager
def noted(test: str) -> Iterator[None]:
    """Add a test to the file, with the seconds and the SQL of the block."""
    heard = set[str]()

    def hear(connection: Connection, _cursor: Any, statement: str, *_rest: Any) -> None:
        if connection.dialect.name == "sqlite":
            heard.add(statement)

    event.listen(Engine, "before_cursor_execute", hear)
    begun = time.process_time()
    yield
    event.remove(Engine, "before_cursor_execute", hear)
    known = sorted({part for each in heard for part in _hashes(each)})
    # A single write of each worker goes to the end of the file as a whole.
    with Path(FILE).open("ab", buffering=0) as file:
        file.write(json.dumps([test, time.process_time() - begun, known]).encode() + b"\n")


def enough() -> frozenset[str]:
    """Return the fewest of the tests in the file that have all the SQL in it."""
    lines = map(json.loads, Path(FILE).read_text(encoding="utf-8").splitlines())
    return frozenset(fewest({test: (took, frozenset(sql)) for test, took, sql in lines}))


def fewest(known: Mapping[str, tuple[float, frozenset[str]]]) -> list[str]:
    """Return tests that have all parts, each with the most new ones for its seconds."""
    left = set[str]().union(*(sql for _, sql in known.values()))
    rest, chosen = {**known}, list[str]()
    while left:
        best = max(rest, key=lambda name: len(rest[name][1] & left) / (rest[name][0] + 0.05))
        left -= rest[best][1]
        rest = {name: each for name, each in rest.items() if not left.isdisjoint(each[1])}
        chosen.append(best)
    # What the first ones had, later ones can have, too.
    for name in sorted(chosen, key=lambda name: -known[name][0]):
        others = set[str]().union(*(known[each][1] for each in chosen if each != name))
        if known[name][1] <= others:
            chosen.remove(name)
    return chosen
