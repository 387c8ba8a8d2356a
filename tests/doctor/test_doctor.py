"""``referee doctor`` without servers: faults of files, database and queues, with fixes."""

import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import text

from referee import instance_lock
from referee.app import build
from referee.cli import main
from referee.clock import now
from referee.daemon import Daemon
from referee.daemon.claim_owners import machine
from referee.daemon.metrics import MetricsPage
from referee.desk.base.desk import Desk
from referee.desk.gm import game_setup
from referee.desk.reception import intake
from referee.doctor import PARTS, plugins, servers
from referee.domain.commands import Create
from referee.domain.mail_transfer import Attempt, Delivery, IncomingMail
from referee.mail.smtpd import Receiver
from referee.pages.document import PageFile
from referee.pages.folder import open_folder
from referee.settings import load
from referee.state_dir import note_backup
from referee.store import Store
from referee.store.mail import circuit_breaker, heartbeats, inbox, mailboxes, outbox
from tests.mail.scripted import Answer, Fault, ScriptedSmtp
from tests.mail.scripted_imap import ScriptedImap
from tests.support.outsiders import TOY, Outsiders, with_grammar
from tests.support.ports import free_port

HOUR = timedelta(hours=1)
SETTINGS = """
[site]
address = "games@example.org"
operator = "you@example.org"
[[maildir]]
name = "orders"
path = "in"
[sending]
kind = "maildir"
path = "sent"
"""
SERVERS = """
[[imap]]
name = "games"
host = "127.0.0.1"
port = 1
security = "none"
user = "u"
password_file = "PASSWORD"
[sending]
kind = "smtp"
host = "127.0.0.1"
port = 2
security = "none"
user = "u"
password_file = "PASSWORD"
"""
LETTER = b"From: <you@example.org>\r\nMessage-ID: <1@example.org>\r\n\r\nHELP\r\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a site that has never run."""
    monkeypatch.chdir(tmp_path)
    for name in ("cur", "new", "tmp"):
        (tmp_path / "in" / name).mkdir(parents=True)
    monkeypatch.delenv("REFEREE_SETTINGS", raising=False)
    write(tmp_path, SETTINGS)
    return tmp_path


@pytest.fixture
def store(folder: Path) -> Iterator[Store]:
    """Return the database of a site that has run."""
    app = build(load(folder / "referee.toml"))
    yield app.store
    app.close()


def write(folder: Path, settings: str) -> None:
    (folder / "referee.toml").write_text(settings)


def doctor(*parts: str) -> Result:
    return CliRunner().invoke(main, ["doctor", *parts])


def keep(store: Store, arrived_at: datetime) -> None:
    with store.write() as session:
        intake.accept(session, IncomingMail("smtp", str(arrived_at), LETTER, arrived_at))


def test_a_healthy_site_has_no_faults(store: Store) -> None:
    done = doctor()
    assert done.exit_code == 0
    assert "FAULT" not in done.output
    assert "ok     database: the tables have this version, and its pages are not" in done.output
    assert "letters   ok     emails: none is stuck" in done.output


@pytest.mark.sqlite("the file is not there yet")
def test_before_the_first_start_everything_missing_is_explained() -> None:
    done = doctor("state", "database")
    assert done.exit_code == 0
    assert done.output.count("start `referee run`, which creates it") == 2


def test_parts_can_be_checked_separately_and_a_wrong_one_is_reported() -> None:
    lines = doctor("disk").output.splitlines()
    assert {line.split()[0] for line in lines if not line.startswith(" ")} == {"disk"}
    assert doctor("spleen").exit_code == 2


@pytest.mark.slow
def test_every_part_can_be_checked(store: Store) -> None:
    for part in PARTS:
        assert doctor(part).exit_code == 0, part


def test_a_maildir_that_cannot_be_read_is_a_fault(folder: Path) -> None:
    (folder / "in" / "new" / "1").touch()
    assert f"Maildir orders: readable, new emails in {folder}/in: 1" in doctor("maildir").output
    (folder / "in" / "new" / "2").symlink_to("nowhere")
    assert "FAULT  Maildir orders: this user cannot read an email" in doctor("maildir").output
    (folder / "in" / "cur").rmdir()
    done = doctor("maildir")
    assert done.exit_code == 1
    assert "maildir   FAULT  Maildir orders: the folder does not exist" in done.output
    assert f"folder    {folder}/in/cur\n" in done.output


def test_files_that_others_can_access_are_a_fault(store: Store, folder: Path) -> None:
    (folder / "state").chmod(0o755)
    (folder / "state" / "secret").chmod(0o644)
    done = doctor("state")
    assert done.exit_code == 1
    expected = f"""\
state     FAULT  state: other users of this machine can access it
                 folder    {folder}/state
                 to do     run chmod 700 {folder}/state
state     FAULT  secret: other users of this machine can access it
                 file      {folder}/state/secret
                 to do     run chmod 600 {folder}/state/secret
"""
    assert expected == done.output


def test_a_damaged_secret_must_be_restored(store: Store, folder: Path) -> None:
    (folder / "state" / "secret").write_text("garbage")
    done = doctor("state")
    assert done.exit_code == 1
    assert "restore it from a backup" in done.output


def test_passwords_must_exist_and_be_private(folder: Path) -> None:
    smtp = 'kind = "smtp"\nhost = "mail.example.org"\nuser = "u"\npassword_file = "p"\n'
    write(folder, SETTINGS.partition("[sending]")[0] + "[sending]\n" + smtp)
    assert "p: cannot be read: No such file" in doctor("state").output
    (folder / "p").write_text("hunter2\n")
    (folder / "p").chmod(0o644)
    done = doctor("state")
    assert (done.exit_code, "hunter2" in done.output) == (1, False)
    assert f"chmod 640 {folder}/p" in done.output


def test_an_unencrypted_connection_to_another_machine_is_a_fault(folder: Path) -> None:
    smtp = 'kind = "smtp"\nhost = "mail.example.org"\nsecurity = "none"\n'
    write(folder, SETTINGS.partition("[sending]")[0] + "[sending]\n" + smtp)
    done = doctor("settings")
    assert done.exit_code == 1
    assert "setting   sending.security" in done.output


@pytest.mark.sqlite("an empty file")
def test_an_empty_database_is_reported(folder: Path) -> None:
    state = folder / "state"
    state.mkdir()
    (state / "referee.db").write_bytes(b"")
    done = doctor("database", "letters", "clock")
    assert done.exit_code == 1
    assert "database: empty, it has no tables" in done.output


def test_a_database_of_a_newer_program_needs_that_program(store: Store) -> None:
    with store.write() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    done = doctor("database")
    assert done.exit_code == 1
    assert "version 9999, from a newer program" in done.output
    assert "to do     use the version that ran last, or a newer one" in done.output
    assert "start `referee run`" not in done.output


@pytest.mark.slow
@pytest.mark.sqlite("works on the file")
@pytest.mark.parametrize("octets", [bytes(4096), b"\xff" * 4096])
def test_every_overwritten_page_of_the_database_is_found(folder: Path, octets: bytes) -> None:
    build(load(folder / "referee.toml")).close()
    file = folder / "state" / "referee.db"
    whole = file.read_bytes()
    for page in (0, 1, 2, len(whole) // 8192, len(whole) // 4096 - 1):
        file.write_bytes(whole[: page * 4096] + octets + whole[(page + 1) * 4096 :])
        done = doctor("database")
        assert done.exit_code == 1, page
        assert "FAULT  database: damaged: " in done.output
        assert "`referee restore --force` the last backup" in done.output
    file.write_bytes(whole)
    assert doctor("database").exit_code == 0


@pytest.mark.sqlite("another file")
def test_what_is_no_database_is_damaged(folder: Path) -> None:
    (folder / "state").mkdir(mode=0o700)
    (folder / "state" / "referee.db").write_bytes(b"garbage" * 1000)
    done = doctor("database", "letters", "work", "clock")
    assert done.exit_code == 1
    assert "database: damaged: file is not a database" in done.output


@pytest.mark.own_database
def test_a_database_server_that_does_not_answer_is_named(folder: Path) -> None:
    url = "postgresql+psycopg://referee@127.0.0.1:1/referee"
    write(folder, f'{SETTINGS}[database]\nurl = "{url}"\n')
    done = doctor("database")
    assert done.exit_code == 1
    assert "Connection refused" in done.output
    assert "check that PostgreSQL runs on 127.0.0.1, port 1 and accepts this user" in done.output
    assert len(done.output.splitlines()) == 3


@pytest.mark.parametrize("place", ["file/state", "file"])
def test_a_state_folder_that_cannot_be_made_is_a_fault(folder: Path, place: str) -> None:
    (folder / "file").touch()
    write(folder, f'state_dir = "{place}"\n{SETTINGS}')
    done = doctor("state")
    assert done.exit_code == 1
    assert f"state folder: cannot be created: {folder}/file is not a folder" in done.output
    assert "set state_dir to a folder the referee can write" in done.output


def test_mail_servers_that_do_not_answer_are_named(folder: Path) -> None:
    (folder / "p").write_text("hunter2\n")
    write(folder, SETTINGS.partition("[sending]")[0] + SERVERS.replace("PASSWORD", "p"))
    done = doctor("imap", "smtp")
    assert done.exit_code == 1
    assert "check that a server answers at 127.0.0.1, port 1; and host, port" in done.output
    assert "mail server 127.0.0.1, port 2: login failed: [Errno 111] Connection" in done.output


def test_passwords_that_systemd_gives_to_the_service_are_no_fault(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(folder, SETTINGS.partition("[sending]")[0] + SERVERS.replace("PASSWORD", "x.password"))
    monkeypatch.delenv("CREDENTIALS_DIRECTORY", raising=False)
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)
    assert doctor("state", "imap", "smtp").output.count("FAULT") == 4
    # Stands for systemd, with the unit of the service.
    unit = "[Service]\nLoadCredential=x.password:referee.x.password"
    (folder / "systemctl").write_text(f"#!/bin/sh\ncat <<END\n{unit}\nEND\n")
    (folder / "systemctl").chmod(0o755)
    done = doctor("state", "imap", "smtp")
    assert done.exit_code == 0
    assert done.output.count("given only to referee.service, so it is not checked here") == 4
    assert "-p LoadCredential=x.password:referee.x.password referee doctor" in done.output
    (folder / "x.password").write_text("hunter2\n")
    assert doctor("imap").exit_code == 1


@pytest.fixture
def unit(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a program in the place of systemctl, which shows a unit of the service."""
    monkeypatch.delenv("CREDENTIALS_DIRECTORY", raising=False)
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)
    text = "LoadCredential=x.password:referee.x.password\nStateDirectory=no-referee-here"
    (folder / "systemctl").write_text(f"#!/bin/sh\ncat <<END\n{text}\nEND\n")
    (folder / "systemctl").chmod(0o755)


@pytest.mark.usefixtures("unit")
def test_a_mailbox_with_a_password_of_the_service_is_judged_by_its_heartbeats(
    store: Store, folder: Path
) -> None:
    write(folder, SETTINGS.partition("[sending]")[0] + SERVERS.replace("PASSWORD", "x.password"))
    assert "the referee" not in doctor("imap").output
    with store.write() as session:
        heartbeats.begin(session, heartbeats.DAEMON, now())
    never = doctor("imap")
    assert (never.exit_code, "the referee has never read it" in never.output) == (1, True)
    with store.write() as session:
        heartbeats.begin(session, "imap:games", now() - HOUR)
    dead = doctor("imap")
    assert dead.exit_code == 1
    assert f"the referee last read it {now() - HOUR:%Y-%m-%d %H:}" in dead.output
    with store.write() as session:
        heartbeats.keep(session, now())
    assert "mailbox games: the referee reads it" in doctor("imap").output


@pytest.mark.usefixtures("unit")
def test_letters_that_the_server_does_not_give_are_named(store: Store, folder: Path) -> None:
    write(folder, SETTINGS.partition("[sending]")[0] + SERVERS.replace("PASSWORD", "x.password"))
    with store.write() as session:
        mailboxes.advance(session, "imap:games", 7, 11, [9, 10])
    assert "the server lists emails and does not give them: UID 9, 10" in doctor("imap").output


@pytest.mark.usefixtures("unit")
@pytest.mark.sqlite("the file is not there yet")
def test_a_site_of_the_service_is_started_by_systemd(folder: Path) -> None:
    assert "start `referee run`, which creates it" in doctor("database").output
    write(folder, f'state_dir = "/var/lib/no-referee-here"\n{SETTINGS}')
    assert "run `systemctl start referee`, which creates it" in doctor("database").output


@pytest.mark.slow
def test_a_backup_must_not_be_old(store: Store, folder: Path) -> None:
    assert "backup    look   backup: `referee backup` has written none yet" in doctor().output
    file = str(folder / "b.tar.gz")
    assert CliRunner().invoke(main, ["backup", file]).exit_code == 0
    assert f"ok     backup: the last one is of {now():%Y-%m-%d}" in doctor("backup").output
    taken_at = now() - timedelta(days=3, hours=1)
    note_backup(folder / "state", taken_at)
    old = doctor("backup").output
    assert f"look   backup: the last one is of {taken_at:%Y-%m-%d %H:%M} UTC, 3 days ago" in old


def test_letters_that_wait_too_long_are_reported(store: Store) -> None:
    came = now() - HOUR
    keep(store, came)
    done = doctor("letters")
    assert done.exit_code == 1
    words = f"an email from unknown addresses has been unread since {came:%Y-%m-%d %H:%M} UTC"
    assert words in done.output


def test_an_address_that_is_too_long_for_replies_is_named(folder: Path) -> None:
    write(folder, SETTINGS.replace("games@", f"{'a' * 22}@"))
    done = doctor("letters")
    assert done.exit_code != 0
    assert "at most 21 characters before the @" in " ".join(done.output.split())


def test_a_mailbox_that_marks_every_letter_is_named(store: Store) -> None:
    came = now() - timedelta(minutes=1)
    marked = b"List-Id: Games <games.groups.example>\r\n" + LETTER
    with store.write() as session:
        for number in range(5):
            intake.accept(session, IncomingMail("imap:games", str(number), marked, came))
        intake.accept(session, IncomingMail("smtp", "5", LETTER, came))
    words = "each of the last 5 emails of imap:games has the mark of a mailing list"
    assert words in doctor("letters").output
    with store.write() as session:
        intake.accept(session, IncomingMail("imap:games", "6", LETTER, came))
    assert "mailing list" not in doctor("letters").output


def test_quarantined_letters_and_stale_claims_are_reported(store: Store) -> None:
    keep(store, now())
    keep(store, now() + timedelta(seconds=1))
    with store.write() as session:
        row = inbox.next_waiting(session, "test", now(), HOUR)
        assert row is not None
        inbox.quarantine(session, row, "could not be read", now())
        assert inbox.next_waiting(session, f"{machine()}:999999999", now(), HOUR) is not None
    done = doctor("letters")
    assert done.exit_code == 0
    assert "quarantine: emails: 1" in done.output
    assert "claims: 1 referees that hold some are dead" in done.output


def test_unsent_letters_are_reported(store: Store) -> None:
    for number, age in enumerate((HOUR, 2 * HOUR)):
        with store.write() as session:
            outbox.put(
                session,
                now() - age,
                outbox.Finished(
                    message_id=f"<{number}@example.org>",
                    kind="Acknowledgement",
                    envelope_sender="games@example.org",
                    recipient="frodo@shire.example",
                    raw=b"Subject: x\r\n\r\n",
                ),
            )
    with store.write() as session:
        (row,) = outbox.claim(session, "test", now(), HOUR, 1)
        outbox.record(
            session,
            Attempt(outbox.dispatch(row), Delivery.REJECTED, "550 no"),
            row.fence,
            now(),
        )
    done = doctor("letters")
    assert done.exit_code == 1
    assert "an email has been overdue for more than ten minutes" in done.output
    assert "outbox: failed emails: 1" in done.output
    with store.write() as session:
        circuit_breaker.trip(session, now())
    stopped = doctor("letters")
    assert stopped.exit_code == 0
    assert "sending: stopped until" in stopped.output


def test_a_clock_behind_the_letters_is_a_fault(store: Store) -> None:
    keep(store, datetime.now(UTC) + HOUR)
    done = doctor("clock")
    assert done.exit_code == 1
    assert "deadlines depend on it" in done.output


def test_the_receiver_is_distinguished_from_another_program(folder: Path) -> None:
    receiver = Receiver(lambda arrival: None, clock=now, recipients=lambda address: True)
    receiver.start()
    try:
        write(folder, f"{SETTINGS}[receiver]\nport = {receiver.port}\n")
        assert "receiver  ok     receiver: listening on" in doctor("receiver").output
    finally:
        receiver.stop()
    assert "receiver: nothing listens on" in doctor("receiver").output
    with ScriptedSmtp() as other:
        write(folder, f"{SETTINGS}[receiver]\nport = {other.port}\n")
        done = doctor("receiver")
    assert done.exit_code == 1
    assert "another program listens on" in done.output


def test_the_metrics_page_is_distinguished_from_another_program(folder: Path) -> None:
    port = free_port()
    write(folder, f"{SETTINGS}[metrics]\nport = {port}\n")
    assert f"metrics   look   metrics: nothing listens on port {port}" in doctor("metrics").output
    for address, expected in (
        ("games@example.org", f"ok     metrics: served on port {port}"),
        (
            "others@example.org",
            f"FAULT  metrics: the referee of others@example.org uses port {port}",
        ),
    ):
        page = MetricsPage(port, address, lambda: "")
        page.keep_open()
        try:
            assert expected in doctor("metrics").output
        finally:
            page.close()
    with ScriptedSmtp() as mail:
        write(folder, f"{SETTINGS}[metrics]\nport = {mail.port}\n")
        done = doctor("metrics")
    assert done.exit_code == 1
    assert f"FAULT  metrics: another program uses port {mail.port}" in done.output


def test_a_socket_needs_its_folder(folder: Path) -> None:
    write(folder, f'{SETTINGS}[receiver]\nsocket = "nowhere/lmtp"\n')
    assert doctor("receiver").exit_code == 1


def test_a_folder_of_the_service_is_made_when_it_starts(folder: Path) -> None:
    write(folder, f'{SETTINGS}[receiver]\nsocket = "/run/no-referee-here/lmtp"\n')
    done = doctor("receiver")
    assert "nothing listens on /run/no-referee-here/lmtp" in done.output
    assert done.exit_code == 0


def test_only_a_port_can_be_opened_by_other_users(folder: Path) -> None:
    warning = "every user of this machine can open port 8025"
    write(folder, f"{SETTINGS}[receiver]\nport = 8025\n")
    assert warning in doctor("receiver").output
    write(folder, f'{SETTINGS}[receiver]\nsocket = "lmtp"\n')
    assert "every user" not in doctor("receiver").output


def test_trust_in_a_mail_server_is_in_doubt_if_others_can_send_past_it(folder: Path) -> None:
    trust = '[trust]\nauthserv_ids = ["mx.example.org"]\n'
    doubt = "every user of this machine can send emails to port 8025 in the name of a player"
    write(folder, f"{SETTINGS}[receiver]\nport = 8025\n")
    assert doubt not in doctor("receiver").output
    write(folder, f"{SETTINGS}[receiver]\nport = 8025\n{trust}")
    assert doubt in doctor("receiver").output
    write(folder, f'{SETTINGS}[receiver]\nsocket = "lmtp"\n{trust}')
    assert doubt not in doctor("receiver").output


@pytest.mark.parametrize(
    ("script", "found"),
    [
        ({}, "login works, and it accepts our emails"),
        ({"GREETING": ["554 go away"]}, "login failed: 554 go away"),
        ({"MAIL": ["530 5.7.0 Must issue STARTTLS"]}, "refused at MAIL FROM: 530 5.7.0 Must issue"),
        ({"MAIL": ["553 5.1.8 rejected"]}, "refused at MAIL FROM: 553 5.1.8 rejected"),
        ({"RCPT": ["550 relay denied"]}, "refused at RCPT TO: 550 relay denied"),
        ({"MAIL": [Fault.DROP]}, "refused at MAIL FROM: "),
        ({"GREETING": ["421 4.7.0 Too many connections"]}, "it takes no more now: 421 4.7.0 Too"),
        ({"MAIL": ["450 4.7.1 Rate limit exceeded"]}, "wait, end other programs that work with"),
    ],
)
def test_the_mail_server_is_tried_with_the_envelope_of_a_letter(
    folder: Path, script: dict[str, list[Answer]], found: str
) -> None:
    with ScriptedSmtp(script) as server:
        smtp = f'kind = "smtp"\nhost = "127.0.0.1"\nport = {server.port}\nsecurity = "none"\n'
        write(folder, SETTINGS.partition("[sending]")[0] + "[sending]\n" + smtp)
        done = doctor("smtp")
    assert done.exit_code == (1 if script else 0)
    assert found in " ".join(done.output.split())
    assert server.letters == []


@pytest.mark.parametrize(
    ("verb", "answer", "found", "remedy"),
    [
        ("LOGIN", "NO [AUTHENTICATIONFAILED] no", "cannot be read: server: [AUTH", "password_file"),
        ("LOGIN", "NO [LIMIT] Rate limit hit.", "the server does no more now: server: [LI", "wait"),
        ("LOGIN", "NO [UNAVAILABLE] Try later", "the server does no more now: [UNAV", "wait, end"),
        ("LOGIN", "NO Too many simultaneous connections. (Failure)", "no more now: s", "wait, end"),
        ("SELECT", "NO [THROTTLED] Account exceeded limits", "the server does no more now", "wait"),
        ("SELECT", "NO no such folder", "cannot be read: ", "check that folder exists"),
        ("LOGIN", Fault.SILENCE, "the server does not answer: timed out", "a firewall drops"),
        ("SELECT", Fault.SILENCE, "the server does not answer: timed out", "a firewall drops"),
    ],
)
def test_a_mailbox_that_cannot_be_read_is_named_with_its_cause(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    verb: str,
    answer: Answer,
    found: str,
    remedy: str,
) -> None:
    monkeypatch.setattr(servers, "_SECONDS", 0.5 if answer is Fault.SILENCE else 20.0)
    (folder / "p").write_text("secret\n")
    (folder / "p").chmod(0o600)
    with ScriptedImap({}, {verb: [answer]}) as server:
        imap = SERVERS.partition("[sending]")[0].replace("port = 1", f"port = {server.port}")
        write(folder, SETTINGS + imap.replace("PASSWORD", "p"))
        done = doctor("imap")
    assert done.exit_code == 1
    words = " ".join(done.output.split())
    assert found in words
    assert remedy in words


def test_the_games_of_the_referee_are_counted() -> None:
    assert (
        doctor("rulesets").output
        == """\
rulesets  ok     5 rulesets included: fistful, singularity, star_empires, \
starfarers, starweb
rulesets  ok     5 casts included: fistful, singularity, star_empires, \
starfarers, starweb
"""
    )


def test_rulesets_and_casts_from_outside_are_checked_one_by_one(outsiders: Outsiders) -> None:
    outsiders.install("toys", TOY)
    outsiders.install("zoos", with_grammar("order: ("), "[referee.rulesets]\nzoo = zoos:RULESET\n")
    outsiders.install("mimes", "raise SystemExit(3)", "[referee.casts]\ntoy = mimes:CAST\n")
    done = doctor("rulesets")
    lines = [line for line in done.output.splitlines() if " included: " not in line]
    assert lines == [
        "rulesets  ok     the ruleset 'toy' of toys 1.0: usable",
        (
            "rulesets  FAULT  the ruleset 'zoo' of zoos 1.0 cannot be used: its info.key is 'toy', "
            "but must be the name of the entry point"
        ),
        "                 entry     referee.rulesets: zoo = zoos:RULESET",
        (
            "                 to do     update the package, or remove it: pip uninstall zoos; for "
            "its author: see docs/ruleset-authors.md"
        ),
        (
            "rulesets  FAULT  the cast 'toy' of mimes 1.0 cannot be used: SystemExit while it was "
            "imported: 3 (mimes/__init__.py, line 1)"
        ),
        "                 entry     referee.casts: toy = mimes:CAST",
        (
            "                 to do     update the package, or remove it: pip uninstall mimes; for "
            "its author: see referee.testing.casts.cast"
        ),
    ]
    assert done.exit_code == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("import os; os._exit(0)", "it ended the program, with status 0, while it was checked"),
        (
            "import time; time.sleep(1000)",
            "has not returned after 1 seconds (toys/__init__.py, line 1, in <module>), while it",
        ),
        (
            f"{TOY}import time\nToy.grammar = lambda *_: time.sleep(1000)",
            ", in <lambda>), while it was checked",
        ),
    ],
)
def test_a_package_that_ends_or_blocks_the_program_is_a_fault(
    outsiders: Outsiders, monkeypatch: pytest.MonkeyPatch, source: str, words: str
) -> None:
    monkeypatch.setattr(plugins, "LONGEST_SECONDS", 1.0)
    outsiders.install("toys", source)
    done = doctor("rulesets")
    assert done.exit_code == 1
    assert "rulesets  FAULT  the ruleset 'toy' of toys 1.0 cannot be used: " in done.output
    assert words in done.output
    assert "5 rulesets included: " in done.output
    assert "usable" not in done.output


@pytest.mark.slow
def test_a_package_that_closes_the_output_is_a_fault(outsiders: Outsiders) -> None:
    outsiders.install("toys", "import sys; sys.stdout.close()")
    # The output of a test cannot be closed.
    done = subprocess.run(
        [sys.executable, "-m", "referee", "doctor", "rulesets"],
        env={**os.environ, "PYTHONPATH": str(outsiders.folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "toys 1.0 cannot be used: it closed sys.stdout while it was imported" in done.stdout
    assert (done.stderr, done.returncode) == ("", 1)


def test_rulesets_are_checked_without_settings(outsiders: Outsiders, folder: Path) -> None:
    (folder / "referee.toml").unlink()
    outsiders.install("toys", TOY)
    done = doctor("rulesets")
    assert "the ruleset 'toy' of toys 1.0: usable" in done.output
    assert done.exit_code == 0
    assert "settings: no file found" in doctor("rulesets", "disk").output


def test_an_invalid_grammar_is_a_fault(outsiders: Outsiders) -> None:
    outsiders.install("toys", with_grammar("order: ("))
    done = doctor("rulesets")
    assert "the ruleset 'toy' of toys 1.0 cannot be used: GrammarError in its" in done.output
    assert "the ruleset 'toy' of toys 1.0: usable" not in done.output


@pytest.mark.slow
@pytest.mark.sqlite("a file that only a running referee holds")
def test_a_stopped_referee_is_a_fault_if_games_wait_for_it(folder: Path) -> None:
    app = build(load(folder / "referee.toml"))
    assert "referee: never started here" in doctor("work").output
    Daemon(app).step(now())
    with instance_lock.running(app.settings):
        assert "work      ok     referee: last heartbeat" in doctor("work").output
    assert "work      look   No referee is running: no heartbeat since" in doctor("work").output
    with app.store.write() as session:
        for pulse in heartbeats.among(session, [heartbeats.DAEMON]):
            pulse.beat_at = now() - HOUR
    assert doctor("work").exit_code == 0
    wish = Create("STARWEB", seats=2, schedule="1 hour")
    with app.store.write() as session:
        desk, you = Desk(session, app.site, now()), "you@example.org"
        game, _, _ = game_setup.create(desk, you, game_setup.plan(desk, you, wish))
        game.stalls, game.ruleset = 3, "chess"
    done = doctor("work")
    app.close()
    assert done.exit_code == 1
    assert "work      FAULT  No referee is running: no heartbeat since" in done.output
    assert "SW-1: cannot be started because of a fault" in done.output
    assert "look for game=1 in the log" in done.output
    assert "SW-1: the ruleset chess is not installed" in done.output


def test_the_folder_of_the_pages_is_checked(folder: Path) -> None:
    assert "pages     ok     no web pages" in doctor("pages").output
    settings = (folder / "referee.toml").read_text()

    def asked(place: Path) -> str:
        pages = f'[pages]\nfolder = "{place}"\nurl = "https://games.example.org/"\n'
        (folder / "referee.toml").write_text(settings + pages)
        return doctor("pages").output

    public = folder / "public"
    assert "pages     look   pages: not written yet" in asked(public)
    assert "pages     FAULT  pages: in the state folder" in asked(folder / "state" / "public")
    public.mkdir(mode=0o755)
    (public / "index.html").write_text("my home page")
    assert "pages     FAULT  pages: the folder has an index.html" in asked(public)
    (public / "index.html").unlink()
    assert "pages     look   pages: not written yet" in asked(public)
    pages = open_folder(public)
    pages.write(PageFile("index.html", b"<!DOCTYPE html>"))
    pages.keep("index", "", ["index.html"])
    assert f"pages     ok     pages: 1 file in {public}" in asked(public)
    public.chmod(0o700)
    assert "pages     FAULT  pages: other users cannot read the folder" in asked(public)
