"""Our tokens in a letter: where they are, which are still valid, and whose they are."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from referee.desk.base.site import Site
from referee.domain.tokens import Kind, Right, Token, named_in, verify
from referee.letters.incoming.letter import Letter
from referee.store import Session
from referee.store.games import games
from referee.store.mail import inbox
from referee.store.models import Game, InboxLetter, Person, SeatRow
from referee.store.people import deputies, offers, people
from referee.store.people.offers import Offer


@dataclass(frozen=True, slots=True)
class LetterTokens:
    """Our tokens in a letter, and what of ours it refers to.

    *sent_to* are the tokens that it was delivered to, *others* those of its other recipients.
    *referred* are the seats and deputies to whom the letters went that are named in its References,
    or in the address from a file: they authorise nothing.
    """

    sent_to: Sequence[Token] = ()
    referred: Sequence[Token] = ()
    others: Sequence[Token] = ()

    def without_owners(self) -> "LetterTokens":
        """Return the tokens without those that authorise somebody to act for a seat."""
        return LetterTokens([t for t in self.sent_to if t.rule.right is not Right.SEAT])

    def about(self, session: Session, game: str) -> "LetterTokens":
        """Return the tokens of the game with this name, and those of no game.

        If the letter was also sent to a token of that game, it counts like the one it came to.
        """
        fitting = [t for t in (*self.sent_to, *self.others) if _fits(session, t, game)]
        return LetterTokens(fitting, [t for t in self.referred if _fits(session, t, game)])

    def other_game(self, session: Session, game: str) -> str:
        """Return the name of the other game that a token belongs to, or ""."""
        games_of = (_game_of(session, token) for token in (*self.sent_to, *self.referred))
        return next((each.name for each in games_of if each and each.name != game), "")


def tokens_of(site: Site, letter: Letter, row: InboxLetter) -> LetterTokens:
    """Return our tokens in the letter.

    A row that was delivered to a token is for that one. The other addressees have rows of their
    own, so each is judged for itself.
    """
    here = (row.envelope_recipient,)
    addressed = _found(site, letter.recipients, verify)
    # An address from a file is the recipient's own, too.
    sent_to = () if _found(site, here, named_in) else _found(site, here, verify) or addressed
    named = (*here, *letter.recipients, *letter.references)
    return LetterTokens(sent_to, _found(site, named, named_in), addressed)


def valid_seat(session: Session, token: Token) -> SeatRow | None:
    """Return the seat for which a letter of its player to the token is proven now, or None."""
    seat = _seat(session, token)
    return seat if seat is not None and is_current(session, token, seat.game) else None


def is_current(session: Session, token: Token, game: Game) -> bool:
    """Return whether a token that may expire has not done so in its game."""
    turns = token.rule.turns
    if token.kind is not Kind.GM or turns is None:
        return token.is_valid_in(game.turn)
    oldest = game.turn - turns + 1
    return oldest < 1 or token.written >= int(games.began(session, game, oldest).timestamp())


def valid_offer(session: Session, token: Token) -> Offer | None:
    """Return the offer that a token answers, or None if its person has moved since."""
    offer = offers.by_id(session, token.number) if token.kind is Kind.OFFER else None
    return offer if offer is not None and offer.person.moves == token.epoch else None


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
    """Return whether two addresses differ only in the part after a plus."""
    return bool(own) and _without_plus(address) == _without_plus(own)


def owns_seat(session: Session, address: str, tokens: LetterTokens) -> bool:
    """Return whether a token for a seat of *address* proves the letter."""
    seats = (valid_seat(session, reported(session, token)) for token in tokens.sent_to)
    owners = (seat.person for seat in seats if seat is not None)
    return any(owner is not None and is_from(session, address, owner) for owner in owners)


def reported(session: Session, token: Token) -> Token:
    """Return the token of a report that proves as much as that of a question about a seat.

    It does so for the same turns, and until the player's address or the seat's tokens change.
    """
    held = inbox.by_id(session, token.number) if token.kind is Kind.QUESTION else None
    asked = held.asked if held is not None else None
    if asked is None or asked["seat"] is None:
        return token
    if asked["deputy"] is not None:
        return Token(Kind.DEPUTY, asked["deputy"], asked["epoch"])
    return Token(Kind.SEAT, asked["seat"], asked["epoch"], asked["turn"] or 0)


def _seat(session: Session, token: Token) -> SeatRow | None:
    """Return the seat of a token that only its age can make invalid, or None."""
    seat = games.seat_by_id(session, token.number) if token.kind is Kind.SEAT else None
    if seat is None or seat.person is None or seat.epoch != token.epoch:
        return None
    return seat


def _fits(session: Session, token: Token, game: str) -> bool:
    found = _game_of(session, token)
    return found is None or found.name == game


def _game_of(session: Session, token: Token) -> Game | None:
    """Return the game that a token is about, or None if it is about none."""
    match token.kind:
        case Kind.SEAT:
            seat = games.seat_by_id(session, token.number)
            return seat.game if seat is not None else None
        case Kind.DEPUTY:
            deputy = deputies.by_id(session, token.number)
            return deputy.seat.game if deputy is not None else None
        case Kind.OFFER:
            offer = offers.by_id(session, token.number)
            return offer.seat.game if offer is not None else None
        case Kind.QUESTION:
            held = inbox.by_id(session, token.number)
            return games.by_id(session, held.game_id) if held is not None and held.game_id else None
        case _:
            return None


def _found(
    site: Site, addresses: Sequence[str], read: Callable[[str, bytes], Token | None]
) -> tuple[Token, ...]:
    """Return the tokens of ours in *addresses* behind the plus, or in Message-IDs."""
    parts = (address.rpartition("@") for address in addresses)
    ours = (local for local, _, domain in parts if domain.lower() == site.domain.lower())
    found = (read(local.partition("+")[2] or local, site.key) for local in ours)
    return tuple(token for token in found if token is not None)


def _without_plus(address: str) -> tuple[str, str]:
    local, _, domain = address.lower().rpartition("@")
    return local.partition("+")[0], domain
