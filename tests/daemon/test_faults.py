"""Failures: nothing is lost or doubled, each is reported once, and work continues automatically.

These are the failures of the database, for the whole daemon on a real file. The others are tested
with the part that fails:

- crash tests: ``tests/exactly_once``, as a real process ``tests/live/test_daemon_kills``
- a second daemon on one SQLite file or on one port: ``tests/daemon/test_service``
- several daemons on one database: ``tests/live/test_daemon_pairs``
- IMAP failing at every command: ``tests/mail/test_imap``, ``tests/live/test_imap``,
  ``tests/exactly_once/fetching``
- SMTP failing at every command: ``tests/mail/test_smtp``, ``tests/exactly_once/test_silence``
- a ruleset that raises, a template that raises, a Maildir that is missing:
  ``tests/daemon/test_trouble``
- a migration that is killed: ``tests/store/database/test_schema``, several at once
  ``tests/cli/test_upgrade``
- a mailbox that hangs at a deadline: ``tests/daemon/test_in_time``,
  ``tests/live/test_daemon_deadlines``
- PostgreSQL restarted: ``tests/live/test_postgresql``
- random failures for weeks: ``tests/soak``
"""

import resource
import sqlite3
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Final

import pytest
from sqlalchemy import text

from referee.app import App, build, build_accept_all
from referee.daemon import Daemon
from referee.domain.mail_transfer import Attempt, Delivery, OutgoingMail
from referee.store import Session, Store
from referee.store.letter_states import InboxState, OutboxState
from referee.store.mail import inbox, outbox, stale_claims
from tests.daemon.test_daemon import NOON, letter, sent, settings
from tests.support.examples import mostly_slow

HOUR = timedelta(hours=1)
Fault = Callable[["FailingStore"], AbstractContextManager[None]]


class FailingStore(Store):
    """A store whose transactions all begin with the failure of its database."""

    def __init__(self, file: Path) -> None:
        super().__init__(f"sqlite:///{file}", patience=0.01)
        self.file = file
        self.pragma = "query_only=OFF"

    def write(self) -> AbstractContextManager[Session]:
        return self._ailing(super().write())

    def statement(self) -> AbstractContextManager[Session]:
        return self._ailing(super().statement())

    def claim(self) -> AbstractContextManager[Session]:
        return self._ailing(super().claim())

    @contextmanager
    def _ailing(self, transaction: AbstractContextManager[Session]) -> Iterator[Session]:
        with transaction as session:
            session.execute(text(f"PRAGMA {self.pragma}"))
            yield session


@contextmanager
def disk_full(_store: FailingStore) -> Iterator[None]:
    """Make the system reject every byte written to any file."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


@contextmanager
def read_only(store: FailingStore) -> Iterator[None]:
    """Make every write fail, as on a file system that was remounted after an error."""
    before, store.pragma = store.pragma, "query_only=ON"
    yield
    store.pragma = before
    with store.read() as session:
        session.execute(text(f"PRAGMA {before}"))


@contextmanager
def locked(store: FailingStore) -> Iterator[None]:
    """Lock the database from another program."""
    with closing(sqlite3.connect(store.file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield


@contextmanager
def not_a_folder(store: FailingStore) -> Iterator[None]:
    """Move the whole folder away, like a disk that is not mounted."""
    store.close()
    away = store.file.parent.with_name("away")
    store.file.parent.rename(away)
    yield
    store.close()
    away.rename(store.file.parent)


SUBJECTS: Final[dict[Fault, str]] = {
    read_only: "the database cannot be written",
    not_a_folder: "the database is gone",
}


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    built = build(settings(tmp_path), {})
    built.store.close()
    store = FailingStore(tmp_path / "state" / "referee.db")
    yield replace(built, store=store, accept_all=build_accept_all(store, built.site))
    store.close()


def post(folder: Path, number: int, place: str = "new") -> Path:
    """Write a letter into the Maildir, and return its file."""
    file = folder / "incoming" / place / f"{number}.host"
    file.write_bytes(letter(number, "HELP", "frodo@shire.example"))
    return file


@pytest.mark.slow
@pytest.mark.sqlite("failures of a file and its folder")
@pytest.mark.parametrize("fault", mostly_slow([disk_full, read_only, locked, not_a_folder]))
@pytest.mark.parametrize(
    "when", ["before it is taken in", "before it is answered", "before it is sent"]
)
def test_a_failing_database_stops_everything_and_loses_nothing(
    app: App, tmp_path: Path, fault: Fault, when: str
) -> None:
    store = app.store
    assert isinstance(store, FailingStore)
    daemon, now = Daemon(app), NOON
    daemon.step(now)
    post(tmp_path, 1)
    draft = post(tmp_path, 2, "tmp")
    if when != "before it is taken in":
        daemon.sources.take_in("orders", now)
    if when == "before it is sent":
        daemon.step(now + HOUR / 60)
    with fault(store):
        for minute in range(2, 42, 10):
            now = NOON + timedelta(minutes=minute)
            daemon.step(now)
            daemon.send(now)
        # It is reported past the outbox, unless nothing can be sent either.
        told = sent(tmp_path)
        assert [SUBJECTS[fault] in words for words in told] == [True] * (fault in SUBJECTS)
        draft.rename(tmp_path / "incoming" / "new" / draft.name)
    for minute in (70, 80):
        now = NOON + timedelta(minutes=minute)
        daemon.step(now)
        assert daemon.send(now)
    answers = [words for words in sent(tmp_path) if words not in told]
    players = [words for words in answers if "To: frodo@shire.example" in words]
    assert [sum(f"In-Reply-To: <{n}@" in words for words in players) for n in (1, 2)] == [1, 1]
    alerts = [" ".join(words.split()) for words in answers if "To: you@example.org" in words]
    (alert,) = [words for words in alerts if "The database could not be written from" in words]
    others = [words for words in alerts if "the database cannot be written" not in words]
    assert others == [alert]
    assert "No deadline had to be moved." in alert
    with store.read() as session:
        assert inbox.counts(session)[InboxState.READ] == 2
        assert outbox.counts(session)[OutboxState.WAITING] == 0
        assert outbox.counts(session)[OutboxState.FAILED] == 0
        assert stale_claims.owners(session) == frozenset()


class FailingTransport:
    """A mail transport that works, but the database fails with the first letter."""

    def __init__(self) -> None:
        self.taken: list[OutgoingMail] = []
        self.ruin = ExitStack()
        self.fault: AbstractContextManager[None] | None = None

    def send(self, dispatches: Sequence[OutgoingMail]) -> Generator[Attempt]:
        for dispatch in dispatches:
            self.taken.append(dispatch)
            if self.fault is not None:
                self.ruin.enter_context(self.fault)
                self.fault = None
            yield Attempt(dispatch, Delivery.SENT)


def without_alerts(sender: FailingTransport) -> list[str]:
    """Return the Message-IDs that were sent, without those past the outbox."""
    return [mail.message_id for mail in sender.taken if mail.number]


@pytest.mark.sampled
@pytest.mark.sqlite("failures of a file and its folder")
@pytest.mark.parametrize("fault", [disk_full, read_only, locked, not_a_folder])
def test_a_letter_that_was_sent_but_not_recorded_is_sent_once(
    app: App, tmp_path: Path, fault: Fault
) -> None:
    store, sender = app.store, FailingTransport()
    assert isinstance(store, FailingStore)
    daemon = Daemon(replace(app, sender=sender))
    for number in (1, 2, 3):
        post(tmp_path, number)
    daemon.step(NOON)
    sender.fault = fault(store)
    with sender.ruin:
        assert not daemon.send(NOON)
        # Its claim has expired by then, and there is no other daemon to take it.
        for minutes in (4, 7, 30):
            assert not daemon.send(NOON + timedelta(minutes=minutes))
        assert len(without_alerts(sender)) == 1
    assert daemon.send(NOON + timedelta(minutes=50))
    taken = without_alerts(sender)
    assert len(taken) == len(set(taken)) == 3
    # A locked database is reported past the outbox no more than a busy one.
    assert len(sender.taken) - len(taken) == (fault is not locked)
    with store.read() as session:
        counts = outbox.counts(session)
    assert (counts[OutboxState.SENT], counts[OutboxState.WAITING]) == (3, 0)


@pytest.mark.sampled
@pytest.mark.sqlite("failures of a file and its folder")
@pytest.mark.parametrize("is_started_anew", [False, True])
def test_a_failure_is_reported_once_over_many_restarts(
    app: App, tmp_path: Path, caplog: pytest.LogCaptureFixture, *, is_started_anew: bool
) -> None:
    daemon = Daemon(app)
    daemon.step(NOON)
    (tmp_path / "incoming").rename(tmp_path / "elsewhere")
    for minute in range(1, 52, 10):
        daemon = Daemon(app) if is_started_anew and minute in (21, 41) else daemon
        daemon.step(NOON + timedelta(minutes=minute))
        daemon.send(NOON + timedelta(minutes=minute))
    (alert,) = sent(tmp_path)
    assert "maildir:orders has failed since" in alert
    assert "".join(f"the folder {tmp_path}/incoming cannot be read".split()) in "".join(
        alert.replace("=\n", "").split()
    )
    assert "referee doctor imap maildir" in " ".join(alert.split())
    assert f"file={tmp_path}/incoming/new" in caplog.messages[0]


@pytest.mark.sqlite("failures of a file and its folder")
def test_an_unreadable_email_in_a_maildir_is_named_to_the_operator(
    app: App, tmp_path: Path
) -> None:
    daemon = Daemon(app)
    daemon.step(NOON)
    (tmp_path / "incoming" / "new" / "1.letter").symlink_to(tmp_path / "settings")
    post(tmp_path, 2)
    for minute in range(1, 52, 10):
        daemon.step(NOON + timedelta(minutes=minute))
        daemon.send(NOON + timedelta(minutes=minute))
    answer, alert = sent(tmp_path)
    assert "1.letter" not in answer
    named = f"{tmp_path}/incoming/new/1.letter: cannot be read: Too many levels of symbolic links"
    assert "".join(named.split()) in "".join(alert.replace("=\n", "").split())
