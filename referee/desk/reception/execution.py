"""Execution of an accepted letter, item by item, with one letter as the answer."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, replace
from difflib import get_close_matches
from typing import Any, Final

from referee.desk.base.announcements import current_deadline
from referee.desk.base.identity import Trust
from referee.desk.base.outbox_writer import Addressing, mailbox, post
from referee.desk.games import gm_silence, house_rules
from referee.desk.gm import change_notices, last_change
from referee.desk.orders import doubt, readiness
from referee.desk.orders.command_entries import LASTING, Deed, Effect, Entry, For
from referee.desk.orders.gm_authority import DONE, NoChange, require_gm
from referee.desk.orders.letter_context import LetterContext, try_item
from referee.desk.orders.sheets import is_too_late, misreadings, put
from referee.desk.players import order_sheet, undo
from referee.desk.reception.answers import (
    Mask,
    _changes_sheet,
    answer,
    is_about_sheet,
    is_creator,
)
from referee.desk.reception.commands import (
    COMMANDS,
    COSTLY,
    changes_game,
    deed_of,
    effects,
    head_of,
    refuse_deputy,
    refuse_turn,
)
from referee.desk.seats.registration import JoinRefused
from referee.domain.commands import Cancel, Check, Clear, Command
from referee.domain.shares import Thing
from referee.letters.incoming.phrases import REPLY_PREFIX
from referee.letters.outgoing.acknowledgement_notice import Acknowledgement
from referee.letters.outgoing.local_time import Moment
from referee.letters.outgoing.notices import (
    CommandAnswers,
    CommandReply,
    LineError,
    TooLate,
    Unknown,
)
from referee.letters.outgoing.seat_notices import SheetChanged
from referee.parsing.advice import NO_ORDER
from referee.parsing.body import NO_COMMAND, Body, Item, ParsedCommand
from referee.parsing.gm_commands import COMMAND_MEANT
from referee.parsing.items import Parsed, Unparsed
from referee.parsing.lines import first_of_words
from referee.rules.ruleset import UserError
from referee.rules.wording import counted
from referee.store.games import games, undo_log
from referee.store.games.undo_log import UndoKind
from referee.store.models import Game, GameStatus, Sheet
from referee.store.people import deputies
from referee.store.people.deputies import Deputy, DeputyState

_PUBLIC_WORDS = frozenset({"HELP", "JOIN", "LIST", "PLAY"})
"""The first words of commands that people we do not know may send."""
_NO_SEAT_YET = "Not done: you had no seat yet. Send your orders again, in a reply to our email."
_UNDONE_BY_CHECK = "Not done, because this is a CHECK."
_SENT: Final = {
    True: {UndoKind.READY: "{}", UndoKind.PRESS: "a {}"},
    False: {UndoKind.READY: "{}"},
}
"""The changes of a deputy's letter that the player reads, and of a player's, the deputy."""


def execute(
    context: LetterContext,
    body: Body,
    waiting: Sequence[LineError] = (),
    others: Sequence[LineError] = (),
) -> str:
    """Carry out the letter in the order typed, and answer it in one letter.

    Of lines that wait for an answer, *waiting* says so; other lines of the email that confirms this
    one, the *others*, are not done.

    All its orders form one sheet; each command sees the sheet as it is at that line. Items that
    cannot be done are answered in their place and do not affect the others. FINAL comes last,
    because it counts only if all the rest was done. Returns a note for the inbox.
    """
    faults = [*waiting]
    _hear_gm(context, body)
    context.checking = is_check(context, body)
    # Only a command changes house rules.
    rules = house_rules.of_letter(context) if body.commands else None
    game, seat = context.identity.game, context.identity.seat
    by_gm = game is not None and any(map(changes_game, body.items))
    was = last_change.before(game) if by_gm and game is not None else None
    has_begun = seat is not None and context.table is not None
    deputy = deputies.acting(context.session, seat) if has_begun and seat is not None else None
    before = games.sheet_of(context.session, deputy.seat, deputy.seat.game.turn) if deputy else None
    table, is_known = context.table, context.identity.person is not None
    early = readiness.early_moment(table.game) if table is not None else None
    # Mistyped commands never count as orders.
    mistyped = misreadings(body.mistyped) if is_known else unparsed(context, body)
    _open_sheet(context, body, faults)
    faults.extend((*mistyped, *doubt.unread(context, body)))
    first, last = doubt.with_final_last(body)
    _execute_items(context, first, faults)
    _close_sheet(context, body, faults)
    doubt.put_aside(context, body, faults, early)
    _execute_items(context, last, faults)
    context.said.sort(key=lambda said: said.line)
    context.file_sheet()
    context.final_taken_back += readiness.take_back_final(context, early)
    if body.commands:
        house_rules.revise(context, rules)
        all_of_it = not (context.undoes or body.press) and effects(body).isdisjoint(LASTING)
        last_change.note(context, was, all_of_it=all_of_it)
    change_notices.notify(context, was)
    for report in [*context.reports.values()]:
        report()
    if deputy is not None:
        _notify_of_letter(context, deputy, before)
    answer(context, [*faults, *others], body)
    sheet = context.sheet
    return "read" if sheet is None else f"{counted(len(sheet.draft.entries), 'order')} on the sheet"


def _notify_of_letter(context: LetterContext, deputy: Deputy, before: Sheet | None) -> None:
    """Notify the player of what the deputy sent, or the deputy of a sheet or FINAL of the player.

    *before* is the sheet that was on file.
    """
    seat, game = deputy.seat, deputy.seat.game
    theirs = context.identity.deputy is not None
    after = games.sheet_of(context.session, seat, game.turn)
    done = undo_log.of_letter(context.session, seat, context.row.id)
    sent = ["a new sheet"] if after is not before else []
    sent += [
        _SENT[theirs][each.kind].format(each.what) for each in done if each.kind in _SENT[theirs]
    ]
    # The letter itself may have ended the deputyship.
    is_acting = deputy.state is DeputyState.ACTING
    reader = seat.person if theirs else deputy.person
    if not sent or reader is None or deputy.person is None or not (theirs or is_acting):
        return
    notice = SheetChanged(
        game=game.name,
        turn=game.turn,
        seat=seat.name,
        by_deputy=theirs,
        receipt=context.receipt,
        sent=tuple(sent),
        orders=tuple(after.orders) if after is not None else (),
        deadline=current_deadline(game, reader.zone, context.now),
    )
    addressing = Addressing(mailbox(reader), f"sheet{context.row.id}", game=game, seat=seat)
    addressing = replace(addressing, turn=game.turn, deputy=None if theirs else deputy)
    post(context.desk, notice, addressing)
    if theirs and is_acting:
        context.note = (
            f"{context.note} You are deputy for {seat.name} {deputy.days}. Its player is notified."
        ).strip()


def _execute_items(context: LetterContext, items: Iterable[Item], faults: list[LineError]) -> None:
    for item in items:
        context.effort.check()
        try:
            said = _execute_item(context, item)
        except NoChange as same:
            context.said.append(CommandReply(item.line, head_of(item), str(same), is_answer=True))
        except UserError as mistake:
            faults.append(fault(context, item, mistake))
        else:
            if said is not None and said.answer:
                context.said.append(said)


def _execute_item(context: LetterContext, item: Item) -> CommandReply | None:
    """Carry out an item. A change to the open sheet is filed with the orders below it."""
    match item:
        case Unparsed():
            return None
        case Parsed():
            refuse_deputy(context.identity, item)
            if (sheet := context.sheet) is not None:
                try_item(context, "render", lambda: put(sheet, item))
            return None
        case ParsedCommand(command=command):
            return _execute_command(context, item, command)
    _refuse(context, item)
    return CommandReply(item.line, head_of(item), deed_of(context, item).do())


def _execute_command(
    context: LetterContext, item: ParsedCommand, command: Command
) -> CommandReply | None:
    entry = COMMANDS[type(command)]
    if entry.prepare is None:
        return None
    asks = entry.effect is Effect.ASKS
    if not order_sheet.is_about_open_sheet(context, command):
        context.file_sheet()
        _refuse(context, item, entry)
    if asks:
        # It changed nothing, so nothing has to be undone.
        answer = try_item(context, entry.topic, lambda: deed_of(context, item).do())
    else:
        answer = _done(context, entry, deed_of(context, item))
        undo.note_lasting(context, command)
    if entry.changes_game:
        context.reload()
    is_asked = any(each is command for each in context.with_gm)
    return CommandReply(item.line, item.text, answer, asks, is_asked)


def _done(context: LetterContext, entry: Entry[Any], deed: Deed) -> str:
    """Do a deed, and return its answer, with what nobody was shown before it was done."""
    answer = deed.do()
    if entry.effect is not Effect.CHANGES or context.identity.trust is Trust.CONFIRMED:
        return answer
    said = answer.removeprefix(DONE)
    return f"{DONE}{deed.says}" if said == deed.says else f"{DONE}{deed.says} {said}"


def _refuse(context: LetterContext, item: Item, entry: Entry[Any] | None = None) -> None:
    """Raise UserError if the preview showed the item as refused, or if a CHECK would change more.

    Of a pending letter only the rest was confirmed.
    """
    refuse_deputy(context.identity, item)
    if item.line in context.refused:
        raise UserError(context.refused[item.line])
    if context.checking and (entry is None or entry.effect is not Effect.ASKS):
        if entry is not None and entry.who is For.GM:
            require_gm(context, *GameStatus)
        raise UserError(_UNDONE_BY_CHECK)


def _open_sheet(context: LetterContext, body: Body, faults: list[LineError]) -> None:
    """Open the sheet that the letter is about, if any, or add the reason why that fails."""
    if not is_about_sheet(body):
        return
    if _is_gm_typo(context, body):
        faults.extend(map(_to_gm, misreadings(body.sheet_lines)))
        return
    try:
        table = context.table_for_orders()
        turn = context.turn_of_orders()
        refuse_turn(context.identity, table.game, turn)
        sheet = context.sheet_found(turn)
    except UserError as mistake:
        if context.identity.person is not None:
            faults.extend(without_sheet(body, mistake))
        return
    sheet.checking = context.checking
    if not is_too_late(table.game, sheet.turn, context.row.arrived_at):
        context.sheet = sheet
        return
    has_orders = bool(body.parsed)
    faults.extend(
        each for each in misreadings(body.sheet_lines) if not (has_orders and each.is_words)
    )
    if has_orders or not body.commands or body.has(Cancel, Check, Clear):
        late = _late(context, table.game, sheet.turn, has_orders=has_orders)
        context.letters.append((late, context.addressing("late")))


def _close_sheet(context: LetterContext, body: Body, faults: list[LineError]) -> None:
    """Close the open sheet if the letter itself has ended the game."""
    if context.sheet is None:
        return
    try:
        context.table_for_orders()
    except UserError as mistake:
        context.sheet = None
        faults.extend(without_sheet(body, mistake))


def _late(context: LetterContext, game: Game, turn: int, *, has_orders: bool) -> TooLate:
    """Return the answer to a late letter; to one in time for its deadline, when the turn ended."""
    early = None
    if 0 < turn < game.turn:
        row = games.turn_of(context.session, game, turn)
        if row.deadline_at is not None and row.resolved_at is not None:
            early = row.resolved_at if row.resolved_at < row.deadline_at else None
    return TooLate(
        game.name,
        turn,
        game.turn,
        current_deadline(game, context.zone, context.now),
        context.receipt,
        early=Moment(early, context.zone) if early is not None else None,
        has_orders=has_orders,
        counted=readiness.what_counted(context, turn) if has_orders else "",
    )


def _is_gm_typo(context: LetterContext, body: Body) -> bool:
    """Return whether all unparsed lines are mistyped commands of a GM who sends for no seat."""
    if not _speaks_as_gm(context, body) or not context.identity.is_gm:
        return False
    return not (body.has(Check, Cancel) or body.parsed) and bool(body.sheet_lines)


def _to_gm(fault: LineError) -> LineError:
    """Return the line error with advice about commands: a GM sends no orders."""
    word, *_ = fault.text.upper().split() or [""]
    is_words = fault.is_words and word not in COMMAND_MEANT
    if not fault.is_words and fault.reason not in (NO_ORDER.reason, NO_COMMAND):
        return fault
    advice = COMMAND_MEANT.get(word, "HELP GM ALL lists all commands.")
    return replace(fault, is_words=is_words, reason="This is not a command.", advice=advice)


def _speaks_as_gm(context: LetterContext, body: Body) -> bool:
    """Return whether a GM's letter is not a player's: by its heading, or for lack of a seat."""
    return context.identity.seat is None or (body.heading is not None and body.heading.by_gm)


def _hear_gm(context: LetterContext, body: Body) -> None:
    """Record that a GM has written, if the letter is proven to be theirs and about one game."""
    identity = context.identity
    # Nearly every letter is a player's, and to ask for the GMs of the game is a query.
    if not (_speaks_as_gm(context, body) and identity.trust.is_believed and identity.is_gm):
        return
    if identity.game is not None and identity.person is not None:
        gm_silence.hear(context.session, identity.game, identity.person, context.now)


def is_check(context: LetterContext, body: Body) -> bool:
    """Return whether the letter is only ruled on: CHECK is in it or begins its subject.

    In a GM's letter only the command counts, because a GM has no sheet to be checked.
    """
    if _speaks_as_gm(context, body) and context.identity.is_gm:
        return body.has(Check)
    subject = REPLY_PREFIX.sub("", context.letter.subject)
    return body.has(Check) or first_of_words(subject.upper()) == "CHECK"


def unparsed(context: LetterContext, body: Body) -> tuple[LineError, ...]:
    """Return the lines not understood; strangers get advice without their own words."""
    if context.identity.person is not None:
        misread = misreadings(body.orders)
        return tuple(map(_to_gm, misread)) if _is_gm_typo(context, body) else misread
    if is_creator(context):
        return misreadings(body.mistyped)
    return tuple(_misread_commands(context, body))


def fault(context: LetterContext, item: Item | None, mistake: UserError) -> LineError:
    """Return the line error of a mistake; for a stranger, without their own words.

    One whose mailbox is proven has written these.
    """
    unproven = context.identity.person is None and not context.identity.trust.is_proven
    if unproven and not is_creator(context):
        return _masked(context, item, str(mistake))
    head = head_of(item)
    line = item.line if item is not None and head else 0
    instead = mistake.form if isinstance(mistake, JoinRefused) else ""
    return LineError(line, head, str(mistake), instead=instead)


def _misread_commands(context: LetterContext, body: Body) -> Iterator[LineError]:
    """Yield the errors in a stranger's letter, without its words.

    They have no orders, so these are only mentioned next to a command, such as JOIN.
    """
    public = _PUBLIC_WORDS if context.site.creators is not None else _PUBLIC_WORDS | {"CREATE"}
    for item in body.orders:
        word = next(iter(item.text.upper().split()), "")
        if item in body.mistyped and get_close_matches(word, public, n=1, cutoff=0.75):
            reason = f"{item.reason} {item.advice}".strip()
            yield _masked(context, item, reason)
        elif body.commands and (isinstance(item, Parsed) or not item.is_words):
            yield LineError(item.line, "", _NO_SEAT_YET)


def _masked(context: LetterContext, item: Item | None, reason: str) -> LineError:
    """Return the error in an item, with no word of it that is not ours."""
    line, text = (item.line, getattr(item, "text", "")) if item is not None else (0, "")
    return replace(Mask.public(context.site).fault(LineError(line, text, reason)), text="")


def without_sheet(body: Body, mistake: UserError) -> Iterator[LineError]:
    """Yield the lines that have no sheet, and why; words next to a command need none."""
    lines = misreadings(body.sheet_lines)
    wants_sheet = bool(body.parsed) or _changes_sheet(body)
    first = next((line for line in lines if not line.is_words), None)
    if first is not None and not wants_sheet:
        advice = f"{first.advice} {mistake}".strip()
        yield from (replace(line, advice=advice) if line is first else line for line in lines)
        return
    if wants_sheet or not body.commands:
        yield LineError(0, "", str(mistake))
    yield from lines


_EXITS: Final = frozenset({"HOLD", "SET TOKENS", "STATUS", "UNDO"})
"""The commands that end an attack, or show it, if they have no words of their own."""
_REPEATED: Final = (
    "Not done, because one email answers each question once. Send it in another email."
)


def exit_of(body: Body) -> str:
    """Return the command of a letter that has no other item, if it ends an attack, or ""."""
    items = [item for item in body.items if not (isinstance(item, Unparsed) and item.is_words)]
    commands = [item.command for item in items if isinstance(item, ParsedCommand)]
    if len(items) != 1 or not commands or any(astuple(commands[0])):
        return ""
    topic = COMMANDS[type(commands[0])].topic
    return topic if topic in _EXITS else ""


def repeated(body: Body) -> Mapping[int, str]:
    """Return, by line, why a question that the letter has asked before is not answered.

    What costs much is answered once in any form. Any other question is answered once in the same
    form, and again after a command that can change the answer.
    """
    refused: dict[int, str] = {}
    asked: set[Command] = set()
    costly: set[type[Command]] = set()
    for item in body.commands:
        kind = type(item.command)
        if COMMANDS[kind].effect is not Effect.ASKS:
            asked.clear()
        elif item.command in asked or kind in costly:
            refused[item.line] = _REPEATED
        elif kind in COSTLY:
            costly.add(kind)
        else:
            asked.add(item.command)
    return refused


def thing_of(context: LetterContext) -> Thing:
    """Return the thing that the answer is to a letter that was carried out.

    A letter that changed nothing is IDLE if it asked nothing, or if it has other words too: that is
    how a program answers our answers, whatever it quotes of them.
    """
    if has_changed_something(context):
        return Thing.CHANGE if context.identity.trust.is_believed else Thing.WORK
    sheet, notices = context.sheet, [notice for notice, _ in context.letters]
    if sheet is not None and sheet.checking and any(each.line for each in sheet.draft.entries):
        return Thing.WORK
    idle = (Acknowledgement, CommandAnswers, Unknown)
    is_filed = sheet is not None and sheet.filed is not None
    asks = context.said or is_filed or any(not isinstance(each, idle) for each in notices)
    by_lines = (each for each in notices if isinstance(each, CommandAnswers | Acknowledgement))
    has_words = any(not fault.filed for each in by_lines for fault in each.faults)
    return Thing.WORK if asks and not has_words else Thing.IDLE


def has_changed_something(context: LetterContext) -> bool:
    """Return whether the letter changed its sheet, the game or something of its sender.

    The same orders as before change nothing: a program that copies our answer repeats all of them.
    """
    if any(not said.is_answer for said in context.said):
        return True
    sheet = context.sheet
    if sheet is None or sheet.filed is None:
        return False
    before = sheet.before
    return sheet.filed.withdrawn or before is None or {*before.orders} != {*sheet.filed.orders}
