"""Routing: a letter goes to the use cases it asks for, or waits for a confirmation."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from referee.desk.base import code_lockout, reply_limits
from referee.desk.base.answered import typed_text
from referee.desk.base.desk import Desk
from referee.desk.base.identity import Evidence, Identity, identify, tokens_of
from referee.desk.base.loaded_games import LoadedGame, lay_to_read
from referee.desk.base.outbox_writer import Addressing, mailbox
from referee.desk.base.site import Site
from referee.desk.orders import player_text
from referee.desk.orders.final_conditions import with_named
from referee.desk.orders.letter_context import LetterContext
from referee.desk.players import address_changes
from referee.desk.reception import (
    bounces,
    command_preview,
    confirmation,
    execution,
    part_faults,
)
from referee.desk.reception.command_preview import Preview
from referee.desk.seats import deputies
from referee.domain.commands import Confirm
from referee.domain.trust import Token, Trust
from referee.letters.incoming.authentication import Basis
from referee.letters.incoming.decode import decode
from referee.letters.incoming.letter import Letter, MailAddress
from referee.letters.incoming.quoting import OwnText
from referee.letters.incoming.screening import Screening
from referee.letters.outgoing.notices import (
    CommandAnswers,
    CommandReply,
    LineError,
    Notice,
    Unknown,
)
from referee.parsing.body import Body, ParsedCommand, find_heading, read_body
from referee.parsing.heading import lone_turn
from referee.parsing.items import Parsed
from referee.parsing.lines import Line
from referee.store import Session
from referee.store.games import games
from referee.store.mail import inbox
from referee.store.mail.rate_limits import ReplyBudget
from referee.store.models import GameStatus, InboxLetter, InboxState
from referee.store.people.deputies import Deputy

_BY_HAND: Final = (Screening.HUMAN, Screening.MAILING)
_CHANGED = "Something has changed since we asked you, so check it again."


@dataclass(frozen=True, slots=True)
class Read:
    """A letter to be routed: our tokens in it, its own text, its kind, and its authentication."""

    letter: Letter
    tokens: Sequence[Token]
    own: OwnText
    screening: Screening
    basis: Basis | None


@dataclass(frozen=True, slots=True)
class Routed:
    """The result of a letter, for its row in the inbox; for a pending one, the terms asked."""

    state: InboxState
    note: str
    identity: Identity
    asked: dict[str, Any] | None = None

    @property
    def holder(self) -> int | None:
        """The player of the seat for which the letter was read, or None if it was not accepted."""
        seat = self.identity.seat
        if self.state is not InboxState.READ or self.identity.trust is Trust.NONE:
            return None
        return seat.person_id if seat is not None else None


def sender_of(desk: Desk, read: Read, row: InboxLetter) -> Identity:
    """Return who sent the letter, and for which seat."""
    evidence = Evidence(read.tokens, find_heading(_lines(read.own)), read.basis, desk.now)
    return identify(desk.session, read.letter, row, evidence)


def route(desk: Desk, read: Read, row: InboxLetter, identity: Identity) -> Routed:
    """Carry out the letter, if we accept it as the sender's, and answer it."""
    letter, own = read.letter, read.own
    if identity.game is not None:
        # Lock the game, so that no turn is resolved between reading its state and filing.
        games.lock(desk.session, identity.game)
    table = _table(desk.session, desk.site, identity)
    context = LetterContext(desk, letter, row, identity, table)
    context.quiet = read.screening is Screening.AWAY
    human = read.screening in _BY_HAND
    body = with_named(_read(context, own, by_hand=human))
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
    if human and identity.held is not None and body.has(Confirm):
        return _confirm(context, identity.held)
    if human and identity.change is not None and body.has(Confirm):
        return Routed(InboxState.READ, address_changes.confirm(context, identity.change), identity)
    return _route_body(context, body, own)


def _is_worth_reading(screening: Screening, context: LetterContext, body: Body) -> bool:
    """Return whether a letter that may be a program's is for us.

    A mailing is if we know its sender, or if it begins with a command. Any other one needs orders.
    """
    if screening is Screening.MAILING:
        begins = bool(body.items) and isinstance(body.items[0], ParsedCommand)
        return begins or context.identity.person is not None
    if not any(isinstance(item, Parsed) for item in body.orders):
        return False
    return screening is Screening.AWAY or context.identity.trust is Trust.TOKEN


def _record_evidence(context: LetterContext) -> None:
    """Count a wrong security code, and record that the player's address works."""
    identity = context.identity
    if identity.wrong_code and identity.person is not None:
        code_lockout.count_wrong(context.desk, identity.person, context.row)
    if identity.trust is Trust.TOKEN and identity.person is not None:
        bounces.note_reply(identity.person, context.now)


def _route_body(context: LetterContext, body: Body, own: OwnText) -> Routed:
    if context.identity.trust is Trust.NONE and confirmation.asks_for_seat(body):
        context.identity = replace(context.identity, seat=None, claims_seat=False)
    if (reason := confirmation.hold_reason(context, body)) is not None:
        seen = command_preview.preview(context, body)
        if not _needs_no_confirmation(context, body, seen):
            return _hold(context, body, seen, reason)
        context.refused = seen.reasons
    if context.identity.claims_seat and (
        confirmation.is_consequential(context, body) or confirmation.binds(context, body)
    ):
        _reject_claim(context)
        return Routed(InboxState.READ, "names a seat that is not the sender's", context.identity)
    if context.identity.trust is Trust.NONE:
        # A name in the subject proves nothing: an unverified sender has no seat.
        context.identity = replace(context.identity, seat=None)
    note = execution.execute(context, body, own)
    part_faults.report_faults(context)
    answered = _deliver(context, reply_limits.ration_of(context.letters))
    return Routed(InboxState.READ, note if answered else f"{note}; not answered", context.identity)


def _needs_no_confirmation(context: LetterContext, body: Body, seen: Preview) -> bool:
    """Return whether only parts of a player's letter that are not possible need a confirmation."""
    if not seen.refused or seen.is_hopeless or context.identity.trust is Trust.NONE:
        return False
    return confirmation.hold_reason(context, seen.possible(body)) is None


def _answer_idle_deputy(context: LetterContext, deputy: Deputy, *, accepts: bool) -> Routed:
    """Accept a deputyship, or answer why the deputy cannot order now."""
    if accepts and deputies.may_accept(context, deputy):
        deputies.accept(context, deputy)
        _deliver(context, ReplyBudget.WORK)
        return Routed(InboxState.READ, "accepted to be deputy", context.identity)
    fault = LineError(0, "", deputies.closed(deputy, context.now))
    context.letters.append((CommandAnswers((), (fault,)), context.addressing("answer")))
    _deliver(context, ReplyBudget.IDLE)
    return Routed(InboxState.READ, "from a deputy who cannot order now", context.identity)


def _confirm(context: LetterContext, number: int) -> Routed:
    """Carry out a pending letter, now that the primary address has confirmed it.

    Idempotent: after the first confirmation the letter is no longer pending. Nothing is done if the
    seat has another player now.
    """
    held = inbox.by_id(context.session, number)
    terms = confirmation.ConfirmationTerms.kept_with(held) if held is not None else None
    if held is None or terms is None or held.state is not InboxState.HELD:
        return _nothing_waits(context, number)
    letter = decode(held.raw)
    own = typed_text(context.session, letter)
    tokens = tokens_of(context.site, letter, held)
    evidence = Evidence(tokens, find_heading(_lines(own)), None, context.now)
    claimed = identify(context.session, letter, held, evidence)
    identity = confirmation.confirmed(context, claimed, terms)
    if identity is None:
        return _nothing_waits(context, number)
    if identity.game is not None:
        # The letter that confirms may name no game, so the game may not be locked yet.
        games.lock(context.session, identity.game)
    table = _table(context.session, context.site, identity)
    again = LetterContext(context.desk, letter, held, identity, table)
    body = with_named(_read(again, own, by_hand=True))
    seen = command_preview.preview(again, body)
    if not seen.is_hopeless and seen.digest != terms.shown:
        return _ask_again(again, body, seen, terms)
    # If nothing can be done now, each command answers with its own reason.
    again.refused = {} if seen.is_hopeless else seen.reasons
    routed = _route_body(again, body, own)
    held.state, held.note = routed.state, f"confirmed by receipt {context.row.id}: {routed.note}"
    held.holder_id, held.trust = routed.holder, Trust.CONFIRMED.name.lower()
    return Routed(InboxState.READ, f"confirmed receipt {number}", identity)


def _nothing_waits(context: LetterContext, number: int) -> Routed:
    if context.identity.trust is Trust.NONE and context.identity.person is not None:
        # The deputy who was asked is not the player of the seat in the subject.
        context.identity = replace(context.identity, seat=None)
    return _answer_line(
        context, "CONFIRM", f"Receipt #{number} no longer waits for your confirmation."
    )


def _ask_again(
    context: LetterContext, body: Body, seen: Preview, terms: confirmation.ConfirmationTerms
) -> Routed:
    """Send a new preview, because the effect of the pending letter has changed."""
    context.row.asked = replace(terms, shown=seen.digest).stored()
    notice = confirmation.question(context, body, seen, _CHANGED)
    context.letters.append(
        (notice, context.addressing(f"confirm{seen.digest}x", held=context.row.id))
    )
    _deliver(context, ReplyBudget.QUESTION)
    return Routed(InboxState.READ, f"asked again about receipt {context.row.id}", context.identity)


def _hold(context: LetterContext, body: Body, seen: Preview, reason: str) -> Routed:
    """Keep the letter pending and ask the primary address about it."""
    part_faults.report_faults(context)
    if seen.is_hopeless and context.identity.claims_seat:
        _reject_claim(context)
        return Routed(InboxState.READ, "names a seat that is not the sender's", context.identity)
    if seen.is_hopeless:
        execution.answer(context, command_preview.undone(context, body, seen))
        _deliver(context, ReplyBudget.WORK)
        return Routed(InboxState.READ, "nothing in it can be done", context.identity)
    asked = confirmation.ConfirmationTerms.of(context.identity, seen.digest).stored()
    notice = confirmation.question(context, body, seen, reason)
    context.letters.append((notice, context.addressing("confirm", held=context.row.id)))
    told = _deliver(context, ReplyBudget.QUESTION)
    if context.identity.claims_seat:
        _reject_claim(context)
    waits = "waits for a confirmation" if told else "waits, but no one was asked"
    return Routed(InboxState.HELD, f"{waits}: {reason}", context.identity, asked)


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


def _answer_line(context: LetterContext, what: str, answer: str) -> Routed:
    context.said.append(CommandReply(0, what, answer))
    execution.answer(context, ())
    _deliver(context, ReplyBudget.WORK)
    return Routed(InboxState.READ, "answered", context.identity)


def _deliver(context: LetterContext, ration: ReplyBudget) -> bool:
    """Post the collected answers that the sender's reply limits allow."""
    letters = reply_limits.binding(context.letters) if context.quiet else context.letters
    return reply_limits.answer(context.desk, letters, ration)


def _lines(own: OwnText) -> tuple[Line, ...]:
    return tuple(Line(line.number, line.text) for line in own.lines)


def _table(session: Session, site: Site, identity: Identity) -> LoadedGame | None:
    if identity.game is None or identity.game.status is GameStatus.FORMING:
        return None
    return lay_to_read(session, site, identity.game)


def _read(context: LetterContext, own: OwnText, *, by_hand: bool) -> Body:
    """Parse the letter; text edited in the quote counts only if a person wrote the letter."""
    reader = context.table.reader if context.table is not None else None
    if not by_hand:
        return read_body(_lines(own), reader)
    identity = context.identity = _with_lone_turn(context.identity, context.table, own)
    context.reading = player_text.read(
        context.desk, context.table, identity.seat, context.letter, own, identity.turn
    )
    if context.reading.edited is not None:
        context.identity = replace(context.identity, turn=context.reading.edited.turn)
    return context.reading.body


def _with_lone_turn(identity: Identity, table: LoadedGame | None, own: OwnText) -> Identity:
    """Return the identity with the turn that is the whole first line, as in a heading."""
    named = lone_turn(_lines(own))
    if table is None or named is None or player_text.is_order(table, named.head):
        return identity
    return replace(identity, turn=named.turn)
