"""A referee that reads a Dovecot by IMAP and is killed before every change of each thread.

Its process is killed 33 times in all, and 112 times in a run with all examples. Letters go into the
mailbox while it is dead and while it waits for them, and answers go through Postfix.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pytest

from referee.store.letter_states import InboxState
from referee.store.mail import inbox
from referee.testing.correspondents import Received
from tests.live.dying import COMMIT, IDLE, SENT, Lives, lives
from tests.live.playing import SEATS, House, MailServers, Person, home_in, subject
from tests.support.examples import share

pytestmark = [
    pytest.mark.live,
    pytest.mark.slow,
    pytest.mark.sqlite("the commits that its driver tells"),
]

SHEETS: Final = 6
"""The order sheets of each player in a turn; FINAL follows."""
# Turns are resolved in the process that is killed, and every letter is answered.
MORE: Final = """
[adjudication]
workers = 0
[limits]
answers_an_hour = 10000
"""
FETCH, MOVE = "imaplib.send UID FETCH", "imaplib.send UID MOVE"
FOLDER, MAIL = "imaplib.send LIST", "smtplib.send MAIL"


@dataclass(frozen=True, slots=True)
class Kills:
    """The kills of a thread: before each change of a life, *times* over with all examples.

    The *worst* moments must be among them.
    """

    thread: str
    times: int
    changes: int
    worst: frozenset[tuple[str, str]]


# Letters that are fetched but not committed, committed but not moved, and moved.
READING: Final = Kills("games", 3, 16, frozenset({(FETCH, COMMIT), (FOLDER, MOVE), (MOVE, IDLE)}))
# Letters that are claimed but neither read nor answered.
ANSWERING: Final = Kills("ThreadPoolExecutor", 6, 5, frozenset({(COMMIT, COMMIT)}))
# Letters that are claimed but not sent, and sent but not recorded.
SENDING: Final = Kills("sender", 3, 10, frozenset({(MAIL, SENT), (SENT, COMMIT)}))
# Turns that are due but not claimed, and claimed but not resolved.
RESOLVING: Final = Kills("turn_thread", 2, 2, frozenset({("", COMMIT), (COMMIT, COMMIT)}))


@dataclass(slots=True)
class Play:
    """What the people write, letter by letter: sheets, and LIST between the turns."""

    house: House
    turn: int = 0
    orders: list[dict[str, list[str]]] = field(default_factory=list)
    """The last sheets of each turn."""
    _plan: list[tuple[Person, Received, str]] = field(default_factory=list)

    def write(self) -> None:
        """Write one letter into the mailbox of the referee."""
        if not self._plan and self._has_begun(self.turn + 1):
            self.begin_turn(SHEETS)
        if not self._plan:
            gm = self.house.gm
            self._plan.append((gm, gm.got("your game is open")[0], "LIST\n"))
        person, letter, body = self._plan.pop(0)
        person.reply_in_turn(letter, body)

    def begin_turn(self, sheets: int) -> None:
        """Plan the sheets of both players for the next turn."""
        self.turn += 1
        self.orders.append({seat: [] for seat in SEATS})
        for seat, player in self.house.players.items():
            report = self.house.report(seat, self.turn)
            home = home_in(report, seat)
            for number in range(sheets):
                self.orders[-1][seat] = [f"W{home}B{number + 1}P", f"W{home}B{self.turn}I"]
                self._plan.append((player, report, "\n".join(self.orders[-1][seat])))
            self._plan.append((player, report, "FINAL\n"))

    def finish_turn(self) -> None:
        """Write the rest of the turn, and wait for the reports of the next one."""
        while self._plan:
            self.write()
        for seat in SEATS:
            self.house.report(seat, self.turn + 1)

    def finish(self) -> None:
        """Finish the turn, and wait until all is read, answered and moved."""
        self.finish_turn()
        self.house.until_read()

    def _has_begun(self, turn: int) -> bool:
        players = self.house.players
        return all(players[seat].got(subject(turn, seat)) for seat in SEATS)


@dataclass(slots=True)
class Trial:
    """A referee that is killed again and again while people write to it."""

    referee: Lives
    play: Play
    doubts: int = 0
    """How many letters were sent without a record of it: each can come twice."""
    moments: set[tuple[str, str]] = field(default_factory=set)
    """The moments of the kills."""

    def live_until(self, deed: Callable[[], object]) -> None:
        """Kill the referee when a deed is done."""
        self.doubts += self.referee.live_until(deed).doubts

    def kill(self, kills: Kills) -> None:
        """Kill a thread as often as wanted."""
        for at in [*range(1, kills.changes + 1)] * share(kills.times):
            if kills is RESOLVING and at == 1:
                self.live_until(self.play.finish_turn)
                self.play.begin_turn(sheets=0)
            self.play.write()
            life = self.referee.live(kills.thread, at, self.play.write)
            self.moments.add(life.killed)
            self.doubts += life.doubts


@pytest.mark.release
@pytest.mark.parametrize("kills", [(READING,), (ANSWERING, RESOLVING), (SENDING,)])
def test_a_mailbox_is_read_exactly_once_whenever_the_referee_is_killed(
    mail_servers: MailServers, tmp_path: Path, kills: tuple[Kills, ...]
) -> None:
    house, log = House(mail_servers, tmp_path, more=MORE), tmp_path / "log"
    with lives(house.installation.file, log) as referee:
        trial = Trial(referee, Play(house))
        trial.live_until(lambda: house.begin("72 hours"))
        for each in kills:
            trial.kill(each)
        trial.live_until(trial.play.finish)
    assert "level=error" not in log.read_text()
    _check_letters(house, trial.doubts)
    _check_turns(house, trial.play)
    assert {moment for each in kills for moment in each.worst} <= trial.moments


def _check_letters(house: House, doubts: int) -> None:
    """Check that each letter was read, moved and answered once.

    Only a letter whose sending was not recorded can come again, as a copy.
    """
    written = sum(len(person.wrote) for person in house.people)
    read = {state: count for state, count in house.look(inbox.counts).items() if count}
    assert (read, house.done()) == ({InboxState.READ: written}, (0, written))
    copies = 0
    for person in house.people:
        got = person.letters()
        letters = {letter.message_id: letter for letter in got}
        assert all(letter.shown == letters[letter.message_id].shown for letter in got)
        copies += len(got) - len(letters)
        answers = Counter(letter.headers.get("In-Reply-To") for letter in letters.values())
        assert [answers[number] for number in person.wrote] == [1] * len(person.wrote)
    assert copies <= doubts


def _check_turns(house: House, play: Play) -> None:
    """Check that each turn was resolved once, from the last sheets, and reported once."""
    assert play.turn > 0
    assert [house.sheets(turn) for turn in range(1, play.turn + 1)] == play.orders
    assert "resolved again, identical" in house.command("replay", "SW-1").output
    for seat, player in house.players.items():
        reports = {letter.message_id: letter for letter in player.got("report")}
        found = [letter.subject.partition(",")[0] for letter in reports.values()]
        assert found == [subject(turn, seat) for turn in range(1, play.turn + 2)]
