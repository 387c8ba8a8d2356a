"""The steps of the loop, each durable by itself: a kill between any two loses nothing."""

import logging
import threading
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Final

from referee.app import App, retention_of
from referee.daemon import owner_id
from referee.daemon.housekeeping import Housekeeping
from referee.daemon.inbox_reader import Incoming
from referee.daemon.logs import line
from referee.daemon.mailbox_lease import Hold
from referee.daemon.outbox_sender import Outgoing
from referee.daemon.source_health import Troubles
from referee.daemon.supervisor import Guard
from referee.daemon.turn_pool import Lane, Lanes
from referee.daemon.turn_queue import Turns, carry_here
from referee.daemon.watermark import Awaiting
from referee.desk.due import operator_digest, outages, source_alerts, timetable
from referee.desk.due.adjudication import Look
from referee.desk.games import reminders
from referee.desk.gm import game_setup
from referee.desk.players import address_changes, vote_results
from referee.desk.reports import daily_digest, press_delivery, public_reports
from referee.desk.seats import deputies, offers
from referee.domain.outages import Way
from referee.errors import StoreError
from referee.mail.imap import SETTLING, Mailbox
from referee.store.games import games, press, votes
from referee.store.mail import intake_leases, mailboxes, stale_claims

log = logging.getLogger(__name__)

BEAT: Final = timedelta(seconds=30)
"""How long a sign of life lasts at most, while all is well."""


class Daemon:
    """The loop's steps on one installation; the time is always given.

    ``step`` and ``send`` may run in two threads; neither raises. What a step cannot do is logged
    with a reference number, and is tried again after a pause. Once *stopping* is set, both end
    after the letter or turn at hand, whatever else waits.
    """

    def __init__(self, app: App, owner: str = "") -> None:
        self.app = app
        self.guard = Guard(app.tally)
        self._sending = Guard(app.tally)
        self.round_seconds = 0.0
        """How long the last round of all steps took."""
        self.stopping = threading.Event()
        self._watching = {name: Guard(app.tally) for name in app.mailboxes}
        self._elsewhere: set[Mailbox] = set()
        """The mailboxes that another daemon reads."""
        self._beating = threading.Lock()
        self._watch = outages.Watch()
        self._maildirs_read: dict[str, bool] = {}
        self._troubles = Troubles()
        self._alive: frozenset[str] | None = None
        """The ways in that gave the last sign of life; None while something is amiss."""
        self._well: list[Mailbox] = []
        """The mailboxes that were well at the last sign of life."""
        self._beaten = datetime.min.replace(tzinfo=UTC)
        self._waiting: frozenset[int] = frozenset()
        """The games that wait for a way in that cannot be read, of which their GMs know."""
        self._silent_since: datetime | None = None
        """Since when the database takes no sign of life; None while it does and all is told."""
        self.owner = owner or owner_id.ourselves()
        self.awaiting = Awaiting(app, self.owner)
        self._incoming = Incoming(app, self.owner, self.guard, self.stopping)
        self._outgoing = Outgoing(app, self.owner, self._sending, self.stopping)
        self.lanes: Lanes | None = None
        """Where turns are adjudicated; None does it in the step itself."""
        self._turns = Turns(app, self.owner, self.stopping)
        self._housekeeping = Housekeeping(app.store, retention_of(app.settings))

    def step(self, now: datetime) -> None:
        """Take every step once, in the order that lets a letter count before its deadline."""
        begun = time.monotonic()
        self._take_steps(now)
        self.round_seconds = time.monotonic() - begun

    def _take_steps(self, now: datetime) -> None:
        for name in self.app.maildirs:
            taken = self.guard.step(f"take in {name}", partial(self.take_in, name, now), now)
            self._maildirs_read[f"maildir:{name}"] = taken
        self.guard.step("follow mailboxes", partial(self.follow, now), now)
        self.guard.step("compare ways in", partial(self.awaiting.compare, now), now)
        # What passed while we were away is moved before anybody looks whether it is due.
        if not self.guard.step("give a sign of life", partial(self.beat, now), now):
            self._watch = outages.Watch(is_doubtful=True)
            self._silent_since = self._silent_since or now
        for name, take in STEPS:
            if self.stopping.is_set():
                return
            self.guard.step(name, partial(take, self, now), now)

    @property
    def silence(self) -> float:
        """How many seconds ago the steps, the lanes or the sending last gave a sign of going on."""
        lanes = 0.0 if self.lanes is None else self.lanes.silence
        return max(self.guard.silence, self._sending.silence, lanes)

    def beat(self, now: datetime) -> None:
        """Give a sign of life, and make good for the time in which there was none.

        One of a moment ago will do. May be called by another thread while a step takes long.
        """
        with self._beating:
            ways = self._ways(now)
            alive = frozenset(way.source for way in ways if way.read_until is not None)
            lasts = min(BEAT, self.app.house.patience.gap / 4)
            if alive == self._alive and timedelta(0) <= now - self._beaten < lasts:
                return
            with self.app.store.write() as session:
                self._watch = outages.beat(session, self.app.house, ways, now)
            if self._watch.moved:
                moved = self._watch.moved
                log.warning("%s", line("deadlines moved after an outage", games=moved))
            self._well = [box for box in self.app.mailboxes.values() if box.source in alive]
            # While something is amiss, the next look is a fresh one.
            settled = not self._watch.is_doubtful and self._watch.read_until is None
            self._alive, self._beaten = (alive, now) if settled else (None, now)

    def _ways(self, now: datetime) -> list[Way]:
        """Give the ways in, and until when all that came by them is here."""
        boxes = [
            Way(box.source, box.read_until if box.is_read else None, box.every)
            for box in self.app.mailboxes.values()
        ]
        folders = [
            Way(source, now if is_read else None) for source, is_read in self._maildirs_read.items()
        ]
        return boxes + folders

    @property
    def read_until(self) -> datetime | None:
        """Until when all letters that reached us are here; None when they all are.

        A mailbox that is well holds nothing up for longer than its next look, and the receiver
        nothing for longer than it takes to commit a letter.
        """
        kept_until = self.awaiting.kept_until
        moments = (self._watch.read_until, kept_until, *(box.read_until for box in self._well))
        return min((moment for moment in moments if moment is not None), default=None)

    def look_again(self, now: datetime) -> int:
        """Have the mailboxes looked at that were not since something fell due; give how many."""
        due = self._next_closing() if self._well else None
        if due is None or now < due + SETTLING:
            return 0
        stale = [box for box in self._well if box.read_until is None or box.read_until < due]
        for box in stale:
            box.look_soon()
        return len(stale)

    def send(self, now: datetime) -> bool:
        """Send what is due; say whether it went well, however the letters fared."""
        return self._sending.step("send", lambda: self._outgoing.send_due(now), now)

    def take_over(self) -> None:
        """Give back what was claimed by a daemon of this machine that is gone.

        To be called before the first step. Claims of other machines run out by their lease.
        """
        self.guard.attempt(self._give_back, step="take over")

    def _give_back(self) -> None:
        with self.app.store.write() as session:
            for owner in sorted(stale_claims.owners(session) | intake_leases.owners(session)):
                if owner_id.is_gone(owner, self.owner):
                    rows = stale_claims.give_back(session, owner)
                    intake_leases.leave(session, owner)
                    log.info("%s", line("took over from a daemon that is gone", rows=rows))

    def next_due(self, now: datetime) -> datetime | None:
        """Return the next moment at which a step has something to do; in the past if it waits.

        None when there is none, or when it cannot be known.
        """
        try:
            with self.app.store.read() as session:
                return timetable.next_due(session, self.app.house, now)
        except StoreError:
            # The steps meet the same trouble, and tell it.
            return None

    def _next_closing(self) -> datetime | None:
        """Return the next moment by which letters have to be here."""
        try:
            with self.app.store.read() as session:
                moments = (
                    games.next_deadline(session),
                    votes.next_close(session),
                    press.next_due(session),
                )
                return min((moment for moment in moments if moment is not None), default=None)
        except StoreError:
            # The steps meet the same trouble, and tell it.
            return None

    def take_in(self, name: str, now: datetime) -> int:
        """Take the letters out of a Maildir; give how many there were."""
        source = self.app.maildirs[name]
        count = source.take(self.app.accept_all, lambda: now, self.stopping.is_set)
        self.awaiting.was_read(name, now)
        return count

    def watch(self, name: str, stop: threading.Event, clock: Callable[[], datetime]) -> None:
        """Take letters out of a mailbox until *stop*, in a thread of its own.

        Returns earlier when another daemon has the mailbox, when it cannot be read, or when it met
        what it did not foresee; then it is called again.
        """
        box = self.app.mailboxes[name]
        hold = Hold(self.app.store, box, self.owner, stop, clock)
        work = partial(self._take_letters, box, hold, clock)
        self._watching[name].step(f"watch {name}", work, clock())

    def _take_letters(self, box: Mailbox, hold: Hold, clock: Callable[[], datetime]) -> None:
        if not hold.take():
            self._elsewhere.add(box)
            return
        self._elsewhere.discard(box)
        try:
            box.run(self.app.accept_all, self.app.cursor, hold, clock)
        finally:
            hold.let_go()

    def follow(self, now: datetime) -> None:
        """See how far other daemons have read the mailboxes that are theirs."""
        if elsewhere := list(self._elsewhere):
            with self.app.store.read() as session:
                for box in elsewhere:
                    box.follow(mailboxes.read_elsewhere(session, box.source, now))

    def read(self, now: datetime) -> int:
        """Read every letter that waits; give how many there were."""
        return self._incoming.read_waiting(now)

    def start_games(self, now: datetime) -> int:
        """Start the games whose seats are all taken; give how many there were."""
        with self.app.store.write() as session:
            return game_setup.start_ready(session, self.app.house, now)

    def close_votes(self, now: datetime) -> int:
        """Close the votes whose time has passed; give how many there were."""
        return vote_results.close_due(self.app.store, self.app.house, now, self.read_until)

    def deliver_press(self, now: datetime) -> int:
        """Deliver the messages that wait for no report; give how many there were."""
        return press_delivery.deliver_due(self.app.store, self.app.house, now)

    def change_deputies(self, now: datetime) -> int:
        """Let deputies begin and end whose days have come or are over; give how many that was."""
        with self.app.store.write() as session:
            return deputies.change_due(session, self.app.house, now)

    def adjudicate(self, now: datetime) -> int:
        """Adjudicate what is due; give how many games that was.

        With lanes it is begun, and none is counted here.
        """
        look = None if self._watch.is_doubtful else Look(now, self.read_until)
        if self.lanes is not None:
            self.lanes.go(look)
            return 0
        self._turns.find(look)
        carry = partial(carry_here, self.guard, self.app.store, self.app.house)
        return self._turns.take(self.guard, carry)

    def open_lanes(self, lanes: Sequence[Lane], done: Callable[[], None]) -> Lanes:
        """Let turns be adjudicated beside the loop from now on, and call *done* after each."""
        self.lanes = Lanes(self._turns, lanes, self.stopping, done)
        return self.lanes

    def offer_seats(self, now: datetime) -> int:
        """Offer seats that nobody plays to standbys; give how many were asked."""
        if self._watch.is_doubtful:
            return 0
        with self.app.store.write() as session:
            return offers.offer_seats(session, self.app.house, now, self.read_until)

    def remind(self, now: datetime) -> int:
        """Remind those who owe orders; give how many that was."""
        if self._watch.is_doubtful:
            return 0
        with self.app.store.write() as session:
            return reminders.remind_due(session, self.app.house, now)

    def send_daily_letters(self, now: datetime) -> int:
        """Write the daily letters that are due; give how many that was."""
        return daily_digest.send_daily_letters(self.app.store, self.app.house, now)

    def end_address_changes(self, now: datetime) -> int:
        """End changes of address that were not confirmed in time; give how many that was."""
        return address_changes.lapse(self.app.store, self.app.house, now)

    def tell_observers(self, now: datetime) -> int:
        """Send observers the reports they may read by now; give how many letters that was."""
        with self.app.store.write() as session:
            return public_reports.report_due(session, self.app.house, now)

    def tell_operator(self, now: datetime) -> int:
        """Write the operator's digest when it is time and there is something to tell."""
        with self.app.store.write() as session:
            return operator_digest.send_digest(session, self.app.house, now)

    def keep_house(self, now: datetime) -> int:
        """Make small, or give up, a little of what is old; give how much."""
        return self._housekeeping.keep(now)

    def tell_of_troubles(self, now: datetime) -> int:
        """Tell the operator of ways in that have been in trouble for long; give how many.

        Of the database he is told when it can be written again. GMs are told whose turns wait.
        """
        self._tell_of_silence(now)
        self._tell_of_waits(now)
        words = {source: words for source, words in self.ways_in().items() if words}
        lasting = self._troubles.lasting(words, now, self.app.house.patience.gap)
        for barred in lasting:
            with self.app.store.write() as session:
                told = source_alerts.tell_of_bar(session, self.app.house, barred, now)
            self._troubles.was_told(barred)
            note = line("a way in is barred", source=told.source, reference=told.reference)
            log.error("%s", note)
        return len(lasting)

    def _tell_of_silence(self, now: datetime) -> None:
        since = self._silent_since
        if since is None or self._watch.is_doubtful:
            return
        if now - since > self.app.house.patience.gap:
            with self.app.store.write() as session:
                source_alerts.tell_of_silence(session, self.app.house, since, now)
        self._silent_since = None

    def _tell_of_waits(self, now: datetime) -> None:
        house, read_until = self.app.house, self._watch.read_until
        waiting: list[int] = []
        if read_until is not None and not self._watch.is_doubtful:
            with self.app.store.read() as session:
                waiting = source_alerts.waiting(session, house, read_until, now)
        for number in waiting:
            if number not in self._waiting:
                with self.app.store.write() as session:
                    source_alerts.tell_of_wait(session, house, number, now)
        self._waiting = frozenset(waiting)

    def ways_in(self) -> dict[str, str]:
        """Give what is the matter with each mailbox and Maildir; no words where all is well."""
        boxes = {box.source: box.trouble for box in self.app.mailboxes.values()}
        closed = "its folder cannot be read, and the log says why"
        folders = {
            source: "" if is_read else closed for source, is_read in self._maildirs_read.items()
        }
        return boxes | folders


STEPS: Final[tuple[tuple[str, Callable[[Daemon, datetime], int]], ...]] = (
    # What may lie in a mailbox since before a deadline is there with the next step.
    ("look again", Daemon.look_again),
    # What arrived before a deadline is on file before that deadline is looked at.
    ("read", Daemon.read),
    # A vote that is carried may move the deadline that is due.
    ("close votes", Daemon.close_votes),
    # A letter read just now may have taken a message back.
    ("deliver press", Daemon.deliver_press),
    # The last player's letter may just have filled a game.
    ("start games", Daemon.start_games),
    # Whose days begin or end with a deadline gets, or does not get, the report of that turn.
    ("change deputies", Daemon.change_deputies),
    ("adjudicate", Daemon.adjudicate),
    # What was just resolved may have been one turn missed too many.
    ("offer seats", Daemon.offer_seats),
    # Nobody is reminded of a turn that has just been adjudicated.
    ("remind", Daemon.remind),
    ("send daily letters", Daemon.send_daily_letters),
    ("end changes of address", Daemon.end_address_changes),
    ("tell of troubles", Daemon.tell_of_troubles),
    ("tell observers", Daemon.tell_observers),
    ("tell the operator", Daemon.tell_operator),
    # When nothing waits any more.
    ("keep house", Daemon.keep_house),
)
