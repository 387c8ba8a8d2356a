"""The sender of a letter: the person, game and seat it belongs to, and the proof of that."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from enum import Enum, IntEnum, auto
from typing import Any, Final

from referee.desk.base import codes, private_games
from referee.desk.base.desk import Desk
from referee.desk.base.letter_tokens import (
    LetterTokens,
    Owned,
    answered_letter,
    heading_of,
    is_current,
    is_variant,
    owned,
)
from referee.domain.effort import FREE, Effort
from referee.domain.mail_transfer import Line
from referee.domain.tokens import Kind, Right, Token
from referee.letters.incoming.letter import Letter
from referee.letters.incoming.phrases import REPLY_PREFIX
from referee.letters.incoming.quoting import OwnText
from referee.letters.incoming.screening import Screening
from referee.parsing.body import Heading, read_heading
from referee.parsing.command_lines import lone_turn
from referee.store import Session
from referee.store.games import games
from referee.store.models import Game, InboxLetter, Person, SeatRow
from referee.store.people import former_players, people
from referee.store.people.deputies import Deputy

_TAG = re.compile(
    r"\[\s*([A-Z]{1,5}-[0-9]{1,9})(?:\s+T([0-9]+))?(?:\s+([^\]\s]{1,40}))?\s*\]", re.I
)
_PLAIN: Final = re.compile(r"[a-z0-9._+-]{1,64}@[a-z0-9.-]{1,64}")


class Trust(IntEnum):
    """How a letter is tied to the person whom it concerns; a higher level is trusted more.

    The names are stored with the letters.
    """

    ELSEWHERE = auto()
    """Sent to the reply address of another person, who is asked about all of it."""
    NONE = auto()
    """Only a claim: not from an address of the person."""
    MAILBOX = auto()
    """From the address that signed it or was invited, but we do not know the sender."""
    ADDRESS = auto()
    """From an address of the person, which anyone can forge."""
    ACCEPTED = auto()
    """From the primary address, which the game of the seat accepts as proof."""
    CODE = auto()
    """From an address of the person, with the security code in the heading."""
    ALIGNED = auto()
    """From an address of the person, and signed by its domain."""
    TOKEN = auto()
    """A reply to a letter of ours, with a token signed for this person."""
    CONFIRMED = auto()
    """The primary address confirmed this very letter."""

    @classmethod
    def of(cls, row: InboxLetter) -> "Trust":
        """Return the trust in a letter that was read."""
        return cls[(row.trust or cls.NONE.name).upper()]

    @property
    def is_from_owner(self) -> bool:
        """Whether the letter comes from an address of the person whom it concerns."""
        return self >= Trust.ADDRESS

    @property
    def is_believed(self) -> bool:
        """Whether commands in the letter need no confirmation."""
        return self >= Trust.ACCEPTED

    @property
    def is_proven(self) -> bool:
        """Whether the owner of the sender's address wrote the letter, known to us or not."""
        return self >= Trust.CODE or self is Trust.MAILBOX

    @property
    def is_sure(self) -> bool:
        """Whether the letter is proven, or its game asks for no more proof."""
        return self.is_believed or self.is_proven


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

    def is_led_by(self, person: Person | None) -> bool:
        """Return whether a letter about this by *person* is one of a GM of the game.

        False if it speaks for another person's seat, or claims one. Answers go to the holder of
        that seat, who could otherwise read what only the GM may, with the GM's address in From.
        """
        return (
            self.game is not None
            and person is not None
            and not (self.names_none_of_several or self.claims_seat)
            and (self.seat is None or self.seat.person_id == person.id)
            and any(gm.person_id == person.id for gm in self.game.gms)
        )


@dataclass(frozen=True, slots=True)
class Proof:
    """How far a letter is proven to be a person's, and why no further. Only *prove* makes one."""

    trust: Trust = Trust.NONE
    person: Person | None = None
    why: Why = Why.NO_REPLY


@dataclass(frozen=True, slots=True)
class Identity:
    """The sender of a letter, the proof of that, and the subject of the letter.

    *deputy* is the sender if not a player; the letter is about a seat only while the deputyship
    lasts.
    """

    address: str
    proof: Proof = Proof()
    about: About = About()
    answers: Token | None = None
    """The token of the question that the letter answers: of a pending letter, of an address change,
    or of the offer of a seat; or that of another person that it was sent to."""
    deputy: Deputy | None = None

    @property
    def trust(self) -> Trust:
        """How far the letter is proven."""
        return self.proof.trust

    @property
    def person(self) -> Person | None:
        """The owner of the sender's address, or the person who was asked about the letter."""
        return self.proof.person

    @property
    def game(self) -> Game | None:
        """The game that the letter is about."""
        return self.about.game

    @property
    def seat(self) -> SeatRow | None:
        """The seat that the letter speaks for, subject to *trust*."""
        return self.about.seat

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
    def names_seat(self) -> bool:
        """Whether the letter is about a seat, or claims one that does not exist."""
        return self.seat is not None or self.about.claims_seat

    @property
    def is_stranger(self) -> bool:
        """Whether nobody we know is asked about the letter: it names neither person nor seat."""
        return self.person is None and not self.names_seat

    @property
    def is_gm(self) -> bool:
        """Whether the sender's address is that of a GM of the game, and the letter is about it."""
        return self.about.is_led_by(self.person)

    @property
    def shown_address(self) -> str:
        """The sender's address for another person to read, if it cannot carry a message."""
        return self.address if _PLAIN.fullmatch(self.address) else "an unusual address"

    @property
    def named_otherwise(self) -> str:
        """The sentence on another game or seat that the letter names than it answers, or ""."""
        about, game = self.about, self.game
        if about.answers_game:
            named = about.missing or (game.name if game is not None else "")
            answered = about.answers_game
            return (
                f"You answered an email about {answered}, but your email names {named}. So nothing "
                f"in it is done in {answered}. If you mean {answered}, send it again without "
                f"{named}."
            )
        if about.other_seat and self.seat is not None:
            name = self.seat.name
            return (
                f"Your email names {about.other_seat}, but it answers an email to {name}. "
                f"So it was read for {name}."
            )
        return ""

    @property
    def note(self) -> str:
        """The end of the answer: how the letter was addressed, if that is unusual."""
        person, trust, shown = self.person, self.trust, ""
        # A question has named the address.
        is_named = trust is Trust.CONFIRMED or not trust.is_from_owner
        is_unusual = person is not None and self.address not in ("", person.address)
        if is_unusual and self.deputy is None and not is_named:
            shown = f"Your email came from {self.shown_address}."
        return f"{self.named_otherwise} {shown}".strip()


UNREAD: Final = OwnText((), 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Opened:
    """A claimed letter: its kind, our tokens in it, and once it is read, its own text.

    *covers* are the fields that a signature proves, none if it is not signed, and None if that is
    not known. *letter* has no other fields then, so nothing that reads it is misled by them.
    """

    row: InboxLetter
    letter: Letter
    screening: Screening
    tokens: LetterTokens
    covers: frozenset[str] | None = None
    effort: Effort = FREE
    own: OwnText = UNREAD

    @property
    def is_signed(self) -> bool | None:
        """Whether the letter is signed, or None if that is not known."""
        return None if self.covers is None else bool(self.covers)


@dataclass(frozen=True, slots=True)
class _View:
    """The evidence in a letter: its From, what it names, and our tokens with their owners."""

    desk: Desk
    read: Opened
    address: str
    heading: Heading
    """The heading of the text, empty if there is none."""
    subject: Heading
    """The tag in the subject, or else the heading that the subject is."""
    named: Heading
    """The game, seat and turn that both name."""
    claim: About
    """The subject of the letter before its game is known."""
    sent_to: Sequence[Owned]
    referred: Sequence[Owned]


def _view(desk: Desk, read: Opened) -> _View:
    """Return the evidence in a letter, with the tokens of the game that its heading names."""
    session, tokens, senders = desk.session, read.tokens, read.letter.senders
    address = senders[0].address if len(senders) == 1 else ""
    heading = heading_of(read.own)
    subject = _in_subject(read.letter.subject)
    sent_to, referred = tokens.owners(session), owned(session, tokens.referred)
    answers_game = ""
    if heading.game:
        others = (each.game for each in (*sent_to, *referred) if each.game is not None)
        answers_game = next((game.name for game in others if game.name != heading.game), "")
        sent_to = tokens.owners(session, heading.game)
        referred = owned(session, tokens.referred, heading.game)
    elif not subject.game and any(
        each.is_gm and each.is_from(session, address) for each in sent_to
    ):
        subject = replace(subject, game=_game_answered(desk, read.letter))
    same = subject if heading.game in ("", subject.game) else Heading("")
    turn = same.turn if heading.turn is None else heading.turn
    is_inherited = heading.turn is None and _TAG.search(read.letter.subject) is not None
    inherited = turn if is_inherited else None
    # A GM's heading names no seat, whichever the subject of our email did.
    seat = "" if heading.by_gm else heading.seat or same.seat
    named = Heading(heading.game or same.game, seat, turn, by_gm=heading.by_gm)
    claim = About(turn=turn, inherited_turn=inherited, answers_game=answers_game)
    return _View(desk, read, address, heading, subject, named, claim, sent_to, referred)


def _in_subject(subject: str) -> Heading:
    if (tag := _TAG.search(subject)) is not None:
        turn = int(tag.group(2)) if tag.group(2) else None
        return Heading(tag.group(1).upper(), (tag.group(3) or "").upper(), turn)
    line = Line(1, REPLY_PREFIX.sub("", subject))
    named = lone_turn((line,))
    return read_heading(line) or Heading("", turn=named.turn if named is not None else None)


def _game_answered(desk: Desk, letter: Letter) -> str:
    """Return the name of the game of our email that a letter answers, or ""."""
    found = answered_letter(desk.session, letter, desk.site.key)
    number = found.sent.game_id if found is not None else None
    game = games.by_id(desk.session, number) if number is not None else None
    return game.name if game is not None else ""


def _by_reply(view: _View) -> Identity | None:
    found = (_by_owner(view, each, Trust.TOKEN) for each in view.sent_to)
    return next(filter(None, found), None)


def _by_heading(view: _View) -> Identity | None:
    if not view.heading.game:
        return None
    found = _by_name(view)
    return found if found.seat is not None and found.trust >= Trust.CODE else None


def _by_reference(view: _View) -> Identity | None:
    owners = (_by_owner(view, each, Trust.ADDRESS) for each in view.referred)
    found = next(filter(None, owners), None)
    # Nobody becomes a deputy by a letter that anyone could have sent.
    is_idle = found is not None and found.person is None
    return None if is_idle and not view.read.is_signed else found


def _by_owner(view: _View, each: Owned, best: Trust) -> Identity | None:
    """Return the identity of the owner of a token, or None if the letter is not from them.

    A deputy has rights only until their days have ended.
    """
    if not each.is_valid or not each.is_from(view.desk.session, view.address):
        return None
    about, deputy = _about(view, each), each.deputy
    if deputy is not None and not deputy.may_order:
        return _identity(view, Proof(), replace(about, seat=None), deputy=deputy)
    why = Why.NOT_TO_THE_REPLY_ADDRESS
    if best is Trust.TOKEN:
        about, why = replace(about, answers_game=""), Why.NO_REPLY
    offer = each.token if each.seat is None else None
    best = Trust.MAILBOX if each.invited and best is Trust.TOKEN else best
    return _identity(view, Proof(best, each.person, why), about, answers=offer, deputy=deputy)


def _by_others_reply(view: _View) -> Identity | None:
    for each in view.sent_to:
        if each.is_valid and each.token.kind in (Kind.SEAT, Kind.OFFER):
            person = each.person if each.seat is None else None
            about = replace(_about(view, each), other_seat="")
            return _identity(view, Proof(Trust.ELSEWHERE, person), about, answers=each.token)
    return None


def _about(view: _View, each: Owned) -> About:
    """Return the subject of a letter with a token; a turn that is named for another game is none.

    The token of a seat counts more than the name of another seat of the game.
    """
    named, game, seat = view.named, each.game, each.seat
    is_named = game is not None and named.game == game.name
    turn = named.turn if is_named or not named.game else None
    other = named.seat if is_named and seat is not None and named.seat != seat.name else ""
    return replace(view.claim, game=game, seat=seat, turn=turn, other_seat=other)


def _by_name(view: _View) -> Identity:
    session, named = view.desk.session, view.named
    person = people.by_address(session, view.address) if view.address else None
    game, seat = _rows_named(view, person)
    # No seat of a game that exists is somebody's, too: an answer must not tell which there are.
    claimed = seat.person_id if seat is not None else None
    is_own = person is not None and (claimed == person.id or not (seat or (game and named.seat)))
    if not is_own and any(
        each.seat is seat and not each.is_own for each in (*view.sent_to, *view.referred)
    ):
        # It answers what we sent to a former player, and is none of the seat's player's business.
        seat = None
    led = games.led_by(session, person) if person is not None and game and not named.game else ()
    about = replace(
        view.claim,
        game=game,
        seat=seat,
        missing=named.game if game is None else "",
        claims_seat=bool(named.seat) and not is_own,
        names_none_of_several=any(each is not game for each in led),
    )
    return _identity(view, Proof(Trust.ADDRESS if is_own else Trust.NONE, person), about)


def _rows_named(view: _View, person: Person | None) -> tuple[Game | None, SeatRow | None]:
    """Return the game and seat the letter names, or else the sender's only seat."""
    session, named = view.desk.session, view.named
    own = games.seats_of(session, person) if person is not None else []
    if not named.game:
        return (own[0].game, own[0]) if len(own) == 1 else (None, None)
    game = private_games.called(session, named.game, person, view.address)
    if game is None:
        return None, None
    held = [seat for seat in game.seats if seat.person_id is not None]
    if named.seat:
        return game, next((seat for seat in held if seat.name == named.seat), None)
    # A GM's heading means no seat of theirs once the game has ended.
    seats = own if named.by_gm else held
    mine = [seat for seat in seats if person and (seat.game, seat.person) == (game, person)]
    return game, mine[0] if len(mine) == 1 else None


EVIDENCE: Final[Sequence[tuple[Callable[[_View], Identity | None], str]]] = (
    (_by_reply, "only its owner knows a reply address, and it is for one seat"),
    (_by_heading, "a proven text means the seat that it names, wherever it was sent to"),
    (
        _by_reference,
        "others can read a Message-ID of ours, so it names a seat and proves nothing",
    ),
    (_by_others_reply, "a reply address of another person names who is asked"),
    (_by_name, "anyone can write a From, a subject and a heading"),
)
"""The evidence of who wrote a letter and for which seat, the first that there is, and its worth."""


def prove(desk: Desk, read: Opened) -> Identity:
    """Return the sender and the seat of a letter, by the first of EVIDENCE that there is.

    If the heading names another game than a token, the token does not count.
    """
    view = _view(desk, read)
    return next(found for find, _ in EVIDENCE if (found := find(view)) is not None)


def _identity(
    view: _View,
    best: Proof,
    about: About,
    *,
    answers: Token | None = None,
    deputy: Deputy | None = None,
) -> Identity:
    """Return the identity with the proof that is left of the *best* one that a letter can have.

    If it proves less than that of its owner could, it says the strongest reason.
    """
    session = view.desk.session
    questions = (each.token for each in view.sent_to if each.token.rule.right is Right.ANSWER)
    answers = answers or next(questions, None)
    proof = _weighed(view, best, about)
    if proof.trust < Trust.CODE:
        replies = _replies(view, about, best.person)
        also = {
            Why.FROM_ELSEWHERE: not proof.trust.is_from_owner,
            Why.CODE_IN_SUBJECT: bool(view.subject.code),
            Why.TOO_OLD: proof.why is Why.NO_REPLY and not all(now for _, now in replies),
            Why.ANOTHER_GAMES_ADDRESS: bool(about.answers_game) and about.game is not None,
            Why.LEFT_THE_GAME: _has_left(session, about, best.person),
            Why.A_QUESTIONS_ADDRESS: answers is not None and answers.kind is Kind.QUESTION,
        }
        why = next(why for why in Why if why is proof.why or also.get(why))
        proof = replace(proof, why=why)
    return Identity(view.address, proof, about, answers, deputy)


def _weighed(view: _View, best: Proof, about: About) -> Proof:
    """Return the best proof without what is against it, and with what else is for it.

    A reply proves nothing if the sender's other letters are signed and this one is not.
    """
    person, is_signed = best.person, view.read.is_signed
    if person is None or not best.trust.is_from_owner:
        is_mailbox = best.trust is Trust.NONE and person is None and is_signed
        return replace(best, trust=Trust.MAILBOX) if is_mailbox else best
    if best.trust is Trust.TOKEN or (Kind.GM, True) in _replies(view, about, person):
        if is_signed is not False or not is_variant(view.address, person.signs or ""):
            return replace(best, trust=Trust.TOKEN)
        best = replace(best, why=Why.CONTRADICTED)
    if is_signed:
        return replace(best, trust=Trust.ALIGNED)
    if code := view.heading.code:
        session, token = view.desk.session, view.read.tokens.of(view.desk.session, person)
        if not codes.code_fits(code, person.code_salt, person.code_hash):
            best = replace(best, why=Why.WRONG_CODE)
        elif codes.are_many_wrong(session, person, view.desk.now, token):
            best = replace(best, why=Why.TOO_MANY_CODES)
        else:
            return replace(best, trust=Trust.CODE)
    seat = about.seat
    # A player may seldom look at their second address.
    accepts = seat is not None and seat.game.trust == "address" and view.address == person.address
    return replace(best, trust=Trust.ACCEPTED if accepts else Trust.ADDRESS)


def _replies(view: _View, about: About, person: Person | None) -> Iterator[tuple[Kind, bool]]:
    """Yield the kinds of our tokens to the person about the same, and whether each is current."""
    for each in (*view.sent_to, *view.referred):
        is_led = each.is_gm and about.is_led_by(person)
        is_same = each.seat is about.seat if each.seat is not None else is_led
        if about.game is not None and each.is_own and each.person is person and is_same:
            yield each.proof.kind, is_current(view.desk.session, each.proof, about.game)


def _has_left(session: Session, about: About, person: Person | None) -> bool:
    """Return whether the sender had a seat of the game that the letter is about, and has none."""
    if about.game is None or person is None or about.seat is not None:
        return False
    return any(left.seat_id is not None for left in former_players.of(session, about.game, person))


@dataclass(frozen=True, slots=True)
class ConfirmationTerms:
    """The terms of a pending letter: who was asked, for which seat and epoch, in which turn.

    *shown* is a hash of the preview they were shown, or "" if they were not asked. *moves* counts
    their changes of address until then. *deputy* is the deputy who wrote the letter. *lines* are
    those that wait, if the rest of the letter was done; if there are none, nothing of it was done.
    *exit* is its command, if that ends an attack: only a reply to the question withdraws it.
    """

    person: int | None
    seat: int | None
    epoch: int | None
    turn: int | None
    shown: str = ""
    moves: int = 0
    deputy: int | None = None
    lines: Sequence[int] = ()
    exit: str = ""

    @classmethod
    def of(
        cls, identity: Identity, shown: str = "", lines: Sequence[int] = (), leaves: str = ""
    ) -> "ConfirmationTerms":
        """Return the terms under which a letter would be pending now."""
        seat, game, deputy = identity.seat, identity.game, identity.deputy
        asked = seat.person if seat is not None and deputy is None else identity.person
        return cls(
            person=asked.id if asked is not None else None,
            seat=seat.id if seat is not None else None,
            epoch=seat.epoch if seat is not None else None,
            turn=game.turn if game is not None and game.turn else None,
            shown=shown,
            moves=asked.moves if asked is not None else 0,
            deputy=deputy.id if deputy is not None else None,
            lines=[*lines],
            exit=leaves,
        )

    @classmethod
    def kept_with(cls, row: InboxLetter) -> "ConfirmationTerms | None":
        """Return the terms stored with the letter, or None if it was never pending."""
        return cls(**row.asked) if row.asked is not None else None

    def stored(self) -> dict[str, Any]:
        """Return the terms as they are stored with the letter."""
        return asdict(self)


def confirmed(session: Session, claimed: Identity, terms: ConfirmationTerms) -> Identity | None:
    """Return the identity in whose name a confirmed letter is carried out.

    None if the seat, its player or their address has changed since the question. The letter's
    orders are for the turn in which it came.
    """
    asked, turn = claimed.person, claimed.about.turn
    if terms.seat is None:
        # The address may have been unknown when it was asked; a seat acquired since does not count.
        claimed = claimed.told(seat=None)
    if terms.person is not None:
        now = ConfirmationTerms.of(claimed, lines=terms.lines, leaves=terms.exit)
        if replace(now, turn=terms.turn, shown=terms.shown) != terms:
            return None
        if claimed.deputy is not None and not claimed.deputy.may_order:
            return None
        asked = people.by_id(session, terms.person)
        turn = turn if turn is not None else terms.turn
    # The person asked holds the seat, so a letter that names it no longer only claims it.
    claimed = claimed.told(turn=turn, claims_seat=False)
    return replace(claimed, proof=Proof(Trust.CONFIRMED, asked, claimed.proof.why))
