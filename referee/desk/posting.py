"""Letters into the outbox: each with its Message-ID, its thread and its token fixed beforehand."""

import hashlib
import hmac
from dataclasses import dataclass
from datetime import datetime

from referee.desk.house import House
from referee.domain.trust import ConfirmationToken, ReturnToken, SeatToken, Token, sign
from referee.letters.compose import Automatic, Envelope
from referee.letters.enclosing import Enclosure
from referee.letters.letter import Mailbox
from referee.letters.notices import Notice
from referee.store import Session, outbox, people
from referee.store.models import Game, InboxLetter, Person, SeatRow


@dataclass(frozen=True, slots=True)
class Slip:
    """To whom a letter goes and what it belongs to.

    *serial* makes its Message-ID: one letter, one serial, lower-case letters and digits; writing
    the same letter again gives the same id. *held* makes the letter ask for a confirmation.
    """

    to: Mailbox
    serial: str
    answers: InboxLetter | None = None
    answered_id: str = ""
    """The Message-ID of the letter this one answers."""
    game: Game | None = None
    seat: SeatRow | None = None
    turn: int | None = None
    held: int | None = None
    files: tuple[Enclosure, ...] = ()


def post(session: Session, house: House, notice: Notice, slip: Slip, now: datetime) -> None:
    """Write *notice* and put it into the outbox, in the caller's transaction."""
    raw = house.composer.compose(notice, _envelope(house, slip, now), slip.files)
    outbox.put(
        session,
        message_id=_message_id(house, slip),
        kind=type(notice).__name__,
        envelope_sender=_return_path(session, house, slip),
        recipient=slip.to.address,
        raw=raw,
        now=now,
        answers=slip.answers,
        game=slip.game,
        seat=slip.seat.number if slip.seat else None,
        turn=slip.turn,
    )


def mailbox(person: Person) -> Mailbox:
    """Give the address of record of a person."""
    return Mailbox(person.name, person.address)


def _envelope(house: House, slip: Slip, now: datetime) -> Envelope:
    root = f"<{_thread(house, slip.game, slip.to)}>" if slip.game else ""
    references = tuple(dict.fromkeys(filter(None, (root, slip.answered_id))))
    return Envelope(
        address=slip.to.address,
        name=slip.to.name,
        tag=_tag(slip),
        message_id=_message_id(house, slip),
        reply_to=_reply_to(house, slip),
        in_reply_to=slip.answered_id or root,
        references=references,
        list_id=f"{slip.game.name.lower()}.{house.domain}" if slip.game else "",
        automatic=Automatic.REPLIED if slip.answers else Automatic.GENERATED,
        date=now,
        loop_token=house.loop_token,
    )


def _token(slip: Slip) -> Token | None:
    if slip.held is not None:
        return ConfirmationToken(slip.held)
    if slip.seat is not None:
        return SeatToken(slip.seat.id, slip.seat.epoch, slip.serial)
    return None


def _reply_to(house: House, slip: Slip) -> str:
    return _with_token(house, _token(slip))


def _return_path(session: Session, house: House, slip: Slip) -> str:
    """Give the address to which a letter comes back, which tells whose it was.

    No program that answers to it can confirm anything.
    """
    if slip.seat is not None:
        return _with_token(house, SeatToken(slip.seat.id, slip.seat.epoch, slip.serial))
    person = people.by_address(session, slip.to.address)
    return _with_token(house, ReturnToken(person.id, slip.serial) if person is not None else None)


def _with_token(house: House, token: Token | None) -> str:
    if token is None:
        return house.address
    local, _, domain = house.address.partition("@")
    return f"{local}+{sign(token, house.key)}@{domain}"


def _message_id(house: House, slip: Slip) -> str:
    """Give an id that nobody else has; a reply to it carries the seat's token back."""
    if slip.seat is not None and slip.held is None:
        token = SeatToken(slip.seat.id, slip.seat.epoch, slip.serial)
        return f"<{sign(token, house.key)}@{house.domain}>"
    game = slip.game.name.lower() if slip.game else "house"
    return f"<{slip.serial}.{game}.{_alias(house, slip.to)}@{house.domain}>"


def _thread(house: House, game: Game, to: Mailbox) -> str:
    """Give the id that all letters of one game to one person refer to."""
    return f"thread.{game.name.lower()}.{_alias(house, to)}@{house.domain}"


def _alias(house: House, to: Mailbox) -> str:
    """Give a word that stands for an address and does not tell it."""
    return hmac.digest(house.key, b"alias " + to.address.encode(), hashlib.sha256).hex()[:12]


def _tag(slip: Slip) -> str:
    if slip.game is None:
        return ""
    turn = f" T{slip.turn}" if slip.turn else ""
    return f"[{slip.game.name}{turn}{' ' + slip.seat.name if slip.seat else ''}]"
