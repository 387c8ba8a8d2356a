"""HELP on an order as it is typed: its kind, its meaning now, and the last mistake with it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from itertools import islice
from textwrap import shorten
from typing import Any, Final

from referee.desk.base.answered import typed_text
from referee.desk.base.loaded_games import LoadedGame
from referee.desk.orders.letter_context import LetterContext
from referee.desk.orders.player_text import read
from referee.desk.orders.rulings import misreadings, rule
from referee.domain.sheets import Entry
from referee.letters.incoming.decode import decode
from referee.letters.outgoing.layout import labelled
from referee.letters.outgoing.notices import LineError
from referee.parsing.everyday import is_everyday
from referee.parsing.items import Parsed, Unparsed
from referee.parsing.reference import about_rules, rules_explained_with, rules_with
from referee.rules.ruleset import Ruling, RulingKind, Seat
from referee.store.games import games, undo_log
from referee.store.models import GameStatus, InboxLetter, SeatRow

_MOST_LETTERS: Final = 10
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
    found = rules_with(_source(table), word) if len(word) > 1 else frozenset[str]()
    return found or table.reader.kinds(topic) or _explained_with(table, topic)


def _explained_with(table: LoadedGame, topic: str) -> frozenset[str]:
    """Return the kinds of orders with a word of some length in their explanations, or none."""
    if not topic.isalpha() or len(topic) < _LEAST or is_everyday(topic):
        return frozenset()
    return rules_explained_with(_source(table), topic)


def shown_topic(table: LoadedGame | None, topic: str) -> str:
    """Return the topic as a subject names it: without an order, which the reply would repeat."""
    is_order = table is not None and not _is_word(table, topic) and kinds_of(table, topic)
    return "an order" if is_order else topic.lower()


def page(table: LoadedGame, topic: str) -> str:
    """Return the help on an order that is typed as the topic, or ""."""
    return about_rules(_source(table), kinds_of(table, topic))


def _source(table: LoadedGame) -> str:
    return table.ruleset.grammar(table.phase).source


def pointed(table: LoadedGame, faults: Sequence[LineError]) -> tuple[LineError, ...]:
    """Return the rejected lines of a sheet, each with the topic of HELP on it.

    A remark has none.
    """
    return tuple(
        fault
        if fault.is_remark
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
        words += get_close_matches(word, sorted(table.reader.first_words()), 1, _NEAR)
    for each in words:
        if len(each) > 1 and rules_with(_source(table), each):
            return each
    if table.reader.kinds(typed):
        return typed if len(typed) <= _MOST_TYPED else _ALL
    return word if _explained_with(table, word) else _ALL


def meaning(context: LetterContext, topic: str) -> Iterator[str]:
    """Yield what the order that is typed as the topic means now, and whether it is possible."""
    found = _playing(context)
    if found is None or _is_word(found[0], topic) or not kinds_of(found[0], topic):
        return
    table, row = found
    items = table.reader.read(topic)
    if len(items) != 1:
        return
    if isinstance(items[0], Unparsed):
        yield labelled(items[0].text, f"{items[0].reason} {items[0].advice}")
    else:
        yield _meaning(table, row, items[0].order, _on_file(context, table, row))


def _is_word(table: LoadedGame, topic: str) -> bool:
    """Return whether a topic is only a word of orders or their explanations, such as BUILD."""
    if len(topic.split()) != 1:
        return False
    return bool(rules_with(_source(table), topic)) or not table.reader.kinds(topic)


def _on_file(context: LetterContext, table: LoadedGame, row: SeatRow) -> tuple[Any, ...]:
    sheet = games.sheet_of(context.session, row, table.game.turn)
    return table.read(sheet.orders) if sheet is not None else ()


def _meaning(table: LoadedGame, row: SeatRow, order: Any, on_file: tuple[Any, ...]) -> str:
    """Return what an order means and how it would be ruled on, next to those on file."""
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
    if found is None or context.identity.deputy is not None:
        return
    table, row = found
    wanted, asked = kinds_of(table, topic), topic.upper().split()
    every = table.once("mistakes", lambda: (*_sent(context, table, row), *_failed(context, row)))
    alike = (
        each
        for each in every
        if each.text.upper().split() != asked and wanted & _kinds(table, each.text)
    )
    for mistake in islice(alike, 1):
        typed = shorten(mistake.text, _MOST_SHOWN, placeholder=" ...")
        yield labelled(f"{typed}, {mistake.place}", mistake.reason)


def _kinds(table: LoadedGame, text: str) -> frozenset[str]:
    return table.reader.kinds(text) or kinds_of(table, text)


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
    for letter in reversed(letters[-_MOST_LETTERS:]):
        for fault in reversed(_faults(context, table, row, letter)):
            text = " ".join(fault.text.split())
            reason = f"{fault.reason} {fault.advice}"
            yield WrongOrder(text, f"line {fault.line} of #{letter.receipt}", reason)


def _began(context: LetterContext, table: LoadedGame) -> Any:
    """Return when the current turn began, or None for the first turn."""
    turn = table.game.turn
    return games.turn_of(context.session, table.game, turn - 1).resolved_at if turn > 1 else None


def _faults(
    context: LetterContext, table: LoadedGame, row: SeatRow, letter: InboxLetter
) -> tuple[LineError, ...]:
    """Return the rejected lines of a letter, on the sheet as the letter left it."""
    decoded = decode(letter.raw)
    own = typed_text(context.session, decoded, letter, context.site.key)
    body = read(context.desk, table, row, decoded, letter, own).body
    if body.heading is not None and body.heading.turn not in (None, table.game.turn):
        return ()
    lines = {
        table.ruleset.render(item.order): item.line
        for item in body.sheet_lines
        if isinstance(item, Parsed)
    }
    revisions = games.revisions_of(context.session, row, table.game.turn)
    filed = next((each.orders for each in revisions if each.letter_id == letter.id), [*lines])
    entries = table.with_orders([Entry(text, lines.get(text, 0)) for text in filed])
    rulings = rule(table.ruleset, table.state, Seat(row.number), entries)
    rejected = [each for each in rulings.faults if each.line]
    wrong = [each for each in misreadings(body.sheet_lines) if not each.is_remark]
    return tuple(sorted((*rejected, *wrong), key=lambda fault: fault.line))


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
