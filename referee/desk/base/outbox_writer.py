"""Writer of letters into the outbox, each with a fixed Message-ID, thread and token."""

import hashlib
import hmac
from dataclasses import dataclass, replace
from datetime import datetime

from referee.desk.base.desk import Desk, Site
from referee.domain.player_settings import LEAST_LEFT, Clock, QuietHours
from referee.domain.tokens import Kind, Place, Token, seal, sign
from referee.letters.incoming.letter import MailAddress
from referee.letters.outgoing.acknowledgement_notice import Acknowledgement
from referee.letters.outgoing.compose import Automatic, Envelope, OutgoingFile
from referee.letters.outgoing.notices import (
    MissedTurn,
    Notice,
    OperatorAlert,
    OperatorDigest,
    Reminder,
    Report,
    TooLate,
)
from referee.letters.outgoing.pairs import Drawn
from referee.reports.html import html
from referee.reports.text import text
from referee.rules.views import View
from referee.store.letter_states import SendShare
from referee.store.mail import digests, outbox
from referee.store.mail.outbox import Finished
from referee.store.models import Game, InboxLetter, Person, SeatRow
from referee.store.people import people
from referee.store.people.deputies import Deputy


def both_ways(view: View) -> Drawn:
    """Return a view as a part of a letter."""
    return Drawn(text(view), html(view))


@dataclass(frozen=True, slots=True)
class Addressing:
    """The recipient of a letter, and what the letter belongs to.

    *serial* makes the Message-ID, in which nobody can read it: writing the same letter again gives
    the same id. *held* is the pending letter that this one asks to confirm, and *token*
    replaces the seat's token in replies. *can_wait* allows the letter to come with the reader's
    daily digest, or after quiet hours.
    """

    to: MailAddress
    serial: str
    answers: InboxLetter | None = None
    answered_id: str = ""
    """The Message-ID of the letter that this one answers."""
    game: Game | None = None
    seat: SeatRow | None = None
    turn: int | None = None
    held: int | None = None
    files: tuple[OutgoingFile, ...] = ()
    token: Token | None = None
    can_wait: bool = False
    deputy: Deputy | None = None
    """The deputy of the seat who gets the letter; it then carries no token of the seat itself."""


def post(desk: Desk, notice: Notice, addressing: Addressing) -> int:
    """Write *notice* into the outbox, in the caller's transaction, and return its octets.

    A letter that can wait is due when its reader wants it, or is kept for the daily digest.
    """
    letters = written(desk, notice, addressing)
    outbox.put(desk.session, desk.now, *letters)
    return sum(len(letter.raw) for letter in letters)


def tell_operator(desk: Desk, notice: Notice, serial: str, game: Game | None = None) -> None:
    """Write a notice to the operator into the outbox, if the settings name one."""
    if desk.site.operator:
        post(desk, notice, Addressing(MailAddress("", desk.site.operator), serial, game=game))


def written(desk: Desk, notice: Notice, addressing: Addressing) -> tuple[Finished, ...]:
    """Return the letter that post would write, for callers that insert many letters at once.

    Empty if it was kept for the daily digest.
    """
    due = desk.now
    reader = people.by_address(desk.session, addressing.to.address)
    if addressing.can_wait and reader is not None:
        due = _due(reader, addressing, desk.now)
        if _is_gathered(reader, addressing) and due > desk.now:
            _keep(desk, reader, notice, addressing, due)
            return ()
    known = is_known(desk, addressing)
    header = replace(envelope(desk.site, addressing, desk.now), html=wants_html(desk.site, reader))
    letter = Finished(
        message_id=header.message_id,
        kind=notice.kind,
        envelope_sender=_return_path(desk.site, addressing, reader),
        recipient=addressing.to.address,
        raw=desk.site.composer.compose(notice, header, addressing.files),
        answers=addressing.answers,
        game=addressing.game,
        # A letter to a deputy is not the seat's, so that REPORT finds the player's own.
        seat=addressing.seat.number if addressing.seat and addressing.deputy is None else None,
        turn=addressing.turn,
        due=due,
        share=_share(notice) if known else SendShare.OTHERS,
    )
    return (letter,)


def is_known(desk: Desk, addressing: Addressing) -> bool:
    """Return whether the addressee is the operator or a person in the store."""
    address = addressing.to.address
    if address == desk.site.operator:
        return True
    player = addressing.seat.person if addressing.seat is not None else None
    if player is not None and address in (player.address, player.mailing_address):
        return True
    return people.by_address(desk.session, address) is not None


def _share(notice: Notice) -> SendShare:
    """Return the share of the hourly sending limit that a letter to a person we know uses."""
    if notice.kind == Report.__name__:
        return SendShare.TURNS
    match notice:
        case Reminder() | MissedTurn() | OperatorAlert() | OperatorDigest():
            return SendShare.TURNS
        case Acknowledgement() | TooLate():
            return SendShare.ORDERS
        case _:
            return SendShare.OTHERS


def _due(reader: Person, addressing: Addressing, now: datetime) -> datetime:
    """Return when a letter that can wait is due: at once if a deadline is near."""
    clock = clock_of(reader)
    due = clock.daily_letter(now) if _is_gathered(reader, addressing) else clock.after_quiet(now)
    deadline = addressing.game.deadline_at if addressing.game is not None else None
    return due if deadline is None or due <= deadline - LEAST_LEFT else now


def _is_gathered(reader: Person, addressing: Addressing) -> bool:
    """Return whether a letter that can wait joins the daily digest, which carries no files."""
    return reader.digest and not addressing.files


def _keep(
    desk: Desk, reader: Person, notice: Notice, addressing: Addressing, due: datetime
) -> None:
    """Keep a notice for the daily digest of its reader, which is *due* then."""
    rendered = desk.site.composer.words(notice)
    digests.keep(
        desk.session,
        reader,
        game=addressing.game,
        seat=addressing.seat,
        kind=type(notice).__name__,
        subject=rendered.subject,
        text=rendered.text,
        html=rendered.html,
        now=desk.now,
        due=due,
    )


def clock_of(person: Person) -> Clock:
    """Return the person's time zone and quiet hours."""
    if person.quiet_from is None or person.quiet_until is None:
        return Clock(person.zone)
    return Clock(person.zone, QuietHours(person.quiet_from, person.quiet_until))


def wants_html(site: Site, reader: Person | None) -> bool:
    """Return whether letters to a person, or to a stranger, have HTML besides their text."""
    return site.html if reader is None or reader.html is None else reader.html


def mailbox(person: Person) -> MailAddress:
    """Return the address to which letters to a person go."""
    return MailAddress(person.name, person.mailing_address)


def envelope(site: Site, addressing: Addressing, now: datetime) -> Envelope:
    """Return the header fields of a letter."""
    root = f"<{_thread(site, addressing.game, addressing.to)}>" if addressing.game else ""
    message_id = _message_id(site, addressing)
    references = tuple(dict.fromkeys(filter(None, (root, addressing.answered_id))))
    return Envelope(
        address=addressing.to.address,
        name=addressing.to.name,
        tag=_tag(addressing),
        message_id=message_id,
        reply_to=with_token(site, _token(addressing, now), Place.REPLY_TO),
        in_reply_to=addressing.answered_id or root,
        references=references,
        list_id=f"{addressing.game.name.lower()}.{site.domain}" if addressing.game else "",
        automatic=Automatic.REPLIED if addressing.answers else Automatic.GENERATED,
        date=now,
        loop_token=site.loop_token,
        seal=seal(message_id, site.key),
    )


def _token(addressing: Addressing, now: datetime) -> Token | None:
    if addressing.token is not None:
        return addressing.token
    if addressing.held is not None:
        return Token(Kind.QUESTION, addressing.held)
    return seat_token(addressing) or _gm_token(addressing, now)


def _gm_token(addressing: Addressing, now: datetime) -> Token | None:
    """Return the token that proves a GM's reply to the letter, if it is to a GM of its game."""
    for gm in addressing.game.gms if addressing.game is not None else ():
        if gm.person.mailing_address == addressing.to.address:
            return gm_token(gm.person, addressing.serial, now)
    return None


def gm_token(gm: Person, serial: str, now: datetime) -> Token:
    """Return the token in a letter to a GM, about one game of theirs or several."""
    return Token(Kind.GM, gm.id, gm.moves, int(now.timestamp()), serial)


def seat_token(addressing: Addressing) -> Token | None:
    """Return the token that authorises a reply to the letter for a seat, or None."""
    if addressing.deputy is not None:
        deputy = addressing.deputy
        return Token(Kind.DEPUTY, deputy.id, deputy.epoch, letter=addressing.serial)
    if addressing.seat is not None:
        seat, game = addressing.seat, addressing.game
        # A report begins a new turn.
        turn = max(game.turn if game is not None else 0, addressing.turn or 0)
        return Token(Kind.SEAT, seat.id, seat.epoch, turn, addressing.serial)
    return None


def _return_path(site: Site, addressing: Addressing, person: Person | None) -> str:
    """Return the return path, which shows whose letter bounced.

    Its token is in no other field of the letter and authorises nothing, so an automatic reply to it
    cannot act or confirm. Only a mail server that got the letter knows it, so it proves a bounce.
    """
    token = Token(Kind.RETURN, person.id, letter=addressing.serial) if person is not None else None
    return with_token(site, token, Place.RETURN_PATH)


def with_token(site: Site, token: Token | None, place: Place) -> str:
    """Return our address for a place of a letter, with a token in it unless that is None."""
    return site.address if token is None else with_extension(site, sign(token, place, site.key))


def with_extension(site: Site, extension: str) -> str:
    """Return our address with something after a plus."""
    local, _, domain = site.address.partition("@")
    return f"{local}+{extension}@{domain}"


def _message_id(site: Site, addressing: Addressing) -> str:
    """Return a unique id; a reply to it shows the seat that it is for, and proves nothing."""
    # What came after a backup has the names that were used before its restore, but for this.
    addressing = replace(addressing, serial=f"{addressing.serial}{site.epoch}")
    token = seat_token(addressing)
    if token is not None and addressing.held is None:
        return f"<{sign(token, Place.MESSAGE_ID, site.key)}@{site.domain}>"
    game = addressing.game.name.lower() if addressing.game else "house"
    words = f"referee name {addressing.serial}".encode()
    name = hmac.digest(site.key, words, hashlib.sha256).hex()[:20]
    return f"<{name}.{game}.{_alias(site, addressing.to)}@{site.domain}>"


def _thread(site: Site, game: Game, to: MailAddress) -> str:
    """Return the thread id that all letters of one game to one person refer to."""
    return f"thread.{game.name.lower()}.{_alias(site, to)}@{site.domain}"


def _alias(site: Site, to: MailAddress) -> str:
    """Return a keyed hash of an address, which does not reveal the address."""
    return hmac.digest(site.key, b"alias " + to.address.encode(), hashlib.sha256).hex()[:12]


def _tag(addressing: Addressing) -> str:
    if addressing.game is None:
        return ""
    turn = f" T{addressing.turn}" if addressing.turn else ""
    return f"[{addressing.game.name}{turn}{' ' + addressing.seat.name if addressing.seat else ''}]"
