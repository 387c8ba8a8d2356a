"""The store: one database, SQLite or PostgreSQL, and transactions on it."""

import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from pathlib import Path
from threading import RLock
from typing import Any

from sqlalchemy import URL, Connection, Dialect, Engine, StaticPool, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, InvalidatePoolError, NoSuchModuleError
from sqlalchemy.orm import Session, sessionmaker
from sqlalchemy.pool import ConnectionPoolEntry

from referee.errors import SettingsError, StoreUnwritable
from referee.store.database import db_copy, disk_space, schema, snapshot
from referee.store.database.db_errors import translate

__all__ = ["Session", "Store"]

# Another program needs a moment, not more, to give a new file its log.
_LOG_ATTEMPTS = 500
_LOG_PAUSE = 0.01  # seconds
_TURN_PAUSE = 0.0005  # seconds
# No server is restarted as quickly.
_RESTED = 0.1  # seconds
# A machine that froze in a transaction holds up nobody for longer than the longest turn takes.
_FROZEN = "-c idle_in_transaction_session_timeout=5min"


class Store:
    """The database of an installation.

    *url* is ``sqlite:///file``, ``sqlite://`` (in memory, for tests) or ``postgresql+psycopg://``.
    A transaction waits at most *patience* seconds for somebody else's. Every complaint of the
    database comes as a StoreError. Rows stay readable after their transaction has ended; what was
    not loaded then is not loaded later. Raises SettingsError for a url that names no database.
    """

    def __init__(self, url: str, *, patience: float = 10.0) -> None:
        self.url = _parsed(url)
        self._engine = _engine(self.url, patience)
        # In memory there is one connection for all threads, so they take turns.
        in_memory = isinstance(self._engine.pool, StaticPool)
        self._turns: AbstractContextManager[Any] = RLock() if in_memory else nullcontext()
        is_file = self.kind == "sqlite" and not in_memory
        self._log = _log_of(self.url) if is_file else None
        begin = _begin_postgres if self.kind == "postgresql" else partial(_begin_sqlite, patience)
        writing = self._engine.execution_options(referee_writes=True)
        claiming = writing.execution_options(referee_lasts=False)
        self._writer = _sessions(writing, begin)
        self._autocommitter = _sessions(_autocommitting(writing), begin)
        self._claimer = _sessions(claiming, begin)
        self._reader = _sessions(_reading(self._engine), begin)
        # For what needs the tables as they are, and no rows as objects.
        self._bare = self._engine.execution_options()
        event.listen(self._bare, "begin", begin)

    def write(self) -> AbstractContextManager[Session]:
        """Open a transaction that commits at the end and leaves nothing behind on an exception.

        Writers on SQLite follow each other: the lock is taken at the beginning, never on the way.
        What it wrote, and all that it saw, has reached the disk when it is over.
        """
        return self._lasting(self._writer)

    def statement(self) -> AbstractContextManager[Session]:
        """Open a transaction as ``write`` does, for one statement and no more.

        To a server it goes alone: to begin and to end it would be two more ways there and back.
        """
        return self._lasting(self._autocommitter)

    def claim(self) -> AbstractContextManager[Session]:
        """Open a transaction as ``write`` does, which everybody sees but a power cut may undo.

        A claim needs no more: its owner is gone with the power, and waiting for the disk takes
        longer than all the rest. Whatever ``write`` commits afterwards makes it last, too.
        """
        return self._transaction(self._claimer)

    def read(self) -> AbstractContextManager[Session]:
        """Open a transaction that sees one moment of the database and can write nothing."""
        return self._transaction(self._reader)

    def migrate(self) -> None:
        """Bring the tables to this version of the program, all steps or none.

        An SQLite file that has tables is copied beside itself first. Several programs may do this
        at once. Raises StoreOutdated when the tables are of a newer version.
        """
        with self._turns, _translated():
            schema.upgrade(self._bare)

    def check(self) -> None:
        """Raise StoreOutdated unless the tables are those of this version of the program."""
        with self._turns, _translated():
            schema.check(self._bare)

    @property
    def kind(self) -> str:
        """Return which database it is: ``sqlite`` or ``postgresql``."""
        return self.url.get_backend_name()

    def is_empty(self) -> bool:
        """Return whether there are no tables yet."""
        with self._turns, _translated():
            return schema.is_empty(self._bare)

    def snapshot(self, out: Path) -> None:
        """Write one moment of the database to a file, and check it; others go on meanwhile.

        Raises StoreError, or ResourceError when PostgreSQL's tools are missing.
        """
        snapshot.take(self.url, out)

    def restore(self, file: Path, aside: str) -> None:
        """Make a file of ``snapshot``, which is used up, the database, once it is checked.

        Nobody may be using the database. An SQLite file that was there is kept, with *aside*
        behind its name. Raises StoreError when the file is damaged or of a newer program.
        """
        snapshot.check(self.url, file)
        if self.kind == "sqlite":
            copy = Store(f"sqlite:///{file}")
            try:
                copy.refuse_newer()
            finally:
                copy.close()
        self._engine.dispose()
        snapshot.put_back(self.url, file, aside)
        self.refuse_newer()

    def move_to(self, other: "Store", tell: Callable[[db_copy.Moved], None]) -> None:
        """Copy every row into the empty PostgreSQL database of *other*, all of them or none.

        Each table is read back and compared, and *tell* hears of it. Raises ResourceError when the
        other database is not empty, StoreError when a table did not arrive as it was.
        """
        with self._turns, _translated():
            db_copy.copy(self._bare, other._bare, tell)

    def refuse_newer(self) -> None:
        """Raise StoreOutdated when the tables are of a version this program does not know."""
        with self._turns, _translated():
            schema.refuse_newer(self._bare)

    def draft_migration(self, number: str, message: str) -> Path:
        """Write the migration that brings these tables to what the models now draw, and return its
        file.

        For the developer, who reads it before he commits it.
        """
        with self._turns, _translated():
            return schema.draft(self._bare, number, message)

    def room(self) -> disk_space.Room:
        """Return how much room the database takes on its disk."""
        with self.read() as session:
            return disk_space.room(session.connection())

    def shrink(self) -> int:
        """Return a little of what an SQLite file does not need back to the disk.

        Gives how many pages that was; 0 when there is nothing to give back.
        """
        with self.write() as session:
            return disk_space.shrink(session.connection())

    def rebuild(self) -> None:
        """Write the database anew, as small as can be. Raises StoreError while others hold it."""
        with self._turns, _translated():
            disk_space.rebuild(self._bare)

    def close(self) -> None:
        """Close all connections; the store is not used any more."""
        self._engine.dispose()

    @contextmanager
    def _lasting(self, sessions: sessionmaker[Session]) -> Iterator[Session]:
        with self._transaction(sessions) as session:
            yield session
        # Here others can write already, while this waits for the disk.
        if self._log is not None:
            _flush(self._log)

    @contextmanager
    def _transaction(self, sessions: sessionmaker[Session]) -> Iterator[Session]:
        with self._turns, _translated(), sessions.begin() as session:
            yield session


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
        raise SettingsError(f"this is no address of a database: {error}") from error
    if name not in ("sqlite", "postgresql"):
        raise SettingsError(f"the database must be SQLite or PostgreSQL, not {name}")
    return parsed


def _engine(url: URL, patience: float) -> Engine:
    if url.get_backend_name() == "postgresql":
        return _postgres(url, patience)
    in_memory = url.database in (None, "", ":memory:")
    options: dict[str, Any] = {"poolclass": StaticPool} if in_memory else {}
    engine = create_engine(
        url, connect_args={"timeout": patience, "check_same_thread": False}, **options
    )
    event.listen(engine, "connect", _prepare_sqlite)
    return engine


def _postgres(url: URL, patience: float) -> Engine:
    options = f"-c lock_timeout={int(patience * 1000)} -c timezone=UTC {_FROZEN}"
    engine = create_engine(
        url,
        connect_args={"options": options, "connect_timeout": 10},
        # What was used a moment ago is used again, and need not be looked at.
        pool_use_lifo=True,
    )
    event.listen(engine, "checkin", _note_its_use)
    event.listen(engine, "checkout", partial(_refuse_a_dead_one, engine.dialect))
    return engine


def _note_its_use(_connection: object, record: ConnectionPoolEntry) -> None:
    record.info["used"] = time.monotonic()


def _refuse_a_dead_one(
    dialect: Dialect, connection: Any, record: ConnectionPoolEntry, _proxy: object
) -> None:
    """Look at a connection that rested: the server may have been restarted meanwhile.

    Asking each time, as SQLAlchemy can by itself, is one way to the server and back in four.
    Raises InvalidatePoolError, upon which SQLAlchemy makes new ones.
    """
    now = time.monotonic()
    if now - record.info.get("used", now) < _RESTED:
        return
    try:
        dialect.do_ping(connection)
    except dialect.loaded_dbapi.Error as complaint:
        raise InvalidatePoolError from complaint


def _sessions(engine: Engine, begin: Callable[[Connection], None]) -> sessionmaker[Session]:
    """Return what makes sessions whose transactions *begin* so.

    It is said to the session, because an engine that tells of its beginnings looks at each
    statement for somebody to tell of it.
    """
    sessions = sessionmaker(engine, expire_on_commit=False)

    def after_begin(_session: object, _transaction: object, connection: Connection) -> None:
        begin(connection)

    event.listen(sessions, "after_begin", after_begin)
    return sessions


def _begin_postgres(connection: Connection) -> None:
    if not connection.get_execution_options().get("referee_lasts", True):
        connection.exec_driver_sql("SET LOCAL synchronous_commit TO OFF")


def _reading(engine: Engine) -> Engine:
    if engine.dialect.name == "sqlite":
        return engine
    return engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)


def _autocommitting(engine: Engine) -> Engine:
    if engine.dialect.name == "sqlite":
        return engine
    return engine.execution_options(isolation_level="AUTOCOMMIT")


def _prepare_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    # The driver's own transactions begin too late and lose updates; ours begin in _begin_sqlite.
    connection.isolation_level = None
    # A new file can give free pages back one by one; of one that is there this changes nothing.
    connection.execute("PRAGMA auto_vacuum=INCREMENTAL")
    _keep_a_log(connection)
    connection.execute(f"PRAGMA journal_size_limit={disk_space.LOG_LIMIT}")
    (mode,) = connection.execute("PRAGMA journal_mode").fetchone()
    # A letter whose sender was told "kept" must outlive a power cut. Where there is a log, the
    # store itself waits for the disk, after each transaction that lasts.
    connection.execute(f"PRAGMA synchronous={'NORMAL' if mode == 'wal' else 'FULL'}")
    connection.execute("PRAGMA foreign_keys=ON")


def _keep_a_log(connection: sqlite3.Connection) -> None:
    """Switch the file to its write-ahead log, which it keeps for ever.

    Of several programs that open a new file at once SQLite refuses all but one, without the wait
    it keeps elsewhere; so they try again.
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
    _set(connection, "query_only", "OFF" if writes else "ON")
    _set(connection, "busy_timeout", "0" if writes else str(int(patience * 1000)))
    if writes:
        _wait_to_write(connection, time.monotonic() + patience)
    else:
        _say(connection, "BEGIN")


def _log_of(url: URL) -> str:
    # SQLite keeps it beside the file itself, not beside a link to it.
    return f"{os.path.realpath(url.database or '')}-wal"


def _flush(log: str) -> None:
    """Wait until the disk has all that was committed; what is no more in the log it has already.

    SQLite itself would let nobody else write meanwhile. Raises StoreUnwritable.
    """
    try:
        with Path(log).open("rb", buffering=0) as file:
            os.fdatasync(file.fileno())
    except FileNotFoundError:
        return
    except OSError as complaint:
        raise StoreUnwritable(
            f"the disk does not take what was written: {complaint}"
        ) from complaint


def _wait_to_write(connection: Connection, until: float) -> None:
    """Begin to write as soon as nobody else does; after *until*, with SQLite's complaint.

    SQLite itself would look ever more rarely, at last ten times a second: who writes little and
    often, as the sender does, would hardly have his turn while workers write much.
    """
    database = _driver(connection)
    while time.monotonic() < until:
        try:
            database.execute("BEGIN IMMEDIATE")
            return
        except sqlite3.OperationalError as complaint:
            if complaint.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                break
        time.sleep(_TURN_PAUSE)
    # This complains in SQLAlchemy's words, which are translated.
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _set(connection: Connection, pragma: str, value: str) -> None:
    """Set a PRAGMA unless this connection has it so from its last transaction."""
    if connection.info.get(pragma) != value:
        _say(connection, f"PRAGMA {pragma}={value}")
        connection.info[pragma] = value


def _say(connection: Connection, words: str) -> None:
    """Say to the driver what gives no answer: many times as quick as by way of SQLAlchemy."""
    try:
        _driver(connection).execute(words)
    except sqlite3.Error:
        # This complains in SQLAlchemy's words, which are translated.
        connection.exec_driver_sql(words)


def _driver(connection: Connection) -> sqlite3.Connection:
    database = connection.connection.driver_connection
    assert isinstance(database, sqlite3.Connection)
    return database
