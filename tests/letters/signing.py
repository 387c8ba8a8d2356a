"""Domains that sign their letters in tests, and the name server with their keys."""

import base64
import hashlib
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import dkim
from dkim.canonicalization import CanonicalizationPolicy, Relaxed
from dkim.crypto import parse_pem_private_key

_KEYS: Final = Path(__file__).parent / "keys"
PRIVATE: Final = (_KEYS / "private.pem").read_bytes()
PUBLIC: Final = "".join((_KEYS / "public.pem").read_text().split("\n")[1:-2])
RECORD: Final = f"v=DKIM1; k=rsa; p={PUBLIC}"
COVERED: Final = (b"from", b"to", b"subject", b"date", b"message-id")


@dataclass(slots=True)
class Names:
    """A test name server: TXT records by name, and the names that were queried."""

    records: dict[str, list[str]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def __call__(self, name: str) -> Sequence[str]:
        self.asked.append(name)
        return self.records.get(name, ())

    def key(self, domain: str, record: str = RECORD) -> "Names":
        """Publish a key for the selector ``s`` of a domain."""
        self.records[f"s._domainkey.{domain}"] = [record]
        return self

    def dmarc(self, domain: str, record: str) -> "Names":
        """Publish the DMARC record of a domain."""
        self.records[f"_dmarc.{domain}"] = [record]
        return self


def signed(
    raw: bytes,
    domain: str,
    *,
    covered: Sequence[bytes] = COVERED,
    length: bool = False,
    body: bytes = b"simple",
) -> bytes:
    """Return the letter with the signature of *domain* at the top.

    *body* is how the signature takes the blanks of the text.
    """
    signature: bytes = dkim.sign(
        raw,
        b"s",
        domain.encode(),
        PRIVATE,
        canonicalize=(b"relaxed", body),
        include_headers=list(covered),
        length=length,
    )
    return signature + raw


def with_tag(raw: bytes, domain: str, tag: bytes) -> bytes:
    """Return the letter signed with one more tag in its signature, such as ``x=1``."""
    policy = CanonicalizationPolicy(Relaxed, Relaxed)
    signer = dkim.DKIM(raw)
    signer.hasher = dkim.HASH_ALGORITHMS[b"rsa-sha256"]
    name, _, value = tag.partition(b"=")
    fields = [
        (b"v", b"1"),
        (b"a", b"rsa-sha256"),
        (b"c", b"relaxed/relaxed"),
        (b"d", domain.encode()),
        (b"s", b"s"),
        (name, value),
        (b"h", b":".join(COVERED)),
        (b"bh", _body_hash(signer, policy)),
        (b"b", b"0" * 60),
    ]
    key = parse_pem_private_key(PRIVATE)
    made = signer.gen_header(fields, list(COVERED), policy, b"DKIM-Signature", key)
    return b"DKIM-Signature: " + bytes(made) + raw


def sealed(raw: bytes, domain: str, results: str, *, covered: Sequence[bytes] = COVERED) -> bytes:
    """Return the letter with the first ARC set of *domain*, which contains *results*."""
    policy = CanonicalizationPolicy(Relaxed, Relaxed)
    key, stamp = parse_pem_private_key(PRIVATE), str(int(time.time())).encode()
    signer = dkim.ARC(raw)
    signer.hasher = dkim.HASH_ALGORITHMS[b"rsa-sha256"]
    told = (b"ARC-Authentication-Results", f" i=1; {results}\r\n".encode())
    fields = [(b"i", b"1"), (b"a", b"rsa-sha256"), (b"c", b"relaxed/relaxed")]
    whose = [(b"d", domain.encode()), (b"s", b"s"), (b"t", stamp)]
    body = [(b"h", b" : ".join(covered)), (b"bh", _body_hash(signer, policy))]
    blank = [(b"b", b"0" * 60)]
    name = b"ARC-Message-Signature"
    made = signer.gen_header([*fields, *whose, *body, *blank], list(covered), policy, name, key)
    message = (name, b" " + bytes(made))
    signer.headers = policy.canonicalize_headers([told, message])
    seal_fields = [(b"i", b"1"), (b"cv", b"none"), (b"a", b"rsa-sha256"), *whose, *blank]
    order = [b"arc-authentication-results", b"arc-message-signature"]
    seal = signer.gen_header(seal_fields, order, policy, b"ARC-Seal", key)
    stack: list[tuple[bytes, Any]] = [(b"ARC-Seal", b" " + bytes(seal)), message, told]
    return b"".join(b"%s:%s" % each for each in stack) + raw


def _body_hash(signer: Any, policy: CanonicalizationPolicy) -> bytes:
    return base64.b64encode(hashlib.sha256(policy.canonicalize_body(signer.body)).digest())
