"""Doubt: what a sender means by a line, why orders are not filed, and why FINAL does not count.

Nothing on file is given up for an email whose orders may not be meant: every reason for that is
here, and no other place keeps orders from being filed because of words. FINAL counts if every order
of its letter is on file, and every line is read or words. Orders and commands in what is not read,
such as the subject or a signature, are named.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from difflib import get_close_matches
from typing import Any, Final, TypeVar

from referee.desk.base.identity import Trust
from referee.desk.base.loaded_games import LoadedGame
from referee.desk.orders import readiness, sheets
from referee.desk.orders.letter_context import LetterContext
from referee.desk.orders.sheets import OpenSheet, is_too_late
from referee.domain.commands import Add, Cancel, Clear, Wait
from referee.domain.commands import Final as Finish
from referee.domain.effort import UNADVISED
from referee.domain.gm_commands import DropRules, ListRules
from referee.domain.mail_transfer import Line
from referee.domain.sheets import Entry
from referee.letters.incoming import unreadable
from referee.letters.incoming.decode import subject_of
from referee.letters.incoming.phrases import REPLY_PREFIX
from referee.letters.incoming.press_marks import MARKER
from referee.letters.incoming.quoting import foreign_quotes
from referee.letters.incoming.screening import Screening
from referee.letters.outgoing.notices import LineError, UnreadPart
from referee.parsing.advice import NO_ORDER
from referee.parsing.body import Body, DiaryBlock, Item, ParsedCommand, PressBlock, StandingBlock
from referee.parsing.command_lines import first_word, is_command
from referee.parsing.commands import command_words, is_for_gms
from referee.parsing.items import Parsed, Unparsed
from referee.parsing.lines import MOST_CHARACTERS, first_of_words, plain, words_of
from referee.parsing.reader import Reader
from referee.parsing.words import denies, negates
from referee.rules.ruleset import RulingKind, Seat, UserError
from referee.rules.wording import counted, listed
from referee.store.models import GameStatus

_OF_SHEETS: Final = frozenset({"ADD", "CANCEL", "CLEAR", "CHECK", "PREVIEW", "STANDING"})
"""The commands that say what becomes of the orders on file, or of those below."""
_OF_SHEET: Final = re.compile(
    r"^(?i:{0})$|\b(?:{0})\b|(?i:\bt(?:urn )?(?P<turn>[0-9]{{1,4}}))\b".format("|".join(_OF_SHEETS))
)
"""The words of a subject about the sheet: one of these in capitals, or alone, or a turn."""
_MISTYPED: Final = 0.75
_BY_PROGRAM: Final = "its marks are those of a program, which can change the sheet that it quotes"
_DENIED: Final = "a line with a colon above denies or asks"
_REPEATED: Final = "below words, they only repeat a part of your sheet"


def question(context: LetterContext, body: Body) -> str:
    """Return the question before the orders of the letter replace those on file, or "".

    Nothing is asked if nothing can be lost: because no orders are on file, or because ADD, CANCEL
    or CLEAR above the orders says what becomes of them.
    """
    sheet = _endangered(context, body)
    if sheet is None or not (why := _reason(context, body, sheet)):
        return ""
    orders = body.parsed
    them = "it" if len(orders) == 1 else "them"
    add = f" If you want {them} added to the sheet, reply ADD."
    return (
        f"We have not filed the {counted(len(orders), 'order')} of your email, because {why}, and "
        f"keep {_kept(sheet)}. If you want {them} instead, reply YES."
        f"{add * (sheet.before is not None and why != _REPEATED)} If not, do nothing."
    )


def warning(context: LetterContext, body: Body) -> str:
    """Return the doubt in a question about something else, as a sentence, or ""."""
    sheet = _endangered(context, body)
    if sheet is None or not (why := _reason(context, body, sheet)):
        return ""
    return f"With a CONFIRM its orders replace {_kept(sheet)}, although {why}."


def _reason(context: LetterContext, body: Body, sheet: OpenSheet) -> str:
    """Return why the orders may not be meant to replace those on file, to follow "because"."""
    orders = body.parsed
    if not orders or context.identity.trust is Trust.CONFIRMED:
        return ""
    before = sheet.before
    if before is not None and context.row.arrived_at < before.arrived_at <= context.now:
        return "your email arrived before the one with the sheet on file"
    if len(rejected(context, body)) == len(orders):
        return "it would be rejected" if len(orders) == 1 else "all of them would be rejected"
    return reason_in_words(context, body)


def reason_in_words(context: LetterContext, body: Body) -> str:
    """Return the doubt that the words of the letter cast on its orders, or ""."""
    orders = body.parsed
    if not orders or context.identity.trust is Trust.CONFIRMED:
        return ""
    if context.reading.edited is not None:
        return _BY_PROGRAM if context.screening is Screening.MARKED else ""
    unread = [item for item in body.sheet_lines if isinstance(item, Unparsed)]
    words = [item for item in unread if item.is_words]
    if any(line < orders[-1].line for line in denials(body)):
        return _DENIED
    if why := _unclear_command(context, body, orders):
        return why
    if word := _meant_in_subject(context, body):
        return f"{word} in the subject was not read"
    missed = {item.line for item in unread if item.to_send or not item.is_words}
    if len(missed) > len({item.line for item in orders}):
        return "more lines with orders could not be read than could"
    if letter := _signature(context, body):
        return f"{letter} alone, below other lines, can be a signature"
    if words and words[0].line < orders[0].line:
        sheet = context.sheet_found(context.turn_of_orders())
        filed = set(sheet.before.orders) if sheet.before is not None else set()
        if {sheet.table.ruleset.render(item.order) for item in orders} < filed:
            return _REPEATED
    return ""


def denials(body: Body) -> list[int]:
    """Return the lines with a colon that deny or ask: nothing below the first may be meant."""
    return [item.line for item in body.orders if isinstance(item, Unparsed) and denies(item.text)]


def question_of_denied(body: Body) -> str:
    """Return the question before a command below such a line is carried out, or ""."""
    return f"We ask because {_DENIED}." if denials(body) else ""


def refuses(body: Body, answer: int) -> bool:
    """Return whether words above the line of an *answer* deny or ask; another answer is none."""
    words = (item for item in body.orders if isinstance(item, Unparsed) and item.line < answer)
    return any(negates(item.text) and item.text.strip(_MARKS).upper() != "NO" for item in words)


def _signature(context: LetterContext, body: Body) -> str:
    """Return the only order that is accepted if it is one letter, and not on the first line."""
    orders = body.parsed
    if len(orders[-1].text) > 1 or body.sheet_lines[0].line == orders[-1].line:
        return ""
    faults = {(fault.line, fault.text) for fault in rejected(context, body)}
    accepted = [item.text for item in orders if (item.line, item.text) not in faults]
    return accepted[0] if accepted == [orders[-1].text] else ""


def rejected(context: LetterContext, body: Body) -> list[LineError]:
    """Return the orders of the letter that the rules reject now; none for a later turn."""
    try:
        table, row, turn = context.table_for_orders(), context.seat(), context.turn_of_orders()
    except UserError:
        return []
    entries = [Entry(item.text, item.line, item.order) for item in body.parsed]
    return sheets.rejected(table, row, entries, turn)


def _endangered(context: LetterContext, body: Body) -> OpenSheet | None:
    """Return the sheet that the orders of the letter would replace, or None.

    It is on file, also without an order, or standing orders run in its place.
    """
    orders = body.parsed
    if not orders or any(item.line < orders[0].line for item in body.commanded(Add, Cancel, Clear)):
        return None
    try:
        sheet = context.sheet_found(context.turn_of_orders())
    except UserError:
        return None
    if is_too_late(sheet.table.game, sheet.turn, context.row.arrived_at):
        return None
    runs_standing = bool(sheet.row.standing) and sheet.turn == sheet.table.game.turn
    return sheet if sheet.before is not None or runs_standing else None


def _kept(sheet: OpenSheet) -> str:
    if sheet.before is None:
        return f"your {counted(len(sheet.row.standing), 'standing order')}"
    return f"your sheet for turn {sheet.turn} ({counted(len(sheet.before.orders), 'order')})"


def _unclear_command(context: LetterContext, body: Body, orders: Sequence[Parsed]) -> str:
    """Return the doubt that a command above the last order casts, or "".

    It says what becomes of the sheet, and is not understood; or it is for GMs, so the orders may be
    meant for another seat, or to be tried.
    """
    for item in body.items:
        if item.line > orders[-1].line:
            break
        text = getattr(item, "text", "")
        first, *others = words_of(text.upper()) or [""]
        if is_of_others(context, item):
            return f"{first} is for GMs"
        is_late = first == "ADD" and item.line > orders[0].line
        if not (is_late or isinstance(item, Unparsed)):
            continue
        of_game = context.table is not None and context.table.reader.knows(first)
        named = [] if of_game else get_close_matches(first, _OF_SHEETS, n=1, cutoff=_MISTYPED)
        named += [word for word in others if word in _OF_SHEETS]
        if named:
            return f"{named[0]} was not understood, or comes too late"
    return ""


def is_of_others(context: LetterContext, item: Item) -> bool:
    """Return whether the item is a command for GMs, and its sender is none."""
    if context.identity.is_gm or not isinstance(item, ParsedCommand | Unparsed):
        return False
    line = Line(item.line, item.text)
    match item:
        case ParsedCommand(command=DropRules() | ListRules()):
            # Everyone can have packs.
            return False
        case ParsedCommand():
            return is_for_gms(line)
        case Unparsed(is_command=True) if is_for_gms(line, headed=True):
            return is_command(line, first_word(line), headed=True)
    return False


def _meant_in_subject(context: LetterContext, body: Body) -> str:
    """Return the command about the sheet, or the other turn, that only the subject names, or ""."""
    said = {word for item in body.commands for word in words_of(item.text.upper())}
    about, turn = context.identity.about, context.turn_of_orders()
    by_text = about.turn is not None and about.inherited_turn is None
    lines = in_subject(context.letter.subject)
    for each in (each for line in lines for each in _OF_SHEET.finditer(line.text)):
        is_said = by_text or int(each["turn"]) == turn if each["turn"] else each[0].upper() in said
        if not is_said:
            return each[0].upper() if _not_ours(context, lines) else ""
    return ""


_NOT_DONE: Final = "a part of this email was not done"
_MOST_NAMED: Final = 3
"""The most orders that a refusal names."""
_MOST_SHOWN: Final = 60
"""The most characters of each."""
_TAKEN_BACK: Final = "FINAL was not carried out, and your earlier FINAL is taken back."
_STILL_FINAL: Final = "Your earlier FINAL is still in effect. WAIT takes it back."


def with_final_last(body: Body) -> tuple[list[Item], list[Item]]:
    """Return the items to carry out first, and those that wait: FINAL, and a WAIT below it.

    FINAL counts only if all the rest was done, wherever it is in the letter.
    """
    first: list[Item] = []
    last: list[Item] = []
    for item in body.items:
        command = item.command if isinstance(item, ParsedCommand) else None
        waits = isinstance(command, Finish) or (last and isinstance(command, Wait))
        (last if waits else first).append(item)
    return first, last


def put_aside(
    context: LetterContext, body: Body, faults: Sequence[LineError], early: datetime | None
) -> None:
    """Refuse each FINAL of the letter if a line was not read, or an order was rejected.

    Call it when all the rest of the letter is carried out. A message, or a command that is not for
    the sheet, does not matter if it was read but could not be done. *early* is when the turn ended
    early before the letter: then its new orders take back an earlier FINAL.
    """
    finals = body.commanded(Finish)
    row, table = context.identity.seat, context.table
    if not finals or row is None or table is None or context.checking:
        return
    if table.game.status is GameStatus.ENDED:
        return
    rejected = _rejected(context.sheet) if context.sheet is not None else ()
    unfiled = _unfiled(context.sheet, body, table.game.turn)
    why = _obstacle(body, faults, rejected, unfiled) or reason_in_words(context, body)
    if why:
        context.file_sheet()
        if readiness.take_back_final(context, early):
            context.final_taken_back = _TAKEN_BACK
        refusal = _refusal(why, is_final=row.final_turn == table.game.turn)
        context.refused = {**context.refused, **{item.line: refusal for item in finals}}
        context.final_aside = True


def refusal_of_final(body: Body, rejected: Sequence[LineError], *, refused: bool) -> str:
    """Return why a FINAL of the letter would be put aside, or "".

    *rejected* are its orders that the rules reject. *refused* means that its orders, or its
    standing orders, cannot be filed at all.
    """
    why = _obstacle(body, (), rejected, _NOT_DONE if refused else "")
    return _refusal(why, is_final=False) if why else ""


def _refusal(why: str, *, is_final: bool) -> str:
    return f"Not carried out, because {why}. {_STILL_FINAL if is_final else SAY_FINAL}"


def _obstacle(
    body: Body, faults: Sequence[LineError], rejected: Sequence[LineError], unfiled: str
) -> str:
    """Return the first lines of the letter that are not done, in words, or "".

    A message, a diary entry or a command that is not for the sheet does not matter if it is read.
    *unfiled* says why none of its orders is on file for the turn of FINAL.
    """
    unread = (item for item in body.orders if isinstance(item, Unparsed))
    mistakes: list[LineError | Unparsed] = [
        item for item in unread if item.is_command or item.to_send or not item.is_words
    ]
    apart = {item.line for item in body.items if isinstance(item, PressBlock | DiaryBlock)}
    of_sheet = body.commanded(Add, Cancel, Clear)
    apart |= {item.line for item in body.commands if item not in of_sheet}
    if undone := mistakes or [fault for fault in faults if fault.line not in apart]:
        is_read = not all(isinstance(each, UnreadPart) for each in undone)
        return _named_as(undone, "not done" if is_read else "not read")
    return unfiled or (_named_as(rejected, "rejected") if rejected else "")


def _unfiled(sheet: OpenSheet | None, body: Body, turn: int) -> str:
    if sheet is None:
        return _NOT_DONE if body.sheet_lines else ""
    if sheet.turn <= turn:
        return ""
    return f"the orders of this email are for turn {sheet.turn} and it is turn {turn}"


def _named_as(parts: Sequence[LineError | Unparsed], what: str) -> str:
    """Return the parts not done, with their words: ``W7B5X and F60W were rejected``."""
    places = [f"line {part.line}" if part.line else "a part of this email" for part in parts]
    typed = (part.text.split("\n", 1)[0].rstrip(".") for part in parts)
    lines = [text or place for text, place in zip(typed, places, strict=True)]
    shown = [f"{line[:_MOST_SHOWN]}..." if len(line) > _MOST_SHOWN else line for line in lines]
    left = len(shown) - _MOST_NAMED
    named = listed([*shown[:_MOST_NAMED], *([f"{left} more"] if left > 0 else [])])
    return f"{named} {'was' if len(shown) == 1 else 'were'} {what}"


def _rejected(sheet: OpenSheet) -> list[LineError]:
    """Return the rejected orders of the letter itself."""
    entries = sheet.table.with_orders(sheet.draft.entries)
    faults = sheets.rejected(sheet.table, sheet.row, entries, sheet.turn)
    return [fault for fault in faults if fault.line]


_MOST: Final = 5
"""The number of attachments that are named."""
_MOST_QUOTED: Final = 100
"""The most quoted lines that are looked at."""
_ABOUT: Final = re.compile(
    r"\s*(?:(?:CHECK|GM)\b\s*)?(?:\[[^\[\]]*\]|[A-Z]{1,5}-[0-9]{1,9}(?:\s+T[0-9]+)?(?:\s*\[[^\[\]]*\])?)?"
    r"[\s,:;]*",
    re.IGNORECASE | re.ASCII,
)
"""Words that can precede the orders in a subject: CHECK, GM, our tag, or a heading."""
_MARKS: Final = " .!?\"'`*<>"
_WRITER: Final = re.compile(r"\s*(?:\[[^\[\]]{1,40}\]|\w[\w .'-]{0,40}:)[\s:]*")
"""A name before a line, as Outlook marks comments in a quote: ``[Dave]``, ``Dave:``."""
_TURN: Final = re.compile(r"T[0-9]+", re.IGNORECASE | re.ASCII)
_QUOTED: Final = "in a quote"
_LONG: Final = 20
"""The letters and figures with which a part of a line of ours is not somebody's own line."""
_CUT: Final = (
    f"The line {MARKER} ends your text, so what is below it was not read. Leave that line out and "
    "send the email again."
)
_ABOVE: Final = "If you typed it, send it again above the quote, and without a mark before it."


def unread(context: LetterContext, body: Body) -> Iterator[LineError]:
    """Yield the orders and commands in parts of an accepted letter that are not read.

    Each part of it, such as the signature, has one reason and names its first order or command.
    """
    own = context.own
    if context.identity.person is None:
        return
    if own.cut:
        yield LineError(own.cut, "", _CUT)
    for where, lines, instead in _parts(context):
        lost: list[Line] = []
        words: list[Line] = []
        for line in lines:
            is_lost = any(_is_lost(context, body, form) for form in _forms(where, line))
            (lost if is_lost else words).append(line)
        if lost := lost or (words if where == _QUOTED and not own.is_typed else []):
            more = f" Not read either: {counted(len(lost) - 1, 'more line')}." * (len(lost) > 1)
            reason = f"This line was not read, because it is {where}.{more} {instead}"
            yield LineError(lost[0].number, lost[0].text, reason)
    if context.reading.refused is not None:
        yield context.reading.refused
    yield from attachments(context, body)[:_MOST]


def _parts(context: LetterContext) -> Iterator[tuple[str, Iterable[Line], str]]:
    """Yield the parts that are not read: where each is, its lines, and what to do instead."""
    own, advised = context.own, context.effort.advised
    yield "in the subject", _in_subject(context), "Write it in the text."
    yield "in your signature", advised(_lines(context, own.signed)), "Write it above the signature."
    for block in (block for block in own.encoded if not block.closed):
        where = f"below the first line of {block.name}, which lacks its last line"
        lines = _lines(context, range(block.first + 1, block.last + 1))
        yield where, advised(lines), "Send it again without that line."
    below = "below a line of a quoted message, so it could be a part of it"
    yield below, advised(_lines(context, own.below_press)), _ABOVE
    yield _QUOTED, advised(_quoted(context)), _ABOVE


def _lines(context: LetterContext, numbers: Iterable[int]) -> Iterator[Line]:
    whole = context.letter.seen.whole
    return (Line(number, whole[number - 1]) for number in numbers)


def _quoted(context: LetterContext) -> Sequence[Line]:
    """Return the quoted lines that are not in our letter, which the sender may have typed.

    If no marks show where a quote ends, all lines below the name of its writer are looked at. Of a
    letter that answers none of ours there are some only if nothing else was typed. Then a short
    line is ours only as a whole: ``> FINAL`` is not a part of our sentences about FINAL.
    """
    own, reading = context.own, context.reading
    if not own.quoted or reading.edited or reading.refused:
        return ()
    ours = context.answered
    sent = ours.lines if ours is not None else None
    if own.named:
        text = "\n".join(sent.whole) if sent is not None else ""
        below = range(own.named + 1, len(context.letter.seen.whole) + 1)
        return [line for line in _lines(context, below) if line.text.strip() not in text]
    if sent is None and own.is_typed:
        return ()
    least = 1 if own.is_typed else _LONG
    return foreign_quotes(context.letter.seen, own, sent, least)[:_MOST_QUOTED]


def in_subject(subject: str) -> list[Line]:
    """Return the words of a subject, as a line, without reply prefixes, a tag and a heading."""
    words = " ".join(REPLY_PREFIX.sub("", subject[:MOST_CHARACTERS]).split())
    line = Line(0, _ABOUT.sub("", words, count=1).strip(_MARKS))
    return [line] if line.text else []


def _in_subject(context: LetterContext) -> Sequence[Line]:
    """Return the subject if it has orders or a command, and is not that of ours it answers."""
    lines = in_subject(context.letter.subject)
    return _not_ours(context, [line for line in lines if _is_lost(context, Body(), line)])


def _not_ours(context: LetterContext, found: Sequence[Line]) -> Sequence[Line]:
    """Return the lines *found* in the subject, if it is not that of our email that is answered."""
    ours = context.answered if found else None
    return [] if ours is not None and in_subject(subject_of(ours.sent.raw)) == found else found


def _is_lost(context: LetterContext, body: Body, line: Line) -> bool:
    """Return whether a line that is not read has an order or a command that is not in the text."""
    if _commands(line):
        return line.text.upper() not in (item.text.upper() for item in body.commands)
    if context.table is None:
        return False
    typed = [item.order for item in body.parsed]
    return any(order not in typed for order in orders_in(context.table.reader, line))


def _forms(where: str, line: Line) -> Iterator[Line]:
    """Yield the line, and in a quote the rest of it behind the name of its writer, too."""
    yield line
    if where == _QUOTED and (name := _WRITER.match(line.text)):
        yield replace(line, text=line.text[name.end() :])


def _commands(line: Line) -> bool:
    word = first_word(line)
    return word in command_words() and is_command(line, word, headed=False)


def orders_in(reader: Reader, line: Line) -> list[Any]:
    """Return the orders of a line that is not read; in a subject also codes among its words.

    The name of a turn is no code.
    """
    items = reader.read_lines([line], UNADVISED)
    orders = [item.order for item in items if isinstance(item, Parsed)]
    if orders or line.number:
        return orders
    among = reader.orders_among(line.text)
    codes = [code for code in among if not (code.isalpha() or _TURN.fullmatch(code))]
    return [order for code in codes for order in reader.orders_of(code)]


def unread_files(context: LetterContext) -> list[UnreadPart]:
    """Return the files, also in the text, that are not read and may hold orders; FINAL waits.

    There are none once its sender has confirmed it.
    """
    if context.identity.seat is None or context.identity.trust is Trust.CONFIRMED:
        return []
    found = {part.name: part.reason for part in context.letter.refused}
    found |= {str(block): block.reason for block in context.own.encoded if block.reason}
    return [
        UnreadPart(0, "" if name == unreadable.WHOLE else name, reason)
        for name, reason in found.items()
    ]


def question_of_final(context: LetterContext, body: Body) -> str:
    """Return the question before a FINAL next to unread files is carried out, or ""."""
    if not (body.has(Finish) and (files := unread_files(context))):
        return ""
    return f"We ask because {_named_as(files, 'not read')}, and may hold orders."


def attachments(context: LetterContext, body: Body) -> list[UnreadPart]:
    """Return the attachments that orders may be in, and why they are not read.

    There are none if the text has an order and no FINAL: then the attachments are named at the end
    of the answer, as everything else that was not read, but not other words of the email itself.
    Pictures are named only if the text has no
    order, command or message, and one that is embedded, such as a logo in a signature, only if
    nothing was typed.
    """
    found = unread_files(context)
    if context.identity.seat is None or (body.parsed and not body.has(Finish)):
        return [part for part in found if not part.text]
    if len(body.orders) < len(body.items) or body.parsed or context.reading.edited:
        return found
    named = {part.text for part in found}
    for part in context.letter.attachments:
        is_other = part.read or unreadable.is_business_card(part.name, part.kind)
        if part.name not in named and not is_other and not (context.own.is_typed and part.embedded):
            found.append(UnreadPart(0, part.name, unreadable.kind_in_words(part.kind)))
    return found


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
    lines = context.letter.seen.whole
    items: Sequence[Item] = [
        _beside_name(item, lines) if isinstance(item, Unparsed) and _is_name(item, names) else item
        for item in with_named(body).items
    ]
    table, row, turn = context.table, context.identity.seat, context.identity.about.turn
    if table is not None and row is not None and turn in (None, table.game.turn):
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
    if first_of_words(item.text).casefold() not in names:
        return False
    return names.issuperset(word.casefold() for word in words_of(item.text))


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
