"""Trials of the mail servers: who gets in, and what is there, without changing anything."""

import smtplib
from dataclasses import dataclass, replace

from imapclient.exceptions import IMAPClientError

from referee.errors import RefereeError
from referee.mail.imap_folder import ImapAccount, LoginRefused, opened
from referee.mail.smtp import SmtpSender
from referee.mail.smtp_session import words


@dataclass(frozen=True, slots=True)
class MailboxFound:
    """What was found of a mailbox; *trouble* says why no more was found."""

    trouble: str = ""
    is_login_refused: bool = False
    is_logged_in: bool = False
    letters: int = 0
    has_done_folder: bool = False
    tells_news: bool = False


def try_mailbox(account: ImapAccount, timeout_seconds: float) -> MailboxFound:
    """Log in and look at the folders; whatever goes wrong is told."""
    found = MailboxFound()
    try:
        with opened(replace(account, timeout_seconds=timeout_seconds)) as folder:
            found = MailboxFound(is_logged_in=True, tells_news=folder.tells_news())
            found = replace(found, has_done_folder=folder.has_done_folder())
            folder.select()
            return replace(found, letters=len(folder.uids()))
    except LoginRefused as error:
        return replace(found, trouble=f"the server says {error}", is_login_refused=True)
    except (IMAPClientError, OSError, ValueError, RefereeError) as error:
        return replace(found, trouble=" ".join(str(error).split()) or type(error).__name__)


def try_sending(sender: SmtpSender) -> str:
    """Connect, log in and leave, and return what went wrong, empty when nothing did."""
    try:
        sender.try_login()
    except (smtplib.SMTPException, OSError, UnicodeError, RefereeError) as error:
        return words(error)
    return ""
