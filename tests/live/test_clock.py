"""A real daemon whose machine's clock jumps, by a library that changes the time."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import delete, select

from referee.clock import now
from referee.plugins import installed_rulesets
from referee.store import Store
from referee.store.database.base import Base
from referee.store.mail import heartbeats
from referee.store.mail.heartbeats import Heartbeat
from referee.store.models import LONG_AGO
from referee.testing.conversation import ADDRESS, OPERATOR, Conversation
from tests.daemon.test_service import Playing
from tests.live.servers import output, program
from tests.support.processes import wait_for

pytestmark = [pytest.mark.live, pytest.mark.slow, pytest.mark.sqlite("the file of a conversation")]

SOURCE = Path(__file__).with_name("jumping.c")
CONVERSATION = Path(__file__).parents[1] / "conversations" / "clock_ends_nothing.txt"
HOUR = timedelta(hours=1)
SECONDS = timedelta(seconds=3)


class Jumping(Playing):
    """A site whose daemon and workers see another time, by a library that is loaded with them."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__(folder)
        library = folder / "jumping.so"
        compiler = program("cc", "A C compiler", "gcc libc6-dev")
        output(compiler, "-shared", "-fPIC", "-Wall", "-Werror", "-o", library, SOURCE, "-ldl")
        self._ahead = folder / "ahead"
        self.jump(timedelta(0))
        monkeypatch.setenv("LD_PRELOAD", str(library))
        monkeypatch.setenv("CLOCK_AHEAD", str(self._ahead))

    def jump(self, ahead: timedelta) -> None:
        """Set the daemon's clock this far ahead of ours."""
        new = self._ahead.with_suffix(".new")
        new.write_text(f"{ahead.total_seconds():.0f}\n")
        new.rename(self._ahead)

    def told(self, words: str) -> int:
        """Return the number of letters with these words."""
        return sum(words in " ".join(letter.split()) for letter in self.answers())

    def use(self, database: Path) -> None:
        """Make the referee that of the conversation with this database."""
        settings = self.file.read_text().replace("games@example.org", ADDRESS)
        settings = settings.replace("you@example.org", OPERATOR)
        self.file.write_text(f'{settings}[database]\nurl = "sqlite:///{database}"\n')

    def beat_at(self) -> datetime:
        """Return the last heartbeat, by the daemon's clock."""
        with self.opened() as store, store.read() as session:
            heartbeat = heartbeats.of(session, heartbeats.DAEMON)
            return heartbeat.beat_at if heartbeat is not None else LONG_AGO


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Jumping:
    return Jumping(tmp_path, monkeypatch)


def test_a_clock_that_jumps_past_a_deadline_moves_it(house: Jumping) -> None:
    with house.running(house.command) as referee:
        wait_for(house.is_watched)
        due = house.let_turn_end(HOUR.total_seconds())
        house.jump(3 * HOUR)
        wait_for(lambda: house.turn()[1] != due)
        turn, moved = house.turn()
        assert turn == 1
        # Half a turn is left, an hour before the deadline as it was.
        assert due + 8 * HOUR <= moved <= due + 8 * HOUR + timedelta(seconds=4)
        words = "The referee was down for 3 hours, so it moved the deadline of turn 1"
        wait_for(lambda: house.told(words) == 3)
        log = referee.stop()
    assert "Traceback" not in log
    assert 'event="turn resolved"' not in log


@pytest.mark.release
def test_nothing_is_resolved_while_the_clock_is_in_doubt(
    house: Jumping,
) -> None:
    with house.running(house.command):
        wait_for(house.is_watched)
        house.jump(-2 * HOUR)
        went_back = now()
        wait_for(lambda: house.told("No turn is resolved for") == 1)
        # By the current clock, the turn is over.
        house.let_turn_end(-2 * HOUR.total_seconds() - 60)
        house.write(1, "HELP")
        wait_for(lambda: house.told("In-Reply-To: <1@example.org>") == 1)
        wait_for(lambda: house.turn()[0] == 2)
        assert now() - went_back >= timedelta(seconds=4)
        assert house.turn()[1] < datetime.now(UTC)
        assert house.told("No turn is resolved for") == 1


LATER = timedelta(days=12)
AS_BEFORE = (
    *("games", "seats", "deputies", "address_changes", "agenda"),
    *("reminded", "inbox", "sheets", "turns", "people", "pending_notices"),
)
"""The tables that a wrong clock leaves as they are."""


def rows_of(store: Store) -> dict[str, set[str]]:
    """Return the rows of the tables that a wrong clock leaves as they are."""
    with store.read() as session:
        tables = {name: Base.metadata.tables[name] for name in AS_BEFORE}
        return {
            name: {repr(row) for row in session.execute(select(table))}
            for name, table in tables.items()
        }


def prepared(store: Store, monkeypatch: pytest.MonkeyPatch) -> datetime:
    """Put what waits for its moment into the store; return the time that it is there.

    A game is to be called off, one starts on a day, one has a deputy and a reminder, one is on hold
    by a GM who plays; an email and a new address wait for a CONFIRM.
    """
    talk = CONVERSATION.read_text(encoding="utf-8").partition("=== the clock jumps")[0]
    monkeypatch.setattr(Conversation, "new_store", staticmethod(lambda: store))
    conversation = Conversation(installed_rulesets())
    # Three days before that deadline, the clock will be wrong.
    conversation.run(talk.replace('"20 days"', '"14 days"'))
    with store.write() as session:
        # Nobody has seen the time of the conversation.
        session.execute(delete(Heartbeat))
    return conversation.now


@pytest.mark.release
def test_a_clock_that_is_twelve_days_ahead_for_seconds_ends_and_starts_nothing(
    house: Jumping, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.use(house.folder / "state" / "talk.db")
    with house.opened() as store:
        then = prepared(store, monkeypatch)
        before = rows_of(store)
    usual = then - now()
    house.jump(usual)
    with house.running(house.command) as referee:
        wait_for(lambda: house.beat_at() > then)
        house.jump(usual + LATER)
        wait_for(lambda: house.told("outage of 12 days") == 1)
        ahead = house.beat_at()
        wait_for(lambda: house.beat_at() > ahead + SECONDS)
        house.jump(usual)
        wait_for(lambda: house.told("the clock was set") == 1)
        # Once the other clock is trusted again, the agenda of what moves back is looked at.
        with house.opened() as store:
            wait_for(lambda: house.beat_at() < then + LATER and rows_of(store) == before)
        log = referee.stop()
    assert "Traceback" not in log
    assert house.told(f"To: {OPERATOR}") == len(house.answers()) == 2
