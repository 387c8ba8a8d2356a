"""Letters about what is stored about a person."""

from dataclasses import dataclass

from referee.letters.outgoing.local_time import Moment
from referee.letters.outgoing.notices import Notice


@dataclass(frozen=True, slots=True)
class Disclosure(Notice):
    """To a person: everything that is stored about them, in *file*.

    *left_out* is how many old emails come without their text, because the file would be too large.
    """

    account: int
    file: str
    rows: int
    left_out: int


@dataclass(frozen=True, slots=True)
class ForgetProof(Notice):
    """To the other address of a person who wants to be forgotten: asks to confirm it.

    *ours* is the referee's own address.
    """

    ours: str
    until: Moment


@dataclass(frozen=True, slots=True)
class Forgotten(Notice):
    """To a person: everything about them was deleted. It is the last letter to them."""

    ours: str
