"""Observers: people who read the public reports of a game without playing in it."""

from collections.abc import Iterator
from typing import Final

from referee.desk.base import ledger, private_games
from referee.desk.base.outbox_writer import Addressing, mailbox
from referee.desk.orders.command_entries import Deed, Effect, For, command, question
from referee.desk.orders.gm_authority import (
    UNDECIDED,
    NoChange,
    announce_change,
    plays,
    require_gm,
)
from referee.desk.orders.letter_context import LetterContext
from referee.desk.orders.naming import game_called
from referee.desk.reports.public_reports import readable
from referee.desk.seats.registration import enrol, introduced
from referee.domain.commands import Observe, StopObserving
from referee.domain.gm_commands import (
    CloseToObservers,
    OpenToObservers,
    ShowObservers,
)
from referee.domain.shares import Thing
from referee.letters.outgoing.local_time import Moment
from referee.letters.outgoing.seat_notices import Observing
from referee.rules.ruleset import UserError
from referee.rules.wording import counted
from referee.store.games import agenda
from referee.store.games.agenda import AgendaTopic
from referee.store.models import Game, GameStatus
from referee.store.people import observers, people
from referee.store.people.observers import Observer

MOST_BEHIND: Final = 100


@command(
    Observe,
    "OBSERVE",
    For.ANYONE,
    shown_in="observers",
    answer=Observing,
    because="it asks us to send you emails",
)
def observe(context: LetterContext, given: Observe) -> Deed:
    """OBSERVE. The welcome is a letter of its own; the newest report follows."""
    game = _observable(context, given.game)

    def welcome() -> str:
        enrolled = enrol(context.desk, context.to.address, context.sender_name, "")
        begin = max(readable(game) - 1, 0)
        observers.add(context.session, game, enrolled.person, begin, context.now)
        agenda.schedule(context.session, game, AgendaTopic.OBSERVERS)
        notice = Observing(
            game=game.name,
            title=game.title,
            later=_later(game),
            first=readable(game) < 1,
            account=enrolled.person.account,
            code=enrolled.code,
        )
        serial = f"observing{context.row.id}"
        addressing = Addressing(
            mailbox(enrolled.person), serial, context.row, context.answered_id, game
        )
        context.letters.append((notice, addressing))
        return ""

    says = f"You get the public report of each turn of {game.name}, {_later(game)}."
    return Deed(f"{says}{introduced(context.sender_name)}", welcome)


@command(StopObserving, "OBSERVE", For.ANYONE, Effect.SETS, shown_in="observers")
def stop(context: LetterContext, given: StopObserving) -> Deed:
    """OBSERVE OFF."""
    game = game_called(context, given.game)
    person = people.by_address(context.session, context.to.address)
    observer = observers.find(context.session, game, person) if person is not None else None
    if observer is None:
        raise UserError(f"You do not observe {game.name}.")
    says = f"You no longer observe {game.name}."

    def end() -> str:
        context.session.delete(observer)
        return says

    return Deed(says, end)


@command(OpenToObservers, "OBSERVERS ON", For.GM, Effect.CHANGES, shown_in="gm_observers")
def open_to_all(context: LetterContext, given: OpenToObservers) -> Deed:
    """OBSERVERS ON. Earlier observers continue to read."""
    game, delay = require_gm(context, *UNDECIDED), given.delay
    if delay > MOST_BEHIND:
        raise UserError(f"At most {MOST_BEHIND} turns later. OBSERVERS OFF lets nobody read.")
    if game.observers_behind == delay:
        raise NoChange(f"{game.name} already takes observers, who read its reports {_later(game)}.")

    def open_it() -> str:
        game.observers_behind = delay
        agenda.schedule(context.session, game)
        what = f"Observers can read the public reports, {_later(game)}."
        return announce_change(context, game, what)

    later = _turns_later(delay) if delay else "at once"
    warning = "If that is too soon for your game" if delay else "With no delay"
    shown = ""
    if context.site.pages and not private_games.is_private(game):
        shown = "The newest one is on our web pages, too. "
    says = (
        f"Anyone can observe {game.name}. Observers get the public report of each turn, {later}. "
        "It has what the rules show to everyone, the announcements and your broadcasts. It has no "
        "message between players, and nothing from any seat. "
        f"{shown}{warning}, an observer can tell a player what that player does not know."
    )
    shows_more = game.observers_behind is None or delay < game.observers_behind
    return Deed(says, open_it, "Others see at once what they could not see." * shows_more)


@command(CloseToObservers, "OBSERVERS OFF", For.GM, Effect.CHANGES, shown_in="gm_observers")
def close(context: LetterContext, _given: CloseToObservers) -> Deed:
    """OBSERVERS OFF. The observers are notified at once."""
    game = require_gm(context, *UNDECIDED)
    if game.observers_behind is None:
        raise NoChange(f"{game.name} takes no observers, so nothing changes.")
    reading = observers.of(context.session, game)

    def end() -> str:
        game.observers_behind = None
        agenda.schedule(context.session, game)
        return announce_change(context, game, "The game no longer takes observers.")

    verb = "is" if len(reading) == 1 else "are"
    told = f" {counted(len(reading), 'observer')} {verb} notified." if reading else ""
    return Deed(f"{game.name} no longer takes observers.{told}", end)


@question(ShowObservers, "OBSERVERS LIST", For.GM, shown_in="gm_observers")
def listed(context: LetterContext, _command: ShowObservers) -> str:
    """OBSERVERS LIST, by account and name and without addresses."""
    game = require_gm(context, *GameStatus)
    if game.observers_behind is None:
        head = f"{game.name} takes no observers. OBSERVERS ON lets anyone observe it."
    else:
        head = f"{game.name} takes observers, who read its reports {_later(game)}."
    return "\n".join([head, *_lines(context, game), ""])


def _observable(context: LetterContext, name: str) -> Game:
    """Return the game if the sender may observe it. Raises UserError, in words for the sender."""
    game = game_called(context, name)
    person = people.by_address(context.session, context.to.address)
    if plays(game, person):
        raise UserError(
            f"You play in {game.name}. Your own reports tell you more than the public ones would."
        )
    if game.observers_behind is None or game.status is GameStatus.ENDED:
        raise UserError(f"{game.name} takes no observers. LIST shows the games that do.")
    observer = observers.find(context.session, game, person) if person is not None else None
    if observer is not None:
        raise UserError(f"You already observe {game.name}. OBSERVE {game.name} OFF ends it.")
    holders = [each.person.address for each in observers.of(context.session, game)]
    address = context.to.address
    ledger.require(context.desk, ledger.holding(Thing.OBSERVER, address, holders, game.name))
    return game


def _lines(context: LetterContext, game: Game) -> Iterator[str]:
    found = observers.of(context.session, game)
    for observer in found:
        since = Moment(observer.since, context.zone)
        # After the end it counts the final standings, too.
        turn = min(observer.read_turn, game.turn)
        read = f"has read turn {turn}" if turn else "has read nothing"
        yield f"  {_who(observer)}, since {since}, {read}"
    if not found:
        yield "  Nobody observes it."


def _who(observer: Observer) -> str:
    name = f" {observer.person.name}" if observer.person.name else ""
    return f"#{observer.person.account}{name}"


def _later(game: Game) -> str:
    return _turns_later(game.observers_behind) if game.observers_behind else "at once"


def _turns_later(delay: int) -> str:
    return f"{delay} turn{'s' if delay != 1 else ''} later"
