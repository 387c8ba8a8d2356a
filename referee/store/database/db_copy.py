"""A whole database copied into an empty one of another kind, and compared row by row."""

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
from referee.store.database import schema
from referee.store.database.base import Base

_BATCH: Final = 200
_DIGEST_BITS: Final = 256


@dataclass(frozen=True, slots=True)
class Moved:
    """A table that was copied: how many rows, and the digest that both copies have."""

    table: str
    rows: int
    digest: str


def copy(source: Engine, target: Engine, tell: Callable[[Moved], None]) -> Sequence[Moved]:
    """Copy every row of *source* into *target*, which has no tables, in one transaction.

    Nobody writes in the source meanwhile. Each table is read back and compared, by the number of
    its rows and a digest of all they hold, and *tell* hears of it; numbers given later go on where
    the old ones ended. Raises ResourceError when the target is not empty, and StoreError when a
    table did not arrive as it was; then nothing is left in the target.
    """
    writing = source.execution_options(referee_writes=True)
    with writing.begin() as old, target.begin() as new:
        _refuse_unknown(old)
        refuse_tables(new)
        schema.upgrade_within(new)
        moved = [_copy(old, new, table, tell) for table in Base.metadata.sorted_tables]
        go_on_counting(new, given(old))
        return moved


def _refuse_unknown(source: Connection) -> None:
    """Raise StoreError for a table that nobody would copy."""
    known = {table.name for table in Base.metadata.sorted_tables} | {"alembic_version"}
    if unknown := set(inspect(source).get_table_names()) - known:
        what = f"the database has tables that are not ours: {', '.join(sorted(unknown))}"
        raise StoreError(Finding(what, "move them elsewhere first; nothing was moved"))


def refuse_tables(target: Connection) -> None:
    """Raise ResourceError when the database has tables."""
    if names := inspect(target).get_table_names():
        remedy = "make another database, which nobody has used"
        what = f"the database that is to be moved to is not empty: it has {len(names)} tables"
        raise ResourceError(Finding(what, remedy, "table", sorted(names)[0]))


def go_on_counting(target: Connection, highest: Mapping[str, int]) -> None:
    """Let PostgreSQL number the next row of each table after the *highest* number given."""
    words = text("SELECT setval(pg_get_serial_sequence(:name, 'id'), :last, :used)")
    for name, last in highest.items():
        # Where nothing was numbered yet, the next one is number 1.
        target.execute(words, {"name": name, "last": max(last, 1), "used": last > 0})


def given(source: Connection) -> Mapping[str, int]:
    """Return the highest number that a row of each numbered table has or had."""
    highest = {
        table.name: source.scalar(select(func.max(table.c.id))) or 0
        for table in Base.metadata.sorted_tables
        if "id" in table.c
    }
    if inspect(source).has_table("sqlite_sequence"):
        # Of some tables SQLite remembers numbers whose rows are gone: tokens may still name them.
        for name, last in source.execute(text("SELECT name, seq FROM sqlite_sequence")):
            highest[name] = max(highest.get(name, 0), last)
    return highest


def _copy(old: Connection, new: Connection, table: Table, tell: Callable[[Moved], None]) -> Moved:
    try:
        for rows in _batches(old, table):
            new.execute(insert(table), [dict(row) for row in rows])
    except DataError as error:
        # Its own words would show the row.
        what = f"a row of the table {table.name} does not fit: {str(error.orig).strip()}"
        raise StoreError(f"{what}; nothing was moved") from error
    before, after = _sum(old, table), _sum(new, table)
    if before != after:
        raise StoreError(
            f"the table {table.name} did not arrive as it was: {before.rows} rows with the "
            f"digest {before.digest}, and {after.rows} with {after.digest}; nothing was moved"
        )
    tell(after)
    return after


def _sum(connection: Connection, table: Table) -> Moved:
    """Count the rows of a table and sum up their SHA-256s, in whatever sequence they come."""
    count = total = 0
    for rows in _batches(connection, table):
        for row in rows:
            octets = hashlib.sha256(_spelled(row)).digest()
            total = (total + int.from_bytes(octets)) % 2**_DIGEST_BITS
            count += 1
    return Moved(table.name, count, f"{total:064x}")


def _batches(connection: Connection, table: Table) -> Iterator[Sequence[Mapping[Any, Any]]]:
    # A row that names another one of its own table comes after it.
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
