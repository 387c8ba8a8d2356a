"""When a game starts or is called off: START WHEN FULL, BY GM and ON, CALL OFF, and the clock."""

from datetime import datetime, timedelta
from typing import Final

from referee.desk.base import announcements
from referee.desk.base.call_outs import call_out, for_all
from referee.desk.base.desk import Desk
from referee.desk.games import start_terms
from referee.desk.gm import game_setup
from referee.desk.orders.command_entries import Deed, Effect, For, command
from referee.desk.orders.gm_authority import announce_change, require_gm
from referee.desk.orders.letter_context import LetterContext
from referee.desk.seats import joining
from referee.domain.call_outs import CallOutEvent
from referee.domain.days import NamedMoment
from referee.domain.gm_commands import SetCallOff, SetStart
from referee.domain.house_rules import StartRule
from referee.letters.outgoing.local_time import Moment
from referee.rules.ruleset import UserError
from referee.store.games import agenda, games
from referee.store.games.agenda import AgendaTopic
from referee.store.models import LONG_AGO, Game, GameStatus
from referee.store.people import observers

_FARTHEST: Final = timedelta(days=366)


@command(SetStart, "START", For.GM, Effect.CHANGES, shown_in="gm_starting")
def start_when(context: LetterContext, given: SetStart) -> Deed:
    """START WHEN FULL, START BY GM and START ON, which the old rule undoes."""
    game = require_gm(context, GameStatus.FORMING)
    at = _moment(context, given.when) if isinstance(given.when, NamedMoment) else None
    if at is not None and game.call_off_at is not None and at >= game.call_off_at:
        off = Moment(game.call_off_at, context.zone)
        raise UserError(f"{game.name} is called off on {off}, before that. CALL OFF changes it.")

    def change() -> str:
        rule = given.when if isinstance(given.when, StartRule) else StartRule.FULL
        start_terms.set_rule(game, rule, at)
        agenda.schedule(context.session, game, AgendaTopic.START)
        return announce_change(context, game, next(start_terms.in_words(game)))

    if given.when is StartRule.GM:
        new = f"{game.name} starts when you write START, however many seats are taken."
    elif at is not None:
        new = (
            f"{game.name} starts on {Moment(at, context.zone)} if all seats are taken then, else "
            "as soon as they are."
        )
    elif games.is_full(context.session, game):
        return Deed(f"{game.name} is full and starts now.", change)
    else:
        new = f"{game.name} starts as soon as all seats are taken."
    return Deed(f"{new} (Before: {' '.join(start_terms.in_words(game, context.zone))})", change)


@command(SetCallOff, "CALL OFF", For.GM, Effect.CHANGES, shown_in="gm_starting")
def call_off(context: LetterContext, given: SetCallOff) -> Deed:
    """CALL OFF, which the old date undoes."""
    game = require_gm(context, GameStatus.FORMING)
    at = _moment(context, given.on) if given.on is not None else None
    if at is not None and game.starts_at is not None and at <= game.starts_at:
        start = Moment(game.starts_at, context.zone)
        raise UserError(f"{game.name} starts on {start}. Name a later time.")
    says = f"{game.name} waits for its start, and is not called off."
    told = "The game is not called off while it waits for its start."
    if at is not None:
        says = (
            f"{game.name} is called off on {Moment(at, context.zone)} if it has not started by "
            "then. Everyone who joined gets an email about it, and it cannot be undone then."
        )
        told = f"The game is called off if it has not started by {Moment(at, 'UTC')}."

    def change() -> str:
        game.call_off_at = at
        agenda.schedule(context.session, game, AgendaTopic.START)
        return announce_change(context, game, told)

    now = game.call_off_at
    old = f" (Before: on {Moment(now, context.zone)}.)" if now is not None else ""
    return Deed(f"{says}{old}", change)


def start_in(desk: Desk, game: Game, watermark: datetime | None = None) -> None:
    """Start a forming game, or call it off, if it is time; else schedule the next check.

    A letter that arrived in time but is not yet read may take a seat, so it is read first. All
    letters up to *watermark*, the intake watermark, are stored; None means all letters are.
    """
    closed = min(desk.now, watermark or desk.now)
    if game.status is GameStatus.FORMING:
        _start_or_wait(desk, game, closed)
    moments = (game.starts_at, game.call_off_at)
    coming = [at for at in moments if at is not None and at > LONG_AGO]
    coming = coming if game.status is GameStatus.FORMING else []
    # A game that lost a player has nothing to wait for until it is full again.
    game.stalls, game.stalled_until = 0, None
    if coming:
        agenda.reschedule(desk.session, game, AgendaTopic.START, min(coming))
    else:
        agenda.close(desk.session, game, AgendaTopic.START)


def _start_or_wait(desk: Desk, game: Game, closed: datetime) -> None:
    is_full = games.is_full(desk.session, game)
    if is_full and start_terms.starts_when_full(game, closed):
        game_setup.start(desk, game)
    elif game.call_off_at is not None and game.call_off_at <= closed:
        _end_before_start(desk, game)
    elif is_full and start_terms.waits_for_gm(game):
        what = f"{game.name} is full. START starts it."
        for gm in game.gms:
            announcements.tell(desk, game, gm.person, what, f"full{game.seats[-1].id}")
    elif game.starts_at is not None and LONG_AGO < game.starts_at <= closed:
        _start_later(desk, game)


def _start_later(desk: Desk, game: Game) -> None:
    """Notify everyone that the game is not full on the day of its start, and has to wait."""
    assert game.starts_at is not None
    occasion = f"waits{int(game.starts_at.timestamp())}"
    start_terms.set_rule(game, StartRule.FULL)
    free = game.places - len(game.seats)
    seats = "1 seat is" if free == 1 else f"{free} seats are"
    what = f"{game.name} does not start yet, because {seats} free. It starts as soon as it is full."
    announcements.proclaim(desk, game, what, occasion)


def _end_before_start(desk: Desk, game: Game) -> None:
    """Call the game off, and notify everyone who has to do with it."""
    joined = f"It had {len(game.seats)} of {game.places} players"
    what = f"{game.name} is called off, because it did not start in time. {joined}."
    games.end(game, desk.now)
    game.starts_at = game.call_off_at = None
    announcements.proclaim(desk, game, what, "calledoff")
    call_out(desk, game, for_all(CallOutEvent.ENDED, what), "calledoff")
    joining.turn_away(desk, game, "It is called off.")
    for observer in observers.of(desk.session, game):
        announcements.tell(desk, game, observer.person, what, "calledoff")
    agenda.schedule(desk.session, game)


def _moment(context: LetterContext, named: NamedMoment) -> datetime:
    """Return the moment that the GM names. Raises UserError if it is over, or too far away."""
    at = named.after(context.now)
    if at <= context.now:
        raise UserError(f"{Moment(at, context.zone)} has passed.")
    if at > context.now + _FARTHEST:
        raise UserError(f"That can be at most {_FARTHEST.days} days ahead.")
    return at
