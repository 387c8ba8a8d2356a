"""Orders outside the text of a letter: in its subject or in an attachment."""

import re
from collections.abc import Iterator
from typing import Any, Final

from referee.desk.orders.letter_context import LetterContext
from referee.letters.incoming import unreadable
from referee.letters.incoming.letter import Attachment
from referee.letters.incoming.phrases import REPLY_PREFIX
from referee.letters.incoming.quoting import OwnText
from referee.letters.outgoing.notices import LineError
from referee.parsing.body import Body
from referee.parsing.commands import command_words
from referee.parsing.lines import MOST_CHARACTERS
from referee.parsing.reader import Reader
from referee.store.models import GameStatus

_MOST: Final = 5
"""The number of attachments that are named."""
_ABOUT: Final = re.compile(
    r"\s*(?:CHECK\b\s*)?(?:\[[^\[\]]*\]|[A-Z]{1,5}-[0-9]{1,9}(?:\s+T[0-9]+)?(?:\s*\[[^\[\]]*\])?)?[\s,:;]*",
    re.IGNORECASE | re.ASCII,
)
"""Words that can precede the orders in a subject: CHECK, our tag, or a heading."""
_GM: Final = re.compile(r"^\s*GM[\s,:]+", re.IGNORECASE)
_OUR_TAG: Final = re.compile(r"\[[A-Z]{1,5}-[0-9]{1,9}[^\[\]]*\]", re.IGNORECASE | re.ASCII)
_OUR_ANSWER: Final = re.compile(
    rf"{_OUR_TAG.pattern}\s*(?:CHECK only:\s*)?"
    r"(?:[0-9]+ (?:done|answered|not done);\s*)*(?:done|answer|not done):",
    re.IGNORECASE | re.ASCII,
)
"""The subject of an answer to commands, which names words of the player."""
_MARKS: Final = ".!?\"'`*<>"
_TURN: Final = re.compile(r"T[0-9]+", re.IGNORECASE | re.ASCII)
_UNREAD_SUBJECT: Final = (
    "We saw orders in the subject. Only the text of an email is read, so they are not on file. "
    "Write them in the text."
)


def find(context: LetterContext, body: Body, own: OwnText) -> Iterator[LineError]:
    """Yield the orders in the subject, and the attachments that orders may be in."""
    if context.identity.seat is None or not context.identity.trust.is_from_owner:
        return
    if subject := orders_in_subject(context, body, own):
        yield LineError(0, subject, _UNREAD_SUBJECT)
    for name, reason in attachments(context, body, own)[:_MOST]:
        yield LineError(0, "" if name == unreadable.WHOLE else name, reason)


def orders_in_subject(context: LetterContext, body: Body, own: OwnText) -> str:
    """Return the orders of the subject if one of them is not in the text, or "".

    A subject that has only orders is returned whole, another one without its other words.
    """
    table = context.table
    if table is None or table.game.status not in (GameStatus.RUNNING, GameStatus.HELD):
        return ""
    words = without_heading(context.letter.subject)
    typed = [item.order for item in body.parsed]
    if orders := table.reader.orders_of(words.strip(_MARKS)):
        return "" if all(order in typed for order in orders) else words
    lines = (line.text[:MOST_CHARACTERS] for line in own.lines)
    read = {each.upper() for line in lines for each in table.reader.orders_among(line)}
    codes = codes_among_words(context.letter.subject, table.reader)
    missing = [code for code, order in codes.items() if order not in typed]
    return " ".join(code for code in missing if code.upper() not in read)


def command_in_subject(context: LetterContext) -> str:
    """Return that the command in the subject was not read, and how to send it, or ""."""
    words = _GM.sub("", REPLY_PREFIX.sub("", context.letter.subject)).strip()
    word = next(iter(without_heading(words).upper().split()), "").strip(_MARKS)
    if word not in command_words():
        return ""
    game = context.identity.game
    by_gm = game is not None and context.identity.is_gm and context.identity.seat is None
    where = f"GM {game.name} on the first line, and {word} below it" if game and by_gm else word
    return (
        f"{word} in the subject was not read. Only the text of an email is read, so nothing was "
        f"done. Write this in the text: {where}."
    )


def without_heading(subject: str) -> str:
    """Return the words of a subject that are neither a reply prefix nor a tag or heading."""
    return _ABOUT.sub("", " ".join(REPLY_PREFIX.sub("", subject).split()), count=1)


def codes_among_words(subject: str, reader: Reader) -> dict[str, Any]:
    """Return the codes of a subject that are orders by themselves, each with its order.

    The name of a turn is none, and neither is a word in our tag or in the subject of our answer.
    """
    subject = " ".join(REPLY_PREFIX.sub("", subject).split())
    if _OUR_ANSWER.match(subject):
        return {}
    found = reader.orders_among(_OUR_TAG.sub(" ", subject[:MOST_CHARACTERS]))
    codes = (code for code in found if not (code.isalpha() or _TURN.fullmatch(code)))
    return {code: orders[0] for code in codes if (orders := reader.orders_of(code))}


def attachments(context: LetterContext, body: Body, own: OwnText) -> list[tuple[str, str]]:
    """Return the names of the attachments that orders may be in, and why they are not read.

    There are none if the text has an order: then the attachments are named at the end of the
    answer, as everything else that was not read. Next to a command or a message only the email
    itself is named, if not all of it was read. A picture that is embedded, such as a logo in a
    signature, is named only if nothing was typed.
    """
    if len(body.orders) < len(body.items) or body.parsed:
        refused = () if body.parsed else context.letter.refused
        return [(part.name, part.reason) for part in refused if part.name == unreadable.WHOLE][:1]
    if context.reading is not None and context.reading.edited is not None:
        return []
    is_empty = not any(line.text.strip() for line in own.lines)
    found = {part.name: part.reason for part in context.letter.refused}
    for part in context.letter.attachments:
        if part.name not in found and _can_hold_orders(part, is_empty=is_empty):
            found[part.name] = unreadable.kind_in_words(part.kind)
    return list(found.items())


def _can_hold_orders(part: Attachment, *, is_empty: bool) -> bool:
    if part.read or unreadable.is_business_card(part.name, part.kind):
        return False
    return is_empty or not part.embedded
