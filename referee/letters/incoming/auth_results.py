"""Authentication-Results: what a mail server found out about a letter, read tolerantly."""

import re
from dataclasses import dataclass
from typing import Final

_INSTANCE: Final = re.compile(r"i\s*=\s*[0-9]{1,3}", re.IGNORECASE)
_SERVER: Final = re.compile(r"([^\s=;]{1,255})(?:\s+[0-9]{1,3})?")
_DKIM_PASS: Final = re.compile(r"dkim\s*(?:/\s*[0-9]{1,3}\s*)?=\s*pass(?![\w-])", re.IGNORECASE)
_SIGNER: Final = re.compile(r"(?<![\w.-])header\s*\.\s*([di])\s*=\s*(\S{1,300})", re.IGNORECASE)
_HIDDEN: Final = "\0"
"""Stands for whatever a quoted string holds, so that nothing in it is taken for syntax."""


@dataclass(frozen=True, slots=True)
class Results:
    """What one server says: its name, empty when it gives none, and whose DKIM signature passed."""

    server: str
    signers: tuple[str, ...]


def read_results(value: str) -> Results:
    """Read the value of an Authentication-Results or ARC-Authentication-Results field.

    *value* is unfolded and not decoded further. Comments and quoted strings, in which a sender's
    own words may stand, are never read.
    """
    statements = [statement.strip() for statement in _bare(value).split(";")]
    if _INSTANCE.fullmatch(statements[0]):
        statements = statements[1:]
    named = _SERVER.fullmatch(statements[0]) if statements else None
    passed = [found for found in statements if _DKIM_PASS.match(found)]
    signers = [_signer(found) for found in passed]
    server = named[1].lower() if named else ""
    return Results(server, tuple(dict.fromkeys(filter(None, signers))))


def _signer(statement: str) -> str:
    """Return the domain that signed, from ``header.d`` or else ``header.i``; empty when unclear."""
    said: dict[str, str] = {}
    for found in _SIGNER.finditer(statement):
        # A property told twice could have been slipped in by whoever wrote the letter.
        if found[1].lower() in said:
            return ""
        said[found[1].lower()] = found[2]
    domain = said.get("d") or said.get("i", "").rpartition("@")[2]
    domain = domain.lower().rstrip(".")
    return "" if _HIDDEN in domain else domain


def _bare(value: str) -> str:
    """Return *value* without comments, and with quoted strings hidden."""
    kept: list[str] = []
    depth, quoted, escaped = 0, False, False
    for character in value:
        if escaped:
            escaped = False
        elif character == "\\" and (quoted or depth):
            escaped = True
        elif character == '"' and not depth:
            quoted = not quoted
            kept.append(_HIDDEN)
        elif quoted:
            continue
        elif character == "(":
            depth += 1
        elif character == ")" and depth:
            depth -= 1
            kept.append(" ")
        elif not depth:
            kept.append(character)
    return "".join(kept)
