"""The agreements of present and past players on what is revealed after the end of a game."""

from collections.abc import Mapping

from sqlalchemy import ForeignKey, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from referee.domain.revealed_parts import BY_DEFAULT, RevealedPart
from referee.store.database.base import Base, enum_of
from referee.store.models import Game, Person


class Agreement(Base):
    """A person's decision about one part, in one game."""

    __tablename__ = "agreements"

    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"), primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"), primary_key=True, index=True)
    part: Mapped[RevealedPart] = mapped_column(enum_of(RevealedPart), primary_key=True)
    agrees: Mapped[bool]


def decide(
    session: Session, game: Game, person: Person, part: RevealedPart, *, agrees: bool
) -> None:
    """Record the decision of a person, in place of an earlier one."""
    session.merge(Agreement(game_id=game.id, person_id=person.id, part=part, agrees=agrees))
    session.flush()


def of(session: Session, game: Game, person: Person) -> Mapping[RevealedPart, bool]:
    """Return for each part whether it is revealed of a person, by their decision or by default."""
    query = select(Agreement).where(Agreement.game_id == game.id)
    rows = session.scalars(query.where(Agreement.person_id == person.id))
    return {**BY_DEFAULT, **{row.part: row.agrees for row in rows}}


def every(session: Session, game: Game) -> list[tuple[int, RevealedPart, bool]]:
    """Return the decisions about all parts, by the ids of the people."""
    query = select(Agreement).where(Agreement.game_id == game.id)
    in_order = query.order_by(Agreement.person_id, Agreement.part)
    return [(row.person_id, row.part, row.agrees) for row in session.scalars(in_order)]


def deciders(session: Session, game: Game) -> frozenset[int]:
    """Return the ids of the people who have decided about any part that players and GMs read."""
    query = select(Agreement.person_id).where(Agreement.game_id == game.id)
    return frozenset(session.scalars(query.where(Agreement.part != RevealedPart.PAGES)))


def deviating(session: Session, game: Game, part: RevealedPart) -> frozenset[int]:
    """Return the ids of the people whose decision about a part differs from the default."""
    query = select(Agreement.person_id).where(Agreement.game_id == game.id)
    decided = query.where(Agreement.part == part, Agreement.agrees.is_not(BY_DEFAULT[part]))
    return frozenset(session.scalars(decided))
