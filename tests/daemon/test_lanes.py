"""Lanes and rounds: who is read first, and that no letter keeps the loop from its other steps."""

import logging
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from referee.app import build
from referee.daemon.alerts import UNREAD_PATIENCE
from referee.daemon.heartbeat import BEAT
from referee.daemon.inbox_reader import READING_LEASE, ROUND_LETTERS
from referee.desk.base import ledger
from referee.desk.base.desk import Desk
from referee.desk.reception import intake
from referee.domain.mail_transfer import IncomingMail
from referee.domain.shares import SHARES, SIZES, Charge, Key, Thing
from referee.letters.incoming.authentication import Unanswered
from referee.settings import load
from referee.store.games import games
from referee.store.letter_states import InboxState, Lane
from referee.store.mail import inbox, levels
from referee.testing.conversation import ADDRESS, OPERATOR
from referee.testing.correspondents import MAIL_SERVER, proven
from tests.attacks.siege import FRODO, KEY, MALLORY, SAM
from tests.attacks.test_codes import with_code
from tests.attacks.test_costs import Clocked
from tests.daemon.test_metrics import SETTINGS
from tests.store.rows import GONE
from tests.support.examples import share

SECOND = timedelta(seconds=1)
READING = Thing.READING


class Crowd(Clocked):
    """A siege in which letters can be stored without being read, with a processor clock."""

    def store_letter(self, sender: str, body: str, to: str = ADDRESS, **headers: str) -> int:
        """Store a letter that the next round reads, and return its number."""
        return self._store(self.person(sender).letter(to, "", body, self.now, headers), to)

    def store_signed(self, sender: str, body: str) -> int:
        """Store a letter that the provider of its sender has signed."""
        return self._store(proven(self.person(sender).letter(ADDRESS, "", body, self.now, {})))

    def _store(self, raw: bytes, to: str = ADDRESS) -> int:
        self._arrivals += 1
        arrival = IncomingMail("test", str(self._arrivals), raw, self.now, "", to)
        with self.store.write() as session:
            return intake.accept(session, arrival, KEY)

    def store_reply(self, address: str, body: str) -> int:
        """Store a reply to the first report to *address*."""
        return self.store_letter(address, body, self.last(address, "T1").reply_to)

    def store_strangers(self, count: int) -> list[int]:
        """Store letters of strangers, each from an address of its own."""
        return [self.store_letter(f"s{n}@evil.example", "LIST") for n in range(count)]

    def flood(self, count: int) -> None:
        """Store so many letters at once. After the deadline, every tenth claims to be Sam's."""
        is_late = self.now > self.due()
        with self.store.write() as session:
            for n in range(count):
                sender = SAM if is_late and n % 10 == 0 else f"s{n}@evil.example"
                raw = self.person(sender).letter(ADDRESS, "", "LIST", self.now, {})
                arrival = IncomingMail("flood", str(n), raw, self.now, "", ADDRESS)
                intake.accept(session, arrival, KEY)

    def due(self) -> datetime:
        """Return the deadline of the game."""
        with self.store.read() as session:
            game = games.by_name(session, "SW-1")
            assert game is not None
            assert game.deadline_at is not None
            return game.deadline_at

    def lanes(self, *numbers: int) -> list[Lane]:
        with self.store.read() as session:
            rows = [inbox.by_id(session, number) for number in numbers]
            return [Lane(row.lane) for row in rows if row is not None]

    def reading(self) -> Mapping[Key, int]:
        """Return the milliseconds of reading that are spent, by who spent them."""
        with self.store.read() as session:
            found = levels.levels(session, SIZES, self.now)
            return {each.share.key: each.used for each in found if each.share.thing is READING}

    def use_up(self, **payers: str) -> None:
        """Spend so much reading that nothing is left for these payers."""
        with self.store.write() as session:
            desk, most = Desk(session, self.daemon.app.site, self.now), 20_000
            while ledger.refusal(desk, _reading(payers)) is None:
                ledger.book(desk, replace(_reading(payers), amount=most))

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

    def orders_of(self, seat: str, turn: int) -> Sequence[object]:
        """Return the orders on file for a seat in a turn."""
        with self.store.read() as session:
            game = games.by_name(session, "SW-1")
            assert game is not None
            row = next(row for row in game.seats if row.name == seat)
            sheet = games.sheet_of(session, row, turn)
            return [] if sheet is None else sheet.orders

    def hold(self, number: int) -> None:
        """Claim the only unread letter as another daemon does that never reads it."""
        with self.store.write() as session:
            claimed = inbox.next_waiting(session, "another", self.now, timedelta(days=30))
            assert claimed is not None
            assert claimed.id == number


def _reading(payers: Mapping[str, str]) -> Charge:
    return Charge(READING, {Key[name]: whose for name, whose in payers.items()})


@pytest.fixture
def crowd() -> Iterator[Crowd]:
    with closing(Crowd(authserv_ids=frozenset({MAIL_SERVER}))) as crowd:
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


@pytest.mark.slow
def test_a_reply_is_read_before_the_letters_of_strangers(crowd: Crowd) -> None:
    strangers = crowd.store_strangers(ROUND_LETTERS + 20)
    crowd.store_letter(SAM, "STATUS")
    crowd.store_reply(FRODO, "STATUS")
    crowd.round()
    assert crowd.unread() == strangers[-22:]
    assert crowd.daemon.app.bell.is_set()
    crowd.round()
    assert crowd.unread() == []


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.parametrize(("is_stranger", "turn"), [(True, 2), (False, 1)])
def test_no_turn_waits_for_a_stranger(crowd: Crowd, turn: int, *, is_stranger: bool) -> None:
    sender = MALLORY if is_stranger else FRODO
    crowd.pass_to(crowd.due() - SECOND)
    crowd.hold(crowd.store_letter(sender, "SW-1 T1 [FRODO]\nENDING 1000\n"))
    crowd.later(hours=1)
    assert crowd.turn() == turn


def test_the_operator_is_alerted_once_to_a_lane_that_waits(crowd: Crowd) -> None:
    crowd.hold(crowd.store_letter(MALLORY, "LIST"))
    crowd.pass_to(crowd.now + UNREAD_PATIENCE)
    assert crowd.got(OPERATOR) == []
    for _ in range(3):
        crowd.pass_to(crowd.now + BEAT)
    (alert,) = crowd.got(OPERATOR)
    assert "emails from unknown addresses wait to be read" in alert


@pytest.mark.slow
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


def test_whose_share_of_reading_is_used_up_is_read_last_in_the_lane(
    crowd: Crowd, caplog: pytest.LogCaptureFixture
) -> None:
    crowd.use_up(ANYBODY="")
    forged = crowd.store_strangers(3)
    strange = crowd.store_signed(MALLORY, "LIST")
    unsigned = crowd.store_letter(FRODO, "STATUS")
    known = crowd.store_signed(SAM, "STATUS")
    reply = crowd.store_reply(FRODO, "WHO")
    caplog.set_level(logging.INFO, "referee.daemon.inbox_reader")
    crowd.round()
    read = [int(number) for number in re.findall(r'"letter read" letter=(\d+)', caplog.text)]
    assert [each for each in read if each in (known, unsigned)] == [known, unsigned]
    assert [each for each in read if each in (strange, *forged)] == [strange, *forged]
    # Anybody can write the address of a player, so what is read last holds up no reply of theirs.
    assert read.index(reply) < read.index(unsigned)


def test_only_the_reading_of_what_proves_no_person_is_charged(crowd: Crowd) -> None:
    crowd.tick = 0.01
    crowd.store_reply(FRODO, "STATUS")
    crowd.store_signed(SAM, "STATUS")
    crowd.round()
    assert crowd.reading() == {}
    crowd.store_letter(SAM, "STATUS")
    crowd.round()
    claimed = crowd.reading()[Key.CLAIMED]
    assert claimed > 0
    assert crowd.reading() == dict.fromkeys((Key.CLAIMED, Key.ANYBODY, Key.SITE), claimed)
    crowd.store_signed(MALLORY, "LIST")
    crowd.round()
    spent = crowd.reading()
    assert spent[Key.DOMAIN] == spent[Key.SITE] - claimed > 0


def test_what_is_read_last_costs_nothing(crowd: Crowd) -> None:
    crowd.tick = 0.01
    crowd.use_up(ANYBODY="")
    spent = crowd.reading()
    crowd.store_strangers(9)
    crowd.round()
    assert crowd.unread() == []
    assert crowd.reading() == spent


def test_what_costs_too_much_is_charged_whole(crowd: Crowd) -> None:
    crowd.tick = 3.0
    crowd.store_letter(SAM, "LIST\nHELP\n")
    crowd.round()
    assert crowd.reading()[Key.CLAIMED] == 2000


def own_letter(crowd: Crowd, proof: str, order: str) -> int:
    """Store a letter of Frodo's with a proof, among those that are forged with Frodo in From."""
    match proof:
        case "reply":
            return crowd.store_reply(FRODO, order)
        case "signature":
            return crowd.store_signed(FRODO, f"SW-1 T1 [FRODO]\n{order}")
        case _:
            return crowd.store_letter(FRODO, with_code(crowd.code(FRODO), order))


@pytest.mark.slow
@pytest.mark.parametrize("proof", ["reply", "signature", "code"])
def test_a_turn_waits_for_proven_orders_and_not_for_forged_ones_above_their_share(
    crowd: Crowd, proof: str
) -> None:
    deadline = crowd.due()
    crowd.pass_to(deadline - SECOND)
    crowd.use_up(CLAIMED=FRODO)
    forged = [
        crowd.store_letter(FRODO, f"SW-1 T1 [FRODO]\nENDING {number}\n")
        for number in range(ROUND_LETTERS + 20)
    ]
    own = own_letter(crowd, proof, "ENDING 7000\n")
    crowd.now = deadline + SECOND
    rounds = 0
    while crowd.turn() == 1:
        crowd.round()
        rounds += 1
    assert rounds <= 2
    assert own not in crowd.unread()
    assert {*forged} & {*crowd.unread()}
    assert crowd.orders_of("FRODO", turn=1) == ["ENDING 7000"]


@pytest.mark.slow
def test_forged_letters_delay_a_turn_by_no_more_than_their_share(crowd: Crowd) -> None:
    deadline, (_, share, *_) = crowd.due(), SHARES[READING]
    crowd.pass_to(deadline - SECOND)
    crowd.tick = 0.02
    forged = [
        crowd.store_letter(FRODO, f"SW-1 T1 [FRODO]\nENDING {number}\n")
        for number in range(2 * ROUND_LETTERS)
    ]
    crowd.now = deadline + SECOND
    while crowd.turn() == 1:
        crowd.round()
    spent = crowd.reading()[Key.CLAIMED]
    dearest = spent // (len(forged) - len(crowd.unread()))
    assert share.hour <= spent <= share.hour + 3 * dearest


@pytest.mark.release
@pytest.mark.parametrize("before", [True, False])
def test_a_turn_that_is_due_in_thousands_of_letters_is_resolved_in_a_round(
    crowd: Crowd, *, before: bool
) -> None:
    deadline = crowd.due()
    crowd.pass_to(deadline - SECOND)
    crowd.now = deadline - SECOND if before else deadline + SECOND
    crowd.flood(share(10_000))
    crowd.now = deadline + 2 * SECOND
    crowd.round()
    assert crowd.turn() == 2
    assert crowd.unread()


@pytest.mark.slow
def test_a_turn_that_is_due_is_resolved_in_a_flood(crowd: Crowd) -> None:
    deadline = crowd.due()
    crowd.pass_to(deadline - SECOND)
    strangers = crowd.store_strangers(5)
    crowd.now = deadline + SECOND
    forged = [crowd.store_letter(SAM, "STATUS") for _ in range(ROUND_LETTERS + 5)]
    crowd.round()
    assert crowd.turn() == 2
    assert {*crowd.unread()} & {*strangers}
    assert {*crowd.unread()} & {*forged}
