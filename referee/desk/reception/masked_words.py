"""Masks of free words in a question about an email that anybody could have written.

Its sender could otherwise write to a player through us.
"""

import re
from dataclasses import dataclass, replace
from typing import Final

from referee.desk.base.loaded_games import Showing
from referee.desk.orders.letter_context import LetterContext
from referee.letters.outgoing.notices import LineError
from referee.parsing.commands import command_words
from referee.reports.text import text
from referee.rules.ruleset import Seat

MASK: Final = "..."
HIDDEN: Final = (
    "Words shown as ... are left out, because somebody else could have written them. If you sent "
    "the email, you have the whole of it."
)
_CODE: Final = re.compile(r"[A-Z]{0,2}(?:[0-9]++[A-Z]{0,2})*+")
"""A number, or letters and numbers, such as F3T4F22: too few letters for a word."""
_WORD: Final = re.compile(r"[^\s,;=@()+*\"-]+")


@dataclass(frozen=True, slots=True)
class Mask:
    """The words, in capitals, that are shown: those of the game, and names that the seat knows."""

    fixed: frozenset[str]
    names: frozenset[str]

    @classmethod
    def of(cls, context: LetterContext) -> "Mask":
        """Return the mask for the seat that the email names."""
        table, seat = context.table, context.identity.seat
        if table is None or seat is None:
            return cls(command_words(), frozenset())
        known = text(table.show(Showing(Seat(seat.number), "")))
        seats = {row.name.upper() for row in table.game.seats}
        fixed = command_words() | {word.upper() for word in table.reader.fixed_words()}
        return cls(fixed, frozenset(seats.union(map(str.upper, _WORD.findall(known)))))

    def order(self, line: str) -> str:
        """Return an order with all other words as dots."""
        return self._masked(line, self.fixed | self.names)

    def fault(self, fault: LineError) -> LineError:
        """Return a fault without its words, also where its reason repeats them."""
        text = self._masked(fault.text, self.fixed)
        left_out = {*_WORD.findall(fault.text)} - {*_WORD.findall(text)}

        def shown(reason: str) -> str:
            return _WORD.sub(lambda word: MASK if word[0] in left_out else word[0], reason)

        reason, advice = shown(fault.reason), shown(fault.advice)
        return replace(fault, text=text, reason=reason, advice=advice, to_send=())

    def words(self, fault: LineError) -> LineError:
        """Return a fault without its words: those of a report make sentences."""
        if not fault.is_words:
            return fault
        return replace(fault, text=self._masked(fault.text, self.fixed), to_send=())

    def _masked(self, line: str, shown: frozenset[str]) -> str:
        def word(found: re.Match[str]) -> str:
            typed = found[0].upper().strip(".:'")
            return found[0] if typed in shown or _CODE.fullmatch(typed) else MASK

        return _WORD.sub(word, line)
