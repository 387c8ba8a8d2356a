"""Authentication of letters: DKIM and ARC checked by us, or results of a trusted server."""

import logging
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from threading import Event
from typing import Final

import dkim
from dkim.crypto import UnparsableKeyError
from dkim.util import InvalidTagValueList

from referee.letters.incoming.auth_results import Passed, read_results
from referee.letters.incoming.readings import has_one_reading
from referee.letters.incoming.signed_letter import SignedLetter, Tags, names_in, tags_of, with_lf

Lookup = Callable[[str], Sequence[str] | None]
"""Returns the TXT records of a name, or None if there is no answer. Can raise Unanswered."""

OLDEST: Final = timedelta(days=3)
"""An older letter proves nothing, because a copy of it could count again."""
_AHEAD: Final = timedelta(days=1)
"""Clocks of senders can be fast, or lack their time zone."""
_SIGNATURES: Final = 2
_NOTHING: Final = frozenset[str]()
_HEAD: Final = 128_000
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
        return _EVIDENCE.search(b"\n" + raw[:_HEAD]) is not None

    def vouch(self, raw: bytes, arrived_at: datetime) -> frozenset[str] | None:
        """Return the fields of the letter that are proven, in lower case, or none.

        Return None if nothing is proven because a name server did not answer.

        It is proven who wrote the letter to us, when and what: all of this must be signed, whoever
        checked the signature. What a trusted server reports comes first, since that seldom needs a
        name server. Those are asked only about signatures that can apply to the From. Raises
        Unanswered, and nothing else.
        """
        letter = SignedLetter.read(raw)
        if letter is None or not letter.is_to(self.address) or not letter.has_message_id:
            return _NOTHING
        if letter.dated is None or not (arrived_at - OLDEST <= letter.dated <= arrived_at + _AHEAD):
            return _NOTHING
        names = _Names(self.lookup)
        check = _Check(letter, self, names)
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
    """The checks of one letter, with its own view of the name server."""

    letter: SignedLetter
    trusted: Authenticator
    names: _Names

    def signed(self) -> frozenset[str]:
        """Return the fields in a signature of the From's domain that proves the letter, or none."""
        signatures = enumerate(map(tags_of, self.letter.every("dkim-signature")))
        fitting = ((i, tags) for i, tags in signatures if self._may_prove(tags))
        valid = (names_in(t) for i, t in islice(fitting, _SIGNATURES) if self._is_valid(i))
        return next(valid, _NOTHING)

    def sealed(self) -> frozenset[str]:
        """Return the fields of which trusted sealers saw such a signature, and signed them, too."""
        messages = [tags_of(value) for value in self.letter.every("arc-message-signature")]
        seals = [tags_of(value) for value in self.letter.every("arc-seal")]
        if not 0 < len(seals) <= _SIGNATURES or not self._are_sealers(
            t.get("d", "") for t in seals
        ):
            return _NOTHING
        if not all(self._proves(t) and "dkim-signature" in names_in(t) for t in messages):
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

    def _may_prove(self, tags: Tags) -> bool:
        return self._proves(tags) and is_aligned(tags.get("d", ""), self.letter.domain, self.names)

    def _proves(self, tags: Tags) -> bool:
        """Return whether a valid signature with these tags proves all that it has to."""
        return self.letter.is_covered(tags) and has_one_reading(
            self.letter.raw, self.letter.content_left_open(tags)
        )

    def _is_valid(self, index: int) -> bool:
        try:
            check = dkim.DKIM(self.letter.raw, logger=_SILENT_LOGGER)
            return self._has_the_body_of(check) and bool(check.verify(index, dnsfunc=self._key))
        except _DKIM_ERRORS:
            return False

    def _sealed_results(self) -> list[Passed]:
        """Return the signatures that the sealers saw, none if a seal is not valid."""
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


def is_aligned(signer: str, domain: str, names: Callable[[str], Sequence[str]]) -> bool:
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
    records = [tags_of(record) for record in names(f"_dmarc.{domain}")]
    policies = [tags for tags in records if tags.get("v", "").upper() == "DMARC1"]
    if len(policies) != 1:
        return above
    exact = policies[0].get("adkim", "r").lower() == "s"
    return not exact and (above or policies[0].get("psd", "n").lower() != "y")
