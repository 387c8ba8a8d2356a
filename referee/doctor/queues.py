"""The doctor's look at the database, the letters that wait in it, and the clock."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Final

from referee.app import database_file, open_store
from referee.clock import now
from referee.daemon import owner_id
from referee.doctor.report import CheckResult, fault, look, well
from referee.errors import ResourceError, StoreError, StoreOutdated
from referee.settings import Settings
from referee.store import Session, Store
from referee.store.database.disk_space import Room
from referee.store.mail import circuit_breaker, inbox, outbox, stale_claims
from referee.store.models import InboxState, OutboxState

_LATE: Final = timedelta(minutes=10)
_AHEAD: Final = timedelta(minutes=1)
_SPARE: Final = 100_000_000
"""So much free room in a database is nothing to speak of."""


@contextmanager
def opened(settings: Settings) -> Iterator[Store | None]:
    """Open a database that is there and up to date; None for any other."""
    file = database_file(settings)
    if file is not None and not file.exists():
        yield None
        return
    try:
        store = open_store(settings)
    except (ResourceError, StoreError):
        yield None
        return
    try:
        yield store if _is_current(store) else None
    finally:
        store.close()


def _is_current(store: Store) -> bool:
    try:
        store.check()
    except StoreError:
        return False
    return True


def look_at_database(settings: Settings) -> Iterator[CheckResult]:
    """Return whether the database can be used by this version of the program."""
    file = database_file(settings)
    place = str(file) if file is not None else str(settings.database.url)
    if file is not None and not file.exists():
        yield look("there is no database yet", "`referee run` makes it", "file", place)
        return
    if file is not None and not os.access(file, os.W_OK):
        yield fault("the database may not be written by this user", "chown it", "file", place)
        return
    try:
        store = open_store(settings)
        try:
            store.check()
            room = store.room()
        finally:
            store.close()
    except StoreOutdated as error:
        remedy = "start `referee run` of this version once: it migrates, and keeps a copy before"
        yield fault(str(error), remedy, "place", place)
    except (ResourceError, StoreError) as error:
        remedy = "see whether its server runs and lets this user in; `referee doctor database`"
        yield fault(str(error), f"{remedy} tries it again", "place", place)
    else:
        yield well("the database has the tables of this version")
        yield _roomy(room)


def _roomy(room: Room) -> CheckResult:
    """Say how much room the database takes, and whether it could take much less."""
    words = f"the database takes {room.taken / 1e6:,.1f} MB"
    if room.free > max(_SPARE, room.taken // 2):
        words += f", of which {room.free / 1e6:,.1f} MB are free"
        return look(words, "`referee tidy --rebuild` gives that back to the disk")
    return well(words)


def look_at_letters(settings: Settings) -> Iterator[CheckResult]:
    """Say which letters wait for what they should not have to wait for."""
    with opened(settings) as store:
        if store is None:
            return
        with store.read() as session:
            found = [*_incoming(session), *_outgoing(session), *_claims(session)]
    yield from found or [well("no letter is stuck")]


def _incoming(session: Session) -> Iterator[CheckResult]:
    first = inbox.oldest_waiting(session)
    if first is not None and first < now() - _LATE:
        yield fault(
            "a letter has not been read for more than ten minutes",
            "see whether `referee run` runs, and look for level=error in its log",
        )
    if number := inbox.counts(session, InboxState.QUARANTINED)[InboxState.QUARANTINED]:
        remedy = "`referee mail list quarantine` shows them; `referee mail release` lets them out"
        yield look(f"letters in quarantine: {number}", remedy)


def _outgoing(session: Session) -> Iterator[CheckResult]:
    due = outbox.next_due(session)
    if (until := circuit_breaker.holds_until(session, now())) is not None:
        words = f"sending has stopped until {until:%H:%M} UTC: too many letters in an hour"
        yield look(words, "look at `referee mail list outbox`; `referee mail resume` goes on")
    elif due is not None and due < now() - _LATE:
        yield fault(
            "a letter should have been sent more than ten minutes ago",
            "see whether `referee run` runs; `referee doctor smtp` tries the mail server",
        )
    if number := outbox.counts(session, OutboxState.FAILED)[OutboxState.FAILED]:
        remedy = "`referee mail list outbox --state failed` shows why; `referee mail retry` tries"
        yield look(f"letters that could not be sent: {number}", f"{remedy} again")


def _claims(session: Session) -> Iterator[CheckResult]:
    gone = [owner for owner in stale_claims.owners(session) if owner_id.is_dead(owner, "")]
    if gone:
        yield look(
            f"letters or games are held by referees that run no more: {len(gone)}",
            "start `referee run`: it takes over at once; others do when the lease has run out",
        )


def look_at_clock(settings: Settings) -> Iterator[CheckResult]:
    """Return whether the clock can be believed: deadlines are judged by it."""
    synchronized = _synchronized()
    if synchronized is False:
        remedy = "switch time synchronization on: timedatectl set-ntp true"
        yield look("nobody keeps this machine's clock right", remedy)
    with opened(settings) as store:
        if store is not None:
            with store.read() as session:
                newest = inbox.listing(session, None, 1)
            if newest and newest[0].arrived_at > now() + _AHEAD:
                yield fault(
                    f"the clock shows {now():%Y-%m-%d %H:%M} UTC, but letters came after that",
                    "set the clock right before `referee run` is started: deadlines go by it",
                )
                return
    if synchronized is not False:
        yield well(f"it is {now():%Y-%m-%d %H:%M} UTC")


def _synchronized() -> bool | None:
    """Return whether the system keeps its clock right; None when it does not tell."""
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
