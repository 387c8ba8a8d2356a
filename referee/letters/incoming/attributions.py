"""Attributions above a quoted letter: "On Monday, somebody wrote:", in the forms programs write.

An attribution begins at the nearest line above its end that opens one. What the sender typed right
above it is not part of it.
"""

import re
from collections.abc import Sequence
from typing import Final

from referee.letters.incoming import phrases

_MOST_LINES: Final = 5
_ENDS: Final = (":", "：", ">", "-")
_VERB: Final = 120
"""The verb and what comes after it are among so many characters at the end."""
_SENTENCE: Final = re.compile(r"[.!?]\s*$")
_WORDS: Final = re.compile(r"@|[^\W\d_A-Z][^\W\d_]{2}|[^\W\d_]{2}[^\W\d_A-Z]|[^\x00-\x7f]")
"""In attributions, but not in orders: an address, a word in small letters, another alphabet."""


def length(lines: Sequence[str], quoted: Sequence[bool], at: int) -> int:
    """Return how many lines the attribution has that begins at the line *at*, or 0."""
    for end in range(at, min(at + _MOST_LINES, len(lines))):
        if quoted[end] or not lines[end].strip():
            return 0
        if (needed := _ended(lines, quoted, end)) >= 0:
            return end + 1 - at if _start(lines, quoted, needed, end) == at else 0
    return 0


def stands_alone(words: str) -> bool:
    """Return whether all below an attribution is quoted, although nothing marks it as a quote."""
    if phrases.POSTED.search(words):
        return True
    if not words.rstrip().endswith(_ENDS) or phrases.I_WROTE.search(words):
        return False
    if phrases.ADDRESS.search(words):
        return True
    opens = phrases.ATTRIBUTES.match(words) or phrases.WROTE_ON.search(words)
    return bool(opens and phrases.STRONG.search(words))


def is_order(line: str) -> bool:
    """Return whether a line has letters, but no word of an attribution."""
    return _WORDS.search(line) is None and any(map(str.isalpha, line))


def _ended(lines: Sequence[str], quoted: Sequence[bool], end: int) -> int:
    """Return the first line that an attribution needs that ends at *end*, or -1 if none does."""
    if _is_end(lines[end]):
        return end
    below = end + 1 < len(lines) and lines[end + 1].strip() and not quoted[end + 1]
    if not below and _is_end_without_colon(lines[end]):
        return end
    # Programs break long lines, also within the verb and the address.
    if end and lines[end - 1].strip() and not is_order(lines[end - 1]):
        both = f"{lines[end - 1]} {lines[end]}"
        if lines[end].rstrip().endswith(_ENDS) and _is_end(both):
            return end - 1
    return -1


def _is_end(words: str) -> bool:
    words = words.rstrip()
    if not words.endswith(_ENDS):
        return phrases.POSTED.search(words) is not None
    return phrases.WROTE.search(words[-_VERB:]) is not None or _names_sender(words)


def _names_sender(words: str) -> bool:
    """Return whether the words are a date, an address and a colon: no verb, but an attribution."""
    if not phrases.ADDRESS.search(words) or words.endswith("-"):
        return False
    if phrases.ISO_DATE.match(words):
        return True
    dated = phrases.YEAR.search(words) and phrases.TIME.search(words)
    return not words.endswith(">") and bool(dated or phrases.QUOTING.match(words))


def _is_end_without_colon(words: str) -> bool:
    """Return whether the line is "On 5 May 2026 at 10:00 somebody wrote" above a quote."""
    return bool(
        phrases.ATTRIBUTES.match(words)
        and phrases.TIME.search(words)
        and phrases.WROTE_WITHOUT_COLON.search(words[-_VERB:])
    )


def _start(lines: Sequence[str], quoted: Sequence[bool], needed: int, end: int) -> int:
    """Return the line at which the attribution begins that needs the lines from *needed* on."""
    opens = _opens(lines[needed])
    if opens and not phrases.LATE_OPENING.match(lines[needed]):
        return needed
    # A broken date has its other half in the line above; otherwise, the date is on one line.
    last = needed - 1 if opens else end + 1 - _MOST_LINES
    for at in range(needed - 1, max(last, 0) - 1, -1):
        line = lines[at]
        if quoted[at] or not line.strip() or _SENTENCE.search(line) or is_order(line):
            break
        if _opens(line) and (opens or "," in line or phrases.STRONG.search(line)):
            return at
    return needed


def _opens(line: str) -> bool:
    """Return whether a line begins like an attribution and names a day."""
    return any(map(str.isdigit, line)) and phrases.ATTRIBUTES.match(line) is not None
