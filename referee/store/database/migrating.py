"""Migrations: tables brought to the newest revision, and the drafts of more; imports Alembic."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any, Literal

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import Script
from sqlalchemy import Connection, Engine, MetaData, create_engine, text
from sqlalchemy import Enum as EnumColumn

from referee import store
from referee.errors import StoreError
from referee.store.database import schema
from referee.store.database.base import Base, Packed, Utc

# Any number works, if every program that migrates uses the same one.
_MIGRATION_LOCK = 7_338_455


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


def all_tables() -> MetaData:
    """Return the tables of all modules of the store; most programs import only some of them."""
    for module in walk_packages(store.__path__, f"{store.__name__}."):
        import_module(module.name)
    return Base.metadata


def check_tables(engine: Engine) -> None:
    """Raise StoreOutdated unless the tables are exactly those of the models."""
    with engine.connect() as connection:
        _refuse_other_tables(connection)


def _refuse_other_tables(connection: Connection) -> None:
    found = compare_metadata(MigrationContext.configure(connection), all_tables())
    if found:
        what = "the tables are not those of this program"
        raise schema.between_releases(what, [_difference(each) for each in found])


def _difference(found: Any) -> str:
    """Return one difference in words; what is to be added is missing in the database."""
    # Several changes of one column are a list.
    kind, *what = found[0] if isinstance(found, list) else found
    if kind in ("add_column", "remove_column"):
        table, column = what[1], what[2].name
        return f"column {table}.{column} is {schema.STATES[kind.partition('_')[0]]}"
    if kind.startswith("modify"):
        return f"column {what[1]}.{what[2]} differs"
    name = getattr(what[0], "name", None) or "without a name"
    action, _, sort = kind.partition("_")
    return f"{sort.replace('_', ' ')} {name} is {schema.STATES.get(action, 'different')}"


def upgrade_within(connection: Connection) -> None:
    """Migrate like ``upgrade``, in a transaction of the caller."""
    found = schema.revision(connection)
    if found == schema.head():
        return
    schema.refuse_unknown(found)
    if found is not None:
        _copy(connection, found)
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
    if connection.dialect.name == "sqlite":
        _check_foreign_keys(connection)


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


def columns_at(revision: str) -> frozenset[tuple[str, str]]:
    """Return the columns that the migrations up to a revision make."""
    with create_engine("sqlite://").connect() as connection, connection.begin():
        config = _config()
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
        return schema.columns(connection)


def _config() -> Config:
    config = Config()
    # A percent sign in the path would be read as an interpolation.
    config.set_main_option("script_location", str(schema.scripts()).replace("%", "%%"))
    return config
