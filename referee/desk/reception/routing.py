"""What a letter asks for goes to the use cases that do it; what is not believed is held."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from referee.desk.base import code_lockout, reply_limits
from referee.desk.base.desk import Desk
from referee.desk.base.identity import Evidence, Identity, identify, tokens_of
from referee.desk.base.loaded_games import Table, lay_to_read
from referee.desk.base.outbox_writer import Slip, mailbox
from referee.desk.base.site import House
from referee.desk.orders import player_text
from referee.desk.orders.letter_context import Visit
from referee.desk.players import address_changes
from referee.desk.reception import bounces, command_preview, confirmation, execution
from referee.desk.reception.command_preview import Preview
from referee.desk.seats import deputies
from referee.domain.commands import Confirm
from referee.domain.trust import Token, Trust
from referee.letters.incoming.authentication import Basis
from referee.letters.incoming.decode import decode
from referee.letters.incoming.letter import Letter, Mailbox
from referee.letters.incoming.quoting import OwnText, own_text
from referee.letters.incoming.screening import Screening
from referee.letters.outgoing.notices import Answer, Fault, Notice, Said, Unknown
from referee.parsing.body import Body, find_heading, read_body
from referee.parsing.items import Understood
from referee.parsing.lines import Line
from referee.store import Session
from referee.store.games import games
from referee.store.mail import inbox
from referee.store.mail.rate_limits import Ration
from referee.store.models import GameStatus, InboxLetter, InboxState
from referee.store.people.deputies import Deputy

_CHANGED = "Something has changed since you were asked, so please look at it again."


@dataclass(frozen=True, slots=True)
class Read:
    """A letter to be routed: our tokens in it, its sender's own text, its kind, and who vouches."""

    letter: Letter
    tokens: Sequence[Token]
    own: OwnText
    screening: Screening
    basis: Basis | None


@dataclass(frozen=True, slots=True)
class Routed:
    """What became of a letter, for its row in the inbox; of a held one, what was asked."""

    state: InboxState
    note: str
    identity: Identity
    asked: dict[str, Any] | None = None

    @property
    def holder(self) -> int | None:
        """Who holds the seat for which the letter was read, as far as it was believed."""
        seat = self.identity.seat
        if self.state is not InboxState.READ or self.identity.trust is Trust.NONE:
            return None
        return seat.person_id if seat is not None else None


def route(desk: Desk, read: Read, row: InboxLetter) -> Routed:
    """Do what the letter asks for, as far as it is believed, and answer it."""
    letter, own = read.letter, read.own
    evidence = Evidence(read.tokens, find_heading(_lines(own)), read.basis, desk.now)
    identity = identify(desk.session, letter, row, evidence)
    if identity.game is not None:
        # Nobody adjudicates the game between what is read of it here and what is filed.
        games.lock(desk.session, identity.game)
    table = _table(desk.session, desk.site, identity)
    visit = Visit(desk, letter, row, identity, table)
    visit.quiet = read.screening is Screening.AWAY
    body = _read(visit, own, by_hand=read.screening is Screening.HUMAN)
    if read.screening is not Screening.HUMAN and not _is_worth_reading(read.screening, visit, body):
        return Routed(InboxState.IGNORED, f"{read.screening.value}, with nothing to do", identity)
    _take_note(visit)
    human = read.screening is Screening.HUMAN
    if not human:
        # No program accepts a seat.
        visit.identity = replace(visit.identity, offer=None)
    if identity.deputy is not None and identity.seat is None:
        return _answer_idle_deputy(visit, identity.deputy, accepts=human and body.has(Confirm))
    if human and identity.held is not None and body.has(Confirm):
        return _confirm(visit, identity.held)
    if human and identity.change is not None and body.has(Confirm):
        return Routed(InboxState.READ, address_changes.confirm(visit, identity.change), identity)
    return _treat(visit, body, own)


def _is_worth_reading(screening: Screening, visit: Visit, body: Body) -> bool:
    """Say whether a letter that may be a program's has orders, and a player sent it."""
    if not any(isinstance(item, Understood) for item in body.orders):
        return False
    return screening is Screening.AWAY or visit.identity.trust is Trust.TOKEN


def _take_note(visit: Visit) -> None:
    """Count a wrong code, and see by a reply that the player's address works."""
    identity = visit.identity
    if identity.wrong_code and identity.person is not None:
        code_lockout.count_wrong(visit.desk, identity.person, visit.row)
    if identity.trust is Trust.TOKEN and identity.person is not None:
        bounces.note_reply(identity.person, visit.now)


def _treat(visit: Visit, body: Body, own: OwnText) -> Routed:
    if visit.identity.trust is Trust.NONE and confirmation.speaks_for_himself(body):
        visit.identity = replace(visit.identity, seat=None, claims_seat=False)
    if (reason := confirmation.hold_reason(visit, body)) is not None:
        return _hold(visit, body, reason)
    if visit.identity.claims_seat and (
        confirmation.is_consequential(visit, body) or confirmation.binds(visit, body)
    ):
        _turn_away(visit)
        return Routed(InboxState.READ, "names a seat that is not the sender's", visit.identity)
    if visit.identity.trust is Trust.NONE:
        # A name in the subject proves nothing: who is not believed has no seat.
        visit.identity = replace(visit.identity, seat=None)
    note = execution.obey(visit, body, own)
    answered = _deliver(visit, reply_limits.ration_of(visit.letters))
    return Routed(InboxState.READ, note if answered else f"{note}; not answered", visit.identity)


def _answer_idle_deputy(visit: Visit, deputy: Deputy, *, accepts: bool) -> Routed:
    """Let somebody accept to be deputy; tell who may not order now why not."""
    if accepts and deputies.may_accept(visit, deputy):
        deputies.accept(visit, deputy)
        _deliver(visit, Ration.WORK)
        return Routed(InboxState.READ, "accepted to be deputy", visit.identity)
    fault = Fault(0, "", deputies.closed(deputy, visit.now))
    visit.letters.append((Answer(deputy.seat.game.name, (), (fault,)), visit.slip("answer")))
    _deliver(visit, Ration.IDLE)
    return Routed(InboxState.READ, "from a deputy who may not order now", visit.identity)


def _confirm(visit: Visit, number: int) -> Routed:
    """Carry out a held letter now that the address of record has confirmed it.

    Confirming twice does nothing the second time, because the letter is held no more; and nothing
    is done when the seat has another holder since.
    """
    held = inbox.by_id(visit.session, number)
    terms = confirmation.Terms.kept_with(held) if held is not None else None
    if held is None or terms is None or held.state is not InboxState.HELD:
        return _nothing_waits(visit, number)
    letter = decode(held.raw)
    own = own_text(letter.text)
    tokens = tokens_of(visit.site, letter, held)
    evidence = Evidence(tokens, find_heading(_lines(own)), None, visit.now)
    claimed = identify(visit.session, letter, held, evidence)
    identity = confirmation.confirmed(visit, claimed, terms)
    if identity is None:
        return _nothing_waits(visit, number)
    if identity.game is not None:
        # The letter that confirms may have named no game, and so have locked none.
        games.lock(visit.session, identity.game)
    table = _table(visit.session, visit.site, identity)
    again = Visit(visit.desk, letter, held, identity, table)
    body = _read(again, own, by_hand=True)
    seen = command_preview.preview(again, body)
    if not seen.is_hopeless and seen.digest != terms.shown:
        return _ask_again(again, body, seen, terms)
    # Where nothing can be done any more, each command says so in its own words.
    again.refused = {} if seen.is_hopeless else seen.reasons
    routed = _treat(again, body, own)
    held.state, held.note = routed.state, f"confirmed by receipt {visit.row.id}: {routed.note}"
    held.holder_id = routed.holder
    return Routed(InboxState.READ, f"confirmed receipt {number}", identity)


def _nothing_waits(visit: Visit, number: int) -> Routed:
    if visit.identity.trust is Trust.NONE and visit.identity.person is not None:
        # A deputy who is asked is no player of the seat that the subject names.
        visit.identity = replace(visit.identity, seat=None)
    return _say(visit, "CONFIRM", f"Nothing waits under receipt {number} any more.")


def _ask_again(visit: Visit, body: Body, seen: Preview, terms: confirmation.Terms) -> Routed:
    """Keep a letter held that would do other than was shown, and show what it would do now."""
    visit.row.asked = replace(terms, shown=seen.digest).stored()
    notice = confirmation.question(visit, body, seen, _CHANGED)
    visit.letters.append((notice, visit.slip(f"confirm{seen.digest}x", held=visit.row.id)))
    _deliver(visit, Ration.QUESTION)
    return Routed(InboxState.READ, f"asked again about receipt {visit.row.id}", visit.identity)


def _hold(visit: Visit, body: Body, reason: str) -> Routed:
    """Keep the letter back and ask the address of record about it."""
    seen = command_preview.preview(visit, body)
    if seen.is_hopeless and visit.identity.claims_seat:
        _turn_away(visit)
        return Routed(InboxState.READ, "names a seat that is not the sender's", visit.identity)
    if seen.is_hopeless:
        execution.answer(visit, command_preview.undone(visit, body, seen))
        _deliver(visit, Ration.WORK)
        return Routed(InboxState.READ, "nothing in it can be done", visit.identity)
    asked = confirmation.Terms.of(visit.identity, seen.digest).stored()
    notice = confirmation.question(visit, body, seen, reason)
    visit.letters.append((notice, visit.slip("confirm", held=visit.row.id)))
    told = _deliver(visit, Ration.QUESTION)
    if visit.identity.claims_seat:
        _turn_away(visit)
    waits = "waits for a confirmation" if told else "held, and nobody was asked"
    return Routed(InboxState.HELD, f"{waits}: {reason}", visit.identity, asked)


def _turn_away(visit: Visit) -> None:
    """Answer who names a seat that is not his in the same words whether there is one or not."""
    identity = visit.identity
    game = identity.game.name if identity.game is not None else ""
    notice: Notice = Unknown(wrong_code=False, game=game)
    to = Mailbox("", identity.address)
    if identity.person is not None:
        to = mailbox(identity.person)
        fault = Fault(0, "", f"You have no such seat in {game or 'any game'}.")
        notice = Answer(game or "Your letter", (), (fault,))
    slip = Slip(to, f"unknown{visit.row.id}", visit.row, visit.answered_id)
    visit.letters[:] = [(notice, slip)]
    _deliver(visit, Ration.IDLE)


def _say(visit: Visit, what: str, answer: str) -> Routed:
    visit.said.append(Said(0, what, answer))
    execution.answer(visit, ())
    _deliver(visit, Ration.WORK)
    return Routed(InboxState.READ, "answered", visit.identity)


def _deliver(visit: Visit, ration: Ration) -> bool:
    """Post the answers that have piled up, as far as the sender's budget goes."""
    letters = reply_limits.binding(visit.letters) if visit.quiet else visit.letters
    return reply_limits.answer(visit.desk, letters, ration)


def _lines(own: OwnText) -> tuple[Line, ...]:
    return tuple(Line(line.number, line.text) for line in own.lines)


def _table(session: Session, house: House, identity: Identity) -> Table | None:
    if identity.game is None or identity.game.status is GameStatus.FORMING:
        return None
    return lay_to_read(session, house, identity.game)


def _read(visit: Visit, own: OwnText, *, by_hand: bool) -> Body:
    """Read the letter; what changed in the quote of one written by hand is its writer's too."""
    reader = visit.table.reader if visit.table is not None else None
    if not by_hand:
        return read_body(_lines(own), reader)
    visit.reading = player_text.read(
        visit.session, visit.table, visit.identity.seat, visit.letter, own
    )
    if visit.reading.edited is not None:
        visit.identity = replace(visit.identity, turn=visit.reading.edited.turn)
    return visit.reading.body
