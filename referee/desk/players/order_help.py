"""HELP on orders: the meaning of one, the last mistake with it, and examples to send."""

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import partial
from itertools import chain, islice
from textwrap import indent, shorten
from typing import Any, Final

from referee.desk.base.loaded_games import LoadedGame
from referee.desk.orders.guides import guide_of, is_accepted, lines_of
from referee.desk.orders.letter_context import LetterContext, earlier, read
from referee.desk.orders.naming import seats_met
from referee.desk.orders.sheets import misreadings, rejected
from referee.desk.reports import report_guide
from referee.domain.sheets import Entry
from referee.letters.outgoing.layout import labelled
from referee.letters.outgoing.notices import GuideOrders, LineError
from referee.parsing.items import Parsed, Unparsed
from referee.parsing.reference import about_rules, rules_explained_with, rules_with
from referee.parsing.words import is_everyday
from referee.rules.ruleset import Ruling, RulingKind, Seat
from referee.store.games import games, undo_log
from referee.store.models import GameStatus, InboxLetter, SeatRow

_MOST_LETTERS: Final = 6
"""The most letters that are read again for a mistake."""
_MOST_FAULTS: Final = 30
"""The most rejected lines of a letter that are looked at for a topic."""
_ALL: Final = "ORDERS"
"""The topic of HELP on all orders."""
_MOST_TYPED: Final = 30
"""The longest order that a topic repeats."""
_MOST_SHOWN: Final = 60
"""The most characters of a mistake that are shown."""
_NEAR: Final = 0.75
_LEAST: Final = 4
"""The shortest word that is looked for in explanations."""
_MOST_EXAMPLES: Final = 6
_OF_ONE_KIND: Final = 2
_GENERAL: Final = frozenset({"", "COMMANDS", "ORDERS"})


@dataclass(frozen=True, slots=True)
class WrongOrder:
    """A rejected or failed order: where it was sent, and why it was not possible."""

    text: str
    place: str
    reason: str


def kinds_of(table: LoadedGame, topic: str) -> frozenset[str]:
    """Return the kinds of orders that a topic of HELP is about.

    The topic is a word of theirs, an order, or else a word of their explanations.
    """
    word, *_ = topic.split() or [""]
    found = rules_with(table.reader.grammar.source, word) if len(word) > 1 else frozenset[str]()
    return found or table.reader.advice.kinds(topic) or _explained_with(table, topic)


def _explained_with(table: LoadedGame, topic: str) -> frozenset[str]:
    """Return the kinds of orders with a word of some length in their explanations, or none."""
    if not topic.isalpha() or len(topic) < _LEAST or is_everyday(topic):
        return frozenset()
    return rules_explained_with(table.reader.grammar.source, topic)


def shown_topic(table: LoadedGame | None, topic: str) -> str:
    """Return the topic as a subject names it: without an order, which the reply would repeat."""
    is_order = table is not None and not _is_word(table, topic) and kinds_of(table, topic)
    return "an order" if is_order else topic.lower()


def page(table: LoadedGame, topic: str) -> str:
    """Return the help on an order that is typed as the topic, or ""."""
    return about_rules(table.reader.grammar.source, kinds_of(table, topic))


def pointed(table: LoadedGame, faults: Sequence[LineError]) -> tuple[LineError, ...]:
    """Return the rejected lines of a sheet, each with the topic of HELP on it.

    Words have none.
    """
    return tuple(
        fault
        if fault.is_words
        else replace(fault, topic=_topic(table, fault.text) if place < _MOST_FAULTS else _ALL)
        for place, fault in enumerate(faults)
    )


def _topic(table: LoadedGame, text: str) -> str:
    """Return the topic of HELP nearest to a line: a word in it, the line, or all orders."""
    typed = " ".join(text.split())
    if not typed:
        return _ALL
    word = typed.split()[0].upper()
    words = [word]
    if len(word) > 1:
        words += get_close_matches(word, sorted(table.reader.first_words), 1, _NEAR)
    for each in words:
        if len(each) > 1 and rules_with(table.reader.grammar.source, each):
            return each
    if table.reader.advice.kinds(typed):
        return typed if len(typed) <= _MOST_TYPED else _ALL
    return word if _explained_with(table, word) else _ALL


def meaning(context: LetterContext, topic: str) -> Iterator[str]:
    """Yield the meaning now of the order that is typed as the topic, and whether it is possible."""
    found = _playing(context)
    if found is None or _is_word(found[0], topic) or not kinds_of(found[0], topic):
        return
    table, row = found
    items = table.reader.read(topic)
    if len(items) != 1:
        return
    if isinstance(items[0], Unparsed):
        if context.identity.trust.is_sure:
            # Words that anyone could have sent are mailed to nobody.
            yield labelled(items[0].text, f"{items[0].reason} {items[0].advice}")
    else:
        yield _meaning(table, row, items[0].order, _on_file(context, table, row))


def _is_word(table: LoadedGame, topic: str) -> bool:
    """Return whether a topic is only a word of orders or their explanations, such as BUILD."""
    if len(topic.split()) != 1:
        return False
    reader = table.reader
    return bool(rules_with(reader.grammar.source, topic)) or not reader.advice.kinds(topic)


def _on_file(context: LetterContext, table: LoadedGame, row: SeatRow) -> tuple[Any, ...]:
    """Return the orders on file, read once for all HELP of an email."""

    def read_sheet() -> tuple[Any, ...]:
        sheet = games.sheet_of(context.session, row, table.game.turn)
        return table.read(sheet.orders) if sheet is not None else ()

    return table.once(("on file", row.number), read_sheet)


def _meaning(table: LoadedGame, row: SeatRow, order: Any, on_file: tuple[Any, ...]) -> str:
    """Return the meaning of an order and how it would be ruled on, next to those on file."""
    seat, text = Seat(row.number), table.ruleset.render(order)
    sheet = on_file if order in on_file else (*on_file, order)
    ruling = table.ruleset.validate(table.state, seat, sheet)[sheet.index(order)]
    means = table.ruleset.explain(table.state, seat, order)
    if ruling.kind is not RulingKind.REJECTED:
        return labelled(text, f"{means} It would be accepted{_warning(ruling)}")
    (on_its_own,) = table.ruleset.validate(table.state, seat, (order,))
    if on_its_own.kind is RulingKind.REJECTED:
        return labelled(text, f"It would be rejected. {ruling.reason}")
    instead = f"On a new sheet it would be accepted{_warning(on_its_own)}"
    added = f"With ADD, next to your orders on file, it would be rejected. {ruling.reason}"
    return labelled(text, f"{means} {instead} {added}")


def _warning(ruling: Ruling) -> str:
    return f", with a warning: {ruling.reason}" if ruling.reason else "."


def last_mistake(context: LetterContext, topic: str) -> Iterator[str]:
    """Yield the player's last mistake with an order of that kind, in this turn or the one before.

    A deputy is shown none: what the player typed is the player's.
    """
    found = _playing(context)
    if found is None or context.identity.deputy is not None or topic.upper() in _GENERAL:
        return
    table, row = found
    wanted, asked = kinds_of(table, topic), topic.upper().split()
    alike = (
        each
        for each in chain(_sent(context, table, row), _failed(context, row))
        if each.text.upper().split() != asked and wanted & _kinds(table, each.text)
    )
    for mistake in islice(alike, 1):
        typed = shorten(mistake.text, _MOST_SHOWN, placeholder=" ...")
        yield labelled(f"{typed}, {mistake.place}", mistake.reason)


def _kinds(table: LoadedGame, text: str) -> frozenset[str]:
    """Return the kinds of orders that a mistake is about, found once for all HELP of an email."""
    return table.once(
        ("kinds", text), lambda: table.reader.advice.kinds(text) or kinds_of(table, text)
    )


def _playing(context: LetterContext) -> tuple[LoadedGame, SeatRow] | None:
    """Return the game and the seat that gives orders in it, or None."""
    row, table = context.identity.seat, context.table
    if row is None or table is None or row.eliminated:
        return None
    if table.game.status is GameStatus.ENDED:
        return None
    return table, row


def _sent(context: LetterContext, table: LoadedGame, row: SeatRow) -> Iterator[WrongOrder]:
    """Yield the lines that were rejected in this turn, the last one first."""
    began = _began(context, table)
    letters = [
        letter
        for letter in undo_log.letters_of(context.session, row)
        if letter.id != context.row.id and (began is None or letter.arrived_at >= began)
    ]
    revisions = games.revisions_of(context.session, row, table.game.turn)
    filed = {each.letter_id: each.orders for each in revisions}
    for letter in reversed(letters[-_MOST_LETTERS:]):
        find = partial(_faults, context, table, row, letter, filed.get(letter.id))
        faults = reversed(table.once(("faults", letter.id), find))
        for fault in islice(faults, _MOST_FAULTS):
            text = " ".join(fault.text.split())
            reason = f"{fault.reason} {fault.advice}"
            yield WrongOrder(text, f"line {fault.line} of #{letter.receipt}", reason)


def _began(context: LetterContext, table: LoadedGame) -> Any:
    """Return when the current turn began, or None for the first turn."""
    turn = table.game.turn
    return games.turn_of(context.session, table.game, turn - 1).resolved_at if turn > 1 else None


def _faults(
    context: LetterContext,
    table: LoadedGame,
    row: SeatRow,
    letter: InboxLetter,
    filed: Sequence[str] | None,
) -> tuple[LineError, ...]:
    """Return the rejected lines of a letter, on the sheet as the letter has *filed* it, if any."""
    body = read(earlier(context, row, letter)).body
    if body.heading is not None and body.heading.turn not in (None, table.game.turn):
        return ()
    lines = {
        table.ruleset.render(item.order): item.line
        for item in body.sheet_lines
        if isinstance(item, Parsed)
    }
    orders = [*lines] if filed is None else filed
    entries = table.with_orders([Entry(text, lines.get(text, 0)) for text in orders])
    bad = [each for each in rejected(table, row, entries, table.game.turn) if each.line]
    wrong = [each for each in misreadings(body.sheet_lines) if not each.is_words]
    return tuple(sorted((*bad, *wrong), key=lambda fault: fault.line))


def _failed(context: LetterContext, row: SeatRow) -> Iterator[WrongOrder]:
    """Yield the orders of the player that failed in the turn before."""
    game = row.game
    if game.turn == 1:
        return
    turn = games.turn_of(context.session, game, game.turn - 1)
    if turn.resolved_at is None or turn.resolved_at < row.joined_at:
        return
    for text, done, reason in (turn.outcomes or {}).get(str(row.number), ()):
        if not done:
            yield WrongOrder(" ".join(str(text).split()), f"in turn {turn.number}", str(reason))


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
    orders = list(islice(_orders(table, row), _MOST_EXAMPLES))
    if wanted in _GENERAL:
        tried = report_guide.to_try(table, row)
        yield from map(_to_try, tried)
        others = [each for each in orders if all(each[0] not in lesson.lines for lesson in tried)]
        yield from (labelled(text, _means(table, row, order)) for text, order in others)
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
        is_such = any(
            kinds & table.reader.advice.kinds(text) for text in table.render(suggestion.orders)
        )
        if is_such and len(lines) == 1 and is_accepted(table, seat, suggestion.orders):
            found[lines[0]] = suggestion.reason
        if len(found) == _MOST_EXAMPLES:
            break
    for text, order in _orders(table, row, kinds):
        found.setdefault(text, _means(table, row, order))
    yield from (labelled(text, why) for text, why in islice(found.items(), _MOST_EXAMPLES))


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
    met = [name for name, other in seats_met(table, row).items() if not other.robot]
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
        full = {kind for kind, count in kinds.items() if count >= _OF_ONE_KIND}
        found = (_accepted_order(table, row, text, full) for text in _candidates(line))
        order = next(filter(None, found), None)
        if order is None or (
            wanted and not wanted & table.reader.advice.kinds(table.ruleset.render(order))
        ):
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


def _accepted_order(
    table: LoadedGame, row: SeatRow, text: str, full: Container[type[Any]]
) -> Any | None:
    """Return the one order that *text* is if it would be accepted, or else None.

    Orders of a type in *full* are not looked at.
    """
    orders = table.reader.orders_of(text)
    if len(orders) != 1 or type(orders[0]) in full:
        return None
    (ruling,) = table.ruleset.validate(table.state, Seat(row.number), orders)
    return orders[0] if ruling.kind is RulingKind.ACCEPTED else None


def _means(table: LoadedGame, row: SeatRow, order: Any) -> str:
    return table.ruleset.explain(table.state, Seat(row.number), order)
