"""The web pages, kept up to date, and the books of ended games, made a little at a time."""

import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Final

from referee.app import App
from referee.daemon.supervisor import Failure, Supervisor
from referee.desk.base.desk import Desk, Site
from referee.desk.due import failure_alerts, stalled_turns
from referee.desk.publishing import book
from referee.desk.publishing.game_pages import files_of
from referee.desk.publishing.openness import Audience, mark, shown
from referee.desk.publishing.site_pages import site_files
from referee.errors import StoreError
from referee.pages.document import PageFile
from referee.pages.folder import SITE, PageFolder, open_folder
from referee.store import Store
from referee.store.games import agenda
from referee.store.games.agenda import AgendaTopic
from referee.store.mail import outbox
from referee.store.models import Game

EVERY: Final = timedelta(minutes=10)
"""How often the games are compared with the pages if no email has gone."""
_PAUSE: Final = timedelta(seconds=30)
"""The least time between two comparisons."""
_SHARE: Final = 100
"""A comparison is followed by a pause this many times as long."""
_IDLE_SHARE: Final = 1000
"""The same if no email has gone: it takes a thousandth of a core."""
_BUDGET_SECONDS: Final = 0.25
"""The time for pages in a round of the loop; the last file can take longer."""


@dataclass(slots=True)
class _PendingPages:
    """The pages of one game, made file by file."""

    number: int
    name: str
    mark: str
    files: Iterator[PageFile]
    written: list[str] = field(default_factory=list)
    is_done: bool = False


class Publisher:
    """Writes the pages of a site into a folder. Each file is atomic, so it can be interrupted."""

    def __init__(self, store: Store, site: Site, place: Path, guard: Supervisor) -> None:
        self._store, self._site, self._place, self._guard = store, site, place, guard
        self._folder: PageFolder | None = None
        self._waiting: deque[_PendingPages] = deque()
        self._is_working = False
        self._newest = -1
        """The last email that was put into the outbox before the last comparison."""
        self._compared = self._next = self._not_before = datetime.min.replace(tzinfo=UTC)
        self._is_reported = False
        self.failures: list[Failure] = []
        """The files that could not be written since the last comparison."""

    @property
    def is_working(self) -> bool:
        """Whether some pages are still to be written."""
        return self._is_working

    def run(self, now: datetime) -> None:
        """Write some pages if something public can have changed; notify the operator of failures.

        A failure in one game does not keep the others from being written.
        """
        if self._is_working or self._is_due(now):
            self.advance(now, _BUDGET_SECONDS)
            if not self._is_working:
                self._report(now)

    def advance(self, now: datetime, seconds: float) -> None:
        """Write pages for some seconds, after comparing all games if nothing was left to write."""
        until = time.monotonic() + seconds
        if not self._is_working:
            self._begin(now)
        while self._waiting:
            self._take(self._waiting[0])
            if self._waiting[0].is_done:
                self._waiting.popleft()
            if time.monotonic() >= until:
                break
        if self._is_working and not self._waiting:
            self._attempt(partial(self._finish, now))
            self._is_working = False

    def _is_due(self, now: datetime) -> bool:
        # A clock that was ahead at the last time is set back again.
        if not self._compared <= now < self._next:
            return True
        if now < self._not_before:
            return False
        with self._store.read() as session:
            return outbox.newest(session) != self._newest

    def _begin(self, now: datetime) -> None:
        """Compare all games with their pages, and plan what has to be written."""
        self.failures.clear()
        begun = time.monotonic()
        failure = self._attempt(self._compare)
        lasted = timedelta(seconds=time.monotonic() - begun)
        self._compared = now
        self._not_before = now + max(_PAUSE, _SHARE * lasted)
        self._next = now + max(EVERY, _IDLE_SHARE * lasted)
        self._is_working = failure is None

    def _compare(self) -> None:
        folder = self._folder = open_folder(self._place)
        with self._store.read() as session:
            self._newest = outbox.newest(session)
            public = [
                _PendingPages(
                    each.game.id,
                    each.game.name.lower(),
                    mark(session, self._site, each.game, each.opened),
                    self._files(each.game),
                )
                for each in shown(session)
            ]
        # What is no longer public goes first, even if something else cannot be written.
        for name in folder.parts.keys() - {each.name for each in public} - {SITE}:
            folder.remove(name)
        self._waiting = deque(
            each for each in public if not folder.is_current(each.name, each.mark)
        )

    def _files(self, game: Game) -> Iterator[PageFile]:
        """Return the files of a game's pages; none without its rules: only old pages can stay."""
        if game.ruleset not in self._site.rulesets:
            return iter(())
        return files_of(self._store.read, self._site, game.id, Audience.EVERYONE)

    def _take(self, pending: _PendingPages) -> None:
        """Write the next file of a game; after the last one, note them all."""
        failure = self._attempt(partial(self._write_next, pending), game=pending.number)
        if failure is not None:
            pending.is_done = True
            # The old pages may have what is no longer public. A database comes back soon.
            if not isinstance(failure.error, StoreError):
                self._attempt(partial(self._remove, pending.name), game=pending.number)

    def _write_next(self, pending: _PendingPages) -> None:
        assert self._folder is not None
        file = next(pending.files, None)
        if file is not None:
            self._folder.write(file)
            pending.written.append(file.path)
            return
        pending.is_done = True
        if pending.written:
            self._folder.keep(pending.name, pending.mark, pending.written)
        else:
            self._remove(pending.name)

    def _remove(self, name: str) -> None:
        if self._folder is not None and name in self._folder.parts:
            self._folder.remove(name)

    def _finish(self, now: datetime) -> None:
        """Write the pages about all games that have pages, the index last."""
        assert self._folder is not None
        with self._store.read() as session:
            public = [
                each for each in shown(session) if each.game.name.lower() in self._folder.parts
            ]
            files = list(site_files(Desk(session, self._site, now), public))
        for file in files:
            self._folder.write(file)
        self._folder.keep(SITE, "", [file.path for file in files])

    def _attempt(self, work: Callable[[], object], **known: object) -> Failure | None:
        failure = self._guard.attempt(work, step="publish pages", **known)
        if failure is not None:
            self.failures.append(failure)
        return failure

    def _report(self, now: datetime) -> None:
        """Notify the operator of the first failure since pages were written without one."""
        if self.failures and not self._is_reported:
            with self._store.write() as session:
                reference = self.failures[0].reference
                failure_alerts.report_failed_pages(Desk(session, self._site, now), reference)
        self._is_reported = bool(self.failures)


STEP = "send books"


@dataclass(slots=True)
class _PendingBooks:
    number: int
    steps: Iterator[None]
    made: int = 0
    """How many parts were made."""
    is_done: bool = False

    def advance(self) -> None:
        """Make the next part; the last one sends the books."""
        self.made += 1
        if next(self.steps, self) is self:
            self.is_done = True


class BookSender:
    """Makes and sends the books of one game after the other, without holding up the loop."""

    def __init__(self, app: App, guard: Supervisor) -> None:
        self._app, self._guard = app, guard
        self._pending: _PendingBooks | None = None
        self.seconds = 0.25
        """The time for books in a round of the loop; the last part can take longer."""

    def run(self, now: datetime) -> None:
        """Go on with the books that are due; a failing game backs off."""
        until = time.monotonic() + self.seconds
        for number in self._due(now):
            pending = self._pending
            if pending is None or pending.number != number:
                steps = book.send_books(self._app.store, self._app.site, number, now)
                pending = self._pending = _PendingBooks(number, steps)
            if not self._advance(pending, until, now):
                return
            self._pending = None

    def _advance(self, pending: _PendingBooks, until: float, now: datetime) -> bool:
        """Go on with the books of a game; return whether they are sent, or have to wait."""
        while not pending.is_done:
            before = pending.made
            failure = self._guard.step_in_game(STEP, pending.number, pending.advance, now)
            if failure is not None:
                self._guard.attempt(partial(self._notify, pending.number, failure.reference, now))
                without = partial(book.send_without_books, self._app.store, self._app.site)
                self._guard.attempt(partial(without, pending.number, now))
            if failure is not None or pending.made == before:
                # It failed now, or it failed before and still backs off.
                return True
            if time.monotonic() >= until:
                return pending.is_done
        return True

    def _due(self, now: datetime) -> list[int]:
        with self._app.store.read() as session:
            return agenda.due(session, AgendaTopic.BOOK, now)

    def _notify(self, number: int, reference: str, now: datetime) -> None:
        with self._app.store.write() as session:
            desk = Desk(session, self._app.site, now)
            stalled_turns.report_failed_step(desk, number, reference, step=STEP)
