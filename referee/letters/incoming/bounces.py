"""Bounces: reports of mail servers about the delivery of our letters, and their forms."""

import re
from enum import Enum
from typing import Final

from referee.letters.incoming import decode, headers
from referee.letters.incoming.decode import Leaf
from referee.letters.incoming.headers import decode_words, first
from referee.letters.incoming.letter import Letter, canonical_address
from referee.letters.incoming.phrases import BOUNCED, REPLY_PREFIX

_DAEMON: Final = re.compile(
    r"^(?:mailer[-_.]?daemon|mail[-_.]?daemon|mail\.?delivery\.?(?:sub)?(?:system|service)?)(?:@|$)"
)
"""Local parts of mail servers; hardly any person has such an address."""
_ROLE: Final = re.compile(r"^(?:post[-_]?master|bounces?|[\w.]+-bounces?|ndr|mdaemon)@")
"""Local parts of mail servers that the person who runs one can have, too."""
_NO_ADDRESS: Final = re.compile(r"<\s*>\s*$")
_NEARBY: Final = 25
_DETAILS: Final = 80
_DETAIL: Final = re.compile(
    r"[\w.+-]@[\w-]|\b[45][0-9]{2}[ -]|\b[45]\.[0-9]\.[0-9]{1,3}\b"
    r"|^\W*(?:original|returned) (?:message|mail)|^\s*(?:to|recipient|subject):",
    re.IGNORECASE,
)
"""An address, a status code or the letter that came back."""

_FAILURE_CODE: Final = re.compile(r"\W*(?:[45][0-9]{2}[ -](?:[45]\.|\D)|[45]\.[0-9]\.[0-9]{1,3}\b)")
"""The code of a failure, as SMTP writes it: ``550 5.1.1`` or ``550 no such user``."""

_FAILED: Final = (
    r"(?:could|can|has|was|have) ?(?:not|never)(?: yet)? (?:been |be )?(?:deliver|reach)"
    r"|did not (?:reach|receive)|(?:has|have) been (?:delayed|postponed|returned)"
    r"|has encountered delivery|was automatically rejected|had permanent"
)
REPORT: Final = re.compile(
    rf"^\W{{0,40}}(?:"
    rf"(?:unfortunately,? |sorry,? )?your (?:e-?mail|mail|message)s?\b.{{0,120}}(?:{_FAILED})"
    r"|your (?:e-?mail|mail|message)(?: with subject: .{0,200}| to:?)?$"
    r"|your mail (?:sent|attempted to be delivered) on: "
    rf"|the (?:following|attached) (?:e-?mail|mail|message|address)\b.{{0,120}}(?:{_FAILED}|failed)"
    r"|this (?:e-?mail|message) (?:was created automatically|was undeliverable)"
    r"|a message could not be delivered|message could not be delivered"
    r"|this is the .{1,80}(?:program|mail (?:system|server|agent|delivery agent)|mailer-daemon)\b"
    r"|(?:hi\. )?(?:this is )?the (?:mta|deliver|mail) program at "
    r"|this is the machine generated message|this is an advisory-only"
    r"|this is an automat(?:ed|ically generated) (?:delivery|message created by mail)"
    r"|this is a delivery (?:failure|status)|this report relates to"
    r"|the original (?:message|mail) was received at|an error (?:was detected|has? occurred) while"
    r"|there was an error delivering your mail|we're sorry\. there's a problem with the e-?mail"
    r"|(?:sorry,? )?(?:we were |i was |i'm afraid i wasn't )?(?:un|not )?able to deliver"
    r" (?:your|mess|mail|the)"
    r"|unable to deliver|undeliver(?:able|ed)\s+(?:to|address|mail|message)"
    r"|de(?:livery|livering|levery) (?:of (?:e-?)?mail|attempts?|failed|has failed|to the following"
    r"|failure|status)"
    r"|could not deliver|can(?:no| no)t deliver"
    r"|(?:failed|invalid|rejected|unknown) (?:recipients?|addresses|user)\b"
    r"|message (?:not delivered|from (?:interscan|[\w.-]+\.$))|non-delivery report"
    r"|the following (?:address|recipient)s?\b.{0,60}(?:fail|had|did not|could not|unknown)"
    r"|failed (?:address|recipient)|message log follow"
    r"|mail delivery failed|returned mail|user's mailbox|unknown user|invalid final delivery"
    r"|intended recipient|mailenable: |error-for:"
    r"|\{\"notificationtype\":\"(?:bounce|complaint)"
    r"|votre message n'a pas|su mensaje no (?:pudo|ha)|sua mensagem n[ãa]o"
    r"|ihre (?:nachricht|e-?mail|mail)\b.{0,80}(?:konnte|nicht zugestellt)"
    r"|die (?:folgende )?(?:nachricht|mail)\b.{0,80}konnte nicht|il (?:suo )?messaggio non"
    r"|uw bericht (?:kon|kan) niet|это письмо создано автоматически|к сожалению, ваше письмо"
    r"|邮件无法|您的邮件|以下のメール|あなたのメール|メールを?配送できません|宛先のメールアドレス"
    r")",
    re.IGNORECASE,
)
"""A line that begins a delivery report."""


def is_daemon(address: str) -> bool:
    """Return whether an address looks like that of a mail server, or of the person who runs it."""
    return is_surely_daemon(address) or _ROLE.match(address) is not None


def is_surely_daemon(address: str) -> bool:
    """Return whether an address is of the kind that mail servers use for themselves."""
    return _DAEMON.match(address) is not None


def is_from_nobody(letter: Letter) -> bool:
    """Return whether From has an empty address, as in ``MAILER-DAEMON <>``."""
    return _NO_ADDRESS.search(letter.header("From")) is not None


def is_bounce(letter: Letter, *, unanswerable: bool) -> bool:
    """Return whether the words are those of a delivery report that follows no standard.

    *unanswerable* means that the letter has the null return path. A person can write in the words
    of a report, or quote one, so words are not enough: the sender must look like a mail server, or
    the report must begin the letter below a subject of such reports. Neither is such a sender
    enough: a person can have any address.
    """
    server = any(is_daemon(sender.address) for sender in letter.senders)
    titled = BOUNCED.match(letter.subject) is not None
    if unanswerable:
        return BOUNCED.match(REPLY_PREFIX.sub("", letter.subject)) is not None or _reports(letter)
    if server:
        return titled or _reports(letter) or _has_status(letter)
    return titled and _reports(letter, within=2)


def _has_status(letter: Letter) -> bool:
    """Return whether a line of a letter without a quote begins with the code of a failure."""
    lines = letter.text[:20_000].split("\n")
    return any(_FAILURE_CODE.match(line[:300]) for line in lines[:_DETAILS])


def _reports(letter: Letter, within: int = _NEARBY) -> bool:
    """Return whether one of the first lines begins a report, with details near it."""
    lines = [line for line in letter.text[:20_000].split("\n") if line.strip()]
    lines = [line for line in lines if not line.startswith(">")][:_DETAILS]
    begun = any(REPORT.match(line[:300]) for line in lines[:within])
    return begun and any(_DETAIL.search(line[:300]) for line in lines)


_MOST_OCTETS: Final = 100_000
_ACTION: Final = re.compile(rb"(?mi)^Action[ \t]*:[ \t]*([a-z]{1,20})")
_STATUS: Final = re.compile(rb"(?mi)^Status[ \t]*:[ \t]*([245])\.[0-9]{1,3}\.[0-9]{1,3}")
_REPORTED: Final = re.compile(rb"(?mi)^Original-Mail-From[ \t]*:[ \t]*(\S{1,320})")
_CODE: Final = re.compile(rb"(?<![\w.])([45])(?:[0-9]{2}[ -]|\.[0-9]{1,3}\.[0-9]{1,3})")
_PASSING: Final = re.compile(
    r"delay|will (?:be )?retr|still (?:trying|being)|not yet been delivered|warning:"
    r"|verz\xf6ger|retard|en cours de|demorad|ritardo|vertraagd|f\xf6rdr\xf6j|forsink",
    re.IGNORECASE,
)


class Return(Enum):
    """The meaning of a bounce for the address that the letter was sent to."""

    LASTING = "could not be delivered"
    PASSING = "delayed"
    """The other server still retries; the failure does not count against the address."""


def read_return(raw: bytes) -> Return:
    """Classify a delivery report: by RFC 3464 if it follows it, or else by its words.

    A report about several addresses is lasting if one failure is.
    """
    fields, body = headers.split_head(raw.replace(b"\r\n", b"\n"))
    reports = [
        leaf.payload[:_MOST_OCTETS]
        for leaf in decode.leaves(fields, body)
        if leaf.kind in ("message/delivery-status", "message/global-delivery-status")
    ]
    actions = [found.lower() for report in reports for found in _ACTION.findall(report)]
    if actions:
        return Return.LASTING if b"failed" in actions else Return.PASSING
    statuses = [found for report in reports for found in _STATUS.findall(report)]
    if statuses:
        return Return.LASTING if b"5" in statuses else Return.PASSING
    return _unformed(decode_words(first(fields, "subject")), body[:_MOST_OCTETS])


def reported_sender(raw: bytes) -> str:
    """Return the envelope sender that a feedback report is about (RFC 5965), or "".

    Hotmail writes no such fields, but attaches the letter with its Return-Path.
    """
    fields, body = headers.split_head(raw.replace(b"\r\n", b"\n"))
    leaves = {leaf.kind: leaf for leaf in decode.leaves(fields, body)}
    if (report := leaves.get("message/feedback-report")) is not None:
        return _sender_in(report)
    if (attached := leaves.get("message/rfc822")) is not None:
        returned, _ = headers.split_head(attached.payload[:_MOST_OCTETS])
        return canonical_address(first(returned, "return-path").strip("<>"))
    return ""


def _sender_in(leaf: Leaf) -> str:
    found = _REPORTED.search(leaf.payload[:_MOST_OCTETS])
    sender = found[1].decode("utf-8", "replace").strip("<>") if found else ""
    return canonical_address(sender)


def _unformed(subject: str, body: bytes) -> Return:
    """Classify a report that follows no standard: by its subject, then by its first code."""
    if _PASSING.search(subject):
        return Return.PASSING
    code = _CODE.search(body)
    return Return.PASSING if code is not None and code[1] == b"4" else Return.LASTING
