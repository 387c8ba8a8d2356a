"""Statements that every letter needs, told SQLite without SQLAlchemy in between.

SQLAlchemy spells each of them once and knows how its values are stored; to carry one out it takes
several times as long as SQLite itself. Before PostgreSQL it stays: there the way to the server is
what takes time.
"""

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sqlalchemy import Connection, Dialect, Executable
from sqlalchemy.orm import Session
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.types import TypeEngine

Row = Sequence[Any]
_Conversion = Callable[[Any], Any]


class Prepared:
    """The statement that *draw* draws, of tables and not of objects, to be run again and again.

    It takes its values by the names of its parameters, or of the columns that it writes.
    """

    def __init__(self, draw: Callable[[], Executable]) -> None:
        self._draw = draw
        self._spelled: dict[tuple[str, ...], _Spelled] = {}

    def rows(self, session: Session, values: Mapping[str, Any]) -> Sequence[Row]:
        """Run it and give the rows of its answer; none where it answers nothing."""
        connection = _connection(session)
        if (driver := driver_of(connection)) is None:
            result = connection.execute(self._statement, values)
            return result.all() if result.returns_rows else ()
        spelled = self._spelling(connection, values)
        return spelled.read(driver.execute(spelled.text, spelled.bound(values)).fetchall())

    def first(self, session: Session, values: Mapping[str, Any]) -> Row | None:
        """Run it and give the first row of its answer, if there is one."""
        rows = self.rows(session, values)
        return rows[0] if rows else None

    def each(self, session: Session, rows: Sequence[Mapping[str, Any]]) -> None:
        """Run it, which answers nothing, with the values of each row; all have the same names."""
        connection = _connection(session)
        if (driver := driver_of(connection)) is None:
            connection.execute(self._statement, rows)
            return
        spelled = self._spelling(connection, rows[0])
        driver.executemany(spelled.text, [spelled.bound(values) for values in rows])

    @cached_property
    def _statement(self) -> Executable:
        return self._draw()

    def _spelling(self, connection: Connection, values: Mapping[str, Any]) -> "_Spelled":
        names = tuple(values)
        if names not in self._spelled:
            self._spelled[names] = _spell(self._statement, connection.dialect, names)
        return self._spelled[names]


def driver_of(connection: Connection) -> sqlite3.Connection | None:
    """Give SQLite's own connection; None where the database is another one."""
    driver = connection.connection.driver_connection
    return driver if isinstance(driver, sqlite3.Connection) else None


def _connection(session: Session) -> Connection:
    """Give the connection of the session's transaction, which knows what its objects are now."""
    session.flush()
    return session.connection()


@dataclass(frozen=True, slots=True)
class _Spelled:
    """A statement as SQLite takes it.

    *places* has for each question mark the name of its value, how that is stored, and what is
    stored where it has no value; *columns* has those of the answer that are not as they were
    written, and how they are read.
    """

    text: str
    places: Sequence[tuple[str, _Conversion, Any]]
    columns: Sequence[tuple[int, _Conversion]]

    def bound(self, values: Mapping[str, Any]) -> Row:
        """Give what stands for the question marks."""
        return [
            store(values[name]) if name in values else otherwise
            for name, store, otherwise in self.places
        ]

    def read(self, rows: Sequence[Row]) -> Sequence[Row]:
        """Give the rows of an answer as they were written."""
        if not self.columns:
            return rows
        found = [list(row) for row in rows]
        for row in found:
            for number, read in self.columns:
                row[number] = read(row[number])
        return found


def _spell(statement: Any, dialect: Dialect, names: Sequence[str]) -> _Spelled:
    compiled = statement.compile(dialect=dialect, column_keys=names)
    assert isinstance(compiled, SQLCompiler)
    # What cannot be spelled before the values are known is none of ours.
    assert not compiled.post_compile_params
    assert not compiled.literal_execute_params
    fixed = {name: bind.value for name, bind in compiled.binds.items() if not bind.required}
    for column in compiled.insert_prefetch:
        default: Any = column.default
        assert default.is_scalar
        fixed[column.key] = default.arg
    places = []
    for name in compiled.positiontup or ():
        store = _impl(compiled.binds[name].type, dialect).bind_processor(dialect) or _as_it_is
        places.append((name, store, None if name in names else store(fixed[name])))
    columns = []
    for number, column in enumerate(statement.exported_columns):
        if (read := _impl(column.type, dialect).result_processor(dialect, None)) is not None:
            columns.append((number, read))
    return _Spelled(str(compiled), places, columns)


def _impl(kind: TypeEngine[Any], dialect: Dialect) -> TypeEngine[Any]:
    return kind.dialect_impl(dialect)


def _as_it_is(value: Any) -> Any:
    return value
