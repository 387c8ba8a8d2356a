"""Real names of people: what they can be, and which are numbered in a list."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Final

from referee.desk.base.forgotten import FORGOTTEN
from referee.desk.base.press_privacy import holder_of, name_of
from referee.domain.look_alikes import look_alike, name_seen
from referee.domain.person_names import check_name
from referee.rules.ruleset import UserError
from referee.store.games.attendance import Stint
from referee.store.models import Person, SeatRow

_NO_NAME: Final = "no real name given"
_TAKEN: Final = "Others could take this name for that of another player or of the GM."


def check(name: str, others: Iterable[Person], address: str, *, seats: Iterable[str] = ()) -> None:
    """Raise UserError if the person at *address* cannot have this name.

    *others* are the people, and *seats* the names of seats, that the person knows.
    """
    check_name(name)
    known = [person.name for person in others if person.address != address]
    if any(look_alike(name, each) for each in (*known, *seats)):
        raise UserError(f"{_TAKEN} Choose another name.")


def doubled(people: Iterable[Person | None]) -> Mapping[int, int]:
    """Return the numbers, from 1, of those of the *people* whose names look like that of another.

    They are by the person's id, and only for this list: an account number would show who else they
    are in other games.
    """
    by_name: dict[str, dict[int, int]] = {}
    for person in people:
        if person is not None and person.name:
            same = by_name.setdefault(name_seen(person.name), {})
            same.setdefault(person.id, len(same) + 1)
    return {
        one: number for same in by_name.values() if len(same) > 1 for one, number in same.items()
    }


def listed(
    rows: Sequence[SeatRow],
    unnamed: Container[int | None],
    gone: Container[int] = (),
    stints: Sequence[Stint] = (),
) -> tuple[str, ...]:
    """Return who held the seats: ``FRODO: Frodo Baggins``, ``SAM: (no real name given)``.

    A seat that several people played has their turns, by the *stints*: ``PIP: Peregrin Took (turns
    1 to 3), Meriadoc (turns 4 to 9)``. The *unnamed*, by their ids, do not want to be named. The
    players of the seats with the ids *gone* were forgotten.
    """
    people = (*(row.person for row in rows), *(each.person for each in stints))
    same = doubled(each for each in people if each is not None and each.id not in unnamed)

    def name(person: Person, *when: str) -> str:
        known = "" if person.id in unnamed else name_of(person)
        notes = ", ".join((*[_NO_NAME] * (not known), *when))
        shown = f"{known}{number_of(person, same)}" if known else ""
        return f"{shown} ({notes})".lstrip() if notes else shown

    def who(row: SeatRow) -> Iterator[str]:
        played = [each for each in stints if each.seat == row.id]
        others = any(each.person.id != row.person_id for each in played)
        yield from (name(each.person, _turns(each)) for each in played if others)
        if row.id in gone:
            yield f"({FORGOTTEN})"
        elif row.person is None:
            yield holder_of(row)
        elif not others or row.person_id not in {each.person.id for each in played}:
            yield name(row.person)

    return tuple(f"{row.name}: {', '.join(who(row))}" for row in rows)


def _turns(stint: Stint) -> str:
    one = stint.first == stint.last
    return f"turn {stint.first}" if one else f"turns {stint.first} to {stint.last}"


def number_of(person: Person | None, same: Mapping[int, int]) -> str:
    """Return the number of a person who is one of the *same* people, or ""."""
    return f" ({same[person.id]})" if person is not None and person.id in same else ""
