"""``referee restore``: a site restored from a backup."""

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click

from referee import instance_lock
from referee.cli import archivefile
from referee.cli.common import moment, settings_of
from referee.clock import now
from referee.doctor.unit import how_to_start
from referee.errors import Finding, ResourceError, StoreError
from referee.opening import open_store
from referee.settings import Settings
from referee.state_dir import SECRET, database_file, is_there, make_state
from referee.store import Store
from referee.store.mail import epochs

_START = "Then {how}, which moves the deadlines that have passed since then."


@click.command("restore")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--force", is_flag=True, help="Replace an existing site; its SQLite file is kept.")
@click.pass_context
def command(ctx: click.Context, file: Path, *, force: bool) -> None:
    """Restore the database and secret of FILE, from `referee backup`.

    FILE is checked before anything is changed. No referee can run during the restore.
    """
    settings = settings_of(ctx)
    make_state(settings.state_dir)
    with instance_lock.alone(settings, instance_lock.RESTORES):
        contents, number = _restore(settings, file, force=force)
    click.echo(
        f"Restored: the backup of {moment(contents.taken_at)}, by referee {contents.referee}."
    )
    click.echo("Emails that arrived after that are not in it.")
    for words in _missing(settings):
        click.echo(words)
    click.echo(_START.format(how=how_to_start(settings)))
    click.echo(f"Receipts continue after {number}, so that no number is used twice.")


def _missing(settings: Settings) -> Iterator[str]:
    """Yield where emails are that arrived after the backup, for each way they come in."""
    for box in settings.imap:
        yield f"- Mailbox {box.name}: move them from {box.done_folder} back into {box.folder}."
    for maildir in settings.maildir:
        yield f"- Maildir {maildir.name}: move the files of {maildir.path}/cur back into new."
    if settings.receiver is not None or not (settings.imap or settings.maildir):
        yield (
            "- What your mail server handed over is only there if it keeps copies. Otherwise "
            "players must send it again."
        )


@dataclass(slots=True)
class _Beginning:
    """The number after which emails and receipts continue, which is more than *used*."""

    used: int
    number: int = 0

    def begin(self, store: Store) -> None:
        """Begin an epoch in the restored database."""
        with store.write() as session:
            self.number = epochs.begin(session, self.used, now())


def _newest_letter(settings: Settings, store: Store) -> int:
    """Return the highest number of an email in the replaced database, or 0 if unknown."""
    file = database_file(settings)
    if file is not None and not is_there(file):
        return 0
    try:
        with store.read() as session:
            return epochs.newest_letter(session)
    except StoreError:
        # It is damaged or has other tables, which may be why it is replaced.
        return 0


def _restore(settings: Settings, file: Path, *, force: bool) -> tuple[archivefile.Contents, int]:
    """Restore the site; return what the backup had, and after which number receipts continue."""
    secret = settings.state_dir / SECRET
    place = database_file(settings)
    if not force:
        _refuse(secret)
        if place is not None:
            _refuse(place)
    aside = f".before-restore-{now():%Y%m%dT%H%M%SZ}"
    folder_of_database = settings.state_dir if place is None else place.parent
    with tempfile.TemporaryDirectory(prefix=".restore-", dir=folder_of_database) as name:
        folder = Path(name)
        contents = archivefile.unpack(file, folder)
        store = open_store(settings)
        try:
            _refuse_other_kind(store, contents, file)
            if place is None and not force and not store.is_empty():
                raise _not_empty("database", str(settings.database.url))
            begin = _Beginning(_newest_letter(settings, store))
            store.restore(folder / archivefile.DATABASE, aside, begin.begin)
        finally:
            store.close()
        if secret.exists():
            secret.rename(f"{secret}{aside}")
        (folder / archivefile.SECRET).replace(secret)
    return contents, begin.number


def _refuse_other_kind(store: Store, contents: archivefile.Contents, file: Path) -> None:
    if contents.kind != store.kind:
        what = f"backup: of a {contents.kind} database, but the settings name another kind"
        remedy = "restore it with the settings it was taken with"
        raise ResourceError(Finding(what, remedy, "file", str(file)))


def _refuse(file: Path) -> None:
    if file.exists():
        raise _not_empty("file", str(file))


def _not_empty(label: str, place: str) -> ResourceError:
    remedy = "restore with other settings, or replace it with --force"
    return ResourceError(Finding("site: already exists", remedy, label, place))
