"""The content of the answer to a letter with orders, and the facts that its words depend on."""

from dataclasses import dataclass
from typing import Final

from referee.domain.sheets import Change
from referee.letters.outgoing.local_time import Moment
from referee.letters.outgoing.notices import (
    Answering,
    CommandReply,
    GuideOrders,
    LineError,
    RuledOrder,
)
from referee.letters.outgoing.pairs import Drawn

_BIG_LOSS: Final = 5
"""As many orders, and more than half, are a loss that is said first."""


@dataclass(frozen=True, slots=True)
class Acknowledgement(Answering):
    """The answer to a letter with orders, press or commands.

    *filed* is False for a CHECK. *replaces* says where the sheet that counted before came from.
    An order of this letter has its line; one that was on file before has the line 0. *faults* are
    of orders, *undone* of commands and messages. *expected* is the player's own count of orders.
    *unread* names what was not read: quoted lines, the signature, attachments. *forecast* is drawn
    text. *on_hold* means that no turn is resolved, *final* that the player has sent FINAL, and
    *awaited* that the rules wait for their orders.
    """

    receipt: int
    game: str
    turn: int
    arrived: Moment
    filed: bool
    accepted: tuple[RuledOrder, ...]
    warned: tuple[RuledOrder, ...]
    faults: tuple[LineError, ...]
    said: tuple[CommandReply, ...]
    unused: tuple[str, ...]
    forecast: Drawn
    unread: tuple[str, ...]
    deadline: Moment | None
    grace: Moment | None = None
    """Until when orders count, if the deadline has passed."""
    change: Change = Change.REPLACED
    """The change that the letter made to the sheet on file."""
    replaces: str = ""
    replaced: Moment | None = None
    before: int = 0
    """How many orders were on file before."""
    lost: int = 0
    """How many of them the letter took off the sheet."""
    expected: int | None = None
    undone: tuple[LineError, ...] = ()
    closed: str = ""
    """Why its sender can no longer change the sheet, as a clause, or ""."""
    on_hold: bool = False
    final: bool = False
    awaited: bool = True
    final_aside: bool = False
    """Whether FINAL was put aside, because something else in the email was not done."""
    emptied: bool = False
    """Whether the letter filed an empty sheet, with which the player does not miss the turn."""
    standing: bool = False
    """Whether standing orders run if no sheet is on file."""
    for_one: bool = False
    """Whether the game is for one person, and ends if no sheet is on file."""
    nearest: str = ""
    """The topic of HELP that is nearest to words that could not be read, or ""."""
    can_undo: bool = False
    """Whether the letter did something that UNDO takes back."""
    kept_by_undo: str = ""
    """The part of it that UNDO does not take back, in a few words, or ""."""
    coming: bool = False
    """Whether the turn is a future one."""
    not_yet: str = ""
    """That nothing is on file for the current turn, if the turn is a future one, or ""."""
    rolled_back: str = ""
    """That the email answers one of an undone turn, and what holds of the current one, or ""."""
    edited: bool = False
    """Whether the orders were in a quoted sheet that was edited."""
    sheet: tuple[str, ...] = ()
    """The orders on the sheet, as lines to be changed in a reply."""
    deputy: bool = False
    """Whether a deputy wrote the letter, who has no UNDO."""
    note: str = ""
    """A sentence at the end."""
    to_try: tuple[GuideOrders, ...] = ()
    """In a tutorial, the orders to try in this turn, if the email has none."""
    early: Moment | None = None
    """When the turn ends before its deadline, because everybody is ready."""
    final_taken_back: str = ""
    """The consequence if these orders took FINAL back, or ""."""
    doubt: str = ""
    """Why the orders, filed where nothing was on file, may not be meant, or ""."""

    @property
    def until(self) -> Moment | None:
        """Until when the orders can be changed."""
        return self.early or self.grace or self.deadline

    @property
    def rejected(self) -> tuple[LineError, ...]:
        """The rejected orders of the email and of the sheet."""
        return tuple(fault for fault in self.faults if not fault.is_words)

    @property
    def words(self) -> tuple[LineError, ...]:
        """The lines of the email that are not orders."""
        return tuple(fault for fault in self.faults if fault.is_words)

    @property
    def unsent(self) -> int:
        """How many messages of the email were not sent."""
        return sum(fault.text.upper().startswith("PRESS") for fault in self.undone)

    @property
    def left_undone(self) -> int:
        """How many other lines of the email were not done; FINAL has a sentence of its own."""
        others = [
            fault for fault in self.undone if not fault.lost and fault.text.upper() != "FINAL"
        ]
        return sum(each.orders for each in others if not each.text.upper().startswith("PRESS"))

    @property
    def stopped(self) -> tuple[LineError, ...]:
        """The lines of the email from which on others were not read, without its messages."""
        return tuple(
            fault
            for fault in self.undone
            if fault.lost and not fault.text.upper().startswith("PRESS")
        )

    @property
    def sent_rejected(self) -> tuple[LineError, ...]:
        """The rejected orders of the email."""
        return tuple(fault for fault in self.rejected if fault.line)

    @property
    def sent_wrong(self) -> int:
        """How many orders of the email are rejected, with those that were not read."""
        return sum(fault.orders for fault in self.sent_rejected)

    @property
    def sent_warned(self) -> tuple[RuledOrder, ...]:
        """The orders of the email with a warning."""
        return tuple(order for order in self.warned if order.line)

    @property
    def sent_accepted(self) -> tuple[RuledOrder, ...]:
        """The orders of the email without a warning."""
        return tuple(order for order in self.accepted if order.line)

    @property
    def sent_valid(self) -> int:
        """How many orders of the email are not rejected."""
        return len(self.sent_warned) + len(self.sent_accepted)

    @property
    def sent(self) -> int:
        """How many orders the email has."""
        return self.sent_wrong + self.sent_valid

    @property
    def on_sheet(self) -> int:
        """How many orders are on the sheet now."""
        on_file = sum(fault.filed for fault in self.rejected)
        return len(self.warned) + len(self.accepted) + on_file

    @property
    def kept(self) -> int:
        """How many orders of the sheet were on file before."""
        return self.on_sheet - self.sent_valid - sum(fault.filed for fault in self.sent_rejected)

    @property
    def kept_rejected(self) -> int:
        """How many orders that were on file before are rejected."""
        return len(self.rejected) - len(self.sent_rejected)

    @property
    def is_unchanged(self) -> bool:
        """Whether the sheet on file is as it was."""
        return self.change is Change.NONE

    @property
    def has_no_orders(self) -> bool:
        """Whether the email has no orders and did not change the sheet."""
        return self.is_unchanged and not self.sent

    @property
    def has_only_commands(self) -> bool:
        """Whether the email has commands instead of orders, and is no CHECK."""
        return self.has_no_orders and self.filed and bool(self.said or self.undone)

    @property
    def is_fixable(self) -> bool:
        """Whether to say how rejected orders are fixed.

        Not if the turn does not wait for orders of the player and all of them are rejected.
        """
        if not (self.filed and self.rejected) or self.closed:
            return False
        return self.awaited or self.sent_valid > 0 or self.kept > self.kept_rejected

    @property
    def to_fix(self) -> tuple[LineError, ...]:
        """The rejected orders to fix: an order that is on the sheet twice counts once anyway."""
        return tuple(each for each in self.rejected if not each.repeats) if self.is_fixable else ()

    @property
    def is_out_of_turn(self) -> bool:
        """Whether the orders are rejected because the turn does not wait for any of the player."""
        return self.filed and bool(self.sent_rejected) and not (self.is_fixable or self.closed)

    @property
    def says_final(self) -> bool:
        """Whether to say that the player has sent FINAL and the turn can be resolved early."""
        return self.final and not (self.closed or self.coming)

    @property
    def misses_turn(self) -> bool:
        """Whether the player misses the turn if they send nothing else."""
        is_open = self.awaited and not (self.closed or self.coming)
        return is_open and not self.on_sheet and not (self.replaces or self.standing)

    @property
    def is_big_loss(self) -> bool:
        """Whether the letter took so many orders off the sheet that it is said first."""
        return self.filed and self.lost >= _BIG_LOSS and 2 * self.lost > self.before
