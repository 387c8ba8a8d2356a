"""The database dies in the commit of a claim: the daemon cannot know its result."""

import uuid
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from threading import Event, Thread

import pytest
from sqlalchemy import text

from referee.app import App, build
from referee.clock import now
from referee.daemon import Daemon
from referee.daemon.outbox_sender import OutboxSender, letters_of
from referee.daemon.supervisor import Supervisor
from referee.daemon.turn_queue import TurnQueue, carry_here
from referee.desk.due.adjudication import DueCutoff
from referee.domain.mail_transfer import IncomingMail
from referee.errors import StoreUnreachable
from referee.settings import load
from referee.store import Store
from referee.store.games import games
from referee.store.letter_states import InboxState, OutboxState
from referee.store.mail import inbox, outbox, stale_claims
from tests.daemon.test_service import begin_a_game
from tests.live.gate import Gate
from tests.live.postgresql import Postgres
from tests.live.servers import until
from tests.support.processes import Installation

pytestmark = [pytest.mark.live, pytest.mark.own_database, pytest.mark.slow]

SETTINGS = """
[site]
address = "games@example.org"
operator = "you@example.org"
[sending]
kind = "maildir"
path = "sent"
[adjudication]
workers = 0
[database]
url = "{url}"
"""
LETTER = b"From: <you@example.org>\r\nMessage-ID: <1@example.org>\r\n\r\nHELP\r\n"


class House:
    """A referee that reaches its database through a gate, and the work waiting there."""

    def __init__(self, app: App, direct: Store, postgres: Postgres, gate: Gate) -> None:
        self.app, self.direct, self._postgres, self._gate = app, direct, postgres, gate

    def lose_the_answer(self, work: Callable[[], object]) -> None:
        """Stop the server after the first commit of *work*, and start it again."""
        troubles: list[Exception] = []
        self._gate.shut_after(b"COMMIT\0")
        working = Thread(target=_caught, args=(work, troubles))
        working.start()
        until("the commit was sent", lambda: not self._gate.is_open)
        until("it is done", lambda: self._owners() == {"ourselves"})
        # A claim is not on the disk at once, and could be lost.
        with self.direct.write() as session:
            session.execute(text("CHECKPOINT"))
        self._postgres.stop()
        self._postgres.start()
        self._gate.cut()
        working.join()
        assert [type(trouble) for trouble in troubles] == [StoreUnreachable]
        assert self._owners() == {"ourselves"}

    def _owners(self) -> frozenset[str]:
        with self.direct.read() as session:
            return stale_claims.owners(session)


def _caught(work: Callable[[], object], troubles: list[Exception]) -> None:
    try:
        work()
    except StoreUnreachable as trouble:
        troubles.append(trouble)


@pytest.fixture
def house(postgres: Postgres, tmp_path: Path) -> Iterator[House]:
    address = postgres.database(f"doubt{uuid.uuid4().hex}")
    with Gate(postgres.port) as gate:
        through = address.replace(f":{postgres.port}/", f":{gate.port}/")
        app = build(load(Installation(tmp_path, SETTINGS.format(url=through)).file))
        direct = Store(address)
        yield House(app, direct, postgres, gate)
        app.close()
        direct.close()


def test_a_letter_is_read_at_once(house: House) -> None:
    house.app.accept(IncomingMail("pipe", "1", LETTER, now()))
    daemon = Daemon(house.app, "ourselves")
    house.lose_the_answer(partial(daemon.inbox.read_waiting, now()))
    assert daemon.inbox.read_waiting(now()) == 1
    with house.direct.read() as session:
        assert inbox.counts(session)[InboxState.READ] == 1


def test_a_letter_is_sent_at_once(house: House, tmp_path: Path) -> None:
    house.app.accept(IncomingMail("pipe", "1", LETTER, now()))
    Daemon(house.app).inbox.read_waiting(now())
    sending = OutboxSender(house.app, letters_of(house.app), "ourselves", Supervisor(), Event())
    house.lose_the_answer(partial(sending.send_due, now()))
    assert sending.send_due(now()) == 1
    with house.direct.read() as session:
        assert outbox.counts(session)[OutboxState.SENT] == 1
    assert len(list((tmp_path / "sent" / "new").iterdir())) == 1


def test_a_turn_is_adjudicated_at_once(house: House) -> None:
    with house.app.store.write() as session:
        begin_a_game(house.app.site, session)
        (game,) = games.listing(session)
        game.deadline_at = game.closes_at = now()
    guard, turns = Supervisor(), TurnQueue(house.app, "ourselves", Event())
    take = partial(turns.take, guard, partial(carry_here, guard, house.app.store, house.app.site))
    turns.find(DueCutoff(now()))
    house.lose_the_answer(take)
    turns.find(DueCutoff(now()))
    assert take() == 1
    with house.direct.read() as session:
        (game,) = games.listing(session)
        assert (game.turn, game.owner) == (2, None)
