"""``referee site``: a new start after the database or the secret was lost."""

import click

from referee import instance_lock
from referee.app import has_letters, note_key
from referee.cli.common import open_database, settings_of
from referee.cli.help_format import HelpGroup
from referee.errors import Finding, ResourceError
from referee.opening import open_store
from referee.state_dir import (
    SECRET,
    database_file,
    is_there,
    make_key,
    make_state,
    traces,
)

_LOST_WITH_IT = """\
With a new secret this is lost:
- Replies to emails sent until now are not recognised: the receiver rejects them with 550, and
  elsewhere they wait for a confirmation. Players must reply to an email sent from now on.
- Every question that waits for CONFIRM, and every offer of a seat: players must write again.
- Bounces of emails sent until now count for nobody.
- A forgotten person whose game still goes on can take another seat in it.
Games, orders, addresses and security codes stay."""
_ON_NEW_DATABASE = """\
A new database is empty: no game, no player and no email of the old one is in it.
Receipts begin at 1 again. Put the old one back, or restore a backup, if you have either."""


@click.group("site", cls=HelpGroup)
def command() -> None:
    """Begin again after the database or the secret was lost, without a backup."""


@command.command("new-secret")
@click.option("--yes", is_flag=True, help="Do not ask first.")
@click.pass_context
def new_secret(ctx: click.Context, *, yes: bool) -> None:
    """Make a new secret if it was lost, after saying what is lost with it."""
    settings = settings_of(ctx)
    file = settings.state_dir / SECRET
    with instance_lock.alone(settings, instance_lock.BEGINS):
        if is_there(file):
            remedy = "keep it; if it is damaged, restore it from a backup, or move it away first"
            raise ResourceError(Finding("secret: already exists", remedy, "file", str(file)))
        with open_database(settings) as store:
            is_used = has_letters(store)
        if is_used:
            click.echo(_LOST_WITH_IT)
        if is_used and not yes:
            click.confirm("Make a new secret?", abort=True)
        make_key(settings.state_dir)
        with open_database(settings) as store:
            note_key(settings, store)
    click.echo(f"{file} was written.")


@command.command("new-database")
@click.option("--yes", is_flag=True, help="Do not ask first.")
@click.pass_context
def new_database(ctx: click.Context, *, yes: bool) -> None:
    """Make an empty database in place of a lost one, even if there is a secret or a backup."""
    settings = settings_of(ctx)
    make_state(settings.state_dir)
    file = database_file(settings)
    with instance_lock.alone(settings, instance_lock.BEGINS):
        store = open_store(settings)
        try:
            if (file is None or is_there(file)) and not store.is_empty():
                what, remedy = "database: already exists", "keep it, or move it away first"
                place = str(file or settings.database.url)
                raise ResourceError(Finding(what, remedy, "database", place))
            click.echo(_ON_NEW_DATABASE)
            for found in traces(settings):
                click.echo(f"Found: {found}")
            if not yes:
                click.confirm("Make an empty database?", abort=True)
            store.migrate()
        finally:
            store.close()
    click.echo("An empty database was made.")
