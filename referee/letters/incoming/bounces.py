"""Bounces: what a mail server reports about the delivery of our letters."""

import re
from enum import Enum
from typing import Final

from referee.letters.incoming import headers, parts
from referee.letters.incoming.address_lists import canonical_address
from referee.letters.incoming.headers import decode_words, first
from referee.letters.incoming.parts import Leaf

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
        for leaf in parts.leaves(fields, body)
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
    leaves = {leaf.kind: leaf for leaf in parts.leaves(fields, body)}
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
