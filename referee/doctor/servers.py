"""Checks of the mail servers and of the receiver."""

import os
import socket
from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Final

from referee.app import build_sender, imap_account
from referee.clock import now
from referee.doctor.opening import opened
from referee.doctor.passwords import given_to_service
from referee.doctor.report import CheckResult, fault, look, well
from referee.doctor.unit import how_to_start
from referee.domain import tokens
from referee.mail.connection_test import MailboxFound, Trouble, try_mailbox, try_sending
from referee.mail.smtp import SmtpSender
from referee.settings import ImapSettings, MaildirSettings, ReceiverSettings, Settings, SmtpSending
from referee.state_dir import AS_REFEREE
from referee.store.mail import heartbeats, mailboxes

_SECONDS: Final = 20.0
_SILENT: Final = timedelta(minutes=10)
_WHEN_SILENT: Final = (
    "the server hangs, or a firewall drops what is sent to it: check that {place} answers from "
    "this machine, or wait"
)
_WHEN_BUSY: Final = (
    "the server limits how many programs log in, or how often: wait, end other programs that work"
)
_WHEN_NO_LOGIN: Final = "check host, port, security, user and password"
_WHEN_REFUSED: Final = (
    "check security and user; a server that accepts only the plain address as sender needs "
    "signed_envelope = false"
)
_TROUBLES: Final = {
    Trouble.SILENCE: "the server does not answer",
    Trouble.BUSY: "the server does no more now",
}
_ALL: Final = os.R_OK | os.W_OK | os.X_OK


def look_at_mailboxes(settings: Settings) -> Iterator[CheckResult]:
    """Log in to every mailbox and check its folders, without changing anything."""
    for box in settings.imap:
        yield from _withheld(settings, box)
        if given := given_to_service(box.password_file, f"mailbox {box.name}: its password"):
            yield given
            yield from _read_by_service(settings, box)
            continue
        found = try_mailbox(imap_account(box, settings.limits.letter_bytes), _SECONDS)
        yield from _mailbox(box, found)


def _withheld(settings: Settings, box: ImapSettings) -> Iterator[CheckResult]:
    """Yield the letters that the server does not give to the running referee."""
    with opened(settings) as store:
        if store is None:
            return
        with store.read() as session:
            cursor = mailboxes.cursor(session, f"imap:{box.name}")
            uids = [] if cursor is None else cursor.withheld
    if uids:
        yield fault(
            f"mailbox {box.name}: the server lists emails and does not give them: "
            f"UID {', '.join(map(str, uids))}",
            f"open {box.folder} with a mail program, forward them to the address of the games, "
            "and delete them there; they are also tried every hour",
            "setting",
            f"imap.{box.name}",
        )


def _read_by_service(settings: Settings, box: ImapSettings) -> Iterator[CheckResult]:
    """Yield when the running referee has last read a mailbox, from its heartbeats."""
    source = f"imap:{box.name}"
    with opened(settings) as store:
        if store is None:
            return
        with store.read() as session:
            pulses = heartbeats.among(session, [heartbeats.DAEMON, source])
            beats = {pulse.source: pulse.beat_at for pulse in pulses}
    daemon, read = beats.get(heartbeats.DAEMON), beats.get(source)
    if daemon is None or now() - daemon > _SILENT:
        # Whether it runs at all is another check's.
        return
    remedy = "see `journalctl -u referee -p err`; check user and password, and that it is reachable"
    if read is None:
        yield fault(f"mailbox {box.name}: the referee has never read it", remedy)
    elif daemon - read > timedelta(seconds=settings.outage.gap_seconds):
        yield fault(
            f"mailbox {box.name}: the referee last read it {read:%Y-%m-%d %H:%M} UTC", remedy
        )
    else:
        yield well(f"mailbox {box.name}: the referee reads it")


def look_at_maildirs(settings: Settings) -> Iterator[CheckResult]:
    """Check that emails can be taken out of every Maildir."""
    for box in settings.maildir:
        name, new = f"Maildir {box.name}", _new(box)
        if folder := next((f for f in _folders(box) if not f.is_dir()), None):
            remedy = (
                "check path; create it with its folders new, cur and tmp, for the referee's user"
            )
            yield fault(f"{name}: the folder does not exist", remedy, "folder", str(folder))
        elif folder := next((f for f in _folders(box) if not os.access(f, _ALL)), None):
            remedy = f"{AS_REFEREE}; emails are moved from new to cur"
            yield fault(f"{name}: this user cannot change it", remedy, "folder", str(folder))
        elif file := next((f for f in new if not os.access(f, os.R_OK)), None):
            remedy = f"{AS_REFEREE}; let the mail server deliver emails that this user can read"
            yield fault(f"{name}: this user cannot read an email", remedy, "file", str(file))
        else:
            yield well(f"{name}: readable, new emails in {box.path}: {len(new)}")


def _new(box: MaildirSettings) -> list[Path]:
    try:
        return list((box.path / "new").iterdir())
    except OSError:
        return []


def _folders(box: MaildirSettings) -> list[Path]:
    return [box.path, box.path / "new", box.path / "cur"]


def _mailbox(box: ImapSettings, found: MailboxFound) -> Iterator[CheckResult]:
    if found.failure:
        trouble = _TROUBLES.get(found.trouble, "cannot be read")
        yield fault(
            f"mailbox {box.name}: {trouble}: {found.failure}",
            f"{_remedy(found, box)}; then run `referee doctor imap` again",
            "setting",
            f"imap.{box.name}",
        )
        return
    yield well(f"mailbox {box.name}: readable, {found.letters} emails in {box.folder}")
    if not found.has_done_folder:
        words = f"mailbox {box.name}: no folder {box.done_folder} yet"
        yield look(
            words, "wait for the first email, which creates it", "setting", f"imap.{box.name}"
        )
    if not found.announces_mail:
        words = f"mailbox {box.name}: the server does not announce new mail (no IDLE)"
        remedy = f"lower poll_seconds if {box.poll_seconds} seconds are too long to wait for mail"
        yield look(words, remedy, "setting", f"imap.{box.name}.poll_seconds")


def _remedy(found: MailboxFound, box: ImapSettings) -> str:
    port = box.port or (993 if box.security == "tls" else 143)
    place = f"{box.host}, port {port}"
    match found.trouble:
        case Trouble.LOGIN:
            proof = "token_command" if box.token_command else "the password in password_file"
            return f"check user and {proof}"
        case Trouble.FOLDER:
            return "check that folder exists"
        case Trouble.SILENCE:
            return _WHEN_SILENT.format(place=place)
        case Trouble.BUSY:
            return f"{_WHEN_BUSY} with this mailbox, and raise poll_seconds"
    return f"check that a server answers at {place}; and host, port and security"


def look_at_sending(settings: Settings) -> Iterator[CheckResult]:
    """Offer the mail server the envelope of a report, without sending anything."""
    sender = build_sender(settings)
    if not isinstance(settings.sending, SmtpSending) or not isinstance(sender, SmtpSender):
        yield look("sending: emails go into a Maildir and reach nobody", 'set kind = "smtp"')
        return
    host = settings.sending.host
    if given := given_to_service(settings.sending.password_file, f"mail server {host}: a password"):
        yield given
        return
    name, _, domain = settings.site.address.partition("@")
    specimen = f"{name}+{'a' * tokens.LENGTH}@{domain}"
    found = try_sending(sender, specimen, settings.site.operator)
    place = f"{host}, port {sender.port}"
    trouble, remedy = f"login failed: {found.failure}", _WHEN_NO_LOGIN
    if found.trouble is Trouble.SILENCE:
        trouble, remedy = f"it does not answer: {found.failure}", _WHEN_SILENT.format(place=place)
    elif found.trouble is Trouble.BUSY:
        trouble, remedy = f"it takes no more now: {found.failure}", f"{_WHEN_BUSY} with this server"
    elif found.trouble is Trouble.ENVELOPE:
        trouble = f"an email to {settings.site.operator} is refused at {found.failure}"
        remedy = _WHEN_REFUSED
    if found.failure:
        yield fault(
            f"mail server {place}: {trouble}",
            f"{remedy}; then run `referee doctor smtp` again",
            "setting",
            "sending",
        )
        return
    name = f" as {settings.sending.user}" if settings.sending.user else ""
    yield well(f"mail server {host}: login works{name}, and it accepts our emails")


def look_at_receiver(settings: Settings) -> Iterator[CheckResult]:
    """Check the program that listens on the receiver's address, and the users who could."""
    wanted = settings.receiver
    if wanted is None:
        return
    place = str(wanted.socket or f"{wanted.host}, port {wanted.port}")
    if wanted.socket is not None and _is_missing(wanted.socket.parent):
        yield fault(
            f"receiver: the folder of the socket {place} does not exist",
            "create it, with the referee's user as owner",
            "setting",
            "receiver.socket",
        )
        return
    greeting = _greeting(wanted)
    if greeting is None:
        yield look(f"receiver: nothing listens on {place}", how_to_start(settings))
    elif "referee" in greeting:
        yield well(f"receiver: listening on {place}")
    else:
        words = f"receiver: another program listens on {place}"
        remedy = "choose another port, or stop that program"
        yield fault(words, remedy, "setting", "receiver.port")
    if wanted.port is not None:
        yield from _open_to_all(wanted.port, trusts_servers=bool(settings.trust.authserv_ids))


def _open_to_all(port: int, *, trusts_servers: bool) -> Iterator[CheckResult]:
    """Yield the harm that every user of this machine can do with a port."""
    remedy = 'set socket = "/run/referee/lmtp" instead of port, if the mail server is here'
    words = f"every user of this machine can open port {port} and get the emails"
    yield look(
        f"receiver: while the referee is stopped, {words}", remedy, "setting", "receiver.port"
    )
    if trusts_servers:
        words = f"every user of this machine can send emails to port {port} in the name of a player"
        yield look(
            f"receiver: {words}, past the servers in authserv_ids",
            f"{remedy}; or remove authserv_ids",
            "setting",
            "trust.authserv_ids",
        )


def _is_missing(folder: Path) -> bool:
    """Return whether the folder of a socket is missing, and not made when the service starts."""
    return not folder.is_dir() and not folder.is_relative_to("/run")


def _greeting(wanted: ReceiverSettings) -> str | None:
    kind = socket.AF_INET6 if ":" in wanted.host else socket.AF_INET
    family = kind if wanted.socket is None else socket.AF_UNIX
    address = (wanted.host, wanted.port) if wanted.socket is None else str(wanted.socket)
    with suppress(OSError), socket.socket(family, socket.SOCK_STREAM) as caller:
        caller.settimeout(5)
        caller.connect(address)
        return caller.recv(500).decode(errors="replace")
    return None
