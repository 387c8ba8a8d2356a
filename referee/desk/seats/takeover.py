"""TAKEOVER and DECLINE: a person asks for an available seat, or answers the offer of one."""

from collections.abc import Iterator
from typing import Final

from referee.desk.base.identity import Trust
from referee.desk.games import vacancies
from referee.desk.games.attendance import reliability_of
from referee.desk.orders.command_entries import Deed, Effect, For, command
from referee.desk.orders.gm_authority import notify_person
from referee.desk.orders.letter_context import LetterContext
from referee.desk.orders.naming import game_called
from referee.desk.seats.handover import hand_over, in_preview
from referee.desk.seats.registration import enrol, introduced
from referee.domain.commands import Decline, TakeOver
from referee.domain.tokens import Kind
from referee.letters.outgoing.seat_notices import HandedOver, SeatGone
from referee.rules.ruleset import UserError
from referee.store.games import agenda, audit
from referee.store.games.agenda import AgendaTopic
from referee.store.models import Game, GameStatus, Person, SeatRow
from referee.store.people import offers
from referee.store.people.former_players import LeaveReason
from referee.store.people.offers import Offer, OfferState

_UNANSWERED: Final = (OfferState.OPEN, OfferState.LAPSED)
"""Offers that were neither answered nor withdrawn."""


@command(TakeOver, "TAKEOVER", For.ANYONE, Effect.FOR_GOOD, shown_in="takeover", answer=HandedOver)
def take_over(context: LetterContext, given: TakeOver) -> Deed:
    """TAKEOVER. Only one of several people gets the seat; the others get a polite letter.

    A player can only give up the seat by RESIGN.
    """
    row = _wanted(context, given)
    if isinstance(row, SeatGone):
        return Deed(row.reason, lambda: context.mail(row, "gone"))
    game = row.game

    def take() -> str:
        if context.identity.trust is not Trust.CONFIRMED and not accepts_offer(context, given):
            raise UserError("TAKEOVER needs your confirmation. Send it in a new email.")
        newcomer = enrol(context.desk, context.identity.usual_address, context.sender_name, "")
        note = hand_over(context, row, newcomer, LeaveReason.SILENT)
        row.heard_at = context.now
        audit.note(context.session, game, "referee", note, context.now)
        _notify_gms(context, row, newcomer.person)
        return ""

    wish = f"the seat {given.seat} if it is free for you, or else " if given.seat else ""
    return Deed(
        f"You play {wish}an available seat in {game.name} ({game.title}), turn {game.turn}. We "
        f"send you all you need at once. {in_preview(context, game)} You can give the seat up only "
        f"with RESIGN, and cannot take it back then.{introduced(context.sender_name)}",
        take,
    )


@command(Decline, "DECLINE", For.ANYONE, Effect.SETS, shown_in="takeover")
def decline(context: LetterContext, _given: Decline) -> Deed:
    """DECLINE. The seat is offered to the next standby."""
    offer = _offer(context)
    if offer is None:
        raise UserError("DECLINE answers the offer of a seat: reply to the email that offers it.")
    game = offer.seat.game

    def pass_on() -> str:
        if offer.state is OfferState.OPEN:
            offer.state = OfferState.DECLINED
            agenda.schedule(context.session, game, AgendaTopic.OFFERS)
        return "Thank you for telling us. You are still a standby; STANDBY OFF ends that."

    return Deed(f"The seat in {game.name} is offered to the next standby.", pass_on)


def accepts_offer(context: LetterContext, command: TakeOver) -> bool:
    """Return whether the command accepts the seat offer that its letter answers.

    The offer stated the consequences, so no confirmation is needed.
    """
    offer = _offer(context)
    return (
        offer is not None
        and not context.quiet
        and command.game in ("", offer.seat.game.name)
        and command.seat in ("", offer.seat.name)
    )


def is_gone(context: LetterContext, command: TakeOver) -> bool:
    """Return whether the command only asks for a seat that is not available, or no longer."""
    try:
        return isinstance(_wanted(context, command), SeatGone)
    except UserError:
        return False


def _offer(context: LetterContext) -> Offer | None:
    number = context.identity.asked(Kind.OFFER)
    return offers.by_id(context.session, number) if number is not None else None


def _game(context: LetterContext, command: TakeOver) -> Game:
    """Return the seat's game, locked. Raises UserError if there is none or it is still forming."""
    offer = _offer(context)
    if not command.game and offer is None:
        raise UserError("Which game? TAKEOVER SW-1. LIST shows the games that have vacant seats.")
    game = game_called(context, command.game or (offer.seat.game.name if offer else ""))
    if game.status is GameStatus.FORMING:
        raise UserError(f"{game.name} has not started yet. JOIN {game.name} joins it.")
    return game


def _wanted(context: LetterContext, command: TakeOver) -> SeatRow | SeatGone:
    """Return the available seat, or the answer that there is none for the sender.

    Which seats there are, and whether the GM has excluded the sender, does not show in it, so a
    name in the command is only a wish. Raises UserError if the sender could have none, whichever
    seats are available.
    """
    game, identity = _game(context, command), context.identity
    person, address = identity.person, identity.address
    if reason := vacancies.why_none(context.session, game, person, address):
        raise UserError(reason)
    rows = list(_available_seats(context, command, game))
    reasons = [vacancies.why_not(context.session, row, person, address) for row in rows]
    if rows and all(reasons):
        raise UserError(reasons[0])
    free = [row for row, reason in zip(rows, reasons, strict=True) if not reason]
    unreserved = [row for row in free if not _is_reserved(context, row)]
    if not unreserved or vacancies.is_excluded(context.session, game, address, person):
        return _gone(context, game)
    # A robot keeps its seat while another one has nobody to play it.
    return min(unreserved, key=lambda row: (row.name != command.seat, row.robot is not None))


def _gone(context: LetterContext, game: Game) -> SeatGone:
    """Return the answer that no seat is available. Raises UserError for a doubted sender.

    Their letter would wait for a confirmation of nothing.
    """
    name = game.name
    reason = f"No seat of {name} is free for you now. With STANDBY {name}, we ask you when one is."
    if context.quiet or context.identity.trust is Trust.ELSEWHERE:
        raise UserError(reason)
    return SeatGone(name, game.title, reason)


def _available_seats(context: LetterContext, command: TakeOver, game: Game) -> Iterator[SeatRow]:
    """Yield the available seats; for an offer, only the offered one."""
    offer = _offer(context) if accepts_offer(context, command) else None
    for row in game.seats:
        context.session.refresh(row)
        vacant = row.person is None or row.offered_at is not None
        is_offered = offer is None or offer.seat is row
        if is_offered and vacant and vacancies.is_available(context.session, row):
            yield row


def _is_reserved(context: LetterContext, row: SeatRow) -> bool:
    """Return whether the seat is offered to another person, who still has time to answer.

    An answer that reached us in time is not held up by a later offer, however late it is read.
    """
    offer, own = offers.open_for(context.session, row), _offer(context)
    if offer is None or offer.until <= context.now:
        return False
    if own is not None and own.seat is row and _answers_in_time(context, own):
        return False
    person = context.identity.person
    return person is None or offer.person_id != person.id


def _answers_in_time(context: LetterContext, offer: Offer) -> bool:
    return offer.state in _UNANSWERED and context.row.arrived_at <= offer.until


def _notify_gms(context: LetterContext, row: SeatRow, newcomer: Person) -> None:
    game, known = row.game, reliability_of(context.session, newcomer, row.game).in_words()
    what = f"{row.name} of {game.name} has a new player, who took it over: {known}."
    audit.note(
        context.session, game, "referee", f"{row.name} was taken over.", context.now, public=False
    )
    for gm in game.gms:
        if gm.person_id != newcomer.id:
            notify_person(context, gm.person, game, what)
