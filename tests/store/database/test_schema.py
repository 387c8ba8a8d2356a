"""Migrations: they match the models, keep the data, and reject unknown revisions."""

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from threading import Thread

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, text

from referee import resources
from referee.errors import StoreError, StoreOutdated
from referee.store import Store
from referee.store.database import schema
from referee.store.database.base import Base
from tests.live.postgresql import Postgres
from tests.store.rows import a_game, a_letter, a_seat

NEWEST = max(file.stem for file in resources.folder("migrations").glob("versions/*.py"))[:4]
_NEXT = '''"""A migration that is not ours."""

revision = "{revision}"
down_revision = "{newest}"


def upgrade():
    """Change something."""
    from alembic import op
    import sqlalchemy as sa
{change}
'''


@pytest.fixture
def migrations(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Return a function that adds a migration after ours, in a copy of the folder."""
    ours = resources.folder("migrations")
    copy = tmp_path / "100% migrations"
    (copy / "versions").mkdir(parents=True)
    for name in (
        "env.py",
        "script.py.mako",
        *(f"versions/{p.name}" for p in ours.glob("versions/*.py")),
    ):
        (copy / name).write_bytes((ours / name).read_bytes())
    monkeypatch.setattr(schema, "folder", lambda name: copy)

    def add(change: str) -> None:
        indented = "\n".join(f"    {line}" for line in change.splitlines())
        (copy / "versions" / "9999_next.py").write_text(
            _NEXT.format(revision="9999", newest=NEWEST, change=indented)
        )

    return add


def test_migrations_match_the_models(store: Store) -> None:
    with store.read() as session:
        context = MigrationContext.configure(session.connection())
        assert compare_metadata(context, Base.metadata) == []


def test_migrating_twice_changes_nothing(store: Store) -> None:
    with store.write() as session:
        a_letter(session)
    store.migrate()
    store.check()
    with store.write() as session:
        assert a_letter(session, "2").id == 2


def test_an_empty_database_is_outdated(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path}/referee.db")
    with pytest.raises(StoreOutdated):
        store.check()
    store.close()


def test_several_programs_migrate_at_once(tmp_path: Path) -> None:
    _migrate_at_once(f"sqlite:///{tmp_path}/referee.db")


@pytest.mark.slow
def test_several_programs_open_a_new_file_at_once(tmp_path: Path) -> None:
    faults: list[Exception] = []

    def look(file: Path) -> None:
        store = Store(f"sqlite:///{file}")
        try:
            store.is_empty()
        except StoreError as fault:
            faults.append(fault)
        finally:
            store.close()

    for number in range(100):
        _together([partial(look, tmp_path / f"{number}.db")] * 6)
    assert faults == []


@pytest.mark.live
def test_several_programs_migrate_a_server_at_once(postgres: Postgres) -> None:
    _migrate_at_once(postgres.database("migrated_at_once"))


def test_tables_of_a_newer_program_are_not_changed(store: Store) -> None:
    with store.write() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '7777'"))
    try:
        for act in (store.migrate, store.check):
            with pytest.raises(StoreOutdated, match="newer"):
                act()
    finally:
        with store.write() as session:
            session.execute(text(f"UPDATE alembic_version SET version_num = '{NEWEST}'"))


def test_columns_of_a_version_between_releases_are_found(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path}/referee.db")
    store.migrate()
    store.check()
    with closing(sqlite3.connect(tmp_path / "referee.db")) as database:
        database.execute("ALTER TABLE absences RENAME COLUMN reminded TO motto")
        database.commit()
    with pytest.raises(StoreOutdated, match=r"absences\.motto is unknown") as raised:
        store.check()
    assert "cannot be migrated" in raised.value.told()
    store.close()


def test_a_column_that_nobody_reads_is_only_in_the_way_of_a_migration(
    tmp_path: Path, migrations: Callable[[str], None]
) -> None:
    store = Store(f"sqlite:///{tmp_path}/referee.db")
    store.migrate()
    with store.write() as session:
        session.execute(text("ALTER TABLE games ADD COLUMN motto VARCHAR"))
    store.check()
    migrations("op.add_column('games', sa.Column('herald', sa.String()))")
    with pytest.raises(StoreOutdated, match=r"games\.motto is unknown") as raised:
        store.check()
    assert "cannot be migrated" in raised.value.told()
    store.close()


def test_the_file_is_copied_before_a_migration(
    tmp_path: Path, migrations: Callable[[str], None]
) -> None:
    store = Store(f"sqlite:///{tmp_path}/referee.db")
    store.migrate()
    with store.write() as session:
        a_letter(session)
    copy = tmp_path / f"referee.db.before-leaving-{NEWEST}"
    assert not copy.exists()
    migrations("op.add_column('games', sa.Column('motto', sa.String()))")
    store.migrate()
    store.close()
    assert _columns(tmp_path / "referee.db", "games") - _columns(copy, "games") == {"motto"}
    with closing(sqlite3.connect(copy)) as copied:
        assert copied.execute("SELECT count(*) FROM inbox").fetchone() == (1,)


@pytest.mark.sampled
@pytest.mark.parametrize("place", ["", "/{folder}/referee.db"])
def test_rebuilding_a_table_keeps_its_children(
    place: str, tmp_path: Path, migrations: Callable[[str], None]
) -> None:
    store = Store("sqlite://" + place.format(folder=tmp_path))
    store.migrate()
    with store.write() as session:
        a_seat(session, a_game(session))
    migrations(
        "with op.batch_alter_table('games', recreate='always') as batch:\n"
        "    batch.alter_column('title', new_column_name='headline')"
    )
    store.migrate()
    with store.read() as session:
        assert session.execute(text("SELECT headline FROM games")).scalars().all() == ["The Shire"]
        assert session.execute(text("SELECT count(*) FROM seats")).scalar_one() == 1
        assert session.execute(text("PRAGMA foreign_keys")).scalar_one() == 1
    store.close()


def test_a_migration_that_orphans_a_row_is_undone(
    tmp_path: Path, migrations: Callable[[str], None]
) -> None:
    store = Store(f"sqlite:///{tmp_path}/referee.db")
    store.migrate()
    with store.write() as session:
        a_seat(session, a_game(session))
    migrations("op.execute('DELETE FROM games')")
    with pytest.raises(StoreError, match="game_masters, seats"):
        store.migrate()
    with store.read() as session:
        assert session.execute(text("SELECT count(*) FROM games")).scalar_one() == 1
        assert _revision(session.connection()) == NEWEST
    store.close()


def test_a_drafted_migration_of_unchanged_models_is_empty(
    tmp_path: Path, migrations: Callable[[str], None]
) -> None:
    store = Store(f"sqlite:///{tmp_path}/referee.db")
    store.migrate()
    drafted = store.draft_migration(f"{int(NEWEST) + 1:04}", "Change nothing").read_text()
    assert f'down_revision = "{NEWEST}"' in drafted.replace("'", '"')
    assert "op." not in drafted.partition("def upgrade")[2]
    store.close()


def _migrate_at_once(url: str) -> None:
    faults: list[Exception] = []

    def migrate() -> None:
        store = Store(url)
        try:
            store.migrate()
            store.check()
        except StoreError as fault:
            faults.append(fault)
        finally:
            store.close()

    _together([migrate] * 3)
    assert faults == []


def _together(programs: list[Callable[[], None]]) -> None:
    threads = [Thread(target=program) for program in programs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)


def _revision(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()


def _columns(file: Path, table: str) -> set[str]:
    with closing(sqlite3.connect(file)) as connection:
        return {row[1] for row in connection.execute(f"PRAGMA table_info({table})")}


_KILLED = """
op.add_column('games', sa.Column('motto', sa.String()))
op.execute("UPDATE games SET motto = 'half done'")
import os, signal
if os.environ.get("KILL_MIGRATION"):
    os.kill(os.getpid(), signal.SIGKILL)
op.add_column('games', sa.Column('herald', sa.String()))
"""
_MIGRATE = """
import sys
from pathlib import Path
from referee.store import Store
from referee.store.database import schema
schema.folder = lambda name: Path(sys.argv[2])
Store(sys.argv[1]).migrate()
"""


@pytest.mark.slow
def test_a_migration_that_is_killed_is_done_by_the_next_start(
    tmp_path: Path, migrations: Callable[[str], None]
) -> None:
    url = f"sqlite:///{tmp_path}/referee.db"
    store = Store(url)
    store.migrate()
    with store.write() as session:
        a_game(session)
    store.close()
    migrations(_KILLED)
    command = [sys.executable, "-c", _MIGRATE, url, str(tmp_path / "100% migrations")]
    killed = subprocess.run(command, env={**os.environ, "KILL_MIGRATION": "1"}, check=False)
    assert killed.returncode == -signal.SIGKILL
    copy = tmp_path / f"referee.db.before-leaving-{NEWEST}"
    for file in (tmp_path / "referee.db", copy):
        # Both are complete and unchanged, so the old program could continue with either.
        with closing(sqlite3.connect(file)) as database:
            assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert database.execute("SELECT version_num FROM alembic_version").fetchall() == [
                (NEWEST,)
            ]
            assert database.execute("SELECT count(*) FROM games").fetchone() == (1,)
        assert not _columns(file, "games") & {"motto", "herald"}
    subprocess.run(command, check=True)
    assert _columns(tmp_path / "referee.db", "games") >= {"motto", "herald"}
    with closing(sqlite3.connect(tmp_path / "referee.db")) as database:
        assert database.execute("SELECT motto FROM games").fetchall() == [("half done",)]
    assert not _columns(copy, "games") & {"motto", "herald"}
