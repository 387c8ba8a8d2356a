"""Connection tests of the mail servers, which change nothing."""

import re
import smtplib
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from imapclient.exceptions import IMAPClientError

from referee.errors import RefereeError
from referee.mail.imap_folder import ImapAccount, LoginRefused, opened
from referee.mail.smtp import SmtpSender
from referee.mail.smtp_session import words

_BUSY: Final = re.compile(
    r"\[(?:UNAVAILABLE|LIMIT|INUSE|THROTTLED)\]|\btoo (?:many|fast|often|much)\b|\bthrottl"
    r"|\b(?:limits?|rate|quota) (?:was |has been |is )?(?:exceeded|reached|hit)\b"
    r"|\bexceeded\b.*limit|\btry (?:again )?later\b|\b4\.[37]\.\d|^4[25]\d ",
    re.IGNORECASE,
)
"""The words of a server that works, but wants to do no more now for this user or machine."""


class Trouble(Enum):
    """The cause of a failure at a mail server."""

    CONNECTION = "the server cannot be reached, or ends the connection"
    SILENCE = "the server does not answer in time"
    BUSY = "the server does no more for us now"
    LOGIN = "the server rejects user and password or token"
    FOLDER = "the server does not open the folder"
    ENVELOPE = "the server refuses our envelope"


def _trouble(error: BaseException | None, words: str, otherwise: Trouble) -> Trouble:
    """Return the cause of a failure, in the server's *words* or of an *error*."""
    if isinstance(error, TimeoutError) or "timed out" in words:
        return Trouble.SILENCE
    return Trouble.BUSY if _BUSY.search(words) else otherwise


@dataclass(frozen=True, slots=True)
class MailboxFound:
    """The state of a mailbox; *failure* and *trouble* say why nothing more was found."""

    failure: str = ""
    trouble: Trouble = Trouble.CONNECTION
    letters: int = 0
    has_done_folder: bool = False
    announces_mail: bool = False


def try_mailbox(account: ImapAccount, timeout_seconds: float) -> MailboxFound:
    """Log in and check the folders; all failures are returned."""
    found = MailboxFound()
    try:
        with opened(replace(account, timeout_seconds=timeout_seconds)) as folder:
            found = MailboxFound(trouble=Trouble.FOLDER, announces_mail=folder.announces_mail())
            found = replace(found, has_done_folder=folder.has_done_folder())
            folder.select()
            return replace(found, letters=len(folder.uids()))
    except LoginRefused as error:
        trouble = _trouble(error, str(error), Trouble.LOGIN)
        return replace(found, failure=f"server: {error}", trouble=trouble)
    except (IMAPClientError, OSError, ValueError, RefereeError) as error:
        failure = " ".join(str(error).split()) or type(error).__name__
        return replace(found, failure=failure, trouble=_trouble(error, failure, found.trouble))


@dataclass(frozen=True, slots=True)
class SendingFound:
    """The answer of a mail server: why the login failed or an envelope was refused, or ""."""

    failure: str = ""
    trouble: Trouble = Trouble.CONNECTION


def try_sending(sender: SmtpSender, envelope_sender: str, recipient: str) -> SendingFound:
    """Connect, log in, and offer an envelope without a letter; all failures are returned."""
    try:
        refusal = sender.try_envelope(envelope_sender, recipient)
        return SendingFound(refusal, _trouble(None, refusal, Trouble.ENVELOPE))
    except (smtplib.SMTPException, OSError, UnicodeError, RefereeError) as error:
        return SendingFound(words(error), _trouble(error, words(error), Trouble.CONNECTION))
