"""Handover of a seat: the letters to the newcomer, and the notices to the others."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from functools import partial

from referee.desk.base import robots
from referee.desk.base.announcements import Move
from referee.desk.base.attachments import drawn, taken_off
from referee.desk.base.loaded_games import LoadedGame, load
from referee.desk.base.outbox_writer import Addressing, mailbox
from referee.desk.games import deadlines, missing_orders, revealing, vacancies
from referee.desk.orders.gm_authority import news_for, notify_person
from referee.desk.orders.letter_context import LetterContext, Recipient
from referee.desk.orders.standing_orders import standing_doubts
from referee.desk.reports.report_guide import first_guide
from referee.desk.reports.turn_reports import report_now
from referee.desk.seats.registration import Registration
from referee.domain.commands import AttachmentKind
from referee.domain.vacancies import newcomers_deadline
from referee.letters.incoming.decode import text_in
from referee.letters.outgoing.compose import OutgoingFile
from referee.letters.outgoing.local_time import Moment
from referee.letters.outgoing.seat_notices import HandedOver
from referee.parsing.schedules import read_schedule
from referee.store import Session
from referee.store.games import games
from referee.store.games.reminders import check_reminders
from referee.store.mail import mail_queries
from referee.store.models import Game, GameStatus, SeatRow
from referee.store.people import offers
from referee.store.people.former_players import LeaveReason
from referee.store.people.offers import OfferState

_REPORTS = 3
"""How many of the seat's last reports a newcomer gets."""


def hand_over(
    context: LetterContext, row: SeatRow, newcomer: Registration, reason: LeaveReason
) -> str:
    """Hand the seat to the newcomer; return the note for all players.

    A current player loses the seat for *reason*, and their tokens expire. Revokes the claim on the
    game, so that a running adjudication starts again.
    """
    game = row.game
    games.revoke_claim(game)
    if row.person is not None:
        _dismiss(context, row, reason)
    row.person, row.robot, row.joined_at, row.missed = newcomer.person, None, context.now, 0
    row.heard_at = None
    check_reminders(game)
    offer = offers.open_for(context.session, row)
    if offer is not None and offer.person_id == newcomer.person.id:
        offer.state = OfferState.ACCEPTED
    vacancies.take_off_offer(context.session, row)
    game.ready_at = None
    moved = _move_deadline(context, row)
    context.session.flush()
    is_moved = moved is not None
    context.reports[row.id] = partial(_post_welcome, context, row, newcomer, moved=is_moved)
    note = "A seat has a new player."
    if moved is None:
        return note
    due = Moment(moved, "UTC")
    return f"{note} To give them time, the deadline of turn {game.turn} moved to {due}, this once."


def deadline_for_newcomer(session: Session, game: Game, now: datetime) -> datetime | None:
    """Return when the current turn is due for a newcomer, or None if the deadline is unchanged.

    It moves at most once in a turn, for any number of newcomers.
    """
    due = game.deadline_at
    if game.status is not GameStatus.RUNNING or due is None or game.newcomer_turn == game.turn:
        return None
    begun = games.began(session, game, game.turn)
    return newcomers_deadline(read_schedule(game.schedule), begun, due, now)


def in_preview(context: LetterContext, game: Game) -> str:
    """Return the change of the deadline if a newcomer takes a seat now."""
    moved = deadline_for_newcomer(context.session, game, context.now)
    if moved is None:
        return "The deadline does not change."
    due = Moment(moved, context.zone)
    return (
        f"The deadline of turn {game.turn} moves to {due}, this once, to give the new player time. "
        "All players are notified."
    )


def _dismiss(context: LetterContext, row: SeatRow, reason: LeaveReason) -> None:
    """Vacate the seat and notify its player of the reason."""
    files = taken_off(context.site, row, context.now)
    old = vacancies.vacate(context.session, row, reason, context.now)
    why = "The GM decided this."
    if reason is LeaveReason.SILENT:
        why = "You had sent no orders for some time, and a standby plays it now."
    diary = revealing.of_leaver(context.session, row.game, old)
    told = f"You no longer play {row.name} in {row.game.name}. {why} {diary}"
    notify_person(context, old, row.game, told.rstrip(), files, is_outside=True)


def _move_deadline(context: LetterContext, row: SeatRow) -> datetime | None:
    """Move the current deadline once, and notify the other players at once."""
    game = row.game
    moved = deadline_for_newcomer(context.session, game, context.now)
    if moved is None:
        return None
    assert game.deadline_at is not None
    fact = f"A seat has a new player, so the referee moved the deadline of turn {game.turn}"
    move = Move(fact, game.deadline_at)
    game.newcomer_turn = game.turn
    deadlines.move(context.session, game, moved, context.now)
    for other in game.seats:
        if other is not row and not other.eliminated and other.person is not None:
            recipient = Recipient(other.person, game, other)
            news_for(context, recipient).begin("This gives them time, this once.", move)
    return moved


def _post_welcome(
    context: LetterContext, row: SeatRow, newcomer: Registration, *, moved: bool
) -> None:
    """Mail the newcomer's welcome, and the report in a letter of its own, as for other players."""
    session, site, game = context.session, context.site, row.game
    table = load(session, site, game)
    files = (*_old_reports(session, row), drawn(table, row, AttachmentKind.MAP))
    notice = _welcome(context, table, row, newcomer, files, moved=moved)
    serial = f"handover{context.row.id}s{row.number}"
    addressing = Addressing(
        mailbox(newcomer.person), serial, game=game, seat=row, turn=game.turn, files=files
    )
    # The security code is shown this one time only, so both go whatever the reply limits allow.
    context.letters.append((notice, addressing))
    serial = f"handedover{context.row.id}s{row.number}"
    report, to_newcomer = report_now(context.desk, table, row, serial)
    report = replace(report, guide=first_guide(table, row))
    if missing_orders.lacks_sheet(session, game, row):
        report = replace(report, doubts=standing_doubts(table, row))
    context.letters.append((report, to_newcomer))


def _welcome(
    context: LetterContext,
    table: LoadedGame,
    row: SeatRow,
    newcomer: Registration,
    files: tuple[OutgoingFile, ...],
    *,
    moved: bool,
) -> HandedOver:
    game, info = row.game, table.ruleset.info
    sheet = games.sheet_of(context.session, row, game.turn)
    return HandedOver(
        game=game.name,
        title=game.title,
        ruleset=info.title,
        turn=game.turn,
        seat=row.name,
        players=sum(other.person is not None for other in game.seats),
        robots=len(robots.of_game(game)),
        account=newcomer.person.account,
        code=newcomer.code,
        due=deadlines.sentence(game, newcomer.person.zone, context.now),
        moved=moved,
        sheet=tuple(sheet.orders) if sheet is not None else (),
        has_sheet=sheet is not None,
        sheet_by_gm=sheet is not None and sheet.by_gm,
        standing=tuple(row.standing),
        files=tuple(file.name for file in files),
        zone=newcomer.person.zone,
    )


def _old_reports(session: Session, row: SeatRow) -> Iterator[OutgoingFile]:
    """Yield the last reports as they were sent to earlier players, with the press in them."""
    game = row.game
    for turn in range(max(1, game.turn - _REPORTS + 1), game.turn + 1):
        letter = mail_queries.report_of(session, game, row.number, turn)
        if letter is not None:
            name = f"report-t{turn}.txt"
            yield OutgoingFile(name, "text/plain; charset=utf-8", text_in(letter.raw).encode())
