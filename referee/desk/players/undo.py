"""UNDO: the effects of a letter on its seat are taken back, if that is still possible."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from referee.desk.base.identity import ConfirmationTerms
from referee.desk.orders.command_entries import Deed, Effect, For, command
from referee.desk.orders.letter_context import LetterContext
from referee.desk.orders.readiness import early_moment, end_in_words, set_readiness
from referee.desk.orders.sheets import OpenSheet, is_too_late
from referee.domain import commands
from referee.domain.commands import Command, Undo
from referee.domain.sheets import Change
from referee.domain.tokens import Kind
from referee.letters.outgoing.local_time import Moment
from referee.rules.ruleset import UserError
from referee.store.games import games, undo_log
from referee.store.games.diaries import DiaryEntry
from referee.store.games.press import Press
from referee.store.games.undo_log import NOT_UNDONE, UndoEntry, UndoKind
from referee.store.mail import inbox, mail_queries
from referee.store.models import InboxLetter, Sheet

_EARLIER: Final = "HISTORY shows what your other emails did; UNDO #1 takes back the first."


@command(Undo, "UNDO", For.SEAT, Effect.BINDS, shown_in="undo")
def undo(context: LetterContext, given: Undo) -> Deed:
    """UNDO takes back what can still be undone of the letter with that receipt, or of the last one.

    The last one is that which did something, so a letter that anyone could have sent is never in
    the way of an UNDO. Our questions about it and newer ones no longer wait. With a receipt, and in
    reply to a question, UNDO is about that letter alone. Only such a reply ends the question about
    a command that ends an attack, so that nobody can stop it.
    The answer says why the rest is unchanged. Raises UserError if nothing can be undone. The error
    does not reveal whether a receipt of another sender exists.
    """
    context.table_for_orders()
    session, row = context.session, context.seat()
    entries, answered = _entries(context, given), context.identity.asked(Kind.QUESTION)
    first = entries[0].letter_id if entries else answered or 0
    last = context.row.id - 1 if given.receipt is None and answered is None else first
    held = mail_queries.held_of(session, row.game, row.person, row)
    asked = [
        each
        for each in held
        if first <= each.id <= last and (each.id == answered or not _ends_attack(each))
    ]
    if not entries and not asked:
        raise UserError(
            "You have sent nothing that can be taken back. HISTORY shows what your emails did."
        )

    def take_back() -> str:
        undone, kept = [], []
        for entry in entries:
            try:
                undone.append(_UNDOINGS[entry.kind](context, entry))
            except UserError as mistake:
                kept.append(str(mistake))
            else:
                entry.undone_id = context.row.id
        if not undone and not asked:
            raise UserError(" ".join((*kept, _EARLIER)))
        what = "Only some of what" if kept else "What"
        said = [f"{what} your email #{context.receipt_of(first)} did is taken back."]
        return " ".join((*(said if undone else ()), *undone, *kept, *_withdrawn(context, asked)))

    is_meant = given.receipt is not None or not entries
    return Deed(
        "" if is_meant else f"This takes back your email #{context.receipt_of(first)}.", take_back
    )


def _ends_attack(letter: InboxLetter) -> bool:
    terms = ConfirmationTerms.kept_with(letter)
    return terms is not None and bool(terms.exit)


def _withdrawn(context: LetterContext, asked: Sequence[InboxLetter]) -> Iterator[str]:
    """End the questions about these letters, and yield which letters they were about."""
    for letter in asked:
        letter.end_question(f"taken back by email #{context.row.id}")
    for at in dict.fromkeys(Moment(each.arrived_at, context.zone) for each in asked):
        yield f"Our question about the email of {at} no longer waits for your answer."


def note_lasting(context: LetterContext, command: Command) -> None:
    """Record a command whose effect stays after an UNDO of its letter, if this is one."""
    row, table = context.identity.seat, context.table
    what, _ = _LASTING.get(type(command), ("", ""))
    if not what or row is None or table is None or context.identity.deputy is not None:
        return
    undo_log.note(context.session, row, context.row, UndoKind.LASTING, what)


def _entries(context: LetterContext, given: Undo) -> list[UndoEntry]:
    """Return the entries of the letter to take back, none if it is to be the last and none did."""
    if given.receipt is not None:
        return _open_entries(context, given.receipt)
    last = context.identity.asked(Kind.QUESTION)
    if last is None:
        last = undo_log.last(context.session, context.seat(), context.row.id)
    return undo_log.of_letter(context.session, context.seat(), last) if last is not None else []


def _open_entries(context: LetterContext, receipt: int) -> list[UndoEntry]:
    """Return a letter's entries that are not yet undone. Raises UserError if there are none."""
    session, row = context.session, context.seat()
    if receipt == context.receipt:
        raise UserError("That is this email itself. UNDO takes an earlier one back.")
    letter = inbox.letter_with(session, row, receipt) or 0
    done = undo_log.of_letter(session, row, letter)
    left = [entry for entry in done if entry.undone_id is None]
    taken = [entry for entry in done if entry.undone_id is not None]
    if left and not (taken and all(entry.kind in NOT_UNDONE for entry in left)):
        return left
    if taken:
        by = context.receipt_of(taken[-1].undone_id or 0)
        raise UserError(f"#{receipt} was already taken back, by #{by}.")
    if undone := undo_log.undone_by(session, row, letter):
        earlier = context.receipt_of(undone[0].letter_id)
        raise UserError(
            f"#{receipt} only took back #{earlier}, and an UNDO cannot be undone. Send the orders "
            "again."
        )
    if any(each.id == letter for each in undo_log.letters_of(session, row)):
        raise UserError(f"Your email #{receipt} did nothing that can be taken back.")
    raise UserError(f"You sent no email with receipt #{receipt} in {row.game.name}.")


def _undo_sheet(context: LetterContext, entry: UndoEntry) -> str:
    """Restore the sheet that was on file before the letter."""
    game = context.playing().game
    if entry.turn < game.turn:
        raise UserError(
            f"Turn {entry.turn} is resolved, so its orders can no longer be taken back."
        )
    if is_too_late(game, entry.turn, context.row.arrived_at):
        raise UserError(f"The deadline of turn {entry.turn} has passed, so its orders are final.")
    sheet = context.sheet_of(entry.turn)
    if sheet.change not in (Change.NONE, Change.RESTORED):
        raise UserError(
            "This email has already changed the sheet. Write UNDO above the orders, or in a "
            "separate email."
        )
    revisions = games.revisions_of(context.session, context.seat(), entry.turn)
    if not revisions or revisions[-1].origin.id != entry.after[0]:
        raise UserError(_changed_since(context, entry, revisions[-1] if revisions else None))
    return _restore(context, sheet, entry)


def _changed_since(context: LetterContext, entry: UndoEntry, counts: Sheet | None) -> str:
    if counts is None or counts.withdrawn:
        return f"Its sheet for turn {entry.turn} is no longer on file."
    source = context.source_of(counts.origin.letter_id)
    if counts.origin.letter_id < entry.letter_id:
        return f"Your sheet from {source} is already in effect for turn {entry.turn}."
    advice = "" if counts.by_gm else f" Write UNDO {source} first."
    return (
        f"Your sheet for turn {entry.turn} is unchanged, because {source} has changed it since."
        f"{advice}"
    )


def _restore(context: LetterContext, sheet: OpenSheet, entry: UndoEntry) -> str:
    """File a revision that restores the earlier sheet, or that leaves nothing on file."""
    before = context.session.get(Sheet, entry.before[0]) if entry.before else None
    orders = list(before.orders) if before is not None else []
    filed = sheet.filed or games.file_sheet(
        context.session, sheet.row, sheet.turn, context.row, orders, context.now
    )
    filed = games.amend(context.session, filed, orders, withdrawn=before is None, restores=before)
    if context.sheet is None or context.sheet is sheet:
        context.session.flush()
        known = games.on_file(context.session, sheet.row, sheet.turn)
        context.sheet = OpenSheet(
            sheet.table, sheet.row, context.row, sheet.turn, known, filed=filed
        )
    if before is None:
        return f"Nothing is on file for turn {entry.turn} now."
    since = Moment(before.filed_at, context.zone)
    source = context.source_of(before.letter_id)
    return f"Your sheet from {source}, filed on {since}, is in effect again."


def _undo_readiness(context: LetterContext, entry: UndoEntry) -> str:
    table, row = context.table_for_orders(), context.seat()
    if entry.turn != table.game.turn:
        raise UserError(
            f"Turn {entry.turn} has been resolved, so its {entry.what} cannot be taken back."
        )
    if [row.final_turn, row.wait_turn] != entry.after:
        raise UserError(f"Its {entry.what} is no longer in effect.")
    set_readiness(context.session, table, row, entry.before, context.now)
    state = "are ready" if row.final_turn == table.game.turn else "have not sent FINAL"
    taken = f"Its {entry.what} is taken back: you {state}."
    if early_moment(table.game) is None:
        return taken
    return f"{taken} So is everyone: {end_in_words(table.game, context.zone, context.now)}"


def _undo_standing(context: LetterContext, entry: UndoEntry) -> str:
    row = context.seat()
    if row.standing != entry.after:
        raise UserError("Your standing orders have been changed since.")
    row.standing = list(entry.before)
    left = ", ".join(row.standing) or "none"
    return f"Your standing orders are again: {left}."


def _undo_press(context: LetterContext, entry: UndoEntry) -> str:
    message = context.session.get(Press, entry.after[0])
    # Numbers of deleted messages are used again, so check that it is the same one.
    if message is None or message.letter_id != entry.letter_id:
        raise UserError(f"Its {entry.what} was already taken back.")
    if message.delivered_turn is not None:
        raise UserError(f"Its {entry.what} has been delivered.")
    context.session.delete(message)
    return f"Its {entry.what} is not delivered."


def _undo_diary(context: LetterContext, entry: UndoEntry) -> str:
    item = context.session.get(DiaryEntry, entry.after[0])
    # Numbers of deleted entries are used again, as those of messages are.
    if item is None or item.letter_id != entry.letter_id:
        raise UserError(f"Its {entry.what} was already deleted.")
    context.session.delete(item)
    return f"Its {entry.what} is deleted."


def _undo_vote(_context: LetterContext, entry: UndoEntry) -> str:
    raise UserError(
        f"Its {entry.what} is unchanged. While that vote is open, another VOTE changes it."
    )


def _undo_lasting(_context: LetterContext, entry: UndoEntry) -> str:
    remedies = dict(_LASTING.values())
    raise UserError(f"Its {entry.what} is not taken back: {remedies[entry.what]}.")


_LASTING: Final[Mapping[type[Command], tuple[str, str]]] = {
    commands.Absent: ("ABSENT", "ABSENT NONE says that you are not away"),
    commands.NoAbsence: ("ABSENT NONE", "send ABSENT again"),
    commands.NameDeputy: ("DEPUTY", "DEPUTY NONE ends it"),
    commands.DropDeputy: ("DEPUTY NONE", "send DEPUTY again"),
    commands.Recall: ("CANCEL of a message", "send the message again"),
    commands.DeleteEntry: ("DIARY DELETE", "the entry is gone"),
    commands.RenewTokens: ("SET TOKENS", "earlier reply addresses stay void"),
    commands.SetAddress: ("SET ADDRESS", "send SET ADDRESS again"),
    commands.SetAttachments: ("SET ATTACHMENTS", "send SET ATTACHMENTS again"),
    commands.SetDigest: ("SET DIGEST", "send SET DIGEST again"),
    commands.SetFormat: ("SET FORMAT", "send SET FORMAT again"),
    commands.SetHtml: ("SET HTML", "send SET HTML again"),
    commands.SetName: ("SET NAME", "send SET NAME again"),
    commands.SetQuiet: ("SET QUIET", "send SET QUIET again"),
    commands.SetReminders: ("SET REMINDERS", "send SET REMINDERS again"),
    commands.SetRevealed: ("SHARE", "send SHARE again"),
    commands.SetSecondAddress: ("SET SECOND ADDRESS", "send SET SECOND ADDRESS again"),
    commands.SetZone: ("SET ZONE", "send SET ZONE again"),
}
"""Changes that UNDO does not take back, as they are called, and what does."""

_UNDOINGS: Final[Mapping[UndoKind, Callable[[LetterContext, UndoEntry], str]]] = {
    UndoKind.SHEET: _undo_sheet,
    UndoKind.READY: _undo_readiness,
    UndoKind.STANDING: _undo_standing,
    UndoKind.PRESS: _undo_press,
    UndoKind.DIARY: _undo_diary,
    UndoKind.VOTE: _undo_vote,
    UndoKind.LASTING: _undo_lasting,
}
