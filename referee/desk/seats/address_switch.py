"""Carrying out an address change: its effects in all games of the player, and who is notified."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from referee.desk.base.announcements import current_deadline
from referee.desk.base.desk import Desk, Site
from referee.desk.base.outbox_writer import Addressing, mailbox, post
from referee.desk.orders.naming import check_address
from referee.desk.seats import registration
from referee.letters.incoming.letter import MailAddress, canonical_address
from referee.letters.incoming.screening import is_daemon
from referee.letters.outgoing.address_notices import (
    AddressLeft,
    AddressMoved,
    AddressRefused,
    AtSecondAddress,
    NewTokens,
    SecondAddressSet,
)
from referee.letters.outgoing.notices import Notice
from referee.rules.ruleset import UserError
from referee.store import Session
from referee.store.games import agenda, audit, games
from referee.store.mail import outbox
from referee.store.models import Person, SeatRow
from referee.store.people import address_changes
from referee.store.people.address_changes import AddressChange, ChangeKind, ChangeState


def proper_address(site: Site, typed: str) -> str:
    """Return the canonical spelling of an address. Raises UserError if no person can have it."""
    # A dot at the end belongs to the sentence.
    address = canonical_address(typed.rstrip("."))
    host = address.rpartition("@")[2].split(".")
    if len(host) < 2 or not all(host):
        raise UserError("That is not an email address. An example: frodo@example.org.")
    check_address(site, address)
    if is_daemon(address):
        raise UserError("A program answers at that address, not a person.")
    return address


@dataclass(frozen=True, slots=True)
class _Move:
    """An address change in progress."""

    desk: Desk
    change: AddressChange

    @property
    def person(self) -> Person:
        """The person whose address changes."""
        return self.change.person

    def post(
        self, notice: Notice, to: MailAddress, serial: str, seat: SeatRow | None = None
    ) -> None:
        """Write to an address about the change; *seat* adds that seat's token to the letter."""
        game = seat.game if seat is not None else None
        turn = game.turn or None if game is not None else None
        addressing = Addressing(to, f"{serial}{self.change.id}", game=game, seat=seat, turn=turn)
        post(self.desk, notice, addressing)


def move(desk: Desk, change: AddressChange) -> str:
    """Carry out a change that both addresses have confirmed; return a note for the inbox.

    If another person has the new address, nothing is changed, and only that address learns why.
    """
    moving = _Move(desk, change)
    if address_changes.is_taken(desk.session, change.address, but_for=change.person):
        change.state = ChangeState.REFUSED
        moving.post(AddressRefused(new=False), mailbox(change.person), "refused")
        moving.post(AddressRefused(new=True), MailAddress("", change.address), "refusednew")
        return f"address change {change.id}: another person has the address"
    change.state = ChangeState.DONE
    if change.kind is ChangeKind.RECORD:
        _move_record(moving)
    else:
        _set_second(moving)
    return f"address change {change.id} done"


def fall_back(desk: Desk, person: Person) -> None:
    """Send all mail to the second address, because the primary one bounces.

    Mail already in the outbox is redirected too.
    """
    assert person.second_address is not None
    person.is_at_second = True
    outbox.redirect_waiting(desk.session, person.address, person.second_address)
    serial = f"atsecond{person.id}x{int(desk.now.timestamp())}"
    notice = AtSecondAddress(person.address)
    post(desk, notice, Addressing(mailbox(person), serial))


def _move_record(moving: _Move) -> None:
    person, session = moving.person, moving.desk.session
    left = {person.address, person.mailing_address} - {moving.change.address}
    moving.change.left = person.address
    person.address = moving.change.address
    if person.second_address == person.address:
        person.second_address = None
    person.is_at_second, person.bounces, person.bounced_at = False, 0, None
    person.second_bounces = 0
    expire_tokens(session, person)
    for address in sorted(left):
        outbox.redirect_waiting(session, address, person.address)
    _tell_new(moving)
    held = tuple(dict.fromkeys(row.game.name for row in games.seats_of(session, person)))
    for number, address in enumerate(sorted(left)):
        to = MailAddress(person.name, address)
        moving.post(AddressLeft(held), to, f"left{number}x")


def _tell_new(moving: _Move) -> None:
    """Write to the new address once for each game, so that every seat has a reply address.

    The old mailbox contains the old security code, so there is a new one.
    """
    desk, person = moving.desk, moving.person
    for row, notice in with_new_tokens(desk, person, AddressMoved):
        moving.post(notice, mailbox(person), "moved", row)
        if row is not None:
            what = f"The player of {row.name} has a new email address."
            audit.note(desk.session, row.game, "referee", what, desk.now, public=False)


def expire_tokens(session: Session, person: Person) -> None:
    """Make all tokens of a person invalid, and withdraw their address changes."""
    person.moves += 1
    for kind in ChangeKind:
        # The old mailbox contains the question, and with it the token that confirms.
        address_changes.withdraw(session, person, kind)
    for row in games.all_seats_of(session, person):
        # The new epoch makes older tokens of the seat expire.
        row.epoch += 1
        agenda.schedule(session, row.game)
    session.flush()


def with_new_tokens(
    desk: Desk, person: Person, kind: type[NewTokens]
) -> Iterator[tuple[SeatRow | None, NewTokens]]:
    """Yield a letter for each seat, or one without a seat; the first has a new code."""
    code = registration.renew_code(desk.site, person)
    rows: Sequence[SeatRow | None] = games.seats_of(desk.session, person)
    for row in rows or (None,):
        game = row.game if row is not None else None
        yield (
            row,
            kind(
                game=game.name if game is not None else "",
                seat=row.name if row is not None else "",
                turn=game.turn if game is not None else 0,
                account=person.account,
                code=code,
                deadline=current_deadline(game, person.zone, desk.now) if game else None,
            ),
        )
        code = ""


def _set_second(moving: _Move) -> None:
    person, address = moving.person, moving.change.address
    person.second_address, person.second_bounces = address, 0
    moving.desk.session.flush()
    if not person.is_at_second:
        # The confirmation shows that mail to the second address is read.
        person.bounces = 0
        moving.post(SecondAddressSet(address), mailbox(person), "second")
    here = SecondAddressSet("", moving.desk.site.address)
    moving.post(here, MailAddress(person.name, address), "secondhere")
