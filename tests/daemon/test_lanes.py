"""Lanes and rounds: who is read first, and that no letter keeps the loop from its other steps."""

import math
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from referee.app import build
from referee.daemon.alerts import UNREAD_PATIENCE
from referee.daemon.inbox_reader import READING_LEASE, ROUND_LETTERS
from referee.desk.reception import intake
from referee.domain.mail_transfer import IncomingMail
from referee.letters.incoming.authentication import Unanswered
from referee.settings import load
from referee.store.games import games
from referee.store.letter_states import InboxState, Lane
from referee.store.mail import inbox
from referee.testing.conversation import ADDRESS, OPERATOR
from tests.attacks.siege import FRODO, KEY, MALLORY, SAM, Siege
from tests.daemon.test_metrics import SETTINGS
from tests.store.rows import GONE

SECOND = timedelta(seconds=1)


class Crowd(Siege):
    """A siege in which letters can be stored without being read."""

    def store_letter(self, sender: str, body: str, to: str = ADDRESS, **headers: str) -> int:
        """Store a letter that the next round reads, and return its number."""
        self._arrivals += 1
        raw = self.person(sender).letter(to, "", body, self.now, headers)
        arrival = IncomingMail("test", str(self._arrivals), raw, self.now, "", to)
        with self.store.write() as session:
            return intake.accept(session, arrival, KEY)

    def store_reply(self, address: str, body: str) -> int:
        """Store a reply to the first report to *address*."""
        return self.store_letter(address, body, self.last(address, "T1").reply_to)

    def store_strangers(self, count: int) -> list[int]:
        """Store letters of strangers, each from an address of its own."""
        return [self.store_letter(f"s{n}@evil.example", "LIST") for n in range(count)]

    def lanes(self, *numbers: int) -> list[Lane]:
        with self.store.read() as session:
            rows = [inbox.by_id(session, number) for number in numbers]
            return [Lane(row.lane) for row in rows if row is not None]

    def unread(self) -> list[int]:
        with self.store.read() as session:
            return sorted(row.id for row in inbox.listing(session, InboxState.WAITING, 1000))

    def round(self) -> None:
        """Take each step of the loop once."""
        self.daemon.step(self.now)

    def turn(self) -> int:
        with self.store.read() as session:
            game = games.by_name(session, "SW-1")
            assert game is not None
            return game.turn

    def hold(self, number: int) -> None:
        """Claim the only unread letter as another daemon does that never reads it."""
        with self.store.write() as session:
            claimed = inbox.next_waiting(session, "another", self.now, timedelta(days=30))
            assert claimed is not None
            assert claimed.id == number


@pytest.fixture
def crowd() -> Iterator[Crowd]:
    with closing(Crowd()) as crowd:
        yield crowd


def test_a_letter_is_in_the_lane_of_what_it_shows(crowd: Crowd) -> None:
    to, invented = crowd.last(FRODO, "T1").reply_to, ADDRESS.replace("@", f"+s-{'a' * 40}@")
    tagged = FRODO.replace("@", "+tag@")
    expected = {
        (FRODO, to): Lane.REPLIES,
        (tagged, to): Lane.REPLIES,
        (SAM, to): Lane.KNOWN,
        (MALLORY, to): Lane.KNOWN,
        (FRODO, ADDRESS): Lane.KNOWN,
        (tagged, ADDRESS): Lane.KNOWN,
        (MALLORY, ADDRESS): Lane.STRANGERS,
        (MALLORY, invented): Lane.STRANGERS,
    }
    numbers = [crowd.store_letter(sender, "STATUS", place) for sender, place in expected]
    assert crowd.lanes(*numbers) == list(expected.values())


def test_a_reply_is_read_before_the_letters_of_strangers(crowd: Crowd) -> None:
    strangers = crowd.store_strangers(ROUND_LETTERS + 20)
    crowd.store_letter(SAM, "STATUS")
    crowd.store_reply(FRODO, "STATUS")
    crowd.round()
    assert crowd.unread() == strangers[-22:]
    assert crowd.daemon.app.bell.is_set()
    crowd.round()
    assert crowd.unread() == []


def test_a_round_ends_with_a_stranger(crowd: Crowd) -> None:
    (stranger,) = crowd.store_strangers(1)
    known = [crowd.store_letter(SAM, "STATUS") for _ in range(ROUND_LETTERS)]
    crowd.round()
    assert stranger not in crowd.unread()
    assert crowd.unread() == known[-1:]


def test_a_round_ends_in_time(crowd: Crowd) -> None:
    strangers = crowd.store_strangers(40)
    crowd.daemon.inbox.seconds = -math.inf
    crowd.round()
    assert 0 < len(crowd.unread()) < len(strangers)
    assert crowd.daemon.app.bell.is_set()


@pytest.mark.parametrize(("is_stranger", "turn"), [(True, 2), (False, 1)])
def test_no_turn_waits_for_a_stranger(crowd: Crowd, turn: int, *, is_stranger: bool) -> None:
    sender = MALLORY if is_stranger else FRODO
    crowd.hold(crowd.store_letter(sender, "SW-1 T1 [FRODO]\nENDING 1000\n"))
    crowd.later(days=6)
    assert crowd.turn() == turn


def test_the_operator_is_alerted_once_to_a_lane_that_waits(crowd: Crowd) -> None:
    crowd.hold(crowd.store_letter(MALLORY, "LIST"))
    crowd.pass_to(crowd.now + UNREAD_PATIENCE)
    assert crowd.got(OPERATOR) == []
    for _ in range(3):
        crowd.pass_to(crowd.now + SECOND)
    (alert,) = crowd.got(OPERATOR)
    assert "emails from unknown addresses wait to be read" in alert


def test_the_bell_rings_when_a_name_server_has_answered(tmp_path: Path) -> None:
    file = tmp_path / "referee.toml"
    file.write_text(SETTINGS)
    with closing(build(load(file), {})) as app:
        # No server is asked about a name that is not valid.
        with pytest.raises(Unanswered):
            app.site.authenticator.lookup("a..b")
        assert app.bell.wait(30)
        assert app.site.authenticator.lookup("a..b") is None


def test_letters_that_a_dead_daemon_claimed_keep_their_lanes(crowd: Crowd) -> None:
    stranger, reply = crowd.store_letter(MALLORY, "LIST"), crowd.store_reply(FRODO, "STATUS")
    with crowd.store.write() as session:
        claimed = inbox.next_waiting(session, "dead", crowd.now, GONE)
        assert claimed is not None
        assert claimed.id == reply
    with crowd.store.write() as session:
        claim = session, "living", crowd.now, READING_LEASE
        found = [inbox.next_waiting(*claim) for _ in range(2)]
        assert [row.id for row in found if row is not None] == [reply, stranger]
