"""Authentication-Results: the checks of a letter by a mail server, parsed tolerantly."""

import re
from dataclasses import dataclass
from typing import Final

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
    statements = [statement.strip() for statement in _bare(value).split(";")]
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


def _bare(value: str) -> str:
    """Return *value* without comments, and with quoted strings hidden."""
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
