"""Order sheets: what a new letter makes of the one on file."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum


class Filing(Enum):
    """How the orders of a letter meet the sheet on file."""

    REPLACE = "replace"
    ADD = "add"
    CHECK = "check"
    """Everything is read and answered, nothing is filed."""


@dataclass(frozen=True, slots=True)
class Revision:
    """The sheet that results, and the cancelled orders that were not on it."""

    orders: tuple[str, ...]
    unknown: tuple[str, ...] = ()


def revise(
    on_file: Sequence[str], new: Sequence[str], cancelled: Sequence[str], filing: Filing
) -> Revision:
    """Give the sheet after a letter; orders are canonical texts in the order typed.

    Cancelling takes the first equal order out of what is on file; without new orders a letter
    that only cancels leaves the rest of the sheet as it was.
    """
    keep = filing is Filing.ADD or (not new and bool(cancelled))
    kept = list(on_file) if keep else []
    unknown = []
    for text in cancelled:
        if text in kept:
            kept.remove(text)
        else:
            unknown.append(text)
    return Revision(tuple(kept) + tuple(new), tuple(unknown))
