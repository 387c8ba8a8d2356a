"""Deputies: asked by a player or GM, accepted by a reply, and ended after their last day."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from referee.desk.base import announcements, ledger, reply_limits, robots
from referee.desk.base.announcements import current_deadline
from referee.desk.base.desk import Desk
from referee.desk.base.loaded_games import title_of_rules
from referee.desk.base.outbox_writer import Addressing, mailbox, post
from referee.desk.games import vacancies
from referee.desk.orders.command_entries import Deed, Effect, For, command
from referee.desk.orders.gm_authority import (
    BEGUN,
    announce_and_log,
    notify_gms,
    notify_seat,
    plays,
    require_outside_gm,
)
from referee.desk.orders.letter_context import LetterContext
from referee.desk.orders.naming import parts_at, person_at, seat_called
from referee.desk.seats.address_switch import proper_address
from referee.desk.seats.registration import enrol
from referee.domain.commands import DropDeputy, NameDeputy
from referee.domain.days import Days, in_words, spell
from referee.domain.gm_commands import GiveDeputy, TakeDeputy
from referee.domain.shares import Charge, Key, Thing
from referee.letters.incoming.letter import MailAddress
from referee.letters.outgoing.compose import sent
from referee.letters.outgoing.notices import Notice
from referee.letters.outgoing.pairs import NOTHING
from referee.letters.outgoing.seat_notices import (
    DeputyAccepted,
    DeputyAsked,
    DeputyBegins,
    DeputyEnded,
)
from referee.rules.ruleset import UserError
from referee.rules.wording import counted
from referee.store.games import agenda, audit, games
from referee.store.games.agenda import AgendaTopic
from referee.store.games.reminders import check_reminders
from referee.store.mail import mail_queries
from referee.store.models import Game, GameStatus, Person, SeatRow
from referee.store.people import deputies, people
from referee.store.people.deputies import Deputy, DeputyState
from referee.store.people.same_mailbox import mailboxes

MOST_DAYS: Final = 56
"""The maximum number of days of a deputy; a longer need calls for another player."""

_ENDED_EARLY: Final = (
    "You no longer have a deputy for {}: they can no longer order for you. What they filed stays "
    "on file. DEPUTY names somebody else."
)
"""The same words whether the deputy has ended it or is a GM now: only GMs know who is one."""

_TO_DECIDE: Final = "decide about the deputy of a seat"


@dataclass(frozen=True, slots=True)
class _Wish:
    """A request for a deputy: the seat, the address to ask, and the days."""

    row: SeatRow
    address: str
    days: Days


@command(
    NameDeputy,
    "DEPUTY",
    For.SEAT,
    shown_in="deputy",
    because="a deputy can order for your seat, and reads what it reads",
)
def name(context: LetterContext, given: NameDeputy) -> Deed:
    """DEPUTY. Ineligible people are not asked; the reason would reveal who plays."""
    wish = _requested_by_player(context, given)
    row, game = wish.row, wish.row.game

    def ask() -> str:
        deputy = _appointed(context, wish, by_gm=False)
        if _knows_too_much(context, row, wish.address):
            reply_limits.charge_unasked(context.desk, context.identity.person, wish.address)
        else:
            _ask(context, deputy)
        quiet = f"The player of {row.name} named a deputy."
        audit.note(context.session, game, row.name, quiet, context.now, public=False)
        return (
            f"You named {wish.address} as your deputy {wish.days}. They are asked, unless they "
            f"cannot be one in {game.name}. You are notified when they accept. If nobody does, "
            "send DEPUTY NONE and name another."
        )

    return Deed(
        f"{wish.address} is asked to be deputy for {row.name} {wish.days}. If they accept, "
        "they get your reports and reminders on these days. They can send orders and messages in "
        "the name of your seat. This ends after the last day, or earlier with DEPUTY NONE, "
        "or if ABSENT NONE ends an absence with all of these days. You can still send orders and "
        "messages too, and each of you is notified of the orders that the other files. Anyone who "
        f"plays in {game.name}, is its GM, or was deputy for another seat in it cannot "
        "be a deputy and is not even asked.",
        ask,
    )


@command(DropDeputy, "DEPUTY", For.SEAT | For.DEPUTY, Effect.BINDS, shown_in="deputy_misuse")
def drop(context: LetterContext, _given: DropDeputy) -> Deed:
    """DEPUTY NONE, effective at once, by the player or by the deputy."""
    row, mine = context.seat(), context.identity.deputy
    if mine is None and not deputies.of(context.session, row):
        raise UserError("You have no deputy.")

    def end_it() -> str:
        if mine is None:
            dismiss(context, row)
            return (
                "You no longer have a deputy. Emails that they send for your seat no longer count."
            )
        end(context.desk, mine, tell=False)
        notify_seat(context, row, _ENDED_EARLY.format(row.name))
        return f"You are no longer deputy for {row.name}. Thank you."

    return Deed("", end_it)


def dismiss(context: LetterContext, row: SeatRow) -> None:
    """End and notify all deputies of a seat."""
    for deputy in deputies.of(context.session, row):
        end(context.desk, deputy)


def end_for_gm(desk: Desk, game: Game, person: Person) -> None:
    """End the deputyships of a person who becomes a GM, because a GM sees every sheet.

    Notifies the deputy, the player and the GMs. One who was only asked ends without a notice.
    """
    for deputy in deputies.running(desk.session, game):
        known = deputy.person or people.by_address(desk.session, deputy.address)
        if known is not person:
            continue
        row, engaged = deputy.seat, deputy.is_engaged
        end(desk, deputy)
        if not engaged:
            continue
        occasion = f"deputy{deputy.id}gm"
        if row.person is not None:
            told = _ENDED_EARLY.format(row.name)
            announcements.tell(desk, game, row.person, told, occasion, seat=row)
        for gm in game.gms:
            if not plays(game, gm.person):
                told = f"{row.name} no longer has a deputy."
                announcements.tell(desk, game, gm.person, told, occasion)


@command(
    GiveDeputy,
    "DEPUTY",
    For.GM,
    shown_in="gm_deputy",
    because="a deputy can order for the seat, and reads what it reads",
)
def give(context: LetterContext, given: GiveDeputy) -> Deed:
    """DEPUTY of a GM. The player is notified at once."""
    wish = _requested_by_gm(context, given)
    row = wish.row

    def ask() -> str:
        _ask(context, _appointed(context, wish, by_gm=True))
        notify_seat(
            context,
            row,
            f"The GM asks somebody to be deputy for {row.name}: {wish.days}. They can then send "
            "its orders, and so can you. You are notified when they accept. DEPUTY NONE ends it.",
        )
        hidden = f"{row.name} gets a deputy {wish.days}."
        what = "The GM asked somebody to be deputy for a seat."
        return announce_and_log(context, row.game, hidden, what)

    return Deed(
        f"{wish.address} is asked to be deputy for {row.name} {wish.days}. If they accept, they "
        "get its reports and reminders on these days. They can send orders and messages in its "
        "name, and so can its player. The player is notified now.",
        ask,
    )


@command(
    TakeDeputy,
    "DEPUTY",
    For.GM,
    shown_in="gm_deputy",
    because="the deputy would have to accept again",
)
def take(context: LetterContext, given: TakeDeputy) -> Deed:
    """DEPUTY seat NONE of a GM."""
    row = seat_called(require_outside_gm(context, *BEGUN, to=_TO_DECIDE), given.seat)
    if not deputies.of(context.session, row):
        raise UserError(f"{row.name} has no deputy.")

    def dismiss_deputy() -> str:
        dismiss(context, row)
        notify_seat(context, row, f"{row.name} no longer has a deputy. The GM decided this.")
        hidden = f"{row.name} no longer has a deputy."
        return announce_and_log(context, row.game, hidden, "A seat no longer has a deputy.")

    told = "The deputy and the player are notified."
    return Deed(f"{row.name} of {row.game.name} no longer has a deputy. {told}", dismiss_deputy)


def is_asked(deputy: Deputy, now: datetime) -> bool:
    """Return whether a deputy has been asked, has not answered, and still can."""
    return deputy.state is DeputyState.ASKED and not _is_over(deputy, now)


def may_accept(context: LetterContext, deputy: Deputy) -> bool:
    """Return whether a deputy who replies CONFIRM can still become one."""
    row = deputy.seat
    asked = is_asked(deputy, context.row.arrived_at)
    return asked and not _knows_too_much(context, row, deputy.address)


def accept(context: LetterContext, deputy: Deputy) -> None:
    """Accept the deputyship by CONFIRM: register the deputy and notify the player and the GMs."""
    row = deputy.seat
    enrolled = enrol(context.desk, deputy.address, "", "")
    deputy.person, deputy.state = enrolled.person, DeputyState.ACCEPTED
    context.session.flush()
    notice = DeputyAccepted(
        game=row.game.name,
        seat=row.name,
        days=str(deputy.days),
        account=enrolled.person.account,
        code=enrolled.code,
    )
    addressing = Addressing(
        mailbox(enrolled.person), f"deputy{deputy.id}accepted", context.row, game=row.game
    )
    context.letters.append((notice, addressing))
    notify_seat(context, row, f"Your deputy has accepted: {deputy.address}, {deputy.days}.")
    told = f"{row.name} has a deputy: account #{enrolled.person.account}, {deputy.days}."
    notify_gms(context, row.game, told)
    begin_due(context.desk, row.game, context.now)
    agenda.schedule(context.session, row.game, AgendaTopic.DEPUTIES)


def closed(deputy: Deputy, now: datetime) -> str:
    """Return the answer to a deputy who cannot order now, with the reason."""
    row = deputy.seat
    if is_asked(deputy, now):
        what = f"To be deputy for {row.name} {deputy.days}"
        return f"{what}, reply with the word CONFIRM on a line of its own."
    if deputy.is_engaged:
        return f"Nothing was done. You are deputy for {row.name} only {deputy.days}."
    return (
        f"You are no longer deputy for {row.name} in {row.game.name}, so nothing was done. For "
        "anything else, write a new email."
    )


def change_in(desk: Desk, game: Game, closed: datetime) -> int:
    """Start and end deputyships whose days had come or were over at *closed*; return how many."""
    over = [deputy for deputy in deputies.running(desk.session, game) if _is_over(deputy, closed)]
    for deputy in over:
        end(desk, deputy, tell=deputy.state is DeputyState.ACTING)
    count = len(over) + begin_due(desk, game, closed)
    if running := deputies.running(desk.session, game):
        later = [each.begins_at for each in running if each.begins_at > closed]
        at = min([*later, *(each.ends_at for each in running)])
        agenda.reschedule(desk.session, game, AgendaTopic.DEPUTIES, at)
    else:
        agenda.close(desk.session, game, AgendaTopic.DEPUTIES)
    return count


def begin_due(desk: Desk, game: Game, closed: datetime) -> int:
    """Start deputyships that were due at *closed*, with the seat's report; return how many."""
    beginning = deputies.beginning(desk.session, game, closed)
    begun = [each for each in beginning if each.is_engaged and closed < each.ends_at]
    for deputy in begun:
        deputy.state = DeputyState.ACTING
        # The player may be away, so reminders may not have been scheduled yet.
        check_reminders(game)
        assert deputy.person is not None
        row = deputy.seat
        letter = mail_queries.report_of(desk.session, game, row.number, game.turn)
        sheet = games.sheet_of(desk.session, row, game.turn)
        notice = DeputyBegins(
            game=game.name,
            turn=game.turn,
            seat=row.name,
            until=in_words(deputy.days.last),
            deadline=current_deadline(game, deputy.person.zone, desk.now),
            orders=tuple(sheet.orders) if sheet is not None else (),
            report=sent(letter.raw) if letter is not None else NOTHING,
        )
        _write(desk, deputy, notice, f"deputy{deputy.id}begins")
    return len(begun)


def end(desk: Desk, deputy: Deputy, *, tell: bool = True) -> None:
    """End a deputyship; later letters of the deputy are not accepted."""
    accepted = deputy.state is not DeputyState.ASKED
    deputy.state = DeputyState.ENDED
    agenda.schedule(desk.session, deputy.seat.game, AgendaTopic.DEPUTIES)
    desk.session.flush()
    if tell and accepted and deputy.person is not None:
        row = deputy.seat
        notice = DeputyEnded(row.game.name, row.name, ended=row.game.status is GameStatus.ENDED)
        addressing = Addressing(mailbox(deputy.person), f"deputy{deputy.id}ended", game=row.game)
        post(desk, notice, addressing)


def _is_over(deputy: Deputy, now: datetime) -> bool:
    seat = deputy.seat
    changed = deputy.epoch != seat.epoch or seat.game.status is GameStatus.ENDED
    return changed or deputy.ends_at <= now


def _requested_by_player(context: LetterContext, command: NameDeputy) -> _Wish:
    """Return the request of a player. Raises UserError, but never reveals who is ineligible."""
    row = context.seat()
    context.table_for_orders()
    days = spell(command.first, command.last, context.row.arrived_at, context.zone)
    wish = _wished(context, row, command.address, days)
    person = person_at(context, wish.address)
    if not mailboxes(person, wish.address).isdisjoint(mailboxes(row.person)):
        raise UserError("That is your own address.")
    return wish


def _requested_by_gm(context: LetterContext, command: GiveDeputy) -> _Wish:
    game = require_outside_gm(context, *BEGUN, to=_TO_DECIDE)
    row = seat_called(game, command.seat)
    if row.person is None:
        state = robots.without_player(row)
        raise UserError(f"{row.name} is {state}. REPLACE gives it to somebody.")
    zone = context.identity.person.zone if context.identity.person is not None else "UTC"
    days = spell(command.first, command.last, context.row.arrived_at, zone)
    wish = _wished(context, row, command.address, days)
    if _knows_too_much(context, row, wish.address):
        raise UserError(
            f"{wish.address} cannot be deputy for {row.name}. They play in {game.name}, are its "
            "GM, or were deputy for another seat, so they know too much."
        )
    return wish


def _wished(context: LetterContext, row: SeatRow, typed: str, days: Days) -> _Wish:
    address = proper_address(context.site, typed)
    if days.count > MOST_DAYS:
        raise UserError(
            f"That is {counted(days.count, 'day')}; a deputy can have at most {MOST_DAYS}."
        )
    name = "" if row is context.identity.seat else f"{row.name} "
    for other in deputies.of(context.session, row):
        if other.begins_at < days.ends and days.begins < other.ends_at:
            raise UserError(
                f"Somebody has already been asked to be deputy for {row.name} {other.days}. "
                f"First send DEPUTY {name}NONE."
            )
    asked = {Key.SEAT: deputies.asked(context.session, row)}
    ledger.require(context.desk, Charge(Thing.DEPUTY, {Key.SEAT: row.name}, held=asked))
    reply_limits.check_unasked(context.desk, context.identity.person, address)
    return _Wish(row, address, days)


def _appointed(context: LetterContext, wish: _Wish, *, by_gm: bool) -> Deputy:
    deputy = Deputy(
        seat=wish.row,
        epoch=wish.row.epoch,
        address=wish.address,
        begins_at=wish.days.begins,
        ends_at=wish.days.ends,
        zone=wish.days.zone,
        state=DeputyState.ASKED,
        by_gm=by_gm,
        asked_at=context.now,
    )
    context.session.add(deputy)
    context.session.flush()
    agenda.schedule(context.session, wish.row.game, AgendaTopic.DEPUTIES)
    return deputy


def _ask(context: LetterContext, deputy: Deputy) -> None:
    row, game = deputy.seat, deputy.seat.game
    notice = DeputyAsked(
        game=game.name,
        ruleset=title_of_rules(context.site, game.ruleset),
        seat=row.name,
        by_gm=deputy.by_gm,
        days=str(deputy.days),
    )
    addressing = _addressing(deputy, f"deputy{deputy.id}asked")
    reply_limits.post_unasked(context.desk, context.identity.person, notice, addressing)


def _write(desk: Desk, deputy: Deputy, notice: Notice, serial: str) -> None:
    post(desk, notice, _addressing(deputy, serial))


def _addressing(deputy: Deputy, serial: str) -> Addressing:
    person = deputy.person
    to = mailbox(person) if person is not None else MailAddress("", deputy.address)
    row = deputy.seat
    return Addressing(to, serial, game=row.game, seat=row, turn=row.game.turn, deputy=deputy)


def _knows_too_much(context: LetterContext, row: SeatRow, address: str) -> bool:
    """Return whether the person plays in the game, or knows what the seat must not know."""
    known = parts_at(context, row.game, address)
    knows = vacancies.knows_too_much(context.session, row, known)
    return bool(knows) or any(plays(row.game, person) for person in known)
