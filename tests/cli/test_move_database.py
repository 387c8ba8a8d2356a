"""``referee move-database``: a played game copied from SQLite to PostgreSQL, and continued."""

import shutil
import subprocess
import sys
from datetime import time, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Enum,
    Integer,
    LargeBinary,
    String,
    Time,
    func,
    insert,
    select,
    text,
)

from referee import instance_lock
from referee.errors import StoreError
from referee.settings import load
from referee.store import Store
from referee.store.database.base import Base, Packed, Utc
from referee.store.database.db_copy import Moved
from referee.store.games import games
from referee.store.mail import inbox
from referee.store.models import SeatRow
from tests.live.postgresql import Postgres
from tests.support.hourly import HOUR, LETTERS, NOON, SETTINGS, installed, play, run, write

pytestmark = pytest.mark.live

ODD = ("bilbo@shire.example", "NONSENSE \0 and \U0001f409")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a site on SQLite whose game is before the orders of turn 4."""
    folder = tmp_path_factory.mktemp("played")
    with pytest.MonkeyPatch.context() as patch:
        enter(folder, patch)
        (folder / "referee.toml").write_text(SETTINGS)
        with installed() as app:
            write(app, *LETTERS, ODD)
            play(app, hours=3)
    return folder


@pytest.fixture
def folder(played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of that site as the working folder."""
    shutil.copytree(played, tmp_path, dirs_exist_ok=True)
    enter(tmp_path, monkeypatch)
    return tmp_path


def enter(folder: Path, patch: pytest.MonkeyPatch) -> None:
    """Make a folder the working folder, without settings in the environment."""
    patch.chdir(folder)
    for name in ("REFEREE_SETTINGS", "REFEREE_DATABASE__URL"):
        patch.delenv(name, raising=False)


@pytest.fixture
def target(postgres: Postgres, tmp_path: Path) -> str:
    """Return the URL of an empty database on a server."""
    return postgres.database(f"moved_{tmp_path.name}".replace("-", "_"))


def rows(url: str) -> dict[str, list[tuple[object, ...]]]:
    """Return all rows of a database."""
    store = Store(url)
    with store.read() as session:
        found = {
            table.name: sorted(tuple(row) for row in session.execute(select(table)))
            if table.name == "heartbeats"
            else [tuple(row) for row in session.execute(select(table).order_by(*table.primary_key))]
            for table in Base.metadata.sorted_tables
        }
    store.close()
    return found


def tables(url: str) -> int:
    store = Store(url)
    with store.read() as session:
        names = "SELECT count(*) FROM information_schema.tables WHERE table_schema = 'public'"
        number: int = session.execute(text(names)).scalar_one()
    store.close()
    return number


@pytest.mark.slow
def test_a_game_is_moved_and_continued(folder: Path, target: str) -> None:
    old = f"sqlite:///{folder}/state/referee.db"
    before = rows(old)

    # In this process all models are imported; the command by itself has to see to that.
    command = [sys.executable, "-m", "referee", "move-database", target]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    assert rows(target) == before == rows(old)
    number = sum(len(each) for each in before.values())
    assert f"Copied: {len(before)} tables, {number} rows, all compared" in done.stdout
    assert f'url = "{target}"' in done.stdout
    assert f"{folder}/state/referee.db" in done.stdout
    (folder / "referee.toml").write_text(f'{SETTINGS}[database]\nurl = "{target}"\n')
    with installed() as app:
        assert run("replay", "SW-1").output == "SW-1: 3 turns resolved again, identical\n"
        # New rows of every kind get ids after the old ones.
        write(
            app,
            ("frodo@shire.example", "HELP"),
            ("you@example.org", 'CREATE STARWEB SEATS 2 DEADLINE "1 day"'),
        )
        play(app, hours=2, since=NOON + 4 * HOUR)
        with app.store.read() as session:
            assert {game.name: game.turn for game in games.listing(session)} == {
                "SW-1": 7,
                "SW-2": 0,
            }
            assert sum(inbox.counts(session).values()) == len(LETTERS) + 3
    assert run("replay", "SW-1").output == "SW-1: 6 turns resolved again, identical\n"
    assert run("doctor", "state", "database").exit_code == 0
    refused = run("move-database", target)
    assert refused.exit_code == 1
    assert "database: not an SQLite file" in refused.stderr


@pytest.mark.slow
def test_rows_of_every_table_are_moved(tmp_path: Path, target: str) -> None:
    url = f"sqlite:///{tmp_path}/full.db"
    source, other = Store(url), Store(target)
    source.migrate()
    with source.write() as session:
        for table in Base.metadata.sorted_tables:
            session.execute(insert(table), {column.name: _some(column) for column in table.c})
    moved: list[Moved] = []
    source.move_to(other, moved.append)
    source.close()
    other.close()
    assert {each.table: each.rows for each in moved} == dict.fromkeys(Base.metadata.tables, 1)
    assert rows(target) == rows(url)


def _some(column: Column[Any]) -> object:
    """Return a value that is hard to copy; every foreign key is 1."""
    match column.type:
        case Enum(enum_class=kind) if kind is not None:
            return list(kind)[-1]
        case Utc():
            return NOON + timedelta(microseconds=123_457)
        case Packed() | LargeBinary():
            return bytes(range(256))
        case Boolean():
            return True
        case BigInteger():
            return 2**32 - 1
        case Integer():
            return 1
        case JSON():
            return {"\N{DRAGON}": ["\0", None, 0.1, -(2**53), {"": "\u2028"}]}
        case Time():
            return time(23, 59, 59, 999_999)
        case String():
            return f" {column.name}\r\n\t'\\ \N{DRAGON} "
        case unknown:
            raise AssertionError(f"{column} is a {unknown}")


@pytest.mark.slow
def test_an_unreachable_database_is_reported(folder: Path, target: str) -> None:
    done = run("move-database", f"{target}_nowhere")
    assert done.exit_code == 1
    assert "nothing was copied: database: " in done.stderr
    assert "check that the new database exists and that its URL is right" in done.stderr


@pytest.mark.slow
def test_an_unknown_table_stops_the_copy(folder: Path, target: str) -> None:
    with installed() as app, app.store.write() as session:
        session.execute(text("CREATE TABLE strange (x)"))
    done = run("move-database", target)
    assert done.exit_code == 1
    assert "database: unknown tables: strange" in done.stderr
    assert tables(target) == 0


@pytest.mark.slow
def test_ids_that_tokens_can_name_are_never_reused(folder: Path, target: str) -> None:
    with installed() as app:
        with app.store.write() as session:
            gone = session.scalar(select(func.max(SeatRow.id)))
            seat = session.get(SeatRow, gone)
            assert seat is not None
            copied = {column.name: getattr(seat, column.name) for column in SeatRow.__table__.c}
            copied |= {"id": 70, "number": 9, "name": "GONE", "person_id": None}
            session.execute(insert(SeatRow), copied)
        with app.store.write() as session:
            session.execute(text("DELETE FROM seats WHERE id = 70"))
    assert run("move-database", target).exit_code == 0
    store = Store(target)
    with store.write() as session:
        later = copied | {"name": "LATER"}
        del later["id"]
        session.execute(insert(SeatRow.__table__), later)  # type: ignore[arg-type]
        assert session.scalar(select(func.max(SeatRow.id))) == 71
    store.close()


@pytest.mark.slow
def test_a_database_that_is_not_empty_is_rejected(folder: Path, target: str) -> None:
    assert run("move-database", target).exit_code == 0
    before = rows(target)
    done = run("move-database", target)
    assert done.exit_code == 1
    assert "new database: not empty" in done.stderr
    assert "create a new, empty database and use that one" in done.stderr
    assert rows(target) == before


@pytest.mark.slow
def test_nothing_is_moved_under_a_running_referee(folder: Path, target: str) -> None:
    with instance_lock.running(load(folder / "referee.toml")):
        done = run("move-database", target)
    assert done.exit_code == 1
    assert "database in use: a referee is running" in done.stderr
    assert tables(target) == 0


@pytest.mark.slow
def test_a_row_that_differs_after_the_copy_leaves_nothing(folder: Path, target: str) -> None:
    source, other = Store(f"sqlite:///{folder}/state/referee.db"), Store(target)
    with source.write() as session:
        # SQLite stores a number that PostgreSQL's column cannot hold.
        session.execute(text("UPDATE games SET missed_limit = 5000000000"))
    with pytest.raises(StoreError, match="out of range"):
        source.move_to(other, lambda moved: None)
    assert tables(target) == 0
    source.close()
    other.close()


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("sqlite:///other.db", "database URL: only PostgreSQL is supported here"),
        ("mysql://h/d", "it must start with"),
        ("postgresql+psycopg://u:hunter2@h/d", "it must not contain a password"),
    ],
)
def test_another_kind_of_url_is_rejected(folder: Path, url: str, words: str) -> None:
    done = run("move-database", url)
    assert done.exit_code == 1
    assert words in done.stderr
    assert "hunter2" not in done.stderr


def test_a_site_that_never_ran_has_nothing_to_move(folder: Path, target: str) -> None:
    for name in ("referee.db", "secret"):
        (folder / "state" / name).unlink()
    done = run("move-database", target)
    assert done.exit_code == 1
    assert "database: does not exist yet" in done.stderr
    assert tables(target) == 0
