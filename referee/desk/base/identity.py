"""Whose letter it is, what game and seat it is about, and how far it is believed."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from referee.desk.base import code_lockout
from referee.desk.base.site import Site
from referee.domain.trust import (
    AddressToken,
    ConfirmationToken,
    DeputyToken,
    OfferToken,
    SeatToken,
    Token,
    Trust,
    code_fits,
    verify,
)
from referee.letters.incoming.authentication import Basis
from referee.letters.incoming.letter import Letter
from referee.parsing.body import Heading
from referee.store import Session
from referee.store.games import games
from referee.store.models import Game, InboxLetter, Person, SeatRow
from referee.store.people import deputies, offers, people
from referee.store.people.deputies import Deputy
from referee.store.people.offers import Offer

_TAG = re.compile(
    r"\[\s*([A-Z]{1,5}-[0-9]{1,9})(?:\s+T([0-9]{1,4}))?(?:\s+([^\]\s]{1,40}))?\s*\]", re.I
)


@dataclass(frozen=True, slots=True)
class Identity:
    """What a letter says and proves of its sender.

    *person* is whose address it bears, or who holds the seat its token speaks for; *seat* the seat
    it speaks for, as far as *trust* goes; *turn* is the turn it names, *held* the letter it may
    confirm, and *change* the side of a change of address. *wrong_code* tells that a code was given
    and does not fit, *code_ignored* that it was not looked at. *claims_seat* tells that it names a
    seat that is not the sender's, whether there is one of that name or not. *deputy* is who it
    comes from if that is no player: he has a *seat* while his days last, and a deputy's rights.
    """

    address: str
    trust: Trust
    person: Person | None = None
    game: Game | None = None
    seat: SeatRow | None = None
    turn: int | None = None
    held: int | None = None
    change: AddressToken | None = None
    wrong_code: bool = False
    code_ignored: bool = False
    claims_seat: bool = False
    offer: int | None = None
    """The offer of a seat that it answers."""
    deputy: Deputy | None = None
    missing: str = ""
    """The game that it names and that there is not."""

    @property
    def is_believed(self) -> bool:
        """Whether what the letter says needs no confirmation.

        A game may let an address alone do: that of record, not the second one, where its player
        may seldom look.
        """
        if self.trust is not Trust.ADDRESS or self.seat is None or self.person is None:
            return self.trust >= Trust.CODE
        return self.seat.game.trust == "address" and self.address == self.person.address

    @property
    def is_gm(self) -> bool:
        """Whether the sender's address is that of a GM of the game.

        Not when the letter speaks for somebody else's seat: answers go to that seat's holder, who
        would be told what is the GM's to know by writing the GM's address on his own reply.
        """
        return (
            self.game is not None
            and self.person is not None
            and (self.seat is None or self.seat.person_id == self.person.id)
            and any(master.person_id == self.person.id for master in self.game.masters)
        )


@dataclass(frozen=True, slots=True)
class Evidence:
    """What stands in a letter besides its words: our tokens, its heading, who vouches for From."""

    tokens: Sequence[Token]
    heading: Heading | None
    basis: Basis | None
    now: datetime


def identify(session: Session, letter: Letter, row: InboxLetter, evidence: Evidence) -> Identity:
    """Tie a letter to a seat: by token, by our own Message-ID, by subject, heading or address.

    A token speaks for its seat, and for who holds it, whoever sends it; subject and heading only
    name a seat, and are believed as far as the sender's address, signature and code go.
    """
    address = letter.senders[0].address if len(letter.senders) == 1 else ""
    tokens = evidence.tokens
    about = _about(letter, evidence.heading)
    held = next((token.held for token in tokens if isinstance(token, ConfirmationToken)), None)
    change = next((token for token in tokens if isinstance(token, AddressToken)), None)
    claim = Identity(address, Trust.NONE, turn=about.turn, held=held, change=change)
    for token in tokens:
        if isinstance(token, DeputyToken):
            deputy = deputies.by_id(session, token.deputy)
            if deputy is not None and _is_his(session, deputy, token, address):
                return _deputised(claim, deputy, row)
        if isinstance(token, SeatToken) and (seat := _living_seat(session, token)) is not None:
            # Whoever else stands in From, such as the GM, does not speak in this letter.
            return replace(claim, trust=Trust.TOKEN, person=seat.person, game=seat.game, seat=seat)
    for token in tokens:
        if isinstance(token, OfferToken) and (offer := _living_offer(session, token)) is not None:
            claim = replace(claim, person=offer.person, game=offer.seat.game, offer=offer.id)
            return replace(claim, trust=Trust.TOKEN)
    person = people.by_address(session, address) if address else None
    game, seat = _named(session, about, person)
    missing = about.game if game is None else ""
    claim = replace(claim, person=person, game=game, seat=seat, missing=missing)
    if person is None or (seat is not None and seat.person_id != person.id):
        return replace(claim, claims_seat=bool(about.seat))
    claim = replace(claim, claims_seat=bool(about.seat) and seat is None)
    if evidence.basis is not None:
        return replace(claim, trust=Trust.ALIGNED)
    return _with_code(session, claim, person, row, evidence)


def _is_his(session: Session, deputy: Deputy, token: DeputyToken, address: str) -> bool:
    """Return whether a deputy's token is alive, and the letter comes from an address of his."""
    if deputy.epoch != token.epoch:
        return False
    if deputy.person is None:
        return deputy.address == address
    return bool(address) and people.by_address(session, address) is deputy.person


def _deputised(claim: Identity, deputy: Deputy, row: InboxLetter) -> Identity:
    """Return what a deputy's own letter may be, by the moment at which it reached us."""
    claim = replace(claim, deputy=deputy, game=deputy.seat.game)
    if not deputy.may_order(row.arrived_at):
        return claim
    return replace(claim, trust=Trust.TOKEN, person=deputy.person, seat=deputy.seat)


def _with_code(
    session: Session, claim: Identity, person: Person, row: InboxLetter, evidence: Evidence
) -> Identity:
    """Return how far a letter from the person's address is believed for its security code."""
    claim = replace(claim, trust=Trust.ADDRESS)
    code = evidence.heading.code if evidence.heading is not None else ""
    if not code:
        return claim
    if code_lockout.are_ignored(session, person, code_lockout.sender_of(person, row), evidence.now):
        return replace(claim, code_ignored=True)
    if code_fits(code, person.code_salt, person.code_hash):
        return replace(claim, trust=Trust.CODE)
    return replace(claim, wrong_code=True)


@dataclass(frozen=True, slots=True)
class _About:
    """The game, seat and turn a letter names, in capitals; empty where it names none."""

    game: str = ""
    seat: str = ""
    turn: int | None = None


def _about(letter: Letter, heading: Heading | None) -> _About:
    """Return what the heading names, and where it is silent the tag in the subject."""
    tag = _TAG.search(letter.subject)
    found = _About()
    if tag is not None:
        turn = int(tag.group(2)) if tag.group(2) else None
        found = _About(tag.group(1).upper(), (tag.group(3) or "").upper(), turn)
    if heading is None or not heading.game:
        return found
    if found.game != heading.game:
        return _About(heading.game, heading.seat, heading.turn)
    return _About(found.game, heading.seat or found.seat, heading.turn or found.turn)


def tokens_of(site: Site, letter: Letter, row: InboxLetter) -> list[Token]:
    """Return our tokens in the letter, those in addresses before those in Message-IDs."""
    candidates = []
    for address in (row.envelope_recipient, *letter.recipients):
        local, _, domain = address.rpartition("@")
        if domain.lower() == site.domain.lower() and "+" in local:
            candidates.append(local.partition("+")[2])
    for reference in letter.references:
        local, _, domain = reference.rpartition("@")
        if domain.lower() == site.domain.lower():
            candidates.append(local)
    found = (verify(candidate, site.key) for candidate in candidates)
    return [token for token in found if token is not None]


def _living_seat(session: Session, token: SeatToken) -> SeatRow | None:
    seat = games.seat_by_id(session, token.seat)
    if seat is None or seat.person is None or seat.epoch != token.epoch:
        return None
    return seat


def _living_offer(session: Session, token: OfferToken) -> Offer | None:
    offer = offers.by_id(session, token.offer)
    return offer if offer is not None and offer.person.moves == token.moves else None


def _named(
    session: Session, about: _About, person: Person | None
) -> tuple[Game | None, SeatRow | None]:
    """Return the game and seat the letter names, or else the sender's only seat."""
    own = games.seats_of(session, person) if person is not None else []
    if not about.game:
        return (own[0].game, own[0]) if len(own) == 1 else (None, None)
    game = games.by_name(session, about.game)
    if game is None:
        return None, None
    held = [seat for seat in game.seats if seat.person_id is not None]
    if about.seat:
        return game, next((seat for seat in held if seat.name == about.seat), None)
    mine = [seat for seat in own if seat.game_id == game.id]
    return game, mine[0] if len(mine) == 1 else None
