"""``referee doctor`` without servers: each fault of files, database and queues, with its remedy."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from referee.app import build
from referee.cli import main
from referee.clock import now
from referee.daemon import Daemon
from referee.daemon.owner_id import here
from referee.desk.base.desk import Desk
from referee.desk.gm import game_setup
from referee.desk.reception import intake
from referee.doctor import PARTS
from referee.domain.commands import Create
from referee.domain.mail_transfer import Attempt, Delivery, IncomingMail
from referee.mail.smtpd import Receiver
from referee.settings import load
from referee.store import Store
from referee.store.mail import circuit_breaker, heartbeats, inbox, outbox
from tests.mail.scripted import ScriptedSmtp
from tests.support.outsiders import TOY, Outsiders, with_grammar

HOUR = timedelta(hours=1)
SETTINGS = """
[house]
address = "games@example.org"
operator = "you@example.org"
[[maildir]]
name = "orders"
path = "in"
[sending]
kind = "maildir"
path = "sent"
"""
LETTER = b"From: <you@example.org>\r\nMessage-ID: <1@example.org>\r\n\r\nHELP\r\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installation that has not run yet."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("REFEREE_SETTINGS", raising=False)
    write(tmp_path, SETTINGS)
    return tmp_path


@pytest.fixture
def store(folder: Path) -> Iterator[Store]:
    """The database of an installation that has run."""
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


def test_a_healthy_installation_has_nothing_to_mend(store: Store) -> None:
    done = doctor()
    assert done.exit_code == 0
    assert "FAULT" not in done.output
    assert "database  ok     the database has the tables of this version" in done.output
    assert "letters   ok     no letter is stuck" in done.output


@pytest.mark.sqlite("the file is not there yet")
def test_before_the_first_start_everything_missing_is_explained() -> None:
    done = doctor("state", "database")
    assert done.exit_code == 0
    assert done.output.count("`referee run` makes it") == 2


def test_parts_can_be_looked_at_alone_and_a_wrong_one_is_told() -> None:
    lines = doctor("disk").output.splitlines()
    assert {line.split()[0] for line in lines if not line.startswith(" ")} == {"disk"}
    assert doctor("spleen").exit_code == 2


def test_every_part_says_or_leaves_out_something(store: Store) -> None:
    for part in PARTS:
        assert doctor(part).exit_code == 0, part


def test_what_is_open_to_others_must_be_closed(store: Store, folder: Path) -> None:
    (folder / "state").chmod(0o755)
    (folder / "state" / "secret").chmod(0o644)
    done = doctor("state")
    assert done.exit_code == 1
    expected = f"""\
state     FAULT  state is open to other users of this machine
                 folder    {folder}/state
                 to do     chmod 700 {folder}/state
state     FAULT  secret is open to other users of this machine
                 file      {folder}/state/secret
                 to do     chmod 600 {folder}/state/secret
"""
    assert expected == done.output


def test_a_damaged_secret_must_be_restored(store: Store, folder: Path) -> None:
    (folder / "state" / "secret").write_text("garbage")
    done = doctor("state")
    assert done.exit_code == 1
    assert "restore it from a backup" in done.output


def test_passwords_must_be_there_and_for_nobody_else(folder: Path) -> None:
    smtp = 'kind = "smtp"\nhost = "mail.example.org"\nuser = "u"\npassword_file = "p"\n'
    write(folder, SETTINGS.partition("[sending]")[0] + "[sending]\n" + smtp)
    assert "p cannot be read: No such file" in doctor("state").output
    (folder / "p").write_text("hunter2\n")
    (folder / "p").chmod(0o644)
    done = doctor("state")
    assert (done.exit_code, "hunter2" in done.output) == (1, False)
    assert f"chmod 640 {folder}/p" in done.output


def test_a_password_in_the_clear_to_another_machine_must_not_be(folder: Path) -> None:
    smtp = 'kind = "smtp"\nhost = "mail.example.org"\nsecurity = "none"\n'
    write(folder, SETTINGS.partition("[sending]")[0] + "[sending]\n" + smtp)
    done = doctor("settings")
    assert done.exit_code == 1
    assert "setting   sending.security" in done.output


@pytest.mark.sqlite("an empty file")
def test_a_database_of_another_version_is_told(folder: Path) -> None:
    state = folder / "state"
    state.mkdir()
    (state / "referee.db").write_bytes(b"")
    done = doctor("database", "letters", "clock")
    assert done.exit_code == 1
    assert "it migrates, and keeps a copy before" in done.output


def test_letters_that_wait_too_long_are_told(store: Store) -> None:
    keep(store, now() - HOUR)
    done = doctor("letters")
    assert done.exit_code == 1
    assert "a letter has not been read for more than ten minutes" in done.output


def test_letters_set_aside_and_claims_of_the_dead_deserve_a_look(store: Store) -> None:
    keep(store, now())
    keep(store, now() + timedelta(seconds=1))
    with store.write() as session:
        row = inbox.next_waiting(session, "test", now(), HOUR)
        assert row is not None
        inbox.quarantine(session, row, "could not be read", now())
        assert inbox.next_waiting(session, f"{here()}:999999999", now(), HOUR) is not None
    done = doctor("letters")
    assert done.exit_code == 0
    assert "letters in quarantine: 1" in done.output
    assert "are held by referees that run no more: 1" in done.output


def test_letters_that_do_not_go_out_are_told(store: Store) -> None:
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
    assert "a letter should have been sent more than ten minutes ago" in done.output
    assert "letters that could not be sent: 1" in done.output
    with store.write() as session:
        circuit_breaker.trip(session, now())
    stopped = doctor("letters")
    assert stopped.exit_code == 0
    assert "sending has stopped until" in stopped.output


def test_a_clock_behind_the_letters_must_be_set_right(store: Store) -> None:
    keep(store, datetime.now(UTC) + HOUR)
    done = doctor("clock")
    assert done.exit_code == 1
    assert "deadlines go by it" in done.output


def test_the_receiver_is_told_from_another_program(folder: Path) -> None:
    receiver = Receiver(lambda arrival: None, clock=now, recipients=lambda address: True)
    receiver.start()
    try:
        write(folder, f"{SETTINGS}[receiver]\nport = {receiver.port}\n")
        assert "receiver  ok     the receiver answers on" in doctor("receiver").output
    finally:
        receiver.stop()
    assert "it listens while `referee run` runs" in doctor("receiver").output
    with ScriptedSmtp() as other:
        write(folder, f"{SETTINGS}[receiver]\nport = {other.port}\n")
        done = doctor("receiver")
    assert done.exit_code == 1
    assert "another program listens on" in done.output


def test_a_socket_needs_its_folder(folder: Path) -> None:
    write(folder, f'{SETTINGS}[receiver]\nsocket = "nowhere/lmtp"\n')
    assert doctor("receiver").exit_code == 1


@pytest.mark.parametrize("is_there", [True, False])
def test_the_mail_server_is_tried(folder: Path, *, is_there: bool) -> None:
    with ScriptedSmtp({} if is_there else {"GREETING": ["554 go away"]}) as server:
        smtp = f'kind = "smtp"\nhost = "127.0.0.1"\nport = {server.port}\nsecurity = "none"\n'
        write(folder, SETTINGS.partition("[sending]")[0] + "[sending]\n" + smtp)
        done = doctor("smtp")
    assert done.exit_code == (0 if is_there else 1)
    assert ("lets us in" if is_there else "554 go away") in done.output
    assert server.letters == []


def test_the_games_of_the_referee_are_counted() -> None:
    assert (
        doctor("rulesets").output
        == """\
rulesets  ok     5 rulesets come with the referee: fistful, singularity, star_empires, \
starfarers, starweb
rulesets  ok     5 casts come with the referee: fistful, singularity, star_empires, \
starfarers, starweb
"""
    )


def test_rulesets_and_casts_from_outside_are_checked_one_by_one(outsiders: Outsiders) -> None:
    outsiders.install("toys", TOY)
    outsiders.install("zoos", with_grammar("order: ("), "[referee.rulesets]\nzoo = zoos:RULESET\n")
    outsiders.install("mimes", "raise SystemExit(3)", "[referee.casts]\ntoy = mimes:CAST\n")
    done = doctor("rulesets")
    lines = [line for line in done.output.splitlines() if " come with the referee" not in line]
    assert lines == [
        "rulesets  ok     the ruleset 'toy' of toys 1.0 can be used",
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
            "imported: 3"
        ),
        "                 entry     referee.casts: toy = mimes:CAST",
        (
            "                 to do     update the package, or remove it: pip uninstall mimes; for "
            "its author: see referee.testing.robots.cast"
        ),
    ]
    assert done.exit_code == 1


def test_a_grammar_that_is_not_sound_is_a_fault(outsiders: Outsiders) -> None:
    outsiders.install("toys", with_grammar("order: ("))
    done = doctor("rulesets")
    assert "the ruleset 'toy' of toys 1.0 cannot be used: GrammarError in its" in done.output
    assert "the ruleset 'toy' of toys 1.0 can be used" not in done.output


def test_a_referee_that_stopped_is_missed_where_games_wait_for_it(folder: Path) -> None:
    app = build(load(folder / "referee.toml"))
    assert "no referee has been at work here yet" in doctor("work").output
    Daemon(app).step(now())
    assert "work      ok     a referee was at work at" in doctor("work").output
    with app.store.write() as session:
        for pulse in heartbeats.among(session, [heartbeats.DAEMON]):
            pulse.beat_at = now() - HOUR
    assert doctor("work").exit_code == 0
    wish = Create("STARWEB", seats=2, schedule="1 hour")
    with app.store.write() as session:
        game, _, _ = game_setup.create(Desk(session, app.site, now()), "you@example.org", wish)
        game.stalls, game.ruleset = 3, "chess"
    done = doctor("work")
    app.close()
    assert done.exit_code == 1
    assert "no referee has been at work since" in done.output
    assert "SW-1 cannot be started, through a fault" in done.output
    assert "look for game=1 in the log" in done.output
    assert "SW-1 needs the ruleset chess, which is not installed" in done.output
