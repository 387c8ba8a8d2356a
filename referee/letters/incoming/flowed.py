"""Flowed text (RFC 3676), joined back into the lines that its sender typed."""

import re
from typing import Final

_QUOTED: Final = re.compile(r"^(>*) ?(.*)$", re.DOTALL)


def unflow(text: str, *, delsp: bool) -> str:
    """Join the soft line breaks of *text*; with *delsp* the space before each is removed.

    Quoted lines keep their marks. A signature line is never joined.
    """
    lines: list[list[str]] = []
    flowing: str | None = None
    for line in text.split("\n"):
        match = _QUOTED.match(line)
        marks, words = (match[1], match[2]) if match else ("", line)
        fixed = words == "-- " or not words.endswith(" ")
        soft = words[:-1] if delsp and not fixed else words
        if flowing == marks and words != "-- ":
            lines[-1].append(soft)
        else:
            lines.append([f"{marks} {soft}" if marks else soft])
        flowing = None if fixed else marks
    return "\n".join("".join(pieces) for pieces in lines)
