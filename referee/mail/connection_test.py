"""Connection tests of the mail servers, which change nothing."""

import smtplib
from dataclasses import dataclass, replace

from imapclient.exceptions import IMAPClientError

from referee.errors import RefereeError
from referee.mail.imap_folder import ImapAccount, LoginRefused, opened
from referee.mail.smtp import SmtpSender
from referee.mail.smtp_session import words


@dataclass(frozen=True, slots=True)
class MailboxFound:
    """The state of a mailbox; *failure* says why nothing more was found."""

    failure: str = ""
    is_login_refused: bool = False
    is_logged_in: bool = False
    letters: int = 0
    has_done_folder: bool = False
    announces_mail: bool = False


def try_mailbox(account: ImapAccount, timeout_seconds: float) -> MailboxFound:
    """Log in and check the folders; all failures are returned."""
    found = MailboxFound()
    try:
        with opened(replace(account, timeout_seconds=timeout_seconds)) as folder:
            found = MailboxFound(is_logged_in=True, announces_mail=folder.announces_mail())
            found = replace(found, has_done_folder=folder.has_done_folder())
            folder.select()
            return replace(found, letters=len(folder.uids()))
    except LoginRefused as error:
        return replace(found, failure=f"server: {error}", is_login_refused=True)
    except (IMAPClientError, OSError, ValueError, RefereeError) as error:
        return replace(found, failure=" ".join(str(error).split()) or type(error).__name__)


@dataclass(frozen=True, slots=True)
class SendingFound:
    """The answer of a mail server: why the login failed, or how it refused an envelope, or ""."""

    failure: str = ""
    refusal: str = ""


def try_sending(sender: SmtpSender, envelope_sender: str, recipient: str) -> SendingFound:
    """Connect, log in, and offer an envelope without a letter; all failures are returned."""
    try:
        return SendingFound(refusal=sender.try_envelope(envelope_sender, recipient))
    except (smtplib.SMTPException, OSError, UnicodeError, RefereeError) as error:
        return SendingFound(failure=words(error))
