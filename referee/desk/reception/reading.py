"""Reading: the rules that a letter passes, in order, until one of them ends it."""

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Final

from referee.desk.base import codes, ledger, reply_limits
from referee.desk.base.desk import Desk
from referee.desk.base.identity import (
    ConfirmationTerms,
    Identity,
    Opened,
    Trust,
    Why,
    confirmed,
    prove,
)
from referee.desk.base.letter_tokens import as_read, is_from, is_variant, tokens_of, typed_text
from referee.desk.base.outbox_writer import Addressing, mailbox
from referee.desk.base.reply_limits import Asked
from referee.desk.gm import change_notices
from referee.desk.orders import doubt
from referee.desk.orders.command_entries import For
from referee.desk.orders.letter_context import LetterContext
from referee.desk.players import address_changes
from referee.desk.reception import answers, bounces, execution, pending
from referee.desk.reception.case import (
    ACTING,
    Case,
    Result,
    Rule,
    apply,
    conclude,
    deliver,
    must_be_shown,
    question,
)
from referee.desk.reception.commands import COMMANDS
from referee.desk.reception.execution import is_check
from referee.desk.reception.pending import Need, Preview, need_of
from referee.desk.seats import deputies
from referee.domain.commands import Add, Confirm, Decline, StandDown, TakeOver
from referee.domain.mail_transfer import MOST_OCTETS
from referee.domain.shares import Key, Span, Thing
from referee.domain.tokens import Kind, Token
from referee.letters.incoming.decode import body_hash
from referee.letters.incoming.screening import Screening
from referee.letters.outgoing.local_time import Moment
from referee.letters.outgoing.notices import (
    CommandAnswers,
    CommandReply,
    LineError,
)
from referee.letters.outgoing.unread_notices import AlreadyReceived, TooBig
from referee.parsing.body import Body, DiaryBlock, Item, ParsedCommand, StandingBlock
from referee.parsing.items import Parsed, Unparsed
from referee.store.letter_states import InboxState
from referee.store.mail import inbox
from referee.store.models import InboxLetter
from referee.store.people import people
from referee.store.privacy import erasure

_RETURNS: Final = (Screening.BOUNCE, Screening.COMPLAINT)
IGNORED: Final = (Screening.LOOP, Screening.TOO_BIG, Screening.BIG_PROGRAM)
WORKS_AGAIN: Final = timedelta(days=3)
"""If this long has passed since the last bounce, a reply shows that the address works again."""
_NOTHING_ASKED: Final = (
    "The email that you answered asks for no confirmation, so there was nothing to confirm. If a "
    "command needs one, we send you an email that shows what it does; reply CONFIRM to that one. "
    "HELP COMMANDS lists all commands, and HELP GM ALL those of a GM."
)
_CONFIRMED_BEFORE: Final = (
    "You have already confirmed that email, and our answer to your first CONFIRM says what was "
    "done. This CONFIRM changed nothing."
)
_IN_CHECK: Final = "Not done, because this is a CHECK. Our question still waits for your answer."
_OTHER_GAME: Final = "Nothing was confirmed: the email that you answered is about another game."
_TO_CONFIRM: Final = (
    "Nothing that we asked about has been done yet. To have it done, reply with the word CONFIRM "
    "alone, without words that deny or ask. If our question offers YES and ADD, reply with one of "
    "these words. If you do not want it, do nothing."
)
_WITH_MARKS: Final = (
    "Nothing that we asked about has been done yet. A mail server marked your email as one of a "
    "program or a list, and anyone could have sent the email that we asked about. So send its text "
    "again in a reply to an email of ours."
)
_REPLY: Final = re.compile(
    r"\W*(YES|ADD)\b(?:\W*(?:please|pls|thanks|thank you|bitte)\b)*\W*", re.IGNORECASE
)
"""YES or ADD as the answer to a question."""
_BESIDE_REPLY: Final = "The email only answers our question. Send this in an email of its own."
_CHANGED = "Something has changed since we asked you, so check it again."


def take_returns(case: Case) -> Result | None:
    """Count a report that a letter of ours bounced or was called spam."""
    screening = case.read.screening
    if screening not in _RETURNS:
        return None
    note = bounces.take_return(case.desk, case.read.letter, case.row, screening)
    return Result(InboxState.IGNORED, note)


def ignore_unread(case: Case) -> Result | None:
    """Ignore a letter of ours that came back, and one that is too big, of which a person learns."""
    screening = case.read.screening
    if screening not in IGNORED:
        return None
    if screening is Screening.TOO_BIG:
        reply_limits.answer_unread(
            case.desk, case.row, case.read.letter.writer, TooBig(MOST_OCTETS // 1_000_000)
        )
    return Result(InboxState.IGNORED, screening.value)


def find_sender(case: Case) -> None:
    """Find who wrote the letter, for which seat, and how sure that is."""
    case.sender = prove(case.desk, case.read)


def drop_copies(case: Case) -> Result | None:
    """End a copy of an earlier letter."""
    token = case.sender.answers
    question = token.full_name if token is not None else ""
    case.digest = body_hash(case.read.letter, case.read.own, question)
    case.twins = _twins(case)
    # A letter that we believe is no copy of one that we do not: anyone can send its text first,
    # with a forged From.
    is_sure = case.sender.trust.is_sure
    twin = next((each for each in case.twins if not is_sure or Trust.of(each).is_sure), None)
    if twin is None:
        return None
    if case.read.screening is Screening.HUMAN:
        _answer_copy(case, twin)
    return Result(InboxState.IGNORED, f"a copy of email #{twin.id}")


def read_lines(case: Case) -> None:
    """Read the lines of the letter as orders, commands and words.

    One sent to another person's token is the sender's own if it asks nothing of that person's seat.
    """
    desk, row, sender = case.desk, case.row, case.sender
    case.open(_as_released(desk, row, sender))
    if sender.trust is Trust.ELSEWHERE and not _asks_of_owner(sender, case.body):
        case.read = replace(case.read, tokens=case.read.tokens.without_owners())
        case.sender = prove(desk, case.read)
        case.open(_as_released(desk, row, case.sender))
    case.context.note = case.sender.note


def _asks_of_owner(identity: Identity, body: Body) -> bool:
    """Return whether a letter to another person's token asks something for that person's seat."""
    if body.heading is not None and body.heading.by_gm:
        return False
    if identity.asked(Kind.OFFER) is not None:
        return body.has(TakeOver, Decline, StandDown)
    if body.press or any(
        isinstance(item, Parsed | DiaryBlock | StandingBlock) for item in body.items
    ):
        return True
    needed = (COMMANDS[type(item.command)].who for item in body.commands)
    return any(
        who & (For.SEAT | For.DEPUTY | For.KNOWN) and For.ANYONE not in who for who in needed
    )


def ignore_idle_programs(case: Case) -> Result | None:
    """Ignore a letter that may be a program's; the operator learns of orders of a known sender."""
    context, identity = case.context, case.context.identity
    kind = context.screening
    if kind is Screening.HUMAN:
        return None
    if _is_worth_reading(context, case.body):
        if kind is Screening.MARKED:
            context.is_new, context.before = _asks_new(context, case.body), context.on_file
        return None
    if identity.person is None or not _work(case.body):
        return Result(InboxState.IGNORED, f"{kind.value}, with nothing to do", case.sender)
    context.desk.unasked.append(case.row.id)
    note = f"{kind.value}, with orders or commands that were not done, and nobody was asked"
    return Result(InboxState.UNASKED, note, identity, ConfirmationTerms.of(identity).stored())


def note_evidence(case: Case) -> None:
    """Count a wrong security code, and record that the player's address works."""
    context, identity = case.context, case.context.identity
    person = identity.person
    if person is not None and identity.proof.why is Why.WRONG_CODE:
        token = case.read.tokens.of(context.session, person)
        codes.count_wrong(context.desk, person, token)
    bounced = person.bounced_at if person is not None else None
    if identity.trust is Trust.TOKEN and person and bounced and bounced < context.now - WORKS_AGAIN:
        person.second_bounces, person.bounced_at = 0, None
        # Replies to letters at the second address prove nothing about the primary one.
        person.bounces = person.bounces if person.is_at_second else 0
    if not case.is_by_hand and identity.asked(Kind.OFFER) is not None:
        # A program cannot accept a seat.
        context.identity = replace(identity, answers=None)


def answer_idle_deputies(case: Case) -> Result | None:
    """Accept a deputyship, or answer why the deputy cannot order now."""
    context = case.context
    deputy = context.identity.deputy
    if deputy is None or context.identity.seat is not None:
        return None
    agrees = _reply_in(case.context, case.body) == "YES"
    accepts = case.is_by_hand and agrees and not is_check(context, case.body)
    if accepts and deputies.may_accept(context, deputy):
        deputies.accept(context, deputy)
        change_notices.notify(context, None)
        return conclude(context, Thing.WORK, "accepted to be deputy")
    fault = LineError(0, "", deputies.closed(deputy, context.now))
    addressing = context.addressing("answer")
    if deputies.is_asked(deputy, context.now):
        # It repeats the question, so a reply to it must accept, too.
        addressing = replace(addressing, seat=deputy.seat, deputy=deputy)
    context.letters.append((CommandAnswers((), (fault,)), addressing))
    return conclude(context, Thing.IDLE, "from a deputy who cannot order now")


def _as_released(desk: Desk, row: InboxLetter, identity: Identity) -> Identity:
    """Return the identity, confirmed if the operator released a letter nobody was asked about."""
    terms = ConfirmationTerms.kept_with(row)
    if terms is None:
        return identity
    return confirmed(desk.session, identity, terms) or identity


def _is_worth_reading(context: LetterContext, body: Body) -> bool:
    """Return whether a letter that may be a program's is for us.

    A mailing is if we know its sender, or if it begins with a command. Any other one needs orders.
    A gesture is if somebody typed more than words in it.
    One with the marks of a program or a list must be proven, and somebody must have typed more than
    words, be it read or not.
    One that a program made must come from the player whose token it has.
    """
    identity, has_orders = context.identity, bool(body.parsed)
    match context.screening:
        case Screening.MAILING:
            begins = bool(body.items) and isinstance(body.items[0], ParsedCommand)
            return begins or identity.person is not None
        case Screening.AWAY:
            return has_orders
        case kind if kind.is_gesture:
            return bool(_work(body))
        case Screening.MARKED:
            return identity.trust >= Trust.ALIGNED and any(_asked_for(context, body))
        case kind:
            return has_orders and kind is Screening.AUTOMATIC and _is_own_program(context)


def _work(body: Body) -> list[Item]:
    """Return the orders, commands and messages of a letter, and what is nearly one."""
    return [
        item
        for item in body.items
        if not (isinstance(item, Unparsed) and item.is_words) or item.to_send
    ]


def _asked_for(context: LetterContext, body: Body) -> Iterator[str]:
    """Yield the texts of a letter that are more than words: those read, and those that were not."""
    yield from (str(getattr(item, "text", item)) for item in _work(body))
    yield _reply_in(context, body)
    yield from (each.text or each.reason for each in doubt.unread(context, body))


def _asks_new(context: LetterContext, body: Body) -> bool:
    """Return whether nobody has asked for the same in a turn and a day, and note that one has."""
    turn = context.table.game.turn if context.table is not None else 0
    work = "\n".join((str(turn), *_asked_for(context, body)))
    asked = hashlib.sha256(work.encode()).hexdigest()[:16]
    payers = {Key.PERSON: f"{context.to.address} {asked}"}
    return ledger.is_first_notice(context.desk, Thing.REPEATED, payers, Span.DAY)


def _is_own_program(context: LetterContext) -> bool:
    """Return whether a letter has a player's token and comes from an address of that player."""
    identity = context.identity
    sender = people.by_address(context.session, identity.address) if identity.address else None
    has_token = identity.trust is Trust.TOKEN or identity.proof.why is Why.CONTRADICTED
    return has_token and sender is not None and sender is identity.person


def _twins(case: Case) -> Sequence[InboxLetter]:
    """Return the earlier letters with this Message-ID that were used the same way, oldest first.

    They have the same text, and were for the same seat. A signature does not cover all that the
    text depends on, so for a letter that is signed, those with other text are among them, if they
    have the same Date, which every signature covers.
    """
    session, row, message_id = case.desk.session, case.row, case.read.letter.message_id
    if not message_id:
        return ()
    if case.sender.trust is Trust.ALIGNED:
        date = case.read.letter.header("Date")
        named = inbox.twins_by_name(session, row, message_id)
        twins = [twin for twin in named if as_read(twin).header("Date") in ("", date)]
    else:
        twins = inbox.twins(session, message_id, case.digest or "", row.id)
    return [twin for twin in twins if _is_for_same_seat(twin, case.sender)]


def _answer_copy(case: Case, twin: InboxLetter) -> None:
    """Answer that the letter is a copy of an earlier one, if the address is known.

    One that was stored for several reply addresses came once, so it is answered once. So is one
    that a mail server handed over again, octet for octet, because it did not hear that the first
    was stored: nobody sent it twice.
    """
    row, desk, senders = case.row, case.desk, case.read.letter.senders
    came_once = row.sha256 == twin.sha256 or row.source_id.startswith(f"{twin.source_id}+")
    if (row.source == twin.source and came_once) or not senders:
        return
    if (person := people.by_address(desk.session, senders[0].address)) is not None:
        # The receipt of another person's seat would be a number of theirs.
        receipt = twin.receipt if twin.holder_id == person.id else None
        notice = AlreadyReceived(receipt, Moment(twin.arrived_at, person.zone))
        addressing = Addressing(mailbox(person), f"copy{row.id}", answers=row)
        reply_limits.answer(desk, [(notice, addressing)], Asked(Thing.IDLE))


def _is_for_same_seat(twin: InboxLetter, sender: Identity) -> bool:
    """Return whether an earlier letter was for no other seat than this one.

    Its player may have left that seat since. A signed letter says the same whenever it comes, so
    it does not count again if they have another seat by then.
    """
    seat, person = sender.seat, sender.person
    used = (twin.game_id, twin.seat_number)
    if twin.seat_number is None or (seat is not None and used == (seat.game_id, seat.number)):
        return True
    may_have_left = seat is None or sender.trust is Trust.ALIGNED
    return may_have_left and person is not None and twin.holder_id == person.id


def answer_question(case: Case) -> Result | None:
    """Handle an answer to a question of ours: it is for the letter that waits, not for itself."""
    context, body, identity = case.context, case.body, case.context.identity
    held = identity.asked(Kind.QUESTION)
    if not case.is_by_hand:
        is_answer = case.read.screening is Screening.MARKED and _reply_in(context, body)
        asked = inbox.by_id(case.desk.session, held or 0) if is_answer else None
        if asked is None or asked.state is not InboxState.HELD:
            return None
        if not Trust.of(asked).is_proven:
            # The question about a forged one could make a program answer.
            return explain(context, asked.id, "send it again", _WITH_MARKS)
        # The writer of that letter reads the answer to it, whatever marks their server adds.
        context.screening = Screening.HUMAN
    if execution.is_check(context, body) and body.has(Confirm):
        context.said.append(CommandReply(0, "CONFIRM", _IN_CHECK, is_answer=True))
        return None
    if held is not None and (reply := _reply_in(context, body)):
        return _confirm(context, held, body, adding=reply == "ADD")
    if (
        (side := identity.answers)
        and side.kind is Kind.ADDRESS
        and _reply_in(context, body) == "YES"
    ):
        return Result(InboxState.READ, address_changes.confirm(context, side), identity)
    if held is not None and _answers_without_confirm(context, body, held):
        return explain(context, held)
    known = identity.person is not None and not identity.about.claims_seat
    if known and body.has(Confirm) and identity.answers is None and identity.deputy is None:
        why = _OTHER_GAME if identity.about.answers_game else _NOTHING_ASKED
        context.said.append(CommandReply(0, "CONFIRM", why, is_answer=True))
    return None


def _reply_in(context: LetterContext, body: Body) -> str:
    """Return how the letter answers a question of ours: YES or ADD, or "" if it does not.

    ADD wins, because it takes nothing away. Above orders it adds these, and answers nothing. A YES
    before a command, which is polite in other letters, is an answer. Below words that deny or ask,
    there is none.
    """
    first, *_ = (*body.commanded(Confirm), *body.items) or (None,)
    lines = [getattr(each, "text", "").strip(" .!").upper() for each in body.items]
    if first is None or "NO" in lines or doubt.refuses(body, first.line):
        return ""
    if body.has(Confirm):
        return "ADD" if body.has(Add) else "YES"
    text = getattr(first, "text", "")
    typed = (each.text for each in context.own.lines if each.number == first.line)
    before = next(typed, "").partition(text)[0] if isinstance(first, ParsedCommand) else ""
    found = _REPLY.fullmatch(before) or _REPLY.fullmatch(text)
    word = found[1].upper() if found is not None else ""
    if word == "YES" and body.has(Add):
        word = "ADD"
    return "" if word == "ADD" and body.parsed else word


def _beside_reply(body: Body) -> Iterator[LineError]:
    """Yield everything but words next to an answer to a question: it is not done.

    The sender may have meant it for the email that waited, or for the game as it was.
    """
    for item in body.items:
        text = getattr(item, "text", "").partition("\n")[0]
        is_reply = isinstance(getattr(item, "command", None), Confirm) or _REPLY.fullmatch(text)
        if not (is_reply or (isinstance(item, Unparsed) and item.is_words)):
            yield LineError(0, text, _BESIDE_REPLY)


def _answers_without_confirm(context: LetterContext, body: Body, number: int) -> bool:
    """Return whether the person who was asked about a pending letter answers in other words."""
    if body.heading is not None or not body.items:
        return False
    for item in body.items:
        if isinstance(item, ParsedCommand) and isinstance(item.command, Confirm | Add):
            continue
        # Before the start of a game, all lines that are not read are talk.
        if not isinstance(item, Unparsed) or item in body.mistyped or item.to_send:
            return False
        if not item.is_words and context.table is not None:
            return False
    held = inbox.by_id(context.session, number)
    return held is not None and held.state is InboxState.HELD and _is_from_asked(context, held)


def _is_from_asked(context: LetterContext, held: InboxLetter) -> bool:
    """Return whether the letter comes from an address of the person asked about a pending one.

    If the address was unknown when it was asked, it is the one that the pending letter came from.
    """
    address, terms = context.identity.address, ConfirmationTerms.kept_with(held)
    if terms is None:
        return False
    if terms.person is None:
        return any(is_variant(address, sender.address) for sender in as_read(held).senders)
    asked = people.by_id(context.session, terms.person)
    return asked is not None and is_from(context.session, address, asked)


def explain(
    context: LetterContext, number: int, advice: str = "reply CONFIRM", note: str = _TO_CONFIRM
) -> Result:
    """Answer a reply to a question that does not answer it, with *advice* on what does."""
    if not context.identity.trust.is_from_owner:
        # The person who was asked may not be the player of the seat in the subject.
        context.identity = context.identity.told(seat=None)
    # IDLE, because a program could answer each of our answers.
    notice = CommandAnswers((), note=note, fact=f"not confirmed yet: {advice}")
    context.letters.append((notice, context.addressing("explain", held=number)))
    return conclude(context, Thing.IDLE, f"does not confirm email #{number}")


def _confirm(context: LetterContext, number: int, reply: Body, *, adding: bool) -> Result:
    """Carry out a pending letter, now that the primary address has confirmed it in *reply*.

    *adding* adds its orders to those on file, so nothing is given up for them.
    Idempotent: after the first confirmation the letter is no longer pending. Nothing is done if the
    seat has another player now.
    """
    held = inbox.by_id(context.session, number)
    terms = ConfirmationTerms.kept_with(held) if held is not None else None
    if held is None or terms is None or held.state is not InboxState.HELD:
        is_done = held is not None and Trust.of(held) is Trust.CONFIRMED
        if held is not None and is_done and _is_from_asked(context, held):
            context.said.append(CommandReply(0, "CONFIRM", _CONFIRMED_BEFORE, is_answer=True))
        return _nothing_waits(context)
    if not _is_from_asked(context, held):
        return _report_stranger(context, number, terms)
    letter = as_read(held)
    tokens = tokens_of(context.site, letter, held)
    own = typed_text(context.session, letter, context.site.key, context.effort)
    read = Opened(held, letter, Screening.HUMAN, tokens, effort=context.effort, own=own)
    identity = confirmed(context.session, prove(context.desk, read), terms)
    if identity is None:
        return _nothing_waits(context)
    case = Case(context.desk, read)
    case.others = [*_beside_reply(reply)]
    case.open(identity)
    again, body = case.context, case.body
    seen = pending.preview(again, body)
    is_graver = adding and any(need_of(again, each) is Need.LASTING for each in body.items)
    if adding and (is_graver or not body.parsed):
        return explain(context, number)
    if not adding and must_be_shown(again, body, seen, terms):
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
        ledger.give_back(context.desk, again.to.address, held.network)
        if identity.person is not None and identity.person.signs == held.writer:
            # Another mail program of theirs does not sign.
            identity.person.signs = ""
    routed = apply(ACTING, case)
    held.state, held.note = routed.state, f"confirmed by email #{context.row.id}: {routed.note}"
    if routed.holder is not None and identity.seat is not None and held.receipt is None:
        inbox.take_receipt(context.session, held, identity.seat)
    held.holder_id, held.trust = routed.holder, Trust.CONFIRMED.name.lower()
    if routed.is_erased:
        erasure.empty_letter(context.session, context.row.id, context.now)
        identity = identity.told(game=None, seat=None)
    return Result(InboxState.READ, f"confirmed email #{held.id}", identity)


def _report_stranger(context: LetterContext, number: int, terms: ConfirmationTerms) -> Result:
    """Notify the person who was asked that somebody else sent a CONFIRM, which changed nothing."""
    if terms.person is not None and (asked := people.by_id(context.session, terms.person)):
        said = (
            f"It came from {context.identity.shown_address}, which is not an address of yours, so "
            "your email still waits. If you want it, reply with the word CONFIRM from your own "
            "address."
        )
        notice = CommandAnswers((), (LineError(0, "CONFIRM", said),))
        token = Token(Kind.QUESTION, number)
        to, serial = mailbox(asked), f"stranger{context.row.id}"
        addressing = Addressing(to, serial, context.row, context.answered_id, token=token)
        context.letters.append((notice, addressing))
        deliver(context, Thing.QUESTION)
    return Result(
        InboxState.READ, f"confirms email #{number} from another address", context.identity
    )


def _nothing_waits(context: LetterContext) -> Result:
    if not context.identity.trust.is_from_owner and context.identity.person is not None:
        # The deputy who was asked is not the player of the seat in the subject.
        context.identity = context.identity.told(seat=None)
    why = "That email no longer waits for your confirmation."
    answers.answer(context, () if context.said else (LineError(0, "CONFIRM", why),))
    return conclude(context, Thing.WORK, "answered")


def _ask_again(
    context: LetterContext, body: Body, seen: Preview, terms: ConfirmationTerms
) -> Result:
    """Send a new preview, because the effect of the pending letter has changed."""
    context.row.asked = replace(terms, shown=seen.digest).stored()
    notice = question(context, body, seen, _CHANGED, is_besides=bool(terms.lines))
    context.letters.append(
        (notice, context.addressing(f"confirm{seen.digest}x", held=context.row.id))
    )
    return conclude(context, Thing.WORK, f"asked again about email #{context.row.id}")


READING: Final = (
    Rule(take_returns, "a report about a letter of ours is no letter to us"),
    Rule(ignore_unread, "a letter of ours that came back ends, and a person's that is too big"),
    Rule(find_sender, "who wrote it, for which seat, how sure"),
    Rule(drop_copies, "of two letters that are used the same way the first counts"),
    Rule(read_lines, "a line that reads whole is an order or a command; all others are words"),
    Rule(ignore_idle_programs, "what may be a program's counts only if it has something to do"),
    Rule(note_evidence, "a wrong code counts, and a reply shows that the address works"),
    Rule(answer_question, "YES, ADD or CONFIRM is for the letter that waits"),
    Rule(answer_idle_deputies, "a deputy who cannot order now gets the reason, or accepts"),
    *ACTING,
)
"""The path of a letter. Each rule sees what those above it found."""
