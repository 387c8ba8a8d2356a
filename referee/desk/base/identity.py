"""The sender of a letter: the person, game and seat it belongs to, and how far it is trusted."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum
from typing import Any, Final

from referee.desk.base import private_games, wrong_codes
from referee.desk.base.letter_tokens import (
    LetterTokens,
    is_current,
    is_from,
    is_variant,
    reported,
    valid_offer,
    valid_seat,
)
from referee.domain.tokens import Kind, Token
from referee.domain.trust import Trust, code_fits
from referee.letters.incoming.letter import Letter
from referee.letters.incoming.phrases import REPLY_PREFIX
from referee.parsing.body import Heading, read_heading
from referee.parsing.lines import Line
from referee.store import Session
from referee.store.games import games
from referee.store.models import Game, GameStatus, InboxLetter, Person, SeatRow
from referee.store.people import deputies, former_players, people
from referee.store.people.deputies import Deputy
from referee.store.people.offers import Offer

_TAG = re.compile(
    r"\[\s*([A-Z]{1,5}-[0-9]{1,9})(?:\s+T([0-9]+))?(?:\s+([^\]\s]{1,40}))?\s*\]", re.I
)


NEWEST: Final = "A reply to an email of this turn needs no confirmation."
_FORGEABLE: Final = (
    " It has no security code, and no signature of your mail provider that shows that you wrote "
    "all of it to us. So anyone could have sent it."
)


class Why(Enum):
    """Why a letter proves no more than it does, the strongest reason first, in words for its owner.

    *{address}* is the sender's, and *{game}* that of the email which the letter answers.
    """

    WRONG_CODE = "The security code in it is not yours."
    TOO_MANY_CODES = (
        "The security code in it is right. But we received too many wrong ones today, so it could "
        "be a guess."
    )
    FROM_ELSEWHERE = "It came from {address}, which is not an address of yours."
    CONTRADICTED = (
        "Your mail provider signed your last emails, but not this one. So anyone who has seen one "
        "of our emails to you could have sent it."
    )
    CODE_IN_SUBJECT = (
        "The line with the security code is in the subject. Only the text of an email is read: "
        "write it on the first line there."
    )
    TOO_OLD = (
        "It answers an email from more than a turn ago, and replies to those prove nothing. "
        f"{NEWEST}"
    )
    ANOTHER_GAMES_ADDRESS = (
        "The reply address for {game} proves nothing in another game." + _FORGEABLE
    )
    LEFT_THE_GAME = (
        "You no longer play in this game, so a reply to our emails about it proves nothing."
        + _FORGEABLE
    )
    NOT_TO_THE_REPLY_ADDRESS = (
        "It answers an email of ours, or comes from an atlas, but it was not sent to the reply "
        "address of that email." + _FORGEABLE
    )
    A_QUESTIONS_ADDRESS = (
        "You replied to a question of ours, and such a reply proves only a CONFIRM. A reply to "
        "another email about the game shows what a command does." + _FORGEABLE
    )
    NO_REPLY = "It is not a reply to one of our reports or answers." + _FORGEABLE


@dataclass(frozen=True, slots=True)
class About:
    """The game, seat and turn that a letter is about, by what its proof covers."""

    game: Game | None = None
    seat: SeatRow | None = None
    """The seat that the letter speaks for, if its sender is trusted."""
    turn: int | None = None
    inherited_turn: int | None = None
    """The turn that only the tag of the subject names, which replies inherit."""
    missing: str = ""
    """The name of the game that the letter names, if it does not exist."""
    claims_seat: bool = False
    """Whether the letter names a seat that is not the sender's, be there one or not."""
    answers_game: str = ""
    """The game of the email that the letter answers, if its heading names another one.

    That email proves nothing then."""
    other_seat: str = ""
    """The name of the seat that the letter names, if it answers an email to another seat."""
    names_none_of_several: bool = False
    """Whether nothing in a GM's letter says which of their games it is about.

    It is about the sender's only seat then, and no command of a GM is done."""


@dataclass(frozen=True, slots=True)
class Identity:
    """The sender of a letter, how far they are trusted, and the subject of the letter.

    *person* owns the sender's address. *deputy* is the sender if not a player; the letter is about
    a seat only while the deputyship lasts.
    """

    address: str
    trust: Trust
    person: Person | None = None
    about: About = About()
    answers: Token | None = None
    """The token of the question that the letter answers: of a pending letter, of an address change,
    or of the offer of a seat; or that of another person that it was sent to."""
    why: Why = Why.NO_REPLY
    """The reason why the letter proves no more."""
    deputy: Deputy | None = None
    vouched: bool = False
    """Whether the domain of a sender we do not know vouches for the letter."""

    @property
    def game(self) -> Game | None:
        """The game that the letter is about."""
        return self.about.game

    @property
    def seat(self) -> SeatRow | None:
        """The seat that the letter speaks for, subject to *trust*."""
        return self.about.seat

    @property
    def turn(self) -> int | None:
        """The turn that the letter names."""
        return self.about.turn

    @property
    def borrows_token(self) -> bool:
        """Whether the letter was sent to another person's token: it waits until they confirm it."""
        acts = self.answers is not None and self.answers.kind in (Kind.SEAT, Kind.OFFER)
        return acts and self.trust is Trust.NONE

    def told(self, **facts: Any) -> "Identity":
        """Return the identity of a letter that is about something else in some of the *facts*."""
        return replace(self, about=replace(self.about, **facts))

    @property
    def usual_address(self) -> str:
        """The primary address of a person we know, wherever they write from, else the sender's."""
        return self.person.address if self.person is not None else self.address

    def asked(self, kind: Kind) -> int | None:
        """Return the number of the question of this *kind* that the letter answers, or None."""
        token = self.answers
        return token.number if token is not None and token.kind is kind else None

    @property
    def is_stranger(self) -> bool:
        """Whether nobody we know is asked about the letter: it names neither person nor seat."""
        return self.person is None and self.seat is None and not self.about.claims_seat

    @property
    def is_proven(self) -> bool:
        """Whether the owner of the sender's address wrote the letter, known to us or not."""
        return self.trust >= Trust.CODE or self.vouched

    @property
    def recorded_trust(self) -> Trust:
        """How far the letter is tied to the sender's address, known to us or not."""
        return Trust.ALIGNED if self.vouched else self.trust

    @property
    def is_believed(self) -> bool:
        """Whether commands in the letter need no confirmation.

        A game can accept the address as proof, but only the primary one: a player may seldom look
        at the second one.
        """
        if self.trust is not Trust.ADDRESS or self.seat is None or self.person is None:
            return self.trust >= Trust.CODE
        return self.seat.game.trust == "address" and self.address == self.person.address

    @property
    def is_gm(self) -> bool:
        """Whether the sender's address is that of a GM of the game, and the letter is about it.

        False if the letter speaks for another person's seat. Answers go to the holder of that seat,
        who could otherwise read what only the GM may, with the GM's address in From.
        """
        return (
            self.game is not None
            and self.person is not None
            and not self.about.names_none_of_several
            and (self.seat is None or self.seat.person_id == self.person.id)
            and any(gm.person_id == self.person.id for gm in self.game.gms)
        )


@dataclass(frozen=True, slots=True)
class Proofs:
    """Proof in a letter besides its text: our tokens, its heading, and a signature of From."""

    tokens: LetterTokens
    heading: Heading | None
    is_signed: bool | None
    now: datetime
    answered: str = ""
    """The name of the game of the email that the letter answers, or ""."""


@dataclass(frozen=True, slots=True)
class _Named:
    """The game, seat and turn that a letter names, in capitals; empty if it names none."""

    game: str = ""
    seat: str = ""
    turn: int | None = None
    inherited_turn: int | None = None
    """The turn, if only the tag of the subject names it."""
    in_heading: bool = False
    """Whether the text names the game, and not only the subject, which replies inherit."""


def identify(session: Session, letter: Letter, row: InboxLetter, proofs: Proofs) -> Identity:
    """Find the sender and the seat: by token, by our Message-ID, by subject, heading or address.

    A token authorises its seat only if the letter is from an address of the token's owner. From
    another address, a letter sent to the token is for the seat but not believed. If the heading
    names another game, neither counts. Our Message-ID, the subject and the heading only name a
    seat; how far they are trusted depends on the sender's address, signature and code.

    Proofs against the sender is counted here, too: a token proves nothing in a letter that is not
    signed, if the sender's others are.
    """
    found = _found(session, letter, row, proofs)
    person = found.person
    signs = is_variant(found.address, person.signs or "") if person is not None else False
    if person is not None and signs and proofs.is_signed is False and found.trust is Trust.TOKEN:
        found = _with_code(session, replace(found, why=Why.CONTRADICTED), person, proofs)
    return found if found.trust >= Trust.CODE else replace(found, why=_why(session, letter, found))


def _why(session: Session, letter: Letter, found: Identity) -> Why:
    """Return the strongest reason why an unproven letter proves no more."""
    subject = read_heading(Line(1, REPLY_PREFIX.sub("", letter.subject)))
    also = {
        Why.FROM_ELSEWHERE: found.trust is Trust.NONE,
        Why.CODE_IN_SUBJECT: subject is not None and bool(subject.code),
        Why.ANOTHER_GAMES_ADDRESS: bool(found.about.answers_game) and found.game is not None,
        Why.LEFT_THE_GAME: _has_left(session, found),
        Why.A_QUESTIONS_ADDRESS: found.asked(Kind.QUESTION) is not None,
    }
    return next(why for why in Why if why is found.why or also.get(why))


def _has_left(session: Session, found: Identity) -> bool:
    """Return whether the sender had a seat of the game that the letter is about, and has none."""
    if found.game is None or found.person is None or found.seat is not None:
        return False
    left = former_players.of(session, found.game, found.person)
    return any(each.seat_id is not None for each in left)


def _found(session: Session, letter: Letter, row: InboxLetter, proofs: Proofs) -> Identity:
    """Return the sender and the seat by the evidence for them."""
    address = letter.senders[0].address if len(letter.senders) == 1 else ""
    about = _about(letter, proofs.heading)
    about = about if about.game else replace(about, game=proofs.answered)
    tokens, answers_game = proofs.tokens, ""
    if about.in_heading:
        answers_game = tokens.other_game(session, about.game)
        tokens = tokens.about(session, about.game)
    told = About(turn=about.turn, inherited_turn=about.inherited_turn, answers_game=answers_game)
    claim = Identity(address, Trust.NONE, about=told)
    questions = (t for t in tokens.sent_to if t.kind in (Kind.QUESTION, Kind.ADDRESS))
    claim = replace(claim, answers=next(questions, None))
    proved = _by_own_token(session, claim, about, tokens.sent_to, row)
    if proved is not None:
        return proved.told(answers_game="")
    proofs = replace(proofs, tokens=tokens)
    named = _by_address(session, claim, about, proofs)
    if named.trust >= Trust.CODE and named.seat is not None and about.in_heading:
        return named
    if (referred := _by_reference(session, claim, about, proofs, row)) is not None:
        return referred
    if (borrowed := _by_others_token(session, claim, about, tokens.sent_to)) is not None:
        return borrowed
    if named.why is Why.NO_REPLY and _has_expired(session, named, tokens):
        return replace(named, why=Why.TOO_OLD)
    return named


def _by_own_token(
    session: Session, claim: Identity, about: _Named, tokens: Sequence[Token], row: InboxLetter
) -> Identity | None:
    """Return the identity that a token of the sender's own proves, or None."""
    address = claim.address
    for token in (reported(session, each) for each in tokens):
        if token.kind is Kind.DEPUTY:
            deputy = deputies.by_id(session, token.number)
            if deputy is not None and _is_from_deputy(session, deputy, token, address):
                claim = claim.told(other_seat=_other_seat(about, deputy.seat))
                return _as_deputy(_in_game(claim, deputy.seat.game, about), deputy, row)
        if (seat := valid_seat(session, token)) is not None:
            owner = seat.person
            if owner is not None and is_from(session, address, owner):
                claim = _in_game(claim, seat.game, about)
                claim = claim.told(seat=seat, other_seat=_other_seat(about, seat))
                return replace(claim, trust=Trust.TOKEN, person=owner)
    for token in tokens:
        offer = valid_offer(session, token)
        if offer is not None and is_from(session, address, offer.person):
            return replace(_of_offer(claim, offer, token), trust=Trust.TOKEN)
    return None


def _by_reference(
    session: Session, claim: Identity, about: _Named, proofs: Proofs, row: InboxLetter
) -> Identity | None:
    """Return the identity of a letter that answers one of ours to its sender, or None.

    It is found by our Message-ID, which others can read in a forwarded email. So it proves no more
    than a letter from the sender's address that names the seat.
    """
    found = _by_own_token(session, claim, about, proofs.tokens.referred, row)
    if found is None or proofs.is_signed:
        aligned = found is not None and found.trust is Trust.TOKEN
        return replace(found, trust=Trust.ALIGNED) if found is not None and aligned else found
    # Nobody becomes a deputy by a letter that anyone could have sent.
    if found.person is None or found.seat is None:
        return None
    claim = replace(found, why=Why.NOT_TO_THE_REPLY_ADDRESS)
    return _with_code(session, claim, found.person, proofs)


def _by_others_token(
    session: Session, claim: Identity, about: _Named, tokens: Sequence[Token]
) -> Identity | None:
    """Return the unproven identity of a letter sent to the token of another person, or None.

    The sender has no rights in it, whoever they are.
    """
    for token in tokens:
        if (seat := valid_seat(session, token)) is not None:
            return replace(_in_game(claim, seat.game, about).told(seat=seat), answers=token)
        if (offer := valid_offer(session, token)) is not None:
            return _of_offer(claim, offer, token)
    return None


def _of_offer(claim: Identity, offer: Offer, token: Token) -> Identity:
    return replace(claim.told(game=offer.seat.game), person=offer.person, answers=token)


def _by_address(session: Session, claim: Identity, about: _Named, proofs: Proofs) -> Identity:
    """Return the identity of a letter without a token: by its subject, heading and sender."""
    person = people.by_address(session, claim.address) if claim.address else None
    game, seat = _named(session, about, person)
    missing = about.game if game is None else ""
    claim = replace(claim.told(game=game, seat=seat, missing=missing), person=person)
    if person is not None and game is not None and not about.game:
        several = any(led is not game for led in games.led_by(session, person))
        claim = claim.told(names_none_of_several=several)
    if person is None or (seat is not None and seat.person_id != person.id):
        vouched = person is None and bool(proofs.is_signed)
        return replace(claim.told(claims_seat=bool(about.seat)), vouched=vouched)
    claim = claim.told(claims_seat=bool(about.seat) and seat is None)
    if _is_by_gm(session, claim, proofs.tokens.sent_to):
        return replace(claim, trust=Trust.TOKEN)
    if proofs.is_signed:
        claim = replace(claim, trust=Trust.ALIGNED)
    else:
        claim = _with_code(session, claim, person, proofs)
    to_gm = proofs.heading is not None and proofs.heading.by_gm
    return claim if about.seat or to_gm else _with_last_seat(claim, person)


def _with_last_seat(claim: Identity, person: Person) -> Identity:
    """Return the claim with the seat that the person held to the end of the game it names."""
    if claim.game is None or claim.game.status is not GameStatus.ENDED:
        return claim
    held = [row for row in claim.game.seats if row.person_id == person.id]
    return claim.told(seat=held[0]) if len(held) == 1 else claim


def _has_expired(session: Session, named: Identity, tokens: LetterTokens) -> bool:
    """Return whether the letter answers one of ours that is too old to prove it."""
    answered = (token for token in (*tokens.sent_to, *tokens.referred) if _is_to(named, token))
    game = named.game
    return game is not None and any(not is_current(session, each, game) for each in answered)


def _is_by_gm(session: Session, claim: Identity, tokens: Sequence[Token]) -> bool:
    """Return whether the letter replies to one of ours to its sender as a GM of the game."""
    game, own = claim.game, (token for token in tokens if token.kind is Kind.GM)
    return game is not None and any(
        _is_to(claim, each) and is_current(session, each, game) for each in own
    )


def _is_to(claim: Identity, token: Token) -> bool:
    """Return whether a token is that of the seat of a letter, or of its sender as a GM."""
    seat, person = claim.seat, claim.person
    match token.kind:
        case Kind.SEAT:
            return seat is not None and (token.number, token.epoch) == (seat.id, seat.epoch)
        case Kind.GM if claim.is_gm and person is not None:
            return (token.number, token.epoch) == (person.id, person.moves)
        case _:
            return False


def _in_game(claim: Identity, game: Game, about: _Named) -> Identity:
    """Return the claim of a letter with a token for a seat of *game*.

    A turn that the subject names for another game means nothing here.
    """
    turn = claim.turn if about.game in ("", game.name) else None
    return claim.told(game=game, turn=turn)


def _other_seat(about: _Named, seat: SeatRow) -> str:
    """Return the name of the seat that a letter names, if it is another one of the game, or ""."""
    return about.seat if about.game == seat.game.name and about.seat != seat.name else ""


def _is_from_deputy(session: Session, deputy: Deputy, token: Token, address: str) -> bool:
    """Return whether a deputy's token is valid and the letter is from the deputy's address."""
    if deputy.epoch != token.epoch:
        return False
    if deputy.person is None:
        return is_variant(address, deputy.address)
    return is_from(session, address, deputy.person)


def _as_deputy(claim: Identity, deputy: Deputy, row: InboxLetter) -> Identity:
    """Return the rights of a deputy's own letter at the moment it reached us."""
    claim = replace(claim, deputy=deputy)
    if not deputy.may_order(row.arrived_at):
        return claim
    return replace(claim.told(seat=deputy.seat), trust=Trust.TOKEN, person=deputy.person)


def _with_code(session: Session, claim: Identity, person: Person, proofs: Proofs) -> Identity:
    """Return the trust that the security code gives to a letter from the person's address."""
    claim = replace(claim, trust=Trust.ADDRESS)
    code = proofs.heading.code if proofs.heading is not None else ""
    if not code:
        return claim
    if not code_fits(code, person.code_salt, person.code_hash):
        return replace(claim, why=Why.WRONG_CODE)
    if wrong_codes.are_many(session, person, proofs.now):
        return replace(claim, why=Why.TOO_MANY_CODES)
    return replace(claim, trust=Trust.CODE)


def _about(letter: Letter, heading: Heading | None) -> _Named:
    """Return the game and seat in the heading; the subject adds the missing ones."""
    found = _in_subject(letter.subject)
    if heading is None or not heading.game:
        return found
    if found.game != heading.game:
        return _Named(heading.game, heading.seat, heading.turn, in_heading=True)
    if heading.turn is None:
        return replace(found, seat=heading.seat or found.seat, in_heading=True)
    return _Named(found.game, heading.seat or found.seat, heading.turn, in_heading=True)


def _in_subject(subject: str) -> _Named:
    """Return the tag in the subject, or else the heading that the subject is."""
    if (tag := _TAG.search(subject)) is not None:
        turn = int(tag.group(2)) if tag.group(2) else None
        return _Named(tag.group(1).upper(), (tag.group(3) or "").upper(), turn, turn)
    named = read_heading(Line(1, REPLY_PREFIX.sub("", subject)))
    return _Named(named.game, named.seat, named.turn) if named is not None else _Named()


def _named(
    session: Session, about: _Named, person: Person | None
) -> tuple[Game | None, SeatRow | None]:
    """Return the game and seat the letter names, or else the sender's only seat."""
    own = games.seats_of(session, person) if person is not None else []
    if not about.game:
        return (own[0].game, own[0]) if len(own) == 1 else (None, None)
    game = private_games.called(session, about.game, person)
    if game is None:
        return None, None
    held = [seat for seat in game.seats if seat.person_id is not None]
    if about.seat:
        return game, next((seat for seat in held if seat.name == about.seat), None)
    mine = [seat for seat in own if seat.game_id == game.id]
    return game, mine[0] if len(mine) == 1 else None
