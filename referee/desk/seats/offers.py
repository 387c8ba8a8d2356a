"""Offers of available seats to standbys, one after the other, until one accepts."""

from datetime import datetime, timedelta

from referee.desk.base import robots
from referee.desk.base.deadline_moments import current_deadline
from referee.desk.base.desk import Desk
from referee.desk.base.loaded_games import ruleset_of
from referee.desk.base.outbox_writer import Addressing, mailbox, post
from referee.desk.games import deadlines, vacancies
from referee.desk.games.missing_orders import turn_began
from referee.domain.trust import OfferToken
from referee.domain.vacancies import LONGEST_ANSWER, answer_span
from referee.letters.outgoing.local_time import Moment
from referee.letters.outgoing.seat_notices import SeatGone, SeatOffered, SeatUnfilled
from referee.store.games import agenda
from referee.store.games.agenda import AgendaTopic
from referee.store.models import Game, GameStatus, Person, SeatRow
from referee.store.people import offers, standbys
from referee.store.people.offers import Offer, OfferState


def offer_in(desk: Desk, game: Game, watermark: datetime | None = None) -> int:
    """End offers that are no longer valid and ask the next standbys; return how many were asked.

    All letters up to *watermark*, the intake watermark, are stored; None means all letters are. No
    offer lapses while its answer may still be unread.
    """
    closed = min(desk.now, watermark or desk.now)
    for offer in offers.open_in(desk.session, game):
        _review(desk, offer, closed)
    on_offer = offers.seats_on_offer(desk.session, game)
    asked = sum(_ask_next(desk, row) for row in on_offer)
    waiting = [offer.until for offer in offers.open_in(desk.session, game)]
    if waiting or offers.seats_on_offer(desk.session, game):
        agenda.reschedule(desk.session, game, AgendaTopic.OFFERS, min(waiting, default=None))
    else:
        agenda.close(desk.session, game, AgendaTopic.OFFERS)
    return asked


def _review(desk: Desk, offer: Offer, closed: datetime) -> None:
    """End an offer if its time was over at *closed* or its seat is no longer available."""
    desk.session.refresh(offer)
    desk.session.refresh(offer.seat)
    row = offer.seat
    if offer.state is not OfferState.OPEN:
        return
    if row.offered_at is None or not vacancies.is_available(desk.session, row):
        offer.state = OfferState.WITHDRAWN
        notice = SeatGone(row.game.name, row.game.title, _why_gone(row, offer))
        addressing = Addressing(mailbox(offer.person), f"withdrawn{offer.id}", game=row.game)
        post(desk, notice, addressing)
    elif offer.until <= closed:
        offer.state = OfferState.LAPSED
        # Standbys who do not answer move to the end of the list.
        standbys.send_to_the_end(desk.session, offer.person, desk.now)
    desk.session.flush()


def _why_gone(row: SeatRow, offer: Offer) -> str:
    if row.game.status is GameStatus.ENDED:
        return f"{row.game.name} has ended."
    if row.person is None or row.eliminated:
        return "The GM has decided otherwise."
    if row.joined_at >= offer.made_at:
        return "Somebody else plays the seat now."
    return "The player of the seat has come back."


def _ask_next(desk: Desk, row: SeatRow) -> int:
    """Offer the seat to the first eligible standby not yet asked; notify the GMs if there is none.

    If the seat's player is active again, the seat is not offered.
    """
    desk.session.refresh(row)
    if row.offered_at is None or offers.open_for(desk.session, row) is not None:
        return 0
    if not vacancies.is_available(desk.session, row):
        vacancies.take_off_offer(desk.session, row)
        return 0
    asked = offers.asked_since(desk.session, row, row.offered_at)
    for person in vacancies.takers(desk.session, row):
        if person.id not in asked:
            _ask(desk, row, person)
            return 1
    # Without any standbys, the GMs were already notified of that with the vacancy.
    if row.unfilled_at is None and asked:
        _notify_gms(desk, row, len(asked))
    row.unfilled_at = row.unfilled_at or desk.now
    return 0


def _ask(desk: Desk, row: SeatRow, person: Person) -> None:
    game = row.game
    span = LONGEST_ANSWER
    if game.deadline_at is not None:
        turn = game.deadline_at - turn_began(desk.session, game)
        span = answer_span(max(turn, timedelta(0)))
    offer = offers.make(desk.session, row, person, desk.now, desk.now + span)
    row.unfilled_at = None
    notice = SeatOffered(
        game=game.name,
        title=game.title,
        ruleset=ruleset_of(desk.site.rulesets, game.ruleset).info.title,
        turn=game.turn,
        players=sum(other.person is not None and other is not row for other in game.seats),
        robots=len(robots.of_game(game)),
        schedule=deadlines.schedule_in_words(game),
        deadline=current_deadline(game, person.zone, desk.now),
        until=Moment(offer.until, person.zone),
        silent=row.person is not None,
    )
    addressing = Addressing(
        mailbox(person), f"offer{offer.id}", game=game, token=OfferToken(offer.id, person.moves)
    )
    post(desk, notice, addressing)


def _notify_gms(desk: Desk, row: SeatRow, asked: int) -> None:
    game = row.game
    notice = SeatUnfilled(game.name, game.title, row.name, asked, vacant=row.person is None)
    for gm in game.gms:
        serial = f"nobody{row.id}t{int(desk.now.timestamp())}"
        post(desk, notice, Addressing(mailbox(gm.person), serial, game=game))
