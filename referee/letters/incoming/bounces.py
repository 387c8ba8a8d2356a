"""Letters that come back: what a mail server says became of a letter of ours."""

import re
from enum import Enum
from typing import Final

from referee.letters.incoming import headers, parts
from referee.letters.incoming.address_lists import canonical_address
from referee.letters.incoming.headers import decode_words, first
from referee.letters.incoming.parts import Leaf

_LOOKED_AT: Final = 100_000
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
    """What a letter that came back means for the address it was written to."""

    LASTING = "could not be delivered"
    PASSING = "delayed"
    """The other side still tries; nothing is held against the address."""


def read_return(raw: bytes) -> Return:
    """Read a delivery report: RFC 3464 where it is one, or else by what such letters say.

    A report about several addresses is lasting when one failure is.
    """
    fields, body = headers.split_head(raw.replace(b"\r\n", b"\n"))
    reports = [
        leaf.payload[:_LOOKED_AT]
        for leaf in parts.leaves(fields, body)
        if leaf.kind in ("message/delivery-status", "message/global-delivery-status")
    ]
    actions = [found.lower() for report in reports for found in _ACTION.findall(report)]
    if actions:
        return Return.LASTING if b"failed" in actions else Return.PASSING
    statuses = [found for report in reports for found in _STATUS.findall(report)]
    if statuses:
        return Return.LASTING if b"5" in statuses else Return.PASSING
    return _unformed(decode_words(first(fields, "subject")), body[:_LOOKED_AT])


def reported_sender(raw: bytes) -> str:
    """Return the envelope sender a feedback report is about (RFC 5965); empty when it tells
    none."""
    fields, body = headers.split_head(raw.replace(b"\r\n", b"\n"))
    for leaf in parts.leaves(fields, body):
        if leaf.kind == "message/feedback-report":
            return _sender_in(leaf)
    return ""


def _sender_in(leaf: Leaf) -> str:
    found = _REPORTED.search(leaf.payload[:_LOOKED_AT])
    told = found[1].decode("utf-8", "replace").strip("<>") if found else ""
    return canonical_address(told)


def _unformed(subject: str, body: bytes) -> Return:
    """Judge a report that follows no standard: by its subject, then by the first code in it."""
    if _PASSING.search(subject):
        return Return.PASSING
    code = _CODE.search(body)
    return Return.PASSING if code is not None and code[1] == b"4" else Return.LASTING
