"""Authentication of letters: DKIM and ARC checked by us, or results of a trusted server."""

import logging
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

import dkim
from dkim.crypto import UnparsableKeyError
from dkim.util import InvalidTagValueList

from referee.letters.incoming import headers
from referee.letters.incoming.address_lists import mailboxes
from referee.letters.incoming.auth_results import read_results
from referee.letters.incoming.headers import Field

Lookup = Callable[[str], Sequence[str]]
"""Returns the TXT records of a name; none if there are none or no name server answers."""

_SIGNATURES: Final = 5
_SEALS: Final = 8
_HEAD: Final = 64_000
_FIELD: Final = 6_000
_KEY_RECORD: Final = 1_000
"""A longer record would hold a key so long that checking it takes seconds."""
_SIGNED_ONCE: Final = ("from", "subject", "date", "message-id")
"""Fields that a signature must cover, and that must occur at most once in the letter."""
_BLANKS: Final = re.compile(rb"[ \t\r\n]{80}")
_EVIDENCE: Final = re.compile(
    rb"\n(?:DKIM-Signature|ARC-Seal|Authentication-Results):", re.IGNORECASE
)
_TAG: Final = re.compile(r"\s*([A-Za-z]\w{0,20})\s*=([^;]*)")
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


class Basis(Enum):
    """The reason to accept that a letter comes from the domain of its From."""

    DKIM = "a DKIM signature"
    ARC = "a trusted sealer"
    RESULTS = "a trusted server's results"


def no_records(_name: str) -> Sequence[str]:
    """Return no records, like a host without a name server."""
    return ()


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
        return _EVIDENCE.search(b"\n" + raw[: 2 * _HEAD]) is not None

    def vouch(self, raw: bytes) -> Basis | None:
        """Return why the From of the letter can be trusted, or None.

        Never raises. Names are looked up only for signatures that can apply to the From.
        """
        letter = _Signed.read(raw)
        if letter is None:
            return None
        if self._signed(letter):
            return Basis.DKIM
        if self._sealed(letter):
            return Basis.ARC
        return Basis.RESULTS if self._has_trusted_results(letter) else None

    def _signed(self, letter: "_Signed") -> bool:
        if not self._is_to_us(letter):
            return False
        signatures = letter.every("dkim-signature")[:_SIGNATURES]
        return any(
            _covers(letter, tags)
            and self._is_aligned(tags.get("d", ""), letter)
            and self._is_valid(letter, i)
            for i, tags in enumerate(map(_tags, signatures))
        )

    def _is_valid(self, letter: "_Signed", index: int) -> bool:
        try:
            check = dkim.DKIM(letter.raw, logger=_SILENT_LOGGER)
            # The signed body must be the one we read, although two programs parsed it.
            if _lines(check.body) != letter.body:
                return False
            return bool(check.verify(index, dnsfunc=self._key))
        except _DKIM_ERRORS:
            return False

    def _sealed(self, letter: "_Signed") -> bool:
        seals = [_tags(value).get("d", "").lower() for value in letter.every("arc-seal")]
        if not seals or len(seals) > _SEALS or not self.sealers.issuperset(seals):
            return False
        signatures = [_tags(value) for value in letter.every("arc-message-signature")]
        if any("l" in tags or "from" not in _names(tags) for tags in signatures):
            return False
        try:
            check = dkim.ARC(letter.raw, logger=_SILENT_LOGGER)
            if _lines(check.body) != letter.body:
                return False
            verdict, found, _ = check.verify(dnsfunc=self._key)
        except _DKIM_ERRORS:
            return False
        if verdict != dkim.CV_Pass:
            return False
        domains = {
            result[key].decode("ascii", "replace").lower()
            for result in found
            for key in ("as-domain", "ams-domain")
        }
        reported = [
            read_results(result["aar-value"].decode("utf-8", "replace")) for result in found
        ]
        signers = [signer for results in reported for signer in results.signers]
        return self.sealers.issuperset(domains) and any(
            self._is_aligned(s, letter) for s in signers
        )

    def _has_trusted_results(self, letter: "_Signed") -> bool:
        """Return whether the topmost results are a trusted server's and show From as signed."""
        values = letter.every("authentication-results")[:1]
        results = [read_results(value) for value in values]
        return any(
            found.server in self.authserv_ids and self._is_aligned(signer, letter)
            for found in results
            for signer in found.signers
        )

    def _is_to_us(self, letter: "_Signed") -> bool:
        """Return whether the letter was addressed to the referee, not forwarded by somebody."""
        local, _, domain = self.address.lower().partition("@")
        return any(
            address.rpartition("@")[2] == domain
            and address.rpartition("@")[0].partition("+")[0] == local
            for address in letter.recipients
        )

    def _is_aligned(self, signer: str, letter: "_Signed") -> bool:
        return is_aligned(signer, letter.domain, self.lookup)

    def _key(self, name: bytes, timeout: float = 5) -> bytes | None:
        """Return the record of a public key, in the form that dkimpy expects, or None."""
        key_name = name.decode("ascii", "replace").rstrip(".")
        for record in self.lookup(key_name):
            tags = _tags(record)
            # A domain that only tests DKIM is treated as if it did not sign.
            if "p" in tags and len(record) <= _KEY_RECORD and "y" not in tags.get("t", "").lower():
                return record.encode("ascii", "replace")
        return None


def is_aligned(signer: str, domain: str, lookup: Lookup) -> bool:
    """Return whether *signer* can sign for addresses at *domain*.

    The domain itself can. A parent domain can, because it delegated the name, unless the domain
    requires exact signers. A subdomain can if the domain has a DMARC record that does not require
    exact signers and is not a public suffix's.
    """
    signer = signer.strip().lower().rstrip(".")
    if signer == domain:
        return True
    above = domain.endswith(f".{signer}") and "." in signer
    below = signer.endswith(f".{domain}") and "." in domain
    if not (above or below):
        return False
    records = [_tags(record) for record in lookup(f"_dmarc.{domain}")]
    policies = [tags for tags in records if tags.get("v", "").upper() == "DMARC1"]
    if len(policies) != 1:
        return above
    exact = policies[0].get("adkim", "r").lower() == "s"
    return not exact and (above or policies[0].get("psd", "n").lower() != "y")


@dataclass(frozen=True, slots=True)
class _Signed:
    """A letter to check: parsed by us, with one From that has one address."""

    raw: bytes
    fields: tuple[Field, ...]
    body: bytes
    domain: str
    recipients: tuple[str, ...] = field(default=())

    @classmethod
    def read(cls, raw: bytes) -> "_Signed | None":
        """Return the parsed letter, or None if it is not worth checking."""
        fields, body = headers.split_head(_lines(raw))
        names = [each.name for each in fields]
        head = len(raw) - len(body)
        # A header of megabytes, or endless blanks, is an attack on the checker's time.
        if head > 2 * _HEAD or _BLANKS.search(raw, 0, head) or names.count("from") != 1:
            return None
        senders = mailboxes(headers.first(fields, "from"))
        if len(senders) != 1 or any(len(each.value) > _FIELD for each in fields if _marks(each)):
            return None
        to = [m.address for v in headers.every(fields, "to", "cc") for m in mailboxes(v)]
        return cls(raw, fields, body, senders[0].address.rpartition("@")[2], tuple(to))

    def every(self, name: str) -> list[str]:
        """Return the values of all fields with that name, topmost first."""
        return list(headers.every(self.fields, name))


def _marks(each: Field) -> bool:
    return each.name.startswith(("dkim-", "arc-", "authentication-"))


def _covers(letter: _Signed, tags: dict[str, str]) -> bool:
    """Return whether a signature covers all that matters, and the whole text."""
    if "l" in tags or tags.get("a", "").strip().lower() != "rsa-sha256":
        return False
    signed = _names(tags)
    return all(name in signed and len(letter.every(name)) <= 1 for name in _SIGNED_ONCE)


def _names(tags: dict[str, str]) -> frozenset[str]:
    return frozenset(name.strip().lower() for name in tags.get("h", "").split(":"))


def _tags(value: str) -> dict[str, str]:
    """Return the tags of ``v=DKIM1; p=...``; a tag that occurs twice gets an empty value."""
    found: dict[str, str] = {}
    for part in value.split(";"):
        if (tag := _TAG.fullmatch(part)) is not None:
            found[tag[1]] = "" if tag[1] in found else tag[2].strip()
    return found


def _lines(raw: bytes) -> bytes:
    return raw.replace(b"\r\n", b"\n")
