"""Turns adjudicated in a worker process, and failures of worker and daemon."""

import os
import time
from datetime import timedelta
from functools import partial
from pathlib import Path
from threading import Event

import pytest

from referee.app import build
from referee.clock import now
from referee.daemon import worker as module
from referee.daemon.supervisor import Supervisor
from referee.daemon.turn_queue import Ending, TurnQueue, TurnRun
from referee.daemon.worker import Worker, WorkerConfig
from referee.desk.due.adjudication import Claim, DueCutoff
from referee.desk.games.record import record_of
from referee.plugins import installed_rulesets
from referee.rules.extras import Strength
from referee.settings import load
from referee.store.games import games
from referee.store.letter_states import OutboxState
from referee.store.mail import digests
from referee.store.mail.digests import OwedKind
from referee.store.models import OutboxLetter
from tests.daemon.test_service import Playing
from tests.support.hanging import rules_that_hang
from tests.support.processes import is_running, wait_for
from tests.support.robotic import rules_that_name_their_process


class WithWorker(Playing):
    """A site with one worker, whose turns hang while the file ``hold`` exists."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.file.write_text(self.file.read_text() + "[adjudication]\nworkers = 1\n")
        self.hold = folder / "hold"
        self.reached = folder / "hold.reached"
        self.program = ("-m", "tests.support.hanging", str(self.file), str(self.hold))

    def hang(self) -> None:
        """End the turn, and wait until it hangs in the worker."""
        self.hold.touch()
        self.let_turn_end(0)
        wait_for(self.reached.exists)

    def reports(self) -> int:
        return sum("Subject: [SW-1 T2" in each and "report" in each for each in self.answers())


@pytest.fixture
def house(tmp_path: Path) -> WithWorker:
    return WithWorker(tmp_path)


def priority(pid: int) -> int:
    return os.getpriority(os.PRIO_PROCESS, pid)


@pytest.mark.slow
def test_a_worker_that_dies_is_replaced_and_its_turn_is_adjudicated(house: WithWorker) -> None:
    with house.running(house.program) as referee:
        wait_for(house.is_watched)
        house.hang()
        (worker,) = referee.workers()
        os.kill(worker, 9)
        house.hold.unlink()
        wait_for(lambda: house.turn()[0] == 2)
        wait_for(lambda: house.reports() == 2)
        assert referee.workers() != [worker]
        log = referee.stop()
    assert "finished=True" in log
    assert log.count('event="turn resolved"') == 1
    assert house.holders() == frozenset()


@pytest.mark.release
def test_a_letter_is_answered_while_a_turn_hangs(house: WithWorker) -> None:
    with house.running(house.program) as referee:
        wait_for(house.is_watched)
        house.hang()
        (worker,) = referee.workers()
        # It also gives the referee priority on the processor.
        assert priority(worker) == min(priority(referee.program.pid) + 10, 19)
        before = len(house.answers())
        house.write(1, "HELP")
        wait_for(lambda: len(house.answers()) > before)
        assert house.turn()[0] == 1
        house.hold.unlink()
        wait_for(lambda: house.turn()[0] == 2)


@pytest.mark.release
def test_a_turn_that_hangs_does_not_keep_the_referee_from_stopping(house: WithWorker) -> None:
    with house.running(house.program) as referee:
        wait_for(house.is_watched)
        house.hang()
        (worker,) = referee.workers()
        begun = time.monotonic()
        log = referee.stop()
        assert time.monotonic() < begun + 10
    assert "finished=False unfinished=turns" in log
    assert not is_running(worker)
    assert house.turn()[0] == 1
    # The next daemon need not wait for a lease to expire.
    assert house.holders() == frozenset()


@pytest.mark.release
def test_a_worker_does_not_outlive_its_daemon(house: WithWorker) -> None:
    with house.running(house.program) as referee:
        wait_for(house.is_watched)
        house.hang()
        (worker,) = referee.workers()
        referee.kill()
        wait_for(lambda: not is_running(worker))
    assert house.turn()[0] == 1


@pytest.mark.slow
def test_a_worker_reports_a_claim_taken_by_another_owner(tmp_path: Path) -> None:
    house = Playing(tmp_path)
    house.let_turn_end(0)
    worker = Worker(WorkerConfig(load(house.file), installed_rulesets, "error"), Supervisor())
    try:
        with house.opened() as store, store.write() as session:
            (game,) = games.listing(session)
            fence = game.fence
        claimed = Claim(game.id, fence + 1)
        assert worker.carry(claimed, now()).ending is Ending.LOST
        assert worker.carry(Claim(game.id, fence), now() + timedelta(1)) == TurnRun(Ending.DONE)
    finally:
        worker.stop()
    assert house.turn()[0] == 2


@pytest.mark.release
def test_a_robot_plays_in_the_worker(tmp_path: Path) -> None:
    house, file = Playing(tmp_path), tmp_path / "process"
    house.let_turn_end(0)
    with house.opened() as store, store.write() as session:
        (game,) = games.listing(session)
        game.seats[1].person, game.seats[1].robot = None, Strength.HARD
        claim = Claim(game.id, game.fence)
    rulesets = partial(rules_that_name_their_process, file)
    worker = Worker(WorkerConfig(load(house.file), rulesets, "error"), Supervisor())
    try:
        assert worker.carry(claim, now() + timedelta(1)) == TurnRun(Ending.DONE)
    finally:
        worker.stop()
    assert file.read_text() != str(os.getpid())
    with house.opened() as store, store.read() as session:
        (game,) = games.listing(session)
        record = record_of(session, game)
    assert len(record.turns[0].sheets["2"]) > 0
    assert record.turns[0].missed == [1]


@pytest.mark.slow
def test_a_hanging_turn_is_killed_and_its_game_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = WithWorker(tmp_path)
    house.hold.touch()
    house.let_turn_end(0)
    monkeypatch.setattr(module, "LONGEST_SECONDS", 1.0)
    app = build(load(house.file))
    terms = WorkerConfig(app.settings, partial(rules_that_hang, house.hold), "error")
    guard = Supervisor(app.tally)
    worker, turns = Worker(terms, guard), TurnQueue(app, "a daemon", Event())
    try:
        turns.find(DueCutoff(now() + timedelta(1)))
        assert turns.take(guard, worker.carry) == 0
    finally:
        worker.stop()
    with app.store.read() as session:
        (game,) = games.listing(session)
        assert (game.turn, game.stalls) == (1, 1)
        told = [row.kind for row in session.query(OutboxLetter) if row.state is OutboxState.WAITING]
    assert {"OperatorAlert", "GameChanged"} <= set(told)
    app.close()
    assert house.holders() == frozenset()


@pytest.mark.release
def test_an_atlas_that_is_owed_is_made_in_a_worker(house: WithWorker) -> None:
    with house.running(house.program) as referee:
        wait_for(house.is_watched)
        house.let_turn_end(0)
        wait_for(lambda: house.turn()[0] == 2)
        with house.opened() as store, store.write() as session:
            (game,) = games.listing(session)
            row = game.seats[0]
            assert row.person_id is not None
            digests.owe(session, row, row.person_id, OwedKind.ATLAS, digests.Times(now(), now()))
        wait_for(lambda: any("atlas of turn 2" in each for each in house.answers()))
        log = referee.stop()
    assert log.count('event="letter made"') == 1
