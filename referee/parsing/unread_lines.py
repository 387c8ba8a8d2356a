"""Lines of a letter that are no order and no command, as the answer names them."""

from referee.parsing.items import Unparsed
from referee.parsing.lines import MOST_CHARACTERS, Line, plain


def mistyped(line: Line, word: str, intended: str, *, block: bool) -> Unparsed:
    """Return an answer to a mistyped command, or to the block it would have begun."""
    text = plain(line.text).strip()
    column = len(line.text) - len(line.text.lstrip()) + 1
    omitted = ", so this line and all lines down to END were left out" if block else ""
    reason = f"Unknown word {text[: len(word)]}{omitted}."
    advice = f"Did you mean {intended}{text[len(word) :]}?"
    return Unparsed(text, line.number, column, reason, advice, is_command=True)


def not_read(line: Line, reason: str, advice: str = "", lost: int = 0) -> Unparsed:
    """Return an answer to a line that was not read, for the *reason*, with *lost* lines in all."""
    text = plain(line.text[:MOST_CHARACTERS]).strip()
    column = len(line.text) - len(line.text.lstrip()) + 1
    return Unparsed(text[:78], line.number, column, reason, advice, is_command=True, lost=lost)
