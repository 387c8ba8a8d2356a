"""Redaction of emails that are shown again: without security codes and tokens."""

import base64
import re
from typing import Final

from referee.domain.trust import without_tokens
from referee.parsing.heading import read_heading
from referee.parsing.lines import Line

_REMOVED: Final = "(security code)"
_NAMED_CODE: Final = re.compile(r"(security code[^:\n]{0,40}:\s*)[A-Z2-7]{8}\b", re.IGNORECASE)
_MARKS: Final = "> \t"
_FILE: Final = re.compile(
    r"(?:^[A-Za-z0-9+/]{60,76}\r?\n)+(?:[A-Za-z0-9+/]+={0,2}(?:\r?\n|\Z))?", re.MULTILINE
)
"""A file in a letter, in base64."""
_LEFT_OUT: Final = "(a file with a reply address)"


def redacted(text: str) -> str:
    """Return an email, ours or not, without the codes and tokens that prove its sender."""
    text = _FILE.sub(_without_file, text)
    text = _NAMED_CODE.sub(rf"\1{_REMOVED}", without_tokens(text))
    return "".join(map(_without_code, text.splitlines(keepends=True)))


def _without_file(found: re.Match[str]) -> str:
    """Return a file as it is, unless it has a token in it, as an atlas has."""
    letters = "".join(found[0].split()).rstrip("=")
    whole = letters[: len(letters) // 4 * 4]
    content = base64.b64decode(whole).decode("utf-8", "replace")
    return found[0] if without_tokens(content) == content else f"{_LEFT_OUT}\n"


def _without_code(line: str) -> str:
    """Return a line without the code, if it is the heading of an email, quoted or not."""
    heading = read_heading(Line(1, line.strip().lstrip(_MARKS)))
    if heading is None or not heading.code:
        return line
    typed = list(re.finditer(re.escape(heading.code), line, re.IGNORECASE))
    # In other forms of its letters the code is not found, so all of the line goes.
    start, end = typed[-1].span() if typed else (0, len(line.rstrip()))
    return f"{line[:start]}{_REMOVED}{line[end:]}"
