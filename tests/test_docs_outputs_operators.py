"""The messages, tables and files in the page for operators, compared with the program's."""

import logging
import re
import shlex
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Final

import pytest
from pydantic import BaseModel
from sqlalchemy import select, text

from referee import instance_lock
from referee.app import App
from referee.clock import now
from referee.daemon import Daemon
from referee.daemon.metrics import metrics_of
from referee.domain.mail_transfer import Attempt, Delivery, IncomingMail
from referee.domain.shares import SHARES, Share
from referee.settings import Settings, load
from referee.store.mail import circuit_breaker, inbox, mailboxes, outbox
from referee.store.models import OutboxLetter
from tests.support.databases import Databases
from tests.support.hourly import HOUR, NOON, SETTINGS, installed, play, run, write
from tests.support.outsiders import Outsiders
from tests.support.pages import code, read_page, rows, section

pytestmark = pytest.mark.slow

PAGE: Final = read_page("docs/operators.md")
REFERENCE: Final = read_page("docs/reference.md")
BOTH: Final = PAGE + REFERENCE
FRODO: Final = "frodo@example.org"
LETTERS: Final = (
    ("you@example.org", 'CREATE STARWEB SEATS 2 DEADLINE "1 hour" OPTION introduced=yes'),
    (FRODO, "JOIN SW-1 CERES"),
    ("sam@example.org", "JOIN SW-1 MARS"),
)
DAY: Final = timedelta(days=1)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the working folder, in which a referee has its settings."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("REFEREE_SETTINGS", raising=False)
    (tmp_path / "referee.toml").write_text(SETTINGS)
    return tmp_path


@pytest.fixture
def app() -> Iterator[App]:
    """Return a site without games."""
    with installed() as app:
        yield app


@pytest.fixture
def site(app: App) -> App:
    """Return a site whose game has been played for two turns."""
    write(app, *LETTERS)
    play(app, hours=2)
    return app


def settings() -> Settings:
    return load(Path("referee.toml"))


def quarantine(app: App) -> int:
    """Receive an email, and put it into quarantine; return its number."""
    number = app.accept(IncomingMail("pipe", "bad", b"From: <x@example.org>\r\n\r\n?\r\n", NOON))
    with app.store.write() as session:
        row = inbox.next_waiting(session, "test", NOON, timedelta(minutes=1))
        assert row is not None
        inbox.quarantine(session, row, "could not be read, reference ab12cd34", NOON)
    return number


def fail_to_send(app: App) -> int:
    """Record that a mail server rejected the first email that waits; return its number."""
    with app.store.write() as session:
        row, *_ = outbox.claim(session, "test", NOON + DAY, timedelta(minutes=1), 1)
        attempt = Attempt(outbox.dispatch(row), Delivery.REJECTED, "550 no such user")
        outbox.record(session, attempt, row.fence, NOON)
        return row.id


ELSEWHERE: Final = {"referee move-database URL", "referee restore FILE"}
"""The commands of the table that need another database or an empty folder."""


def typed(command: str, failed: int, quarantined: int) -> list[str]:
    """Return the arguments of a command as in the table, for this site."""
    for placeholder, value in {
        "ADDRESS": FRODO,
        "FILE --game": "orders.txt --game",
        "backup FILE": "backup copy.tar.gz",
        "show 12": "show 1",
        "explain 12": "explain 1",
        "release 12": f"release {quarantined}",
        "retry 34": f"retry {failed}",
        "forget": "forget --yes",
        "promote": "promote --yes",
        "demote": "demote --yes",
    }.items():
        command = command.replace(placeholder, value)
    return shlex.split(command)[1:]


@pytest.mark.slow
def test_the_commands_of_the_table_do_their_work(site: App, folder: Path) -> None:
    (folder / "orders.txt").write_text("\n")
    pages = f'{SETTINGS}[pages]\nfolder = "public"\nurl = "https://games.example.org/"\n'
    (folder / "referee.toml").write_text(pages)
    failed, quarantined = fail_to_send(site), quarantine(site)
    with site.store.write() as session:
        circuit_breaker.trip(session, now())
    phrases = [
        each for cells in rows(section(PAGE, "Daily work")) for cell in cells for each in code(cell)
    ]
    commands = [each for each in phrases if each.startswith("referee ")]
    assert {*commands} >= ELSEWHERE
    done = {}
    for command in commands:
        if command.endswith("sw-1.zip"):
            with site.store.write() as session:
                session.execute(text("UPDATE games SET status = 'ended'"))
        if command not in ELSEWHERE:
            done[command] = run(*typed(command, failed, quarantined))
    # The doctor finds the email that failed, and that no referee runs.
    assert [each for each, told in done.items() if told.exit_code != 0] == ["referee doctor"]
    assert len(done) > 18
    assert "CERES" in done["referee games SW-1"].output
    assert FRODO in done["referee players frodo"].output
    assert done["referee replay SW-1"].output == "SW-1: 2 turns resolved again, identical\n"
    assert done["referee mail resume"].output == "Sending was resumed.\n"
    assert sorted(each.name for each in folder.iterdir() if each.suffix in (".gz", ".zip")) == [
        "copy.tar.gz",
        "game.json.gz",
        "sw-1.zip",
    ]


def second_referee() -> str:
    with instance_lock.running(settings()):
        return run("run").output


def during_a_restore() -> str:
    with instance_lock.alone(settings(), instance_lock.RESTORES):
        return run("run").output


def other_tables() -> str:
    with installed() as app, app.store.write() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    return run("run").output


def without_a_database() -> str:
    Path("state/referee.db").unlink()
    return run("run").output


def without_a_secret() -> str:
    begin_game()
    Path("state/secret").unlink()
    return run("run").output


def with_another_secret() -> str:
    begin_game()
    Path("state/secret").write_text("00" * 32)
    return run("run").output


def with_damage() -> str:
    Path("state/referee.db").write_bytes(b"garbage" * 1000)
    return run("doctor", "database").output


def next_morning() -> str:
    with installed() as app:
        write(app, *LETTERS)
        play(app, hours=0)
        fail_to_send(app)
        with app.store.write() as session:
            mailboxes.advance(session, "imap:games", 7, 11, [9])
        Daemon(app).step(NOON + DAY)
        with app.store.read() as session:
            digests = select(OutboxLetter).where(OutboxLetter.kind == "OperatorDigest")
            return session.scalars(digests).one().raw.decode()


def begin_game() -> None:
    with installed() as app:
        write(app, *LETTERS)
        play(app, hours=0)


MESSAGES: Final[dict[str, Callable[[], str]]] = {
    "the ruleset ... cannot be used": lambda: run("doctor", "rulesets").output,
    "the tables have version ...": other_tables,
    "database in use: a restore is in progress: process ...": during_a_restore,
    "database in use: a referee is running: process ...": second_referee,
    "FAILED TO SEND": next_morning,
    "NOT GIVEN BY THE MAIL SERVER": next_morning,
    "database: missing, but ...": without_a_database,
    "secret: missing, but ...": without_a_secret,
    "secret: not the one that emails ...": with_another_secret,
    "database: damaged": with_damage,
}
"""What is done until the program writes each message of the table."""


def test_every_message_of_the_table_is_tried() -> None:
    quoted = re.findall(
        r'"([^"]+)"', " ".join(cells[0] for cells in rows(section(PAGE, "Troubleshooting")))
    )
    assert quoted == [*MESSAGES]


@pytest.mark.sqlite("breaks its file")
@pytest.mark.parametrize(
    "message",
    [
        pytest.param(each, marks=[pytest.mark.slow] if each.startswith("secret") else [])
        for each in MESSAGES
    ],
)
def test_a_message_of_the_table_is_written(message: str, outsiders: Outsiders) -> None:
    with installed():
        pass
    if message.startswith("the ruleset"):
        outsiders.install("toys", "RULESET = 3")
    output = " ".join(MESSAGES[message]().split())
    assert re.search(re.escape(message).replace(r"\.\.\.", ".+"), output)


def test_the_metrics_of_the_table_are_served() -> None:
    with Path("referee.toml").open("a") as file:
        file.write('[[maildir]]\nname = "orders"\npath = "nowhere"\n')
    with installed() as app:
        write(app, *LETTERS)
        daemon = Daemon(app)
        daemon.step(NOON)
        daemon.send(NOON + HOUR)
        served = metrics_of(daemon, NOON + HOUR)
    listed = {
        name: cells[1] for cells in rows(section(REFERENCE, "Metrics")) for name in code(cells[0])
    }
    types = re.findall(r"^# TYPE (\S+)", served, re.MULTILINE)
    assert {name.partition("{")[0] for name in listed} == {*types}
    watched = {name for cells in rows(section(PAGE, "Monitoring")) for name in code(cells[0])}
    assert watched - {*types} == set()
    found: dict[str, set[str]] = {}
    for name, labels in re.findall(r"^(\w+)\{([^}]+)\}", served, re.MULTILINE):
        pairs = [pair.partition("=") for pair in labels.split(",")]
        kinds = ",".join(label for label, _, _ in pairs)
        found.setdefault(f"{name}{{{kinds}}}", set()).add(pairs[0][2].strip('"'))
    assert found.keys() == {name for name in listed if "{" in name}
    # Nothing was deferred or rejected here.
    found["referee_letters_tried_total{outcome}"] |= {each.value for each in Delivery}
    told = {name: words.partition(": ")[2] for name, words in listed.items()}
    assert {name: {*words.split(", ")} for name, words in told.items() if words} == {
        name: values for name, values in found.items() if told[name]
    }


def test_the_log_has_the_words_that_are_searched(
    app: App, caplog: pytest.LogCaptureFixture
) -> None:
    searched = re.findall(r"-g '?(\w+)=(\w+)", section(PAGE, "The log"))
    with caplog.at_level(logging.INFO, "referee"):
        write(app, LETTERS[0])
        daemon = Daemon(app)
        daemon.step(NOON)
        daemon.guard.attempt(lambda: Path("nowhere").read_text(), letter=1)
    assert [field for field, _ in searched] == ["reference", "letter"]
    for field, example in searched:
        (value, *_) = re.findall(rf"\b{field}=(\w+)", caplog.text)
        assert value.isdigit() or len(value) == len(example)


def values(model: type[BaseModel], section: str = "") -> Iterator[tuple[str, object]]:
    """Yield each setting with its section, and its default."""
    for name, field in model.model_fields.items():
        yield f"{section}.{name}", field.default


def defaults() -> dict[str, object]:
    """Return the default of each setting of the sections that have only settings."""
    return {
        name: value
        for section, field in Settings.model_fields.items()
        if isinstance(field.default, BaseModel)
        for name, value in values(type(field.default), section)
    }


UNITS: Final = {"": 1, " minutes": 60, " MB": 10**6, " GB": 10**9}


def test_the_defaults_of_the_settings_are_those_of_the_page() -> None:
    pattern = r"`\[?(\w+)(?:\.|\] )(\w+)`\s\(([\d,]+)( minutes| MB| GB)?\)"
    named = re.findall(pattern, BOTH)
    told = {
        f"{section}.{name}": int(number.replace(",", "")) * UNITS[unit]
        for section, name, number, unit in named
    }
    assert len(told) == 10
    assert told == {name: defaults()[name] for name in told}


def test_the_settings_of_the_page_exist() -> None:
    sections = {each.partition(".")[0] for each in defaults()}
    named = re.findall(r"`\[?(\w+)(?:\.|\] )(\w+)(?: = .*?)?`", BOTH)
    known = [f"{section}.{name}" for section, name in named if section in sections]
    assert len(known) > 30
    assert [name for name in known if name not in defaults()] == []


def table_of_shares() -> list[list[str]]:
    """Return the rows of the table of shares, as in the page: each thing is in its first row."""
    found: list[list[str]] = []
    for row in (row for shares in SHARES.values() for row in shares):
        thing = "" if any(row.thing.value == cells[0] for cells in found) else row.thing.value
        grows = f"`{row.grows_with.value}`" if row.grows_with is not None else ""
        found.append([thing, row.key.value, _number(row), grows])
    return found


def _number(row: Share) -> str:
    numbers = [f"{most:,} {span.value}" for span, most in row.numbers().items()]
    return ", ".join(numbers) or "a third of the rest"


def test_the_table_of_shares_is_that_of_the_page() -> None:
    told = [[*cells] for cells in rows(section(REFERENCE, "What emails cost"))]
    assert told == table_of_shares(), "\n".join(
        f"| {' | '.join(row)} |" for row in table_of_shares()
    )


@pytest.mark.sqlite("replaces its file")
def test_a_restore_keeps_the_files_that_the_page_names(folder: Path) -> None:
    with installed():
        pass
    (taken,) = re.findall(
        r"^sudo -u referee referee backup (\S+)$", section(PAGE, "Backup"), re.MULTILINE
    )
    file = folder / Path(taken).name
    assert run("backup", str(file)).exit_code == 0
    assert file.stat().st_mode & 0o777 == 0o600
    assert run("backup", str(file)).exit_code == 1
    assert run("backup", "--force", str(file)).exit_code == 0
    assert run("restore", str(file)).exit_code == 1
    assert run("restore", "--force", str(file)).exit_code == 0
    aside = {each.name.partition(".before-restore-")[0] for each in folder.glob("state/*before*")}
    assert aside == {"referee.db", "secret"}
    assert "`before-restore` in their names" in PAGE


@pytest.mark.usefixtures("app")
def test_the_pages_are_the_files_that_the_page_names(folder: Path) -> None:
    (block,) = re.findall(r"^```\n(\[pages\]\n.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    (folder / "referee.toml").write_text(SETTINGS + block)
    pages = settings().pages
    assert pages is not None
    assert f"install -d -o referee -g referee -m 755 {pages.folder}\n" in section(PAGE, "Pages")
    assert run("publish", "public").exit_code == 0
    named = [
        name for name in code(section(PAGE, "Pages")) if re.fullmatch(r"[\w.-]+\.(xml|ics)", name)
    ]
    assert named == ["games.xml", "deadlines.ics"]
    for name in (*named, ".referee-pages.json", "index.html"):
        assert (folder / "public" / name).exists()


@pytest.mark.live
def test_postgresql_accepts_the_statements_of_the_page(databases: Databases) -> None:
    statements = re.findall(r"^ALTER TABLE .*;$", REFERENCE, re.MULTILINE)
    assert len(statements) == 4
    with closing(databases.store()) as store, store.write() as session:
        for each in statements:
            session.execute(text(each))
