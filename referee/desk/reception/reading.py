"""Reading: the rules that a letter passes, in order, until one of them ends it."""

from dataclasses import replace
from typing import Final

from referee.desk.base import codes
from referee.desk.base.desk import Desk
from referee.desk.base.identity import ConfirmationTerms, Identity, Trust, Why, confirmed, prove
from referee.desk.orders.letter_context import LetterContext
from referee.desk.reception import bounces, confirmation, copies, questions
from referee.desk.reception.case import ACTING, Case, Result, Rule, deliver
from referee.desk.reception.execution import is_check
from referee.desk.seats import deputies
from referee.domain.commands import Confirm
from referee.domain.shares import Thing
from referee.domain.tokens import Kind
from referee.letters.incoming.screening import Screening
from referee.letters.outgoing.notices import CommandAnswers, LineError
from referee.parsing.body import Body, ParsedCommand
from referee.parsing.items import Parsed
from referee.store.letter_states import InboxState
from referee.store.models import InboxLetter
from referee.store.people import people

_RETURNS: Final = (Screening.BOUNCE, Screening.COMPLAINT)
_IGNORED: Final = (Screening.LOOP, Screening.TOO_BIG)


def take_returns(case: Case) -> Result | None:
    """Count a report that a letter of ours bounced or was called spam."""
    screening = case.read.screening
    if screening not in _RETURNS:
        return None
    note = bounces.take_return(case.desk, case.read.letter, case.row, screening)
    return Result(InboxState.IGNORED, note)


def ignore_unreadable(case: Case) -> Result | None:
    """Ignore a letter of ours that came back, and one that is too big."""
    screening = case.read.screening
    return Result(InboxState.IGNORED, screening.value) if screening in _IGNORED else None


def find_sender(case: Case) -> None:
    """Find who wrote the letter, for which seat, and how sure that is."""
    case.sender = prove(case.desk, case.read)


def drop_copies(case: Case) -> Result | None:
    """End a copy of an earlier letter."""
    desk, letter, sender = case.desk, case.read.letter, case.sender
    case.digest = copies.digest_of(letter, case.read.own, sender)
    case.twins = copies.twins_of(desk.session, letter, case.digest, case.row, sender)
    if (twin := copies.original(case.twins, sender)) is None:
        return None
    if case.read.screening is Screening.HUMAN:
        copies.answer(desk, letter, case.row, twin)
    return Result(InboxState.IGNORED, f"a copy of email #{twin.id}")


def read_lines(case: Case) -> None:
    """Read the lines of the letter as orders, commands and words.

    One sent to another person's token is the sender's own if it asks nothing of that person's seat.
    """
    desk, row, sender = case.desk, case.row, case.sender
    case.open(_as_released(desk, row, sender))
    if sender.trust is Trust.ELSEWHERE and not confirmation.asks_of_owner(sender, case.body):
        case.read = replace(case.read, tokens=case.read.tokens.without_owners())
        case.sender = prove(desk, case.read)
        case.open(_as_released(desk, row, case.sender))
    case.context.note = confirmation.note(case.sender)


def ignore_idle_programs(case: Case) -> Result | None:
    """Ignore a letter that may be a program's; the operator learns of orders of a known sender."""
    context, identity = case.context, case.context.identity
    kind = context.screening
    if kind is Screening.HUMAN or _is_worth_reading(context, case.body):
        return None
    if identity.person is None or not any(isinstance(item, Parsed) for item in case.body.orders):
        return Result(InboxState.IGNORED, f"{kind.value}, with nothing to do", case.sender)
    context.desk.unasked.append(case.row.id)
    note = f"{kind.value}, with orders that were not done, and nobody was asked"
    return Result(InboxState.UNASKED, note, identity, ConfirmationTerms.of(identity).stored())


def note_evidence(case: Case) -> None:
    """Count a wrong security code, and record that the player's address works."""
    context, identity = case.context, case.context.identity
    if identity.proof.why is Why.WRONG_CODE and identity.person is not None:
        codes.count_wrong(context.desk, identity.person)
    if identity.trust is Trust.TOKEN and identity.person is not None:
        bounces.note_reply(identity.person, context.now)
    if not case.is_by_hand and identity.asked(Kind.OFFER) is not None:
        # A program cannot accept a seat.
        context.identity = replace(identity, answers=None)


def answer_idle_deputies(case: Case) -> Result | None:
    """Accept a deputyship, or answer why the deputy cannot order now."""
    context = case.context
    deputy = context.identity.deputy
    if deputy is None or context.identity.seat is not None:
        return None
    accepts = case.is_by_hand and case.body.has(Confirm) and not is_check(context, case.body)
    if accepts and deputies.may_accept(context, deputy):
        deputies.accept(context, deputy)
        deliver(context, Thing.WORK)
        return Result(InboxState.READ, "accepted to be deputy", context.identity)
    fault = LineError(0, "", deputies.closed(deputy, context.now))
    addressing = context.addressing("answer")
    if deputies.is_asked(deputy, context.now):
        # It repeats the question, so a reply to it must accept, too.
        addressing = replace(addressing, seat=deputy.seat, deputy=deputy)
    context.letters.append((CommandAnswers((), (fault,)), addressing))
    deliver(context, Thing.IDLE)
    return Result(InboxState.READ, "from a deputy who cannot order now", context.identity)


READING: Final = (
    Rule(take_returns, "a report about a letter of ours is no letter to us"),
    Rule(ignore_unreadable, "a letter of ours that came back gets no answer, so that loops end"),
    Rule(find_sender, "who wrote it, for which seat, how sure"),
    Rule(drop_copies, "of two letters that are used the same way the first counts"),
    Rule(read_lines, "a line that reads whole is an order or a command; all others are words"),
    Rule(ignore_idle_programs, "what may be a program's counts only if it has something to do"),
    Rule(note_evidence, "a wrong code counts, and a reply shows that the address works"),
    Rule(questions.answer, "YES, ADD or CONFIRM is for the letter that waits"),
    Rule(answer_idle_deputies, "a deputy who cannot order now gets the reason, or accepts"),
    *ACTING,
)
"""The path of a letter. Each rule sees what those above it found."""


def _as_released(desk: Desk, row: InboxLetter, identity: Identity) -> Identity:
    """Return the identity, confirmed if the operator released a letter nobody was asked about."""
    terms = ConfirmationTerms.kept_with(row)
    if terms is None:
        return identity
    return confirmed(desk.session, row, identity, terms) or identity


def _is_worth_reading(context: LetterContext, body: Body) -> bool:
    """Return whether a letter that may be a program's is for us.

    A mailing is if we know its sender, or if it begins with a command. Any other one needs orders.
    One with the marks of a program or a list must be proven, and somebody must have typed its
    orders: an edited sheet could be a program's quote. One that a program made must come from the
    player whose token it has.
    """
    identity = context.identity
    has_orders = any(isinstance(item, Parsed) for item in body.orders)
    match context.screening:
        case Screening.MAILING:
            begins = bool(body.items) and isinstance(body.items[0], ParsedCommand)
            return begins or identity.person is not None
        case Screening.AWAY:
            return has_orders
        case Screening.MARKED:
            has_typed = has_orders and (context.reading is None or context.reading.edited is None)
            return has_typed and identity.trust >= Trust.ALIGNED
        case kind:
            return has_orders and kind is Screening.AUTOMATIC and _is_own_program(context)


def _is_own_program(context: LetterContext) -> bool:
    """Return whether a letter has a player's token and comes from an address of that player."""
    identity = context.identity
    sender = people.by_address(context.session, identity.address) if identity.address else None
    has_token = identity.trust is Trust.TOKEN or identity.proof.why is Why.CONTRADICTED
    return has_token and sender is not None and sender is identity.person
