"""Notices to letters: the words of a template, the headers, the bytes on the wire."""

import binascii
import hashlib
import re
from base64 import encodebytes
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from email.charset import QP, Charset
from email.header import Header
from email.quoprimime import body_encode
from email.utils import format_datetime
from enum import Enum
from functools import cache
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from referee import resources
from referee.domain.tokens import without_tokens
from referee.letters.incoming.decode import html_in, text_in
from referee.letters.incoming.letter import LOOP_HEADER
from referee.letters.incoming.press_marks import MARKER
from referee.letters.incoming.sheet_edits import LAST_LINE, sealed
from referee.letters.outgoing import layout
from referee.letters.outgoing.layout import MARKED
from referee.letters.outgoing.notices import Answering, Notice
from referee.letters.outgoing.pairs import PICTURES, Drawn, alone, as_lines, html_of, text_of
from referee.rules.wording import listed


@dataclass(frozen=True, slots=True)
class OutgoingFile:
    """A file that goes with a letter: its name and kind in plain ASCII, and what is in it."""

    name: str
    kind: str
    """``image/png``."""
    content: bytes


@dataclass(frozen=True, slots=True)
class Content:
    """The body of a letter or of a part, as on the wire, with the headers about it."""

    kind: str
    encoding: str
    body: str
    disposition: str = ""
    content_id: str = ""


def attached(file: OutgoingFile) -> Content:
    """Return a file as a part that is saved."""
    body = encodebytes(file.content).decode("ascii").rstrip("\n")
    disposition = f'attachment; filename="{file.name}"'
    return Content(f'{file.kind}; name="{file.name}"', "base64", body, disposition)


def embedded(file: OutgoingFile) -> Content:
    """Return a file as a part that HTML shows, as ``cid:NAME``."""
    disposition = f'inline; filename="{file.name}"'
    return replace(attached(file), disposition=disposition, content_id=f"<{file.name}>")


def together(form: str, parts: Sequence[Content]) -> Content:
    """Return contents as one of several parts: mixed, alternative or related (RFC 2046)."""
    drawn = [_part(part) for part in parts]
    # No part can hold a line made of its own hash; the same parts give the same letter.
    boundary = f"=_{hashlib.sha256(chr(0).join(drawn).encode()).hexdigest()[:40]}"
    lines = "".join(f"--{boundary}\n{part}\n" for part in drawn)
    return Content(f'multipart/{form}; boundary="{boundary}"', "7bit", f"{lines}--{boundary}--")


def _part(content: Content) -> str:
    fields = {
        "Content-Type": content.kind.replace("; boundary", ";\n boundary"),
        "Content-Transfer-Encoding": content.encoding,
        "Content-Disposition": content.disposition,
        "Content-ID": content.content_id,
    }
    return "\n".join((*(f"{name}: {it}" for name, it in fields.items() if it), "", content.body))


MOST_HTML: Final = 100_000
"""The octets of HTML above which a letter has none: Gmail cuts it off a little later."""
_PICTURE: Final = "image/png"
"""The kind of files that HTML shows; elsewhere they are attached."""
_SHOWN: Final = re.compile(r'<body><div class="letter">\n(.*)\n</div></body>', re.DOTALL)
"""The HTML of a letter in its page."""
_FRAME: Final = '<details class="picture"><summary>{}</summary></details>'
_FRAMES: Final = re.compile(f"(?:{_FRAME.format('<img [^<>]*>')})+")
_HEADER_WIDTH: Final = 76
_SUBJECT: Final = 200
_UTF_8: Final = Charset("utf-8")
_UTF_8.header_encoding = QP
_ATOMS: Final = re.compile(r"[A-Za-z0-9 !#$%&'*+/=?^_`{|}~-]*")


class Automatic(Enum):
    """Why a program wrote the letter (RFC 3834)."""

    REPLIED = "auto-replied"
    GENERATED = "auto-generated"


@dataclass(frozen=True, slots=True, kw_only=True)
class Envelope:
    """All of a letter but its words; Message-IDs with or without their brackets.

    *tag* begins the subject: ``[SW-555 T11 CERES]``. *reply_to* carries the token. *loop_token*
    marks the letter as ours. *date* has a zone. *seal* is that of an order sheet in the letter.
    With *html* the letter has its words as HTML, too.
    """

    address: str
    name: str
    tag: str
    message_id: str
    reply_to: str
    in_reply_to: str
    references: tuple[str, ...]
    list_id: str
    automatic: Automatic
    date: datetime
    loop_token: str
    seal: str = ""
    html: bool = False


@dataclass(frozen=True, slots=True)
class RenderedText:
    """The words of a letter: its subject without the tag, and its text, also as HTML."""

    subject: str
    text: str
    html: str

    @property
    def below(self) -> Drawn:
        """All that is below the marker."""
        text = self.text.partition(MARKER)[2].strip("\n")
        return Drawn(text, self.html.partition(html_of(MARKED))[2])


@dataclass(frozen=True, slots=True)
class Composer:
    """Writes letters in the name of the referee at *address*."""

    address: str
    name: str = "Referee"
    _environment: Environment = field(default_factory=lambda: _environment(), repr=False)

    def words(self, notice: Notice, seal: str = "") -> RenderedText:
        """Return the words of *notice* in at most 78 columns; *seal* is that of its order sheet.

        The question that an answer holds comes first. No reply address of ours is in the words,
        whoever wrote it there.
        """
        subject, both = self._set(notice, seal)
        text = layout.folded(without_tokens(text_of(both).strip("\n")))
        return RenderedText(subject[:_SUBJECT], text, without_tokens(html_of(both)))

    def page(self, html: str, pictures: Iterable[OutgoingFile] = ()) -> str:
        """Return the HTML of a letter as a page with its style, and its pictures in their place."""
        before, _, below = html.partition(PICTURES)
        html = f"{before}{_shown(pictures)}{below}"
        return self._environment.get_template("_page.html.j2").render(letter=html)

    def _content(
        self, words: RenderedText, files: Sequence[OutgoingFile], *, html: bool
    ) -> Content:
        """Return the text, with *html* also the HTML and its pictures, and the other files."""
        content = Content('text/plain; charset="utf-8"', *_body(words.text))
        has_place = html and PICTURES in words.html
        pictures = [file for file in files if file.kind == _PICTURE] if has_place else []
        page = self.page(words.html, pictures) if html else ""
        octets = page.encode("utf-8", "replace")
        if html and len(octets) <= MOST_HTML:
            body = binascii.b2a_qp(octets).decode("ascii")
            marked_up = Content('text/html; charset="utf-8"', "quoted-printable", body)
            if pictures:
                marked_up = together("related", [marked_up, *map(embedded, pictures)])
            content = together("alternative", [content, marked_up])
            files = [file for file in files if file not in pictures]
        return together("mixed", [content, *map(attached, files)]) if files else content

    def _set(self, notice: Notice, seal: str) -> tuple[str, str]:
        """Return the subject of *notice*, and the pairs of its words."""
        if isinstance(notice, Answering) and notice.question is not None:
            asks, asked = self._set(notice.question, "")
            tells, told = self._set(replace(notice, question=None), seal)
            parts = zip(asked.split(MARKED, 1), told.split(MARKED, 1), strict=True)
            head, rest = ("\n\n".join(each.strip("\n") for each in both) for both in parts)
            return f"{tells}; {asks}", f"{head}\n\n\n{MARKED}\n\n{rest}"
        template = self._environment.get_template(f"{_kind(notice)}.txt.j2")
        subject, _, both = template.render(_values(notice), seal=seal).partition("\n")
        return " ".join(without_tokens(subject).split())[:_SUBJECT], both

    def compose(
        self, notice: Notice, envelope: Envelope, files: tuple[OutgoingFile, ...] = ()
    ) -> bytes:
        """Return the finished letter with CRLF line ends; the same arguments give the same bytes.

        No value can add a header or a header line, whatever it contains.
        """
        words = self.words(notice, envelope.seal)
        content = self._content(words, files, html=envelope.html)
        head = [
            *self._addresses(envelope),
            _field("Subject", _subject(envelope, words.subject)),
            *_thread(envelope),
            _field("Auto-Submitted", envelope.automatic.value),
            _field("X-Auto-Response-Suppress", "All"),
            _field(LOOP_HEADER, envelope.loop_token),
            _field("MIME-Version", "1.0"),
            _field("Content-Type", content.kind),
            _field("Content-Transfer-Encoding", content.encoding),
        ]
        letter = "\n".join((*filter(None, head), "", content.body.removesuffix("\n"))) + "\n"
        return letter.replace("\n", "\r\n").encode("ascii")

    def _addresses(self, envelope: Envelope) -> tuple[str, ...]:
        return (
            _field("From", _mailbox(self.name, self.address)),
            _field("To", _mailbox(envelope.name, envelope.address)),
            _field("Reply-To", _mailbox(self.name, envelope.reply_to)),
            _field("Date", format_datetime(envelope.date.astimezone(UTC))),
        )


def _shown(pictures: Iterable[OutgoingFile]) -> str:
    """Return pictures as wide as the screen; a touch shows one in its own size, which scrolls."""
    shown = (f'<img src="cid:{file.name}" alt="{file.name}">' for file in pictures)
    return "".join(map(_FRAME.format, shown))


def sent(raw: bytes) -> Drawn:
    """Return the words of a letter of ours as it was sent, without its pictures."""
    text, shown = text_in(raw), _SHOWN.search(html_in(raw))
    return Drawn(text, _FRAMES.sub(PICTURES, shown[1])) if shown is not None else as_lines(text)


def _environment() -> Environment:
    return _environment_of(str(resources.folder("mailtemplates")))


@cache
def _environment_of(folder: str) -> Environment:
    environment = Environment(
        loader=FileSystemLoader(folder),
        # The templates of another version would not fit this program.
        auto_reload=False,
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701 - plain text; there is no markup to escape for
        trim_blocks=True,
        lstrip_blocks=True,
    )
    for name in (
        *("fill", "fold", "instruct", "press", "set_in", "first_fact"),
        *("heading", "each", "told", "stacked", "boxed", "sheet", "resealed"),
    ):
        environment.filters[name] = getattr(layout, name)
    environment.filters["sealed"] = sealed
    environment.filters["count"], environment.filters["listed"] = count, listed
    environment.globals["answered"] = layout.answered
    environment.globals["marker"] = MARKED
    environment.globals["pictures"] = alone(PICTURES)
    environment.globals["last_line"] = LAST_LINE
    environment.globals["sections"] = environment.get_template("_sections.txt.j2").module
    return environment


def count(number: int, one: str, several: str = "") -> str:
    """Return ``1 order``, ``2 orders``, ``no orders``."""
    return f"{number or 'no'} {one if number == 1 else several or one + 's'}"


def _values(notice: Notice) -> dict[str, object]:
    """Return the fields and properties of *notice*, which its template uses by their names."""
    return {name: getattr(notice, name) for name in dir(notice) if name[0] != "_"}


def _kind(notice: Notice) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", type(notice).__name__).lower()


def _subject(envelope: Envelope, subject: str) -> str:
    answer = "Re: " if envelope.automatic is Automatic.REPLIED else ""
    return f"{answer}{envelope.tag} {subject}" if envelope.tag else f"{answer}{subject}"


def _thread(envelope: Envelope) -> tuple[str, ...]:
    return (
        _field("Message-ID", _bracketed(envelope.message_id)),
        _field("In-Reply-To", _bracketed(envelope.in_reply_to)),
        _field("References", " ".join(filter(None, map(_bracketed, envelope.references)))),
        _field("List-Id", f"<{_safe(envelope.list_id)}>" if envelope.list_id else ""),
    )


def _bracketed(message_id: str) -> str:
    inner = _safe(message_id).strip("<> ")
    return f"<{inner}>" if inner and inner.isascii() and " " not in inner else ""


def _safe(value: str) -> str:
    """Return *value* as one line without control characters."""
    if value.isprintable():
        return " ".join(value.split())
    return " ".join("".join(c if c.isprintable() else " " for c in value).split())


def _mailbox(name: str, address: str) -> str:
    address = "".join(_safe(address).split())
    name = _safe(name)[:100]
    if not address or not name:
        return address
    # What looks like an encoded word would be decoded by the reader's program.
    if not name.isascii() or "=?" in name:
        return f"{Header(name, _UTF_8, maxlinelen=_HEADER_WIDTH).encode()} <{address}>"
    if not _ATOMS.fullmatch(name):
        name = '"' + re.sub(r'([\\"])', r"\\\1", name) + '"'
    return f"{name} <{address}>"


def _field(name: str, value: str) -> str:
    """Return a header field, folded where it has blanks; empty when there is no value."""
    value = value if name in ("From", "To", "Reply-To") else _safe(value)
    if not value:
        return ""
    # What looks like an encoded word would be decoded, but addresses are encoded already.
    plain = name in ("From", "To", "Reply-To") or "=?" not in value
    if not value.isascii() or not plain:
        header = Header(value, _UTF_8, maxlinelen=_HEADER_WIDTH, header_name=name)
        return f"{name}: {header.encode()}"
    words = value.split()
    whole = " ".join((f"{name}:", *words))
    if len(whole) <= _HEADER_WIDTH:
        return whole
    lines = [f"{name}:"]
    for word in words:
        if len(lines[-1]) + 1 + len(word) > _HEADER_WIDTH and lines[-1] not in (f"{name}:", ""):
            lines.append("")
        lines[-1] += f" {word}"
    return "\n".join(lines)


def _body(text: str) -> tuple[str, str]:
    """Return the name of the transfer encoding of a text, and the text as it goes on the wire."""
    # The last line end before a boundary belongs to the boundary.
    text = f"{text}\n"
    if text.isascii():
        return "7bit", text
    # The encoder takes text whose characters are the octets.
    octets = text.encode("utf-8", "replace").decode("latin-1")
    return "quoted-printable", body_encode(octets, 76, "\n")
