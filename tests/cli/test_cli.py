"""The command line: the output and the errors of each command."""

import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result
from sqlalchemy import text

from referee.app import build, open_new
from referee.cli import COMMANDS, main, version
from referee.clock import now
from referee.desk.reception import intake
from referee.domain.mail_transfer import Attempt, Delivery, IncomingMail
from referee.opening import open_store
from referee.settings import Settings, load
from referee.store import Store
from referee.store.database import schema
from referee.store.letter_states import InboxState
from referee.store.mail import bookings, circuit_breaker, inbox, outbox
from referee.store.mail.bookings import Purse
from tests.cli.test_upgrade import OURS, versions
from tests.support.every_command import is_root
from tests.support.outsiders import Outsiders, with_grammar

ROOT = Path(__file__).parents[2]
NOON = datetime(2026, 9, 1, 12, tzinfo=UTC)
SETTINGS = """
[site]
address = "games@example.org"
operator = "you@example.org"
[sending]
kind = "maildir"
path = "sent"
"""
LETTER = b"From: <you@example.org>\r\nMessage-ID: <1@example.org>\r\n\r\nHELP\r\n"


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("REFEREE_SETTINGS", raising=False)
    (tmp_path / "referee.toml").write_text(SETTINGS)
    return load(tmp_path / "referee.toml")


@pytest.fixture
def store(settings: Settings) -> Iterator[Store]:
    store = open_new(settings)
    yield store
    store.close()


def run(*arguments: str, stdin: bytes | str | None = None) -> Result:
    return CliRunner().invoke(main, arguments, input=stdin)


def keep(store: Store, source_id: str = "1") -> int:
    with store.write() as session:
        return intake.accept(session, IncomingMail("smtp", source_id, LETTER, NOON))


def quarantine(store: Store, number: int) -> None:
    with store.write() as session:
        row = inbox.next_waiting(session, "test", NOON, timedelta(minutes=1))
        assert row is not None
        assert row.id == number
        inbox.quarantine(session, row, "could not be read, reference ab12cd34", NOON)


def fail_to_send(store: Store) -> int:
    """Put a letter into the outbox that the other side rejects; return its id."""
    with store.write() as session:
        outbox.put(
            session,
            NOON,
            outbox.Finished(
                message_id="<a@example.org>",
                kind="Acknowledgement",
                envelope_sender="games@example.org",
                recipient="frodo@shire.example",
                raw=b"Subject: report\r\n\r\nhello\r\n",
            ),
        )
        (row,) = outbox.claim(session, "test", NOON, timedelta(minutes=1), 1)
        attempt = Attempt(outbox.dispatch(row), Delivery.REJECTED, "550 no such user")
        outbox.record(session, attempt, row.fence, NOON)
        return row.id


def test_sending_that_has_stopped_is_shown_and_resumed(store: Store) -> None:
    assert "referee: sending: not stopped" in run("mail", "resume").output
    with store.write() as session:
        circuit_breaker.trip(session, now())
    assert "Sending has stopped until" in run("status").output
    assert run("mail", "resume").output == "Sending was resumed.\n"
    assert "Sending has stopped" not in run("status").output


def test_help_is_fast() -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "referee", "--help"],
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    )
    heavy = ("pydantic", "sqlalchemy", "lark", "jinja2", "apscheduler", "imapclient", "aiosmtpd")
    assert [name for name in heavy if f"| {name}" in done.stderr] == []
    assert all(name in done.stdout for name in COMMANDS)


def test_the_version_is_shown_with_the_commit() -> None:
    known = version.commit()
    assert bool(known) == (ROOT / ".git").exists()
    assert run("--version").output == (
        f"referee 1.0.0 (commit {known})\n" if known else "referee 1.0.0\n"
    )


def test_the_commit_of_a_build_is_in_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "commit").write_text("0123456789ab\n")
    monkeypatch.setattr(version, "_BUILT", tmp_path / "commit")
    assert version.version_text() == "referee 1.0.0 (commit 0123456789ab)"


def test_without_git_the_commit_is_not_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(version, "_ROOT", tmp_path)
    assert version.version_text() == "referee 1.0.0"
    (tmp_path / ".git").mkdir()
    assert version.version_text() == "referee 1.0.0"
    monkeypatch.setenv("PATH", "")
    assert version.version_text() == "referee 1.0.0"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(name: str) -> None:
    shown = run(name, "--help")
    assert shown.exit_code == 0
    assert shown.output.startswith(f"Usage: referee {name}")


@pytest.mark.parametrize("name", COMMANDS)
def test_the_table_describes_each_command(name: str) -> None:
    command = main.get_command(click.Context(main), name)
    assert command is not None
    assert command.name == name
    assert COMMANDS[name].endswith(".")


@pytest.mark.parametrize("arguments", [["bogus"], ["check"], ["mail", "show", "x"], ["--bogus"]])
def test_wrong_usage_has_the_exit_status_2(arguments: list[str]) -> None:
    assert run(*arguments).exit_code == 2


def test_without_settings_a_fix_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("referee.cli.common.PLACES", (Path("referee.toml"), Path("none.toml")))
    shown = run("status")
    assert shown.exit_code == 1
    assert "referee: settings: no file found, neither referee.toml" in shown.stderr
    assert "  to do     create one with `referee init`" in shown.stderr


@pytest.mark.sampled
@pytest.mark.skipif(not is_root(), reason="only root can give a file to another user")
@pytest.mark.usefixtures("store")
@pytest.mark.parametrize("owned", ["file", "link", "folder"])
def test_settings_of_another_user_in_the_working_folder_are_not_loaded(
    tmp_path: Path, owned: str
) -> None:
    file = Path("referee.toml")
    if owned == "link":
        file.rename("mine.toml")
        file.symlink_to("mine.toml")
    assert run("games").exit_code == 0
    os.chown(tmp_path if owned == "folder" else file, 65534, 65534, follow_symlinks=False)
    refused = run("games")
    assert refused.exit_code == 1
    assert "settings: another user can change the file in this folder" in refused.output
    assert f"file      {tmp_path}/referee.toml" in refused.output
    assert run("--settings", "referee.toml", "games").exit_code == 0


@pytest.mark.usefixtures("store")
def test_settings_that_everyone_can_write_are_not_loaded(tmp_path: Path) -> None:
    for place, mode in ((tmp_path, 0o777), (Path("referee.toml"), 0o666)):
        before = place.stat().st_mode
        place.chmod(mode)
        assert "another user can change" in run("games").output
        place.chmod(before)
    # As in /tmp: only its owner can replace the file.
    tmp_path.chmod(0o1777)
    assert run("games").exit_code == 0


@pytest.mark.usefixtures("store")
def test_a_file_in_a_place_that_cannot_be_looked_at_cannot_be_written(tmp_path: Path) -> None:
    refused = run("backup", str(tmp_path / ("x" * 300)))
    assert refused.exit_code == 1
    assert "file: cannot be written: File name too long" in refused.output


def test_init_writes_settings_that_load(tmp_path: Path) -> None:
    shown = run("init", str(tmp_path / "new"), "--state-dir", "/srv/state")
    assert shown.exit_code == 0
    assert load(tmp_path / "new" / "referee.toml").state_dir == Path("/srv/state")


def test_init_keeps_existing_settings(tmp_path: Path) -> None:
    (tmp_path / "referee.toml").write_text("mine")
    shown = run("init", str(tmp_path))
    assert shown.exit_code == 1
    assert "referee: settings: already exist" in shown.stderr
    assert (tmp_path / "referee.toml").read_text() == "mine"


@pytest.mark.slow
def test_the_daemon_does_not_start_with_a_bad_package(
    settings: Settings, outsiders: Outsiders
) -> None:
    outsiders.install("toys", with_grammar("order: ("))
    # If it starts by mistake, it runs until it is stopped.
    done = subprocess.run(
        [Path(sys.executable).parent / "referee", "run"],
        env={**os.environ, "PYTHONPATH": str(outsiders.folder)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stderr.startswith("referee: the ruleset 'toy' of toys 1.0 cannot be used: Grammar")
    assert (done.returncode, done.stdout) == (1, "")
    assert not (settings.state_dir / "referee.db").exists()


@pytest.mark.sqlite("the file is not there yet")
@pytest.mark.usefixtures("settings")
def test_before_the_first_run_there_is_nothing_to_show() -> None:
    shown = run("status")
    assert shown.exit_code == 1
    assert "referee: database: does not exist yet" in shown.stderr


@pytest.mark.sqlite("an empty file")
def test_an_empty_database_is_reported(settings: Settings) -> None:
    open_store(settings).close()
    (settings.state_dir / "referee.db").write_bytes(b"")
    shown = run("status")
    assert shown.exit_code == 1
    assert "referee: database: empty, it has no tables" in shown.stderr


@pytest.mark.usefixtures("store")
def test_a_database_of_an_older_program_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    newer = versions(tmp_path / "newer", 1)
    monkeypatch.setattr(schema, "folder", lambda name: newer)
    shown = run("status")
    assert shown.exit_code == 1
    assert f"referee: the tables have version {OURS:04}" in shown.stderr
    assert "to do     start `referee run` of this version once" in shown.stderr


@pytest.mark.usefixtures("settings")
def test_a_database_of_a_newer_program_is_reported(store: Store) -> None:
    with store.write() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    shown = run("status")
    assert shown.exit_code == 1
    assert "version 9999, from a newer program" in shown.stderr
    assert "to do     use the version that ran last, or a newer one" in shown.stderr


@pytest.mark.sqlite("the words for a site of one machine")
def test_status_shows_queues(store: Store) -> None:
    keep(store)
    shown = run("status")
    assert shown.exit_code == 0
    assert shown.output.splitlines() == [
        "No games.",
        "",
        "Emails in:    1 waiting, 0 read, 0 held, 0 ignored, 0 quarantined, 0 unasked",
        "Emails out:   0 waiting, 0 sent, 0 failed",
        "Unread since: 2026-09-01 12:00 UTC, from unknown addresses",
        "Next to send: -",
        "No referee is running.",
    ]


def test_status_shows_what_is_used_up(store: Store) -> None:
    with store.write() as session:
        spent = {"SITE ": 60, "ANYBODY ": 25, "DOMAIN a.example": 3, "MAILBOX v@b.example": 8}
        amounts = {Purse("STRANGER", payer): amount for payer, amount in spent.items()}
        bookings.add(session, amounts, now())
    shown = [line for line in run("status").output.splitlines() if line.startswith("Spent")]
    assert [line.partition("addresses: ")[2] for line in shown] == [
        "25 of 25 an hour, by everyone who proves nothing, together",
        "8 of 8 an hour, by a mailbox that we write to",
        "60 of 100 an hour, by everyone, together",
    ]


def test_letters_are_listed(store: Store) -> None:
    number = keep(store)
    fail_to_send(store)
    incoming, outgoing = run("mail", "list"), run("mail", "list", "outbox", "--state", "failed")
    heads = "number  arrived               from             game  seat  receipt  state    subject"
    assert incoming.output.splitlines() == [
        f"{heads}  note",
        f"{number}       2026-09-01 12:00 UTC  you@example.org  -     -     -        waiting  -",
    ]
    heads, row = outgoing.output.splitlines()
    assert heads.split()[:5] == ["number", "written", "to", "game", "seat"]
    assert "frodo@shire.example  -     -     failed" in row
    assert row.endswith("report   Acknowledgement  1      550 no such user")


@pytest.mark.usefixtures("store")
def test_an_unknown_state_is_reported() -> None:
    shown = run("mail", "list", "--state", "lost")
    assert shown.exit_code == 2
    assert "'lost' is not one of waiting, read, held, ignored, quarantined" in shown.stderr


def test_a_letter_is_shown_byte_for_byte(store: Store) -> None:
    shown = run("mail", "show", str(keep(store)))
    assert shown.stdout_bytes == LETTER
    assert shown.stderr == "from smtp, waiting\n"


def test_an_outgoing_letter_is_shown(store: Store) -> None:
    shown = run("mail", "show", "--outgoing", str(fail_to_send(store)))
    assert shown.stdout_bytes == b"Subject: report\r\n\r\nhello\r\n"
    assert shown.stderr == "Acknowledgement, failed: 550 no such user\n"


@pytest.mark.slow
@pytest.mark.usefixtures("store")
@pytest.mark.parametrize(
    "arguments",
    [
        ["explain", "7"],
        ["show", "7"],
        ["show", "--outgoing", "7"],
        ["retry", "7"],
        ["release", "7"],
    ],
)
def test_a_missing_letter_is_reported(arguments: list[str]) -> None:
    shown = run("mail", *arguments)
    assert shown.exit_code == 1
    assert "not found" in shown.stderr
    assert "`referee mail list" in shown.stderr


def conclude(store: Store, number: int, state: InboxState, note: str, trust: str | None) -> None:
    with store.write() as session:
        row = inbox.next_waiting(session, "test", NOON, timedelta(minutes=1))
        assert row is not None
        assert row.id == number
        inbox.conclude(session, row, state, note, NOON, trust=trust)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("state", "note", "trust", "words"),
    [
        (
            InboxState.HELD,
            "waits for a confirmation: We ask before a command that changes the game.",
            "none",
            [
                "held",
                "a confirmation by the primary address",
                "a command that changes the game",
                "nothing proves",
            ],
        ),
        (InboxState.IGNORED, "machine", None, ["ignored", "Precedence", "No answer was sent."]),
        (InboxState.IGNORED, "a copy of email #1", None, ["The same email came before"]),
        (InboxState.READ, "2 orders on the sheet", "aligned", ["signed by its domain"]),
    ],
)
def test_the_result_of_a_letter_is_explained(
    store: Store, state: InboxState, note: str, trust: str | None, words: list[str]
) -> None:
    number = keep(store)
    conclude(store, number, state, note, trust)
    shown = run("mail", "explain", str(number))
    assert shown.exit_code == 0
    assert [word for word in words if word not in shown.output] == []
    assert "@" not in shown.output


def test_a_letter_in_quarantine_and_its_answer_are_explained(store: Store) -> None:
    number = keep(store)
    quarantine(store, number)
    with store.write() as session:
        outbox.put(
            session,
            NOON,
            outbox.Finished(
                message_id="<q@example.org>",
                kind="Quarantined",
                envelope_sender="games@example.org",
                recipient="frodo@shire.example",
                raw=b"Subject: sorry\r\n\r\nhello\r\n",
                answers=inbox.by_id(session, number),
            ),
        )
    shown = run("mail", "explain", str(number)).output
    assert "reference ab12cd34" in shown
    assert "`referee mail release`" in shown
    assert "Answer: outgoing 1, Quarantined, waiting." in shown


def test_a_letter_is_released_from_quarantine(store: Store) -> None:
    number = keep(store)
    quarantine(store, number)
    assert f"{number} " in run("mail", "list", "quarantine").output
    shown = run("mail", "release", str(number))
    assert shown.output == "1 email will be read again.\n"
    with store.read() as session:
        assert inbox.counts(session)[InboxState.WAITING] == 1


def test_a_letter_that_nobody_was_asked_about_is_released(store: Store) -> None:
    number = keep(store)
    with store.write() as session:
        letter = inbox.by_id(session, number)
        assert letter is not None
        letter.state, letter.read_at = InboxState.UNASKED, NOON
    assert f"{number} " in run("mail", "list", "--state", "unasked").output
    refused = run("mail", "release", str(number))
    assert refused.exit_code == 1
    assert "HELP" in refused.output
    with store.read() as session:
        assert inbox.counts(session)[InboxState.UNASKED] == 1
    assert run("mail", "release", str(number), "--yes").output == "1 email will be read again.\n"
    with store.read() as session:
        assert inbox.counts(session)[InboxState.WAITING] == 1


def test_a_failed_letter_is_retried(store: Store) -> None:
    shown = run("mail", "retry", str(fail_to_send(store)))
    assert shown.output == "1 email will be sent again.\n"
    with store.read() as session:
        assert outbox.next_due(session) is not None


def test_of_several_letters_all_or_none_are_released(store: Store) -> None:
    number = keep(store)
    quarantine(store, number)
    assert run("mail", "release", str(number), "99").exit_code == 1
    with store.read() as session:
        assert inbox.counts(session)[InboxState.QUARANTINED] == 1


def test_the_pipe_stores_a_letter_once(store: Store) -> None:
    first = run("mail", "in", "--sender", "you@example.org", stdin=LETTER)
    again = run("mail", "in", "--sender", "you@example.org", stdin=LETTER)
    assert (first.output, first.exit_code) == ("email 1\n", 0)
    assert again.output == first.output
    with store.read() as session:
        row = inbox.by_id(session, 1)
        assert row is not None
        assert (row.raw, row.envelope_sender) == (LETTER, "you@example.org")


def test_the_pipe_has_the_envelope_in_the_environment(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SENDER", "you@example.org")
    monkeypatch.setenv("RECIPIENT", "games+x1@example.org")
    assert run("mail", "in", stdin=LETTER).exit_code == 0
    with store.read() as session:
        row = inbox.by_id(session, 1)
        assert row is not None
        assert row.envelope_sender == "you@example.org"
        assert row.envelope_recipient == "games+x1@example.org"


def test_the_pipe_stores_the_beginning_of_a_letter_that_is_too_big(store: Store) -> None:
    # They differ only where nothing of them is stored.
    for end in (b"x", b"y"):
        letter = LETTER + (b"x" * 70 + b"\n") * 40_000 + end
        assert run("mail", "in", stdin=letter).exit_code == 0
    with store.read() as session:
        rows = [inbox.by_id(session, number) for number in (1, 2)]
        assert [row.size for row in rows if row is not None] == [len(letter)] * 2
        assert all(row is not None and len(row.raw) < 70_000 for row in rows)


@pytest.mark.sqlite("the file is not there yet")
@pytest.mark.usefixtures("settings")
def test_the_pipe_makes_the_mail_server_keep_an_unstored_letter() -> None:
    shown = run("mail", "in", stdin=LETTER)
    assert shown.exit_code == 75
    assert "database: does not exist yet" in shown.stderr


@pytest.mark.usefixtures("store")
def test_an_empty_pipe_is_not_a_letter() -> None:
    assert run("mail", "in", stdin=b"\n").exit_code == 2


def test_the_pipe_and_the_daemon_share_a_database(settings: Settings) -> None:
    app = build(settings, {})
    assert run("mail", "in", stdin=LETTER).exit_code == 0
    with app.store.read() as session:
        assert inbox.counts(session)[InboxState.WAITING] == 1
    app.close()
