"""Our tokens in a letter: where they are, which are still valid, and whose they are."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from referee.desk.base.site import Site
from referee.domain.trust import DeputyToken, OfferToken, SeatToken, Token, verify
from referee.letters.incoming.letter import Letter
from referee.store import Session
from referee.store.games import games
from referee.store.models import InboxLetter, Person, SeatRow
from referee.store.people import offers, people
from referee.store.people.offers import Offer

_OWNED: Final = (SeatToken, DeputyToken, OfferToken)


@dataclass(frozen=True, slots=True)
class LetterTokens:
    """Our tokens in a letter: those it was sent to, and those in its References."""

    sent_to: Sequence[Token] = ()
    referred: Sequence[Token] = ()

    @property
    def all(self) -> Sequence[Token]:
        """Every token, those it was sent to first."""
        return (*self.sent_to, *self.referred)

    def without_owners(self) -> "LetterTokens":
        """Return the tokens without those that authorise somebody to act."""
        return LetterTokens(tuple(t for t in self.sent_to if not isinstance(t, _OWNED)))


def tokens_of(site: Site, letter: Letter, row: InboxLetter) -> LetterTokens:
    """Return our tokens in the letter.

    A row that was delivered to a token is for that one. The other addressees have rows of their
    own, so each is judged for itself.
    """
    delivered = _tokens(site, (row.envelope_recipient,), after="+")
    addressed = delivered or _tokens(site, letter.recipients, after="+")
    return LetterTokens(addressed, _tokens(site, letter.references, after=""))


def valid_seat(session: Session, token: SeatToken) -> SeatRow | None:
    """Return the seat that a token authorises now, or None."""
    seat = _seat(session, token)
    return seat if seat is not None and token.is_valid_in(seat.game.turn) else None


def has_expired(session: Session, token: SeatToken) -> bool:
    """Return whether only its age makes a token invalid."""
    seat = _seat(session, token)
    return seat is not None and not token.is_valid_in(seat.game.turn)


def valid_offer(session: Session, token: OfferToken) -> Offer | None:
    """Return the offer that a token answers, or None if its person has moved since."""
    offer = offers.by_id(session, token.offer)
    return offer if offer is not None and offer.person.moves == token.moves else None


def is_from(session: Session, address: str, person: Person) -> bool:
    """Return whether *address* is the person's primary or second one, or a variant of one.

    A plus-address of theirs counts, unless it is another person's.
    """
    if not address:
        return False
    if (owner := people.by_address(session, address)) is not None:
        return owner is person
    return any(is_variant(address, own) for own in (person.address, person.second_address or ""))


def is_variant(address: str, own: str) -> bool:
    """Return whether two addresses are the same but for a part after a plus."""
    return bool(own) and _without_plus(address) == _without_plus(own)


def owns_seat(session: Session, address: str, tokens: LetterTokens) -> bool:
    """Return whether a token for a seat of *address* proves the letter."""
    seats = (valid_seat(session, token) for token in tokens.all if isinstance(token, SeatToken))
    owners = (seat.person for seat in seats if seat is not None)
    return any(owner is not None and is_from(session, address, owner) for owner in owners)


def _seat(session: Session, token: SeatToken) -> SeatRow | None:
    seat = games.seat_by_id(session, token.seat)
    if seat is None or seat.person is None or seat.epoch != token.epoch:
        return None
    return seat


def _tokens(site: Site, addresses: Sequence[str], *, after: str) -> tuple[Token, ...]:
    found = (verify(text, site.key) for text in _candidates(site, addresses, after))
    return tuple(token for token in found if token is not None)


def _candidates(site: Site, addresses: Sequence[str], after: str) -> Iterator[str]:
    """Yield the local parts at our domain, from the separator *after* on if there is one."""
    for address in addresses:
        local, _, domain = address.rpartition("@")
        if domain.lower() == site.domain.lower() and after in local:
            yield local.partition(after)[2] if after else local


def _without_plus(address: str) -> tuple[str, str]:
    local, _, domain = address.lower().rpartition("@")
    return local.partition("+")[0], domain
