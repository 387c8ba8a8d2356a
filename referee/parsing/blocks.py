"""Blocks of an email up to a line END: messages, diary entries and standing orders."""

from dataclasses import dataclass

from referee.domain.press import PressTime
from referee.parsing.items import Parsed, Unparsed


@dataclass(frozen=True, slots=True)
class PressBlock:
    """A message to other players; *text* is as typed.

    *receipt* asks for a delivery receipt. *excluded* are those it does not go to, if it goes to
    ALL. *when* is the time at which it goes out, if its writer has chosen one.
    """

    line: int
    recipients: tuple[str, ...]
    anonymous: bool
    text: str
    receipt: bool = False
    excluded: tuple[str, ...] = ()
    when: PressTime | None = None

    @property
    def head(self) -> str:
        """The shortest form of its first line."""
        word = "PRESS ANONYMOUS" if self.anonymous else "PRESS"
        at = f" AT {self.when.text}" if self.when is not None else ""
        but = f" BUT {', '.join(self.excluded)}" if self.excluded else ""
        return f"{word}{at} TO {', '.join(self.recipients)}{but}"


@dataclass(frozen=True, slots=True)
class DiaryBlock:
    """An entry for the sender's diary; *text* is as typed."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class StandingBlock:
    """Orders for every turn without a sheet, parsed or not; none withdraws the present ones."""

    line: int
    items: tuple[Parsed | Unparsed, ...]
