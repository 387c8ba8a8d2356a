"""UNDO: what a letter did for its seat is taken back, as far as that can still be."""

from collections.abc import Callable, Mapping
from typing import Final

from referee.desk.orders.letter_context import Visit
from referee.desk.orders.readiness import set_readiness
from referee.desk.orders.sheets import OpenSheet, is_too_late
from referee.domain.commands import Undo
from referee.domain.sheets import Change
from referee.letters.outgoing.local_time import Moment
from referee.rules.ruleset import Mistake
from referee.store.games import games, sheets, undo_log
from referee.store.games.games import OnFile
from referee.store.games.press import Press
from referee.store.games.undo_log import Deed, DeedKind
from referee.store.models import Sheet


def take_back(visit: Visit, command: Undo) -> str:
    """Take back what can be of what the letter of a receipt did, or else the last letter's.

    What cannot be stays as it is, and the answer says why. Raises Mistake when nothing can be:
    whether a receipt that is not the asker's exists, he is not told.
    """
    visit.table_for_orders()
    receipt = _receipt(visit, command)
    undone, kept = [], []
    for deed in _open_deeds(visit, receipt):
        try:
            undone.append(_UNDOINGS[deed.kind](visit, deed))
        except Mistake as mistake:
            kept.append(str(mistake))
        else:
            deed.undone_id = visit.row.id
    if not undone:
        raise Mistake(" ".join(kept))
    what = "Only some of what" if kept else "What"
    return " ".join((f"{what} your letter of receipt {receipt} did is taken back.", *undone, *kept))


def _receipt(visit: Visit, command: Undo) -> int:
    if command.receipt is not None:
        return command.receipt
    last = undo_log.last(visit.session, visit.seat(), visit.row.id)
    if last is None:
        raise Mistake(
            "No letter of yours did anything that could be taken back. HISTORY tells all."
        )
    return last


def _open_deeds(visit: Visit, receipt: int) -> list[Deed]:
    """Give what a letter did and is not taken back. Raises Mistake when there is nothing."""
    row = visit.seat()
    done = undo_log.of_letter(visit.session, row, receipt)
    left = [deed for deed in done if deed.undone_id is None]
    if left and receipt != visit.row.id:
        return left
    if receipt == visit.row.id:
        raise Mistake("That is this letter itself. UNDO takes an earlier one back.")
    if done:
        raise Mistake(f"Receipt {receipt} was taken back already, by receipt {done[-1].undone_id}.")
    if undone := undo_log.undone_by(visit.session, row, receipt):
        raise Mistake(
            f"Receipt {receipt} only took back receipt {undone[0].letter_id}, and UNDO takes no "
            "UNDO back. Send again what is to count."
        )
    if any(letter.id == receipt for letter in undo_log.letters_of(visit.session, row)):
        raise Mistake(f"Your letter of receipt {receipt} did nothing that could be taken back.")
    raise Mistake(f"You have no letter of receipt {receipt} in {row.game.name}.")


def _undo_sheet(visit: Visit, deed: Deed) -> str:
    """Let the sheet count again that counted before the letter."""
    game = visit.playing().game
    if deed.turn < game.turn:
        raise Mistake(f"Turn {deed.turn} has been resolved with its orders.")
    if is_too_late(game, deed.turn, visit.row.arrived_at):
        raise Mistake(f"The deadline of turn {deed.turn} has passed, so its orders stand.")
    sheet = visit.sheet_of(deed.turn)
    if sheet.change not in (Change.NONE, Change.RESTORED):
        raise Mistake(
            "This letter has changed the sheet itself, above; write UNDO above the orders, or in "
            "a letter of its own."
        )
    revisions = games.revisions_of(visit.session, visit.seat(), deed.turn)
    if not revisions or revisions[-1].origin.id != deed.after[0]:
        raise Mistake(_changed_since(deed, revisions[-1] if revisions else None))
    return _restore(visit, sheet, deed)


def _changed_since(deed: Deed, counts: Sheet | None) -> str:
    if counts is None or counts.withdrawn:
        return f"Its sheet for turn {deed.turn} is not on file any more."
    receipt = counts.origin.letter_id
    if receipt < deed.letter_id:
        return f"Your sheet of receipt {receipt} counts for turn {deed.turn} already."
    return (
        f"Your sheet for turn {deed.turn} stays as it is, because receipt {receipt} has changed it "
        f"since: UNDO #{receipt} comes first."
    )


def _restore(visit: Visit, sheet: OpenSheet, deed: Deed) -> str:
    """File a revision that is the sheet of before, or that has nothing on file."""
    before = visit.session.get(Sheet, deed.before[0]) if deed.before else None
    orders = list(before.orders) if before is not None else []
    filed = sheet.filed or sheets.file_sheet(
        visit.session, sheet.row, sheet.turn, visit.row, orders, visit.now
    )
    filed = sheets.amend(visit.session, filed, orders, withdrawn=before is None, restores=before)
    if visit.sheet is None or visit.sheet is sheet:
        known = OnFile(orders, before.id, before.letter_id, before.filed_at) if before else None
        visit.sheet = OpenSheet(sheet.table, sheet.row, visit.row, sheet.turn, known, filed=filed)
    if before is None:
        return f"Nothing is on file for turn {deed.turn} now."
    since = Moment(before.filed_at, visit.zone)
    return f"Your sheet of receipt {before.letter_id}, from {since}, counts again."


def _undo_readiness(visit: Visit, deed: Deed) -> str:
    table, row = visit.table_for_orders(), visit.seat()
    if deed.turn != table.game.turn:
        raise Mistake(f"Turn {deed.turn} has been resolved, so its {deed.what} stands.")
    if [row.final_turn, row.wait_turn] != deed.after:
        raise Mistake(f"Its {deed.what} does not count any more.")
    set_readiness(table, row, deed.before, visit.now)
    state = "are ready" if row.final_turn == table.game.turn else "have not said FINAL"
    now = " Everybody is: the turn is resolved now." if table.game.ready_at is not None else ""
    return f"Its {deed.what} is taken back: you {state}.{now}"


def _undo_standing(visit: Visit, deed: Deed) -> str:
    row = visit.seat()
    if row.standing != deed.after:
        raise Mistake("Your standing orders have been changed since.")
    row.standing = list(deed.before)
    left = ", ".join(row.standing) or "none"
    return f"Your standing orders are as before: {left}."


def _undo_press(visit: Visit, deed: Deed) -> str:
    message = visit.session.get(Press, deed.after[0])
    # Of a message that is gone another one may have the number.
    if message is None or message.letter_id != deed.letter_id:
        raise Mistake(f"Its {deed.what} was taken back before.")
    if message.delivered_turn is not None:
        raise Mistake(f"Its {deed.what} has been delivered.")
    visit.session.delete(message)
    return f"Its {deed.what} is not delivered."


def _undo_vote(_visit: Visit, deed: Deed) -> str:
    raise Mistake(f"Its {deed.what} stays; while that vote is open, another VOTE changes it.")


_UNDOINGS: Final[Mapping[DeedKind, Callable[[Visit, Deed], str]]] = {
    DeedKind.SHEET: _undo_sheet,
    DeedKind.READY: _undo_readiness,
    DeedKind.STANDING: _undo_standing,
    DeedKind.PRESS: _undo_press,
    DeedKind.VOTE: _undo_vote,
}
