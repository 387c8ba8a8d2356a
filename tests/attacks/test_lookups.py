"""A silent name server delays nobody but those who ask for it."""

import threading
from collections.abc import Iterator
from contextlib import closing

import pytest

from referee.daemon.inbox_reader import ANSWER_PAUSE, READING_LEASE
from referee.desk.reception import intake
from referee.domain.mail_transfer import IncomingMail
from referee.mail.dns import Lookups
from referee.store.games import games
from referee.store.letter_states import InboxState
from referee.store.mail import inbox
from referee.store.models import InboxLetter
from referee.testing.conversation import ADDRESS
from tests.attacks.siege import FRODO, KEY, Siege
from tests.letters.signing import signed


class Silence:
    """A name server that does not answer, and a clock that only the test moves."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.seconds, self._ended = 0.0, 0
        self._is_over, self._answers = threading.Event(), threading.Semaphore(0)
        self.lookups = Lookups(self._answers.release, self._ask, lambda: self.seconds)

    def _ask(self, name: str) -> None:
        self.asked.append(name)
        self._is_over.wait()

    def end(self) -> None:
        """Spend five seconds, and end every open question."""
        self.seconds += 5
        self._is_over.set()
        while self._ended < len(self.asked):
            self._answers.acquire()
            self._ended += 1


class Flood(Siege):
    """A siege with a silent name server, and letters that it would have to be asked about."""

    def __init__(self) -> None:
        self.server = Silence()
        super().__init__(self.server.lookups.records)

    def close(self) -> None:
        """End all threads."""
        self.server.end()
        super().close()

    def store_letters(self, count: int, domain: str = "evil.example") -> None:
        """Store letters of strangers, each signed with a key of its own that nobody can get."""
        for number in range(count):
            person = self.person(f"s{number}@{domain}")
            raw = person.letter(ADDRESS, "", "PLAY STARWEB\n", self.now, {})
            raw = signed(raw, domain).replace(b"s=s;", b"s=s%d;" % number)
            with self.store.write() as session:
                arrival = IncomingMail("flood", f"{domain} {number}", raw, self.now, "", ADDRESS)
                intake.accept(session, arrival, KEY)

    def questions(self) -> list[str]:
        """Return the strangers who were asked to confirm their letter."""
        return [name for name in self.people if any("confirm" in each for each in self.got(name))]

    def unread(self) -> int:
        with self.store.read() as session:
            return inbox.counts(session)[InboxState.WAITING]


@pytest.fixture
def flood() -> Iterator[Flood]:
    with closing(Flood()) as flood:
        yield flood


@pytest.mark.parametrize("count", [12, pytest.param(130, marks=pytest.mark.release)])
def test_a_silent_name_server_delays_no_player_and_no_turn(flood: Flood, count: int) -> None:
    flood.store_letters(count)
    with flood.store.write() as session:
        report = flood.last(FRODO, "T1")
        raw = flood.person(FRODO).reply(report, "STATUS\n", flood.now, {})
        arrival = IncomingMail("test", "reply", raw, flood.now, "", report.reply_to)
        number = intake.accept(session, arrival, KEY)
    flood.daemon.step(flood.now)
    with flood.store.read() as session:
        assert session.get_one(InboxLetter, number).state is InboxState.READ
    flood.later(days=6)
    assert flood.unread() == len(flood.server.asked) == 4
    with flood.store.read() as session:
        game = games.by_name(session, "SW-1")
        assert game is not None
        assert game.turn == 2


def test_strangers_without_an_answer_are_asked_to_confirm(flood: Flood) -> None:
    flood.store_letters(12)
    flood.later(seconds=1)
    assert len(flood.questions()) == 8
    flood.server.end()
    flood.later(seconds=1)
    assert flood.unread() == 0
    assert len(flood.questions()) == 12
    assert len(flood.server.asked) == 4


def test_letters_with_another_domain_are_looked_up(flood: Flood) -> None:
    flood.store_letters(12)
    flood.store_letters(1, "hobbiton.example")
    flood.later(seconds=1)
    assert flood.server.asked[4:] == ["s0._domainkey.hobbiton.example"]


@pytest.mark.sqlite("leases run by the clock of a PostgreSQL server")
def test_another_daemon_reads_a_letter_for_which_a_dead_one_asked(flood: Flood) -> None:
    flood.store_letters(1)
    flood.later(seconds=1)
    with flood.store.write() as session:
        claim = "another", flood.now + ANSWER_PAUSE, READING_LEASE
        assert inbox.next_waiting(session, "another", flood.now, READING_LEASE) is None
        letter = inbox.next_waiting(session, *claim)
        assert letter is not None
        assert letter.attempts == 1
