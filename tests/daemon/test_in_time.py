"""A letter that arrived before a deadline, by any way, is read before the turn ends."""

import re
import smtplib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from referee.app import App, build, build_accept
from referee.daemon import Daemon
from referee.desk.reception.intake import IntakeRegistration
from referee.domain.mail_transfer import IncomingMail
from referee.mail.imap import SETTLING, ImapMailbox
from referee.mail.imap_folder import ImapAccount
from referee.mail.security import Security
from referee.mail.smtpd import Receiver
from referee.store import moments
from referee.store.games import games
from referee.store.mail import inbox
from referee.store.models import Game
from tests.daemon.test_daemon import sent, settings
from tests.live.servers import until
from tests.mail.scripted_imap import ScriptedImap
from tests.support.new_letters import new_letter

SECOND = timedelta(seconds=1)
ARRIVAL = datetime(2026, 9, 17, 18, 59, tzinfo=UTC)
"""The arrival of a letter in the scripted mailbox, as given by the server."""
DEADLINE = ARRIVAL + 5 * SECOND
EARLY = DEADLINE - 3 * SECOND
"""The end of a turn in which everybody is ready, after the arrival and before the deadline."""
BEGINNING = DEADLINE - timedelta(hours=3)
OUTAGE = "[outage]\ngap_seconds = 7200\n"
CREATE = """CREATE STARWEB SEATS 2 DEADLINE "3 hours"
OPTION introduced=yes OPTION trust=address OPTION worlds=36"""


class House:
    """A referee with a Maildir and a mailbox that it rarely checks without a reason."""

    def __init__(self, folder: Path, server: ScriptedImap) -> None:
        self.folder, self.server, self.now = folder, server, BEGINNING
        account = ImapAccount(
            "games", "127.0.0.1", "referee", str, server.port, Security.NONE, poll_seconds=4 * 3600
        )
        self.box = ImapMailbox(
            replace(account, first_pause_seconds=0.01, longest_pause_seconds=0.01)
        )
        self.app: App = replace(build(settings(folder, OUTAGE)), mailboxes={"games": self.box})
        self.daemon = Daemon(self.app)

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Read the mailbox during the context."""
        stop = threading.Event()
        words = ("games", stop, lambda: self.now)
        watching = threading.Thread(target=self.daemon.sources.watch, args=words)
        watching.start()
        try:
            yield
        finally:
            stop.set()
            watching.join()
            self.app.close()

    def begin(self) -> None:
        """Start a game of two, and let most of its turn pass."""
        until("the mailbox is read", lambda: self.box.is_read)
        joining = [(name, f"JOIN SW-1 {name} AS Merchant") for name in ("frodo", "sam")]
        for number, (name, words) in enumerate([("you", CREATE), *joining]):
            raw = letter(name, number, words).decode()
            (self.folder / "incoming" / "new" / f"{number}.host").write_text(raw)
            self.pass_to(BEGINNING)
        for hours in (1, 2):
            self.pass_to(BEGINNING + timedelta(hours=hours))

    def pass_to(self, moment: datetime) -> None:
        """Advance to a moment, and take the steps of that time."""
        self.now = moment
        self.daemon.step(moment)
        self.daemon.send(moment)

    def game(self) -> Game:
        """Return the game as it is now."""
        with self.app.store.read() as session:
            (game,) = games.listing(session)
            return game

    def sheet(self, seat: str) -> list[str]:
        """Return the resolved orders of a seat for turn 1."""
        with self.app.store.read() as session:
            (game,) = games.listing(session)
            (number,) = (row.number for row in game.seats if row.name == seat)
            return list((games.turn_of(session, game, 1).sheets or {})[str(number)])

    def home(self, seat: str) -> str:
        """Return the home world of a seat from its first report."""
        (words,) = (words for words in sent(self.folder) if f"T1 {seat}]" in words)
        found = re.search(rf"^W(\d+) \([\d,]*\) \[{seat}\]", words, re.MULTILINE)
        assert found is not None
        return found[1]


def letter(name: str, number: int, words: str) -> bytes:
    domain = "example.org" if name == "you" else "shire.example"
    return new_letter(f"{name}@{domain}", number, words, BEGINNING)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with ScriptedImap({}) as server:
        house = House(tmp_path, server)
        with house.watched():
            house.begin()
            yield house


@pytest.mark.slow
def test_a_turn_waits_until_its_mailbox_was_checked(house: House) -> None:
    assert house.game().deadline_at == DEADLINE
    orders = f"W{house.home('FRODO')}B2P"
    house.server.inbox[1] = letter("frodo", 9, f"SW-1 T1 [FRODO]\r\n{orders}")
    looked = house.box.watermark
    for seconds in (0, 1):
        house.pass_to(DEADLINE + seconds * SECOND)
    assert (house.game().turn, house.box.watermark) == (1, looked)
    house.pass_to(DEADLINE + SETTLING + SECOND / 2)
    until("the letter is taken", lambda: house.server.moved == [1])
    until("the look has ended", lambda: (house.box.watermark or BEGINNING) > DEADLINE)
    house.pass_to(DEADLINE + SETTLING + SECOND)
    assert house.game().turn == 2
    assert house.sheet("FRODO") == [orders]


@pytest.mark.slow
def test_a_turn_waits_for_a_mailbox_that_cannot_be_read(house: House) -> None:
    house.server.is_closed = True
    house.box.look_soon()
    until("the mailbox is in trouble", lambda: not house.box.is_read)
    orders = f"W{house.home('FRODO')}B2P"
    house.server.inbox[1] = letter("frodo", 9, f"SW-1 T1 [FRODO]\r\n{orders}")
    # After a restart, the referee knows that the mailbox has not been checked since.
    for minutes in (1, 3, 8):
        house.daemon = Daemon(house.app)
        house.pass_to(DEADLINE + timedelta(minutes=minutes))
        assert house.game().turn == 1
    house.server.is_closed = False
    until("the letter is taken", lambda: house.server.moved == [1])
    until("the look has ended", lambda: (house.box.watermark or BEGINNING) > DEADLINE)
    house.pass_to(DEADLINE + timedelta(minutes=9))
    assert house.game().turn == 2
    assert house.sheet("FRODO") == [orders]


@pytest.mark.slow
def test_a_machine_that_slept_moves_deadlines_once(house: House) -> None:
    house.pass_to(DEADLINE - 30 * SECOND)
    orders = f"W{house.home('FRODO')}B2P"
    house.server.inbox[1] = letter("frodo", 9, f"SW-1 T1 [FRODO]\r\n{orders}")
    # It wakes, and works before the mailbox was checked again.
    awake = DEADLINE + timedelta(hours=8)
    house.pass_to(awake)
    # Half a turn is left.
    moved = awake + timedelta(minutes=90)
    assert (house.game().turn, house.game().deadline_at) == (1, moved)
    for minutes in range(5, 90, 5):
        house.pass_to(awake + timedelta(minutes=minutes))
    house.pass_to(moved + 10 * SECOND)
    until("the look has ended", lambda: (house.box.watermark or BEGINNING) > moved)
    house.pass_to(moved + 50 * SECOND)
    assert house.game().turn == 2
    assert house.sheet("FRODO") == [orders]


@pytest.mark.release
def test_no_turn_waits_forever_for_a_mailbox(house: House) -> None:
    house.server.is_closed = True
    house.box.look_soon()
    until("the mailbox is in trouble", lambda: not house.box.is_read)
    house.pass_to(DEADLINE)
    hours = 0
    while house.game().turn == 1:
        hours += 1
        house.pass_to(DEADLINE + timedelta(hours=hours))
    # The longest extension after an outage; the last check was three hours earlier.
    assert hours == 69
    alerts = [words for words in sent(house.folder) if "To: you@example.org" in words]
    told = [words for words in alerts if "imap:games has failed since" in words]
    assert len(told) == 1
    assert "A turn that falls due waits for the emails" in " ".join(told[0].split())
    (warned,) = [words for words in alerts if "Turn 1 waits." in words]
    assert "If we cannot for 3 days, the turn is resolved with the orders we have." in (
        " ".join(warned.split())
    )


@pytest.mark.slow
def test_a_turn_that_ends_early_waits_until_its_mailbox_was_checked(house: House) -> None:
    all_say_final(house)
    house.server.inbox[1] = letter("frodo", 9, "SW-1 T1 [FRODO]\r\nWAIT")
    for seconds in (0, 1):
        house.pass_to(EARLY + seconds * SECOND)
    assert house.game().turn == 1
    house.pass_to(EARLY + SETTLING + SECOND / 2)
    until("the look has ended", lambda: (house.box.watermark or BEGINNING) > EARLY)
    house.pass_to(EARLY + SETTLING + SECOND)
    assert (house.game().turn, house.game().ready_at) == (1, None)


@pytest.mark.slow
def test_two_daemons_end_a_turn_early_once_after_a_restart(house: House) -> None:
    all_say_final(house)
    # The first daemon has stopped. The others know the moment only from the database.
    house.app.taking.end()
    house.daemon, other = Daemon(house.app, "one:1"), Daemon(house.app, "two:2")
    assert house.daemon.next_due(house.now) == EARLY
    house.pass_to(EARLY - SECOND)
    other.step(EARLY - SECOND)
    assert house.game().turn == 1
    house.now = EARLY + SETTLING + SECOND
    house.box.look_soon()
    until("the look has ended", lambda: (house.box.watermark or BEGINNING) > EARLY)
    for daemon in (other, house.daemon, other):
        daemon.step(house.now)
        daemon.send(house.now)
    assert house.game().turn == 2
    reports = [words for words in sent(house.folder) if "T2 FRODO] report" in words]
    assert len(reports) == 1


def all_say_final(house: House) -> None:
    """Send FINAL for both players, so that the turn ends at ``EARLY``, before its deadline."""
    for number, seat in enumerate(("FRODO", "SAM"), 6):
        raw = letter(seat.lower(), number, f"SW-1 T1 [{seat}]\r\nFINAL")
        (house.folder / "incoming" / "new" / f"{number}.host").write_bytes(raw)
    house.pass_to(EARLY - timedelta(minutes=15))
    assert house.game().ready_at == EARLY


@pytest.mark.slow
def test_a_turn_waits_for_a_letter_being_received(house: House) -> None:
    orders = f"W{house.home('FRODO')}B2P"
    database_is_free = threading.Event()

    def accept(arrival: IncomingMail) -> None:
        assert database_is_free.wait(20)
        house.app.accept(arrival)

    house.now = DEADLINE
    receiver = Receiver(accept, clock=lambda: house.now, recipients=lambda address: True)
    receiver.start()
    house.daemon = Daemon(replace(house.app, receiver=receiver, mailboxes={}))
    raw = letter("frodo", 9, f"SW-1 T1 [FRODO]\r\n{orders}")
    to = ["games@example.org"]
    sending = threading.Thread(target=_send, args=(receiver.port, to, raw))
    sending.start()
    until("the letter has arrived", lambda: receiver.arriving_since == DEADLINE)
    house.pass_to(DEADLINE + SECOND)
    assert house.game().turn == 1
    database_is_free.set()
    sending.join()
    receiver.stop()
    assert receiver.arriving_since is None
    house.pass_to(DEADLINE + 2 * SECOND)
    assert house.game().turn == 2
    assert house.sheet("FRODO") == [orders]


def _send(port: int, recipients: list[str], raw: bytes) -> None:
    with smtplib.SMTP("127.0.0.1", port, timeout=20) as client:
        client.sendmail("frodo@shire.example", recipients, raw)


@pytest.mark.slow
def test_a_vote_waits_for_a_letter_being_received(house: House) -> None:
    (house.folder / "incoming" / "new" / "5.host").write_bytes(
        letter("sam", 5, "SW-1 T1 [SAM]\r\nVOTE EXTEND 1 day")
    )
    house.pass_to(DEADLINE - SECOND)
    with house.app.store.read() as session:
        assert moments.first(session, frozenset({"votes.closes_at"})) == DEADLINE
    house.server.inbox[1] = letter("frodo", 9, "SW-1 T1 [FRODO]\r\nVOTE EXTEND 1 day")
    for seconds in (0, 1, 3):
        house.pass_to(DEADLINE + seconds * SECOND)
    until("the look has ended", lambda: (house.box.watermark or BEGINNING) > DEADLINE)
    house.pass_to(DEADLINE + 4 * SECOND)
    assert (house.game().turn, house.game().deadline_at) == (1, DEADLINE + timedelta(days=1))


@pytest.mark.slow
def test_a_turn_waits_for_a_letter_in_the_pipe_of_a_mail_server(house: House) -> None:
    pipe = IntakeRegistration(house.app.store, lambda: house.now, "the pipe")
    house.now = DEADLINE
    pipe.tell(DEADLINE)
    orders = f"W{house.home('FRODO')}B2P"
    raw = letter("frodo", 9, f"SW-1 T1 [FRODO]\r\n{orders}")
    arrival = IncomingMail("pipe", "9", raw, DEADLINE + SECOND / 2, "frodo@shire.example")
    with house.app.store.write() as session:
        (game,) = games.listing(session)
        game.deadline_at = game.closes_at = DEADLINE + SECOND
    until("the mailbox is looked at", lambda: _is_looked_at(house))
    house.pass_to(house.now)
    assert house.game().turn == 1
    pipe.in_time(build_accept(house.app.store, house.app.site, check=pipe.check))(arrival)
    pipe.end()
    house.pass_to(house.now)
    assert house.game().turn == 2
    assert house.sheet("FRODO") == [orders]


@pytest.mark.slow
def test_letters_are_stored_even_if_the_clock_was_set_back(house: House) -> None:
    pipe = IntakeRegistration(house.app.store, lambda: house.now, "the pipe")
    house.now = DEADLINE
    pipe.tell(house.now)
    house.now -= timedelta(hours=2)
    arrival = IncomingMail(
        "pipe", "9", letter("frodo", 9, "HELP"), house.now, "frodo@shire.example"
    )
    receipt = pipe.in_time(build_accept(house.app.store, house.app.site, check=pipe.check))(arrival)
    with house.app.store.read() as session:
        kept = inbox.by_id(session, receipt)
    assert kept is not None
    assert kept.arrived_at == house.now


def _is_looked_at(house: House) -> bool:
    house.now += SECOND / 10
    house.box.look_soon()
    return (house.box.watermark or BEGINNING) > DEADLINE + 2 * SECOND
