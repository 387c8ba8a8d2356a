"""Blocks of an email up to a line END: messages, diary entries and standing orders."""

from dataclasses import dataclass

from referee.parsing.items import Parsed, Unparsed


@dataclass(frozen=True, slots=True)
class PressBlock:
    """A message to other players; *text* is as typed.

    *receipt* asks for a delivery receipt. *excluded* are those it does not go to, if it goes to
    ALL.
    """

    line: int
    recipients: tuple[str, ...]
    anonymous: bool
    text: str
    receipt: bool = False
    excluded: tuple[str, ...] = ()

    @property
    def head(self) -> str:
        """The shortest form of its first line."""
        word = "PRESS ANONYMOUS TO" if self.anonymous else "PRESS TO"
        but = f" BUT {', '.join(self.excluded)}" if self.excluded else ""
        return f"{word} {', '.join(self.recipients)}{but}"


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
