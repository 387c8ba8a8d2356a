"""Robots in a GM's game: SEATS with ROBOTS, ASSIGN ROBOT and REPLACE with ROBOT."""

from collections import Counter

from referee.desk.base import robots
from referee.desk.base.desk import Desk, Site
from referee.desk.base.loaded_games import ruleset_of
from referee.desk.games import start_terms, vacancies
from referee.desk.orders.command_entries import Deed, Effect, For, command
from referee.desk.orders.gm_authority import (
    BEGUN,
    announce_and_log,
    as_it_is,
    log_change,
    require_gm,
)
from referee.desk.orders.letter_context import LetterContext
from referee.desk.orders.naming import seat_called
from referee.desk.seats.registration import drawn_name
from referee.domain.gm_commands import ReplaceByRobot, SeatRobot, SetSeats
from referee.domain.robots import called
from referee.rules.extras import Strength, extras_of
from referee.rules.ruleset import UserError
from referee.rules.wording import listed
from referee.store.games import agenda, games
from referee.store.games.agenda import AgendaTopic
from referee.store.models import Game, GameStatus, SeatRow


def taken_with(site: Site, game: Game, command: SetSeats) -> int:
    """Return how many seats are taken after SEATS.

    Raises UserError if no seat would be left for a person, or if the ruleset has no robots.
    """
    if command.robots is None:
        return len(game.seats)
    if command.robots:
        _check_ruleset(site, game)
    if command.robots >= command.count:
        raise UserError(f"Leave a seat for a person: SEATS {command.count} ROBOTS 1.")
    return len(game.seats) - len(robots.of_game(game)) + command.robots


def changes(game: Game, command: SetSeats) -> bool:
    """Return whether SEATS changes the robots of the game."""
    if command.robots is None:
        return False
    now = [row.robot for row in robots.of_game(game)]
    return now != [command.strength] * command.robots


def preview_number(game: Game, command: SetSeats) -> str:
    """Return who plays the seats after SEATS with ROBOTS; the old number undoes it."""
    now = Counter(row.robot.value for row in robots.of_game(game) if row.robot is not None)
    before = listed(f"{count} {strength}" for strength, count in now.items()) or "none"
    count, strength = command.robots, command.strength
    if not count:
        return f"Robots play none of them (before: {before})."
    if count == 1:
        return f"1 of them is played by {called(strength)} (before: {before})."
    return f"{count} of them are played by {strength.value} robots (before: {before})."


def set_number(desk: Desk, game: Game, command: SetSeats) -> None:
    """Add or remove robots, the newest first, and set the strength of them all."""
    before = robots.of_game(game)
    wanted = command.robots or 0
    for row in reversed(before[wanted:]):
        games.remove_seat(desk.session, row)
    for row in before[:wanted]:
        row.robot = command.strength
    for _ in range(wanted - len(before)):
        add(desk, game, command.strength)


def add(desk: Desk, game: Game, strength: Strength) -> SeatRow:
    """Add a seat that a robot plays to a forming game."""
    row = games.add_seat(
        desk.session,
        game,
        number=len(game.seats) + 1,
        name=drawn_name(desk.site, game, ruleset_of(desk.site.rulesets, game.ruleset).info),
        choices={},
        person=None,
        now=desk.now,
    )
    row.robot = strength
    return row


@command(SeatRobot, "ASSIGN", For.GM, Effect.CHANGES, shown_in="robots")
def seat_robot(context: LetterContext, given: SeatRobot) -> Deed:
    """ASSIGN ROBOT, which VACATE undoes. The seat gets a drawn name."""
    game = require_gm(context, GameStatus.FORMING)
    _check_ruleset(context.site, game)
    if len(game.seats) >= game.places:
        raise UserError(f"{game.name} has no free seat. SEATS adds more.")
    if len(robots.of_game(game)) + 1 >= game.places:
        raise UserError(f"The last seat of {game.name} is for a person. SEATS adds more.")

    def seat() -> str:
        row = add(context.desk, game, given.strength)
        context.undoes[row.name] = f"VACATE {row.name}"
        agenda.schedule(context.session, game, AgendaTopic.START)
        what = f"The GM gave the seat {row.name} to {called(given.strength)}."
        return log_change(context, game, what, f"{row.name} is {robots.without_player(row)}.")

    full = start_terms.if_last(game, context.now, context.zone)
    robot = called(given.strength).capitalize()
    return Deed(f"{robot} gets a seat in {game.name}.{full}", seat)


@command(ReplaceByRobot, "REPLACE", For.GM, Effect.CHANGES, shown_in="robots")
def replace_by_robot(context: LetterContext, given: ReplaceByRobot) -> Deed:
    """REPLACE with ROBOT, which VACATE undoes. An offer of the seat to standbys goes on."""
    game = require_gm(context, *BEGUN)
    _check_ruleset(context.site, game)
    row = seat_called(game, given.seat)
    if row.eliminated:
        raise UserError(f"{row.name} is eliminated from {game.name}.")
    if row.person is not None:
        raise UserError(f"{row.name} has a player. VACATE {row.name} makes it vacant first.")
    if row.robot is given.strength:
        raise as_it_is(game)

    was = f"REPLACE {row.name} ROBOT {row.robot.value}" if row.robot else f"VACATE {row.name}"

    def replace() -> str:
        context.undoes[row.name] = was
        row.robot = given.strength
        hidden = f"{row.name} is {robots.without_player(row)}."
        what = f"A seat is {robots.without_player(row)}, until a person takes it over."
        return announce_and_log(context, game, hidden, what)

    return Deed(
        f"{row.name} of {game.name} is played by {called(given.strength)} from now on, "
        f"until a person takes it over (before: {robots.without_player(row)}). Orders on file "
        "stay.",
        replace,
    )


def remove(context: LetterContext, row: SeatRow) -> str:
    """Take the robot from its seat, which is then vacant, or free before the start."""
    game, name = row.game, row.name
    if game.status is GameStatus.FORMING:
        games.remove_seat(context.session, row)
        return log_change(
            context, game, f"The GM freed the seat {name}.", f"The seat {name} is free again."
        )
    row.robot = None
    offered = vacancies.fill(context.session, row, context.now)
    what = f"A robot no longer plays a seat. It is vacant{offered}."
    return announce_and_log(context, game, f"{name} is vacant.", what)


def _check_ruleset(site: Site, game: Game) -> None:
    """Raise UserError if the ruleset of the game has no robots."""
    ruleset = ruleset_of(site.rulesets, game.ruleset)
    if extras_of(ruleset).robot is None:
        raise UserError(f"{ruleset.info.title} has no robots.")
