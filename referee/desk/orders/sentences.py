"""Sentences in the form of an order: the rules of the game decide what they are."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from referee.desk.base.loaded_games import LoadedGame
from referee.desk.orders.letter_context import LetterContext
from referee.parsing.advice import NO_ORDER
from referee.parsing.body import Body, StandingBlock
from referee.parsing.items import Parsed, Unparsed
from referee.rules.ruleset import RulingKind, Seat

_Item = TypeVar("_Item")


def judge(context: LetterContext, body: Body) -> Body:
    """Return the body, with each sentence that the rules reject as an order as words.

    ``Give peace a chance to grow`` has the form of an order of Star Empires. Only orders for the
    current turn can be judged; a sentence for a later turn stays an order.
    """
    table, row = context.table, context.identity.seat
    if table is None or row is None or context.identity.turn not in (None, table.game.turn):
        return body
    seat = Seat(row.number)
    blocks = tuple(
        replace(item, items=_judged(table, seat, item.items))
        if isinstance(item, StandingBlock)
        else item
        for item in body.items
    )
    items = _judged(table, seat, blocks)
    return body if items == body.items else replace(body, items=items)


def _judged(table: LoadedGame, seat: Seat, items: Sequence[_Item]) -> tuple[_Item | Unparsed, ...]:
    typed = [item for item in items if isinstance(item, Parsed)]
    if not any(table.reader.is_sentence(item.text) for item in typed):
        return tuple(items)
    rulings = iter(table.ruleset.validate(table.state, seat, [item.order for item in typed]))
    return tuple(
        _as_words(item)
        if isinstance(item, Parsed)
        and next(rulings).kind is RulingKind.REJECTED
        and table.reader.is_sentence(item.text)
        else item
        for item in items
    )


def _as_words(item: Parsed) -> Unparsed:
    return Unparsed(item.text, item.line, item.column, NO_ORDER.reason, is_remark=True)
