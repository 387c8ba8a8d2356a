"""Changes of a player's address, which the new and the current address must both confirm."""

from datetime import datetime, timedelta
from typing import Final

from referee.desk.base import ledger, reply_limits
from referee.desk.base.desk import Desk, Site
from referee.desk.base.identity import Identity, Trust
from referee.desk.base.letter_tokens import is_from, is_variant
from referee.desk.base.outbox_writer import Addressing, mailbox, post
from referee.desk.orders.command_entries import Deed, Effect, For, command
from referee.desk.orders.letter_context import LetterContext
from referee.desk.players import privacy
from referee.desk.seats import address_switch, forgetting
from referee.desk.seats.address_switch import proper_address
from referee.domain.commands import SetAddress, SetSecondAddress
from referee.domain.mailboxes import mailbox_of
from referee.domain.shares import Charge, Key, Thing
from referee.domain.tokens import Kind, Side, Token
from referee.letters.incoming.letter import MailAddress
from referee.letters.outgoing.address_notices import (
    AddressConfirm,
    AddressLapsed,
    AddressProof,
    AddressProved,
)
from referee.letters.outgoing.local_time import Moment
from referee.letters.outgoing.notices import CommandAnswers, CommandReply, Notice
from referee.rules.ruleset import UserError
from referee.store import Session, Store
from referee.store.games import games
from referee.store.models import Person
from referee.store.people import address_changes
from referee.store.people.address_changes import AddressChange, ChangeKind, ChangeState

PATIENCE: Final = timedelta(days=7)
"""How long a new address may take to be confirmed on both sides."""
_DAY: Final = timedelta(days=1)
_KINDS: Final = {
    ChangeKind.RECORD: "ADDRESS",
    ChangeKind.SECOND: "SECOND ADDRESS",
    ChangeKind.FORGET: "FORGET ME",
}


@command(SetAddress, "SET ADDRESS", For.KNOWN, Effect.SETS, shown_in="set_address")
def set_address(context: LetterContext, given: SetAddress) -> Deed:
    """SET ADDRESS. Both addresses are asked to confirm."""

    def ask() -> str:
        person, address = context.person(), proper_address(context.site, given.address)
        if address == person.mailing_address:
            if address_changes.withdraw(context.session, person, ChangeKind.RECORD):
                return f"Your address stays {address}. The change to another one is cancelled."
            return f"{address} is already your address."
        return _ask(context, person, ChangeKind.RECORD, address)

    return Deed(
        f"{given.address} is asked, too. If it confirms, everything for you goes there from then "
        "on, in all your games.",
        ask,
    )


@command(SetSecondAddress, "SET SECOND ADDRESS", For.KNOWN, Effect.SETS, shown_in="second_address")
def set_second_address(context: LetterContext, given: SetSecondAddress) -> Deed:
    """SET SECOND ADDRESS. Both sides must confirm an address; NONE takes effect at once."""
    if not given.address:
        return Deed("You no longer have a second address.", lambda: _drop_second(context))

    def ask() -> str:
        person, address = context.person(), proper_address(context.site, given.address)
        if address in (person.address, person.second_address):
            return f"{address} is already an address of yours."
        return _ask(context, person, ChangeKind.SECOND, address)

    return Deed(
        f"{given.address} is asked, too. If it confirms, emails that your address does not accept "
        "go there.",
        ask,
    )


def possible_address(desk: Desk, person: Person, typed: str) -> str:
    """Return the address as it is stored.

    Raises UserError if no person, or only another one, can have it, or if this person has it.
    """
    address = proper_address(desk.site, typed)
    if address == person.mailing_address:
        raise UserError(f"{address} is already the address of account #{person.account}.")
    if address_changes.is_taken(desk.session, address, but_for=person):
        raise UserError(f"{address} is an address of another person.")
    return address


def ask_for_operator(desk: Desk, person: Person, typed: str) -> AddressChange:
    """Ask a new address of a person whose mailbox no longer works; return the request.

    The operator's word takes the place of the present address, which is notified when the new one
    has confirmed. Raises UserError as ``possible_address`` does.
    """
    address = possible_address(desk, person, typed)
    change = address_changes.ask(
        desk.session, person, ChangeKind.RECORD, address, now=desk.now, expires=desk.now + PATIENCE
    )
    change.wished_at = desk.now
    _ask_new(desk, change)
    return change


def confirm(context: LetterContext, token: Token) -> str:
    """Record one side's CONFIRM; return an inbox note. The token proves access to the mailbox.

    It must come from an address of the person; for the new side, the new address counts too.
    Idempotent. Only the side that confirmed is answered.
    """
    change = address_changes.change_locked(context.session, token.number)
    side = Side(token.epoch)
    if (
        change is None
        or change.state is not ChangeState.WAITING
        or change.expires_at <= context.now
    ):
        return _too_late(context, change)
    if not _is_asked(context, change, side):
        return f"confirms address change {change.id} from another address"
    if side is Side.OLD:
        change.wished_at = change.wished_at or context.now
    else:
        change.proved_at = change.proved_at or context.now
    if change.wished_at is not None and change.proved_at is not None:
        if change.kind is ChangeKind.FORGET:
            return _forget(context, change.person)
        return address_switch.move(context.desk, change)
    if side is Side.OLD:
        _ask_new(context.desk, change)
        said = f"{change.address} has to confirm it too, by {privacy.until(change)}."
        _answer(context, _to(change.person, context), CommandAnswers((_said(said),)))
    else:
        _answer(context, _to_new(change, context), AddressProved(waits=True))
    return f"one side of change {change.id} confirmed"


def _is_asked(context: LetterContext, change: AddressChange, side: Side) -> bool:
    address = context.identity.address
    if side is Side.NEW and is_variant(address, change.address):
        return True
    return is_from(context.session, address, change.person)


def _forget(context: LetterContext, person: Person) -> str:
    """Delete everything about a person who has confirmed it at each address."""
    if why := forgetting.obstacle(context.session, person):
        _answer(context, _to(person, context), CommandAnswers((CommandReply(0, "FORGET ME", why),)))
        return f"account #{person.account} cannot be forgotten now"
    number = person.account
    privacy.forget(context, person)
    for notice, addressing in context.letters:
        post(context.desk, notice, addressing)
    return f"account #{number} was forgotten"


def lapse(store: Store, site: Site, now: datetime, closed: datetime) -> int:
    """End the changes whose time was over at *closed* without a confirmation; return how many.

    The people who requested them are notified.
    """
    with store.read() as session:
        if not address_changes.has_expired(session, closed):
            return 0
    with store.write() as session:
        changes = address_changes.expired(session, closed)
        for change in changes:
            change.state = ChangeState.EXPIRED
            addressing = Addressing(mailbox(change.person), f"lapsed{change.id}")
            post(Desk(session, site, now), _lapsed(change), addressing)
        return len(changes)


def _lapsed(change: AddressChange) -> Notice:
    if change.kind is ChangeKind.FORGET:
        what = f"{change.address} did not confirm in time. Nothing was deleted."
        return CommandAnswers((CommandReply(0, "FORGET ME", what),))
    second = change.kind is ChangeKind.SECOND
    return AddressLapsed(change.address, change.wished_at is not None, second)


def waiting_in_words(session: Session, person: Person) -> list[str]:
    """Return the address changes that wait for a confirmation, one sentence each."""
    lines = []
    for change in address_changes.waiting(session, person):
        missing = [] if change.wished_at is not None else [person.mailing_address]
        missing += [] if change.proved_at is not None else [change.address]
        address = "" if change.kind is ChangeKind.FORGET else f" {change.address}"
        what = f"{_KINDS[change.kind]}{address}"
        both = " and ".join(missing)
        lines.append(f"{what} waits for the CONFIRM of {both}, until {privacy.until(change)}.")
    return lines


def _ask(context: LetterContext, person: Person, kind: ChangeKind, address: str) -> str:
    """Record the request, ask each side that has to confirm, and return the answer.

    The sender's trust decides: a confirmed letter is the old side's CONFIRM, and without a security
    code the new address is not asked yet.
    """
    is_proven = context.identity.trust.is_proven
    payers = dict(ledger.payers_of(person.address, is_known=True, is_proven=is_proven))
    # The first request of each person is asked about, so that nobody can block another's.
    if address_changes.has_asked(context.session, person, address, context.now - _DAY):
        payers[Key.MAILBOX] = mailbox_of(address)
    ledger.require(context.desk, Charge(Thing.ADDRESS, payers))
    ledger.book(context.desk, Charge(Thing.ADDRESS, payers | {Key.MAILBOX: mailbox_of(address)}))
    change = address_changes.ask(
        context.session, person, kind, address, now=context.now, expires=context.now + PATIENCE
    )
    until = privacy.until(change)
    trust = context.identity.trust
    if trust is Trust.CONFIRMED:
        change.wished_at = context.now
        _ask_new(context.desk, change)
        return f"{address} is asked, too. The change takes effect if it confirms by {until}."
    _ask_old(context, change)
    if trust < Trust.CODE:
        return f"Another email asks you to confirm this. Do so by {until}."
    _ask_new(context.desk, change)
    return (
        f"Two emails ask for a confirmation: one goes to {person.mailing_address}, the other to "
        f"{address}. Answer both with CONFIRM by {until}. Nothing changes before that."
    )


def _ask_old(context: LetterContext, change: AddressChange) -> None:
    person = change.person
    held = tuple(dict.fromkeys(row.game.name for row in games.seats_of(context.session, person)))
    second = change.kind is ChangeKind.SECOND
    notice = AddressConfirm(change.address, second, held, Moment(change.expires_at, person.zone))
    to, token = mailbox(person), Token(Kind.ADDRESS, change.id, Side.OLD)
    serial = f"wish{change.id}"
    addressing = Addressing(to, serial, context.row, context.answered_id, token=token)
    reply_limits.answer(context.desk, [(notice, addressing)], context.asked(Thing.QUESTION))


def _ask_new(desk: Desk, change: AddressChange) -> None:
    """Ask the new address, once for each request."""
    second = change.kind is ChangeKind.SECOND
    # The time zone would reveal something about the person who asks.
    notice = AddressProof(desk.site.address, second, Moment(change.expires_at, "UTC"))
    token = Token(Kind.ADDRESS, change.id, Side.NEW)
    addressing = Addressing(MailAddress("", change.address), f"proof{change.id}", token=token)
    reply_limits.post_unasked(desk, change.person, notice, addressing)


def _too_late(context: LetterContext, change: AddressChange | None) -> str:
    """Answer that the change no longer waits, but only to an address that belongs to it."""
    note = "confirms an address change that is no longer open"
    if change is None or not _belongs(context.identity, change):
        return note
    addressing = Addressing(
        MailAddress("", context.identity.address), f"proved{context.row.id}", answers=context.row
    )
    _answer(context, addressing, AddressProved(waits=False))
    return note


def _belongs(identity: Identity, change: AddressChange) -> bool:
    person = change.person
    return identity.address in (change.address, person.address, person.mailing_address)


def _drop_second(context: LetterContext) -> str:
    person = context.person()
    if person.is_at_second:
        raise UserError(
            "Emails to your first address could not be delivered, so they go to the second one. "
            "First set a working address with SET ADDRESS."
        )
    address_changes.withdraw(context.session, person, ChangeKind.SECOND)
    person.second_address, person.second_bounces = None, 0
    return "You now have no second address."


def _said(answer: str) -> CommandReply:
    return CommandReply(0, "CONFIRM", answer)


def _to(person: Person, context: LetterContext) -> Addressing:
    return Addressing(mailbox(person), f"wished{context.row.id}", context.row, context.answered_id)


def _to_new(change: AddressChange, context: LetterContext) -> Addressing:
    to, serial = MailAddress("", change.address), f"proved{context.row.id}"
    return Addressing(to, serial, context.row, context.answered_id)


def _answer(context: LetterContext, addressing: Addressing, notice: Notice) -> None:
    reply_limits.answer(context.desk, [(notice, addressing)], context.asked(Thing.WORK))
