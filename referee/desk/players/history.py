"""HISTORY: the effects of a player's letters on the seat, and the results of past turns."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from referee.desk.orders.command_entries import For, question
from referee.desk.orders.letter_context import LetterContext
from referee.desk.reports.game_end import result
from referee.domain.commands import History as HistoryCommand
from referee.letters.outgoing.local_time import Moment
from referee.letters.outgoing.notices import History
from referee.rules.ruleset import UserError
from referee.rules.wording import counted
from referee.store import Session
from referee.store.games import games, undo_log
from referee.store.games.undo_log import UndoEntry
from referee.store.mail import mail_queries
from referee.store.models import GameStatus, InboxLetter, SeatRow, Sheet, TurnRow

_UNDONE = "undone by a rollback"


@question(HistoryCommand, "HISTORY", For.SEAT, shown_in="history", answer=History)
def answer_history(context: LetterContext, command: HistoryCommand) -> str:
    """HISTORY. The history is a letter of its own."""
    return context.mail(_history(context, command.turn), f"history{len(context.letters)}x")


def _history(context: LetterContext, turn: int | None) -> History:
    """Return the history of the seat's player for *turn*, or without a turn, since the current one.

    Raises UserError if nothing is on file for a future turn. The letters of an earlier player of
    the seat are left out.
    """
    session, row, game = context.session, context.seat(), context.playing().game
    if turn is not None and turn > game.turn and not _filed(session, row, turn):
        raise UserError(
            f"Nothing is on file for turn {turn} yet. The current turn of {game.name} is "
            f"{game.turn}."
        )
    done = undo_log.since(session, row, game.turn if turn is None else turn)
    if turn is not None:
        done = [entry for entry in done if entry.turn == turn]
    past = [each for each in games.turns_of(session, game) if each.resolved_at is not None]
    earlier = undo_log.letters_of(session, row)
    letters = {letter.id: letter for letter in (*earlier, context.row)}
    idle = ", ".join(_idle(session, earlier, past, row, turn))
    resolved = [*games.undone_turns(session, game), *past]
    shown = [each for each in resolved if turn in (None, each.number)]
    return History(
        game=game.name,
        seat=row.name,
        turn=turn,
        running=game.turn,
        ended=game.status is GameStatus.ENDED,
        letters=(
            *_letters(context, done, letters),
            *([f"Changed no orders, messages or votes: {idle}"] if idle else []),
        ),
        sheets=tuple(_sheets(context, row, done, turn)),
        turns=tuple(_turn_result(each, row) for each in shown if _is_own(each, row)),
        outcomes=tuple(_outcomes(resolved, row, turn)),
        reports=tuple(_reports(session, row)),
        result=_result(context),
    )


def _result(context: LetterContext) -> str:
    """Return the result of a game that has ended, as a sentence, or ""."""
    table = context.playing()
    return result(context.session, table) if table.game.status is GameStatus.ENDED else ""


def _filed(session: Session, row: SeatRow, turn: int) -> bool:
    if games.revisions_of(session, row, turn) or games.undone_revisions_of(session, row, turn):
        return True
    undone = games.undone_turns(session, row.game)
    return any(each.number == turn and _is_own(each, row) for each in undone)


def _letters(
    context: LetterContext, done: list[UndoEntry], letters: dict[int, InboxLetter]
) -> Iterator[str]:
    """Yield the effects of each letter, including UNDO, in the order of arrival."""
    undoing = {entry.undone_id for entry in done if entry.undone_id is not None}
    for number in sorted({entry.letter_id for entry in done} | undoing):
        if number not in letters:
            continue
        said = [_called(context, entry, letters) for entry in done if entry.letter_id == number]
        back = dict.fromkeys(entry.letter_id for entry in done if entry.undone_id == number)
        said += [
            f"took back #{_receipt(context, letters[each])}" for each in back if each in letters
        ]
        arrived = Moment(letters[number].arrived_at, context.zone)
        yield f"#{_receipt(context, letters[number])}, {arrived}: {'; '.join(said)}"


def _receipt(context: LetterContext, letter: InboxLetter) -> int:
    return context.receipt if letter.id == context.row.id else letter.receipt or 0


def _called(context: LetterContext, entry: UndoEntry, letters: dict[int, InboxLetter]) -> str:
    """Return the effect of a letter, and whether it was taken back."""
    coming = f" for turn {entry.turn}" if entry.turn > context.seat().game.turn else ""
    by = letters.get(entry.undone_id or 0)
    undone = f" (taken back by #{_receipt(context, by)})" if by is not None else ""
    return f"{entry.what}{coming}{undone}"


def _idle(
    session: Session,
    letters: Iterable[InboxLetter],
    past: list[TurnRow],
    row: SeatRow,
    turn: int | None,
) -> Iterator[str]:
    """Yield the letters of the turn that changed nothing, including those that came too late."""
    wanted = row.game.turn if turn is None else turn
    ends = [each.resolved_at for each in past if each.resolved_at is not None]
    for letter in letters:
        if 1 + sum(end < letter.arrived_at for end in ends) != wanted:
            continue
        if undo_log.of_letter(session, row, letter.id) or undo_log.undone_by(
            session, row, letter.id
        ):
            continue
        late = mail_queries.refusal_of(session, letter) is not None
        yield f"#{letter.receipt} (too late)" if late else f"#{letter.receipt}"


def _sheets(
    context: LetterContext, row: SeatRow, done: list[UndoEntry], turn: int | None
) -> Iterator[str]:
    """Yield the current revision of each sheet, or for one turn all revisions with their orders."""
    turns = sorted({entry.turn for entry in done}) if turn is None else [turn]
    own = {entry.letter_id for entry in done} | {entry.undone_id for entry in done}
    for number in turns:
        for sheet in games.undone_revisions_of(context.session, row, number):
            if sheet.letter_id in own:
                yield _revision(context, sheet, _UNDONE, whole=turn is not None)
        revisions = games.revisions_of(context.session, row, number)
        for sheet in revisions:
            counts = sheet is revisions[-1]
            if sheet.letter_id in own and (counts or turn is not None):
                state = "" if not counts else "resolved" if number < row.game.turn else "in effect"
                yield _revision(context, sheet, state, whole=turn is not None)


def _revision(context: LetterContext, sheet: Sheet, state: str, *, whole: bool) -> str:
    what = "nothing on file" if sheet.withdrawn else counted(len(sheet.orders), "order")
    back = f", sheet {sheet.restores.revision} again" if sheet.restores is not None else ""
    receipt = context.receipt_of(sheet.letter_id)
    called = f"turn {sheet.turn}: sheet {sheet.revision}, from #{receipt}{back}"
    head = ", ".join(filter(None, (called, what, state)))
    if not whole or not sheet.orders:
        return head
    first_lines = (order.splitlines()[0] for order in sheet.orders)
    return f"{head}: {' '.join(first_lines)}"


def _is_own(turn: TurnRow, row: SeatRow) -> bool:
    return turn.resolved_at is not None and turn.resolved_at >= row.joined_at


def _turn_result(turn: TurnRow, row: SeatRow) -> str:
    """Return how many of the seat's orders in a resolved turn were done and how many failed."""
    outcomes = (turn.outcomes or {}).get(str(row.number), [])
    failed = sum(not done for _, done, _ in outcomes)
    came = f"{counted(len(outcomes), 'order')}, {len(outcomes) - failed} done, {failed} failed"
    missed = "; you sent no orders" if row.number in (turn.missed or ()) else ""
    undone = f"; {_UNDONE}" if turn.undone else ""
    return f"turn {turn.number}: {came}{missed}{undone}"


def _outcomes(past: list[TurnRow], row: SeatRow, turn: int | None) -> Iterator[str]:
    for each in past:
        if each.number == turn and _is_own(each, row):
            for text, done, reason in (each.outcomes or {}).get(str(row.number), []):
                undone = f" ({_UNDONE})" if each.undone else ""
                yield f"{_line(text)}: {'done' if done else reason}{undone}"


def _line(text: Any) -> str:
    return str(text).splitlines()[0]


def _reports(session: Session, row: SeatRow) -> Iterator[str]:
    """Yield the turns whose reports can be mailed again, as ranges: ``1 to 4``, ``6``."""
    turns = (
        number
        for number in range(1, row.game.turn + 1)
        if mail_queries.report_of(session, row.game, row.number, number) is not None
    )
    for _, run in groupby(enumerate(turns), lambda pair: pair[1] - pair[0]):
        span = [turn for _, turn in run]
        yield str(span[0]) if len(span) == 1 else f"{span[0]} to {span[-1]}"
