"""What all rows are made of: their names, their closed sets, their claims and their bundles."""

from datetime import datetime
from enum import Enum
from typing import Any, ClassVar

from sqlalchemy import JSON, ForeignKey, LargeBinary, MetaData, inspect
from sqlalchemy import Enum as EnumColumn
from sqlalchemy.orm import DeclarativeBase, Mapped, declared_attr, mapped_column, relationship

from referee.store.database.bundle_format import unpack
from referee.store.database.types import Packed, Utc

_NAMING = {
    "ix": "ix_%(column_0_N_label)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class Base(DeclarativeBase):
    """All tables; constraints are named alike on every database, so migrations can drop them."""

    metadata = MetaData(naming_convention=_NAMING)
    type_annotation_map: ClassVar[dict[Any, Any]] = {
        datetime: Utc,
        # None is SQL's NULL, not JSON's null, so that it can be asked for.
        dict[str, Any]: JSON(none_as_null=True),
        list[Any]: JSON(none_as_null=True),
        bytes: LargeBinary,
    }


def enum_of(members: type[Enum]) -> EnumColumn:
    """Return a column of a closed set, kept by its values."""
    return EnumColumn(
        members,
        native_enum=False,
        length=20,
        create_constraint=False,
        values_callable=lambda enum: [member.value for member in enum],
    )


class Claimed:
    """A row that one worker at a time works on, until its lease ends.

    Whoever claims a row counts *fence* up; he may write only while the fence is still his.
    """

    owner: Mapped[str | None]
    lease_until: Mapped[datetime | None]
    fence: Mapped[int] = mapped_column(default=0)


class Bundled:
    """A row whose octets lie in it, or one day with those of many others in a bundle."""

    bundle_id: Mapped[int | None] = mapped_column(ForeignKey("bundles.id"))
    """Where they lie; None while it is in the row."""

    @declared_attr
    def bundle(cls) -> Mapped["Bundle | None"]:  # noqa: N805 - SQLAlchemy gives the class
        """The bundle they lie in."""
        return relationship("Bundle")

    def octets(self, stored: bytes) -> bytes:
        """Return what is *stored* in the row, or else what the bundle has of it.

        That is looked for while the row's transaction lasts.
        """
        if self.bundle_id is None or self.bundle is None:
            return stored
        state: Any = inspect(self)
        return unpack(self.bundle.content)[state.mapper.local_table.name][state.identity[0]]


class KeptLetter(Bundled):
    """A letter as it arrived, or as it is sent."""

    stored: Mapped[bytes] = mapped_column("raw", Packed)
    emptied_at: Mapped[datetime | None]
    """When its octets were given up, because it was of no game and old."""

    @property
    def raw(self) -> bytes:
        """The letter; nothing once it was emptied."""
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
    """As ``referee.store.database.bundle_format`` packs it."""
    rows: Mapped[int]
    """How many letters and states it has."""
    made_at: Mapped[datetime]
