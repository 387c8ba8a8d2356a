"""The lines of a letter as patterns see them, and what each of them is, found once."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from referee.letters.incoming.press_marks import are_press, is_marker
from referee.letters.incoming.program_text import Encoded, find_blocks, without_links

_MOST_CHARACTERS: Final = 400
"""Patterns check so many characters of a line; email programs write no longer ones themselves."""
QUOTE: Final = re.compile(r" {0,3}(?:[A-Za-z]{1,3})?[>＞›»]| {4,8}[A-Za-z]{1,3}>| {0,3}\| ")
_INVISIBLE: Final = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


@dataclass(frozen=True)
class SeenLines:
    """The lines of a text, *whole* ones, and *lines*: the part of each that patterns check.

    That part lacks invisible characters and the targets of links, and ends at the length that email
    programs write themselves.
    """

    whole: Sequence[str]
    lines: Sequence[str]

    @classmethod
    def of(cls, text: str) -> "SeenLines":
        """Return the lines of *text*."""
        whole = text.split("\n")
        lines = [
            (without_links(line) if ":" in line else line)[:_MOST_CHARACTERS]
            for line in text.replace("\t", " ").split("\n")
        ]
        # Most letters are ASCII.
        return cls(whole, lines if text.isascii() else [*map(_visible, lines)])

    def at(self, numbers: Iterable[int]) -> "SeenLines":
        """Return some of the lines, by their numbers from 0."""
        both = [(self.whole[number], self.lines[number]) for number in numbers]
        return SeenLines([whole for whole, _ in both], [line for _, line in both])

    @cached_property
    def press(self) -> Sequence[bool]:
        """For each line, whether it has the mark of press."""
        return are_press(self.lines)

    @cached_property
    def quoted(self) -> Sequence[bool]:
        """For each line, whether it begins with a quote mark."""
        begins = QUOTE.match
        return [line[:1] == ">" or begins(line) is not None for line in self.lines]

    @cached_property
    def markers(self) -> frozenset[int]:
        """The numbers, from 0, of the lines with our marker."""
        small = "\n".join(self.lines).lower().split("\n")
        near = [at for at, line in enumerate(small) if "reply" in line]
        return frozenset(at for at in near if is_marker(self.lines[at]))

    @cached_property
    def encoded(self) -> Mapping[int, Encoded]:
        """The blocks for programs, by their first line."""
        return find_blocks(self.lines)

    @cached_property
    def outside(self) -> "SeenLines":
        """The lines, with an empty one for every line of such a block."""
        if not self.encoded:
            return self
        bare = [*self.lines]
        for at, block in self.encoded.items():
            bare[at : block.last] = [""] * (block.last - at)
        return SeenLines(self.whole, bare)


def _visible(line: str) -> str:
    return line if line.isascii() else _INVISIBLE.sub("", line).replace("\u00a0", " ")
