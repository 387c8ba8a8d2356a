"""Column types and spans of time for queries."""

import zlib
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from sqlalchemy import DateTime, Dialect, LargeBinary
from sqlalchemy.types import TypeDecorator

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
