"""Schema version: whether the tables are those of this program."""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, Engine, inspect, text

from referee.errors import Finding, StoreOutdated
from referee.resources import folder
from referee.store.database.base import Base

_VERSIONS: Final = "alembic_version"
_SHOWN: Final = 5
STATES: Final = {"add": "missing", "remove": "unknown"}


def check(engine: Engine) -> None:
    """Raise StoreOutdated unless the tables are of the newest revision.

    Two unreleased versions can share a revision, so the columns decide whether a migration helps.
    """
    with engine.connect() as connection:
        found = revision(connection)
        if found is None:
            remedy = (
                "put the right one back, or `referee restore --force` a backup; if it is new, "
                "start `referee run`, which makes the tables"
            )
            raise StoreOutdated(Finding("database: empty, it has no tables", remedy))
        refuse_unknown(found)
        # A command loads only the models of tables that it needs.
        known = _columns_of_models() if found == head() else _columns_at(found)
        tables = {name for name, _ in known} if found == head() else None
        here = columns(connection, tables)
    other = sorted(here ^ known)
    # Columns that nobody reads do no harm, but no migration keeps them.
    if known - here or (other and found != head()):
        state = {each: STATES["remove" if each in here else "add"] for each in other}
        raise between_releases(
            f"the tables have version {found}, but are not as a release made them",
            [f"column {'.'.join(each)} is {state[each]}" for each in other],
        )
    if found != head():
        what = f"the tables have version {found}, this program needs {head()}"
        remedy = (
            "start `referee run` of this version once, which backs up and migrates it, or use the "
            "version that ran last"
        )
        raise StoreOutdated(Finding(what, remedy))


def columns(
    connection: Connection, tables: Collection[str] | None = None
) -> frozenset[tuple[str, str]]:
    """Return the columns of a database, each with its table; None means all tables."""
    found = inspect(connection)
    names = set(found.get_table_names()) - {_VERSIONS}
    names = names if tables is None else names & set(tables)
    return frozenset((table, each["name"]) for table in names for each in found.get_columns(table))


def _columns_of_models() -> frozenset[tuple[str, str]]:
    tables = Base.metadata.sorted_tables
    return frozenset((table.name, column.name) for table in tables for column in table.columns)


def _columns_at(found: str) -> frozenset[tuple[str, str]]:
    # Alembic takes a tenth of a second to import, and most programs only check the tables.
    from referee.store.database import migrating

    return migrating.columns_at(found)


def between_releases(what: str, differences: Sequence[str]) -> StoreOutdated:
    """Return the error for tables that are of no release."""
    remedy = (
        "use the version that ran last; tables of a version between two releases cannot be migrated"
    )
    return StoreOutdated(Finding(f"{what}: {_in_words(differences)}", remedy))


def _in_words(differences: Sequence[str]) -> str:
    """Return the first differences, and the number of the others."""
    more = len(differences) - _SHOWN
    return "; ".join([*differences[:_SHOWN], *([f"and {more} more"] if more > 0 else [])])


def is_empty(engine: Engine) -> bool:
    """Return whether the database has no tables yet."""
    with engine.connect() as connection:
        return revision(connection) is None


def refuse_newer(engine: Engine) -> None:
    """Raise StoreOutdated if this program does not know the revision of the tables."""
    with engine.connect() as connection:
        refuse_unknown(revision(connection))


def refuse_unknown(found: str | None) -> None:
    """Raise StoreOutdated if this program does not know a revision of the tables."""
    if found is not None and found not in _known():
        what = f"the tables have version {found}, from a newer program"
        raise StoreOutdated(Finding(what, "use the version that ran last, or a newer one"))


def revision(connection: Connection) -> str | None:
    """Return the revision of the tables, or None if there are none."""
    if not inspect(connection).has_table(_VERSIONS):
        return None
    found: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return found


def head() -> str:
    """Return the newest revision."""
    return max(_known())


def scripts() -> Path:
    """Return the folder of the migrations."""
    return Path(folder("migrations"))


def _known() -> frozenset[str]:
    """Return all revisions: the numbers with which the names of the migrations begin."""
    return frozenset(each.name.partition("_")[0] for each in (scripts() / "versions").glob("*.py"))
