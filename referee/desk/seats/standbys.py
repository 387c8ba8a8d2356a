"""STANDBY: people who would take a vacant seat, and the GM's view of them."""

from collections.abc import Iterator
from typing import Final

from referee.desk.base import private_games, robots
from referee.desk.base.loaded_games import ruleset_of
from referee.desk.games import vacancies
from referee.desk.games.attendance import reliability_of
from referee.desk.orders.gm_authority import (
    BEGUN,
    UNDECIDED,
    announce_change,
    as_it_is,
    log_change,
    require_gm,
    seat_called,
)
from referee.desk.orders.letter_context import LetterContext
from referee.desk.seats.registration import know, not_open
from referee.domain.commands import ShowStandby, StandBy, StandDown
from referee.domain.gm_commands import AdmitMasters, OfferSeat, SetStandby, ShowPool
from referee.domain.ruleset_names import is_called
from referee.letters.outgoing.local_time import Moment
from referee.rules.ruleset import UserError
from referee.rules.wording import counted
from referee.store.games import agenda, games
from referee.store.games.agenda import AgendaTopic
from referee.store.models import Game, GameStatus, Person, SeatRow
from referee.store.people import offers, people, same_mailbox, standbys
from referee.store.people.offers import Offer, OfferState

_SWITCHES: Final = ("ON", "GM ON")
"""What a GM writes after STANDBY below a heading, and nobody else."""
_HOW = "With STANDBY SW-1, STANDBY STARWEB or STANDBY ALL, we ask you when a seat becomes vacant."


def preview_stand_by(context: LetterContext, command: StandBy) -> str:
    """Return the preview of STANDBY with a scope, which STANDBY OFF undoes."""
    scope = _wanted(context, command, context.identity.person)
    return (
        f"You are a standby for {_in_words(context, scope)}: we ask you when a seat becomes vacant."
    )


def stand_by(context: LetterContext, command: StandBy) -> str:
    """Handle STANDBY with a scope, by anyone who is proven or has confirmed it."""
    person = _sender(context)
    scope = _wanted(context, command, person)
    standbys.add(context.session, person, scope, context.now)
    agenda.schedule_all(context.session, AgendaTopic.OFFERS)
    return (
        f"You are a standby for {_in_words(context, scope)}. When a seat becomes vacant, we ask "
        "you by email if you want to play it. You can decline. STANDBY OFF ends this."
    )


def preview_stand_down(context: LetterContext, command: StandDown) -> str:
    """Return the preview of STANDBY OFF, which STANDBY undoes."""
    _person, scope = _ended(context, command)
    named = f" for {_in_words(context, scope)}" if scope else ""
    return f"You are no longer a standby{named}."


def stand_down(context: LetterContext, command: StandDown) -> str:
    """Handle STANDBY OFF. Open offers to the person pass to the next standby."""
    person, scope = _ended(context, command)
    standbys.end(context.session, person, scope)
    for each in _unanswered(context, person):
        if person not in vacancies.pool_of(context.session, each.seat.game):
            each.state = OfferState.DECLINED
            agenda.schedule(context.session, each.seat.game, AgendaTopic.OFFERS)
    return "\n".join(
        ["You are no longer a standby." if not scope else "Done.", *_own(context, person)]
    )


def show_standby(context: LetterContext, _command: ShowStandby) -> str:
    """Handle STANDBY without a scope. A GM who writes about their game also sees its standbys."""
    person = context.identity.person
    lines = list(_own(context, person)) if person is not None else []
    if _is_for_gm(context):
        lines.append(show_pool(context, ShowPool()))
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


def own_lines(context: LetterContext, person: Person) -> list[str]:
    """Return the STATUS lines about the games a person is a standby for; none if there are none."""
    return list(_own(context, person))


def show_pool(context: LetterContext, _command: ShowPool) -> str:
    """Handle the GM's STANDBY: the available seats and the standbys, without addresses."""
    game = require_gm(context, *UNDECIDED)
    how = "offered to standbys automatically" if game.standby else "offered when you say so"
    lines = [f"Seats that become vacant in {game.name} are {how}."]
    if game.gms_may_play:
        lines.append("Anyone who is or was a GM of the game can take one.")
    lines += [_on_offer(context, row) for row in game.seats if _is_of_interest(context, row)]
    pool = vacancies.pool_of(context.session, game)
    lines.append("Standbys, in the order in which they are asked:")
    lines += [f"  {_called(person)}: {_record(context, person)}" for person in pool]
    return "\n".join(lines if pool else [*lines[:-1], "There are no standbys."])


def preview_offer(context: LetterContext, command: OfferSeat) -> str:
    """Return the preview of STANDBY OFFER; STANDBY OFF, or filling the seat, undoes it."""
    row = _offerable(context, command)
    count = len(vacancies.takers(context.session, row))
    known = f"There are {count or 'no'} standbys now." if count != 1 else "There is 1 standby now."
    keeps = " Its player keeps it until then." if row.person is not None else ""
    return (
        f"{row.name} of {row.game.name} is offered to standbys, one after the other, until one "
        f"takes it.{keeps} {known}"
    )


def offer(context: LetterContext, command: OfferSeat) -> str:
    """Handle STANDBY OFFER. The first standby is asked in the next step of the loop."""
    row = _offerable(context, command)
    vacancies.put_on_offer(context.session, row, context.now)
    what = f"{row.name} is offered to standbys."
    return log_change(context, row.game, what, f"{what} You are notified when somebody takes it.")


def preview_switch(context: LetterContext, command: SetStandby) -> str:
    """Return the preview of STANDBY ON or OFF, which undo each other."""
    game = _switched(context, command)
    if not command.on:
        return (
            f"Seats that become vacant in {game.name} are offered to nobody until you say so. Open "
            "offers are cancelled."
        )
    names = ", ".join(row.name for row in _not_offered(context, game))
    now = f" These are offered now: {names}." if names else ""
    return f"Seats that become vacant in {game.name} are offered to standbys automatically.{now}"


def switch(context: LetterContext, command: SetStandby) -> str:
    """Handle STANDBY ON or OFF."""
    game = _switched(context, command)
    game.standby = command.on
    for row in game.seats:
        if not command.on:
            vacancies.take_off_offer(context.session, row)
    for row in _not_offered(context, game) if command.on else ():
        vacancies.put_on_offer(context.session, row, context.now)
    how = "are offered to standbys" if command.on else "are offered to nobody for now"
    return announce_change(context, game, f"Seats that become vacant {how}.")


def preview_admit(context: LetterContext, command: AdmitMasters) -> str:
    """Return the preview of STANDBY GM ON or OFF, which undo each other."""
    game = _admitting(context, command)
    return f"{_allowed(command, game.name)} All players read this."


def admit(context: LetterContext, command: AdmitMasters) -> str:
    """Handle STANDBY GM ON or OFF. All players are notified, because a GM may know secrets."""
    game = _admitting(context, command)
    game.gms_may_play = command.on
    agenda.schedule(context.session, game)
    return announce_change(context, game, _allowed(command, "this game"))


def _switched(context: LetterContext, command: SetStandby) -> Game:
    """Return the game. Raises NoChange if no seat would be offered, or no longer offered."""
    game = require_gm(context, *UNDECIDED)
    offered = any(row.offered_at is not None for row in game.seats)
    if game.standby == command.on and not (_not_offered(context, game) if command.on else offered):
        raise as_it_is(game)
    return game


def _admitting(context: LetterContext, command: AdmitMasters) -> Game:
    game = require_gm(context, *UNDECIDED)
    if game.gms_may_play == command.on:
        raise as_it_is(game)
    return game


def _allowed(command: AdmitMasters, game: str) -> str:
    """Return in words whether a GM of *game* can take a seat from now on."""
    if command.on:
        return f"Anyone who is or was a GM of {game} can take a seat that becomes vacant."
    return f"Nobody who is or was a GM of {game} can take a seat."


def _wanted(context: LetterContext, command: StandBy, person: Person | None) -> str:
    """Return the scope of STANDBY. Raises UserError if the person cannot be a standby for it."""
    scope = _scope(context, command.scope)
    game = games.by_name(context.session, scope)
    if game is not None and same_mailbox.holds_seat(game, person, context.identity.address):
        raise UserError(f"You play in {game.name} already.")
    address = context.identity.address
    if game is not None and vacancies.is_excluded(context.session, game, address, person):
        raise not_open(game.name)
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
    if not identity.is_proven or not identity.address:
        raise UserError("Send STANDBY in a separate email, from your own address.")
    name = context.letter.senders[0].name if context.letter.senders else ""
    return know(context.desk, identity.address, name, "")


def _scope(context: LetterContext, words: str, *, ended: bool = False) -> str:
    """Return the scope that the words name. Raises UserError if there is none."""
    if words == standbys.EVERYWHERE:
        return words
    for key, ruleset in context.site.rulesets.items():
        if is_called(ruleset.info, words):
            return key
    person = people.by_address(context.session, context.to.address)
    game = private_games.called(context.session, words, person, context.to.address)
    if game is None:
        _refuse_turned_away(context, words, person)
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
        return f"all games of {ruleset_of(context.site.rulesets, scope).info.title}"
    return scope


def _own(context: LetterContext, person: Person) -> Iterator[str]:
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


def _record(context: LetterContext, person: Person) -> str:
    return reliability_of(context.session, person, context.identity.game).in_words()


def _offerable(context: LetterContext, command: OfferSeat) -> SeatRow:
    game = require_gm(context, *BEGUN)
    row = seat_called(game, command.seat)
    if row.eliminated:
        raise UserError(f"{row.name} is eliminated from {game.name}.")
    if not vacancies.is_available(context.session, row):
        raise UserError(f"{row.name} has a player. VACATE {row.name} takes the seat from them.")
    if offers.open_for(context.session, row) is not None:
        raise UserError(f"{row.name} is being offered. STANDBY shows to whom.")
    return row


def _not_offered(context: LetterContext, game: Game) -> list[SeatRow]:
    """Return the seats that are available and not offered."""
    rows = (row for row in game.seats if row.offered_at is None)
    return [row for row in rows if vacancies.is_available(context.session, row)]
