"""Letters into the outbox: each with its Message-ID, its thread and its token fixed beforehand."""

import hashlib
import hmac
from dataclasses import dataclass
from datetime import datetime

from referee.desk.base.desk import Desk
from referee.desk.base.site import Site
from referee.domain.player_settings import LEAST_LEFT, Clock, QuietHours
from referee.domain.trust import (
    ConfirmationToken,
    DeputyToken,
    ReturnToken,
    SeatToken,
    Token,
    sign,
)
from referee.letters.incoming.letter import MailAddress
from referee.letters.outgoing.attachments import OutgoingFile
from referee.letters.outgoing.compose import Automatic, Envelope
from referee.letters.outgoing.notices import Notice
from referee.store import Session
from referee.store.mail import digests, outbox
from referee.store.mail.outbox import Finished
from referee.store.models import Game, InboxLetter, Person, SeatRow
from referee.store.people import people
from referee.store.people.deputies import Deputy


@dataclass(frozen=True, slots=True)
class Addressing:
    """To whom a letter goes and what it belongs to.

    *serial* makes its Message-ID: one letter, one serial, lower-case letters and digits; writing
    the same letter again gives the same id. *held* makes the letter ask for a confirmation, and
    *token* is what a reply to it carries in place of the seat's. *can_wait* lets it come with its
    reader's daily letter, or after his quiet hours.
    """

    to: MailAddress
    serial: str
    answers: InboxLetter | None = None
    answered_id: str = ""
    """The Message-ID of the letter this one answers."""
    game: Game | None = None
    seat: SeatRow | None = None
    turn: int | None = None
    held: int | None = None
    files: tuple[OutgoingFile, ...] = ()
    token: Token | None = None
    can_wait: bool = False
    deputy: Deputy | None = None
    """The deputy of the seat to whom the letter goes; no token of the seat itself is in it."""


def post(desk: Desk, notice: Notice, slip: Addressing) -> None:
    """Write *notice* and put it into the outbox, in the caller's transaction.

    What can wait is due when its reader wants it, or kept for his daily letter.
    """
    outbox.put(desk.session, desk.now, *written(desk, notice, slip))


def written(desk: Desk, notice: Notice, slip: Addressing) -> tuple[Finished, ...]:
    """Write *notice* as post does, for a caller who puts many letters into the outbox at once.

    None when it is kept for the daily letter.
    """
    due = desk.now
    if slip.can_wait and (reader := people.by_address(desk.session, slip.to.address)) is not None:
        due = _due(reader, slip, desk.now)
        if _is_gathered(reader, slip) and due > desk.now:
            _keep(desk.session, desk.site, notice, slip, _Kept(reader, desk.now, due))
            return ()
    letter = Finished(
        message_id=_message_id(desk.site, slip),
        kind=type(notice).__name__,
        envelope_sender=_return_path(desk.session, desk.site, slip),
        recipient=slip.to.address,
        raw=desk.site.composer.compose(notice, _envelope(desk.site, slip, desk.now), slip.files),
        answers=slip.answers,
        game=slip.game,
        # What goes to a deputy is no letter of the seat's: REPORT finds the player's own.
        seat=slip.seat.number if slip.seat and slip.deputy is None else None,
        turn=slip.turn,
        due=due,
    )
    return (letter,)


@dataclass(frozen=True, slots=True)
class _Kept:
    """For whose daily letter a notice is kept, since when, and when that letter is due."""

    reader: Person
    now: datetime
    due: datetime


def _due(reader: Person, slip: Addressing, now: datetime) -> datetime:
    """Return when a letter that can wait is due; at once where a deadline would come near."""
    clock = clock_of(reader)
    due = clock.daily_letter(now) if _is_gathered(reader, slip) else clock.after_quiet(now)
    deadline = slip.game.deadline_at if slip.game is not None else None
    return due if deadline is None or due <= deadline - LEAST_LEFT else now


def _is_gathered(reader: Person, slip: Addressing) -> bool:
    """Return whether a letter that can wait goes into the daily letter, which carries no files."""
    return reader.digest and not slip.files


def _keep(session: Session, site: Site, notice: Notice, slip: Addressing, kept: _Kept) -> None:
    words = site.composer.words(notice)
    digests.keep(
        session,
        kept.reader,
        game=slip.game,
        seat=slip.seat,
        kind=type(notice).__name__,
        subject=words.subject,
        text=words.text,
        now=kept.now,
        due=kept.due,
    )


def clock_of(person: Person) -> Clock:
    """Return by which clock a person lives, and his quiet hours."""
    if person.quiet_from is None or person.quiet_until is None:
        return Clock(person.zone)
    return Clock(person.zone, QuietHours(person.quiet_from, person.quiet_until))


def mailbox(person: Person) -> MailAddress:
    """Return the address to which letters to a person go."""
    return MailAddress(person.name, person.mailing_address)


def _envelope(site: Site, slip: Addressing, now: datetime) -> Envelope:
    root = f"<{_thread(site, slip.game, slip.to)}>" if slip.game else ""
    references = tuple(dict.fromkeys(filter(None, (root, slip.answered_id))))
    return Envelope(
        address=slip.to.address,
        name=slip.to.name,
        tag=_tag(slip),
        message_id=_message_id(site, slip),
        reply_to=_reply_to(site, slip),
        in_reply_to=slip.answered_id or root,
        references=references,
        list_id=f"{slip.game.name.lower()}.{site.domain}" if slip.game else "",
        automatic=Automatic.REPLIED if slip.answers else Automatic.GENERATED,
        date=now,
        loop_token=site.loop_token,
    )


def _token(slip: Addressing) -> Token | None:
    if slip.token is not None:
        return slip.token
    if slip.held is not None:
        return ConfirmationToken(slip.held)
    return _spoken(slip)


def _spoken(slip: Addressing) -> SeatToken | DeputyToken | None:
    """Return the token that lets a reply to the letter speak for a seat, as far as it may."""
    if slip.deputy is not None:
        return DeputyToken(slip.deputy.id, slip.deputy.epoch, slip.serial)
    if slip.seat is not None:
        return SeatToken(slip.seat.id, slip.seat.epoch, slip.serial)
    return None


def _reply_to(site: Site, slip: Addressing) -> str:
    return with_token(site, _token(slip))


def _return_path(session: Session, site: Site, slip: Addressing) -> str:
    """Return the address to which a letter comes back, which tells whose it was.

    No program that answers to it can confirm anything.
    """
    if slip.seat is not None and slip.deputy is None:
        return with_token(site, SeatToken(slip.seat.id, slip.seat.epoch, slip.serial))
    person = people.by_address(session, slip.to.address)
    return with_token(site, ReturnToken(person.id, slip.serial) if person is not None else None)


def with_token(site: Site, token: Token | None) -> str:
    """Return our address with a token in it, or as it is."""
    if token is None:
        return site.address
    local, _, domain = site.address.partition("@")
    return f"{local}+{sign(token, site.key)}@{domain}"


def _message_id(site: Site, slip: Addressing) -> str:
    """Return an id that nobody else has; a reply to it carries the seat's token back."""
    token = _spoken(slip)
    if token is not None and slip.held is None:
        return f"<{sign(token, site.key)}@{site.domain}>"
    game = slip.game.name.lower() if slip.game else "house"
    return f"<{slip.serial}.{game}.{_alias(site, slip.to)}@{site.domain}>"


def _thread(site: Site, game: Game, to: MailAddress) -> str:
    """Return the id that all letters of one game to one person refer to."""
    return f"thread.{game.name.lower()}.{_alias(site, to)}@{site.domain}"


def _alias(site: Site, to: MailAddress) -> str:
    """Return a word that stands for an address and does not tell it."""
    return hmac.digest(site.key, b"alias " + to.address.encode(), hashlib.sha256).hex()[:12]


def _tag(slip: Addressing) -> str:
    if slip.game is None:
        return ""
    turn = f" T{slip.turn}" if slip.turn else ""
    return f"[{slip.game.name}{turn}{' ' + slip.seat.name if slip.seat else ''}]"
