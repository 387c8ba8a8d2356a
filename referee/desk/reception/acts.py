"""The rules for an accepted letter: what needs an answer is asked about, the rest is done."""

from dataclasses import replace
from typing import Any, Final

from referee.desk.base.outbox_writer import Addressing, mailbox
from referee.desk.orders.letter_context import LetterContext
from referee.desk.reception import (
    command_preview,
    confirmation,
    effort,
    execution,
    part_faults,
)
from referee.desk.reception.case import Case, Result, Rule, deliver
from referee.desk.reception.command_preview import Preview
from referee.desk.reception.confirmation_terms import ConfirmationTerms
from referee.desk.reception.needs import claims, divided, parted
from referee.domain.commands import Final as Finish
from referee.domain.trust import Trust
from referee.letters.incoming.letter import MailAddress
from referee.letters.incoming.screening import Screening
from referee.letters.outgoing.notices import (
    CommandAnswers,
    LineError,
    Notice,
    Unknown,
)
from referee.parsing.body import Body, DiaryBlock, PressBlock
from referee.store.letter_states import InboxState
from referee.store.mail.rate_limits import ReplyBudget


def divide(case: Case) -> Result | None:
    """Divide the letter into the part that is done at once, and the part that is asked about.

    A letter of which nothing is done at once ends with its question.
    """
    context, body = case.context, case.body
    if context.identity.trust is Trust.NONE and confirmation.asks_for_seat(body):
        context.identity = replace(context.identity, seat=None, claims_seat=False)
    case.now, case.asked = divided(context, body)
    if not case.asked.items:
        return None
    seen = command_preview.preview(context, case.asked)
    still = _still_asked(context, case.asked, seen, is_all=not case.now.items)
    if still.items and not case.now.items:
        return _hold(context, body, seen)
    # Any part that is not possible is answered at once.
    context.refused = seen.reasons
    case.now, case.asked = parted(body, {item.line for item in still.items})
    return None


def reject_claims(case: Case) -> Result | None:
    """Answer a letter in the name of a seat that is not the sender's."""
    context = case.context
    if not (context.identity.claims_seat and claims(context, case.body)):
        return None
    _reject_claim(context)
    return Result(InboxState.READ, "names a seat that is not the sender's", context.identity)


def do(case: Case) -> None:
    """Carry out the lines that wait for no answer, and collect their answers."""
    context = case.context
    if context.identity.trust is Trust.NONE:
        # A name in the subject proves nothing: an unverified sender has no seat.
        context.identity = replace(context.identity, seat=None)
    case.note = execution.execute(context, case.now, case.read.own, waiting=_waiting(case.asked))
    part_faults.report_faults(context)


def answer(case: Case) -> Result:
    """Answer the letter in one email, with the question about the lines that wait."""
    context, note = case.context, case.note
    if case.asked.items:
        return _ask_besides(context, case.asked, note)
    answered = deliver(context, effort.budget_of(context))
    if not answered and context.screening is Screening.MARKED:
        return _leave_unasked(context, ConfirmationTerms.of(context.identity).stored())
    return Result(InboxState.READ, note if answered else f"{note}; not answered", context.identity)


ACTING: Final = (
    Rule(divide, "a line that needs more proof than there is waits; the others do not"),
    Rule(reject_claims, "nobody acts for a seat that is not theirs, nor learns whether it exists"),
    Rule(do, "in the order typed, each line sees what those above did; FINAL comes last"),
    Rule(answer, "one email: the question first, then what was not done, then the rest"),
)
"""The rules for a letter whose sender is known: one that arrives, and one that is confirmed."""


def _still_asked(context: LetterContext, asked: Body, seen: Preview, *, is_all: bool) -> Body:
    """Return the part that needs an answer, without lines that are not possible in any case.

    If it is *all* of the letter, the question shows these, too.
    """
    none = replace(asked, items=())
    if is_all and seen.is_hopeless:
        return none if context.identity.is_stranger else asked
    if is_all and (context.identity.trust is Trust.NONE or not (seen.refused or seen.unchanged)):
        return asked
    return divided(context, seen.possible(asked))[1]


def _waiting(asked: Body) -> list[LineError]:
    """Return that FINAL waits for the answer to a question, if it does."""
    why = "It waits for your answer to our question."
    return [LineError(item.line, item.text, why) for item in asked.commanded(Finish)]


def _ask_besides(context: LetterContext, asked: Body, note: str) -> Result:
    """Ask about the lines that wait, in the answer about the rest of the letter."""
    seen = command_preview.preview(context, asked)
    lines = sorted({item.line for item in asked.items if item.line})
    identity = confirmation.about_entered(context.session, context.identity, asked)
    terms = ConfirmationTerms.of(identity, _digest(context, asked, seen), lines).stored()
    reason = confirmation.reason(context, asked)
    is_paid = effort.has_changed_something(context) and context.identity.is_believed
    budget = ReplyBudget.CHANGE if is_paid else _for_question(context)
    notice = confirmation.question(context, asked, seen, _why(context, asked, reason))
    notice = replace(notice, is_besides=True)
    context.letters.append((notice, context.addressing("confirm", held=context.row.id)))
    if not deliver(context, budget):
        return _leave_unasked(context, terms)
    note = f"{note}; the rest waits for a confirmation: {reason}"
    return Result(InboxState.HELD, note, context.identity, terms)


def _hold(context: LetterContext, body: Body, seen: Preview) -> Result:
    """Keep the letter pending and ask the primary address about it."""
    part_faults.report_faults(context)
    if seen.is_hopeless and context.identity.claims_seat:
        _reject_claim(context)
        return Result(InboxState.READ, "names a seat that is not the sender's", context.identity)
    if seen.is_hopeless:
        borrows = context.identity.borrows_token
        has_text = any(isinstance(item, PressBlock | DiaryBlock) for item in body.items)
        if has_text or not borrows:
            execution.answer(context, command_preview.undone(context, body, seen))
            deliver(context, ReplyBudget.QUESTION if borrows else ReplyBudget.WORK)
        return Result(InboxState.READ, "nothing in it can be done", context.identity)
    reason = confirmation.reason(context, body)
    possible = seen.possible(body)
    context.identity = confirmation.about_entered(context.session, context.identity, possible)
    asked = ConfirmationTerms.of(context.identity, _digest(context, body, seen)).stored()
    notice = confirmation.question(context, body, seen, _why(context, possible, reason))
    context.letters.append((notice, context.addressing("confirm", held=context.row.id)))
    if not deliver(context, _for_question(context)):
        return _leave_unasked(context, asked)
    if context.identity.claims_seat:
        _reject_claim(context)
    note = f"waits for a confirmation: {reason}"
    return Result(InboxState.HELD, note, context.identity, asked)


def _digest(context: LetterContext, asked: Body, seen: Preview) -> str:
    """Return the digest of the preview that the question shows, or "" if it shows none."""
    return "" if command_preview.is_unshown(context, asked) else seen.digest


def _why(context: LetterContext, asked: Body, reason: str) -> str:
    """Return the reason of a question, with the terms of what it asks for."""
    named = confirmation.named_otherwise(context.identity)
    return " ".join(filter(None, (reason, named, confirmation.terms_of_joining(asked))))


def _leave_unasked(context: LetterContext, asked: dict[str, Any]) -> Result:
    """Leave a letter undone, because its sender cannot be asked, or may be a program.

    The operator can release it, unless we know neither its sender nor its seat.
    """
    note = "was not done, and nobody could be asked"
    if context.identity.is_stranger:
        return Result(InboxState.IGNORED, note, context.identity)
    context.desk.unasked.append(context.row.id)
    if context.identity.claims_seat:
        _reject_claim(context)
    return Result(InboxState.UNASKED, note, context.identity, asked)


def _reject_claim(context: LetterContext) -> None:
    """Answer a claim to another's seat in the same words, whether or not the seat exists."""
    identity = context.identity
    game = identity.game.name if identity.game is not None else ""
    notice: Notice = Unknown(wrong_code=False, game=game)
    to = MailAddress("", identity.address)
    if identity.person is not None:
        to = mailbox(identity.person)
        fault = LineError(0, "", f"You have no such seat in {game or 'any game'}.")
        notice = CommandAnswers((), (fault,))
    addressing = Addressing(to, f"unknown{context.row.id}", context.row, context.answered_id)
    context.letters[:] = [(notice, addressing)]
    deliver(context, ReplyBudget.IDLE)


def _for_question(context: LetterContext) -> ReplyBudget:
    """Return the budget of a question; a program could answer each with another letter."""
    if context.identity.code_doubted or context.identity.trust is Trust.CODE:
        return ReplyBudget.CODE
    return ReplyBudget.IDLE if context.quiet else ReplyBudget.QUESTION
