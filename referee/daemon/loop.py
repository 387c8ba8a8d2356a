"""The steps of the loop, each durable by itself: a kill between any two loses nothing."""

import threading
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from typing import Final, NamedTuple

from referee.app import App, retention_of
from referee.daemon import owner_id
from referee.daemon.alerts import Alerts
from referee.daemon.claim_recovery import take_over
from referee.daemon.game_steps import Find, GameSteps, InGame, by_agenda, found_by_agenda
from referee.daemon.heartbeat import Heartbeat
from referee.daemon.housekeeping import Housekeeping
from referee.daemon.inbox_reader import InboxReader
from referee.daemon.outbox_sender import OutboxSender
from referee.daemon.sources import Sources
from referee.daemon.supervisor import Supervisor
from referee.daemon.turn_pool import TurnPool, TurnThread
from referee.daemon.turn_queue import TurnQueue, carry_here
from referee.desk.base.desk import Desk
from referee.desk.base.site import Site
from referee.desk.due import operator_digest, timetable
from referee.desk.due.adjudication import DueCutoff
from referee.desk.games import reminders
from referee.desk.gm import game_setup
from referee.desk.players import address_changes, vote_results
from referee.desk.reports import daily_digest, press_delivery, public_reports
from referee.desk.seats import deputies, offers
from referee.errors import StoreError
from referee.store import Store
from referee.store.games import reminders as due_reminders
from referee.store.games.agenda import AgendaTopic
from referee.store.models import Game


class Daemon:
    """The loop on one installation, and what its steps work with; the time is always given.

    ``step`` and ``send`` may run in two threads; neither raises. What a step cannot do is logged
    with a reference number, and is tried again after a pause. Once *stopping* is set, both end
    after the letter or turn at hand, whatever else waits.
    """

    def __init__(self, app: App, owner: str = "") -> None:
        self.app, self.owner = app, owner or owner_id.ourselves()
        self.stopping = threading.Event()
        self.guard, self._sending = Supervisor(app.tally), Supervisor(app.tally)
        self.sources = Sources(app, self.owner, self.guard, self.stopping)
        self.heartbeat = Heartbeat(app, self.sources)
        self.alerts = Alerts(app, self.sources, self.heartbeat)
        self.inbox = InboxReader(app, self.owner, self.guard, self.stopping)
        self.games = GameSteps(app, self.guard, self.stopping)
        self.turns = TurnQueue(app, self.owner, self.stopping)
        self.lanes: TurnPool | None = None
        """Where turns are adjudicated; None does it in the step itself."""
        self.housekeeping = Housekeeping(app.store, retention_of(app.settings))
        self._outgoing = OutboxSender(app, self.owner, self._sending, self.stopping)
        self.round_seconds = 0.0
        """How long the last round of all steps took."""

    def take_over(self) -> None:
        """Give back what was claimed by a daemon of this machine that is gone.

        To be called before the first step. Claims of other machines run out by their lease.
        """
        self.guard.attempt(partial(take_over, self.app.store, self.owner), step="take over")

    def open_lanes(self, lanes: Sequence[TurnThread], done: Callable[[], None]) -> TurnPool:
        """Let turns be adjudicated beside the loop from now on, and call *done* after each."""
        self.lanes = TurnPool(self.turns, lanes, self.stopping, done)
        return self.lanes

    def step(self, now: datetime) -> None:
        """Take every step once, in the order that lets a letter count before its deadline."""
        begun = time.monotonic()
        self.sources.look(now)
        # What passed while we were away is moved before anybody looks whether it is due.
        if not self.guard.step("give a sign of life", partial(self.heartbeat.beat, now), now):
            self.heartbeat.miss()
            self.alerts.note_silence(now)
        for step in STEPS:
            if self.stopping.is_set():
                break
            self.guard.step(step.name, partial(step.work, self, now), now)
        self.round_seconds = time.monotonic() - begun

    def send(self, now: datetime) -> bool:
        """Send what is due, and return whether it went well, however the letters fared."""
        return self._sending.step("send", lambda: self._outgoing.send_due(now), now)

    def next_due(self, now: datetime) -> datetime | None:
        """Return the next moment at which a step has something to do; in the past if it waits.

        None when there is none, or when it cannot be known.
        """
        try:
            with self.app.store.read() as session:
                return timetable.next_due(Desk(session, self.app.site, now))
        except StoreError:
            # The steps meet the same trouble, and tell it.
            return None

    @property
    def silence(self) -> float:
        """How many seconds ago the steps, the lanes or the sending last gave a sign of going on."""
        lanes = 0.0 if self.lanes is None else self.lanes.silence
        return max(self.guard.silence, self._sending.silence, lanes)


Work = Callable[[Daemon, datetime], object]


class Step(NamedTuple):
    """A step of the loop, and the *reason* why it has its place in the round."""

    name: str
    work: Work
    reason: str


def _desk(use_case: Callable[[Desk], object]) -> Work:
    """Make a step of a use case that is one transaction."""

    def work(daemon: Daemon, now: datetime) -> object:
        with daemon.app.store.write() as session:
            return use_case(Desk(session, daemon.app.site, now))

    return work


def _desks(use_case: Callable[[Store, Site, datetime], object]) -> Work:
    """Make a step of a use case that opens its transactions itself."""
    return lambda daemon, now: use_case(daemon.app.store, daemon.app.site, now)


def _by_the_clock(work: Work) -> Work:
    """Leave the step out while the clock is in doubt."""
    return lambda daemon, now: None if daemon.heartbeat.is_doubtful else work(daemon, now)


def _in_games(name: str, find: Find, work: InGame) -> Work:
    """Make a step of what is done in one game after the other."""
    return lambda daemon, now: daemon.games.take(name, find, work, now)


def _looked_at(
    name: str, topic: AgendaTopic, use_case: Callable[[Desk, Game, datetime | None], object]
) -> Work:
    """Make a step of a use case for a game on the agenda that must know which letters are here."""

    def work(daemon: Daemon, now: datetime) -> None:
        read_until = daemon.heartbeat.read_until
        in_game = by_agenda(topic, lambda desk, game: use_case(desk, game, read_until))
        daemon.games.take(name, found_by_agenda(topic), in_game, now)

    return work


def _start_games(daemon: Daemon, now: datetime) -> None:
    topic = AgendaTopic.START
    work = by_agenda(topic, game_setup.start_if_full)
    daemon.games.start("start games", found_by_agenda(topic), work, now)


def _remind(daemon: Daemon, now: datetime) -> None:
    daemon.games.take("remind", due_reminders.due, reminders.remind_in, now)
    name = "remind of an absence"
    daemon.games.take(name, reminders.leaving, reminders.remind_leaving_in, now)


def _adjudicate(daemon: Daemon, now: datetime) -> None:
    """Adjudicate what is due; with lanes it is only begun."""
    heartbeat, app = daemon.heartbeat, daemon.app
    look = None if heartbeat.is_doubtful else DueCutoff(now, heartbeat.read_until)
    if daemon.lanes is not None:
        daemon.lanes.go(look)
        return
    daemon.turns.find(look)
    daemon.turns.take(daemon.guard, partial(carry_here, daemon.guard, app.store, app.site))


STEPS: Final = (
    Step(
        "look again",
        lambda daemon, now: daemon.sources.look_again(now),
        "What may lie in a mailbox since before a deadline is there with the next step.",
    ),
    Step(
        "read",
        lambda daemon, now: daemon.inbox.read_waiting(now),
        "What arrived before a deadline is on file before that deadline is looked at.",
    ),
    Step(
        "close votes",
        _looked_at("close votes", AgendaTopic.VOTES, vote_results.close_in),
        "A vote that is carried may move the deadline that is due.",
    ),
    Step(
        "deliver press",
        _desks(press_delivery.deliver_due),
        "A letter read just now may have taken a message back.",
    ),
    Step(
        "start games",
        _start_games,
        "The last player's letter may just have filled a game.",
    ),
    Step(
        "change deputies",
        _in_games(
            "change deputies",
            found_by_agenda(AgendaTopic.DEPUTIES),
            by_agenda(AgendaTopic.DEPUTIES, deputies.change_in),
        ),
        "Whose days begin or end with a deadline gets, or does not get, the report of that turn.",
    ),
    Step("adjudicate", _adjudicate, "All that counts before a deadline has been looked at."),
    Step(
        "offer seats",
        _by_the_clock(_looked_at("offer seats", AgendaTopic.OFFERS, offers.offer_in)),
        "What was just resolved may have been one turn missed too many.",
    ),
    Step(
        "remind",
        _by_the_clock(_remind),
        "Nobody is reminded of a turn that has just been adjudicated.",
    ),
    Step(
        "send daily letters",
        _desks(daily_digest.send_daily_letters),
        "What was written just now, and can wait, goes into the letter that is due.",
    ),
    Step(
        "end changes of address",
        _desks(address_changes.lapse),
        "A letter read just now may have confirmed one in time.",
    ),
    Step(
        "tell of troubles",
        lambda daemon, now: daemon.alerts.tell(now),
        "The ways in have been tried, and the turns that wait for none are adjudicated.",
    ),
    Step(
        "tell observers",
        _in_games(
            "tell observers",
            found_by_agenda(AgendaTopic.OBSERVERS),
            by_agenda(AgendaTopic.OBSERVERS, public_reports.report_in),
        ),
        "A turn that was just adjudicated has made one more report public.",
    ),
    Step(
        "tell the operator",
        _desk(operator_digest.send_digest),
        "The troubles of this round belong into the digest.",
    ),
    Step(
        "keep house",
        lambda daemon, now: daemon.housekeeping.keep(now),
        "By now nothing waits any more.",
    ),
)
"""What a round of the loop does, one after the other; *guard* keeps each from ending the loop."""
