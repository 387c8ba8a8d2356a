"""Functions for several commands: the settings, the database, a game by its name."""

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import click

from referee.cli.terminal import printable_line
from referee.errors import Finding, NotFound, ResourceError, SettingsError
from referee.opening import open_store
from referee.settings import Settings, load
from referee.state_dir import database_file, is_there, refuse_new_database
from referee.store import Session, Store
from referee.store.games import games
from referee.store.models import Game, GameStatus, SeatRow

PLACES: Final = (Path("referee.toml"), Path("/etc/referee/referee.toml"))


def settings_of(ctx: click.Context) -> Settings:
    """Load the settings, by option or from the usual places. Raises SettingsError."""
    file: Path | None = ctx.obj
    found = file or next((place for place in PLACES if _is_there(place)), None)
    if found is None:
        places = " nor ".join(str(place) for place in PLACES)
        remedy = "create one with `referee init`, or name yours with --settings"
        raise SettingsError(Finding(f"settings: no file found, neither {places}", remedy))
    if file is None and not found.is_absolute() and _can_be_changed_by_others(found):
        what = "settings: another user can change the file in this folder"
        remedy = "name it with --settings if you trust it: settings can name programs to run"
        raise SettingsError(Finding(what, remedy, "file", str(found.absolute())))
    return load(found)


def _can_be_changed_by_others(place: Path) -> bool:
    """Return whether a user who is neither this one nor root can put other settings there.

    A link counts as well as its target, and so does the folder, from which relative paths start.
    """
    folder = place.parent.stat()
    # In a folder such as /tmp, everyone can replace only their own files.
    is_shared = folder.st_mode & stat.S_IWOTH and not folder.st_mode & stat.S_ISVTX
    file = place.stat()
    owners = {folder.st_uid, place.lstat().st_uid, file.st_uid}
    return bool(is_shared or file.st_mode & stat.S_IWOTH or owners - {0, os.geteuid()})


def _is_there(place: Path) -> bool:
    """Return whether to load the settings from there.

    A working folder that this user cannot read has no settings for them, and is no error: sudo and
    cron begin wherever they are called. Of any other folder, loading them says what is wrong.
    """
    try:
        return place.exists()
    except PermissionError:
        return place.is_absolute()


@contextmanager
def open_database(settings: Settings) -> Iterator[Store]:
    """Open the database for one command.

    Raises NotFound if the referee has never run, and StoreOutdated for another version.
    """
    file = database_file(settings)
    if file is not None and not is_there(file):
        refuse_new_database(settings)
        what, remedy = "database: does not exist yet", "start `referee run`, which creates it"
        raise NotFound(Finding(what, remedy, "file", str(file)))
    store = open_store(settings, or_reads=True)
    try:
        store.check()
        yield store
    finally:
        store.close()


def game_named(session: Session, name: str) -> Game:
    """Return the game named *name*. Raises NotFound."""
    game = games.by_name(session, name.upper())
    if game is None:
        known = ", ".join(game.name for game in games.listing(session)) or "none yet"
        raise NotFound(Finding(f"game {name}: not found", f"choose one of these: {known}"))
    return game


def games_listed(session: Session, *, everything: bool) -> list[Game]:
    """Return the games that have not ended, or *everything*; say so if there are none."""
    going = (GameStatus.FORMING, GameStatus.RUNNING, GameStatus.HELD)
    found = games.listing(session, *(() if everything else going))
    if not found:
        click.echo("No games.")
    return found


def shown_turn(game: Game) -> int | str:
    """Return the current turn, after the end the last one that was resolved, or - without one."""
    return (game.last_turn if game.status is GameStatus.ENDED else game.turn) or "-"


def seat_named(game: Game, name: str) -> SeatRow:
    """Return the seat with that name or number. Raises NotFound."""
    for seat in game.seats:
        if name.upper() in (seat.name.upper(), str(seat.number)):
            return seat
    known = ", ".join(f"{seat.name} ({seat.number})" for seat in game.seats) or "none yet"
    raise NotFound(Finding(f"{game.name}: no seat {name}", f"choose one of these: {known}"))


def refuse_existing(out: Path, *, force: bool) -> None:
    """Raise ResourceError if the file exists, unless it can be overwritten."""
    try:
        exists = out.exists()
    except OSError as error:
        what = f"file: cannot be written: {error.strerror}"
        remedy = "choose another place, or run this as a user who can write there"
        raise ResourceError(Finding(what, remedy, "file", str(out))) from error
    if exists and not force:
        remedy = "choose another file, or overwrite it with --force"
        raise ResourceError(Finding("file: already exists", remedy, "file", str(out)))


def moment(when: datetime | None) -> str:
    """Return a moment in UTC, to the minute; a dash for None."""
    return "-" if when is None else when.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")


def table(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print rows under their headings, with columns as wide as necessary."""
    cells = [list(columns), *([printable_line(str(cell)) for cell in row] for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(columns))]
    for row in cells:
        padded = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        click.echo("  ".join(padded).rstrip())
