"""``referee game``: a game, its state or its record as a file, and its GMs."""

import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from referee.app import build_site
from referee.cli.common import game_named, open_database, refuse_existing, settings_of
from referee.cli.game_files import StateFile, write_private, write_record
from referee.cli.help_format import HelpGroup
from referee.clock import now
from referee.desk.base.desk import Desk
from referee.desk.base.loaded_games import lay_turn, ruleset_of
from referee.desk.games.record import record_of
from referee.desk.publishing import book
from referee.desk.publishing.openness import Audience, openness
from referee.desk.seats import departure, first_gm, gm_succession
from referee.errors import Finding, NotFound, RefereeError
from referee.rules.dice import SECRET, Dice
from referee.rules.ruleset import Option, Ruleset, Seat, SignUp, UserError
from referee.rules.wording import counted
from referee.store.games import games
from referee.store.models import Game, GameMaster, GameStatus
from referee.store.people import people
from referee.testing.probe import tried_rulesets

_OUT = click.argument("out", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE")
_FORCE = click.option("--force", is_flag=True, help="Overwrite FILE if it exists.")


@click.group("game", cls=HelpGroup)
def command() -> None:
    """Write a game, its state or its record into a file, or change its GMs."""


@command.command("export")
@click.argument("game")
@_OUT
@click.option(
    "--turn", type=click.IntRange(1), metavar="N", help="The turn; by default the current one."
)
@_FORCE
@click.pass_context
def export(ctx: click.Context, game: str, out: Path, turn: int | None, *, force: bool) -> None:
    """Write the state of GAME before the orders of a turn, for `referee resolve`.

    FILE contains the secrets of every seat.
    """
    refuse_existing(out, force=force)
    settings = settings_of(ctx)
    with open_database(settings) as store, store.read() as session:
        site = build_site(settings, store)
        found = game_named(session, game)
        try:
            row = games.turn_of(session, found, turn or found.turn)
        except LookupError as error:
            remedy = f"choose a turn from 1 to {found.turn}" if found.turn else "it has not started"
            raise NotFound(Finding(str(error.args[0]), remedy)) from error
        table = lay_turn(site, found, row)
        seats = {Seat(seat.number): seat.name for seat in found.seats}
        StateFile(table.ruleset, found.seed, seats, table.state).write(out)
    click.echo(f"{out}: {found.name} before the orders of turn {row.number}")


@command.command("record")
@click.argument("game")
@_OUT
@_FORCE
@click.pass_context
def record(ctx: click.Context, game: str, out: Path, *, force: bool) -> None:
    """Write all turns of GAME, for `referee replay`, with the secrets of every seat."""
    refuse_existing(out, force=force)
    with open_database(settings_of(ctx)) as store, store.read() as session:
        found = game_named(session, game)
        if not found.turn:
            raise NotFound(Finding(f"{found.name}: not started yet", "start it with START"))
        written = record_of(session, found)
    write_record(out, written)
    click.echo(f"{out}: {written.game}, {counted(len(written.turns), 'turn')}")


@command.command("archive")
@click.argument("game")
@_OUT
@_FORCE
@click.pass_context
def archive(ctx: click.Context, game: str, out: Path, *, force: bool) -> None:
    """Write GAME, which has ended, as a book: a ZIP file with pages, reports and record.

    It has the reports of all seats, so give it to nobody who may read only their own: every player
    gets a book with theirs by email. The same game gives the same bytes.
    """
    refuse_existing(out, force=force)
    settings = settings_of(ctx)
    with open_database(settings) as store:
        site = build_site(settings, store)
        with store.read() as session:
            found = game_named(session, game)
            number, name = found.id, found.name
            if openness(session, found, Audience.PLAYERS) is None:
                raise NotFound(_no_book(found))
        files = list(book.common_files(store.read, site, number))
        files += book.own_files(store.read, site, number, 0)
        with store.read() as session:
            seats = game_named(session, name).seats
            files += [file for row in seats for file in book.reports_of(session, row)]
    write_private(out, book.bound(files))
    click.echo(f"{out}: {name}, {len(files)} files")


def _no_book(game: Game) -> Finding:
    if game.status is GameStatus.ENDED:
        what = f"{game.name}: ended before its first turn was resolved, so there is no book"
        return Finding(what, "choose a game in which turns were resolved")
    what = f"{game.name}: has not ended, so it is no book yet"
    return Finding(what, "`referee game record` writes its turns until now")


@command.command("promote")
@click.argument("game")
@click.argument("address")
@click.option("--yes", is_flag=True, help="Do not ask first.")
@click.pass_context
def promote(ctx: click.Context, game: str, address: str, *, yes: bool) -> None:
    """Make the person at ADDRESS a GM of GAME, for example if its GM is gone.

    They get an email, and so do the other GMs. The players read it in the next report. The referee
    can keep running.
    """
    settings = settings_of(ctx)
    with open_database(settings) as store:
        site = build_site(settings, store)
        with store.read() as session:
            found = _unended(game_named(session, game)).name
            is_known = people.by_address(session, address) is not None
        if not yes:
            new = "" if is_known else f"{address} has never taken part in anything here. "
            click.confirm(f"{new}Make {address} a GM of {found}?", abort=True)
        with store.write() as session:
            locked = games.lock(session, game_named(session, found))
            try:
                gm_succession.appoint(Desk(session, site, now()), _unended(locked), address)
            except UserError as error:
                what = f"game {found}: {address} cannot be made a GM"
                raise RefereeError(Finding(what, str(error))) from error
    click.echo(f"{address} is a GM of {found}.")


@command.command("demote")
@click.argument("game")
@click.argument("address")
@click.option("--yes", is_flag=True, help="Do not ask first.")
@click.pass_context
def demote(ctx: click.Context, game: str, address: str, *, yes: bool) -> None:
    """Remove the GM of GAME who has ADDRESS, also the one who created it.

    All GMs of the game get an email about it. The game must have another GM. The referee can keep
    running.
    """
    settings = settings_of(ctx)
    with open_database(settings) as store:
        site = build_site(settings, store)
        with store.read() as session:
            found = _gm_at(game_named(session, game), address).game.name
        if not yes:
            click.confirm(f"Remove {address} as GM of {found}?", abort=True)
        with store.write() as session:
            locked = games.lock(session, game_named(session, found))
            departure.dismiss_gm(Desk(session, site, now()), _gm_at(locked, address))
    click.echo(f"{address} is no longer a GM of {found}.")


def _unended(game: Game) -> Game:
    """Return the game. Raises RefereeError if it has ended."""
    if game.status is GameStatus.ENDED:
        what = f"game {game.name}: has ended"
        raise RefereeError(Finding(what, "nothing: its GMs can change nothing in it any longer"))
    return game


def _gm_at(game: Game, address: str) -> GameMaster:
    """Return the GM to remove. Raises RefereeError if the address is not that of one."""
    try:
        return first_gm.gm_at(_unended(game), address)
    except UserError as error:
        what = f"game {game.name}: {address} cannot be removed as GM"
        raise RefereeError(Finding(what, str(error))) from error


@command.command("new")
@click.argument("ruleset")
@_OUT
@click.option(
    "--seat",
    "names",
    multiple=True,
    required=True,
    metavar="SEAT",
    help="A seat's name; repeat it.",
)
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="As in CREATE.")
@click.option("--seed", default="", metavar="HEX", help="The seed of the dice; by default random.")
@_FORCE
def new(
    ruleset: str,
    out: Path,
    names: tuple[str, ...],
    options: tuple[str, ...],
    seed: str,
    *,
    force: bool,
) -> None:
    """Set up a game of RULESET and write its state before the orders of turn 1."""
    refuse_existing(out, force=force)
    rules = ruleset_of(tried_rulesets(), ruleset)
    _refuse_twins(names)
    key = _seed(seed)
    seats = [SignUp(Seat(number), name) for number, name in enumerate(names, start=1)]
    try:
        state = rules.setup(seats, _options(rules, options), Dice(key))
    except UserError as mistake:
        raise click.UsageError(str(mistake)) from mistake
    StateFile(rules, key, {seat.seat: seat.name for seat in seats}, state).write(out)
    click.echo(f"{out}: a game of {rules.info.title} for {len(seats)} players")


def _refuse_twins(names: tuple[str, ...]) -> None:
    twins = [name for at, name in enumerate(names) if name in names[:at]]
    if twins:
        raise click.BadParameter(f"two seats have the name {twins[0]}", param_hint="--seat")


def _seed(text: str) -> bytes:
    try:
        return bytes.fromhex(text) if text else secrets.token_bytes(SECRET)
    except ValueError as error:
        raise click.BadParameter("not hexadecimal", param_hint="--seed") from error


def _options(ruleset: Ruleset[Any, Any], given: tuple[str, ...]) -> Mapping[str, int | str | bool]:
    known = {option.name: option for option in ruleset.info.options}
    chosen = {name: option.default for name, option in known.items()}
    for pair in given:
        name, _, text = pair.partition("=")
        if name not in known:
            listed = ", ".join(known) or "none"
            raise click.BadParameter(f"{name!r} is not one of: {listed}", param_hint="--option")
        chosen[name] = _value(known[name], text)
    return chosen


def _value(option: Option, text: str) -> int | str | bool:
    try:
        if option.kind is bool:
            return {"yes": True, "no": False}[text.lower()]
        return option.kind(text)
    except (KeyError, ValueError) as error:
        wanted = "yes or no" if option.kind is bool else "a number"
        raise click.BadParameter(
            f"{option.name} must be {wanted}", param_hint="--option"
        ) from error
