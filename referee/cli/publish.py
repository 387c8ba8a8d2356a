"""``referee publish``: web pages about the games, in a folder that a web server serves."""

from pathlib import Path

import click

from referee.app import build_site
from referee.cli.common import open_database, settings_of
from referee.clock import now
from referee.daemon.publisher import Publisher
from referee.daemon.supervisor import Supervisor
from referee.errors import Finding, NotFound, RefereeError

_LONG: float = 3600.0


@click.command("publish")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), required=False)
@click.pass_context
def command(ctx: click.Context, folder: Path | None) -> None:
    """Write web pages about the games into FOLDER, or into the folder of the settings.

    They have what everyone can read by email, and no script. Only what has changed is written. The
    referee can keep running; with [pages] in the settings it does this by itself.
    """
    settings = settings_of(ctx)
    place = folder or (settings.pages.folder if settings.pages is not None else None)
    if place is None:
        remedy = "name a folder, or set pages.folder"
        raise NotFound(Finding("pages: no folder", remedy, "setting", "pages.folder"))
    state = settings.state_dir.resolve()
    if state in (place.resolve(), *place.resolve().parents):
        remedy = "choose a folder outside of it: no web server should read there"
        raise RefereeError(Finding("pages: in the state folder", remedy, "folder", str(place)))
    with open_database(settings) as store:
        publisher = Publisher(store, build_site(settings, store), place, Supervisor())
        publisher.advance(now(), _LONG)
        while publisher.is_working:
            publisher.advance(now(), _LONG)
    if publisher.failures:
        raise _failed(publisher, place)
    click.echo(f"{place}: written")


def _failed(publisher: Publisher, place: Path) -> RefereeError:
    """Return the errors of all games as one, each with its words if they are for the operator."""
    findings: list[Finding] = []
    for failure in publisher.failures:
        if isinstance(failure.error, RefereeError):
            findings += failure.error.findings
        else:
            reason = getattr(failure.error, "strerror", None) or type(failure.error).__name__
            what = f"pages: cannot be written: {reason}"
            remedy = f"find reference {failure.reference} in the log above"
            findings.append(Finding(what, remedy, "folder", str(place)))
    return RefereeError(*findings)
