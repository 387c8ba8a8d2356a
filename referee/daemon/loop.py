"""The steps of the loop, each durable: a crash between two steps loses nothing."""

import logging
import threading
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import datetime, timedelta
from functools import cache, partial
from threading import Event
from typing import Final, NamedTuple

from referee.app import App, retention_of
from referee.daemon import claim_owners
from referee.daemon.alerts import Alerts, DatabaseAlerts
from referee.daemon.claim_owners import reclaim_stale_claims
from referee.daemon.heartbeat import Heartbeat
from referee.daemon.housekeeping import Housekeeping
from referee.daemon.inbox_reader import InboxReader
from referee.daemon.logs import line
from referee.daemon.outbox_sender import OutboxSender, call_outs_of, letters_of
from referee.daemon.owed_queue import OwedQueue
from referee.daemon.publisher import BookSender, Publisher
from referee.daemon.sources import Sources
from referee.daemon.supervisor import Failure, Supervisor
from referee.daemon.turn_pool import TurnPool, TurnThread
from referee.daemon.turn_queue import OUTAGES, TurnQueue, carry_here
from referee.desk.base.desk import Desk, Site
from referee.desk.base.faults import Part
from referee.desk.due import operator_digest, stalled_turns, zone_changes
from referee.desk.due.adjudication import DueCutoff
from referee.desk.games import hold_limits, reminders
from referee.desk.gm import game_start
from referee.desk.players import address_changes, vote_results
from referee.desk.reports import daily_digest, press_delivery, public_reports
from referee.desk.seats import deputies, standbys
from referee.errors import StoreError
from referee.store import Session, Store, moments
from referee.store.games import agenda
from referee.store.games import reminders as due_reminders
from referee.store.games.agenda import AgendaTopic
from referee.store.mail import inbox
from referee.store.models import Game
from referee.store.moments import BY_THEMSELVES

Find = Callable[[Session, datetime], Iterable[int]]
"""Returns the ids of the games that have something to do now."""
InGame = Callable[[Desk, int], object]
"""Does the step in one game, in the caller's transaction."""


def found_by_agenda(topic: AgendaTopic) -> Find:
    """Return a function that finds the games whose check of a topic is due."""
    return lambda session, now: agenda.due(session, topic, now)


def by_agenda(topic: AgendaTopic, use_case: Callable[[Desk, Game], object]) -> InGame:
    """Return the step in one game for a use case of an agenda topic."""

    def work(desk: Desk, number: int) -> None:
        game = agenda.look_at(desk.session, number, topic, desk.now)
        if game is not None:
            use_case(desk, game)

    return work


class GameSteps:
    """Takes steps until *stopping*, each game in a transaction: if one fails, the others go on."""

    def __init__(self, app: App, guard: Supervisor, stopping: Event) -> None:
        self._app, self._guard, self._stopping = app, guard, stopping

    def take(self, name: str, find: Find, work: InGame, now: datetime) -> None:
        """Take a step in every game found; a failing game backs off and the operator is notified.

        Raises database errors, which are not the fault of a game.
        """
        for number in self._found(find, now):
            failure = self._guard.step_in_game(name, number, self._one(work, number, now), now)
            if failure is not None:
                self._raise_outage(failure)
                self._notify(
                    partial(stalled_turns.report_failed_step, step=name), number, failure, now
                )

    def start(self, name: str, find: Find, work: InGame, now: datetime) -> None:
        """Start the games found; a failing game stalls as in a failed turn.

        Raises database errors like ``take``.
        """
        for number in self._found(find, now):
            failure = self._guard.attempt(self._one(work, number, now), step=name, game=number)
            if failure is not None:
                self._raise_outage(failure)
                with self._app.store.write() as session:
                    stalled_turns.set_start_aside(session, number, now)
                self._notify(stalled_turns.report_stall, number, failure, now)

    def _found(self, find: Find, now: datetime) -> Iterable[int]:
        with self._app.store.read() as session:
            numbers = list(find(session, now))
        return (number for number in numbers if not self._stopping.is_set())

    def _one(self, work: InGame, number: int, now: datetime) -> Callable[[], None]:
        def one() -> None:
            with self._app.store.write() as session:
                desk = Desk(session, self._app.site, now)
                work(desk, number)
            self._guard.note_spared(desk.faults)

        return one

    def _raise_outage(self, failure: Failure) -> None:
        if isinstance(failure.error, OUTAGES):
            raise failure.error

    def _notify(
        self,
        tell: Callable[[Desk, int, str], None],
        number: int,
        failure: Failure,
        now: datetime,
    ) -> None:
        def notify() -> None:
            with self._app.store.write() as session:
                tell(Desk(session, self._app.site, now), number, failure.reference)

        # The failure may be in the notices themselves.
        self._guard.attempt(notify, game=number)


log = logging.getLogger(__name__)


def no_system_says_so(_now: datetime) -> bool:
    """Return False: in tests and demonstrations no system vouches for the time."""
    return False


class Daemon:
    """The loop of one site and the objects for its steps; the caller passes the time.

    ``step``, ``send`` and ``call_out`` can run in three threads; none raises. A failed step is
    logged with a reference number and retried after a pause. Once *stopping* is set, they end after
    the current letter or turn.
    """

    def __init__(
        self,
        app: App,
        owner: str = "",
        is_synchronised: Callable[[datetime], bool] = no_system_says_so,
    ) -> None:
        self.app, self.owner = app, owner or claim_owners.own()
        self.stopping = threading.Event()
        self.guard, self._sending = Supervisor(app.tally), Supervisor(app.tally)
        self.sources = Sources(app, self.owner, self.guard, self.stopping)
        self.heartbeat = Heartbeat(app, self.sources, is_synchronised)
        self.alerts = Alerts(app, self.sources, self.heartbeat)
        self.inbox = InboxReader(app, self.owner, self.guard, self.stopping)
        self.games = GameSteps(app, self.guard, self.stopping)
        self.turns = TurnQueue(app, self.owner, self.stopping)
        self.owed = OwedQueue(app, self.stopping)
        self.turn_pool: TurnPool | None = None
        """Where turns are adjudicated; None means in the step itself."""
        self.housekeeping = Housekeeping(app.store, retention_of(app.settings))
        self._outgoing = OutboxSender(
            app, letters_of(app), self.owner, self._sending, self.stopping
        )
        self._calling = Supervisor(app.tally)
        self._call_outs = OutboxSender(
            app, call_outs_of(app), self.owner, self._calling, self.stopping
        )
        self._database_alerts = DatabaseAlerts(app)
        self.books = BookSender(app, self.guard)
        pages = app.settings.pages
        self.publisher = (
            Publisher(app.store, app.site, pages.folder, self.guard) if pages is not None else None
        )
        """The writer of the web pages; None if the site has none."""
        self.digest_sent: datetime | None = None
        """The morning whose operator's digest was sent, or had nothing to report."""
        self.round_seconds = 0.0
        """The duration of the last round of all steps."""

    def reclaim_stale_claims(self) -> None:
        """Release the claims of dead daemons on this machine.

        Call it before the first step. Claims of other machines expire with their leases.
        """
        self.guard.attempt(
            partial(reclaim_stale_claims, self.app.store, self.owner), step="release stale claims"
        )

    def keep_local_hours(self, now: datetime) -> None:
        """Keep the local hours of deadlines after new time zone data, which come with a restart.

        Call it before the first step.
        """
        self.guard.attempt(partial(self._keep_local_hours, now), step="keep local hours")

    def _keep_local_hours(self, now: datetime) -> None:
        with self.app.store.write() as session:
            moved = zone_changes.keep_hours(Desk(session, self.app.site, now))
        if moved:
            log.info("%s", line("deadlines follow new zone data", games=",".join(moved)))

    def open_turn_pool(self, threads: Sequence[TurnThread], done: Callable[[], None]) -> TurnPool:
        """Adjudicate turns in threads from now on, and call *done* after each one."""
        self.turn_pool = TurnPool(self.turns, self.owed, threads, self.stopping, done)
        return self.turn_pool

    def step(self, now: datetime) -> None:
        """Take every step once, in an order that lets a letter count before its deadline."""
        begun = time.monotonic()
        self.sources.look(now)
        # Deadlines are moved after an outage before anything checks whether they are due.
        if not self.guard.step("heartbeat", partial(self.heartbeat.begin_round, now), now):
            self.heartbeat.miss(now)
        is_due = cache(partial(self._is_due, now))
        for step in STEPS:
            if self.stopping.is_set():
                break
            # A letter that was just read can make something due, so it is not asked before.
            if step.in_every_round or is_due():
                self.guard.step(step.name, partial(step.work, self, now), now)
        self.round_seconds = time.monotonic() - begun

    def send(self, now: datetime) -> bool:
        """Send due letters; return whether the step succeeded, whatever their results."""
        is_sent = self._sending.step("send", lambda: self._outgoing.send_due(now), now)
        report = partial(self._database_alerts.report, now)
        self._sending.step("report a failure of the database", report, now)
        return is_sent

    def call_out(self, now: datetime) -> None:
        """Post due call-outs, in a thread of its own: a hook that is slow holds no letter."""
        self._calling.step("call out", lambda: self._call_outs.send_due(now), now)

    def next_due(self, now: datetime) -> datetime | None:
        """Return the next moment at which a step has something to do; in the past if it waits.

        Returns None if there is none, or if it cannot be determined.
        """
        if self.publisher is not None and self.publisher.is_working:
            return now
        try:
            with self.app.store.read() as session:
                return next_due(Desk(session, self.app.site, now))
        except StoreError:
            # The steps meet the same failure and log it.
            return None

    def _is_due(self, now: datetime) -> bool:
        """Return whether the timetable has something to do, or cannot be trusted or read."""
        if self.heartbeat.is_doubtful:
            return True
        try:
            with self.app.store.read() as session:
                return is_due(Desk(session, self.app.site, now), LOOKED_AT)
        except StoreError:
            # The steps meet the same failure and log it.
            return True

    def closed(self, now: datetime) -> datetime:
        """Return up to when moments count that do what nobody can undo.

        The time is trusted until then, and all letters of the lanes that turns wait for are read.
        """
        with self.app.store.read() as session:
            unread = inbox.oldest_awaited(session)
        if unread is not None:
            unread -= timedelta.resolution
        bounds = (now, self.heartbeat.watermark, self.heartbeat.watch.settled, unread)
        return min(bound for bound in bounds if bound is not None)

    @property
    def silence(self) -> float:
        """Return the seconds since the last progress of the steps, turn threads or sender."""
        turns = 0.0 if self.turn_pool is None else self.turn_pool.silence
        return max(self.guard.silence, self._sending.silence, turns)


Work = Callable[[Daemon, datetime], object]


class Step(NamedTuple):
    """A step of the loop, with the *reason* for its place in the round."""

    name: str
    work: Work
    reason: str
    in_every_round: bool = False
    """Whether the step is taken even if the timetable has nothing to do."""
    moments: tuple[str, ...] = ()
    """The moments of the register at which the step does something."""


def _desks(use_case: Callable[[Store, Site, datetime, datetime], object]) -> Work:
    """Return the step for a use case that opens its own transactions."""
    return lambda daemon, now: use_case(daemon.app.store, daemon.app.site, now, daemon.closed(now))


def _by_the_clock(work: Work) -> Work:
    """Skip the step while the clock is in doubt."""
    return lambda daemon, now: None if daemon.heartbeat.is_doubtful else work(daemon, now)


def _when_trusted(work: Work) -> Work:
    """Skip the step until the time is trusted: it depends on the present more than on a moment."""
    return lambda daemon, now: work(daemon, now) if daemon.heartbeat.is_trusted else None


def _looked_at(
    name: str, topic: AgendaTopic, use_case: Callable[[Desk, Game, datetime], object]
) -> Work:
    """Return the step for a use case of an agenda topic, up to the closed moment."""

    def work(daemon: Daemon, now: datetime) -> None:
        closed = daemon.closed(now)
        in_game = by_agenda(topic, lambda desk, game: use_case(desk, game, closed))
        daemon.games.take(name, found_by_agenda(topic), in_game, now)

    return work


def _report_publicly(daemon: Daemon, now: datetime) -> None:
    topic = AgendaTopic.OBSERVERS
    work = by_agenda(topic, public_reports.report_in)
    daemon.games.take("send public reports", found_by_agenda(topic), work, now)


def _start_games(daemon: Daemon, now: datetime) -> None:
    topic, closed = AgendaTopic.START, daemon.closed(now)
    work = by_agenda(topic, lambda desk, game: game_start.start_in(desk, game, closed))
    daemon.games.start("start games", found_by_agenda(topic), work, now)


def _remind(daemon: Daemon, now: datetime) -> None:
    daemon.games.take("remind", due_reminders.due, reminders.remind_in, now)
    name = "remind of an absence"
    daemon.games.take(name, reminders.leaving, reminders.remind_leaving_in, now)


def _adjudicate(daemon: Daemon, now: datetime) -> None:
    """Adjudicate the due turns; with turn threads, only start them."""
    heartbeat, app = daemon.heartbeat, daemon.app
    cutoff = None if heartbeat.is_doubtful else DueCutoff(now, heartbeat.watermark)
    if daemon.turn_pool is not None:
        daemon.turn_pool.go(cutoff)
        return
    daemon.turns.find(cutoff)
    daemon.turns.take(daemon.guard, partial(carry_here, daemon.guard, app.store, app.site))


def _make_owed(daemon: Daemon, now: datetime) -> None:
    """Make the owed letters; with turn threads, only start them."""
    daemon.owed.find(now)
    if daemon.turn_pool is not None:
        daemon.turn_pool.wake()
        return
    carry = partial(carry_here, daemon.guard, daemon.app.store, daemon.app.site)
    while daemon.owed.take(daemon.guard, carry):
        pass


def _send_digest(daemon: Daemon, now: datetime) -> None:
    """Send the operator's digest; what it reports is over, so once a morning is enough."""
    morning = operator_digest.last_morning(now)
    if daemon.digest_sent != morning:
        with daemon.app.store.write() as session:
            operator_digest.send_digest(Desk(session, daemon.app.site, now))
        daemon.digest_sent = morning


def _publish(daemon: Daemon, now: datetime) -> None:
    """Write web pages if something public can have changed; most rounds only ask for that."""
    if daemon.publisher is not None:
        daemon.publisher.run(now)


STEPS: Final = (
    Step(
        "check mailboxes",
        lambda daemon, now: daemon.sources.poll_again(now),
        "Mail from before a deadline is received before the next steps.",
        in_every_round=True,
    ),
    Step(
        "read",
        lambda daemon, now: daemon.inbox.read_waiting(now),
        "Orders that arrived before a deadline are on file when it is checked.",
        in_every_round=True,
    ),
    Step(
        "close votes",
        _looked_at("close votes", AgendaTopic.VOTES, vote_results.close_in),
        "A vote that passes can move the deadline that is due.",
        moments=("votes.closes_at", "agenda.at"),
    ),
    Step(
        "end holds",
        _by_the_clock(_looked_at("end holds", AgendaTopic.HOLDS, hold_limits.end_in)),
        "A game that goes on can have a turn that is resolved early.",
        moments=("games.hold_ends_at", "agenda.at"),
    ),
    Step(
        "deliver press",
        _desks(press_delivery.deliver_due),
        "A letter that was just read can recall a message.",
        moments=("press.due_at",),
    ),
    Step(
        "start games",
        _by_the_clock(_start_games),
        "A letter that was just read can fill a game.",
        moments=("games.starts_at", "games.call_off_at", "agenda.at"),
    ),
    Step(
        "change deputies",
        _looked_at("change deputies", AgendaTopic.DEPUTIES, deputies.change_in),
        "At a deadline, the deputy of that day gets the report of the turn.",
        moments=("deputies.begins_at", "deputies.ends_at", "agenda.at"),
    ),
    Step(
        "adjudicate",
        _adjudicate,
        "Everything that counts before a deadline is done.",
        moments=("games.deadline_at", "games.closes_at", "games.ready_at", "games.stalled_until"),
    ),
    Step(
        "offer seats",
        _by_the_clock(_looked_at("offer seats", AgendaTopic.OFFERS, standbys.offer_in)),
        "The turn that was just resolved can make a seat inactive.",
        moments=("offers.until", "agenda.at"),
    ),
    Step(
        "remind",
        _when_trusted(_remind),
        "No reminder is sent for a turn that was just adjudicated.",
        moments=("games.remind_at", "absences.begins_at"),
    ),
    Step(
        "send daily digests",
        lambda daemon, now: daemon.guard.note_spared(
            daily_digest.send_daily_letters(
                daemon.app.store, daemon.app.site, now, daemon.closed(now)
            )
        ),
        "Notices that were just written are part of a digest that is due.",
        moments=("pending_notices.due_at",),
    ),
    Step(
        Part.OWED.title,
        _make_owed,
        "A turn that was just adjudicated comes before what takes long.",
        moments=("pending_notices.due_at",),
    ),
    Step(
        "expire address changes",
        _desks(address_changes.lapse),
        "A letter that was just read can confirm a change in time.",
        moments=("address_changes.expires_at",),
    ),
    Step(
        "send alerts",
        lambda daemon, now: daemon.alerts.send(now),
        "All mail sources were tried, and the turns that can be resolved are.",
        in_every_round=True,
    ),
    Step(
        "send public reports",
        _report_publicly,
        "A turn that was just adjudicated adds a public report.",
        moments=("agenda.at",),
    ),
    Step(
        "send books",
        lambda daemon, now: daemon.books.run(now),
        "A turn that was just adjudicated can end a game.",
        moments=("agenda.at",),
    ),
    Step(
        "send operator digest",
        _send_digest,
        "The failures of this round are part of the digest.",
        in_every_round=True,
    ),
    Step(
        "publish pages",
        _publish,
        "The pages show what the steps before have changed.",
        in_every_round=True,
    ),
    Step(
        "housekeeping",
        _when_trusted(lambda daemon, now: daemon.housekeeping.run(now)),
        "Nothing else is waiting now.",
        moments=(
            *("inbox.read_at", "outbox.created_at", "call_outs.created_at"),
            *("bookings.minute", "postponements.moved_at", "turns.resolved_at"),
        ),
        in_every_round=True,
    ),
)
"""The steps of a round, in order; *guard* keeps a failure from ending the loop.

Most rounds only receive and read: one question to the timetable spares all steps by the clock.
"""
LOOKED_AT: Final = frozenset(name for step in STEPS for name in step.moments)
"""The moments of the register that the steps look at."""


def is_due(desk: Desk, names: Collection[str]) -> bool:
    """Return whether one of these moments of the register has come.

    The operator's digest has a time of its own.
    """
    first = moments.first(desk.session, BY_THEMSELVES.intersection(names))
    return first is not None and first <= desk.now


def next_due(desk: Desk) -> datetime | None:
    """Return the first moment at which something is due; in the past if it still waits."""
    found = moments.first(desk.session, BY_THEMSELVES), operator_digest.next_morning(desk)
    return min((moment for moment in found if moment is not None), default=None)
