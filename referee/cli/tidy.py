"""``referee tidy``: all housekeeping at once."""

import click

from referee.app import retention_of
from referee.cli.common import open_database, settings_of
from referee.clock import now
from referee.daemon.housekeeping import Chore, Housekeeping

_WORDS = {
    Chore.FORGET: "{} old counters deleted",
    Chore.EMPTY: "{} old emails without a game deleted",
    Chore.BUNDLE: "{} old emails and states compressed",
    Chore.REPACK: "{} bundles rewritten without deleted emails",
}


@click.command("tidy")
@click.option("--rebuild", is_flag=True, help="Rewrite the database; the referee waits for it.")
@click.pass_context
def command(ctx: click.Context, *, rebuild: bool) -> None:
    """Compress or delete old data, by the settings under [retention].

    The referee does this automatically when nothing waits; it can keep running. With --rebuild, the
    database becomes as small as possible, which needs as much free space next to it.
    """
    settings = settings_of(ctx)
    with open_database(settings) as store:
        before = store.room()
        done = dict.fromkeys(Chore, 0)
        for result in Housekeeping(store, retention_of(settings)).do_all(now()):
            done[result.chore] += result.count
        if rebuild:
            store.rebuild()
        after = store.room()
    for chore, words in _WORDS.items():
        click.echo(words.format(done[chore]))
    click.echo(f"The database had {_size(before.taken)} and now has {_size(after.taken)}.")


def _size(octets: int) -> str:
    return f"{octets / 1e6:,.1f} MB"
