"""Column types of our own, and spans of time to ask for."""

import zlib
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from sqlalchemy import DateTime, Dialect, LargeBinary
from sqlalchemy.types import TypeDecorator

# The quickest way to compress; slower ones make a report a tenth smaller.
_LEVEL: Final = 1


@dataclass(frozen=True, slots=True)
class Span:
    """From one moment, itself not counted, to another, which is."""

    after: datetime
    until: datetime


class Utc(TypeDecorator[datetime]):
    """A moment in UTC; naive datetimes are refused, because SQLite would drop the zone silently."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return the moment in UTC. Raises ValueError for a datetime without zone."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a datetime without zone cannot be stored")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return the stored moment with its zone, UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Packed(TypeDecorator[bytes]):
    """Octets that lie compressed in the database, and are read as they were written."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        """Return what is stored."""
        return None if value is None else zlib.compress(value, _LEVEL)

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        """Return what was written."""
        return None if value is None else zlib.decompress(value)
