"""``referee backup``: database and secret in one file, while the referee runs."""

import shutil
import tempfile
from pathlib import Path

import click

from referee.app import refuse_wrong_key
from referee.cli import archivefile
from referee.cli.common import open_database, refuse_existing, settings_of
from referee.clock import now
from referee.errors import Finding, ResourceError
from referee.state_dir import SECRET, note_backup


@click.command("backup")
@click.argument("out", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE")
@click.option("--force", is_flag=True, help="Overwrite FILE if it exists.")
@click.pass_context
def command(ctx: click.Context, out: Path, *, force: bool) -> None:
    """Write database and secret into FILE, such as backup.tar.gz, for `referee restore`.

    The referee can keep running. The copy is checked before FILE is written. FILE contains the
    secrets of every game, but no settings and passwords.
    """
    refuse_existing(out, force=force)
    settings = settings_of(ctx)
    secret = settings.state_dir / SECRET
    taken_at = now()
    with open_database(settings) as store:
        refuse_wrong_key(settings, store)
        try:
            # The draft is next to FILE, because that disk must have the space.
            with tempfile.TemporaryDirectory(prefix=".backup-", dir=out.parent) as folder:
                store.snapshot(Path(folder) / archivefile.DATABASE)
                shutil.copyfile(secret, Path(folder) / archivefile.SECRET)
                archivefile.pack(out, Path(folder), store.kind, taken_at)
        except OSError as error:
            what = f"backup: cannot be written: {error.strerror}"
            remedy = "choose another place, or free some disk space"
            raise ResourceError(Finding(what, remedy, "file", str(out))) from error
    note_backup(settings.state_dir, taken_at)
    click.echo(f"{out}: {out.stat().st_size // 1024} KB, checked, of {taken_at:%Y-%m-%d %H:%M} UTC")
