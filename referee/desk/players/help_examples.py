"""Examples for HELP that are valid for the asker: with their own units, contacts and letters."""

from collections.abc import Iterator
from itertools import islice
from textwrap import indent
from typing import Any, Final

from referee.desk.base.loaded_games import LoadedGame
from referee.desk.orders.guides import guide_of, is_accepted, lines_of
from referee.desk.orders.letter_context import LetterContext
from referee.desk.players.order_help import kinds_of
from referee.desk.reports import lessons
from referee.letters.outgoing.layout import labelled
from referee.letters.outgoing.notices import GuideOrders
from referee.parsing.items import Parsed
from referee.rules.ruleset import RulingKind, Seat
from referee.store.games import games, undo_log
from referee.store.models import GameStatus, SeatRow

_MOST: Final = 6
_OF_ONE_KIND: Final = 2
_GENERAL: Final = frozenset({"", "COMMANDS", "ORDERS"})


def examples(context: LetterContext, topic: str) -> Iterator[str]:
    """Yield lines that the asker could send unchanged; none without a seat in a running game.

    If the topic is a command, only examples of that command.
    """
    row, table = context.identity.seat, context.table
    if row is None or table is None or table.game.status is not GameStatus.RUNNING:
        return
    if row.eliminated:
        return
    wanted = topic.strip().upper()
    if wanted not in _GENERAL and (kinds := kinds_of(table, topic)):
        yield from _of_kinds(table, row, kinds)
        return
    orders = list(islice(_orders(table, row), _MOST))
    if wanted in _GENERAL:
        tried = lessons.to_try(table, row)
        yield from map(_to_try, tried)
        others = [each for each in orders if all(each[0] not in lesson.lines for lesson in tried)]
        yield from (labelled(text, _meaning(table, row, order)) for text, order in others)
    if wanted != "ORDERS":
        texts = [text for text, _ in orders]
        found = (line for line in _commands(context, table, row, texts) if _is_on(line, wanted))
        yield from (indent(line, "  ") for line in found)


def _to_try(orders: GuideOrders) -> str:
    """Return orders to try in the lesson of a tutorial: in one line with the reason, or in more."""
    if len(orders.lines) == 1:
        return labelled(orders.lines[0], orders.reason)
    return indent("\n".join(orders.lines), "  ")


def _of_kinds(table: LoadedGame, row: SeatRow, kinds: frozenset[str]) -> Iterator[str]:
    """Yield orders of these kinds that would be accepted now, with what they mean and are for."""
    seat, found = Seat(row.number), dict[str, str]()
    for suggestion in guide_of(table, seat).suggestions:
        lines = lines_of(table, suggestion)
        is_such = any(kinds & table.reader.kinds(text) for text in table.render(suggestion.orders))
        if is_such and len(lines) == 1 and is_accepted(table, seat, suggestion.orders):
            found[lines[0]] = suggestion.reason
        if len(found) == _MOST:
            break
    for text, order in _orders(table, row, kinds):
        found.setdefault(text, _meaning(table, row, order))
    yield from (labelled(text, why) for text, why in islice(found.items(), _MOST))


def _is_on(line: str, wanted: str) -> bool:
    return wanted in _GENERAL or line.split()[0] == wanted.split()[0]


def _commands(
    context: LetterContext, table: LoadedGame, row: SeatRow, orders: list[str]
) -> Iterator[str]:
    """Yield commands about the orders on file, the letters sent, and the seats met."""
    session, turn = context.session, table.game.turn
    sheet = games.sheet_of(session, row, turn)
    on_file = [text for text in (sheet.orders if sheet is not None else []) if "\n" not in text]
    if on_file:
        yield f"CANCEL {on_file[0]}"
    if context.identity.deputy is None:
        yield from _of_player(context, row, turn, orders)
    known = table.ruleset.contacts(table.state, Seat(row.number))
    met = [each.name for each in table.game.seats if each.number in known and not each.robot]
    if met:
        yield f"PRESS TO {met[0]}\nShall we keep the peace?\nEND"
    if turn > 1:
        yield f"REPORT {turn - 1}"


def _of_player(context: LetterContext, row: SeatRow, turn: int, orders: list[str]) -> Iterator[str]:
    """Yield commands that the player can send, but not their deputy."""
    session = context.session
    if orders:
        yield f"STANDING\n{orders[0]}\nEND"
    for coming in games.coming_sheets(session, row, turn)[:1]:
        yield from (f"ORDERS T{coming.turn}", f"CLEAR T{coming.turn}")
    last = undo_log.last(session, row, context.row.id)
    if last in {entry.letter_id for entry in undo_log.since(session, row, turn)}:
        yield f"UNDO #{context.receipt_of(last)}"
    if turn > 1:
        yield f"HISTORY {turn - 1}"


def _orders(
    table: LoadedGame, row: SeatRow, wanted: frozenset[str] | None = None
) -> Iterator[tuple[str, Any]]:
    """Yield orders that would be accepted now, from the suggestions in the seat's order template.

    If kinds are *wanted*, only such orders.

    An incomplete suggestion is completed with a word of its remark. For example, the gates listed
    for a fleet complete its move.
    """
    kinds: dict[type[Any], int] = {}
    for line in table.template(Seat(row.number)):
        order = next(
            filter(None, (_accepted_order(table, row, text) for text in _candidates(line))), None
        )
        if order is None or (
            wanted and not wanted & table.reader.kinds(table.ruleset.render(order))
        ):
            continue
        if kinds.get(type(order), 0) >= _OF_ONE_KIND:
            continue
        kinds[type(order)] = kinds.get(type(order), 0) + 1
        yield table.ruleset.render(order), order


def _candidates(line: str) -> Iterator[str]:
    """Yield the possible readings of a template line's suggestion, the literal one first."""
    suggestion, _, remark = line.strip().removeprefix("#").partition("#")
    begun = suggestion.strip()
    if not begun:
        return
    # Text two or more spaces after an order is a remark too.
    yield from dict.fromkeys((begun, begun.partition("  ")[0]))
    for word in remark.replace(",", " ").split():
        yield from (
            begun + word[length:] for length in range(len(word)) if begun.endswith(word[:length])
        )


def _accepted_order(table: LoadedGame, row: SeatRow, text: str) -> Any | None:
    """Return the one order that *text* contains if it would be accepted, or else None."""
    items = table.reader.read(text)
    if len(items) != 1 or not isinstance(items[0], Parsed):
        return None
    order = items[0].order
    (ruling,) = table.ruleset.validate(table.state, Seat(row.number), [order])
    return order if ruling.kind is RulingKind.ACCEPTED else None


def _meaning(table: LoadedGame, row: SeatRow, order: Any) -> str:
    return table.ruleset.explain(table.state, Seat(row.number), order)
