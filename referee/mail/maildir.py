"""Maildirs: reading letters from them and delivering letters into them."""

import errno
import hashlib
import logging
import os
import stat
from collections.abc import Callable, Generator, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from referee.domain.mail_transfer import (
    BEGINNING_OCTETS,
    MOST_OCTETS,
    Attempt,
    Delivery,
    IncomingMail,
    OutgoingMail,
)
from referee.fresh_file import written_anew
from referee.mail.refusals import Refusals

log = logging.getLogger(__name__)

SIZE_LIMIT: Final = 25 * 2**20
"""A longer file is cut here, so that its sender still gets an answer."""
BATCH_LETTERS: Final = 50
BATCH_OCTETS: Final = 10 * 2**20
_FOLDERS: Final = ("tmp", "new", "cur")


class MaildirSource:
    """A Maildir on this machine; its letters have the source ``maildir:NAME``."""

    def __init__(self, name: str, path: Path, size_limit: int = SIZE_LIMIT) -> None:
        self.source = f"maildir:{name}"
        self._path = path
        self._size_limit = size_limit
        self._refusals = Refusals()
        self._looked_ns = 0
        """When ``new`` had last changed before the last look."""
        self.failure = ""
        """Why the folder or a file in it could not be read at the last look, empty if all could."""

    def take(
        self,
        accept_all: Callable[[Sequence[IncomingMail]], object],
        clock: Callable[[], datetime],
        is_over: Callable[[], bool] = bool,
    ) -> int:
        """Accept every letter in ``new`` and move it to ``cur``; return their number.

        Letters are accepted in batches; the loop ends after a batch if *is_over*. A letter whose
        move was lost is accepted again with the same source id. An unreadable file stays and is
        logged, and so does a letter over a quota, which is tried again after a while. Raises
        whatever else *accept_all* raises, which leaves the letters in place, and OSError if the
        Maildir is missing.
        """
        self.failure = f"the folder {self._path} cannot be read"
        self._looked_ns = self._changed_ns()
        files = sorted((self._path / "new").iterdir())
        self.failure = ""
        taken = 0
        for batch in self._batches(files, clock):
            accepted = self._refusals.accept(accept_all, list(batch.values()), clock())
            for file, arrival in batch.items():
                if arrival.source_id in accepted:
                    self._move(file)
            taken += len(accepted)
            if is_over():
                break
        return taken

    def has_mail(self) -> bool:
        """Return whether ``new`` has changed since ``take`` looked. Does not raise."""
        try:
            return self._changed_ns() != self._looked_ns
        except OSError:
            # The next look logs it.
            return False

    def _changed_ns(self) -> int:
        return (self._path / "new").stat().st_mtime_ns

    def _batches(
        self, files: Sequence[Path], clock: Callable[[], datetime]
    ) -> Iterator[dict[Path, IncomingMail]]:
        """Yield the letters in batches of limited number and size."""
        batch: dict[Path, IncomingMail] = {}
        octets = 0
        for file in files:
            now = clock()
            if self._refusals.is_waiting(_unique_name(file), now):
                continue
            arrival = self._arrival(file, now)
            if arrival is None:
                continue
            batch[file] = arrival
            octets += len(arrival.raw)
            if len(batch) == BATCH_LETTERS or octets >= BATCH_OCTETS:
                yield batch
                batch, octets = {}, 0
        if batch:
            yield batch

    def _arrival(self, file: Path, now: datetime) -> IncomingMail | None:
        try:
            # Another user may have put a named pipe there, or a link to a file of ours.
            with open(file, "rb", opener=_open_at_once) as letter:
                status = os.fstat(letter.fileno())
                if not stat.S_ISREG(status.st_mode):
                    raise OSError(errno.EINVAL, "not a file")
                size = min(status.st_size, self._size_limit)
                # Python allocates as much as is requested, however short the file is.
                raw = letter.read(size if size <= MOST_OCTETS else BEGINNING_OCTETS)
                delivered = status.st_mtime
        except OSError as error:
            self.failure = f"{file}: cannot be read: {error.strerror}"
            log.error("%s: %s", self.source, self.failure)
            return None
        # The file was written when the letter arrived, possibly while the referee was down.
        arrived_at = min(datetime.fromtimestamp(delivered, UTC), now)
        return IncomingMail(
            self.source,
            _unique_name(file),
            raw,
            arrived_at,
            size=size if size > MOST_OCTETS else 0,
        )

    def _move(self, file: Path) -> None:
        try:
            file.rename(self._path / "cur" / f"{file.name.partition(':')[0]}:2,")
        except OSError as error:
            log.error("%s: %s: cannot be moved: %s", self.source, file, error.strerror)


class MaildirSender:
    """A mail transport that writes files into the ``new`` folder of a Maildir."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def send(self, dispatches: Sequence[OutgoingMail]) -> Generator[Attempt]:
        """Deliver each letter completely or not at all, and only once if it is sent again.

        A full disk or missing permission is DEFERRED with the system's message.
        """
        for dispatch in dispatches:
            try:
                self._deliver(dispatch)
            except OSError as error:
                yield Attempt(dispatch, Delivery.DEFERRED, error.strerror or str(error))
            else:
                yield Attempt(dispatch, Delivery.SENT)

    def _deliver(self, dispatch: OutgoingMail) -> None:
        # In the emails are reply addresses that order for a seat.
        self._path.mkdir(mode=0o700, parents=True, exist_ok=True)
        for folder in _FOLDERS:
            (self._path / folder).mkdir(mode=0o700, exist_ok=True)
        name = _file_name(dispatch)
        if self._has(name):
            return
        draft = self._path / "tmp" / name
        with written_anew(draft, 0o666) as file:
            file.write(dispatch.raw)
            file.flush()
            os.fsync(file.fileno())
        draft.rename(self._path / "new" / name)
        _sync_folder(self._path / "new")

    def _has(self, name: str) -> bool:
        # A mail program may have moved the letter to cur, with flags.
        if (self._path / "new" / name).exists():
            return True
        return any(_unique_name(file) == name for file in (self._path / "cur").iterdir())


def _open_at_once(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK | os.O_NOFOLLOW)


def _unique_name(file: Path) -> str:
    """Return a letter's name without the flags, which change when it is read."""
    # A file name can be any bytes, but it is stored as text.
    name = os.fsencode(file.name).decode(errors="backslashreplace")
    return name.partition(":")[0]


def _file_name(dispatch: OutgoingMail) -> str:
    """Return the unique name of a letter, which sorts by its number."""
    digest = hashlib.sha256(dispatch.message_id.encode(errors="surrogateescape")).hexdigest()
    return f"{dispatch.number:08}.{digest[:32]}.referee"


def _sync_folder(folder: Path) -> None:
    """Make a rename survive a power failure."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
