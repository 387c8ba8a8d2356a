"""Concurrent workers: claims stay exclusive, even if a worker is killed."""

import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import chain
from pathlib import Path
from threading import Barrier
from time import sleep
from typing import TypeVar

import pytest

from referee.domain.mail_transfer import Attempt, Delivery
from referee.errors import ClaimLost
from referee.store import Store
from referee.store.games import games
from referee.store.letter_states import InboxState, OutboxState
from referee.store.mail import inbox, outbox
from referee.store.models import InboxLetter, OutboxLetter
from tests.live.servers import until
from tests.store.rows import (
    LEASE,
    NOW,
    a_letter,
    a_person,
    a_running_game,
    a_seat,
    an_answer,
    claim_due,
)

WORKERS = 4
ROOT = Path(__file__).parents[3]
T = TypeVar("T")


def _at_once(work: Callable[[int], T]) -> list[T]:
    """Start the workers at the same moment, and return their results."""
    barrier = Barrier(WORKERS, timeout=30)

    def begin(number: int) -> T:
        barrier.wait()
        return work(number)

    with ThreadPoolExecutor(WORKERS) as threads:
        return list(threads.map(begin, range(WORKERS), timeout=60))


def test_each_letter_is_read_by_one_worker(store: Store) -> None:
    with store.write() as session:
        numbers = [a_letter(session, str(n)).id for n in range(40)]

    def read(worker: int) -> list[int]:
        mine = []
        while (letter := _claim(store, str(worker))) is not None:
            with store.write() as session:
                inbox.conclude(session, letter, InboxState.READ, "", NOW)
            mine.append(letter.id)
        return mine

    assert sorted(chain(*_at_once(read))) == numbers


@pytest.mark.slow
@pytest.mark.every_case
def test_a_senders_letters_are_read_in_their_order_by_many_workers(store: Store) -> None:
    with store.write() as session:
        for n in range(30):
            a_letter(session, str(n), f"player{n % 3}@there")
    being_read: list[str] = []
    read_order: list[tuple[str, int]] = []
    overlaps: list[int] = []

    def read(worker: int) -> None:
        while _unread(store):
            letter = _claim(store, str(worker))
            if letter is not None:
                sender = letter.envelope_sender
                if sender in being_read:
                    overlaps.append(letter.id)
                being_read.append(sender)
                read_order.append((sender, letter.id))
                sleep(0.02)
                being_read.remove(sender)
                with store.write() as session:
                    inbox.conclude(session, letter, InboxState.READ, "", NOW)

    _at_once(read)
    senders = {sender for sender, _ in read_order}
    by_sender = {s: [n for sender, n in read_order if sender == s] for s in senders}
    assert by_sender == {sender: sorted(numbers) for sender, numbers in by_sender.items()}
    assert (len(read_order), overlaps) == (30, [])


def test_each_letter_is_sent_by_one_worker(store: Store) -> None:
    with store.write() as session:
        numbers = [an_answer(session, f"<{n}@here>").id for n in range(40)]

    def send(worker: int) -> list[int]:
        mine = []
        while letters := _claim_outgoing(store, NOW, LEASE):
            for letter in letters:
                with store.write() as session:
                    sent = Attempt(outbox.dispatch(letter), Delivery.SENT)
                    outbox.record(session, sent, letter.fence, NOW)
                mine.append(letter.id)
        return mine

    assert sorted(chain(*_at_once(send))) == numbers
    with store.read() as session:
        assert outbox.counts(session)[OutboxState.SENT] == 40


def test_a_due_game_is_adjudicated_by_one_worker(store: Store) -> None:
    with store.write() as session:
        for number in range(5):
            a_running_game(session, f"SW-{number}")

    def adjudicate(worker: int) -> list[str]:
        mine = []
        while (claim := _claim_game(store, str(worker))) is not None:
            with store.write() as session:
                game = games.claimed(session, *claim)
                game.turn += 1
                game.deadline_at = game.closes_at = NOW + timedelta(days=3)
                games.release(session, game)
                mine.append(game.name)
        return mine

    assert Counter(chain(*_at_once(adjudicate))) == {f"SW-{n}": 1 for n in range(5)}
    with store.read() as session:
        assert {game.turn for game in games.listing(session)} == {2}


def test_a_claim_lost_in_a_crash_is_not_mistaken_for_the_next_one(store: Store) -> None:
    with store.write() as session:
        a_running_game(session)
    forgotten = _claim_game(store, "first")
    assert forgotten is not None
    with store.write() as session:
        # Like after a crash of PostgreSQL, which can lose a claim.
        (game,) = games.listing(session)
        game.owner, game.lease_until, game.fence = None, None, game.fence - 1
    later = _claim_game(store, "second")
    assert later == forgotten
    with store.write() as session:
        game = games.claimed(session, *forgotten)
        game.turn += 1
        games.release(session, game)
    with pytest.raises(ClaimLost), store.write() as session:
        games.claimed(session, *later)


def test_a_letter_that_comes_twice_at_once_is_stored_once(store: Store) -> None:
    def keep(_worker: int) -> set[int]:
        found = set()
        for n in range(10):
            with store.write() as session:
                found.add(a_letter(session, str(n)).id)
        return found

    assert len(set.union(*_at_once(keep))) == 10
    with store.read() as session:
        assert inbox.counts(session)[InboxState.WAITING] == 10


def test_joining_twice_at_once_creates_one_person(store: Store) -> None:
    def enrol(_worker: int) -> int:
        with store.write() as session:
            return a_person(session).id

    assert len(set(_at_once(enrol))) == 1


def test_games_created_at_once_have_different_names(store: Store) -> None:
    def create(_worker: int) -> str:
        with store.write() as session:
            return a_running_game(session, games.next_name(session, "SW")).name

    with store.write() as session:
        a_person(session, "gandalf@there")
    assert sorted(_at_once(create)) == [f"SW-{n}" for n in range(1, WORKERS + 1)]


def test_sheets_filed_at_once_are_separate_revisions(store: Store) -> None:
    with store.write() as session:
        seat = a_seat(session, a_running_game(session))
        letters = [a_letter(session, str(n)) for n in range(WORKERS)]

    def file(worker: int) -> int:
        with store.write() as session:
            return games.file_sheet(session, seat, 1, letters[worker], [], NOW).revision

    assert sorted(_at_once(file)) == [1, 2, 3, 4]


@pytest.mark.slow
@pytest.mark.every_case
def test_a_letter_claimed_by_a_killed_sender_is_sent_once_by_the_next(shared_store: Store) -> None:
    with shared_store.write() as session:
        an_answer(session)
    with _killed_after(
        shared_store,
        "with store.write() as session:",
        "    outbox.claim(session, 'killed', datetime.now(UTC), timedelta(seconds=2), 9)",
        "said('claimed')",
    ):
        assert _claim_outgoing(shared_store, datetime.now(UTC), LEASE) == []
    taken: list[OutboxLetter] = []

    def take() -> bool:
        taken.extend(_claim_outgoing(shared_store, datetime.now(UTC), LEASE))
        return taken != []

    until("the killed sender's lease runs out", take)
    (letter,) = taken
    assert letter.fence == 2
    sent = Attempt(outbox.dispatch(letter), Delivery.SENT)
    with pytest.raises(ClaimLost), shared_store.write() as session:
        outbox.record(session, sent, 1, NOW)
    with shared_store.write() as session:
        outbox.record(session, sent, letter.fence, NOW)
    assert _claim_outgoing(shared_store, datetime.now(UTC) + LEASE, LEASE) == []


@pytest.mark.slow
@pytest.mark.every_case
def test_uncommitted_work_of_a_killed_reader_is_rolled_back(shared_store: Store) -> None:
    with shared_store.write() as session:
        a_letter(session)
    with _killed_after(
        shared_store,
        "with store.write() as session:",
        "    letter = inbox.next_waiting(session, 'killed', rows.NOW, timedelta(seconds=-1))",
        "with store.write() as session:",
        "    rows.an_answer(session)",
        "    inbox.conclude(session, letter, letter.state.READ, '', rows.NOW)",
        "    said('all but committed')",
    ):
        pass
    claim = _claim_at_last(shared_store, "next")
    assert (claim.attempts, claim.fence) == (2, 2)
    with shared_store.write() as session:
        assert outbox.counts(session)[OutboxState.WAITING] == 0
        an_answer(session)
        inbox.conclude(session, claim, InboxState.READ, "", NOW)
    with shared_store.read() as session:
        assert outbox.counts(session)[OutboxState.WAITING] == 1
        assert inbox.counts(session)[InboxState.READ] == 1


@contextmanager
def _killed_after(store: Store, *program: str) -> Iterator[None]:
    """Run a program on the same database, and kill it where it printed ``said``."""
    url = store.url.render_as_string(hide_password=False)
    lines = (
        "import sys, time",
        "from datetime import UTC, datetime, timedelta",
        "from referee.store import Store; from referee.store.mail import inbox, outbox",
        "from tests.store import rows",
        "def said(words):",
        "    sys.stdout.write(words + chr(10))",
        "    sys.stdout.flush()",
        "    time.sleep(60)",
        f"store = Store({url!r})",
        *program,
    )
    with subprocess.Popen(
        [sys.executable, "-c", "\n".join(lines)], stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as worker:
        assert worker.stdout is not None
        assert worker.stdout.readline() != ""
        worker.kill()
        worker.wait(timeout=10)
        yield


def _claim(store: Store, owner: str) -> InboxLetter | None:
    with store.write() as session:
        return inbox.next_waiting(session, owner, NOW, LEASE)


def _claim_at_last(store: Store, owner: str) -> InboxLetter:
    """Return the next letter, once the server has noticed that its reader is dead."""
    for _ in range(1000):
        if (claim := _claim(store, owner)) is not None:
            return claim
        sleep(0.05)
    pytest.fail("the letter of a dead reader cannot be claimed")


def _unread(store: Store) -> int:
    with store.read() as session:
        return inbox.counts(session)[InboxState.WAITING]


def _claim_outgoing(store: Store, now: datetime, lease: timedelta) -> list[OutboxLetter]:
    with store.write() as session:
        return outbox.claim(session, "sender", now, lease, 7)


def _claim_game(store: Store, owner: str) -> tuple[int, int] | None:
    with store.write() as session:
        game = claim_due(session, owner)
        return None if game is None else (game.id, game.fence)
