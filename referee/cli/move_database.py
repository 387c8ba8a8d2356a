"""``referee move-database``: a copy of an SQLite database to PostgreSQL, row by row."""

from pathlib import Path

import click

from referee import instance_lock
from referee.cli.common import open_database, settings_of
from referee.errors import Finding, ResourceError, StoreUnreachable, StoreUnwritable
from referee.opening import open_store
from referee.settings import with_database
from referee.state_dir import database_file
from referee.store.database.db_copy import Moved

_NEXT = """\
Copied: {tables} tables, {rows} rows, all compared with the originals.
Now write this into {settings}

[database]
url = "{url}"
{password}
and start `referee run`. The old database is unchanged, at
{old}:
keep it until everything works, and do not run a referee on it again."""


@click.command("move-database")
@click.argument("url")
@click.option(
    "--password-file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The file that holds the password of the PostgreSQL database.",
)
@click.pass_context
def command(ctx: click.Context, url: str, *, password_file: Path | None) -> None:
    """Copy everything from SQLite into the empty PostgreSQL database at URL.

    URL is as in the settings: postgresql+psycopg://USER@HOST/DATABASE. No referee can run during
    the copy. Everything is copied or nothing; the SQLite file is not changed.
    """
    settings = settings_of(ctx)
    old = database_file(settings)
    if old is None:
        what = "database: not an SQLite file"
        remedy = "use `referee backup` and `referee restore` between PostgreSQL servers"
        raise ResourceError(Finding(what, remedy, "setting", "database.url"))
    target = with_database(settings, url, password_file)
    moved: list[Moved] = []

    def tell(table: Moved) -> None:
        moved.append(table)
        click.echo(f"{table.table:20} {table.rows:9} rows  {table.digest[:16]}")

    with instance_lock.alone(settings, instance_lock.MOVES), open_database(settings) as source:
        store = open_store(target)
        try:
            source.move_to(store, tell)
        except (StoreUnreachable, StoreUnwritable) as error:
            remedy = "check that the new database exists and that its URL is right, then try again"
            raise StoreUnreachable(Finding(f"nothing was copied: {error}", remedy)) from error
        finally:
            store.close()
    password = "" if password_file is None else f'password_file = "{password_file.absolute()}"\n'
    words = _NEXT.format(
        tables=len(moved),
        rows=sum(table.rows for table in moved),
        settings=ctx.obj or "the settings file",
        url=url,
        password=password,
        old=old,
    )
    click.echo(words)
