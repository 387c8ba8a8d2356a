"""The store: one SQLite or PostgreSQL database and its transactions."""

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import RLock
from types import ModuleType
from typing import Any, Final

from sqlalchemy import (
    URL,
    Connection,
    Dialect,
    Engine,
    StaticPool,
    create_engine,
    event,
    make_url,
    text,
)
from sqlalchemy.exc import ArgumentError, DBAPIError, InvalidatePoolError, NoSuchModuleError
from sqlalchemy.orm import Session, SessionTransaction, sessionmaker
from sqlalchemy.pool import ConnectionPoolEntry

from referee.errors import SettingsError, StoreDamaged, StoreGone, StoreUnwritable
from referee.store.database import db_copy, schema, snapshot
from referee.store.database.db_errors import damaged, translate, unwritable
from referee.store.database.opening import is_unwritable, open_unwritable
from referee.store.database.presence import DatabaseFile

__all__ = ["Session", "Store"]

# Another program needs only a moment to give a new file its log.
_LOG_ATTEMPTS = 500
_LOG_PAUSE = 0.01  # seconds
_LOCK_PAUSE = 0.0005  # seconds
# No server restarts faster than this.
_IDLE = 0.1  # seconds
# A machine that froze in a transaction blocks others no longer than the longest turn takes.
_FROZEN = "-c idle_in_transaction_session_timeout=5min"
_BEGIN_CLAIM = """
SET LOCAL synchronous_commit TO OFF;
SET LOCAL idle_in_transaction_session_timeout TO {patience}
"""


@dataclass(frozen=True, slots=True)
class Room:
    """The size of a database in bytes, and how much of it is free for new rows.

    On PostgreSQL *free* is 0, because autovacuum manages it.
    """

    taken: int
    free: int = 0


class Store:
    """The database of a site.

    *url* is ``sqlite:///file``, ``sqlite://`` (in memory, for tests) or ``postgresql+psycopg://``.
    A transaction waits at most *patience* seconds for another one. Every database error is raised
    as a StoreError. Rows stay readable after their transaction has ended, but nothing more is
    loaded then. With *or_reads*, a file on a full or read-only disk can be read. Raises
    SettingsError if the url names no database.
    """

    def __init__(self, url: str, *, patience: float = 10.0, or_reads: bool = False) -> None:
        self.url = _parsed(url)
        self._engine = _engine(self.url, patience, or_reads=or_reads)
        # In memory, all threads share one connection, so they take turns.
        in_memory = isinstance(self._engine.pool, StaticPool)
        self._turns: AbstractContextManager[Any] = RLock() if in_memory else nullcontext()
        is_file = self.kind == "sqlite" and not in_memory
        self._file = DatabaseFile(Path(str(self.url.database)), patience) if is_file else None
        self._failure: StoreDamaged | StoreUnwritable | None = None
        begin_on = _begin_postgres if self.kind == "postgresql" else _begin_sqlite
        begin = partial(begin_on, patience)
        writing = self._engine.execution_options(referee_writes=True)
        claiming = writing.execution_options(referee_lasts=False)
        self._writer = _sessions(writing, begin)
        self._autocommitter = _sessions(_autocommitting(writing), begin)
        self._claimer = _sessions(claiming, begin)
        self._reader = _sessions(_reading(self._engine), begin)
        # For callers that need the tables themselves and no ORM objects.
        self._bare = self._engine.execution_options()
        event.listen(self._bare, "begin", begin)

    @staticmethod
    def parsed(url: str) -> URL:
        """Return the parts of a database URL. Raises SettingsError."""
        return _parsed(url)

    def write(self) -> AbstractContextManager[Session]:
        """Open a transaction that commits at the end and rolls back on an exception.

        Writers on SQLite are serialized: the lock is taken at the beginning. When the transaction
        is over, everything it read and wrote is on the disk.
        """
        return self._lasting(self._writer)

    def statement(self) -> AbstractContextManager[Session]:
        """Open a transaction like ``write``, for a single statement.

        A server gets only the statement, which saves the two round trips of BEGIN and COMMIT.
        """
        return self._lasting(self._autocommitter)

    def claim(self) -> AbstractContextManager[Session]:
        """Open a transaction like ``write`` that a power failure can undo.

        This is enough for a claim: a power failure ends its owner too, and waiting for the disk
        takes longer than everything else. A later commit by ``write`` makes it durable, too. A
        server ends it if its owner sends nothing for *patience* seconds: a claim is short, and
        everybody waits for it.
        """
        return self._transaction(self._claimer)

    @contextmanager
    def read(self) -> Iterator[Session]:
        """Open a read-only transaction that sees one moment of the database.

        Raises StoreUnwritable if something was written in it, which is rolled back.
        """
        with self._transaction(self._reader) as session:
            yield session
            if self.kind == "sqlite":
                _refuse_changes(session)

    def migrate(self, *, exactly: bool = False) -> None:
        """Migrate the tables to this version of the program, in one transaction.

        An SQLite file that has tables is first copied to a file next to it. Several programs can
        call this at once. Raises StoreOutdated if the tables are of a newer version, or with
        *exactly* if they do not become exactly those of this program; then nothing is migrated.
        """
        with self._turns, _translated():
            _migrating().upgrade(self._bare, exactly=exactly)

    def check(self) -> None:
        """Raise StoreOutdated unless the tables have this version of the program."""
        with self._turns, _translated():
            schema.check(self._bare)

    def check_tables(self) -> None:
        """Raise StoreOutdated unless the tables are exactly those of this program.

        Takes longer than ``check``, because all tables are compared.
        """
        with self._turns, _translated():
            _migrating().check_tables(self._bare)

    @property
    def kind(self) -> str:
        """Return the kind of database: ``sqlite`` or ``postgresql``."""
        return self.url.get_backend_name()

    def check_presence(self) -> None:
        """Raise StoreGone if the file of an SQLite database or its log was deleted or replaced."""
        if self._file is not None:
            with _translated():
                self._file.check()

    def take_failure(self) -> StoreDamaged | StoreUnwritable | None:
        """Return the last such failure since the last call, or None."""
        failure, self._failure = self._failure, None
        return failure

    def is_empty(self) -> bool:
        """Return whether the database has no tables yet."""
        with self._turns, _translated():
            return schema.is_empty(self._bare)

    def snapshot(self, out: Path) -> None:
        """Write one moment of the database to a file and check it, without blocking others.

        Raises StoreError, or ResourceError if PostgreSQL's tools are missing.
        """
        snapshot.take(self.url, out)

    def restore(self, file: Path, aside: str, begin: Callable[["Store"], None]) -> None:
        """Replace the database with a checked file of ``snapshot``, which is moved.

        *begin* gets the restored database with the tables of this version, in SQLite's case before
        it replaces the other. No program can use the database now. An existing SQLite file is
        kept, with *aside* appended to its name. Raises StoreError if the file is damaged or has a
        newer version, and ResourceError if another program is connected to a server's database.
        """
        snapshot.check(self.url, file)
        if self.kind == "sqlite":
            copy = Store(f"sqlite:///{file}")
            try:
                copy.migrate()
                begin(copy)
            finally:
                copy.close()
        self.close()
        if self.kind == "postgresql":
            with _translated(), self._bare.connect() as connection:
                snapshot.refuse_others(connection)
            self.close()
        snapshot.put_back(self.url, file, aside)
        if self.kind == "postgresql":
            self.migrate()
            begin(self)

    def move_to(self, other: "Store", tell: Callable[[db_copy.Moved], None]) -> None:
        """Copy every row into the empty PostgreSQL database of *other*, in one transaction.

        Each table is read back, compared and passed to *tell*. Raises ResourceError if the other
        database is not empty, and StoreError if a table differs after the copy.
        """
        with self._turns, _translated():
            db_copy.copy(self._bare, other._bare, tell)

    def refuse_newer(self) -> None:
        """Raise StoreOutdated if the tables are of a version this program does not know."""
        with self._turns, _translated():
            schema.refuse_newer(self._bare)

    def draft_migration(self, number: str, message: str) -> Path:
        """Write a migration from these tables to the models; return its file.

        The developer reviews it before committing it.
        """
        with self._turns, _translated():
            made: Path = _migrating().draft(self._bare, number, message)
            return made

    def room(self) -> Room:
        """Return how much disk space the database uses."""
        with self.read() as session:
            return room(session.connection())

    def inspect(self) -> None:
        """Read every page of an SQLite file. Raises StoreDamaged if one is damaged."""
        with self.read() as session:
            if words := damage(session.connection()):
                raise damaged(words)

    def shrink(self) -> int:
        """Return some unused space of an SQLite file to the disk.

        Returns the number of pages; 0 if there is nothing to return.
        """
        with self.write() as session:
            return shrink(session.connection())

    def rebuild(self) -> None:
        """Rewrite the database as small as possible. Raises StoreError while others use it."""
        with self._turns, _translated():
            rebuild(self._bare)

    def close(self) -> None:
        """Close all connections; another use opens the database again."""
        self._engine.dispose()
        if self._file is not None:
            self._file.forget()

    @contextmanager
    def _lasting(self, sessions: sessionmaker[Session]) -> Iterator[Session]:
        with self._transaction(sessions) as session:
            yield session
        # The lock is released, so others can write while this waits for the disk.
        if self._file is not None:
            with self._noted():
                self._file.flush()

    @contextmanager
    def _transaction(self, sessions: sessionmaker[Session]) -> Iterator[Session]:
        with self._turns, self._noted(), _translated():
            if self._file is not None:
                self._file.check()
            with sessions.begin() as session:
                yield session

    @contextmanager
    def _noted(self) -> Iterator[None]:
        try:
            yield
        except StoreGone:
            # This is seen by everybody who checks the presence.
            raise
        except (StoreDamaged, StoreUnwritable) as failure:
            self._failure = failure
            raise


def _migrating() -> ModuleType:
    """Return the module that migrates. Alembic takes long to import, and few programs need it."""
    from referee.store.database import migrating

    return migrating


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except (DBAPIError, sqlite3.Error) as complaint:
        if (ours := translate(complaint)) is None:
            raise
        raise ours from complaint


def _parsed(url: str) -> URL:
    try:
        parsed = make_url(url)
        name = parsed.get_dialect().name
    except (ArgumentError, NoSuchModuleError) as error:
        raise SettingsError(f"[database] url: not a database URL: {error}") from error
    if name not in ("sqlite", "postgresql"):
        raise SettingsError(f"[database] url: use SQLite or PostgreSQL, not {name}")
    return parsed


def _engine(url: URL, patience: float, *, or_reads: bool) -> Engine:
    if url.get_backend_name() == "postgresql":
        return _postgres(url, patience)
    in_memory = url.database in (None, "", ":memory:")
    options: dict[str, Any] = {"poolclass": StaticPool} if in_memory else {}
    if or_reads and not in_memory:
        return create_engine(url, creator=partial(_open_or_read, Path(str(url.database)), patience))
    engine = create_engine(
        url, connect_args={"timeout": patience, "check_same_thread": False}, **options
    )
    event.listen(engine, "connect", _prepare_sqlite)
    return engine


def _open_or_read(file: Path, patience: float) -> sqlite3.Connection:
    """Open a file for writing, or for reading if its disk is full or read-only."""
    connection = sqlite3.connect(file, timeout=patience, check_same_thread=False)
    try:
        _prepare_sqlite(connection, None)
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except sqlite3.Error as complaint:
        connection.close()
        if not is_unwritable(complaint):
            raise
        connection = open_unwritable(file, patience)
        connection.isolation_level = None
    return connection


def _postgres(url: URL, patience: float) -> Engine:
    options = f"-c lock_timeout={int(patience * 1000)} -c timezone=UTC {_FROZEN}"
    engine = create_engine(
        url,
        connect_args={"options": options, "connect_timeout": 10},
        # A connection that was used a moment ago is used again and needs no ping.
        pool_use_lifo=True,
    )
    event.listen(engine, "checkin", _record_use)
    event.listen(engine, "checkout", partial(_ping_if_idle, engine.dialect))
    return engine


def _record_use(_connection: object, record: ConnectionPoolEntry) -> None:
    record.info["used"] = time.monotonic()


def _ping_if_idle(
    dialect: Dialect, connection: Any, record: ConnectionPoolEntry, _proxy: object
) -> None:
    """Ping a connection that was idle, because the server can have been restarted.

    A ping for every transaction, as SQLAlchemy offers, would be one of four round trips. Raises
    InvalidatePoolError, after which SQLAlchemy opens new connections.
    """
    now = time.monotonic()
    if now - record.info.get("used", now) < _IDLE:
        return
    try:
        dialect.do_ping(connection)
    except dialect.loaded_dbapi.Error as complaint:
        raise InvalidatePoolError from complaint


def _sessions(engine: Engine, begin: Callable[[Connection], None]) -> sessionmaker[Session]:
    """Return a session factory whose transactions start with *begin*.

    The listener is on the session, because an engine with a begin listener checks for listeners at
    every statement.
    """
    sessions = sessionmaker(engine, expire_on_commit=False)

    def after_begin(
        _session: object, transaction: SessionTransaction, connection: Connection
    ) -> None:
        # A savepoint is in a transaction that has begun.
        if not transaction.nested:
            begin(connection)

    event.listen(sessions, "after_begin", after_begin)
    return sessions


def _begin_postgres(patience: float, connection: Connection) -> None:
    if not connection.get_execution_options().get("referee_lasts", True):
        connection.exec_driver_sql(_BEGIN_CLAIM.format(patience=int(patience * 1000)))


def _reading(engine: Engine) -> Engine:
    if engine.dialect.name == "sqlite":
        return engine
    return engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)


def _autocommitting(engine: Engine) -> Engine:
    if engine.dialect.name == "sqlite":
        return engine
    return engine.execution_options(isolation_level="AUTOCOMMIT")


def _prepare_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    # The driver's own transactions begin too late and lose updates; _begin_sqlite begins ours.
    connection.isolation_level = None
    # A new file can return free pages one by one; an existing file is not changed.
    connection.execute("PRAGMA auto_vacuum=INCREMENTAL")
    _use_wal(connection)
    connection.execute(f"PRAGMA journal_size_limit={LOG_LIMIT}")
    (mode,) = connection.execute("PRAGMA journal_mode").fetchone()
    # A letter that was confirmed to its sender must survive a power failure. With a write-ahead
    # log, the store itself waits for the disk after each durable transaction.
    connection.execute(f"PRAGMA synchronous={'NORMAL' if mode == 'wal' else 'FULL'}")
    connection.execute("PRAGMA foreign_keys=ON")


def _use_wal(connection: sqlite3.Connection) -> None:
    """Switch the file permanently to its write-ahead log.

    When several programs open a new file at once, SQLite rejects all but one without its usual
    wait, so the others try again.
    """
    for attempt in range(1, _LOG_ATTEMPTS + 1):
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as complaint:
            if complaint.sqlite_errorcode != sqlite3.SQLITE_BUSY or attempt == _LOG_ATTEMPTS:
                raise
            time.sleep(_LOG_PAUSE)


def _begin_sqlite(patience: float, connection: Connection) -> None:
    options = connection.get_execution_options()
    writes = options.get("referee_writes", False)
    _set(connection, "busy_timeout", "0" if writes else str(int(patience * 1000)))
    if writes:
        _wait_to_write(connection, time.monotonic() + patience)
    else:
        _execute(connection, "BEGIN")
        connection.info["changes"] = driver_of(connection).total_changes


def _refuse_changes(session: Session) -> None:
    """Raise StoreUnwritable if the transaction of a reader on SQLite has changed a row.

    PostgreSQL knows read-only transactions. SQLite has only PRAGMA query_only, which makes it
    compile every statement again.
    """
    session.flush()
    connection = session.connection()
    if driver_of(connection).total_changes != connection.info["changes"]:
        raise unwritable("database: something was written in a transaction that only reads")


def _wait_to_write(connection: Connection, until: float) -> None:
    """Begin a write transaction as soon as possible; after *until*, with SQLite's error.

    SQLite itself would poll at growing intervals, at last ten times a second. A program with short
    and frequent transactions, like the sender, would then rarely get the lock while workers write
    much.
    """
    database = driver_of(connection)
    while time.monotonic() < until:
        try:
            database.execute("BEGIN IMMEDIATE")
            return
        except sqlite3.OperationalError as complaint:
            if complaint.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                break
        time.sleep(_LOCK_PAUSE)
    # This raises SQLAlchemy's exception, which is translated.
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _set(connection: Connection, pragma: str, value: str) -> None:
    """Set a PRAGMA unless this connection already has the value."""
    if connection.info.get(pragma) != value:
        _execute(connection, f"PRAGMA {pragma}={value}")
        connection.info[pragma] = value


def _execute(connection: Connection, sql: str) -> None:
    """Run a statement that returns no rows directly on the driver, bypassing SQLAlchemy."""
    try:
        driver_of(connection).execute(sql)
    except sqlite3.Error:
        # This raises SQLAlchemy's exception, which is translated.
        connection.exec_driver_sql(sql)


LOG_LIMIT: Final = 64 * 2**20
"""The maximum size of SQLite's write-ahead log after a checkpoint, in bytes."""
_PAGES: Final = 500
"""Pages returned to the disk at once: 2 MB, which takes a few milliseconds."""
_SPARE: Final = 250
"""Free pages that stay in the file for the next rows."""


def room(connection: Connection) -> Room:
    """Return how much disk space the database uses."""
    if connection.dialect.name == "postgresql":
        taken = connection.scalar(text("SELECT pg_database_size(current_database())"))
        return Room(int(taken or 0))
    size = _pragma(connection, "page_size")
    return Room(
        size * _pragma(connection, "page_count"), size * _pragma(connection, "freelist_count")
    )


def shrink(connection: Connection) -> int:
    """Return some free pages of an SQLite file to the disk; return their number.

    The number is 0 if few pages are free, and on PostgreSQL, which reuses its free space
    automatically.
    """
    if connection.dialect.name != "sqlite":
        return 0
    before = _pragma(connection, "freelist_count")
    if before <= _SPARE:
        return 0
    # Each row of the result returns one page to the disk.
    driver_of(connection).execute(f"PRAGMA incremental_vacuum({_PAGES})").fetchall()
    return before - _pragma(connection, "freelist_count")


def damage(connection: Connection) -> str:
    """Return the first damage that SQLite finds in its pages, or "".

    It reads every page. A server checks its own files.
    """
    if connection.dialect.name != "sqlite":
        return ""
    words = str(connection.exec_driver_sql("PRAGMA quick_check(1)").scalar_one())
    return "" if words == "ok" else " ".join(words.split())


def rebuild(engine: Engine) -> None:
    """Rewrite the file of an SQLite database without free pages; other users wait.

    On PostgreSQL, all tables are vacuumed as autovacuum does.
    """
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql("VACUUM (ANALYZE)")
            return
        driver = driver_of(connection)
        driver.execute("VACUUM")
        driver.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def driver_of(connection: Connection) -> sqlite3.Connection:
    """Return the driver's connection to an SQLite database."""
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    return driver


def _pragma(connection: Connection, pragma: str) -> int:
    return int(connection.exec_driver_sql(f"PRAGMA {pragma}").scalar() or 0)
