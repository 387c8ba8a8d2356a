"""STANDBY: people who would take a vacant seat, and the offers of it to one after the other."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final

from referee.desk.base import private_games, robots
from referee.desk.base.announcements import current_deadline
from referee.desk.base.desk import Desk
from referee.desk.base.loaded_games import title_of_rules
from referee.desk.base.outbox_writer import Addressing, mailbox, post
from referee.desk.games import deadlines, vacancies
from referee.desk.games.attendance import reliability_of
from referee.desk.orders.command_entries import Deed, Effect, For, command, question
from referee.desk.orders.gm_authority import (
    BEGUN,
    UNDECIDED,
    announce_change,
    as_it_is,
    log_change,
    require_gm,
)
from referee.desk.orders.letter_context import LetterContext
from referee.desk.orders.naming import game_found, seat_called
from referee.desk.seats.registration import introduced, know
from referee.domain.commands import ShowStandby, StandBy, StandDown
from referee.domain.gm_commands import OfferSeat, SetStandby, ShowPool
from referee.domain.ruleset_names import is_called
from referee.domain.tokens import Kind, Token
from referee.domain.vacancies import LONGEST_ANSWER, answer_span
from referee.letters.outgoing.local_time import Moment
from referee.letters.outgoing.seat_notices import SeatGone, SeatOffered, SeatUnfilled
from referee.rules.ruleset import UserError
from referee.rules.wording import counted
from referee.store.games import agenda, games
from referee.store.games.agenda import AgendaTopic
from referee.store.models import Game, GameStatus, Person, SeatRow
from referee.store.people import offers, people, same_mailbox, standbys
from referee.store.people.offers import Offer, OfferState

_SWITCHES: Final = ("ON", "GM ON")
"""Words that a GM writes after STANDBY below a heading, and nobody else."""
_HOW = "With STANDBY SW-1, STANDBY STARWEB or STANDBY ALL, we ask you when a seat becomes vacant."


@command(StandBy, "STANDBY", For.ANYONE, Effect.ENTERS, shown_in="standby")
def stand_by(context: LetterContext, given: StandBy) -> Deed:
    """STANDBY with a scope, by anyone who is proven or has confirmed it."""
    scope = _wanted(context, given, context.identity.person)
    where = _in_words(context, scope)

    def enter() -> str:
        standbys.add(context.session, _sender(context), scope, context.now)
        agenda.schedule_all(context.session, AgendaTopic.OFFERS)
        return (
            f"You are a standby for {where}. When a seat becomes vacant, we ask you by email if "
            "you want to play it. You can decline. STANDBY OFF ends this."
        )

    says = f"You are a standby for {where}: we ask you when a seat becomes vacant."
    return Deed(f"{says}{introduced(context.sender_name)}", enter)


@command(StandDown, "STANDBY", For.ANYONE, Effect.SETS, shown_in="standby")
def stand_down(context: LetterContext, given: StandDown) -> Deed:
    """STANDBY OFF. Open offers to the person pass to the next standby."""
    person, scope = _ended(context, given)

    def end() -> str:
        standbys.end(context.session, person, scope)
        for each in _unanswered(context, person):
            if person not in vacancies.pool_of(context.session, each.seat.game):
                each.state = OfferState.DECLINED
                agenda.schedule(context.session, each.seat.game, AgendaTopic.OFFERS)
        told = "You are no longer a standby." if not scope else "Done."
        return "\n".join([told, *own_lines(context, person)])

    named = f" for {_in_words(context, scope)}" if scope else ""
    return Deed(f"You are no longer a standby{named}.", end)


@question(ShowStandby, "STANDBY", For.ANYONE, shown_in="standby")
def show_standby(context: LetterContext, _given: ShowStandby) -> str:
    """STANDBY without a scope."""
    return overview(context)


def overview(context: LetterContext) -> str:
    """Return the sender's scopes as a standby; for a GM who writes about a game, its standbys."""
    person = context.identity.person
    lines = list(own_lines(context, person)) if person is not None else []
    if _is_for_gm(context):
        lines.append(_pool(context))
    return "\n".join(lines or [f"You are not a standby. {_HOW}"])


def _is_for_gm(context: LetterContext) -> bool:
    """Return whether a GM who speaks for no seat writes about a game of theirs that goes on."""
    identity = context.identity
    if identity.game is None or identity.seat is not None or not identity.is_gm:
        return False
    return identity.game.status in UNDECIDED


def _for_gm(context: LetterContext, command: str) -> str:
    """Return the sentence on a command that a GM writes below a heading, with a blank, or ""."""
    if not _is_for_gm(context):
        return ""
    name = context.game().name
    return f" As GM of {name}, write two lines: GM {name}, and {command} below it."


@question(ShowPool, "STANDBY", For.GM, shown_in="standby_pool")
def show_pool(context: LetterContext, _given: ShowPool) -> str:
    """STANDBY of a GM."""
    return _pool(context)


def _pool(context: LetterContext) -> str:
    """Return the available seats and the standbys of the game, without addresses."""
    game = require_gm(context, *UNDECIDED)
    how = "offered to standbys automatically" if game.standby else "offered when you say so"
    lines = [f"Seats that become vacant in {game.name} are {how}."]
    lines += [_on_offer(context, row) for row in game.seats if _is_of_interest(context, row)]
    pool = vacancies.choices(context.session, game)
    lines.append("Standbys, in the order in which they are asked:")
    lines += [f"  {_called(each)}: {_record(context, each, rows)}" for each, rows in pool.items()]
    return "\n".join(lines if pool else [*lines[:-1], "There are no standbys."])


@command(
    OfferSeat,
    "STANDBY OFFER",
    For.GM,
    shown_in="gm_standby",
    because="a standby can take the seat at once",
)
def offer(context: LetterContext, given: OfferSeat) -> Deed:
    """STANDBY OFFER. The first standby is asked in the next step of the loop."""
    game = require_gm(context, *BEGUN)
    row = seat_called(game, given.seat)
    if row.eliminated:
        raise UserError(f"{row.name} is eliminated from {game.name}.")
    if not vacancies.is_available(context.session, row):
        raise UserError(f"{row.name} has a player. VACATE {row.name} takes the seat from them.")
    if offers.open_for(context.session, row) is not None:
        raise UserError(f"{row.name} is being offered. STANDBY shows to whom.")

    def put_on_offer() -> str:
        vacancies.put_on_offer(context.session, row, context.now)
        what = f"{row.name} is offered to standbys."
        return log_change(context, game, what, f"{what} You are notified when somebody takes it.")

    count = len(vacancies.takers(context.session, row))
    known = f"There are {count or 'no'} standbys now." if count != 1 else "There is 1 standby now."
    keeps = " Its player keeps it until then." if row.person is not None else ""
    return Deed(
        f"{row.name} of {game.name} is offered to standbys, one after the other, until one takes "
        f"it.{keeps} {known}",
        put_on_offer,
    )


@command(SetStandby, "STANDBY", For.GM, Effect.CHANGES, shown_in="gm_standby")
def switch(context: LetterContext, given: SetStandby) -> Deed:
    """STANDBY ON or OFF, which undo each other.

    Raises NoChange if no seat would be offered, or no longer offered.
    """
    game = require_gm(context, *UNDECIDED)
    not_offered = _not_offered(context, game) if given.on else []
    offered = any(row.offered_at is not None for row in game.seats)
    if game.standby == given.on and not (not_offered if given.on else offered):
        raise as_it_is(game)

    def turn() -> str:
        game.standby = given.on
        other = "OFF" if given.on else "ON"
        context.undoes["STANDBY"] = f"STANDBY {other} below GM {game.name}"
        for row in () if given.on else game.seats:
            vacancies.take_off_offer(context.session, row)
        for row in not_offered:
            vacancies.put_on_offer(context.session, row, context.now)
        how = "are offered to standbys" if given.on else "are offered to nobody for now"
        return announce_change(context, game, f"Seats that become vacant {how}.")

    vacant = f"Seats that become vacant in {game.name} are offered to"
    if not given.on:
        return Deed(f"{vacant} nobody until you say so. Open offers are cancelled.", turn)
    names = ", ".join(row.name for row in not_offered)
    now = f" These are offered now: {names}." if names else ""
    lasting = "Seats are offered with it, and a standby can take one at once."
    return Deed(f"{vacant} standbys automatically.{now}", turn, lasting if names else "")


def _wanted(context: LetterContext, command: StandBy, person: Person | None) -> str:
    """Return the scope of STANDBY. Raises UserError if the person cannot be a standby for it.

    One whom the GM of a game that has begun has excluded can, and is never asked.
    """
    scope = _scope(context, command.scope)
    game = game_found(context, scope)
    if game is not None and same_mailbox.holds_seat(game, person, context.identity.address):
        raise UserError(f"You play in {game.name} already.")
    return scope


def _ended(context: LetterContext, command: StandDown) -> tuple[Person, str]:
    """Return the standby and the scope of STANDBY OFF. Raises UserError if there is neither."""
    person = people.by_address(context.session, context.to.address)
    scope = _scope(context, command.scope, ended=True) if command.scope else ""
    own = standbys.of(context.session, person) if person is not None else []
    if person is None or not any(scope in ("", row.scope) for row in own):
        advice = _HOW if scope else f"{_HOW}{_for_gm(context, 'STANDBY OFF')}"
        raise UserError(f"You are not a standby{f' for {scope}' if scope else ''}. {advice}")
    return person, scope


def _sender(context: LetterContext) -> Person:
    """Return the sender, who is registered if not yet known and the letter is theirs."""
    identity = context.identity
    if identity.person is not None:
        return identity.person
    if not identity.trust.is_proven or not identity.address:
        raise UserError("Send STANDBY in a separate email, from your own address.")
    return know(context.desk, identity.address, context.sender_name, "")


def _scope(context: LetterContext, words: str, *, ended: bool = False) -> str:
    """Return the scope that the words name. Raises UserError if there is none."""
    if words == standbys.EVERYWHERE:
        return words
    for key, ruleset in context.site.rulesets.items():
        if is_called(ruleset.info, words):
            return key
    game = game_found(context, words)
    if game is None:
        _refuse_turned_away(context, words, context.identity.person)
        as_gm = _for_gm(context, f"STANDBY {words}") if words in _SWITCHES else ""
        raise UserError(f"There is no such game or ruleset here. {_HOW}{as_gm}")
    if game.status is GameStatus.ENDED and not ended:
        raise UserError(f"{game.name} has ended.")
    return words


def _refuse_turned_away(context: LetterContext, name: str, person: Person | None) -> None:
    """Raise UserError if a private game has begun while the person waited for its GM."""
    game = private_games.turned_away(context.session, name, person) if person is not None else None
    if game is not None and person is not None:
        raise UserError(
            f"{game.name} is private, and has started without you. You can become a standby for it "
            f"when its GM has sent ALLOW #{person.account}."
        )


def _in_words(context: LetterContext, scope: str) -> str:
    if scope == standbys.EVERYWHERE:
        return "all games"
    if scope in context.site.rulesets:
        return f"all games of {title_of_rules(context.site, scope)}"
    return scope


def own_lines(context: LetterContext, person: Person) -> Iterator[str]:
    """Yield the scopes of a person as a standby, and the seats that are offered to them."""
    rows = standbys.of(context.session, person)
    if rows:
        yield f"You are a standby for {', '.join(_in_words(context, row.scope) for row in rows)}."
    for each in _unanswered(context, person):
        until = Moment(each.until, person.zone)
        yield f"A seat in {each.seat.game.name} is offered to you until {until}."


def _unanswered(context: LetterContext, person: Person) -> list[Offer]:
    return offers.open_to(context.session, person)


def _is_of_interest(context: LetterContext, row: SeatRow) -> bool:
    return row.person is None or vacancies.is_available(context.session, row)


def _on_offer(context: LetterContext, row: SeatRow) -> str:
    state = f"inactive for {counted(row.missed, 'turn')}"
    if row.person is None:
        state = robots.without_player(row)
    if row.eliminated:
        return f"  {row.name}: eliminated."
    open_offer = offers.open_for(context.session, row)
    if open_offer is not None:
        until = Moment(open_offer.until, context.zone)
        return f"  {row.name}: {state}, offered to {_called(open_offer.person)} until {until}."
    if row.offered_at is None:
        return f"  {row.name}: {state}, not offered. STANDBY OFFER {row.name} offers it."
    return f"  {row.name}: {state}; no standby is left to ask."


def _called(person: Person) -> str:
    """Return a person's name for the GM, unless the name is an address."""
    name = person.name if person.name and "@" not in person.name else "a player"
    return f"{name} (#{person.account})"


def _record(context: LetterContext, person: Person, rows: Sequence[SeatRow]) -> str:
    """Return how reliable a person is, and which seats they can take if not all."""
    game = context.game()
    record = reliability_of(context.session, person, game).in_words()
    names = ", ".join(row.name for row in rows) or "no seat"
    return record if len(rows) == len(game.seats) else f"{record}; can take {names}"


def _not_offered(context: LetterContext, game: Game) -> list[SeatRow]:
    """Return the seats that are available and not offered."""
    rows = (row for row in game.seats if row.offered_at is None)
    return [row for row in rows if vacancies.is_available(context.session, row)]


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
        turn = game.deadline_at - games.began(desk.session, game, game.turn)
        span = answer_span(max(turn, timedelta(0)))
    offer = offers.make(desk.session, row, person, desk.now, desk.now + span)
    row.unfilled_at = None
    notice = SeatOffered(
        game=game.name,
        title=game.title,
        ruleset=title_of_rules(desk.site, game.ruleset),
        turn=game.turn,
        players=sum(other.person is not None and other is not row for other in game.seats),
        robots=len(robots.of_game(game)),
        schedule=deadlines.schedule_in_words(game),
        deadline=current_deadline(game, person.zone, desk.now),
        until=Moment(offer.until, person.zone),
        silent=row.person is not None,
    )
    addressing = Addressing(
        mailbox(person),
        f"offer{offer.id}",
        game=game,
        token=Token(Kind.OFFER, offer.id, person.moves),
    )
    post(desk, notice, addressing)


def _notify_gms(desk: Desk, row: SeatRow, asked: int) -> None:
    game = row.game
    notice = SeatUnfilled(game.name, game.title, row.name, asked, vacant=row.person is None)
    for gm in game.gms:
        serial = f"nobody{row.id}t{int(desk.now.timestamp())}"
        post(desk, notice, Addressing(mailbox(gm.person), serial, game=game))
