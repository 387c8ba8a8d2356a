"""Orders outside the text of a letter: in its subject or in an attachment."""

import re
from collections.abc import Iterator
from typing import Any, Final

from referee.desk.orders.letter_context import LetterContext
from referee.domain.trust import Trust
from referee.letters.incoming import unreadable
from referee.letters.incoming.letter import Attachment
from referee.letters.incoming.phrases import REPLY_PREFIX
from referee.letters.incoming.quoting import OwnText
from referee.letters.outgoing.notices import LineError
from referee.parsing.body import Body, read_body
from referee.parsing.items import Parsed
from referee.parsing.lines import Line
from referee.parsing.reader import Reader
from referee.store.models import GameStatus

_MOST: Final = 5
"""The number of attachments that are named."""
_ABOUT: Final = re.compile(
    r"\s*(?:CHECK\b\s*)?(?:\[[^\]]*\]|[A-Z]{1,5}-[0-9]{1,9}(?:\s+T[0-9]+)?(?:\s*\[[^\]]*\])?)?[\s,:;]*",
    re.IGNORECASE | re.ASCII,
)
"""What can precede the orders in a subject: CHECK, our tag, or a heading."""
_UNREAD_SUBJECT: Final = (
    "We saw orders in the subject. Only the text of an email is read, so they are not on file. "
    "Write them in the text."
)


def find(context: LetterContext, body: Body, own: OwnText) -> Iterator[LineError]:
    """Yield the orders in the subject, and the attachments that orders may be in."""
    if context.identity.seat is None or context.identity.trust is Trust.NONE:
        return
    if subject := orders_in_subject(context, body):
        yield LineError(0, subject, _UNREAD_SUBJECT)
    for name, reason in attachments(context, body, own)[:_MOST]:
        yield LineError(0, "" if name == unreadable.WHOLE else name, reason)


def orders_in_subject(context: LetterContext, body: Body) -> str:
    """Return the subject if it has only orders, and not all of them are in the text, or ""."""
    table = context.table
    if table is None or table.game.status not in (GameStatus.RUNNING, GameStatus.HELD):
        return ""
    words = without_heading(context.letter.subject)
    typed = [item.order for item in body.orders if isinstance(item, Parsed)]
    orders = only_orders(words, table.reader)
    return "" if all(order in typed for order in orders) else words


def without_heading(subject: str) -> str:
    """Return the words of a subject that are neither a reply prefix nor a tag or heading."""
    return _ABOUT.sub("", " ".join(REPLY_PREFIX.sub("", subject).split()), count=1)


def only_orders(words: str, reader: Reader) -> list[Any]:
    """Return the orders that the words are, or none if one of them is anything else."""
    items = read_body([Line(1, words)], reader).items
    orders = [item.order for item in items if isinstance(item, Parsed)]
    return orders if len(orders) == len(items) else []


def attachments(context: LetterContext, body: Body, own: OwnText) -> list[tuple[str, str]]:
    """Return the names of the attachments that orders may be in, and why they are not read.

    There are none if the text has an order, a command or a message: then the attachments are named
    at the end of the answer, as everything else that was not read. A picture that is embedded, such
    as a logo in a signature, is named only if nothing was typed.
    """
    if len(body.orders) < len(body.items) or any(isinstance(item, Parsed) for item in body.orders):
        return []
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
