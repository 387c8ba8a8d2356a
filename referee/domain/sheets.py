"""Order sheets, and how a letter changes the sheet on file line by line."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any


class Change(Enum):
    """The effect of a letter on the sheet on file."""

    NONE = "none"
    REPLACED = "replaced"
    """Its orders replace those on file."""
    ADDED = "added"
    """Its orders are added to those on file, or to what is left of them."""
    REDUCED = "reduced"
    """The letter removed orders and has none of its own."""
    RESTORED = "restored"
    """An earlier sheet is in effect again."""


def source_of(receipt: int) -> str:
    """Return where a sheet came from: ``#4``, or the GM, whose letters have no receipt."""
    return f"#{receipt}" if receipt else "the GM"


@dataclass(frozen=True, slots=True)
class Entry:
    """An order on a sheet: its canonical text, and its line in the letter, or 0.

    *order* is the order itself once the text was read, else None.
    """

    text: str
    line: int = 0
    order: Any = field(default=None, compare=False)


@dataclass(slots=True)
class Draft:
    """A sheet while a letter changes it, one line after the other.

    The first order removes what is on file from the sheet, unless ADD or CANCEL comes before it. A
    player who begins with a change to the sheet on file wants to keep the rest.
    """

    on_file: Sequence[str]
    entries: list[Entry] = field(init=False)
    keeps: bool = False
    """Whether the next order leaves the orders on file on the sheet."""
    ordered: bool = False
    """Whether the letter has orders of its own so far."""
    reduced: bool = False
    """Whether the letter removed some or all orders."""

    def __post_init__(self) -> None:
        """Begin with the sheet on file."""
        self.entries = [Entry(text) for text in self.on_file]

    @property
    def texts(self) -> list[str]:
        """The canonical texts on the sheet now."""
        return [entry.text for entry in self.entries]

    @property
    def change(self) -> Change:
        """The effect of the letter so far."""
        if self.ordered:
            return Change.ADDED if self._keeps_some else Change.REPLACED
        return Change.REDUCED if self.reduced else Change.NONE

    @property
    def _keeps_some(self) -> bool:
        return self.keeps and any(not entry.line for entry in self.entries)

    @property
    def lost(self) -> int:
        """How many orders that were on file are no longer on the sheet."""
        return (Counter(self.on_file) - Counter(self.texts)).total()

    def order(self, entry: Entry) -> None:
        """Put an order below the others."""
        if not self.ordered and not self.keeps:
            self.entries.clear()
        self.ordered = True
        self.entries.append(entry)

    def add(self) -> bool:
        """Keep the orders on file; return False if an order above has already removed them."""
        if self.ordered and not self.keeps:
            return False
        self.keeps = True
        return True

    def clear(self) -> int:
        """Remove all orders, and return how many there were."""
        count = len(self.entries)
        self.entries.clear()
        self.keeps, self.ordered, self.reduced = False, False, True
        return count

    def reduce(self) -> None:
        """Keep the rest of the orders on file, whether or not the next one can be removed."""
        self.keeps = self.keeps or not self.ordered

    def cancel(self, text: str) -> bool:
        """Remove the first equal order; return False if there is none."""
        self.reduce()
        for at, entry in enumerate(self.entries):
            if entry.text == text:
                del self.entries[at]
                self.reduced = True
                return True
        return False
