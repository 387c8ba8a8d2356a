"""Answers to our questions: YES, ADD, CONFIRM, and what is none."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from referee.desk.base import ledger
from referee.desk.base.identity import ConfirmationTerms, Identity, Opened, Trust, confirmed, prove
from referee.desk.base.letter_tokens import as_read, tokens_of, typed_text
from referee.desk.base.loaded_games import LoadedGame
from referee.desk.base.outbox_writer import Addressing, mailbox
from referee.desk.orders.letter_context import LetterContext
from referee.desk.players import address_changes, privacy
from referee.desk.reception import answers, confirmation, execution, pending
from referee.desk.reception.case import ACTING, Case, Result, apply, deliver
from referee.desk.reception.pending import Need, Preview, need_of
from referee.domain.commands import Add, Confirm
from referee.domain.shares import Thing
from referee.domain.tokens import Kind, Token
from referee.letters.incoming.screening import Screening
from referee.letters.outgoing.notices import CommandAnswers, CommandReply, LineError
from referee.parsing.body import Body, ParsedCommand
from referee.parsing.items import Parsed, Unparsed
from referee.store.letter_states import InboxState
from referee.store.mail import inbox
from referee.store.models import InboxLetter
from referee.store.people import people
from referee.store.privacy import erasure

_SHOWN_NOW = "We know now that it is yours. This is what it does, so check it and confirm again."
_NOTHING_ASKED: Final = (
    "The email that you answered asks for no confirmation, so there was nothing to confirm. If a "
    "command needs one, we send you an email that shows what it does; reply CONFIRM to that one. "
    "HELP lists all commands, and HELP GM those of a GM."
)
_CONFIRMED_BEFORE: Final = (
    "You have already confirmed that email, and our answer to your first CONFIRM says what was "
    "done. This CONFIRM changed nothing."
)
_IN_CHECK: Final = "Not done, because this is a CHECK. Our question still waits for your answer."
_OTHER_GAME: Final = "Nothing was confirmed: the email that you answered is about another game."
_TO_CONFIRM: Final = (
    "Nothing that we asked about has been done yet. To have it done, reply with the word CONFIRM "
    "on a line of its own. If our question offers YES and ADD, reply with one of these words. If "
    "you do not want it, do nothing."
)
_REPLY: Final = re.compile(
    r"\W*(YES|ADD)\b(?:\W*(?:please|pls|thanks|thank you|bitte)\b)*\W*", re.IGNORECASE
)
"""YES or ADD as the answer to a question."""
_BESIDE_REPLY: Final = "The email only answers our question. Send this in an email of its own."
_CHANGED = "Something has changed since we asked you, so check it again."


def answer(case: Case) -> Result | None:
    """Handle an answer to a question of ours: it is for the letter that waits, not for itself."""
    context, body, identity = case.context, case.body, case.context.identity
    if not case.is_by_hand:
        return None
    if execution.is_check(context, body) and body.has(Confirm):
        context.said.append(CommandReply(0, "CONFIRM", _IN_CHECK, is_answer=True))
        return None
    held = identity.asked(Kind.QUESTION)
    if held is not None and (reply := _reply_in(body)):
        return _confirm(context, held, body, adding=reply == "ADD")
    if (side := identity.answers) and side.kind is Kind.ADDRESS and body.has(Confirm):
        return Result(InboxState.READ, address_changes.confirm(context, side), identity)
    if held is not None and _answers_without_confirm(context, body, held):
        return explain(context, held)
    if _confirms_nothing(identity, body):
        why = _OTHER_GAME if identity.about.answers_game else _NOTHING_ASKED
        context.said.append(CommandReply(0, "CONFIRM", why, is_answer=True))
    return None


def _confirms_nothing(identity: Identity, body: Body) -> bool:
    """Return whether somebody we know confirms an email that asks for no confirmation."""
    known = identity.person is not None and not identity.about.claims_seat
    waits = identity.answers is not None or identity.deputy is not None
    return known and body.has(Confirm) and not waits


def _reply_in(body: Body) -> str:
    """Return how the letter answers a question of ours: YES or ADD, or "" if it does not.

    ADD wins, because it takes nothing away. Above orders it adds these, and answers nothing.
    """
    has_orders = any(isinstance(item, Parsed) for item in body.items)
    if body.has(Add) and body.has(Confirm):
        return "ADD"
    if body.has(Confirm):
        return "YES"
    first = _REPLY.fullmatch(getattr(body.items[0], "text", "")) if body.items else None
    word = first[1].upper() if first is not None else ""
    if word == "YES" and body.has(Add):
        word = "ADD"
    return "" if word == "ADD" and has_orders else word


def _beside_reply(body: Body) -> Iterator[LineError]:
    """Yield everything but words next to an answer to a question: it is not done.

    The sender may have meant it for the email that waited, or for the game as it was.
    """
    for item in body.items:
        text = getattr(item, "text", "").partition("\n")[0]
        is_reply = isinstance(getattr(item, "command", None), Confirm) or _REPLY.fullmatch(text)
        if not (is_reply or (isinstance(item, Unparsed) and item.is_words)):
            yield LineError(0, text, _BESIDE_REPLY)


def _can_add(context: LetterContext, body: Body) -> bool:
    """Return whether a pending letter has orders to be added, and asks for nothing graver."""
    has_orders = any(isinstance(item, Parsed) for item in body.orders)
    return has_orders and all(need_of(context, each) is not Need.LASTING for each in body.items)


def _answers_without_confirm(context: LetterContext, body: Body, number: int) -> bool:
    """Return whether the person who was asked about a pending letter answers in other words."""
    if body.heading is not None or not body.items:
        return False
    if not all(_is_talk(item, context.table) for item in body.items):
        return False
    held = inbox.by_id(context.session, number)
    terms = ConfirmationTerms.kept_with(held) if held is not None else None
    if held is None or terms is None or held.state is not InboxState.HELD:
        return False
    return confirmation.is_from_asked(context, as_read(held), terms)


def _is_talk(item: object, table: LoadedGame | None) -> bool:
    """Return whether a line of a letter is neither an order nor a command, nor a mistyped one."""
    if not isinstance(item, Unparsed) or item.is_command:
        return False
    return table is None or item.is_words


def explain(context: LetterContext, number: int) -> Result:
    """Answer "yes" to a question, which only the word CONFIRM answers."""
    if not context.identity.trust.is_from_owner:
        # The person who was asked may not be the player of the seat in the subject.
        context.identity = context.identity.told(seat=None)
    # IDLE, because a program could answer each of our answers.
    notice = CommandAnswers((), note=_TO_CONFIRM, fact="not confirmed yet: reply CONFIRM")
    context.letters.append((notice, context.addressing("explain", held=number)))
    deliver(context, Thing.IDLE)
    return Result(InboxState.READ, f"does not confirm email #{number}", context.identity)


def _confirm(context: LetterContext, number: int, reply: Body, *, adding: bool) -> Result:
    """Carry out a pending letter, now that the primary address has confirmed it in *reply*.

    *adding* adds its orders to those on file, so nothing is given up for them.
    Idempotent: after the first confirmation the letter is no longer pending. Nothing is done if the
    seat has another player now.
    """
    held = inbox.by_id(context.session, number)
    terms = ConfirmationTerms.kept_with(held) if held is not None else None
    if held is None or terms is None or held.state is not InboxState.HELD:
        return _confirm_again(context, held, terms)
    letter = as_read(held)
    if not confirmation.is_from_asked(context, letter, terms):
        return _report_stranger(context, number, terms)
    own = typed_text(context.session, letter, context.site.key)
    tokens = tokens_of(context.site, letter, held)
    read = Opened(held, letter, Screening.HUMAN, tokens, own=own)
    identity = confirmed(context.session, held, prove(context.desk, read), terms)
    if identity is None:
        return _nothing_waits(context)
    case = Case(context.desk, read)
    case.others = [*_beside_reply(reply)]
    case.open(identity)
    again, body = case.context, case.body
    seen = pending.preview(again, body)
    if adding and not _can_add(again, body):
        return explain(context, number)
    if not adding and confirmation.must_be_shown(again, body, seen, terms):
        return _ask_again(again, body, seen, terms)
    # If nothing can be done now, each command of a player answers with its own reason.
    again.refused = {} if seen.is_hopeless and not identity.is_gm else seen.reasons
    if adding:
        case.body = replace(body, items=(ParsedCommand(0, "ADD", Add()), *body.items))
    return _carry_out(context, case)


def _carry_out(context: LetterContext, case: Case) -> Result:
    """Carry out a pending letter, the *case*, that the letter of the context confirms."""
    again = case.context
    held, identity = case.row, again.identity
    if not Trust.of(held).is_proven:
        ledger.give_back(context.desk, again.to.address)
        if identity.person is not None and identity.person.signs == held.writer:
            # Another mail program of theirs does not sign.
            identity.person.signs = ""
    routed = apply(ACTING, case)
    held.state, held.note = routed.state, f"confirmed by email #{context.row.id}: {routed.note}"
    if routed.holder is not None and identity.seat is not None and held.receipt is None:
        inbox.take_receipt(context.session, held, identity.seat)
    held.holder_id, held.trust = routed.holder, Trust.CONFIRMED.name.lower()
    if privacy.is_forgotten(identity.person):
        erasure.empty_letter(context.session, context.row.id, context.now)
        identity = identity.told(game=None, seat=None)
    return Result(InboxState.READ, f"confirmed email #{held.id}", identity)


def _report_stranger(context: LetterContext, number: int, terms: ConfirmationTerms) -> Result:
    """Notify the person who was asked that somebody else sent a CONFIRM, which changed nothing."""
    if terms.person is not None and (asked := people.by_id(context.session, terms.person)):
        said = confirmation.by_another(context.identity)
        notice = CommandAnswers((), (LineError(0, "CONFIRM", said),))
        token = Token(Kind.QUESTION, number)
        to, serial = mailbox(asked), f"stranger{context.row.id}"
        addressing = Addressing(to, serial, context.row, context.answered_id, token=token)
        context.letters.append((notice, addressing))
        deliver(context, Thing.QUESTION)
    return Result(
        InboxState.READ, f"confirms email #{number} from another address", context.identity
    )


def _confirm_again(
    context: LetterContext,
    held: InboxLetter | None,
    terms: ConfirmationTerms | None,
) -> Result:
    """Answer a CONFIRM of a letter that no longer waits, perhaps because it was confirmed."""
    if held is None or terms is None or Trust.of(held) is not Trust.CONFIRMED:
        return _nothing_waits(context)
    if not confirmation.is_from_asked(context, as_read(held), terms):
        return _nothing_waits(context)
    context.said.append(CommandReply(0, "CONFIRM", _CONFIRMED_BEFORE, is_answer=True))
    return _nothing_waits(context)


def _nothing_waits(context: LetterContext) -> Result:
    if not context.identity.trust.is_from_owner and context.identity.person is not None:
        # The deputy who was asked is not the player of the seat in the subject.
        context.identity = context.identity.told(seat=None)
    why = "That email no longer waits for your confirmation."
    answers.answer(context, () if context.said else (LineError(0, "CONFIRM", why),))
    deliver(context, Thing.WORK)
    return Result(InboxState.READ, "answered", context.identity)


def _ask_again(
    context: LetterContext, body: Body, seen: Preview, terms: ConfirmationTerms
) -> Result:
    """Send a new preview, because the effect of the pending letter has changed."""
    context.row.asked = replace(terms, shown=seen.digest).stored()
    reason = _CHANGED if terms.shown else _SHOWN_NOW
    notice = confirmation.question(context, body, seen, reason)
    notice = replace(notice, is_besides=bool(terms.lines))
    context.letters.append(
        (notice, context.addressing(f"confirm{seen.digest}x", held=context.row.id))
    )
    deliver(context, Thing.WORK)
    return Result(InboxState.READ, f"asked again about email #{context.row.id}", context.identity)
