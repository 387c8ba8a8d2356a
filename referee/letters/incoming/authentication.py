"""Authentication of letters: DKIM and ARC checked by us, or results of a trusted server."""

import logging
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from functools import cache, partial
from itertools import islice, product
from threading import Event
from typing import Final

import dkim
from dkim.canonicalization import ALGORITHMS, Relaxed
from dkim.crypto import UnparsableKeyError
from dkim.util import InvalidTagValueList

from referee.domain.effort import FREE, Effort
from referee.letters.incoming.decode import text_of_fields, whole
from referee.letters.incoming.letter import Field, every, first, mailboxes, message_ids, split_head

Tags = Mapping[str, str]
"""The tags of a signature or of a record by name, such as ``d`` and ``h``."""

_HEAD: Final = 64_000
"""Of a longer header the end is not read, so it could say anything."""
_FIELD: Final = 6_000
_FIELDS: Final = 1_000
_SIGNED_ALWAYS: Final = ("from", "subject", "date", "message-id")
_SIGNED_IF_PRESENT: Final = ("to", "cc")
_REQUIRED: Final = ("b", "bh", "s")
_CONTENT: Final = ("content-type", "content-transfer-encoding", "content-disposition")
_BLANKS: Final = re.compile(rb"[ \t\r\n]{80}")
_RUN: Final = re.compile(rb"\t[ \t]*| [ \t]+")
_TAG: Final = re.compile(r"\s*([A-Za-z]\w{0,20})\s*=([^;]*)")


@dataclass(frozen=True, slots=True)
class SignedLetter:
    """A letter to check: parsed by us, with one From that has one address.

    *counts* says how many fields of each name there are. *sender* is the address in the From.
    *recipients* are the addresses in To and Cc. *dated* is the time in its Date, or None.
    """

    raw: bytes
    fields: tuple[Field, ...]
    counts: Counter[str]
    body: bytes
    sender: str
    recipients: tuple[str, ...]
    dated: datetime | None

    @classmethod
    def read(cls, raw: bytes) -> "SignedLetter | None":
        """Return the parsed letter, or None if it is not worth checking."""
        text = with_lf(raw)
        head, _, after = text.partition(b"\n\n")
        # A header of megabytes, thousands of fields, or endless blanks attack the checker's time.
        if len(head) > _HEAD or _BLANKS.search(head):
            return None
        fields, body = split_head(text)
        counts = Counter(each.name for each in fields)
        if body != after or counts["from"] != 1 or len(fields) > _FIELDS:
            return None
        senders = mailboxes(first(fields, "from"))
        if len(senders) != 1 or any(len(each.value) > _FIELD for each in fields if _marks(each)):
            return None
        to = tuple(m.address for v in every(fields, "to", "cc") for m in mailboxes(v))
        dated = _moment(first(fields, "date"))
        return cls(raw, fields, counts, body, senders[0].address, to, dated)

    @property
    def domain(self) -> str:
        """The domain of the From."""
        return self.sender.rpartition("@")[2]

    @property
    def has_message_id(self) -> bool:
        """Whether a copy can be recognised by the letter's Message-ID."""
        return bool(message_ids(first(self.fields, "message-id")))

    def every(self, name: str) -> list[str]:
        """Return the values of all fields with that name, topmost first."""
        return list(every(self.fields, name))

    def is_to(self, address: str) -> bool:
        """Return whether the letter went to *address*, with or without a plus part."""
        local, _, domain = address.lower().partition("@")
        parts = [each.rpartition("@") for each in self.recipients]
        return any(d == domain and name.partition("+")[0] == local for name, _, d in parts)

    def is_covered(self, tags: Tags) -> bool:
        """Return whether a signature covers who wrote the letter when to whom, and the whole text.

        Each such field must occur once: a signature covers only the lowest ones of a name. One that
        says that another user of the domain wrote the letter does not cover its From.
        """
        user, sender = (each.rpartition("@")[0] for each in (tags.get("i", ""), self.sender))
        if user.lower() not in ("", sender, sender.partition("+")[0]):
            return False
        if "l" in tags or tags.get("a", "").lower() != "rsa-sha256":
            return False
        signed = names_in(tags)
        present = [name for name in _SIGNED_IF_PRESENT if self.counts[name]]
        needed = (*_SIGNED_ALWAYS, *present)
        return all(name in signed and self.counts[name] <= 1 for name in needed)

    def content_left_open(self, tags: Tags) -> frozenset[str]:
        """Return the fields that say how the text is encoded and that a signature leaves open.

        The type and the encoding are among them if they are missing, as somebody may have removed
        them.
        """
        signed = names_in(tags)
        optional = frozenset(("content-disposition",)) - self.counts.keys()
        return frozenset(n for n in _CONTENT if n not in signed or self.counts[n] > 1) - optional


def tags_of(value: str) -> Tags:
    """Return the tags of ``v=DKIM1; p=...``; a tag that occurs twice gets an empty value."""
    found: dict[str, str] = {}
    for part in value.split(";"):
        if (tag := _TAG.fullmatch(part)) is not None:
            found[tag[1]] = "" if tag[1] in found else tag[2].strip()
    return found


def names_in(tags: Tags) -> frozenset[str]:
    """Return the names of the fields that a signature covers, in lower case."""
    return frozenset(name.strip().lower() for name in tags.get("h", "").split(":"))


def with_lf(raw: bytes) -> bytes:
    """Return the bytes with LF line ends."""
    return raw.replace(b"\r\n", b"\n")


def _marks(each: Field) -> bool:
    return each.name.startswith(("dkim-", "arc-", "authentication-"))


def _moment(value: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(value)
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, TypeError, OverflowError):
        return None


_INSTANCE: Final = re.compile(r"i\s*=\s*[0-9]{1,3}", re.IGNORECASE)
_SERVER: Final = re.compile(r"([^\s=;]{1,255})(?:\s+[0-9]{1,3})?")
_DKIM_PASS: Final = re.compile(r"dkim\s*(?:/\s*[0-9]{1,3}\s*)?=\s*pass(?![\w-])", re.IGNORECASE)
_PROPERTY: Final = re.compile(r"(?<![\w.-])header\s*\.\s*([bdis])\s*=\s*(\S{1,300})", re.IGNORECASE)
_HIDDEN: Final = "\0"
"""Replaces the content of a quoted string, so that nothing in it is read as syntax."""


@dataclass(frozen=True, slots=True)
class Passed:
    """A DKIM signature that a server checked: its domain and, if named, its selector and start."""

    domain: str
    selector: str = ""
    start: str = ""


@dataclass(frozen=True, slots=True)
class Results:
    """One server's results: its name, or "", and the DKIM signatures that passed."""

    server: str
    passed: tuple[Passed, ...]


def read_results(value: str) -> Results:
    """Read the value of an Authentication-Results or ARC-Authentication-Results field.

    *value* is unfolded and not decoded further. Comments and quoted strings are skipped, because
    they can contain the sender's own words.
    """
    statements = [statement.strip() for statement in bare(value).split(";")]
    if _INSTANCE.fullmatch(statements[0]):
        statements = statements[1:]
    named = _SERVER.fullmatch(statements[0]) if statements else None
    passed = [_passed(found) for found in statements if _DKIM_PASS.match(found)]
    server = named[1].lower() if named else ""
    return Results(server, tuple(dict.fromkeys(filter(None, passed))))


def _passed(statement: str) -> Passed | None:
    """Return the signature, whose domain is in ``header.d`` or ``header.i``; None if unclear."""
    properties: dict[str, str] = {}
    for found in _PROPERTY.finditer(statement):
        # The sender of the letter could have inserted a property that occurs twice.
        if found[1].lower() in properties:
            return None
        properties[found[1].lower()] = found[2]
    domain = properties.get("d") or properties.get("i", "").rpartition("@")[2]
    domain = domain.lower().rstrip(".")
    if not domain or _HIDDEN in domain:
        return None
    known = {name: "" if _HIDDEN in value else value for name, value in properties.items()}
    return Passed(domain, known.get("s", "").lower(), known.get("b", ""))


def bare(value: str) -> str:
    """Return the value of a field without comments, and with quoted strings hidden."""
    visible: list[str] = []
    depth, quoted, escaped = 0, False, False
    for character in value:
        if escaped:
            escaped = False
        elif character == "\\" and (quoted or depth):
            escaped = True
        elif character == '"' and not depth:
            quoted = not quoted
            visible.append(_HIDDEN)
        elif quoted:
            continue
        elif character == "(":
            depth += 1
        elif character == ")" and depth:
            depth -= 1
            visible.append(" ")
        elif not depth:
            visible.append(character)
    return "".join(visible)


Lookup = Callable[[str], Sequence[str] | None]
"""Returns the TXT records of a name, or None if there is no answer. Can raise Unanswered."""

OLDEST: Final = timedelta(days=3)
"""An older letter proves nothing, because a copy of it could count again."""
_AHEAD: Final = timedelta(days=1)
"""Clocks of senders can be fast, or lack their time zone."""
_SIGNATURES: Final = 2
_NOTHING: Final = frozenset[str]()
_WITH_EVIDENCE: Final = 128_000
"""So many octets from the beginning on are searched for evidence."""
_KEY_RECORD: Final = 1_000
"""A longer record would hold a key so long that checking it takes seconds."""
_EVIDENCE: Final = re.compile(
    rb"\n(?:DKIM-Signature|ARC-Seal|Authentication-Results):", re.IGNORECASE
)
# Exceptions of dkimpy, besides its own errors, for malformed bytes.
_DKIM_ERRORS: Final = (
    dkim.DKIMException,
    UnparsableKeyError,
    InvalidTagValueList,
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    AssertionError,
)
# The messages of dkimpy contain parts of the letter, so they are dropped.
_SILENT_LOGGER: Final = logging.Logger("dkimpy", logging.CRITICAL + 1)


class _RelaxedInLinearTime(Relaxed):  # type: ignore[misc]
    @staticmethod
    def canonicalize_body(body: bytes) -> bytes:
        return bytes(Relaxed.canonicalize_body(squeezed(body)))


# For each run of blanks in a line, dkimpy looks for a line end from each of its blanks on.
ALGORITHMS[b"relaxed"] = _RelaxedInLinearTime


def squeezed(body: bytes) -> bytes:
    """Return a text in which no two blanks follow each other, and none is before a line end.

    Its relaxed form is that of *body* (RFC 6376, section 3.4.4).
    """
    return _RUN.sub(b" ", body).replace(b" \r\n", b"\r\n")


class Unanswered(Exception):
    """A name server was asked, and *answered* is set as soon as it has answered."""

    def __init__(self, answered: Event) -> None:
        super().__init__("the name server has not answered yet")
        self.answered = answered


def no_records(_name: str) -> None:
    """Return no answer, like a host without a name server."""


@dataclass(frozen=True, slots=True)
class Authenticator:
    """Checks letters to the referee at *address*.

    *authserv_ids* are the servers whose topmost Authentication-Results are trusted, because every
    letter reaches us through them. *sealers* are the domains whose ARC seals are trusted. Both are
    in lower case.
    """

    address: str = ""
    lookup: Lookup = no_records
    authserv_ids: frozenset[str] = frozenset()
    sealers: frozenset[str] = frozenset()

    def has_evidence(self, raw: bytes) -> bool:
        """Return whether there is anything to check. This is cheap and skips most letters."""
        # A search for the LF before a field is much faster than one for the start of a line.
        return _EVIDENCE.search(b"\n" + raw[:_WITH_EVIDENCE]) is not None

    def vouch(
        self, raw: bytes, arrived_at: datetime, effort: Effort = FREE
    ) -> frozenset[str] | None:
        """Return the fields of the letter that are proven, in lower case, or none.

        Return None if nothing is proven because a name server did not answer.

        It is proven who wrote the letter to us, when and what: all of this must be signed, whoever
        checked the signature. What a trusted server reports comes first, since that seldom needs a
        name server. Those are asked only about signatures that can apply to the From. Raises
        Unanswered, and LetterTooCostly if *effort* is used up.
        """
        letter = SignedLetter.read(raw)
        if letter is None or not letter.is_to(self.address) or not letter.has_message_id:
            return _NOTHING
        if letter.dated is None or not (arrived_at - OLDEST <= letter.dated <= arrived_at + _AHEAD):
            return _NOTHING
        names = _Names(self.lookup)
        check = _Check(letter, self, names, effort, cache(partial(has_one_reading, raw)))
        proven = check.reported() or check.signed() or check.sealed()
        return None if not proven and names.is_silent else proven


@dataclass(slots=True)
class _Names:
    """The name server, as one letter asks it."""

    lookup: Lookup
    is_silent: bool = False
    """Whether the name server did not answer."""

    def __call__(self, name: str) -> Sequence[str]:
        found = self.lookup(name)
        self.is_silent |= found is None
        return found or ()


@dataclass(frozen=True, slots=True)
class _Check:
    """The checks of one letter, with its own view of the name server.

    *has_one_reading* remembers its answers: the text is read once, however many signatures leave
    the same fields open.
    """

    letter: SignedLetter
    trusted: Authenticator
    names: _Names
    effort: Effort
    has_one_reading: Callable[[frozenset[str]], bool]

    def signed(self) -> frozenset[str]:
        """Return the fields in a signature of the From's domain that proves the letter, or none.

        Only the first few are looked at, of those that their tags do not rule out.
        """
        signatures = enumerate(map(tags_of, self.letter.every("dkim-signature")))
        fitting = islice(((i, tags) for i, tags in signatures if self._fits(tags)), _SIGNATURES)
        proving = (each for each in fitting if self._may_prove(each[1]))
        return next((names_in(tags) for i, tags in proving if self._is_valid(i)), _NOTHING)

    def sealed(self) -> frozenset[str]:
        """Return the fields of which trusted sealers saw such a signature, and signed them, too."""
        messages = [tags_of(value) for value in self.letter.every("arc-message-signature")]
        seals = [tags_of(value) for value in self.letter.every("arc-seal")]
        if not 0 < len(seals) <= _SIGNATURES or not self._are_sealers(
            t.get("d", "") for t in seals
        ):
            return _NOTHING
        if not all("dkim-signature" in names_in(t) and self._proves(t) for t in messages):
            return _NOTHING
        return self._proven_by(self._sealed_results()).intersection(*map(names_in, messages))

    def reported(self) -> frozenset[str]:
        """Return the fields of such a signature that the results of a trusted server report."""
        values = self.letter.every("authentication-results")[:1]
        found = [read_results(value) for value in values]
        passed = [
            p for each in found if each.server in self.trusted.authserv_ids for p in each.passed
        ]
        proven = self._proven_by(passed)
        try:
            check = dkim.DKIM(self.letter.raw, logger=_SILENT_LOGGER)
            return proven if proven and self._has_the_body_of(check) else _NOTHING
        except _DKIM_ERRORS:
            return _NOTHING

    def _fits(self, tags: Tags) -> bool:
        """Return whether the tags are those of a signature that can apply to the From."""
        is_whole = all(map(tags.get, _REQUIRED))
        related = is_whole and is_related(tags.get("d", ""), self.letter.domain)
        return related and self.letter.is_covered(tags)

    def _may_prove(self, tags: Tags) -> bool:
        return self._proves(tags) and is_aligned(tags.get("d", ""), self.letter.domain, self.names)

    def _proves(self, tags: Tags) -> bool:
        """Return whether a valid signature with these tags proves all that it has to."""
        if not self.letter.is_covered(tags):
            return False
        self.effort.check()
        return self.has_one_reading(self.letter.content_left_open(tags))

    def _is_valid(self, index: int) -> bool:
        self.effort.check()
        try:
            check = dkim.DKIM(self.letter.raw, logger=_SILENT_LOGGER)
            return self._has_the_body_of(check) and bool(check.verify(index, dnsfunc=self._key))
        except _DKIM_ERRORS:
            return False

    def _sealed_results(self) -> list[Passed]:
        """Return the signatures that the sealers saw, none if a seal is not valid."""
        self.effort.check()
        try:
            check = dkim.ARC(self.letter.raw, logger=_SILENT_LOGGER)
            if not self._has_the_body_of(check):
                return []
            verdict, found, _ = check.verify(dnsfunc=self._key)
        except _DKIM_ERRORS:
            return []
        domains = (each[key] for each in found for key in ("as-domain", "ams-domain"))
        if verdict != dkim.CV_Pass or not self._are_sealers(map(_text, domains)):
            return []
        return [p for each in found for p in read_results(_text(each["aar-value"])).passed]

    def _are_sealers(self, domains: Iterator[str]) -> bool:
        return self.trusted.sealers.issuperset(domain.lower() for domain in domains)

    def _proven_by(self, results: Sequence[Passed]) -> frozenset[str]:
        """Return the fields of a signature that somebody else checked and that proves the letter.

        Anyone can add a signature that looks like it, so each one that it can be must prove them.
        """
        signatures = [tags_of(value) for value in self.letter.every("dkim-signature")]
        for passed in results:
            meant = [tags for tags in signatures if _is_meant(tags, passed)]
            if 0 < len(meant) <= _SIGNATURES and all(map(self._may_prove, meant)):
                return frozenset.intersection(*map(names_in, meant))
        return _NOTHING

    def _has_the_body_of(self, check: dkim.DomainSigner) -> bool:
        """Return whether the signed body is the one we read, although two programs parsed it."""
        return bool(with_lf(check.body) == self.letter.body)

    def _key(self, name: bytes, timeout: float = 0) -> bytes | None:
        """Return the record of a public key, in the form that dkimpy expects, or None."""
        for record in self.names(_text(name).rstrip(".")):
            tags = tags_of(record)
            # A domain that only tests DKIM is treated as if it did not sign.
            if "p" in tags and len(record) <= _KEY_RECORD and "y" not in tags.get("t", "").lower():
                return record.encode("ascii", "replace")
        return None


def _is_meant(tags: Tags, passed: Passed) -> bool:
    """Return whether the server can have meant the signature with these tags."""
    start = "".join(tags.get("b", "").split())[: len(passed.start)]
    selector = tags.get("s", "").lower()
    return (
        tags.get("d", "").lower().rstrip(".") == passed.domain
        and passed.selector in ("", selector)
        and passed.start == start
    )


def _text(octets: bytes) -> str:
    return octets.decode("utf-8", "replace")


def is_related(signer: str, domain: str) -> bool:
    """Return whether *signer* is the domain, a parent domain or a subdomain of it."""
    signer = _host(signer)
    above = domain.endswith(f".{signer}") and "." in signer
    return signer == domain or above or (signer.endswith(f".{domain}") and "." in domain)


def _host(name: str) -> str:
    return name.strip().lower().rstrip(".")


def is_aligned(signer: str, domain: str, names: Callable[[str], Sequence[str]]) -> bool:
    """Return whether *signer* can sign for addresses at *domain*.

    The domain itself can. A parent domain can, because it delegated the name, unless the domain
    requires exact signers. A subdomain can if the domain has a DMARC record that does not require
    exact signers and is not a public suffix's.
    """
    if not is_related(signer, domain):
        return False
    signer = _host(signer)
    if signer == domain:
        return True
    above = domain.endswith(f".{signer}")
    records = [tags_of(record) for record in names(f"_dmarc.{domain}")]
    policies = [tags for tags in records if tags.get("v", "").upper() == "DMARC1"]
    if len(policies) != 1:
        return above
    exact = policies[0].get("adkim", "r").lower() == "s"
    return not exact and (above or policies[0].get("psd", "n").lower() != "y")


_MARKUP: Final = re.compile(r"<[A-Za-z/!?]")
_PART: Final = re.compile(rb"(?m)^--([^\s\"\\]{1,70})[ \t]*\nContent-", re.IGNORECASE)
_TYPE: Final = "content-type"
_ENCODING: Final = "content-transfer-encoding"
_TEXTS: Final = (b"text/plain", b"text/plain; format=flowed")
_ENCODINGS: Final = (b"7bit", b"quoted-printable")


def has_one_reading(raw: bytes, open_fields: Collection[str]) -> bool:
    """Return whether the text is the same whatever the *open_fields* were when it was written.

    The body shows what they can have been. If it begins with a boundary and a content field, it has
    parts. Else it is plain or flowed text, encoded or not. Markup could have been HTML, and a
    boundary further down the end of a preamble, so they have more than one reading.
    """
    if not open_fields:
        return True
    fields, body = whole(raw)
    read = _lines(text_of_fields(fields, body))
    kept = tuple(each for each in fields if each.name not in open_fields)
    boundary = _PART.search(body)
    if _TYPE in open_fields and _is_ambiguous(read, body, boundary):
        return False
    return all(
        _lines(text_of_fields((*kept, *guess), body)) == read
        for guess in _guesses(open_fields, boundary)
    )


def _is_ambiguous(read: list[str], body: bytes, boundary: re.Match[bytes] | None) -> bool:
    if boundary is not None:
        return bool(body[: boundary.start()].strip())
    return any(_MARKUP.search(line) for line in read)


def _guesses(
    open_fields: Collection[str], boundary: re.Match[bytes] | None
) -> Iterator[tuple[Field, ...]]:
    """Yield the values that the open fields can have had."""
    types = list(_TEXTS)
    if boundary is not None:
        types = [b'multipart/alternative; boundary="%s"' % boundary[1]]
    choices = {_TYPE: types, _ENCODING: list(_ENCODINGS)}
    names = [name for name in choices if name in open_fields]
    for values in product(*(choices[name] for name in names)):
        yield tuple(Field(name, value) for name, value in zip(names, values, strict=True))


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.split("\n")]
