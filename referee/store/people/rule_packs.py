"""Packs of house rules that GMs have saved."""

from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, UniqueConstraint, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from referee.domain.press import PressRule, PressRules
from referee.domain.rule_packs import RulePack
from referee.store.database.base import Base
from referee.store.models import Person


class SavedPack(Base):
    """A pack of a GM, under a name of theirs."""

    __tablename__ = "rule_packs"
    __table_args__ = (UniqueConstraint("person_id", "name"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"), index=True)
    name: Mapped[str]
    """In lower case."""
    schedule: Mapped[str]
    settings: Mapped[dict[str, Any]]
    press: Mapped[dict[str, Any]]
    """The fields of PressRules."""
    options: Mapped[dict[str, Any]]
    ruleset: Mapped[str]
    of_ruleset: Mapped[dict[str, Any]]
    saved_at: Mapped[datetime]


def of(session: Session, person: Person) -> list[RulePack]:
    """Return the packs that the person has saved, by name."""
    query = select(SavedPack).where(SavedPack.person_id == person.id).order_by(SavedPack.name)
    return [_value(row) for row in session.scalars(query)]


def save(session: Session, person: Person, pack: RulePack, now: datetime) -> None:
    """Save a pack of the person. They must have none of that name."""
    row = SavedPack(
        person_id=person.id,
        name=pack.name,
        schedule=pack.schedule,
        settings=dict(pack.settings),
        press={**asdict(pack.press), "rule": pack.press.rule.value},
        options=dict(pack.options),
        ruleset=pack.ruleset,
        of_ruleset=dict(pack.of_ruleset),
        saved_at=now,
    )
    session.add(row)
    session.flush()


def drop(session: Session, person: Person, name: str) -> None:
    """Delete the person's pack of that name."""
    query = select(SavedPack).where(SavedPack.person_id == person.id, SavedPack.name == name)
    session.delete(session.scalars(query).one())
    session.flush()


def _value(row: SavedPack) -> RulePack:
    press = PressRules(**{**row.press, "rule": PressRule(row.press["rule"])})
    return RulePack(
        row.name, row.schedule, row.settings, press, row.options, row.ruleset, row.of_ruleset
    )
