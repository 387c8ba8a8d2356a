"""Screening of letters by kind, and bounces: who gets no answer, so that mail loops end.

It throws no letter away: what a letter is good for is decided when it is known who wrote it.
"""

import hmac
import re
from enum import Enum
from typing import Final

from referee.domain.mail_transfer import MOST_OCTETS
from referee.letters.incoming import decode, phrases
from referee.letters.incoming.decode import Leaf
from referee.letters.incoming.letter import (
    LOOP_HEADER,
    Letter,
    canonical_address,
    decode_words,
    first,
    split_head,
)
from referee.letters.incoming.phrases import BOUNCED, GESTURES, REACTION, REPLY_PREFIX
from referee.letters.incoming.program_text import A_REACTION, find_blocks, first_lines
from referee.letters.incoming.quoting import own_text

_DAEMON: Final = re.compile(
    r"^(?:mailer[-_.]?daemon|mail[-_.]?daemon|mail\.?delivery\.?(?:sub)?(?:system|service)?)(?:@|$)"
)
"""Local parts of mail servers; hardly any person has such an address."""
_ROLE: Final = re.compile(r"^(?:post[-_]?master|bounces?|[\w.]+-bounces?|ndr|mdaemon)@")
"""Local parts of mail servers that the person who runs one can have, too."""
_NO_ADDRESS: Final = re.compile(r"<\s*>\s*$")
"""The end of From of a mail server: ``MAILER-DAEMON <>``."""
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


def _is_worded_as_bounce(letter: Letter, *, unanswerable: bool) -> bool:
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
    fields, body = split_head(raw.replace(b"\r\n", b"\n"))
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
    fields, body = split_head(raw.replace(b"\r\n", b"\n"))
    leaves = {leaf.kind: leaf for leaf in decode.leaves(fields, body)}
    if (report := leaves.get("message/feedback-report")) is not None:
        return _sender_in(report)
    if (attached := leaves.get("message/rfc822")) is not None:
        returned, _ = split_head(attached.payload[:_MOST_OCTETS])
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


_BULK: Final = frozenset(("list", "bulk", "junk", "auto_reply", "auto-reply"))
_REPLIERS: Final = ("X-Autoreply", "X-Autorespond", "X-AutoReply-From", "X-Mail-Autoreply")
_NO_REPLY: Final = re.compile(r"^(?:no|do[-_.]?not)[-_.]?reply(?:[-_.+][^@]*)?@")
_OF_LISTS: Final = (
    *("List-Id", "List-Post", "Mailing-List", "X-Mailing-List"),
    *("X-BeenThere", "X-ML-Name", "X-MLServer"),
)
"""Fields that only the software of a list writes; an answer would go to all its members."""
_NAME: Final = re.compile(r"[^\W\d_]+")
_ENDS_NOTE: Final = re.compile(r"\s*(?:[-:\uff1a(\[]|$)")
_HOTMAIL: Final = re.compile(r"^complaint about message from [0-9]", re.IGNORECASE)


_GENERATED: Final = "auto-generated"
_BY_PEOPLE: Final = ("no", _GENERATED)
"""The words of Auto-Submitted of a person, and of a program that sends a player's orders. Anything
else, such as auto-replied, is a program's answer to us, which is never answered (RFC 3834)."""


class Screening(Enum):
    """The kind of a letter; only letters of people are answered freely."""

    HUMAN = "human"
    MACHINE = "machine"
    """A program's answer to us, or from an address that nobody reads."""
    MARKED = "marked"
    """A player's mail server can write such marks, too. Read as a person's if it is proven and is
    more than words, and answered only if it changed or asked for something new."""
    AUTOMATIC = "automatic"
    """Made by a program of its own accord; a player's own program can send it, so it is read."""
    AWAY = "vacation note"
    """Judged by its subject only; a person may have written it, so they are asked about orders."""
    REACTION = "reaction"
    CALENDAR = "answer to an invitation"
    RECEIPT = "read receipt"
    RECALL = "recall of an email"
    BOUNCE = "bounce"
    COMPLAINT = "complaint"
    """A mail server reports that the reader of our letter marked it as spam."""
    LOOP = "loop"
    TOO_BIG = "too big"
    """Written by a person, who is asked to send it again without files."""
    BIG_PROGRAM = "too big, from a program"
    MAILING = "mailing"
    """Sent to many, or by a person whose service says so; read as a person's if it is for us."""

    @property
    def is_gesture(self) -> bool:
        """Whether a person only clicked on something; one with orders is a letter of theirs."""
        return any(self.value == gesture.name for gesture in GESTURES)


def screen(
    letter: Letter, raw: bytes, envelope_sender: str, loop_token: str, size: int = 0
) -> Screening:
    """Return the kind of the letter; the first check that succeeds decides.

    *envelope_sender* is ``<>`` for the null return path, and empty if there was no envelope. *size*
    is that of the whole letter, if *raw* is only its beginning.
    """
    kind = _kind(letter, envelope_sender, loop_token)
    if not is_too_big(size or len(raw)) or kind in _WHATEVER_SIZE:
        return kind
    return Screening.TOO_BIG if kind in BY_HAND else Screening.BIG_PROGRAM


BY_HAND: Final = (Screening.HUMAN, Screening.MAILING)
"""Written by a person."""
_WHATEVER_SIZE: Final = (Screening.LOOP, Screening.COMPLAINT, Screening.BOUNCE)
"""Kinds of which the beginning says everything that counts."""


def _kind(letter: Letter, envelope_sender: str, loop_token: str) -> Screening:
    if is_our_own(letter, loop_token):
        return Screening.LOOP
    if is_complaint(letter):
        return Screening.COMPLAINT
    if is_bounce(letter, envelope_sender):
        return Screening.BOUNCE
    if is_machine(letter):
        return Screening.MACHINE
    if is_away(letter):
        return Screening.AWAY
    if is_marked(letter, envelope_sender):
        return Screening.MARKED
    if is_automatic(letter):
        return Screening.AUTOMATIC
    if gesture := gesture_of(letter):
        return Screening(gesture)
    return Screening.MAILING if letter.header("List-Unsubscribe") else Screening.HUMAN


def is_too_big(octets: int) -> bool:
    """Return whether a letter of so many bytes is bigger than any order sheet."""
    return octets > MOST_OCTETS


def is_our_own(letter: Letter, loop_token: str) -> bool:
    """Return whether the letter is our own and came back; one that only quotes us is not."""
    claimed = letter.header(LOOP_HEADER).strip().encode("utf-8", "replace")
    return bool(loop_token) and hmac.compare_digest(claimed, loop_token.encode())


def is_bounce(letter: Letter, envelope_sender: str) -> bool:
    """Return whether a mail server reports that a letter of ours was not delivered."""
    content = letter.header("Content-Type").lower()
    if content.startswith("multipart/report"):
        return "disposition-notification" not in content and "feedback-report" not in content
    if letter.header("X-Failed-Recipients") or _NO_ADDRESS.search(letter.header("From")):
        return True
    return _is_worded_as_bounce(letter, unanswerable=_is_null(letter, envelope_sender))


def is_complaint(letter: Letter) -> bool:
    """Return whether the letter is a feedback report: by RFC 5965, or as Hotmail writes it."""
    content = letter.header("Content-Type").lower()
    if content.startswith("multipart/report") and "feedback-report" in content:
        return True
    staff = any(sender.address == "staff@hotmail.com" for sender in letter.senders)
    return staff and _HOTMAIL.match(letter.subject) is not None


def is_machine(letter: Letter) -> bool:
    """Return whether no player and no program of a player would write the letter."""
    return (
        letter.header("Content-Type").lower().startswith("multipart/report")
        or _submitted(letter) not in ("", *_BY_PEOPLE)
        or any(_NO_REPLY.match(sender.address) for sender in letter.senders)
    )


def is_marked(letter: Letter, envelope_sender: str) -> bool:
    """Return whether the letter has a mark of a list, of bulk mail or a program that answers."""
    return (
        letter.header("Precedence").strip().lower() in _BULK
        or any(letter.header(name) for name in (*_OF_LISTS, *_REPLIERS))
        or _is_null(letter, envelope_sender)
    )


def is_automatic(letter: Letter) -> bool:
    """Return whether a program made the letter of its own accord (RFC 3834), or a mail server."""
    daemon = any(is_surely_daemon(sender.address) for sender in letter.senders)
    return daemon or _submitted(letter) == _GENERATED


def _submitted(letter: Letter) -> str:
    """Return the first word of Auto-Submitted, without its comment, or ""."""
    found = re.match(r"\s*([\w-]+)", letter.header("Auto-Submitted"))
    return found[1].lower() if found is not None else ""


def is_away(letter: Letter) -> bool:
    """Return whether the subject is that of an automatic reply during an absence."""
    subject = phrases.REPLY_PREFIX.sub("", letter.subject)
    found = phrases.AWAY.match(subject)
    if found is None or subject == letter.subject:
        return found is not None
    # A person who answers such a note, or asks about it, goes on in words.
    return _ENDS_NOTE.match(subject, found.end()) is not None


def _is_null(letter: Letter, envelope_sender: str) -> bool:
    """Return whether nothing can be returned to the sender, or only to a mail server."""
    paths = (envelope_sender.strip(), letter.header("Return-Path").strip())
    return any(path == "<>" or is_surely_daemon(path.lower().strip("<>")) for path in paths)


KEPT_OCTETS: Final = 64 * 1024
"""How much is kept of a letter that is too big to be read, after its header."""
_END_OF_HEAD: Final = re.compile(rb"\r?\n\r?\n")
_FIELD: Final = re.compile(rb"[!-9;-~]{1,80}[ \t]*:[^\n]*(?:\n[ \t][^\n]*)*(?:\n|\Z)")
_NEEDED: Final = frozenset(
    name.encode()
    for name in (
        *("from", "sender", "reply-to", "to", "cc", "subject", "date", "return-path"),
        *("message-id", "in-reply-to", "references", "mime-version", "auto-submitted"),
        *("content-type", "content-transfer-encoding", "content-disposition", "content-id"),
        *("delivered-to", "precedence", "list-id", LOOP_HEADER.lower()),
    )
)
"""The fields with the people, the time, the thread and the form of the text."""


def beginning(raw: bytes, size: int = 0) -> bytes:
    """Return the letter, or the header and the first KEPT_OCTETS of one that is too big to read.

    *size* is that of the whole letter, if *raw* is only its beginning. Of a very long header, as
    much is kept.
    """
    if not is_too_big(size or len(raw)):
        return raw
    end = _END_OF_HEAD.search(raw, 0, KEPT_OCTETS)
    return raw[: (end.end() if end is not None else 0) + KEPT_OCTETS]


def without_spare_headers(raw: bytes) -> bytes:
    """Return the letter without the headers that only show its way here or prove its sender.

    Both were checked when it was read. The body is unchanged, and so is all of a letter whose
    header has other lines than fields.
    """
    end = _END_OF_HEAD.search(raw)
    if end is None:
        return raw
    head, rest = raw[: end.start()], raw[end.start() :]
    fields = _FIELD.findall(head)
    needed = [field for field in fields if field.partition(b":")[0].strip().lower() in _NEEDED]
    if not needed or b"".join(fields) != head:
        return raw
    return b"".join(needed).rstrip(b"\r\n") + rest


def gesture_of(letter: Letter) -> str:
    """Return the name of the gesture that a letter is, or "". A person may have typed words."""
    kinds = {part.kind for part in letter.attachments}
    written = " ".join(f"{each.name} {each.address.partition('@')[0]}" for each in letter.senders)
    names = {name for name in _NAME.findall(written.casefold()) if len(name) > 1}
    subject = REPLY_PREFIX.sub("", letter.subject)
    first = first_lines(letter.text[:20_000].split("\n"))
    if any(block.name == A_REACTION for block in find_blocks(first).values()):
        return REACTION
    for each in GESTURES:
        if each.parts & kinds or any(each.has_line(line, names) for line in first):
            return each.name
        if each.subjects.match(subject) and not own_text(letter.seen).is_typed:
            return each.name
    return ""
