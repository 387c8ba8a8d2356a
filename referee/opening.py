"""The database of a site, opened, and the numbers that its settings give to the shares."""

from collections.abc import Mapping
from urllib.parse import quote

from referee.domain.shares import Size
from referee.settings import Settings, read_secret
from referee.state_dir import SQLITE, database_file, make_state
from referee.store import Store


def open_store(settings: Settings, *, or_reads: bool = False) -> Store:
    """Open the database without migrating it.

    With *or_reads*, it can be read if its disk is full or read-only. Raises ResourceError (folder,
    password) or StoreError.
    """
    make_state(settings.state_dir)
    database = settings.database
    url = database.url or f"{SQLITE}{database_file(settings)}"
    if database.password_file is not None:
        password = read_secret(database.password_file, "database.password_file")
        user, at, rest = url.partition("@")
        url = f"{user}:{quote(password, safe='')}{at}{rest}"
    return Store(url, or_reads=or_reads)


def server_of(settings: Settings) -> str:
    """Return the host and port of a PostgreSQL server, for messages."""
    url = Store.parsed(str(settings.database.url))
    return f"{url.host or url.query.get('host') or 'this machine'}, port {url.port or 5432}"


def sizes_of(settings: Settings) -> Mapping[Size, int]:
    """Return the settings that numbers of the shares grow with."""
    return {
        Size.ANSWERS: settings.limits.answers_an_hour,
        Size.LETTERS: settings.limits.letters_an_hour,
        Size.DISK: settings.limits.disk_a_day,
        Size.GAMES: settings.play.games,
    }
