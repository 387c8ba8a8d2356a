"""The acknowledgement of a letter about an order sheet."""

from collections.abc import Collection, Sequence

from referee.desk.games import deadline_words, deadlines
from referee.desk.orders import doubt, elsewhere, readiness
from referee.desk.orders.letter_context import LetterContext
from referee.desk.orders.sheets import Filed, OpenSheet, ruled
from referee.desk.players import order_help
from referee.desk.players.help import asks, nearest_topic
from referee.desk.players.undo import kept_after
from referee.desk.reception.part_faults import missing_parts, try_part
from referee.desk.reports import report_guide
from referee.domain.commands import CountOrders
from referee.domain.sheets import source_of
from referee.letters.incoming.quoting import OwnText
from referee.letters.outgoing.acknowledgement_notice import Acknowledgement
from referee.letters.outgoing.local_time import Moment
from referee.letters.outgoing.notices import GuideOrders, LineError
from referee.parsing.body import Body
from referee.parsing.items import Unparsed
from referee.reports.text import text
from referee.rules.ruleset import Seat, Separator
from referee.rules.wording import counted
from referee.store.games import games, undo_log
from referee.store.games.undo_log import NOT_UNDONE, UndoEntry
from referee.store.models import GameStatus

_SHEET_WIDTH = 68


def acknowledgement(
    context: LetterContext, sheet: OpenSheet, body: Body, faults: Sequence[LineError], own: OwnText
) -> Acknowledgement:
    """Return the answer to a letter about a sheet: the rulings, the sheet and the forecast."""
    game, zone, before = sheet.table.game, context.zone, sheet.before
    filed = ruled(sheet, body.sheet_lines)
    expected = [item.command.count for item in body.commanded(CountOrders)]
    current, on_hold = sheet.turn == game.turn, game.status is GameStatus.HELD
    early = readiness.early_moment(game) if current else None
    grace = deadlines.end_of_grace(game, context.now) if current else None
    done = _done(context, sheet)
    forecast = _forecast(context, sheet, filed) if current else ""
    return Acknowledgement(
        receipt=context.receipt,
        game=game.name,
        turn=sheet.turn,
        arrived=context.arrived,
        filed=not sheet.checking,
        accepted=filed.rulings.accepted,
        warned=filed.rulings.warned,
        faults=order_help.pointed(sheet.table, filed.faults),
        undone=undone(context, faults),
        said=tuple(context.said),
        unused=filed.rulings.unused,
        forecast=forecast,
        unread=_unread(
            context, own, {name for name, _ in elsewhere.attachments(context, body, own)}
        ),
        deadline=Moment(game.due_at, zone) if game.due_at is not None else None,
        grace=Moment(grace, zone) if grace is not None else None,
        change=sheet.change,
        replaces=source_of(before.receipt) if before is not None else "",
        replaced=Moment(before.filed_at, zone) if before is not None else None,
        before=len(sheet.draft.on_file),
        lost=sheet.draft.lost,
        expected=expected[0] if expected else None,
        ready=early is not None and early <= context.now,
        early=Moment(early, zone) if early is not None and early > context.now else None,
        on_hold=on_hold,
        final=current and sheet.row.final_turn == game.turn,
        final_aside=context.final_aside,
        final_taken_back=context.final_taken_back,
        awaited=not current or sheet.table.awaits(sheet.row),
        emptied=current and _is_emptied(sheet),
        nearest=_nearest_help(context, sheet, body),
        standing=bool(sheet.row.standing) and not game.for_one,
        for_one=game.for_one,
        can_undo=sheet.undo_entry is not None or any(each.kind not in NOT_UNDONE for each in done),
        kept_by_undo=kept_after(done),
        coming=sheet.turn > game.turn,
        rolled_back=(rolled_back := deadline_words.after_rollback(context, sheet.row, sheet.turn)),
        not_yet="" if rolled_back else _not_yet(context, sheet),
        edited=context.reading is not None and context.reading.edited is not None,
        # Anybody can write a CHECK in a player's name; its orders are no sheet to edit and send.
        sheet=_sheet_lines(sheet) if _is_by_owner(context, sheet) else (),
        deputy=context.identity.deputy is not None,
        note=context.note,
        to_try=_to_try(context, sheet),
        doubt=doubt.reason_in_words(context, body) if sheet.filed and not before else "",
    )


def _is_by_owner(context: LetterContext, sheet: OpenSheet) -> bool:
    """Return whether the sheet has only orders of the player, or of a deputy."""
    return not sheet.checking or context.identity.is_believed


def _is_emptied(sheet: OpenSheet) -> bool:
    """Return whether the letter filed an empty sheet."""
    return sheet.filed is not None and not (sheet.filed.withdrawn or sheet.draft.entries)


def _nearest_help(context: LetterContext, sheet: OpenSheet, body: Body) -> str:
    """Return the topic of HELP nearest to a letter in which no order could be read, or ""."""
    unread = [item for item in body.sheet_lines if isinstance(item, Unparsed)]
    if len(unread) < len(body.orders) - len(body.mistyped):
        return ""
    # Small talk asks for no advice.
    asked = [item.text for item in unread if not item.is_words or asks(item.text)]
    words = [word for text in asked for word in text.split()]
    return try_part(context, "HELP", lambda: nearest_topic(words, sheet.table), "")


def _to_try(context: LetterContext, sheet: OpenSheet) -> tuple[GuideOrders, ...]:
    """Return the orders of the lesson in a tutorial, if the letter and the sheet have none."""
    table = sheet.table
    if sheet.turn != table.game.turn or sheet.draft.entries:
        return ()
    return try_part(context, "tutorial", lambda: report_guide.to_try(table, sheet.row), ())


def _not_yet(context: LetterContext, sheet: OpenSheet) -> str:
    """Return that nothing is on file for the current turn, if the sheet is for a future one."""
    table, row = sheet.table, sheet.row
    turn = table.game.turn
    if sheet.turn <= turn or sheet.checking or not table.awaits(row):
        return ""
    if games.on_file(context.session, row, turn) is not None:
        return ""
    if row.standing:
        return f"Nothing is on file for turn {turn}, so your standing orders run."
    due = table.game.due_at
    until = f"; its deadline is {Moment(due, context.zone)}" if due is not None else ""
    return f"Nothing is on file for turn {turn}{until}."


def _done(context: LetterContext, sheet: OpenSheet) -> list[UndoEntry]:
    """Return the letter's entries for UNDO, besides its sheet."""
    return undo_log.of_letter(context.session, sheet.row, context.row.id) if context.said else []


def undone(context: LetterContext, faults: Sequence[LineError]) -> tuple[LineError, ...]:
    """Return the parts not done, in the sequence of the letter's lines."""
    return tuple(sorted((*faults, *missing_parts(context)), key=lambda fault: fault.line))


def _sheet_lines(sheet: OpenSheet) -> tuple[str, ...]:
    """Return the orders of the sheet as lines to edit in a reply, several orders to a line."""
    alone = sheet.table.reader.separator is Separator.LINES
    lines: list[str] = []
    leaves = sheet.table.reader.leaves
    for order in sheet.draft.texts:
        joined = f"{lines[-1]} {order}" if lines else order
        apart = alone or "\n" in joined or not lines or len(joined) > _SHEET_WIDTH
        if apart or leaves(order) or leaves(lines[-1]):
            lines.append(order)
        else:
            lines[-1] = joined
    return tuple(line for order in lines for line in order.split("\n"))


def _forecast(context: LetterContext, sheet: OpenSheet, filed: Filed) -> str:
    table, seat = sheet.table, Seat(sheet.row.number)

    def drawn() -> str:
        return text(table.ruleset.forecast(table.state, seat, filed.orders))

    return try_part(context, "forecast", drawn, "")


def _unread(context: LetterContext, own: OwnText, named: Collection[str]) -> tuple[str, ...]:
    """Return the parts of the letter not read, or not readable, without those *named* above."""
    unread = []
    edited = context.reading.edited if context.reading is not None else None
    typed = {line.number for line in own.lines}
    read = sum(line.number not in typed for line in edited.lines) if edited is not None else 0
    if quoted := own.quoted - read:
        unread.append(counted(quoted, "quoted line"))
    if own.signature:
        unread.append("your signature")
    if own.disclaimer:
        unread.append("the disclaimer")
    refused = [part for part in context.letter.refused if part.name not in named]
    unread += [f"{part.name}: {part.reason}" for part in refused]
    others = {part.name for part in refused} | set(named)
    skipped = [part.name for part in context.letter.attachments if not part.read]
    unread += [name for name in skipped if name not in others]
    return tuple(dict.fromkeys(unread))
