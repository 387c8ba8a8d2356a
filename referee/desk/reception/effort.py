"""The effects of a letter, which decide from which budget it is answered."""

from referee.desk.orders.letter_context import LetterContext
from referee.letters.outgoing.acknowledgement_notice import Acknowledgement
from referee.letters.outgoing.notices import (
    AlreadyReceived,
    CommandAnswers,
    LineError,
    Notice,
    Quarantined,
    Unknown,
)
from referee.store.mail.rate_limits import ReplyBudget


def budget_of(context: LetterContext) -> ReplyBudget:
    """Return the budget for the answer to a letter that was carried out.

    A letter that changed nothing is IDLE if it asked nothing, or if it has other words too: that is
    how a program answers our answers, whatever it quotes of them.
    """
    if has_changed_something(context):
        return ReplyBudget.CHANGE if context.identity.is_believed else ReplyBudget.WORK
    if _tests_orders(context):
        return ReplyBudget.WORK
    if not _has_asked(context) or any(map(_has_other_words, _notices(context))):
        return ReplyBudget.IDLE
    return ReplyBudget.WORK


def _notices(context: LetterContext) -> list[Notice]:
    return [notice for notice, _ in context.letters]


def has_changed_something(context: LetterContext) -> bool:
    """Return whether the letter changed its sheet, the game or something of its sender."""
    return any(not said.is_answer for said in context.said) or has_changed_orders(context)


def has_changed_orders(context: LetterContext) -> bool:
    """Return whether the sheet on file has other orders than before the letter.

    Repeated ones make no difference: a program that copies our answer repeats all of them.
    """
    sheet = context.sheet
    if sheet is None or sheet.filed is None:
        return False
    before = sheet.before
    return sheet.filed.withdrawn or before is None or {*before.orders} != {*sheet.filed.orders}


def _tests_orders(context: LetterContext) -> bool:
    """Return whether the letter has orders for a CHECK, which files nothing."""
    sheet = context.sheet
    return sheet is not None and sheet.checking and any(e.line for e in sheet.draft.entries)


def _has_asked(context: LetterContext) -> bool:
    """Return whether the letter asked something, or its orders are answered in some other way."""
    idle = (Acknowledgement, CommandAnswers, Unknown, AlreadyReceived, Quarantined)
    others = any(not isinstance(notice, idle) for notice in _notices(context))
    filed = context.sheet is not None and context.sheet.filed is not None
    return bool(context.said) or others or filed


def _has_other_words(notice: Notice) -> bool:
    """Return whether the answer names lines that were neither orders nor commands."""
    faults: tuple[LineError, ...] = ()
    if isinstance(notice, CommandAnswers | Acknowledgement):
        faults = notice.faults
    return any(not fault.filed for fault in faults)
