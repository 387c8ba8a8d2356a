"""``referee tidy``: the housekeeping, all at once."""

import click

from referee.app import retention_of
from referee.cli.common import open_database, settings_of
from referee.clock import now
from referee.daemon.housekeeping import Chore, Housekeeping

_WORDS = {
    Chore.FORGET: "{} counts of past days forgotten",
    Chore.EMPTY: "{} old letters of no game emptied",
    Chore.BUNDLE: "{} old letters and states bundled",
}


@click.command("tidy")
@click.option("--rebuild", is_flag=True, help="Write the database anew; the referee waits for it.")
@click.pass_context
def command(ctx: click.Context, *, rebuild: bool) -> None:
    """Make small, or give up, what is old by the settings under [retention].

    The referee does so by itself when nothing waits; it may run meanwhile. With --rebuild the
    database then is as small as it can be, for which there must be as much room beside it.
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
    click.echo(f"The database took {_size(before.taken)}, and takes {_size(after.taken)} now.")


def _size(octets: int) -> str:
    return f"{octets / 1e6:,.1f} MB"
