"""The doctor's look at the mail servers and at our own receiver."""

import socket
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from referee.app import build_sender, imap_account
from referee.doctor.report import CheckResult, fault, look, well
from referee.mail.connection_test import MailboxFound, try_mailbox, try_sending
from referee.mail.smtp import SmtpSender
from referee.settings import ImapSettings, ReceiverSettings, Settings, SmtpSending

_SECONDS: Final = 20.0


def look_at_mailboxes(settings: Settings) -> Iterator[CheckResult]:
    """Log in to every mailbox and see whether its folders are there; nothing is changed."""
    for box in settings.imap:
        found = try_mailbox(imap_account(box, settings.limits.letter_bytes), _SECONDS)
        yield from _mailbox(box, found)


def _mailbox(box: ImapSettings, found: MailboxFound) -> Iterator[CheckResult]:
    if found.failure:
        yield fault(
            f'the mailbox "{box.name}" cannot be read: {found.failure}',
            f"{_remedy(found, box)}; `referee doctor imap` tries it again",
            "setting",
            f"imap.{box.name}",
        )
        return
    yield well(f'the mailbox "{box.name}" is open; {found.letters} letters lie in {box.folder}')
    if not found.has_done_folder:
        words = f'the mailbox "{box.name}" has no folder {box.done_folder} yet'
        yield look(words, "it is made with the first letter", "setting", f"imap.{box.name}")
    if not found.tells_news:
        words = f'the server of "{box.name}" does not tell when mail comes (no IDLE)'
        remedy = f"letters wait up to {box.poll_seconds} seconds; poll_seconds makes that less"
        yield look(words, remedy, "setting", f"imap.{box.name}.poll_seconds")


def _remedy(found: MailboxFound, box: ImapSettings) -> str:
    if found.is_login_refused:
        proof = "token_command" if box.token_command else "the password in password_file"
        return f"check user and {proof}"
    if found.is_logged_in:
        return "check folder: it has to be there"
    return "check host, port and security"


def look_at_sending(settings: Settings) -> Iterator[CheckResult]:
    """Log in to the mail server that takes our letters; nothing is sent."""
    sender = build_sender(settings)
    if not isinstance(settings.sending, SmtpSending) or not isinstance(sender, SmtpSender):
        yield look("letters go into a Maildir and reach nobody", 'kind = "smtp" sends them')
        return
    trouble = try_sending(sender)
    if trouble:
        yield fault(
            f"the mail server {settings.sending.host} does not let us in: {trouble}",
            "check host, port, security, user and password; `referee doctor smtp` tries again",
            "setting",
            "sending",
        )
        return
    name = f" as {settings.sending.user}" if settings.sending.user else ""
    yield well(f"the mail server {settings.sending.host} lets us in{name}")


def look_at_receiver(settings: Settings) -> Iterator[CheckResult]:
    """Check whether somebody answers where our receiver should listen."""
    wanted = settings.receiver
    if wanted is None:
        return
    place = str(wanted.socket or f"{wanted.host}, port {wanted.port}")
    if wanted.socket is not None and not wanted.socket.parent.is_dir():
        yield fault(
            f"the folder of the socket {place} is not there",
            "make it, owned by the user of the referee",
            "setting",
            "receiver.socket",
        )
        return
    greeting = _greeting(wanted)
    if greeting is None:
        yield look(f"nobody listens on {place}", "it listens while `referee run` runs")
    elif "referee" in greeting:
        yield well(f"the receiver answers on {place}")
    else:
        words = f"another program listens on {place}"
        remedy = "choose another port, or stop that program"
        yield fault(words, remedy, "setting", "receiver.port")


def _greeting(wanted: ReceiverSettings) -> str | None:
    kind = socket.AF_INET6 if ":" in wanted.host else socket.AF_INET
    family = kind if wanted.socket is None else socket.AF_UNIX
    address = (wanted.host, wanted.port) if wanted.socket is None else str(wanted.socket)
    with suppress(OSError), socket.socket(family, socket.SOCK_STREAM) as caller:
        caller.settimeout(5)
        caller.connect(address)
        return caller.recv(500).decode(errors="replace")
    return None
