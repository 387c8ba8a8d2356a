"""Intake of a letter: stored, screened, matched to its sender, read and answered."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from referee.desk.base import reply_limits
from referee.desk.base.answered import typed_text
from referee.desk.base.desk import Desk
from referee.desk.base.identity import tokens_of
from referee.desk.base.outbox_writer import Addressing, mailbox
from referee.desk.base.site import Site
from referee.desk.reception import bounces, copies, routing
from referee.desk.reception.routing import Routed
from referee.domain.mail_transfer import IncomingMail
from referee.domain.trust import SeatToken, Token
from referee.letters.incoming.authentication import Basis
from referee.letters.incoming.decode import body_hash, decode, writer_of
from referee.letters.incoming.letter import Letter, MailAddress
from referee.letters.incoming.screening import Screening, screen
from referee.letters.outgoing.notices import OperatorAlert, Quarantined
from referee.store import Session, Store
from referee.store.mail import inbox
from referee.store.mail.rate_limits import ReplyBudget
from referee.store.models import InboxLetter, InboxState
from referee.store.people import people

_RETURNS = (Screening.BOUNCE, Screening.COMPLAINT)
_IGNORED = (Screening.LOOP, Screening.LIST, Screening.MACHINE, Screening.TOO_BIG)


def accept(session: Session, arrival: IncomingMail) -> int:
    """Store a letter before it is read, and return its receipt number, the first of several.

    Commit before acknowledging to the source. Idempotent: the same letter from the same source
    returns the same number.
    """
    writer = _writer(arrival)
    return min([inbox.insert(session, one, writer) for one in copies.one_for_each_seat(arrival)])


def accept_all(session: Session, arrivals: Sequence[IncomingMail]) -> None:
    """Store letters as ``accept`` does, without returning their receipt numbers."""
    arrivals = [one for arrival in arrivals for one in copies.one_for_each_seat(arrival)]
    inbox.insert_all(session, arrivals, [_writer(arrival) for arrival in arrivals])


@dataclass(frozen=True, slots=True)
class Opened:
    """A claimed letter before it is read: our tokens in it, and what authenticates its From."""

    row: InboxLetter
    letter: Letter
    tokens: Sequence[Token]
    basis: Basis | None

    @property
    def seats(self) -> set[int]:
        """The seats for which it has tokens, whether valid or expired."""
        return {token.seat for token in self.tokens if isinstance(token, SeatToken)}


def open_letter(store: Store, site: Site, row: InboxLetter) -> Opened:
    """Decode a claimed letter, and authenticate its sender if that can make a difference.

    Name servers may be slow, so this is done before the letter's own transaction.
    """
    letter = decode(row.raw)
    opened = Opened(row, letter, tokens_of(site, letter, row), None)
    if not site.authenticator.has_evidence(row.raw):
        return opened
    if len(letter.senders) != 1 or opened.seats:
        return opened
    with store.read() as session:
        if people.by_address(session, letter.senders[0].address) is None:
            return opened
    return replace(opened, basis=site.authenticator.vouch(row.raw))


def read_letters(desk: Desk, letters: Sequence[Opened]) -> None:
    """Carry out claimed letters and answer them, all in the caller's transaction.

    Each letter sees the effects of the one before it, as if they were committed.
    """
    for letter in letters:
        _read(desk, letter)
        desk.session.flush()
        desk.session.expunge_all()


def _read(desk: Desk, opened: Opened) -> None:
    """Carry out a letter and answer it.

    Mail from a program is neither carried out nor answered. A copy of an earlier letter changes
    nothing.
    """
    row, letter = opened.row, opened.letter
    own = typed_text(desk.session, letter)
    digest = body_hash(letter, own)
    conclude = partial(_conclude, desk.session, row, letter, digest, desk.now)
    screening = screen(letter, row.raw, row.envelope_sender, desk.site.loop_token)
    if screening in _RETURNS:
        note = bounces.take_return(desk, letter, row, screening)
        conclude(InboxState.IGNORED, note)
        return
    if screening in _IGNORED:
        conclude(InboxState.IGNORED, screening.value)
        return
    read = routing.Read(letter, opened.tokens, own, screening, opened.basis)
    sender = routing.sender_of(desk, read, row)
    twins = copies.twins_of(desk.session, letter, digest, row, sender)
    if (twin := copies.original(twins, sender)) is not None:
        if screening is Screening.HUMAN:
            copies.answer(desk, letter, row, twin)
        conclude(InboxState.IGNORED, f"a copy of receipt {twin.id}")
        return
    routed = routing.route(desk, read, row, sender)
    if routed.state is not InboxState.IGNORED:
        copies.supersede(twins, row)
    conclude(routed.state, routed.note, routed)


def quarantine(desk: Desk, row: InboxLetter, reference: str) -> None:
    """Quarantine a letter that breaks the reader, and notify its sender and the operator.

    The sender gets a reference that is also in the log, and none of their own words.
    """
    inbox.quarantine(desk.session, row, f"could not be read, reference {reference}", desk.now)
    letter = decode(row.raw)
    known = [people.by_address(desk.session, sender.address) for sender in letter.senders]
    for person in known:
        if person is not None and len(known) == 1:
            addressing = Addressing(mailbox(person), f"quarantine{row.id}", answers=row)
            letters = [(Quarantined(reference), addressing)]
            reply_limits.answer(desk, letters, ReplyBudget.IDLE)
    if desk.site.operator:
        alert = OperatorAlert(
            subject=f"email #{row.id} is in quarantine",
            what=(
                f"Email #{row.id} failed {row.attempts} times and is in quarantine. The sender "
                "was asked to send it again. Everything else is running."
            ),
            reference=reference,
            to_do=(
                f"Find reference {reference} in the log: it names the fault. When the fault is "
                f"fixed: referee mail release {row.id}. `referee mail explain {row.id}` shows "
                "what is known about the email."
            ),
        )
        addressing = Addressing(
            MailAddress("", desk.site.operator), f"alert{row.id}x{row.attempts}"
        )
        reply_limits.answer(desk, [(alert, addressing)], ReplyBudget.WORK)


def _writer(arrival: IncomingMail) -> str:
    return writer_of(arrival.raw) or arrival.sender


def _conclude(
    session: Session,
    row: InboxLetter,
    letter: Letter,
    digest: str,
    now: datetime,
    state: InboxState,
    note: str,
    routed: Routed | None = None,
) -> None:
    identity = routed.identity if routed is not None else None
    game = identity.game if identity is not None else None
    seat = identity.seat if identity is not None else None
    inbox.conclude(
        session,
        row,
        state,
        note,
        now,
        message_id=letter.message_id,
        body_hash=digest,
        game_id=game.id if game is not None else None,
        seat_number=seat.number if seat is not None else None,
        holder_id=routed.holder if routed is not None else None,
        trust=identity.trust.name.lower() if identity is not None else None,
        asked=routed.asked if routed is not None else None,
    )
