"""Schema version: forward migrations and checks of the tables."""

import sqlite3
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final, Literal

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import Script, ScriptDirectory
from sqlalchemy import Connection, Engine, create_engine, inspect, text
from sqlalchemy import Enum as EnumColumn

from referee.errors import Finding, StoreError, StoreOutdated
from referee.resources import folder
from referee.store.database.base import Base, Packed, Utc

# Any number works, if every program that migrates uses the same one.
_MIGRATION_LOCK = 7_338_455
_SHOWN: Final = 5
_STATES: Final = {"add": "missing", "remove": "unknown"}


def upgrade(engine: Engine, *, exactly: bool = False) -> None:
    """Migrate the tables to the newest revision in one transaction.

    With *exactly*, nothing is migrated if the tables are then not those of the models. Raises
    StoreOutdated if this program does not know their revision, or for other tables, and StoreError
    if a migration would leave a row with a broken foreign key.
    """
    writing = engine.execution_options(referee_writes=True)
    # Foreign keys can be switched only outside of the transaction.
    with writing.connect() as connection, _foreign_keys_off(connection), connection.begin():
        if connection.dialect.name == "postgresql":
            connection.execute(text(f"SELECT pg_advisory_xact_lock({_MIGRATION_LOCK})"))
        upgrade_within(connection)
        if exactly:
            _refuse_other_tables(connection)


def draft(engine: Engine, number: str, message: str) -> Path:
    """Write the migration from the newest revision, which the tables have, to the models."""
    with engine.execution_options(referee_writes=True).begin() as connection:
        config = _config()
        config.attributes["connection"] = connection
        made = command.revision(config, message, autogenerate=True, rev_id=number)
    assert isinstance(made, Script)
    return Path(made.path)


def render_item(kind: str, item: object, _context: object) -> str | Literal[False]:
    """Return the source of our column types in migrations, by what the database stores.

    So old migrations stay valid when the classes change.
    """
    if kind == "type" and isinstance(item, Utc):
        return "sa.DateTime(timezone=True)"
    if kind == "type" and isinstance(item, Packed):
        return "sa.LargeBinary()"
    if kind == "type" and isinstance(item, EnumColumn):
        return f"sa.String({item.length})"
    return False


def check(engine: Engine) -> None:
    """Raise StoreOutdated unless the tables are of the newest revision.

    Two unreleased versions can share a revision, so the columns decide whether a migration helps.
    """
    with engine.connect() as connection:
        found = _revision(connection)
        if found is None:
            remedy = (
                "put the right one back, or `referee restore --force` a backup; if it is new, "
                "start `referee run`, which makes the tables"
            )
            raise StoreOutdated(Finding("database: empty, it has no tables", remedy))
        _refuse_unknown(found)
        # A command loads only the models of tables that it needs.
        known = _columns_of_models() if found == _head() else _columns_at(found)
        tables = {name for name, _ in known} if found == _head() else None
        here = _columns(connection, tables)
    other = sorted(here ^ known)
    # Columns that nobody reads do no harm, but no migration keeps them.
    if known - here or (other and found != _head()):
        state = {each: _STATES["remove" if each in here else "add"] for each in other}
        raise _between_releases(
            f"the tables have version {found}, but are not as a release made them",
            [f"column {'.'.join(each)} is {state[each]}" for each in other],
        )
    if found != _head():
        what = f"the tables have version {found}, this program needs {_head()}"
        remedy = (
            "start `referee run` of this version once, which backs up and migrates it, or use the "
            "version that ran last"
        )
        raise StoreOutdated(Finding(what, remedy))


def _columns(
    connection: Connection, tables: Collection[str] | None = None
) -> frozenset[tuple[str, str]]:
    """Return the columns of a database, each with its table; None means all tables."""
    found = inspect(connection)
    names = set(found.get_table_names()) - {"alembic_version"}
    names = names if tables is None else names & set(tables)
    return frozenset((table, each["name"]) for table in names for each in found.get_columns(table))


def _columns_of_models() -> frozenset[tuple[str, str]]:
    tables = Base.metadata.sorted_tables
    return frozenset((table.name, column.name) for table in tables for column in table.columns)


def _columns_at(revision: str) -> frozenset[tuple[str, str]]:
    """Return the columns that the migrations up to a revision make."""
    with create_engine("sqlite://").connect() as connection, connection.begin():
        config = _config()
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
        return _columns(connection)


def check_tables(engine: Engine) -> None:
    """Raise StoreOutdated unless the tables are exactly those of the models."""
    with engine.connect() as connection:
        _refuse_other_tables(connection)


def _refuse_other_tables(connection: Connection) -> None:
    found = compare_metadata(MigrationContext.configure(connection), Base.metadata)
    if found:
        what = "the tables are not those of this program"
        raise _between_releases(what, [_difference(each) for each in found])


def _between_releases(what: str, differences: Sequence[str]) -> StoreOutdated:
    remedy = (
        "use the version that ran last; tables of a version between two releases cannot be migrated"
    )
    return StoreOutdated(Finding(f"{what}: {_in_words(differences)}", remedy))


def _in_words(differences: Sequence[str]) -> str:
    """Return the first differences, and the number of the others."""
    more = len(differences) - _SHOWN
    return "; ".join([*differences[:_SHOWN], *([f"and {more} more"] if more > 0 else [])])


def _difference(found: Any) -> str:
    """Return one difference in words; what is to be added is missing in the database."""
    # Several changes of one column are a list.
    kind, *what = found[0] if isinstance(found, list) else found
    if kind in ("add_column", "remove_column"):
        table, column = what[1], what[2].name
        return f"column {table}.{column} is {_STATES[kind.partition('_')[0]]}"
    if kind.startswith("modify"):
        return f"column {what[1]}.{what[2]} differs"
    name = getattr(what[0], "name", None) or "without a name"
    action, _, sort = kind.partition("_")
    return f"{sort.replace('_', ' ')} {name} is {_STATES.get(action, 'different')}"


def is_empty(engine: Engine) -> bool:
    """Return whether the database has no tables yet."""
    with engine.connect() as connection:
        return _revision(connection) is None


def refuse_newer(engine: Engine) -> None:
    """Raise StoreOutdated if this program does not know the revision of the tables."""
    with engine.connect() as connection:
        _refuse_unknown(_revision(connection))


def upgrade_within(connection: Connection) -> None:
    """Migrate like ``upgrade``, in a transaction of the caller."""
    found = _revision(connection)
    if found == _head():
        return
    _refuse_unknown(found)
    if found is not None:
        _copy(connection, found)
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
    if connection.dialect.name == "sqlite":
        _check_foreign_keys(connection)


def _refuse_unknown(revision: str | None) -> None:
    known = {script.revision for script in _scripts().walk_revisions()}
    if revision is not None and revision not in known:
        what = f"the tables have version {revision}, from a newer program"
        raise StoreOutdated(Finding(what, "use the version that ran last, or a newer one"))


def _copy(connection: Connection, revision: str) -> None:
    """Copy an SQLite file before its migration.

    The current transaction keeps other writers out, and a second connection does not see its
    changes.
    """
    database = connection.engine.url.database
    if connection.dialect.name != "sqlite" or database in (None, "", ":memory:"):
        return
    copy = Path(f"{database}.before-leaving-{revision}")
    with (
        closing(sqlite3.connect(str(database))) as source,
        closing(sqlite3.connect(copy)) as target,
    ):
        source.backup(target)


@contextmanager
def _foreign_keys_off(connection: Connection) -> Iterator[None]:
    """Keep SQLite from deleting the child rows of a table that is rebuilt.

    The PRAGMA works only outside of transactions, so it bypasses SQLAlchemy.
    """
    if connection.dialect.name != "sqlite":
        yield
        return
    driver = connection.connection.dbapi_connection
    assert isinstance(driver, sqlite3.Connection)
    driver.execute("PRAGMA foreign_keys=OFF")
    try:
        yield
    finally:
        driver.execute("PRAGMA foreign_keys=ON")


def _check_foreign_keys(connection: Connection) -> None:
    broken = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
    if broken:
        tables = ", ".join(sorted({row[0] for row in broken}))
        raise StoreError(
            f"the migration would leave {len(broken)} rows with broken references: {tables}"
        )


def _revision(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()


def _head() -> str | None:
    return _scripts().get_current_head()


def _scripts() -> ScriptDirectory:
    return ScriptDirectory.from_config(_config())


def _config() -> Config:
    config = Config()
    # A percent sign in the path would be read as an interpolation.
    config.set_main_option("script_location", str(folder("migrations")).replace("%", "%%"))
    return config
