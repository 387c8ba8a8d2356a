"""Copy of a whole database into an empty one of another kind, compared row by row."""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time
from enum import Enum
from typing import Any, Final

from sqlalchemy import Connection, Engine, Table, func, insert, inspect, select, text
from sqlalchemy.exc import DataError

from referee.errors import Finding, ResourceError, StoreError
from referee.store.database.base import Base

_BATCH: Final = 200
_DIGEST_BITS: Final = 256


@dataclass(frozen=True, slots=True)
class Moved:
    """A copied table with its row count and the digest of both copies."""

    table: str
    rows: int
    digest: str


def copy(source: Engine, target: Engine, tell: Callable[[Moved], None]) -> Sequence[Moved]:
    """Copy every row of *source* into the empty *target*, in one transaction.

    Nobody else can write to the source until it ends. Each table is read back, compared by row
    count and digest, and passed to *tell*. Later ids continue after the highest old one. Raises
    ResourceError if the target is not empty, and StoreError if a table differs after the copy; then
    nothing stays in the target.
    """
    # Few programs need Alembic, which takes long to import.
    from referee.store.database import migrating

    writing = source.execution_options(referee_writes=True)
    with writing.begin() as old, target.begin() as new:
        tables = migrating.all_tables().sorted_tables
        _refuse_unknown(old, tables)
        refuse_tables(new)
        migrating.upgrade_within(new)
        moved = [_copy(old, new, table, tell) for table in tables]
        go_on_counting(new, given(old))
        return moved


def _refuse_unknown(source: Connection, tables: Sequence[Table]) -> None:
    """Raise StoreError if there is a table that would not be copied."""
    known = {table.name for table in tables} | {"alembic_version"}
    if unknown := set(inspect(source).get_table_names()) - known:
        what = f"database: unknown tables: {', '.join(sorted(unknown))}"
        raise StoreError(Finding(what, "move them to another database first; nothing was copied"))


def refuse_tables(target: Connection) -> None:
    """Raise ResourceError if the database has tables."""
    if names := inspect(target).get_table_names():
        remedy = "create a new, empty database and use that one"
        what = f"new database: not empty, it has {len(names)} tables"
        raise ResourceError(Finding(what, remedy, "table", sorted(names)[0]))


def go_on_counting(target: Connection, highest: Mapping[str, int]) -> None:
    """Make PostgreSQL number the next row of each table after the *highest* id so far."""
    words = text("SELECT setval(pg_get_serial_sequence(:name, 'id'), :last, :used)")
    for name, last in highest.items():
        # A sequence that was never used starts at 1.
        target.execute(words, {"name": name, "last": max(last, 1), "used": last > 0})


def given(source: Connection) -> Mapping[str, int]:
    """Return the highest id that a row of each numbered table has or had."""
    highest = {
        table.name: source.scalar(select(func.max(table.c.id))) or 0
        for table in Base.metadata.sorted_tables
        if "id" in table.c
    }
    if inspect(source).has_table("sqlite_sequence"):
        # SQLite remembers the ids of deleted rows for some tables, because tokens can still name
        # them.
        for name, last in source.execute(text("SELECT name, seq FROM sqlite_sequence")):
            highest[name] = max(highest.get(name, 0), last)
    return highest


def _copy(old: Connection, new: Connection, table: Table, tell: Callable[[Moved], None]) -> Moved:
    try:
        for rows in _batches(old, table):
            new.execute(insert(table), [dict(row) for row in rows])
    except DataError as error:
        # The database's own message would show the row.
        what = f"table {table.name}: a row does not fit: {str(error.orig).strip()}"
        raise StoreError(f"{what}; nothing was copied") from error
    before, after = _sum(old, table), _sum(new, table)
    if before != after:
        raise StoreError(
            f"table {table.name}: the copy differs: {before.rows} rows with "
            f"digest {before.digest}, but {after.rows} with {after.digest}; nothing was copied"
        )
    tell(after)
    return after


def _sum(connection: Connection, table: Table) -> Moved:
    """Return the row count of a table and the sum of its rows' SHA-256s, in any row order."""
    count = total = 0
    for rows in _batches(connection, table):
        for row in rows:
            octets = hashlib.sha256(_spelled(row)).digest()
            total = (total + int.from_bytes(octets)) % 2**_DIGEST_BITS
            count += 1
    return Moved(table.name, count, f"{total:064x}")


def _batches(connection: Connection, table: Table) -> Iterator[Sequence[Mapping[Any, Any]]]:
    # A row that refers to another row of its table has a higher id, so copy in order of ids.
    query = select(table).order_by(*table.primary_key.columns)
    streamed = connection.execute(query.execution_options(yield_per=_BATCH))
    return iter(streamed.mappings().partitions(_BATCH))


def _spelled(row: Mapping[Any, Any]) -> bytes:
    named = {str(name): value for name, value in row.items()}
    return json.dumps(named, sort_keys=True, default=_plain).encode("utf-8", "surrogatepass")


def _plain(value: object) -> str | list[str]:
    if isinstance(value, bytes):
        return ["octets", value.hex()]
    if isinstance(value, Enum):
        return ["one of", str(value.value)]
    if isinstance(value, datetime | time):
        return ["moment", value.isoformat()]
    raise TypeError(f"a row holds a {type(value).__name__}")
