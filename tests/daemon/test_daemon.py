"""The daemon: its steps at a given time, and its behaviour in failures."""

import logging
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import StatementError

from referee.app import App, build, is_ours
from referee.daemon import Daemon, claim_owners, logs, service
from referee.daemon.inbox_reader import ATTEMPTS, MAX_TOGETHER, READING_LEASE, RETRY_PAUSE
from referee.daemon.outbox_sender import BATCH
from referee.daemon.supervisor import Supervisor
from referee.desk.base.desk import spare
from referee.domain.mail_transfer import Attempt, Delivery, IncomingMail, OutgoingMail
from referee.domain.tokens import Kind, Place, Token, sign
from referee.errors import ResourceError, StoreBusy
from referee.letters.outgoing.compose import Composer, RenderedText
from referee.letters.outgoing.notices import Confirmation, Notice
from referee.mail.imap import ImapMailbox
from referee.mail.imap_folder import ImapAccount
from referee.opening import open_store
from referee.settings import Settings, load
from referee.state_dir import SECRET
from referee.store.letter_states import InboxState, OutboxState
from referee.store.mail import inbox, outbox, stale_claims
from referee.store.mail.outbox import Finished
from referee.tally import Counted, Tally
from referee.testing.faults import run
from tests.live.servers import until

NOON = datetime(2026, 9, 1, 12, tzinfo=UTC)
SETTINGS = """
[site]
address = "games@example.org"
operator = "you@example.org"
[[maildir]]
name = "orders"
path = "incoming"
[trust]
authserv_ids = ["mx.referee.example"]
dns = false
[sending]
kind = "maildir"
path = "sent"
"""


class Broken(Mapping[str, Any]):
    """Rulesets that raise on every access, like a bug in the program."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def __getitem__(self, key: str) -> Any:
        raise self.error

    def __iter__(self) -> Iterator[str]:
        raise self.error

    def __len__(self) -> int:
        raise self.error


class BrokenComposer(Composer):
    """Writes all letters but questions for a confirmation: a defect of the program."""

    def words(self, notice: Notice, seal: str = "") -> RenderedText:
        if isinstance(notice, Confirmation):
            raise RuntimeError("K7QX")  # noqa: TRY004 - not an error of its type
        return super().words(notice, seal)


def settings(folder: Path, more: str = "") -> Settings:
    file = folder / "referee.toml"
    file.write_text(SETTINGS + more)
    for name in ("tmp", "new", "cur"):
        (folder / "incoming" / name).mkdir(parents=True, exist_ok=True)
    return load(file)


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    built = build(settings(tmp_path), {})
    yield built
    built.close()


def letter(number: int, text: str, sender: str = "you@example.org") -> bytes:
    return (
        f"From: <{sender}>\r\nTo: games@example.org\r\nSubject: hello\r\n"
        f"Message-ID: <{number}@example.org>\r\n\r\n{text}\r\n"
    ).encode()


def arrive(app: App, number: int, text: str, sender: str = "you@example.org") -> int:
    return app.accept(IncomingMail("pipe", str(number), letter(number, text, sender), NOON))


def sent(folder: Path) -> list[str]:
    files = sorted((folder / "sent" / "new").glob("*"))
    return [file.read_text() for file in files]


def states(app: App) -> dict[int, InboxState]:
    with app.store.read() as session:
        return {row.id: row.state for row in inbox.listing(session, None, 100)}


def test_a_letter_comes_in_and_its_answer_goes_out(app: App, tmp_path: Path) -> None:
    (tmp_path / "incoming" / "new" / "1.host").write_bytes(letter(1, "HELP"))
    daemon = Daemon(app)
    daemon.step(NOON)
    assert daemon.send(NOON)
    assert states(app) == {1: InboxState.READ}
    (answer,) = sent(tmp_path)
    assert "In-Reply-To: <1@example.org>" in answer
    assert list((tmp_path / "incoming" / "new").iterdir()) == []


def test_concurrent_letters_are_stored_all_or_none(app: App) -> None:
    arrivals = [IncomingMail("pipe", str(n), letter(n, "HELP"), NOON) for n in (1, 2)]
    without_zone = replace(arrivals[1], source_id="3", arrived_at=datetime(2026, 9, 1))  # noqa: DTZ001 - that cannot be stored
    with pytest.raises((ValueError, StatementError)):
        app.accept_all([arrivals[0], without_zone])
    assert states(app) == {}
    app.accept_all([*arrivals, arrivals[0]])
    first, second = map(app.accept, arrivals)
    assert list(states(app)) == [second, first]


def test_repeated_steps_do_nothing_twice(app: App, tmp_path: Path) -> None:
    arrive(app, 1, "HELP")
    for second in range(3):
        daemon = Daemon(app)
        daemon.step(NOON + timedelta(seconds=second))
        daemon.send(NOON + timedelta(seconds=second))
    assert len(sent(tmp_path)) == 1


def test_two_referees_read_a_players_letters_one_after_the_other(app: App) -> None:
    # A mailbox gives no envelope, so only the From identifies the sender.
    spellings = ("frodo@shire.example", "Frodo.Baggins <FRODO@Shire.Example>", "sam@shire.example")
    for number, sender in enumerate(spellings, 1):
        raw = letter(number, "HELP").replace(b"<you@example.org>", sender.encode())
        app.accept(IncomingMail("imap:games", f"7/{number}", raw, NOON))
    first, second = Daemon(app, "one:1"), Daemon(app, "two:2")
    with app.store.claim() as session:
        held = inbox.next_waiting(session, first.owner, NOON, READING_LEASE)
    assert held is not None
    assert second.inbox.read_waiting(NOON) == 1
    assert states(app) == {1: InboxState.WAITING, 2: InboxState.WAITING, 3: InboxState.READ}
    with app.store.write() as session:
        inbox.conclude(session, held, InboxState.READ, "read", NOON)
    assert second.inbox.read_waiting(NOON) == 1
    assert states(app)[2] is InboxState.READ


def test_the_operator_is_alerted_once_to_an_unreadable_mailbox(app: App, tmp_path: Path) -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        account = ImapAccount("games", "127.0.0.1", "games", str, nobody.getsockname()[1])
        box = ImapMailbox(replace(account, first_pause_seconds=0.01, longest_pause_seconds=0.01))
        daemon = Daemon(replace(app, mailboxes={"games": box}))
        stop = threading.Event()
        watching = threading.Thread(target=daemon.sources.watch, args=("games", stop, lambda: NOON))
        watching.start()
        until("the mailbox is in trouble", lambda: box.failure != "")
        letters = []
        for minute in (0, 9, 10, 11, 20):
            now = NOON + timedelta(minutes=minute)
            daemon.step(now)
            daemon.send(now)
            letters.append(len(sent(tmp_path)))
        stop.set()
        watching.join()
    assert letters == [0, 0, 1, 1, 1]
    (alert,) = sent(tmp_path)
    assert "imap:games has failed since" in alert
    assert "Connection refused" in " ".join(alert.split())


def test_the_operator_is_alerted_to_another_failure(app: App, tmp_path: Path) -> None:
    daemon, letters = Daemon(app), []
    here, away = tmp_path / "incoming", tmp_path / "away"
    here.rename(away)
    for minute in (0, 10, 20, 30, 40):
        if minute == 20:
            away.rename(here)
        if minute == 30:
            here.rename(away)
        now = NOON + timedelta(minutes=minute)
        daemon.step(now)
        daemon.send(now)
        letters.append(len(sent(tmp_path)))
    assert letters == [0, 1, 1, 1, 2]


@pytest.mark.sqlite("its pauses run by the clock of the test")
def test_a_letter_that_breaks_the_reader_is_quarantined(
    app: App, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    daemon = Daemon(replace(app, site=replace(app.site, composer=BrokenComposer(app.site.address))))
    number = arrive(app, 1, "STANDBY ALL\nWHAT IS SECRET")
    healthy = arrive(app, 2, "HELP COMMANDS", sender="frodo@shire.example")
    caplog.set_level(logging.INFO, "referee")
    now = NOON
    for attempt in range(1, ATTEMPTS + 1):
        daemon.step(now)
        expected = InboxState.QUARANTINED if attempt == ATTEMPTS else InboxState.WAITING
        assert states(app)[number] is expected
        now += RETRY_PAUSE
    assert states(app)[healthy] is InboxState.READ
    references = {
        word.partition("=")[2]
        for record in caplog.records
        for word in record.getMessage().split()
        if word.startswith("reference=")
    }
    daemon.send(now)
    (alert,) = [words for words in sent(tmp_path) if "To: you@example.org" in words]
    assert any(reference in alert for reference in references)
    written = "\n".join(record.getMessage() for record in caplog.records)
    assert "error=builtins.RuntimeError" in written
    assert "K7QX" not in written
    assert "WHAT IS SECRET" not in written


@pytest.mark.sqlite("its leases run by the clock of the test")
def test_a_letter_that_ended_the_program_is_quarantined_unread(app: App) -> None:
    number = arrive(app, 1, "HELP")
    now = NOON
    for _ in range(ATTEMPTS):
        # Claimed, and then the program was killed before it could record the result.
        with app.store.write() as session:
            assert inbox.next_waiting(session, "killed", now, READING_LEASE) is not None
        now += READING_LEASE + timedelta(seconds=1)
    Daemon(app).step(now)
    assert states(app) == {number: InboxState.QUARANTINED}


@pytest.mark.slow
def test_an_outage_of_the_database_does_not_count_as_an_attempt(app: App) -> None:
    busy = replace(app, site=replace(app.site, rulesets=Broken(StoreBusy("locked"))))
    daemon = Daemon(busy)
    number = arrive(app, 1, "HELP CHESS")
    behind = arrive(app, 2, "HELP", sender="frodo@shire.example")
    for hour in range(2 * ATTEMPTS):
        daemon.step(NOON + timedelta(hours=hour))
    assert states(app) == {number: InboxState.WAITING, behind: InboxState.WAITING}
    Daemon(app).step(NOON + timedelta(hours=2 * ATTEMPTS))
    assert states(app) == {number: InboxState.READ, behind: InboxState.READ}
    with app.store.read() as session:
        assert {row.attempts for row in inbox.listing(session, None, 9)} == {1}


@pytest.mark.slow
@pytest.mark.sqlite("only there letters are read together")
def test_letters_that_wait_are_read_in_few_transactions(app: App, tmp_path: Path) -> None:
    for number in range(2 * MAX_TOGETHER):
        arrive(app, number, "HELP", sender=f"player{number}@shire.example")
    ending = run(lambda: Daemon(build(settings(tmp_path), {})).inbox.read_waiting(NOON), tmp_path)
    # Two batches, each claimed once and committed once.
    assert ending.points.count("commit") == 4
    assert set(states(app).values()) == {InboxState.READ}


def test_an_unreadable_source_does_not_delay_the_others(app: App, tmp_path: Path) -> None:
    (tmp_path / "incoming" / "new").rmdir()
    number = arrive(app, 1, "HELP")
    Daemon(app).step(NOON)
    assert states(app) == {number: InboxState.READ}


class DeferringTransport:
    """A mail transport that sends only the first letters."""

    def __init__(self, going: int) -> None:
        self.going = going

    def send(self, dispatches: Sequence[OutgoingMail]) -> Generator[Attempt]:
        for dispatch in dispatches:
            self.going -= 1
            delivery = Delivery.SENT if self.going >= 0 else Delivery.DEFERRED
            yield Attempt(dispatch, delivery, "" if self.going >= 0 else "450 later")


def test_letters_wait_no_longer_after_the_clock_was_set_back(app: App, tmp_path: Path) -> None:
    daemon = Daemon(app)
    daemon.step(NOON)
    arrive(app, 1, "HELP")
    daemon.step(NOON)
    for minutes, words in ((0, "No turn is resolved"), (11, "In-Reply-To: <1@example.org>")):
        now = NOON - timedelta(hours=5) + timedelta(minutes=minutes)
        daemon.step(now)
        assert daemon.send(now)
        assert sum(words in " ".join(letter.split()) for letter in sent(tmp_path)) == 1
    assert len(sent(tmp_path)) == 2


def test_unsent_letters_stay_in_the_outbox(app: App, tmp_path: Path) -> None:
    for number in (1, 2):
        arrive(app, number, "HELP")
    daemon = Daemon(replace(app, sender=DeferringTransport(1)))
    daemon.step(NOON)
    assert daemon.send(NOON)
    with app.store.read() as session:
        assert outbox.counts(session)[OutboxState.SENT] == 1
        assert outbox.counts(session)[OutboxState.WAITING] == 1
    later = NOON + timedelta(hours=1)
    Daemon(app).send(later)
    assert len(sent(tmp_path)) == 1


def test_the_log_says_why_a_letter_was_deferred(app: App, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "referee")
    arrive(app, 1, "HELP")
    daemon = Daemon(replace(app, sender=DeferringTransport(0)))
    daemon.step(NOON)
    daemon.send(NOON)
    (entry,) = [
        record.getMessage() for record in caplog.records if "outgoing" in record.getMessage()
    ]
    assert 'event="letter deferred"' in entry
    assert 'reason="450 later"' in entry


class SlowTransport(DeferringTransport):
    """A mail transport whose first letter takes over a second, while an answer arrives."""

    def __init__(self, answer: Callable[[], object]) -> None:
        super().__init__(1000)
        self.gone: list[str] = []
        self._answer = answer

    def send(self, dispatches: Sequence[OutgoingMail]) -> Generator[Attempt]:
        for attempt in super().send(dispatches):
            if not self.gone:
                self._answer()
                time.sleep(1.1)
            self.gone.append(attempt.dispatch.recipient)
            yield attempt


@pytest.mark.slow
def test_an_answer_is_sent_before_older_letters(app: App) -> None:
    reports = [
        Finished(
            message_id=f"<{number}@here>",
            kind="Report",
            envelope_sender="games@example.org",
            recipient="frodo@shire.example",
            raw=b"",
        )
        for number in range(2 * BATCH)
    ]
    with app.store.write() as session:
        outbox.put(session, NOON, *reports)
    arrive(app, 1, "HELP")
    slow = SlowTransport(lambda: Daemon(app).inbox.read_waiting(NOON + timedelta(seconds=1)))
    assert Daemon(replace(app, sender=slow)).send(NOON)
    frodo = "frodo@shire.example"
    assert slow.gone == [frodo] * BATCH + ["you@example.org"] + [frodo] * BATCH


class StoppingTransport(DeferringTransport):
    """A mail transport during whose first letter the referee is asked to stop."""

    def __init__(self) -> None:
        super().__init__(100)
        self.stopping: threading.Event | None = None

    def send(self, dispatches: Sequence[OutgoingMail]) -> Generator[Attempt]:
        for attempt in super().send(dispatches):
            assert self.stopping is not None
            self.stopping.set()
            yield attempt


def test_a_stop_finishes_the_current_letter_and_releases_the_others(app: App) -> None:
    for number in range(1, 4):
        arrive(app, number, "HELP")
    stopping = StoppingTransport()
    daemon = Daemon(replace(app, sender=stopping))
    stopping.stopping = daemon.stopping
    daemon.step(NOON)
    arrive(app, 4, "HELP")
    assert daemon.send(NOON)
    daemon.step(NOON)
    with app.store.read() as session:
        assert outbox.counts(session)[OutboxState.SENT] == 1
        assert outbox.counts(session)[OutboxState.WAITING] == 2
        assert inbox.counts(session)[InboxState.WAITING] == 1
        assert stale_claims.owners(session) == frozenset()


@pytest.mark.slow
def test_the_hourly_sending_limit_is_kept(tmp_path: Path) -> None:
    app = build(settings(tmp_path, "[limits]\nletters_an_hour = 2\n"), {})
    for number in range(3):
        arrive(app, number, "HELP")
    daemon = Daemon(app)
    daemon.step(NOON)
    daemon.send(NOON)
    # An answer, an alert that others wait, and one that sending stops.
    before = len(sent(tmp_path))
    assert before == 3
    Daemon(app).send(NOON + timedelta(minutes=59))
    assert len(sent(tmp_path)) == before
    daemon.send(NOON + timedelta(minutes=60))
    assert len(sent(tmp_path)) > before
    app.close()


def test_a_failing_step_is_retried_after_growing_pauses() -> None:
    guard, tried = Supervisor(), list[int]()

    def fail(second: int) -> None:
        tried.append(second)
        raise RuntimeError

    for second in range(1400):
        guard.step("read", partial(fail, second), NOON + timedelta(seconds=second))
    assert tried == [0, 2, 6, 14, 30, 62, 126, 254, 510, 810, 1110]


def test_a_step_that_failed_while_the_clock_was_ahead_is_retried_at_once() -> None:
    guard = Supervisor()

    def fail() -> None:
        raise RuntimeError

    assert not guard.step("read", fail, NOON + timedelta(days=365))
    assert guard.step("read", list, NOON)


def test_a_successful_step_resets_the_backoff() -> None:
    guard = Supervisor()

    def fail() -> None:
        raise RuntimeError

    assert not guard.step("read", fail, NOON)
    assert not guard.step("read", list, NOON + timedelta(seconds=1))
    assert guard.step("read", list, NOON + timedelta(seconds=2))
    assert not guard.step("read", fail, NOON + timedelta(seconds=3))
    assert guard.step("read", list, NOON + timedelta(seconds=5))


@pytest.mark.parametrize("error", [RuntimeError, SystemExit, GeneratorExit])
def test_work_that_exits_the_program_has_failed(error: type[BaseException]) -> None:
    tally = Tally()

    def end() -> None:
        raise error(0)

    trouble = Supervisor(tally).attempt(end)
    assert trouble is not None
    assert isinstance(trouble.error, error)
    assert tally.of(Counted.FAILURES) == {"": 1}


def test_a_step_that_fails_in_one_game_backs_off_only_there() -> None:
    guard, tried = Supervisor(), list[int]()

    def fail(game: int) -> None:
        tried.append(game)
        if game == 1:
            raise RuntimeError

    for second in (0, 1, 2):
        for game in (1, 2):
            guard.step_in_game("remind", game, partial(fail, game), NOON + timedelta(0, second))
    assert tried == [1, 2, 2, 1, 2]


def test_an_interrupt_is_not_caught() -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Supervisor().attempt(interrupt)
    # Ctrl-C never comes to another thread, so there it is raised by a ruleset.
    with ThreadPoolExecutor() as pool:
        trouble = pool.submit(Supervisor().attempt, interrupt).result()
        spared = pool.submit(spare, interrupt, type).result()
    assert trouble is not None
    assert isinstance(trouble.error, KeyboardInterrupt)
    assert spared is KeyboardInterrupt


def test_the_secret_is_created_once_and_is_private(tmp_path: Path) -> None:
    first = build(settings(tmp_path), {})
    again = build(settings(tmp_path), {})
    file = tmp_path / "state" / SECRET
    assert first.site.key == again.site.key
    assert len(first.site.key) == 32
    assert file.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in file.parent.glob(f"{SECRET}*")] == [SECRET]
    first.close()
    again.close()


@pytest.mark.slow
@pytest.mark.parametrize("content", ["", "abc", "00" * 31])
def test_a_damaged_secret_is_reported_and_not_replaced(tmp_path: Path, content: str) -> None:
    found = settings(tmp_path)
    build(found, {}).close()
    (found.state_dir / SECRET).write_text(content)
    with pytest.raises(ResourceError) as caught:
        build(found, {})
    assert "restore it from a backup" in caught.value.told()
    assert (found.state_dir / SECRET).read_text() == content


@pytest.mark.own_database
def test_the_password_of_a_database_comes_from_its_file(tmp_path: Path) -> None:
    (tmp_path / "db.password").write_text("p@ss/w%rd\n")
    url = 'url = "postgresql+psycopg://referee@db.example.org/games"\n'
    found = settings(tmp_path, f'[database]\n{url}password_file = "db.password"\n')
    store = open_store(found)
    assert (store.url.username, store.url.password) == ("referee", "p@ss/w%rd")
    assert (store.url.host, store.url.database) == ("db.example.org", "games")
    store.close()


def test_missing_passwords_of_mail_servers_are_reported_at_the_start(tmp_path: Path) -> None:
    box = '[[imap]]\nname = "games"\nhost = "i.example.org"\nuser = "games"\n'
    found = settings(tmp_path, f'{box}password_file = "imap.password"\n')
    with pytest.raises(ResourceError) as caught:
        build(found, {})
    told = caught.value.told()
    assert "imap.password: cannot be read: No such file" in told
    assert "setting   imap.games.password_file" in told
    assert "write the password on its first line" in told


def test_a_port_in_use_is_reported(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        app = build(settings(tmp_path, f"[receiver]\nport = {port}\n"), {})
        with pytest.raises(ResourceError) as caught:
            app.open_receiver()
        app.close()
    assert f"cannot listen on 127.0.0.1, port {port}" in caught.value.told()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("more", "hours"),
    [("", 0), ("[receiver]\nport = 8025\n", 6), ('[receiver]\nsocket = "x"\n', 6)],
)
def test_after_an_outage_senders_of_a_receiver_have_time_to_try_again(
    tmp_path: Path, more: str, hours: int
) -> None:
    app = build(settings(tmp_path, more), {})
    assert app.site.patience.retries == timedelta(hours=hours)
    app.close()


def _returned(key: bytes) -> str:
    return sign(Token(Kind.RETURN, 7, letter="x"), Place.RETURN_PATH, key)


@pytest.mark.parametrize(
    ("recipient", "ours"),
    [
        ("games@example.org", True),
        ("Games@Example.ORG", True),
        (f"games+{_returned(b'key')}@example.org", True),
        (f"games+{_returned(b'another')}@example.org", False),
        ("games+K7QX@example.org", False),
        ("games@example.com", False),
        ("gamesx@example.org", False),
        ("games", False),
        ("", False),
    ],
)
def test_the_receiver_takes_what_is_for_the_referee(recipient: str, *, ours: bool) -> None:
    assert is_ours("games@example.org", b"key", recipient) is ours


def test_a_log_line_has_keys_and_values() -> None:
    line = logs.line("letter read", letter=3, note='say "hi"\nnow', game=None, empty="")
    assert line == 'event="letter read" letter=3 note="say \'hi\'?now" empty=""'


def test_the_log_shows_only_type_and_place_of_an_error(
    capsys: pytest.CaptureFixture[str],
) -> None:
    before = logging.getLogger().handlers[:]
    logs.begin()
    try:
        raise ValueError("F3T4F17 K7QX")
    except ValueError:
        logging.getLogger("referee.test").exception("trouble")
    finally:
        logging.getLogger().handlers[:] = before
    told = capsys.readouterr().err
    assert "K7QX" not in told
    assert "level=error from=referee.test event=trouble error=builtins.ValueError" in told
    assert "test_daemon.py" in told


def test_the_service_manager_is_notified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(str(place))
        listener.settimeout(5)
        monkeypatch.setenv("NOTIFY_SOCKET", str(place))
        assert service.sd_notify("READY=1")
        assert listener.recv(100) == b"READY=1"


def test_a_service_manager_that_does_not_read_blocks_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(str(place))
        monkeypatch.setenv("NOTIFY_SOCKET", str(place))
        # The kernel keeps only a limited number of messages, always fewer than a thousand.
        assert not all(service.sd_notify("WATCHDOG=1") for _ in range(1000))


def test_nothing_is_sent_without_a_service_manager(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    assert not service.sd_notify("READY=1")
    monkeypatch.setenv("NOTIFY_SOCKET", "/nowhere/at/all")
    assert not service.sd_notify("READY=1")


def test_the_watchdog_limit_comes_from_the_service_manager(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", "3000000")
    assert service._watchdog_seconds() == 3.0
    monkeypatch.delenv("WATCHDOG_USEC")
    assert service._watchdog_seconds() is None


def claim(app: App, owner: str) -> None:
    with app.store.write() as session:
        assert inbox.next_waiting(session, owner, NOON, READING_LEASE) is not None


def test_claims_of_a_killed_daemon_are_released_at_once(app: App) -> None:
    number = arrive(app, 1, "HELP")
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        pass
    claim(app, f"{claim_owners.machine()}:{gone.pid}")
    daemon = Daemon(app)
    daemon.step(NOON)
    assert states(app) == {number: InboxState.WAITING}
    daemon.reclaim_stale_claims()
    daemon.step(NOON)
    assert states(app) == {number: InboxState.READ}


@pytest.mark.slow
@pytest.mark.parametrize(
    "owner", [f"{claim_owners.machine()}:{os.getppid()}", "elsewhere:1", "somebody"]
)
def test_claims_of_living_daemons_are_kept(app: App, owner: str) -> None:
    number = arrive(app, 1, "HELP")
    claim(app, owner)
    daemon = Daemon(app)
    daemon.reclaim_stale_claims()
    daemon.step(NOON)
    assert states(app) == {number: InboxState.WAITING}


@pytest.mark.release
def test_a_machine_without_a_network_card_is_identified_by_its_machine_id() -> None:
    alone = ("unshare", "--map-root-user", "--net", sys.executable, "-c")
    program = "import uuid; from referee.daemon import claim_owners as owners; "
    program += "print(owners.machine(), uuid.getnode())"
    if not Path("/etc/machine-id").is_file():
        pytest.skip("this machine has no number")
    told = [
        subprocess.run([*alone, program], capture_output=True, text=True, check=False).stdout
        for _ in range(2)
    ]
    if not all(told):
        pytest.skip("no network of one's own is allowed here")
    (here, card), (again, other) = map(str.split, told)
    assert card != other
    assert here == again
    assert Path("/etc/machine-id").read_text().strip() not in here


def test_a_daemon_with_the_same_process_id_takes_over(app: App) -> None:
    number = arrive(app, 1, "HELP")
    daemon = Daemon(app)
    claim(app, daemon.owner)
    daemon.reclaim_stale_claims()
    daemon.step(NOON)
    assert states(app) == {number: InboxState.READ}


@pytest.mark.slow
@pytest.mark.parametrize("is_journal", [True, False])
def test_the_journal_gets_the_priority_and_not_the_time(is_journal: bool) -> None:
    reader, writer = os.pipe()
    known = os.fstat(writer)
    stream = f"{known.st_dev}:{known.st_ino + (not is_journal)}"
    words = "logs.begin(); log = logging.getLogger('referee'); log.error('x y'); log.info('z')"
    program = f"import logging; from referee.daemon import logs; {words}"
    subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "JOURNAL_STREAM": stream},
        stderr=writer,
        check=True,
    )
    os.close(writer)
    with os.fdopen(reader) as told:
        lines = told.read().splitlines()
    if is_journal:
        expected = ['<3>level=error from=referee event="x y"', "<6>level=info from=referee event=z"]
        assert expected == lines
    else:
        assert [line.startswith("time=20") for line in lines] == [True, True]
