"""The lines of a letter as its sender means them: their own name, sentences, and FINAL."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from referee.desk.base.loaded_games import LoadedGame
from referee.desk.orders.letter_context import LetterContext
from referee.domain.commands import Final as Finish
from referee.parsing.advice import NO_ORDER
from referee.parsing.body import Body, Item, StandingBlock
from referee.parsing.items import Parsed, Unparsed
from referee.parsing.lines import plain, words_of
from referee.rules.ruleset import RulingKind, Seat

_FINAL: Final = "FINAL"
_OWN_LINE: Final = "FINAL goes on a line of its own."
SAY_FINAL: Final = "To say it, send an email with only FINAL."

_Item = TypeVar("_Item")


def settle(context: LetterContext, body: Body) -> Body:
    """Return the body with its lines as this sender means them.

    The sender's own name is never a mistake. FINAL behind an order is a mistyped command. ``Give
    peace a chance to grow`` has the form of an order of Star Empires: it is one if the rules accept
    it. Only orders for the current turn can be judged; a sentence for a later turn stays an order.
    """
    names = {word.casefold() for name in _sender_names(context) for word in words_of(name)}
    lines = context.letter.text.split("\n")
    items: Sequence[Item] = [
        _beside_name(item, lines) if isinstance(item, Unparsed) and _is_name(item, names) else item
        for item in with_named(body).items
    ]
    table, row = context.table, context.identity.seat
    if table is not None and row is not None and context.identity.turn in (None, table.game.turn):
        seat = Seat(row.number)
        items = [
            replace(item, items=tuple(_judged(table, seat, item.items)))
            if isinstance(item, StandingBlock)
            else item
            for item in _judged(table, seat, items)
        ]
    return replace(body, items=tuple(items))


def _sender_names(context: LetterContext) -> list[str]:
    """Return the names of the sender: in From, known to us, and in the game."""
    identity = context.identity
    people = [identity.person.name] if identity.person is not None else []
    seat = None if identity.about.claims_seat else identity.seat
    seats = [seat.name] if seat is not None else []
    return [*(sender.name for sender in context.letter.senders), *people, *seats]


def _is_name(item: Unparsed, names: set[str]) -> bool:
    typed = [word.casefold() for word in words_of(item.text)]
    return bool(typed) and names.issuperset(typed)


def _beside_name(item: Unparsed, lines: Sequence[str]) -> Unparsed:
    """Return the sender's name as words: the whole of its line, if there are orders on it."""
    text = plain(lines[item.line - 1]).strip() if item.others else item.text
    return _as_words(item)._replace(text=text, to_send=item.to_send)


def with_named(body: Body) -> Body:
    """Return the body with a FINAL behind an order as a mistyped command, so that it is answered.

    If FINAL is also on a line of its own, the word elsewhere is not meant as the command.
    """
    if body.has(Finish):
        return body
    items = tuple(named for item in body.items for named in _named(item))
    return body if items == body.items else replace(body, items=items)


def _named(item: Item) -> Iterator[Item]:
    match item:
        case Parsed() if " " in item.text and item.text.upper().endswith(f" {_FINAL}"):
            reason = f"{_FINAL} was read as a part of this order. {_OWN_LINE}"
            yield item
            yield Unparsed(item.text, item.line, item.column, reason, SAY_FINAL, is_command=True)
        case Unparsed() if not item.is_command and _is_meant(item):
            advice = f"{SAY_FINAL} {item.advice}".rstrip()
            yield item._replace(reason=_OWN_LINE, advice=advice, is_command=True, is_words=False)
        case _:
            yield item


def _is_meant(item: Unparsed) -> bool:
    """Return whether the words are FINAL, or others that begin or end with it, in capitals."""
    words = [word.strip(".,;:!") for word in item.text.split()] or [""]
    if len(words) == 1:
        return words[0].upper() == _FINAL
    return item.is_words and _FINAL in (words[0], words[-1])


def _judged(table: LoadedGame, seat: Seat, items: Sequence[_Item]) -> Iterator[_Item | Unparsed]:
    """Yield the items, and words for each sentence that the rules reject as an order."""
    typed = [item for item in items if isinstance(item, Parsed)]
    if not any(table.reader.advice.is_sentence(item.text) for item in typed):
        yield from items
        return
    rulings = iter(table.ruleset.validate(table.state, seat, [item.order for item in typed]))
    for item in items:
        if (
            isinstance(item, Parsed)
            and next(rulings).kind is RulingKind.REJECTED
            and table.reader.advice.is_sentence(item.text)
        ):
            verb, _, rest = item.text.partition(" ")
            # With its verb in capitals it is no sentence.
            yield _as_words(item)._replace(to_send=(f"ADD {verb.upper()} {rest}",))
        else:
            yield item


def _as_words(item: Parsed | Unparsed) -> Unparsed:
    return Unparsed(item.text, item.line, item.column, NO_ORDER.reason, is_words=True)
