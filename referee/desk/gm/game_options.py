"""Settings of a game by its GM: options, seats, title and press rules; also CREATE and START."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from typing import Any

from referee.desk.base import option_text
from referee.desk.base.loaded_games import choose, house_options, ruleset_of
from referee.desk.base.outbox_writer import Addressing, mailbox
from referee.desk.games import start_terms
from referee.desk.games.house_rules import press_in_words
from referee.desk.gm import game_setup, seat_robots
from referee.desk.orders.command_entries import Deed, Effect, For, command
from referee.desk.orders.gm_authority import (
    BEGUN,
    UNDECIDED,
    announce_change,
    as_it_is,
    record,
    refuse_player,
    require_gm,
    set_column,
)
from referee.desk.orders.letter_context import LetterContext
from referee.desk.seats import joining
from referee.domain.commands import Create
from referee.domain.gm_commands import SetOptions, SetPress, SetSeats, SetTitle, Start
from referee.domain.house_rules import HOUSE_OPTIONS
from referee.domain.schedules import of_turns
from referee.letters.outgoing.notices import GameCreated
from referee.rules.ruleset import UserError
from referee.store.games import agenda, press
from referee.store.games.agenda import AgendaTopic
from referee.store.games.reminders import check_reminders
from referee.store.models import Game, GameStatus

_ENDINGS = frozenset({"vote_draw", "vote_concede", "vote_end"})
"""The options of votes that end a game."""


@command(
    Create,
    "CREATE",
    For.ANYONE,
    Effect.ENTERS,
    shown_in="gamemaster",
    answer=GameCreated,
)
def create(context: LetterContext, given: Create) -> Deed:
    """CREATE. The preview names all that the letter asks for: anyone could have written it."""
    creator = context.identity.usual_address
    with _noted(context, "No game was created"):
        planned = game_setup.plan(context.desk, creator, given)

    def begin() -> str:
        game, gm, notice = game_setup.create(context.desk, creator, planned)
        to, answered = mailbox(gm.person), context.answered_id
        addressing = Addressing(to, "created", context.row, answered, game=game)
        context.letters.append((notice, addressing))
        if context.identity.game is None:
            # The lines below are about the game that this one has made.
            context.identity = replace(
                context.identity.told(game=game),
                proof=replace(context.identity.proof, person=gm.person),
            )
        return ""

    info, schedule = planned.ruleset.info, of_turns(planned.schedule)
    seats = f"{planned.places} seats, and you are its GM"
    pack = planned.pack
    packed = f" Its house rules are those of the pack {pack.name}." if pack is not None else ""
    title = f" Title: {planned.title}." if given.title else ""
    options = _chosen(planned, given)
    says = f"A new game of {info.title} with {seats}.{title} Schedule: {schedule}.{packed}{options}"
    return Deed(says, begin)


def _chosen(planned: game_setup.Plan, command: Create) -> str:
    """Return in words the options that CREATE names."""
    named = {name.casefold() for name, _ in command.options}
    values = {**planned.options, **planned.of_house}
    listed = [
        f"{option.name} = {option_text.written(values[option.name])}"
        for option in (*planned.ruleset.info.options, *HOUSE_OPTIONS)
        if option.name.casefold() in named
    ]
    return f" Options: {', '.join(listed)}." if listed else ""


@command(Start, "START", For.GM, Effect.FOR_GOOD, shown_in="gamemaster")
def start(context: LetterContext, _given: Start) -> Deed:
    """START cannot be undone."""
    game = require_gm(context, GameStatus.FORMING)
    with _noted(context, "Nothing was changed"):
        game_setup.check_fewer(context.site, game)

    def begin() -> str:
        game_setup.start_with_fewer(context.session, game)
        record(context, game, "The GM wrote START.")
        return f"{game.name} starts now, with {len(game.seats)} seats."

    names = ", ".join(row.name for row in game.seats) or "nobody"
    turned_away = joining.waiting_in_words(context.session, game)
    says = f"{game.name} starts with {len(game.seats)} of {game.places} seats: {names}."
    return Deed(says + turned_away, begin)


@command(SetOptions, "OPTION", For.GM, Effect.CHANGES, shown_in="gm_shaping")
def set_options(context: LetterContext, given: SetOptions) -> Deed:
    """OPTION, which the old values undo."""
    game = require_gm(context, *UNDECIDED)
    changes = _changes(context, game, given)
    new = {
        name: option_text.written(value)
        for name, value in (*changes.of_ruleset.items(), *changes.of_house.items())
    }

    def choose_them() -> str:
        game.options = {**game.options, **changes.of_ruleset}
        choose(game, changes.of_house)
        # Standbys for other games are asked only if the game is not private.
        agenda.schedule(context.session, game)
        if "start" in changes.of_house:
            game.starts_at = None
            agenda.schedule(context.session, game, AgendaTopic.START)
        # The GMs may have to be notified before the deadline.
        check_reminders(game)
        words = ", ".join(f"{name} = {value}" for name, value in new.items())
        private = changes.of_house.get("private", False)
        how = " CODE shows the line with which players join." if private else ""
        noun = "option" if len(new) == 1 else "options"
        return announce_change(context, game, f"The GM set the {noun} {words}.") + how

    old = _options_of(game)
    lines = (f"{n} = {value} (before: {option_text.written(old[n])})" for n, value in new.items())
    return Deed(f"Options of {game.name}: {'; '.join(lines)}.", choose_them)


@command(SetSeats, "SEATS", For.GM, Effect.CHANGES, shown_in="gm_shaping")
def set_seats(context: LetterContext, given: SetSeats) -> Deed:
    """SEATS, which the old number undoes."""
    game = require_gm(context, *UNDECIDED)
    if game.status is not GameStatus.FORMING:
        raise UserError(
            f"{game.name} has started with {len(game.seats)} seats, and their number cannot be "
            "changed. REPLACE gives a seat to someone else."
        )
    taken = _check_seats(context, game, given)

    def change() -> str:
        game.places = given.count
        what = f"The GM set the number of seats to {given.count}"
        if given.robots is not None:
            seat_robots.set_number(context.desk, game, given)
            what += f", {given.robots or 'none'} of them for robots"
        agenda.schedule(context.session, game, AgendaTopic.START)
        return announce_change(context, game, f"{what}.")

    lasting = ""
    words = [f"{game.name} has {given.count} seats (before: {game.places})."]
    if given.robots is not None:
        words.append(seat_robots.preview_number(game, given))
        lasting = "It takes or gives away seats." * seat_robots.changes(game, given)
    if given.count == taken:
        words.append(start_terms.when_full(game, context.now, context.zone))
    return Deed(" ".join(words), change, lasting)


@command(SetTitle, "TITLE", For.GM, Effect.CHANGES, shown_in="gm_shaping")
def set_title(context: LetterContext, given: SetTitle) -> Deed:
    """TITLE, which the old title undoes."""
    game, title = require_gm(context, *UNDECIDED), given.title
    game_setup.check_title(title)
    says = f'The title of {game.name} is "{title}" (before: "{game.title}").'
    told = f'The GM changed the title to "{title}".'
    return set_column(context, game, "title", title, says, told)


@command(SetPress, "OPTION", For.GM, Effect.CHANGES, shown_in="gm_shaping")
def set_press(context: LetterContext, given: SetPress) -> Deed:
    """OPTION PRESS, which the old rules undo."""
    game = require_gm(context, *UNDECIDED)
    values = {field.name: getattr(given, field.name) for field in fields(given)}
    named = {name: value for name, value in values.items() if value is not None}
    rules = replace(game.press_rules, **named)
    if rules == game.press_rules:
        raise as_it_is(game)
    new, old = press_in_words(rules), press_in_words(game.press_rules)

    def change() -> str:
        game.press_rules = rules
        press.follow(context.session, game)
        return announce_change(context, game, f"The GM changed the press rules: {new}.")

    says = f"In {game.name} {new} (before: {old}). Messages already written are still delivered."
    return Deed(says, change)


@dataclass(frozen=True, slots=True)
class _Changes:
    """The options that a GM sets: those of the ruleset, and house options."""

    of_ruleset: dict[str, int | str | bool]
    of_house: dict[str, int | str | bool]


def _changes(context: LetterContext, game: Game, command: SetOptions) -> _Changes:
    info = ruleset_of(context.site.rulesets, game.ruleset).info
    values = option_text.options_of((*info.options, *HOUSE_OPTIONS), command.options)
    old = _options_of(game)
    values = {name: value for name, value in values.items() if value != old.get(name)}
    if not values:
        raise as_it_is(game)
    house_names = {option.name for option in HOUSE_OPTIONS}
    of_ruleset = {name: value for name, value in values.items() if name not in house_names}
    if of_ruleset and game.status is not GameStatus.FORMING:
        raise UserError(f"{game.name} has started, so {', '.join(of_ruleset)} cannot be changed.")
    if values.get("trust") == "address" and game.status in BEGUN:
        refuse_player(context, game, "let emails count without a token or a code now")
    if _ENDINGS & values.keys() and game.status in BEGUN:
        refuse_player(context, game, "change how the votes are decided that end the game")
    if of_ruleset:
        # Checked before anything is set, so that the game can still start with its old options.
        with _noted(context, "Nothing was changed"):
            options = {**game.options, **of_ruleset}
            game_setup.check_options(context.site, game, options, game.places)
    return _Changes(of_ruleset, {n: value for n, value in values.items() if n in house_names})


def _check_seats(context: LetterContext, game: Game, command: SetSeats) -> int:
    """Return how many seats are taken then. Raises UserError if the number is not possible."""
    count, taken = command.count, seat_robots.taken_with(context.site, game, command)
    info = ruleset_of(context.site.rulesets, game.ruleset).info
    if not info.fewest_seats <= count <= info.most_seats:
        raise UserError(f"{info.title} is for {option_text.players(info)}.")
    if count == game.places and not seat_robots.changes(game, command):
        raise as_it_is(game)
    if count < taken:
        if command.robots is not None:
            raise UserError(f"{game.name} would have {taken} players and robots in {count} seats.")
        raise UserError(f"{len(game.seats)} seats of {game.name} are taken. VACATE frees one.")
    with _noted(context, "Nothing was changed"):
        game_setup.check_options(context.site, game, game.options, count)
    return taken


@contextmanager
def _noted(context: LetterContext, undone: str) -> Iterator[None]:
    """Answer a fault of a ruleset that sets up a game: *undone*, and that the operator knows."""
    try:
        yield
    except game_setup.SetupFailed as failed:
        context.note_fault("setup", failed.__cause__ or failed, failed.info.key)
        raise UserError(
            f"{undone}, because of a fault in the ruleset {failed.info.title}. The operator has "
            "been notified."
        ) from failed


def _options_of(game: Game) -> dict[str, Any]:
    return {**game.options, **house_options(game)}
