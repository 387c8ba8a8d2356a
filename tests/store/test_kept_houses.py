"""A site of the first release, kept as files: every later version opens it and plays on.

``make keep`` has made it, as ``tests.support.kept_site`` says. A new release adds files of its own,
and none is ever changed.
"""

import gzip
import hashlib
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from referee.app import App
from referee.daemon import Daemon
from referee.desk.games.replay import replay
from referee.errors import StoreOutdated
from referee.opening import open_store
from referee.resources import folder as resource
from referee.settings import load
from referee.store.games import games
from referee.store.mail import inbox, outbox
from referee.testing.correspondents import quoted
from tests.live.postgresql import Postgres
from tests.support.hourly import HOUR, SETTINGS, installed, run, turn
from tests.support.kept_site import FRODO, KEPT, LAST, answer, last_report, suggestion

FROZEN = {
    "0001_draw_the_first_tables.py": (
        "a63fc0ac9b437920bfec8976c917c9ca6717119fccf18cad9e4f396b40492403"
    ),
}
"""The SHA-256 of the migrations that a release has."""
_SERVER = pytest.param("postgresql", marks=[pytest.mark.live, pytest.mark.slow])


@pytest.fixture(params=[pytest.param("sqlite", marks=pytest.mark.sqlite("a file")), _SERVER])
def site(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put the kept site into the working folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("REFEREE_SETTINGS", raising=False)
    state, settings, secret = tmp_path / "state", SETTINGS, "0001.secret"
    state.mkdir(mode=0o700)
    if request.param == "sqlite":
        (state / "referee.db").write_bytes(_unpacked("0001.db.gz"))
    else:
        server: Postgres = request.getfixturevalue("postgres")
        url = server.database(tmp_path.name.replace("-", "_"))
        settings += f'[database]\nurl = "{url}"\n'
        secret = "0001.sql.secret"
        with psycopg.connect(url.replace("postgresql+psycopg", "postgresql")) as database:
            database.execute(_unpacked("0001.sql.gz"))
    (state / "secret").write_bytes((KEPT / secret).read_bytes())
    (state / "secret").chmod(0o600)
    (tmp_path / "referee.toml").write_text(settings)
    return tmp_path


def _unpacked(name: str) -> bytes:
    return gzip.decompress((KEPT / name).read_bytes())


def _answers(app: App) -> int:
    with app.store.read() as session:
        (letter,) = inbox.listing(session, None, 1)
        return len(outbox.answers_to(session, letter))


@pytest.mark.slow
@pytest.mark.every_case
@pytest.mark.own_database
@pytest.mark.usefixtures("site")
def test_a_site_of_the_first_release_is_opened_and_played_on() -> None:
    with installed() as app:
        app.store.check_tables()
        with app.store.read() as session:
            (game,) = games.listing(session)
            assert replay(session, app.site, game) == []
            (frodo,) = (row for row in game.seats if row.name == "FRODO")
        assert turn(app.store) == 6
        report = last_report(app, FRODO)
        order = suggestion(report)
        sheet = quoted(report, LAST).replace(f"# {order}", order)
        daemon = Daemon(app)
        answer(app, FRODO, sheet, LAST + HOUR / 4)
        daemon.step(LAST + HOUR / 4)
        assert _answers(app) == 1
        with app.store.read() as session:
            (letter,) = inbox.listing(session, None, 1)
            assert (letter.receipt, letter.trust) == (2, "token")
            filed = games.sheet_of(session, frodo, 6)
            assert filed is not None
            assert (filed.letter_id, filed.orders) == (letter.id, [order])
        for hour in range(1, 5):
            daemon.step(LAST + hour * HOUR)
        assert turn(app.store) > 6
        with app.store.read() as session:
            (game,) = games.listing(session)
            assert replay(session, app.site, game) == []


@pytest.mark.sqlite("changes the file")
def test_tables_that_differ_at_the_same_version_are_refused(site: Path) -> None:
    with installed() as app:
        with app.store.write() as session:
            session.connection().exec_driver_sql("ALTER TABLE games DROP COLUMN extended_seconds")
            session.connection().exec_driver_sql("ALTER TABLE seats ADD COLUMN motto TEXT")
        with pytest.raises(StoreOutdated) as refused:
            app.store.check_tables()
    assert "column games.extended_seconds is missing" in str(refused.value)
    assert "column seats.motto is unknown" in str(refused.value)


@pytest.mark.sqlite("changes the file")
@pytest.mark.usefixtures("site")
def test_tables_of_no_release_are_not_migrated() -> None:
    with closing(open_store(load(Path("referee.toml")))) as store:
        with store.write() as session:
            session.connection().exec_driver_sql("ALTER TABLE games DROP COLUMN extended_seconds")
        done = run("run")
        assert done.exit_code == 1
        assert "column games.extended_seconds is missing" in done.output
        # Otherwise the version that ran last could not open them either.
        with pytest.raises(StoreOutdated, match="have version 0001,"):
            store.check()


def test_a_migration_of_a_release_is_never_changed() -> None:
    versions = resource("migrations") / "versions"
    found = {name: hashlib.sha256((versions / name).read_bytes()).hexdigest() for name in FROZEN}
    assert found == FROZEN
