"""Checks of the database, the letters waiting in it, and the clock."""

import os
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from datetime import timedelta
from typing import Final

from referee.clock import now
from referee.daemon import claim_owners
from referee.doctor.opening import opened
from referee.doctor.passwords import given_to_service
from referee.doctor.report import CheckResult, fault, look, well
from referee.doctor.unit import how_to_start
from referee.errors import RefereeError, ResourceError, StoreError, StoreUnreachable
from referee.letters.incoming.decode import decode
from referee.letters.incoming.screening import is_marked
from referee.opening import open_store, server_of
from referee.settings import Settings
from referee.state_dir import AS_REFEREE, database_file, is_there, refuse_new_database
from referee.store import Session
from referee.store.database.engine import Room
from referee.store.letter_states import InboxState, OutboxState
from referee.store.mail import circuit_breaker, inbox, outbox, stale_claims

_LATE: Final = timedelta(minutes=10)
_AHEAD: Final = timedelta(minutes=1)
_NEWEST: Final = 30
_ENOUGH: Final = 5
"""So many of the newest emails, all with a mark, say that the mailbox puts it there."""
_SPARE: Final = 100_000_000
"""The free space in a database that is not worth mentioning, in bytes."""


def look_at_database(settings: Settings) -> Iterator[CheckResult]:
    """Check that this version of the program can use the database, and that it is whole."""
    file = database_file(settings)
    place = str(file) if file is not None else str(settings.database.url)
    if given := given_to_service(settings.database.password_file, "database: its password"):
        yield given
        return
    try:
        if file is not None and not is_there(file):
            refuse_new_database(settings)
            remedy = f"{how_to_start(settings)}, which creates it"
            yield look("database: does not exist yet", remedy, "file", place)
            return
        if file is not None and not os.access(file, os.W_OK):
            remedy = f"{AS_REFEREE}; if its disk is read-only, mount it for writing"
            yield fault("database: this user cannot write to it", remedy, "file", place)
        room = _room(settings)
    except (ResourceError, StoreError) as error:
        yield from _unusable(settings, error, place)
    else:
        yield well("database: the tables have this version, and its pages are not damaged")
        yield _roomy(room)


def _room(settings: Settings) -> Room:
    """Return the size of the database, after checking it. Raises StoreError if it is unusable."""
    store = open_store(settings, or_reads=True)
    try:
        # A damaged database can have any version.
        store.inspect()
        store.check()
        store.check_tables()
        return store.room()
    finally:
        store.close()


def _unusable(settings: Settings, error: RefereeError, place: str) -> Iterator[CheckResult]:
    remedy = "see why it cannot be read, and try again"
    if isinstance(error, StoreUnreachable):
        server = server_of(settings)
        remedy = f"check that PostgreSQL runs on {server} and accepts this user, then try again"
    for finding in error.findings:
        label, where = (finding.label, finding.place) if finding.place else ("place", place)
        yield fault(finding.what, finding.remedy or remedy, label, where)


def _roomy(room: Room) -> CheckResult:
    """Return the size of the database, and whether it could be much smaller."""
    words = f"database: {room.taken / 1e6:,.1f} MB"
    if room.free > max(_SPARE, room.taken // 2):
        words += f", of which {room.free / 1e6:,.1f} MB are free"
        return look(words, "run `referee tidy --rebuild` to return it to the disk")
    return well(words)


def look_at_letters(settings: Settings) -> Iterator[CheckResult]:
    """Check for letters that wait too long."""
    with opened(settings) as store:
        if store is None:
            return
        with store.read() as session:
            found = [*_incoming(session), *_marked(session), *_outgoing(session), *_claims(session)]
    yield from found or [well("emails: none is stuck")]


def _incoming(session: Session) -> Iterator[CheckResult]:
    for lane, first in inbox.oldest_waiting(session).items():
        if first >= now() - _LATE:
            continue
        yield fault(
            f"inbox: an email from {lane.senders} has been unread since {first:%Y-%m-%d %H:%M} UTC",
            "check that `referee run` is running, and look for level=error in its log",
        )
    if number := inbox.counts(session, InboxState.QUARANTINED)[InboxState.QUARANTINED]:
        remedy = "see `referee mail list quarantine`, then use `referee mail release`"
        yield look(f"quarantine: emails: {number}", remedy)


def _marked(session: Session) -> Iterator[CheckResult]:
    """Report each source that puts the mark of a list or of bulk mail on every letter."""
    marks = defaultdict[str, list[bool]](list)
    for row in inbox.listing(session, None, _NEWEST):
        marks[row.source].append(is_marked(decode(row.raw), ""))
    for source, each in marks.items():
        if len(each) >= _ENOUGH and all(each):
            yield look(
                f"inbox: each of the last {len(each)} emails of {source} has the mark of a mailing "
                "list or of bulk mail",
                "let emails come without a list or a help desk in between; with that mark only "
                "orders in an email that is proven are done, and questions are not answered",
            )


def _outgoing(session: Session) -> Iterator[CheckResult]:
    due = outbox.next_due(session)
    if (until := circuit_breaker.holds_until(session, now())) is not None:
        words = f"sending: stopped until {until:%H:%M} UTC, too many emails in an hour"
        yield look(words, "see `referee mail list outbox`, then use `referee mail resume`")
    elif due is not None and due < now() - _LATE:
        yield fault(
            "outbox: an email has been overdue for more than ten minutes",
            "check that `referee run` is running; run `referee doctor smtp`",
        )
    if number := outbox.counts(session, OutboxState.FAILED)[OutboxState.FAILED]:
        remedy = "see `referee mail list outbox --state failed`, then use `referee mail retry`"
        yield look(f"outbox: failed emails: {number}", remedy)


def _claims(session: Session) -> Iterator[CheckResult]:
    gone = [owner for owner in stale_claims.owners(session) if claim_owners.is_dead(owner, "")]
    if gone:
        yield look(
            f"claims: {len(gone)} referees that hold some are dead",
            "start `referee run`, which releases them at once; they expire otherwise",
        )


def look_at_clock(settings: Settings) -> Iterator[CheckResult]:
    """Check that the clock is right, because deadlines depend on it."""
    synchronized = _synchronized()
    if synchronized is False:
        remedy = "turn on time synchronization: timedatectl set-ntp true"
        yield look("clock: not synchronized", remedy)
    with opened(settings) as store:
        if store is not None:
            with store.read() as session:
                newest = inbox.listing(session, None, 1)
            if newest and newest[0].arrived_at > now() + _AHEAD:
                yield fault(
                    f"clock: it shows {now():%Y-%m-%d %H:%M} UTC, but emails arrived later",
                    "set the clock before you start `referee run`, because deadlines depend on it",
                )
                return
    if synchronized is not False:
        yield well(f"clock: {now():%Y-%m-%d %H:%M} UTC")


def _synchronized() -> bool | None:
    """Return whether the system synchronizes its clock, or None if unknown."""
    program = shutil.which("timedatectl")
    if program is None:
        return None
    try:
        told = subprocess.run(  # noqa: S603 - a program of the system's, with fixed words
            [program, "show", "--property=NTPSynchronized", "--value"],
            capture_output=True,
            text=True,
            timeout=5,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return {"yes": True, "no": False}.get(told.stdout.strip())
