"""Bytes to a Letter: for any input, in linear time."""

import binascii
import hashlib
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice, starmap
from typing import Final

from referee.letters.incoming import unreadable
from referee.letters.incoming.alternatives import Loss, added, is_stub, loss, with_strikes
from referee.letters.incoming.html_text import MOST_MARKUP, text_of_markup
from referee.letters.incoming.letter import (
    LOOP_HEADER,
    Attachment,
    Field,
    Letter,
    MailAddress,
    Parameters,
    Unreadable,
    base64_octets,
    clean,
    decode_words,
    every,
    first,
    is_utf_7,
    mailboxes,
    message_ids,
    parameters,
    split_head,
    text_of,
)
from referee.letters.incoming.phrases import REPLY_PREFIX
from referee.letters.incoming.quoting import OwnText

MOST_OCTETS: Final = 4_000_000
"""Bytes after this limit are not read."""
MOST_LINES: Final = 10_000
_HEAD_OCTETS: Final = 100_000
_TEXT: Final = 1_000_000
_LEAF_OCTETS: Final = 2_000_000
_HEADERS: Final = 200
_RECIPIENT_FIELDS: Final = ("to", "cc", "delivered-to", "x-original-to", "envelope-to")

_BLANKS: Final = re.compile(rb"\t[ \t]*| [ \t]+")
_BLANK_AT_END: Final = re.compile(rb" (?=\r?\n|\Z)")
_IGNORED_KINDS: Final = frozenset(
    [
        "application/pgp-signature",
        "application/pkcs7-signature",
        "application/x-pkcs7-signature",
        "application/pgp-encrypted",
        "message/delivery-status",
        "message/disposition-notification",
        "message/feedback-report",
        "text/rfc822-headers",
    ]
)
_SEALED_KINDS: Final = frozenset(("application/pkcs7-mime", "application/x-pkcs7-mime"))
_A_LETTER: Final = Field("content-type", b"message/rfc822")
_OPEN: Final = {"signed-data": unreadable.OPAQUE, "signed-receipt": ""}
"""Why the forms of S/MIME that are not encrypted cannot be read; a receipt has nothing to read."""
_META: Final = re.compile(rb"<meta\b[^<>]{0,200}charset\s*=\s*[\"']?([A-Za-z0-9_-]{1,40})", re.I)
_METHOD: Final = re.compile(rb"(?m)^METHOD:([A-Za-z]{1,20})\b")
_ARMOUR: Final = re.compile(
    r"^-----BEGIN PGP SIGNED MESSAGE-----[ \t]*\n(?:[A-Za-z]+: [^\n]*\n)*[ \t]*\n"
    r"(?P<text>.*?)"
    r"(?:^-----BEGIN PGP SIGNATURE-----[ \t]*$.*?(?:^-----END PGP SIGNATURE-----[ \t]*$|\Z)|\Z)",
    re.MULTILINE | re.DOTALL,
)


def decode(raw: bytes, delivered_to: str = "") -> Letter:
    """Return the letter that the bytes contain. Never raises, whatever the bytes.

    *delivered_to* is the recipient in its envelope, if that is known.
    """
    fields, body = whole(raw)
    return _letter(_read(raw, fields, body), fields, delivered_to)


def decode_covered(raw: bytes, covers: Collection[str]) -> Letter:
    """Return the letter as if it had only the fields that a proof *covers*, and its text.

    A signature covers the lowest field of a name. It need not cover blanks at the end of lines, nor
    how many there are elsewhere (RFC 6376, section 3.4.4), so the text is read without them.
    """
    fields, body = whole(raw)
    body = _BLANK_AT_END.sub(b"", _BLANKS.sub(b" ", body))
    covered = {each.name: each for each in fields if each.name in covers}
    return _letter(_read(raw, fields, body), tuple(covered.values()), "")


def _letter(read: tuple["_Reading", str], fields: tuple[Field, ...], delivered_to: str) -> Letter:
    reading, text = read
    return Letter(
        message_id=next(iter(message_ids(first(fields, "message-id"))), ""),
        subject=decode_words(first(fields, "subject")),
        senders=_mailboxes(fields, "from"),
        recipients=tuple(dict.fromkeys(filter(None, (delivered_to, *_recipients(fields))))),
        references=_references(fields),
        headers={each.name: each for each in reversed(fields[:_HEADERS])},
        text=text,
        attachments=tuple(reading.attachments),
        refused=tuple(reading.refused),
    )


def text_in(raw: bytes) -> str:
    """Return the text of a letter of ours; its HTML has the same words, so it is not read."""
    fields, body = whole(raw)
    return _read(raw, fields, body, markup=0)[1]


def html_in(raw: bytes) -> str:
    """Return the HTML of a letter of ours, or ""."""
    shown = (leaf for leaf in leaves(*whole(raw)) if leaf.kind == "text/html")
    return next(map(_characters, shown), "")


def text_of_fields(fields: tuple[Field, ...], body: bytes) -> str:
    """Return the text of a body as the *fields* of its header describe it."""
    return _read(body, fields, body)[1]


def whole(raw: bytes) -> tuple[tuple[Field, ...], bytes]:
    """Return the header and the body of a letter that ``decode`` reads."""
    return _split(raw[:MOST_OCTETS])


def writer_of(raw: bytes) -> str:
    """Return the address in a letter's From, or "" if there is not exactly one."""
    senders = _mailboxes(whole(raw)[0], "from")
    return senders[0].address if len(senders) == 1 else ""


def subject_of(raw: bytes) -> str:
    """Return the subject of a letter, as its header has it."""
    return decode_words(first(whole(raw)[0], "subject"))


def recipients_of(raw: bytes) -> tuple[str, ...]:
    """Return the plain addresses that a letter is sent to, as its header names them."""
    return _recipients(whole(raw)[0])


def body_hash(letter: Letter, own: OwnText, answers: str = "") -> str:
    """Return a hash of the sender, the subject and the own text; equal for a second copy.

    Blanks, line ends and quotes do not matter. *answers* says which question of ours it answers.
    """
    words = " ".join(" ".join(line.text for line in own.lines).split())
    who = ",".join(sorted(m.address for m in letter.senders))
    about = REPLY_PREFIX.sub("", letter.subject)
    octets = ("\0".join((who, about, words)) + answers).encode("utf-8", "surrogatepass")
    return hashlib.sha256(octets).hexdigest()


@lru_cache(maxsize=1)
def _split(octets: bytes) -> tuple[tuple[Field, ...], bytes]:
    """Return header and body. Those of the last letter are kept, since several callers ask."""
    return split_head(_line_ends(octets))


def _line_ends(raw: bytes) -> bytes:
    raw = raw.replace(b"\r\n", b"\n")
    # A letter without any LF has the line ends of an old Macintosh.
    raw = raw if b"\n" in raw else raw.replace(b"\r", b"\n")
    return raw.lstrip(b"\n").removeprefix(b"\xef\xbb\xbf")


def _mailboxes(fields: tuple[Field, ...], *names: str) -> tuple[MailAddress, ...]:
    return tuple(m for value in every(fields, *names) for m in mailboxes(value))


def _recipients(fields: tuple[Field, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(m.address for m in _mailboxes(fields, *_RECIPIENT_FIELDS)))


def _references(fields: tuple[Field, ...]) -> tuple[str, ...]:
    answered = [i for v in every(fields, "in-reply-to") for i in message_ids(v)]
    thread = [i for v in every(fields, "references") for i in message_ids(v)]
    return tuple(dict.fromkeys((*answered, *reversed(thread))))


@dataclass(frozen=True, slots=True)
class Leaf:
    """A part that contains no parts; *group* numbers the multipart/alternative around it.

    Group 0 means none. *payload* is still transfer-encoded.
    """

    content: Parameters
    name: str
    encoding: str
    attached: bool
    payload: bytes
    group: int
    embedded: bool = False
    """Whether the markup can refer to it, because it has a Content-ID and is not attached."""

    @property
    def kind(self) -> str:
        """The media type, ``text/plain`` if it is missing or broken."""
        return self.content.value if "/" in self.content.value else "text/plain"

    @property
    def is_file(self) -> bool:
        """Whether the sender made the leaf: no form or part of the text, and no letter of ours."""
        is_form = self.embedded or (self.group and not self.name)
        return (self.attached or not is_form) and not self.is_ours

    @property
    def is_ours(self) -> bool:
        """Whether the leaf is a letter of ours, as a program attaches the one that is answered."""
        if not (self.kind == "message/rfc822" or self.name.lower().endswith(".eml")):
            return False
        head, _ = split_head(_line_ends(_octets(self)[:_HEAD_OCTETS]))
        return any(each.name == LOOP_HEADER.lower() for each in head)

    @property
    def is_text_file(self) -> bool:
        """Whether the leaf is a text file, which is read after the text of its letter."""
        named = self.name.lower().endswith((".txt", ".md"))
        return self.kind == "text/plain" or named or (self.is_file and self.kind == "text/markdown")


@dataclass(slots=True)
class _Alternative:
    plain: list[str] = field(default_factory=list)
    marked_up: list[Leaf] = field(default_factory=list)
    plain_first: bool = False


@dataclass(slots=True)
class _Reading:
    """The content of the leaves so far, grouped by alternative, in the order of the letter."""

    groups: dict[int, _Alternative] = field(default_factory=dict)
    appended: list[str] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    refused: list[Unreadable] = field(default_factory=list)
    markup_left: int = MOST_MARKUP
    """How much more HTML is read."""

    def take(self, leaf: Leaf) -> None:
        """Add the leaf: as text, as an attachment, or as something unreadable."""
        group = self.groups.setdefault(leaf.group, _Alternative())
        if leaf.kind == "text/plain" and not leaf.attached:
            group.plain_first = group.plain_first or not group.marked_up
            group.plain.append(self._plain(leaf))
        elif leaf.kind == "text/html" and not leaf.attached:
            group.marked_up.append(leaf)
        elif leaf.is_text_file:
            self.appended.append(self._plain(leaf))
            self._attach(leaf, read=True)
        elif why := _why_sealed(leaf):
            self.refused.append(Unreadable(unreadable.WHOLE, why))
        elif leaf.kind == TOO_DEEP:
            self.refused.append(Unreadable(unreadable.WHOLE, unreadable.TOO_DEEP))
        elif leaf.kind not in _IGNORED_KINDS and leaf.name not in ("smime.p7s", "signature.asc"):
            self._skip(leaf)

    def text(self) -> str:
        """Return the text of the letter, followed by the text files attached to it."""
        return _joined([*starmap(self._text_of, self.groups.items()), *self.appended])

    def _text_of(self, number: int, group: _Alternative) -> str:
        """Return the part of an alternative that is read.

        Parts that are no alternatives are all read, unless they have the same words: then a program
        only did not say that they are.
        """
        plain = _joined(group.plain)
        if not group.marked_up:
            return plain
        if is_stub(plain):
            return _joined([*map(self._marked_up, group.marked_up)]) or plain
        # What is too long to be read whole is not read instead of text that is not.
        markup = [*map(_characters, group.marked_up)]
        if (length := sum(map(len, markup))) > self.markup_left:
            return plain
        self.markup_left -= length
        shown = _joined([*map(text_of_markup, markup)])
        if (found := loss(plain, shown)).reads_markup:
            return shown
        plain = with_strikes(plain, shown)
        some, every = added(plain, shown) if found is Loss.OTHER_WORDS else (False, False)
        if every and not number and not any(leaf.name for leaf in group.marked_up):
            return _joined([plain, shown] if group.plain_first else [shown, plain])
        if some:
            self.refused.append(Unreadable(unreadable.WHOLE, unreadable.OTHER_WORDS))
        return plain

    def _marked_up(self, leaf: Leaf) -> str:
        markup = _characters(leaf)
        read, self.markup_left = markup[: self.markup_left], self.markup_left - len(markup)
        if self.markup_left < 0:
            self.refused.append(Unreadable(unreadable.WHOLE, unreadable.CUT_MARKUP))
            self.markup_left = 0
        return text_of_markup(read)

    def _plain(self, leaf: Leaf) -> str:
        text = _characters(leaf)
        if is_utf_7(leaf.content.get("charset")):
            self.refused.append(Unreadable(leaf.name or unreadable.WHOLE, unreadable.UTF_7))
        if leaf.content.get("format").lower() == "flowed":
            text = _unflow(text, delsp=leaf.content.get("delsp").lower() == "yes")
        return _without_armour(text)

    def _skip(self, leaf: Leaf) -> None:
        name = leaf.name or _kind_in_words(leaf.kind)
        self._attach(leaf, read=False)
        reason = unreadable.why_unreadable(leaf.name, leaf.kind, is_file=leaf.is_file)
        if reason and not leaf.is_ours:
            self.refused.append(Unreadable(name, reason))

    def _attach(self, leaf: Leaf, *, read: bool) -> None:
        size = len(leaf.payload)
        size = size * 3 // 4 if leaf.encoding == "base64" else size
        name = leaf.name or _kind_in_words(leaf.kind)
        kind = f"{leaf.kind}; method={method}" if (method := _method(leaf)) else leaf.kind
        self.attachments.append(Attachment(name, kind[:80], size, read, not leaf.is_file))


def _read(
    raw: bytes, fields: tuple[Field, ...], body: bytes, markup: int = MOST_MARKUP
) -> tuple[_Reading, str]:
    """Return the parts of a letter, and the text they make up; *markup* is the most HTML read."""
    reading = _Reading(markup_left=markup)
    for leaf in leaves(fields, body):
        reading.take(leaf)
    text = reading.text()
    if len(raw) > MOST_OCTETS or len(text) > _TEXT or text.count("\n") >= MOST_LINES:
        reading.refused.append(Unreadable(unreadable.WHOLE, unreadable.CUT))
        text = "\n".join(text[:_TEXT].split("\n", MOST_LINES)[:MOST_LINES])
    return reading, text


def _why_sealed(leaf: Leaf) -> str:
    """Return why the text of a sealed letter cannot be read, or "" for another part."""
    if leaf.kind in _SEALED_KINDS:
        return _OPEN.get(leaf.content.get("smime-type").lower(), unreadable.ENCRYPTED)
    return unreadable.ENCRYPTED if leaf.kind == ENCRYPTED else ""


def _method(leaf: Leaf) -> str:
    """Return the method of an appointment in small letters (RFC 5546), or ""."""
    if leaf.kind != "text/calendar":
        return ""
    found = _METHOD.search(_octets(leaf), 0, 2_000)
    return (leaf.content.get("method") or (found[1].decode() if found else "")).lower()


def _kind_in_words(kind: str) -> str:
    return {"message/rfc822": "a forwarded letter", "text/calendar": "an invitation"}.get(
        kind, "a picture" if kind.startswith("image/") else "an attachment"
    )


def _joined(texts: list[str]) -> str:
    return "\n".join(text.rstrip("\n") for text in texts if text.strip())


def _characters(leaf: Leaf) -> str:
    octets, charset = _octets(leaf), leaf.content.get("charset")
    # An HTML page can declare its charset itself if the letter does not.
    if not charset and leaf.kind == "text/html" and (declared := _META.search(octets, 0, 2_000)):
        charset = declared[1].decode("ascii")
    return text_of(octets, "us-ascii" if is_utf_7(charset) else charset)


def _octets(leaf: Leaf) -> bytes:
    payload = leaf.payload[:_LEAF_OCTETS]
    if leaf.encoding == "quoted-printable":
        return binascii.a2b_qp(payload)
    if leaf.encoding != "base64":
        return payload
    octets = base64_octets(payload)
    # Some programs declare base64 and send plain text; decoding that gives noise.
    noise = sum(octets.count(c) for c in range(1, 32) if c not in b"\t\n\r\f\x1b")
    return payload if noise * 20 > len(octets) else octets


def _without_armour(text: str) -> str:
    if "-----BEGIN PGP SIGNED MESSAGE-----" not in text:
        return text
    return clean(_ARMOUR.sub(lambda m: re.sub(r"(?m)^- ", "", m["text"]), text))


_QUOTED: Final = re.compile(r"^(>*) ?(.*)$", re.DOTALL)


def _unflow(text: str, *, delsp: bool) -> str:
    """Join the soft line breaks of flowed text (RFC 3676); *delsp* removes the space before each.

    Quoted lines keep their marks. A signature line is never joined.
    """
    lines: list[list[str]] = []
    flowing: str | None = None
    for line in text.split("\n"):
        match = _QUOTED.match(line)
        marks, words = (match[1], match[2]) if match else ("", line)
        fixed = words == "-- " or not words.endswith(" ")
        soft = words[:-1] if delsp and not fixed else words
        if flowing == marks and words != "-- ":
            lines[-1].append(soft)
        else:
            lines.append([f"{marks} {soft}" if marks else soft])
        flowing = None if fixed else marks
    return "\n".join("".join(pieces) for pieces in lines)


_DEPTH: Final = 20
_PARTS: Final = 200
TOO_DEEP: Final = "application/x-nested-too-deeply"
ENCRYPTED: Final = "multipart/encrypted"

_GUESSED_BOUNDARY: Final = re.compile(rb"(?m)^--([^\s]{1,200})[ \t]*\nContent-", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Node:
    fields: tuple[Field, ...]
    body: bytes
    depth: int
    group: int


def leaves(fields: tuple[Field, ...], body: bytes) -> tuple[Leaf, ...]:
    """Return the leaves of a letter in reading order, 200 at most, 20 levels deep."""
    found: list[Leaf] = []
    pending = [_Node(fields, body, 0, 0)]
    groups = 0
    while pending and len(found) < _PARTS:
        node = pending.pop()
        content = parameters(first(node.fields, "content-type"))
        sections = _sections(content, node.body) if node.depth < _DEPTH else []
        if not sections:
            found.append(_leaf(node, content))
            continue
        if content.value == "multipart/alternative":
            groups += 1
        group = groups if content.value == "multipart/alternative" else node.group
        children = [split_head(section) for section in sections]
        if content.value == "multipart/digest":
            # A part of a digest is a letter (RFC 2046).
            children = [((*f, _A_LETTER), b) for f, b in children]
        pending += reversed([_Node(f, b, node.depth + 1, group) for f, b in children])
    return tuple(found)


def _leaf(node: _Node, content: Parameters) -> Leaf:
    disposition = parameters(first(node.fields, "content-disposition"))
    name = decode_words(disposition.get("filename") or content.get("name"))
    if content.value.startswith("multipart/") and content.value != ENCRYPTED:
        deep = node.depth >= _DEPTH and b"\n--" in node.body
        content = Parameters(TOO_DEEP if deep else "text/plain", content.by_name)
    encoding = first(node.fields, "content-transfer-encoding").lower().strip(" \"'")
    attached = disposition.value == "attachment"
    embedded = not attached and bool(first(node.fields, "content-id"))
    return Leaf(content, name[:120], encoding, attached, node.body, node.group, embedded)


def _sections(content: Parameters, body: bytes) -> list[bytes]:
    if not content.value.startswith("multipart/") or content.value == ENCRYPTED:
        return []
    boundary = content.get("boundary").rstrip().encode("utf-8", "replace")
    sections = list(islice(_between(body, boundary), _PARTS)) if boundary else []
    if sections:
        return sections
    # The boundary is missing or differs from the declared one, but parts can still be recognised.
    guessed = _GUESSED_BOUNDARY.search(body)
    return list(islice(_between(body, guessed[1]), _PARTS)) if guessed else []


def _between(body: bytes, boundary: bytes) -> Iterator[bytes]:
    """Return the text between the boundary lines; the last part may lack its end."""
    start = -1
    for line in re.finditer(rb"(?m)^--" + re.escape(boundary) + rb"(--)?[ \t]*$", body):
        if start >= 0:
            yield body[start : max(start, line.start() - 1)]
        start = line.end() + 1
        if line[1]:
            return
    if 0 <= start < len(body):
        yield body[start:]
