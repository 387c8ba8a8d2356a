"""Order sheets: what a letter makes of the one on file, line after line."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any


class Change(Enum):
    """What a letter made of the sheet on file."""

    NONE = "none"
    REPLACED = "replaced"
    """Its orders stand in the place of those on file."""
    ADDED = "added"
    """Its orders stand beside those on file, or what is left of them."""
    REDUCED = "reduced"
    """It took orders out and has none of its own."""
    RESTORED = "restored"
    """An earlier sheet counts again."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An order on a sheet as its canonical text, and the line of the letter; 0 for none of it.

    *order* is the order itself once the text was read, else None.
    """

    text: str
    line: int = 0
    order: Any = field(default=None, compare=False)


@dataclass(slots=True)
class Draft:
    """A sheet as a letter changes it. What is typed later meets what was typed before.

    The first order takes what is on file off the sheet, unless ADD or CANCEL stands above it: who
    begins by changing the sheet on file means to keep the rest of it.
    """

    on_file: Sequence[str]
    entries: list[Entry] = field(init=False)
    keeps: bool = False
    """Whether orders typed from here on leave on the sheet what is on file."""
    ordered: bool = False
    """Whether the letter has orders of its own so far."""
    reduced: bool = False
    """Whether the letter took orders out, or all."""

    def __post_init__(self) -> None:
        """Begin with what is on file."""
        self.entries = [Entry(text) for text in self.on_file]

    @property
    def texts(self) -> list[str]:
        """The canonical texts as they stand now."""
        return [entry.text for entry in self.entries]

    @property
    def change(self) -> Change:
        """What the letter made of the sheet so far."""
        if self.ordered:
            return Change.ADDED if self._keeps_some else Change.REPLACED
        return Change.REDUCED if self.reduced else Change.NONE

    @property
    def _keeps_some(self) -> bool:
        return self.keeps and any(not entry.line for entry in self.entries)

    def order(self, entry: Entry) -> None:
        """Put an order below those there are."""
        if not self.ordered and not self.keeps:
            self.entries.clear()
        self.ordered = True
        self.entries.append(entry)

    def add(self) -> bool:
        """Let what is on file stay; False when an order above has taken it off already."""
        if self.ordered and not self.keeps:
            return False
        self.keeps = True
        return True

    def clear(self) -> int:
        """Take all orders off and give how many there were."""
        count = len(self.entries)
        self.entries.clear()
        self.keeps, self.ordered, self.reduced = False, False, True
        return count

    def cancel(self, text: str) -> bool:
        """Take the first equal order out; False when there is none."""
        self.keeps = self.keeps or not self.ordered
        for at, entry in enumerate(self.entries):
            if entry.text == text:
                del self.entries[at]
                self.reduced = True
                return True
        return False
