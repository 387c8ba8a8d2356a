"""Routing: a letter goes to the use cases it asks for, or waits for a confirmation."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from referee.desk.base import reply_limits, wrong_codes
from referee.desk.base.answered import as_read, typed_text
from referee.desk.base.desk import Desk
from referee.desk.base.identity import Identity
from referee.desk.base.letter_tokens import tokens_of
from referee.desk.base.loaded_games import LoadedGame, lay_begun
from referee.desk.base.outbox_writer import Addressing, mailbox
from referee.desk.base.site import Site
from referee.desk.orders import player_text, words
from referee.desk.orders.final_conditions import with_named
from referee.desk.orders.letter_context import LetterContext
from referee.desk.players import address_changes, privacy
from referee.desk.players.order_sheet import with_standing
from referee.desk.players.votes import with_ballots
from referee.desk.reception import (
    bounces,
    command_preview,
    confirmation,
    effort,
    execution,
    part_faults,
)
from referee.desk.reception.command_preview import Preview
from referee.desk.reception.confirmation_terms import ConfirmationTerms, confirmed
from referee.desk.reception.letter_limits import repeated
from referee.desk.reception.needs import Need, claims, divided, need_of, parted
from referee.desk.reception.sender import Read, sender_of
from referee.desk.seats import deputies
from referee.domain.commands import Add, Confirm
from referee.domain.commands import Final as Finish
from referee.domain.tokens import Kind, Token
from referee.domain.trust import Trust
from referee.letters.incoming.letter import MailAddress
from referee.letters.incoming.quoting import OwnText
from referee.letters.incoming.screening import Screening
from referee.letters.outgoing.notices import (
    CommandAnswers,
    CommandReply,
    LineError,
    Notice,
    Unknown,
)
from referee.parsing.body import Body, DiaryBlock, ParsedCommand, PressBlock, read_body
from referee.parsing.heading import lone_turn
from referee.parsing.items import Parsed, Unparsed
from referee.store import Session
from referee.store.games import games
from referee.store.letter_states import InboxState
from referee.store.mail import inbox, receipts
from referee.store.mail.rate_limits import ReplyBudget
from referee.store.models import InboxLetter
from referee.store.people import people
from referee.store.people.deputies import Deputy
from referee.store.privacy import erasure

_BY_HAND: Final = (Screening.HUMAN, Screening.MAILING)
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
_BESIDE_REPLY: Final = (
    "Not done: the email only answers our question. Send this in an email of its own."
)
_FORGEABLE: Final = (Trust.NONE.name.lower(), Trust.ADDRESS.name.lower())
_CHANGED = "Something has changed since we asked you, so check it again."


@dataclass(frozen=True, slots=True)
class Routed:
    """The result of a letter, for its row in the inbox; for a pending one, the terms asked."""

    state: InboxState
    note: str
    identity: Identity
    asked: dict[str, Any] | None = None

    @property
    def is_erased(self) -> bool:
        """Whether everything about its sender was deleted while it was read."""
        return privacy.is_forgotten(self.identity.person)

    @property
    def holder(self) -> int | None:
        """The player of the seat for which the letter was read, or None if it was not accepted."""
        seat = self.identity.seat
        if not self._is_done or self.identity.trust is Trust.NONE:
            return None
        return seat.person_id if seat is not None else None

    @property
    def _is_done(self) -> bool:
        """Whether at least a part of the letter was done."""
        return self.state is InboxState.READ or bool(self.asked and self.asked["lines"])


def route(desk: Desk, read: Read, row: InboxLetter, identity: Identity) -> Routed:
    """Carry out the letter, if we accept it as the sender's, and answer it.

    One sent to another person's token is the sender's own if it asks nothing of that person's seat.
    """
    if identity.borrows_token and not _asks_of_owner(desk, read, row, identity):
        identity = sender_of(desk, replace(read, tokens=read.tokens.without_owners()), row)
    letter, own = read.letter, read.own
    if identity.game is not None:
        # Lock the game, so that no turn is resolved between reading its state and filing.
        games.lock(desk.session, identity.game)
    table = _table(desk.session, desk.site, identity)
    context = LetterContext(desk, letter, row, _as_released(desk, row, identity), table)
    context.quiet = read.screening is Screening.AWAY
    context.note = confirmation.note(identity)
    human = read.screening in _BY_HAND
    body = _asked_part(_body(context, own, by_hand=human), row, context.identity)
    if read.screening is not Screening.HUMAN and not _is_worth_reading(
        read.screening, context, body
    ):
        return Routed(InboxState.IGNORED, f"{read.screening.value}, with nothing to do", identity)
    _record_evidence(context)
    if not human:
        # A program cannot accept a seat.
        context.identity = replace(context.identity, offer=None)
    if identity.deputy is not None and identity.seat is None:
        return _answer_idle_deputy(context, identity.deputy, accepts=human and body.has(Confirm))
    if human and identity.held is not None and (reply := _reply_in(body)):
        return _confirm(context, identity.held, body, adding=reply == "ADD")
    if human and identity.change is not None and body.has(Confirm):
        return Routed(InboxState.READ, address_changes.confirm(context, identity.change), identity)
    if (
        human
        and identity.held is not None
        and _answers_without_confirm(context, body, identity.held)
    ):
        return _explain_confirm(context, identity.held)
    if human and _confirms_nothing(identity, body):
        why = _OTHER_GAME if identity.answers_game else _NOTHING_ASKED
        context.said.append(CommandReply(0, "CONFIRM", why, is_answer=True))
    return _route_body(context, body, own)


def _confirms_nothing(identity: Identity, body: Body) -> bool:
    """Return whether somebody we know confirms an email that asks for no confirmation."""
    waits = (identity.held, identity.change, identity.offer, identity.deputy)
    known = identity.person is not None and not identity.claims_seat
    return known and body.has(Confirm) and all(each is None for each in waits)


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


def _beside_reply(body: Body) -> Iterator[CommandReply]:
    """Yield a reply for everything but words next to an answer to a question: it is not done.

    The sender may have meant it for the email that waited, or for the game as it was.
    """
    for item in body.items:
        text = getattr(item, "text", "").partition("\n")[0]
        is_reply = isinstance(getattr(item, "command", None), Confirm) or _REPLY.fullmatch(text)
        if not (is_reply or (isinstance(item, Unparsed) and item.is_remark)):
            yield CommandReply(item.line, text, _BESIDE_REPLY, is_answer=True)


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
    return table is None or item.is_remark


def _explain_confirm(context: LetterContext, number: int) -> Routed:
    """Answer "yes" to a question, which only the word CONFIRM answers."""
    if context.identity.trust is Trust.NONE:
        # The person who was asked may not be the player of the seat in the subject.
        context.identity = replace(context.identity, seat=None)
    # IDLE, because a program could answer each of our answers.
    notice = CommandAnswers((), note=_TO_CONFIRM, fact="not confirmed yet: reply CONFIRM")
    context.letters.append((notice, context.addressing("explain", held=number)))
    _deliver(context, ReplyBudget.IDLE)
    return Routed(InboxState.READ, f"does not confirm email #{number}", context.identity)


def _asks_of_owner(desk: Desk, read: Read, row: InboxLetter, identity: Identity) -> bool:
    """Return whether the letter asks something that only the owner of the token can."""
    context = LetterContext(
        desk, read.letter, row, identity, _table(desk.session, desk.site, identity)
    )
    body = _body(context, read.own, by_hand=read.screening in _BY_HAND)
    return confirmation.asks_of_owner(identity, body)


def _as_released(desk: Desk, row: InboxLetter, identity: Identity) -> Identity:
    """Return the identity, confirmed if the operator released a letter nobody was asked about."""
    terms = ConfirmationTerms.kept_with(row)
    if terms is None:
        return identity
    return confirmed(desk.session, row, identity, terms) or identity


def _is_worth_reading(screening: Screening, context: LetterContext, body: Body) -> bool:
    """Return whether a letter that may be a program's is for us.

    A mailing is if we know its sender, or if it begins with a command. Any other one needs orders.
    One that a program made must come from the player whose token it has.
    """
    if screening is Screening.MAILING:
        begins = bool(body.items) and isinstance(body.items[0], ParsedCommand)
        return begins or context.identity.person is not None
    if not any(isinstance(item, Parsed) for item in body.orders):
        return False
    return screening is Screening.AWAY or _is_own_program(context)


def _is_own_program(context: LetterContext) -> bool:
    """Return whether a letter has a player's token and comes from an address of that player."""
    identity = context.identity
    sender = people.by_address(context.session, identity.address) if identity.address else None
    return identity.trust is Trust.TOKEN and sender is not None and sender is identity.person


def _record_evidence(context: LetterContext) -> None:
    """Count a wrong security code, and record that the player's address works."""
    identity = context.identity
    if identity.wrong_code and identity.person is not None:
        wrong_codes.count(context.desk, identity.person)
    if identity.trust is Trust.TOKEN and identity.person is not None:
        bounces.note_reply(identity.person, context.now)


def _route_body(context: LetterContext, body: Body, own: OwnText) -> Routed:
    if context.identity.trust is Trust.NONE and confirmation.asks_for_seat(body):
        context.identity = replace(context.identity, seat=None, claims_seat=False)
    now, asked = divided(context, body)
    if asked.items:
        seen = command_preview.preview(context, asked)
        still = _still_asked(context, asked, seen, is_all=not now.items)
        if still.items and not now.items:
            return _hold(context, body, seen)
        # Any part that is not possible is answered at once.
        context.refused = seen.reasons
        now, asked = parted(body, {item.line for item in still.items})
    if context.identity.claims_seat and claims(context, body):
        _reject_claim(context)
        return Routed(InboxState.READ, "names a seat that is not the sender's", context.identity)
    if context.identity.trust is Trust.NONE:
        # A name in the subject proves nothing: an unverified sender has no seat.
        context.identity = replace(context.identity, seat=None)
    note = execution.execute(context, now, own, waiting=_waiting(asked))
    part_faults.report_faults(context)
    if asked.items:
        return _ask_besides(context, asked, note)
    answered = _deliver(context, effort.budget_of(context))
    return Routed(InboxState.READ, note if answered else f"{note}; not answered", context.identity)


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


def _ask_besides(context: LetterContext, asked: Body, note: str) -> Routed:
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
    if not _deliver(context, budget):
        return _leave_unasked(context, terms)
    note = f"{note}; the rest waits for a confirmation: {reason}"
    return Routed(InboxState.HELD, note, context.identity, terms)


def _answer_idle_deputy(context: LetterContext, deputy: Deputy, *, accepts: bool) -> Routed:
    """Accept a deputyship, or answer why the deputy cannot order now."""
    if accepts and deputies.may_accept(context, deputy):
        deputies.accept(context, deputy)
        _deliver(context, ReplyBudget.WORK)
        return Routed(InboxState.READ, "accepted to be deputy", context.identity)
    fault = LineError(0, "", deputies.closed(deputy, context.now))
    addressing = context.addressing("answer")
    if deputies.is_asked(deputy, context.now):
        # It repeats the question, so a reply to it must accept, too.
        addressing = replace(addressing, seat=deputy.seat, deputy=deputy)
    context.letters.append((CommandAnswers((), (fault,)), addressing))
    _deliver(context, ReplyBudget.IDLE)
    return Routed(InboxState.READ, "from a deputy who cannot order now", context.identity)


def _confirm(context: LetterContext, number: int, reply: Body, *, adding: bool) -> Routed:
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
    read = Read(letter, tokens_of(context.site, letter, held), own, Screening.HUMAN)
    claimed = sender_of(context.desk, read, held)
    identity = confirmed(context.session, held, claimed, terms)
    if identity is None:
        return _nothing_waits(context)
    if identity.game is not None:
        # The letter that confirms may name no game, so the game may not be locked yet.
        games.lock(context.session, identity.game)
    table = _table(context.session, context.site, identity)
    again = LetterContext(context.desk, letter, held, identity, table, [*_beside_reply(reply)])
    body = _asked_part(_body(again, own, by_hand=True), held, identity)
    seen = command_preview.preview(again, body)
    if adding and not _can_add(again, body):
        return _explain_confirm(context, number)
    if not adding and confirmation.must_be_shown(again, body, seen, terms):
        return _ask_again(again, body, seen, terms)
    # If nothing can be done now, each command of a player answers with its own reason.
    again.refused = {} if seen.is_hopeless and not identity.is_gm else seen.reasons
    if adding:
        body = replace(body, items=(ParsedCommand(0, "ADD", Add()), *body.items))
    return _carry_out(context, again, body, own)


def _asked_part(body: Body, row: InboxLetter, identity: Identity) -> Body:
    """Return the lines of a confirmed letter that waited; the others were done when it came."""
    terms = ConfirmationTerms.kept_with(row)
    if terms is None or not terms.lines or identity.trust is not Trust.CONFIRMED:
        return body
    return parted(body, terms.lines)[1]


def _carry_out(context: LetterContext, again: LetterContext, body: Body, own: OwnText) -> Routed:
    """Carry out a pending letter, *again*, that the letter of the context confirms."""
    held, identity = again.row, again.identity
    if held.trust in _FORGEABLE:
        reply_limits.give_back(context.desk, again.to.address)
    routed = _route_body(again, body, own)
    held.state, held.note = routed.state, f"confirmed by email #{context.row.id}: {routed.note}"
    if routed.holder is not None and identity.seat is not None and held.receipt is None:
        receipts.take(context.session, held, identity.seat)
    held.holder_id, held.trust = routed.holder, Trust.CONFIRMED.name.lower()
    if privacy.is_forgotten(identity.person):
        erasure.empty_letter(context.session, context.row.id, context.now)
        identity = replace(identity, game=None, seat=None)
    return Routed(InboxState.READ, f"confirmed email #{held.id}", identity)


def _report_stranger(context: LetterContext, number: int, terms: ConfirmationTerms) -> Routed:
    """Notify the person who was asked that somebody else sent a CONFIRM, which changed nothing."""
    if terms.person is not None and (asked := people.by_id(context.session, terms.person)):
        said = confirmation.by_another(context.identity)
        notice = CommandAnswers((), (LineError(0, "CONFIRM", said),))
        token = Token(Kind.QUESTION, number)
        to, serial = mailbox(asked), f"stranger{context.row.id}"
        addressing = Addressing(to, serial, context.row, context.answered_id, token=token)
        context.letters.append((notice, addressing))
        _deliver(context, ReplyBudget.QUESTION)
    return Routed(
        InboxState.READ, f"confirms email #{number} from another address", context.identity
    )


def _confirm_again(
    context: LetterContext,
    held: InboxLetter | None,
    terms: ConfirmationTerms | None,
) -> Routed:
    """Answer a CONFIRM of a letter that no longer waits, perhaps because it was confirmed."""
    if held is None or terms is None or held.trust != Trust.CONFIRMED.name.lower():
        return _nothing_waits(context)
    if not confirmation.is_from_asked(context, as_read(held), terms):
        return _nothing_waits(context)
    context.said.append(CommandReply(0, "CONFIRM", _CONFIRMED_BEFORE, is_answer=True))
    return _nothing_waits(context)


def _nothing_waits(context: LetterContext) -> Routed:
    if context.identity.trust is Trust.NONE and context.identity.person is not None:
        # The deputy who was asked is not the player of the seat in the subject.
        context.identity = replace(context.identity, seat=None)
    why = "That email no longer waits for your confirmation."
    execution.answer(context, () if context.said else (LineError(0, "CONFIRM", why),))
    _deliver(context, ReplyBudget.WORK)
    return Routed(InboxState.READ, "answered", context.identity)


def _ask_again(
    context: LetterContext, body: Body, seen: Preview, terms: ConfirmationTerms
) -> Routed:
    """Send a new preview, because the effect of the pending letter has changed."""
    context.row.asked = replace(terms, shown=seen.digest).stored()
    reason = _CHANGED if terms.shown else _SHOWN_NOW
    notice = confirmation.question(context, body, seen, reason)
    context.letters.append(
        (notice, context.addressing(f"confirm{seen.digest}x", held=context.row.id))
    )
    _deliver(context, ReplyBudget.WORK)
    return Routed(InboxState.READ, f"asked again about email #{context.row.id}", context.identity)


def _hold(context: LetterContext, body: Body, seen: Preview) -> Routed:
    """Keep the letter pending and ask the primary address about it."""
    part_faults.report_faults(context)
    if seen.is_hopeless and context.identity.claims_seat:
        _reject_claim(context)
        return Routed(InboxState.READ, "names a seat that is not the sender's", context.identity)
    if seen.is_hopeless:
        borrows = context.identity.borrows_token
        has_text = any(isinstance(item, PressBlock | DiaryBlock) for item in body.items)
        if has_text or not borrows:
            execution.answer(context, command_preview.undone(context, body, seen))
            _deliver(context, ReplyBudget.QUESTION if borrows else ReplyBudget.WORK)
        return Routed(InboxState.READ, "nothing in it can be done", context.identity)
    reason = confirmation.reason(context, body)
    possible = seen.possible(body)
    context.identity = confirmation.about_entered(context.session, context.identity, possible)
    asked = ConfirmationTerms.of(context.identity, _digest(context, body, seen)).stored()
    notice = confirmation.question(context, body, seen, _why(context, possible, reason))
    context.letters.append((notice, context.addressing("confirm", held=context.row.id)))
    if not _deliver(context, _for_question(context)):
        return _leave_unasked(context, asked)
    if context.identity.claims_seat:
        _reject_claim(context)
    note = f"waits for a confirmation: {reason}"
    return Routed(InboxState.HELD, note, context.identity, asked)


def _digest(context: LetterContext, asked: Body, seen: Preview) -> str:
    """Return the digest of the preview that the question shows, or "" if it shows none."""
    return "" if command_preview.is_unshown(context, asked) else seen.digest


def _why(context: LetterContext, asked: Body, reason: str) -> str:
    """Return the reason of a question, with the terms of what it asks for."""
    named = confirmation.named_otherwise(context.identity)
    return " ".join(filter(None, (reason, named, confirmation.terms_of_joining(asked))))


def _leave_unasked(context: LetterContext, asked: dict[str, Any]) -> Routed:
    """Leave a letter undone, because the budget of questions to its sender is spent.

    The operator can release it, unless we know neither its sender nor its seat.
    """
    note = "was not done, and nobody could be asked"
    if context.identity.is_stranger:
        return Routed(InboxState.IGNORED, note, context.identity)
    context.desk.unasked.append(context.row.id)
    if context.identity.claims_seat:
        _reject_claim(context)
    return Routed(InboxState.UNASKED, note, context.identity, asked)


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
    _deliver(context, ReplyBudget.IDLE)


def _deliver(context: LetterContext, ration: ReplyBudget) -> bool:
    """Post the collected answers that the sender's reply limits allow."""
    return reply_limits.answer(context.desk, context.letters, context.asked(ration))


def _for_question(context: LetterContext) -> ReplyBudget:
    """Return the budget of a question; a program could answer each with another letter."""
    if context.identity.code_doubted or context.identity.trust is Trust.CODE:
        return ReplyBudget.CODE
    return ReplyBudget.IDLE if context.quiet else ReplyBudget.QUESTION


def _table(session: Session, site: Site, identity: Identity) -> LoadedGame | None:
    return lay_begun(session, site, identity.game)


def _body(context: LetterContext, own: OwnText, *, by_hand: bool) -> Body:
    """Parse the letter, and note the questions that it repeats."""
    body = words.settle(context, _read(context, own, by_hand=by_hand))
    body = with_ballots(context, with_named(body))
    body = with_standing(context, body)
    context.left_out = repeated(body)
    return body


def _read(context: LetterContext, own: OwnText, *, by_hand: bool) -> Body:
    """Parse the letter; text edited in the quote counts only if a person wrote the letter."""
    reader = context.table.reader if context.table is not None else None
    if not by_hand:
        return read_body(player_text.numbered(own.lines), reader)
    identity = context.identity = _with_lone_turn(context.identity, context.table, own)
    context.reading = player_text.read(
        context.desk,
        context.table,
        identity.seat,
        context.letter,
        own,
        identity.turn,
    )
    if context.reading.edited is not None:
        context.identity = replace(context.identity, turn=context.reading.edited.turn)
    return context.reading.body


def _with_lone_turn(identity: Identity, table: LoadedGame | None, own: OwnText) -> Identity:
    """Return the identity with the turn that is the whole first line, as in a heading."""
    named = lone_turn(player_text.numbered(own.lines))
    if table is None or named is None or player_text.is_order(table, named.head):
        return identity
    return replace(identity, turn=named.turn, inherited_turn=None)
