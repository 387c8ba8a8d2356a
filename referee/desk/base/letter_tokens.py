"""Our tokens in a letter, their owners, and the letter of ours that a letter answers."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Final

from referee.desk.base.desk import Site
from referee.domain.effort import FREE, Effort
from referee.domain.mailboxes import mailbox_of
from referee.domain.tokens import Kind, Right, Token, named_after, named_in, verify
from referee.letters.incoming.decode import decode, decode_covered, text_in
from referee.letters.incoming.letter import Letter
from referee.letters.incoming.quoting import OwnText, needs_ours, own_text
from referee.letters.incoming.seen_lines import SeenLines
from referee.parsing.body import Heading, find_heading
from referee.store import Session
from referee.store.games import games
from referee.store.mail import inbox, mail_queries
from referee.store.mail.mail_queries import Quotable
from referee.store.models import Game, GameStatus, InboxLetter, Person, SeatRow
from referee.store.people import admissions, deputies, offers, people
from referee.store.people.admissions import AdmissionState
from referee.store.people.deputies import Deputy

_MOST_NAMED: Final = 6
"""The most Message-IDs that are looked up for one letter."""


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

    def of(self, session: Session, person: Person) -> str:
        """Return the full name of a token of the person that the letter came to, "" without one."""
        own = (each for each in self.owners(session) if each.is_own and each.person is person)
        return next((each.token.full_name for each in own), "")

    def owners(self, session: Session, game: str = "") -> list["Owned"]:
        """Return the tokens that the letter came to, of *game* and of no game if it is named.

        If the letter was also sent to a token of that game, it counts like the one it came to.
        """
        return owned(session, (*self.sent_to, *self.others) if game else self.sent_to, game)


@dataclass(frozen=True, slots=True)
class Owned:
    """A token with the row that it names: its game and seat, and its owner.

    The token of a question proves as much as that of another email to the person asked, which is
    its *like*: for the same seat or games and the same turns, until their address or tokens change.
    """

    token: Token
    game: Game | None = None
    seat: SeatRow | None = None
    person: Person | None = None
    deputy: Deputy | None = None
    invited: str = ""
    """The address of an invitation to somebody we do not know."""
    is_own: bool = False
    """Whether the row still belongs to the owner for whom the token was written."""
    is_current: bool = True
    """Whether the token has not expired; of a GM's, only the game of the letter says that."""
    like: Token | None = None

    @property
    def proof(self) -> Token:
        """The token that proves as much as this one."""
        return self.like or self.token

    @property
    def is_gm(self) -> bool:
        """Whether the token is for the games of a GM."""
        return self.proof.rule.right is Right.GAMES

    @property
    def is_valid(self) -> bool:
        """Whether a letter of its owner is proven by the token."""
        return self.is_own and self.is_current

    def is_from(self, session: Session, address: str) -> bool:
        """Return whether *address* is one of the owner."""
        if self.person is not None:
            return is_from(session, address, self.person)
        own = self.deputy.address if self.deputy is not None else self.invited
        return is_variant(address, own)


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


def owned(session: Session, tokens: Iterable[Token], game: str = "") -> list[Owned]:
    """Return the tokens with the rows that they name, only those about *game* if it is named."""
    found = (_owned(session, token) for token in tokens)
    return [each for each in found if not game or each.game is None or each.game.name == game]


def _owned(session: Session, token: Token) -> Owned:
    match token.kind:
        case Kind.SEAT if seat := games.seat_by_id(session, token.number):
            is_own = seat.person is not None and seat.epoch == token.epoch
            now = is_current(session, token, seat.game)
            return Owned(token, seat.game, seat, seat.person, is_own=is_own, is_current=now)
        case Kind.DEPUTY if deputy := deputies.by_id(session, token.number):
            seat, is_own = deputy.seat, deputy.epoch == token.epoch
            return Owned(token, seat.game, seat, deputy.person, deputy, is_own=is_own)
        case Kind.OFFER if offer := offers.by_id(session, token.number):
            is_own = offer.person.moves == token.epoch
            return Owned(token, offer.seat.game, person=offer.person, is_own=is_own)
        case Kind.INVITATION if admission := admissions.by_id(session, token.number):
            if admission.state is AdmissionState.ALLOWED:
                person = people.by_address(session, admission.address) or admission.person
                is_own = person is None or person.moves == token.epoch
                # It is valid until the game ends.
                now = admission.game.status is not GameStatus.ENDED
                invited = admission.address if person is None else ""
                return Owned(token, admission.game, None, person, None, invited, is_own, now)
        case Kind.GM if person := people.by_id(session, token.number):
            is_own = person.moves == token.epoch
            return Owned(token, person=person, is_own=is_own, is_current=False)
        case Kind.QUESTION:
            return _of_question(session, token)
    return Owned(token)


def _of_question(session: Session, token: Token) -> Owned:
    held = inbox.by_id(session, token.number)
    if held is None or held.asked is None:
        return Owned(token)
    asked = held.asked
    if asked["seat"] is None:
        came = int(held.arrived_at.timestamp())
        like = Token(Kind.GM, asked["person"] or 0, asked["moves"], came)
    elif asked["deputy"] is not None:
        like = Token(Kind.DEPUTY, asked["deputy"], asked["epoch"])
    else:
        like = Token(Kind.SEAT, asked["seat"], asked["epoch"], asked["turn"] or 0)
    found = replace(_owned(session, like), token=token, like=like)
    if found.game is None and held.game_id is not None:
        return replace(found, game=games.by_id(session, held.game_id))
    return found


def is_current(session: Session, token: Token, game: Game) -> bool:
    """Return whether a token that may expire has not done so in its game."""
    turns = token.rule.turns
    if token.kind is not Kind.GM or turns is None:
        return token.is_valid_in(game.turn)
    oldest = game.turn - turns + 1
    return oldest < 1 or token.written >= int(games.began(session, game, oldest).timestamp())


def is_from(session: Session, address: str, person: Person) -> bool:
    """Return whether *address* is the person's primary or second one, or a variant of one.

    Another address of their mailbox counts, unless it is another person's.
    """
    if not address:
        return False
    if (owner := people.by_address(session, address)) is not None:
        return owner is person
    return any(is_variant(address, own) for own in (person.address, person.second_address or ""))


def is_variant(address: str, own: str) -> bool:
    """Return whether two addresses are of one mailbox."""
    return bool(own) and mailbox_of(address) == mailbox_of(own)


def as_read(row: InboxLetter) -> Letter:
    """Return a stored letter as it was read: one that was signed, without its other fields."""
    if row.covers:
        return decode_covered(row.raw, row.covers.split())
    return decode(row.raw, row.envelope_recipient)


@dataclass(frozen=True)
class Answered:
    """The letter of ours that a letter answers, with the lines of its text."""

    sent: Quotable

    @cached_property
    def lines(self) -> SeenLines:
        """The lines of its text."""
        return SeenLines.of(text_in(self.sent.raw))


def answered_letter(session: Session, letter: Letter, key: bytes) -> Answered | None:
    """Return the letter of ours that *letter* answers, or None.

    It is named by In-Reply-To or References, or else by the reply address.
    """
    named = islice(dict.fromkeys(_named(letter, key)), _MOST_NAMED)
    found = (mail_queries.letter_called(session, message_id) for message_id in named)
    return next((Answered(sent) for sent in found if sent is not None), None)


def typed_text(session: Session, letter: Letter, key: bytes, effort: Effort = FREE) -> OwnText:
    """Return the text that the sender of *letter* typed.

    Our letter that it answers is looked up only if that can make a difference. Raises
    LetterTooCostly if *effort* is used up.
    """
    ours = answered_letter(session, letter, key) if needs_ours(letter.seen) else None
    return own_text(letter.seen, ours.lines if ours is not None else None, effort)


def heading_of(own: OwnText) -> Heading:
    """Return the heading of a text that its sender typed, empty if there is none."""
    return find_heading(own.lines) or Heading("")


def _found(
    site: Site, addresses: Sequence[str], read: Callable[[str, bytes], Token | None]
) -> tuple[Token, ...]:
    """Return the tokens of ours in *addresses* behind the plus, or in Message-IDs."""
    parts = (address.rpartition("@") for address in addresses)
    ours = (local for local, _, domain in parts if domain.lower() == site.domain.lower())
    found = (read(local.partition("+")[2] or local, site.key) for local in ours)
    return tuple(token for token in found if token is not None)


def _named(letter: Letter, key: bytes) -> Iterator[str]:
    """Yield the Message-IDs that *letter* can answer, nearest first.

    The token of a reply address shows the Message-ID of the letter that it belongs to.
    """
    yield from letter.references[:1]
    for address in letter.recipients:
        local, _, domain = address.rpartition("@")
        if name := named_after(local.partition("+")[2], key):
            yield f"{name}@{domain}"
    yield from letter.references[1:]
