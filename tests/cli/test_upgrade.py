"""A running game survives several migrations at once, which are killed halfway."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

import pytest
from sqlalchemy import MetaData, Table, inspect, select

from referee import resources
from referee.errors import StoreOutdated
from referee.opening import open_store
from referee.settings import load
from referee.store import Session, Store
from referee.store.database import schema
from tests.live.postgresql import Postgres
from tests.support import hourly as installation
from tests.support.databases import BOTH_KINDS

VERSIONS: Final = (
    # A column with a default, and a table filled from another one.
    """
    op.add_column("games", sa.Column("motto", sa.String(), nullable=False, server_default="Onward"))
    op.create_table(
        "standards",
        sa.Column("seat_id", sa.Integer(), sa.ForeignKey("seats.id"), primary_key=True),
        sa.Column("motif", sa.String(), nullable=False),
    )
    op.execute("INSERT INTO standards SELECT id, lower(name) FROM seats")
""",
    # A referenced table is rebuilt if the database cannot change it in place.
    """
    with op.batch_alter_table("games") as batch:
        batch.alter_column("motto", new_column_name="saying")
        batch.create_check_constraint("ck_games_saying", "saying <> ''")
    op.execute("UPDATE games SET saying = saying || '!'")
""",
    # A value that only the program can compute, and a column that then has it in every row.
    """
    op.add_column("inbox", sa.Column("octets", sa.Integer()))
    rows = op.get_bind().execute(sa.text("SELECT id, raw FROM inbox")).all()
    for number, row in enumerate(rows):
        if number == 1 and os.environ.get("KILL_MIGRATION"):
            os.kill(os.getpid(), signal.SIGKILL)
        change = sa.text("UPDATE inbox SET octets = :octets WHERE id = :id")
        op.get_bind().execute(change, {"id": row.id, "octets": len(row.raw)})
    with op.batch_alter_table("inbox") as batch:
        batch.alter_column("octets", existing_type=sa.Integer(), nullable=False)
        batch.create_index("ix_inbox_octets", ["octets"])
""",
)
# The number of our own last revision.
OURS: Final = max(
    int(each.name[:4]) for each in resources.folder("migrations").glob("versions/[0-9]*.py")
)
MIGRATION: Final = '''"""A change to come."""

import os
import signal

import sqlalchemy as sa
from alembic import op

revision = "{revision}"
down_revision = "{before}"


def upgrade() -> None:
    """Change the tables."""
{change}
'''
PROGRAM: Final = """
import sys
from pathlib import Path
from referee.opening import open_store
from referee.settings import load
from referee.store.database import schema
schema.folder = lambda name: Path(sys.argv[1])
open_store(load(Path("referee.toml"))).migrate()
"""
Rows = Mapping[str, list[Mapping[str, object]]]


@pytest.fixture(params=BOTH_KINDS)
def house(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a site whose game was played for three turns."""
    monkeypatch.chdir(tmp_path)
    words = installation.SETTINGS
    if request.param == "postgresql":
        server: Postgres = request.getfixturevalue("postgres")
        words += f'[database]\nurl = "{server.database(tmp_path.name.replace("-", "_"))}"\n'
    (tmp_path / "referee.toml").write_text(words)
    with installation.installed() as app:
        installation.begin(app)
    return tmp_path


def versions(folder: Path, number: int) -> Path:
    """Return a folder with our migrations and some future ones."""
    ours = resources.folder("migrations")
    shutil.copytree(ours, folder, ignore=shutil.ignore_patterns("__pycache__"))
    for revision, change in enumerate(VERSIONS[:number], OURS + 1):
        source = MIGRATION.format(
            revision=f"{revision:04}", before=f"{revision - 1:04}", change=change
        )
        (folder / "versions" / f"{revision:04}_a_change.py").write_text(source)
    return folder


def started(migrations: Path, **environment: str) -> subprocess.Popen[bytes]:
    """Start a program of a later version, which migrates."""
    command = [sys.executable, "-c", PROGRAM, str(migrations)]
    return subprocess.Popen(command, env={**os.environ, **environment})


@contextmanager
def opened() -> Iterator[Store]:
    with closing(open_store(load(Path("referee.toml")))) as store:
        yield store


def rows() -> Rows:
    """Return all rows of all tables."""
    with opened() as store, store.read() as session:
        names = inspect(session.connection()).get_table_names()
        return {name: _rows(session, name) for name in names}


def _rows(session: Session, name: str) -> list[Mapping[str, object]]:
    table = Table(name, MetaData(), autoload_with=session.connection())
    found = session.execute(select(table).order_by(*table.primary_key.columns))
    return [dict(row) for row in found.mappings()]


def told(before: Rows, after: Rows) -> Rows:
    """Return the rows of *after* without the tables and columns missing in *before*."""
    return {
        name: [
            {column: value for column, value in row.items() if column in old[0]}
            for row in after[name]
        ]
        if old
        else after[name]
        for name, old in before.items()
    }


def upgraded(before: Rows) -> None:
    """Check that the old rows are unchanged and that all of them were migrated."""
    after = rows()
    assert after["alembic_version"] == [{"version_num": f"{OURS + len(VERSIONS):04}"}]
    kept = {name: found for name, found in before.items() if name != "alembic_version"}
    assert told(kept, after) == kept
    assert [row["saying"] for row in after["games"]] == ["Onward!"]
    assert [row["motif"] for row in after["standards"]] == ["frodo", "sam"]
    octets = [row["octets"] for row in after["inbox"]]
    assert octets == [len(raw) for row in before["inbox"] if isinstance(raw := row["raw"], bytes)]


@pytest.mark.slow
@pytest.mark.every_case
def test_a_running_game_survives_several_migrations(
    house: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = rows()
    assert len(before["turns"]) == 4
    later = versions(house / "later", 3)
    assert started(later, KILL_MIGRATION="1").wait(60) == -signal.SIGKILL
    # Nothing was migrated, so the old program could continue.
    assert rows() == before
    with monkeypatch.context() as newer:
        newer.setattr(schema, "folder", lambda name: later)
        with installation.installed() as app:
            upgraded(before)
            installation.play(app, hours=1, since=installation.NOON + 4 * installation.HOUR)
            assert installation.turn(app.store) > 4
        assert "resolved again, identical" in installation.run("replay", "SW-1").output
    with (
        opened() as store,
        pytest.raises(StoreOutdated, match=f"{OURS + len(VERSIONS):04}, from a newer program"),
    ):
        store.migrate()


@pytest.mark.release
def test_migrations_can_run_one_by_one_and_by_several_programs(
    house: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = rows()
    for number in (1, 2, 3):
        later = versions(house / f"later{number}", number)
        monkeypatch.setattr(schema, "folder", lambda name, later=later: later)
        if number < 3:
            with opened() as store:
                store.migrate()
    programs = [started(later) for _ in range(2)]
    assert [program.wait(60) for program in programs] == [0, 0]
    upgraded(before)
