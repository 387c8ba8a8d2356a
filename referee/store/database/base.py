"""Base classes of all rows: names, enums, claims and bundles."""

import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from functools import cache
from typing import Any, ClassVar, Final

from sqlalchemy import (
    JSON,
    DateTime,
    Dialect,
    ForeignKey,
    Insert,
    LargeBinary,
    MetaData,
    Table,
    func,
    inspect,
    select,
)
from sqlalchemy import Enum as EnumColumn
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import (
    DeclarativeBase,
    Mapped,
    Session,
    declared_attr,
    mapped_column,
    relationship,
)
from sqlalchemy.sql.dml import ReturningInsert
from sqlalchemy.types import TypeDecorator

from referee.store.database.bundle_format import unpack

# The fastest level; higher ones make a report only a tenth smaller.
_LEVEL: Final = 1


@dataclass(frozen=True, slots=True)
class Span:
    """A span of time, without its first moment and with its last."""

    after: datetime
    until: datetime


class Utc(TypeDecorator[datetime]):
    """A moment in UTC; naive datetimes are rejected, because SQLite would drop the zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    @property
    def python_type(self) -> type[datetime]:
        """The type of the values."""
        return datetime

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return the moment in UTC. Raises ValueError for a naive datetime."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a datetime without zone cannot be stored")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return the stored moment in UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Packed(TypeDecorator[bytes]):
    """Bytes that are compressed in the database."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        """Return the compressed bytes."""
        return None if value is None else zlib.compress(value, _LEVEL)

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        """Return the original bytes."""
        return None if value is None else zlib.decompress(value)


_NAMING = {
    "ix": "ix_%(column_0_N_label)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class Base(DeclarativeBase):
    """Base class of all tables.

    Constraint names follow one pattern on every database, so that migrations can drop them.
    """

    metadata = MetaData(naming_convention=_NAMING)
    type_annotation_map: ClassVar[dict[Any, Any]] = {
        datetime: Utc,
        # None is SQL NULL, not JSON null, so that queries can use IS NULL.
        dict[str, Any]: JSON(none_as_null=True),
        list[Any]: JSON(none_as_null=True),
        bytes: LargeBinary,
    }


def enum_of(members: type[Enum]) -> EnumColumn:
    """Return a column type for an enum, stored by its values."""
    return EnumColumn(
        members,
        native_enum=False,
        length=20,
        create_constraint=False,
        values_callable=lambda enum: [member.value for member in enum],
    )


class Claimed:
    """A row that one worker at a time claims, until its lease ends.

    Each claim increments *fence*; the owner can write only while the fence is unchanged.
    """

    owner: Mapped[str | None]
    lease_until: Mapped[datetime | None]
    fence: Mapped[int] = mapped_column(default=0)


class Bundled:
    """A row whose bytes are stored in the row itself, or later in a bundle with many others."""

    bundle_id: Mapped[int | None] = mapped_column(ForeignKey("bundles.id"))
    """The bundle with the bytes; None while they are in the row."""

    @declared_attr
    def bundle(cls) -> Mapped["Bundle | None"]:  # noqa: N805 - SQLAlchemy gives the class
        """Return the bundle with the bytes, or None."""
        return relationship("Bundle")

    def octets(self, stored: bytes) -> bytes:
        """Return the bytes *stored* in the row, or else those in the bundle.

        The bundle is loaded lazily, so this works only in the row's transaction.
        """
        if self.bundle_id is None or self.bundle is None:
            return stored
        state: Any = inspect(self)
        return unpack(self.bundle.content)[state.mapper.local_table.name][state.identity[0]]


class KeptLetter(Bundled):
    """A letter as received or as sent."""

    stored: Mapped[bytes] = mapped_column("raw", Packed)
    emptied_at: Mapped[datetime | None]
    """When the bytes were deleted, because the letter is old and belongs to no game."""

    @property
    def raw(self) -> bytes:
        """Return the letter as bytes; empty once they were deleted."""
        return self.octets(self.stored)

    @raw.setter
    def raw(self, letter: bytes) -> None:
        self.stored, self.bundle_id = letter, None


class Bundle(Base):
    """Old letters and states of a game, compressed together."""

    __tablename__ = "bundles"

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"), index=True)
    content: Mapped[bytes]
    """In the format of ``referee.store.database.bundle_format``."""
    rows: Mapped[int]
    """The number of letters and states in it."""
    made_at: Mapped[datetime]
    is_stale: Mapped[bool] = mapped_column(default=False, index=True)
    """Whether the bundle has letters that were deleted, until housekeeping packs it again."""


@contextmanager
def trial(session: Session) -> Iterator[None]:
    """Undo at the end what is done in the transaction from here on, and nothing else."""
    session.flush()
    savepoint, loaded = session.begin_nested(), {*session.identity_map.keys()}
    try:
        yield
    finally:
        savepoint.rollback()
        # Rows that statements inserted are gone, also if somebody still has their objects.
        for key in {*session.identity_map.keys()} - loaded:
            session.expunge(session.identity_map[key])
        # The session does not know which rows were changed by statements.
        session.expire_all()


def is_postgres(session: Session) -> bool:
    """Return whether the database is a server, which several machines can share."""
    return session.get_bind().dialect.name == "postgresql"


def insert_unless_there(session: Session, row: type[Base], **values: Any) -> int | None:
    """Insert a row and return its id, or None if one with the same unique values exists.

    Two concurrent transactions insert one row, and both continue.
    """
    insertion = _numbering(row, postgres=is_postgres(session))
    inserted: int | None = session.scalar(insertion, values)
    return inserted


def insert_those_missing(
    session: Session, row: type[Base], rows: Sequence[Mapping[str, Any]]
) -> None:
    """Insert all rows in one statement, except those whose unique values exist."""
    if rows:
        session.execute(_inserting(row, postgres=is_postgres(session)), rows)


def insert_or_add(
    session: Session, row: type[Base], column: str, rows: Sequence[Mapping[str, Any]]
) -> None:
    """Insert rows in one statement; for those whose primary key exists, add to *column*.

    The rows are locked in the order given.
    """
    session.execute(_adding(row, column, postgres=is_postgres(session)), rows)


def follow_each_other(session: Session, what: str) -> None:
    """Serialize transactions that do *what*: each waits until the previous one ends.

    No effect on SQLite, where all writers are serialized.
    """
    if is_postgres(session):
        session.execute(select(func.pg_advisory_xact_lock(func.hashtext(f"referee {what}"))))


def table(rows: type[Base]) -> Table:
    """Return the table of *rows*, for frequent statements that need no ORM objects."""
    drawn = rows.__table__
    assert isinstance(drawn, Table)
    return drawn


@cache
def _numbering(row: type[Base], *, postgres: bool) -> ReturningInsert[int]:
    return _inserting(row, postgres=postgres).returning(table(row).c.id)


@cache
def _inserting(row: type[Base], *, postgres: bool) -> Insert:
    insert = postgresql.insert(table(row)) if postgres else sqlite.insert(table(row))
    return insert.on_conflict_do_nothing()


@cache
def _adding(row: type[Base], column: str, *, postgres: bool) -> Insert:
    insert = postgresql.insert(table(row)) if postgres else sqlite.insert(table(row))
    here, keys = table(row).c[column], table(row).primary_key.columns
    added = {column: here + insert.excluded[column]}
    return insert.on_conflict_do_update(index_elements=list(keys), set_=added)
