"""Fresh file: made new under a name that nobody can foresee, then renamed."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def fresh_file(file: Path, *, replaces: bool = True) -> Iterator[BinaryIO]:
    """Open a new file that only its owner can read; at the end it gets the name *file*.

    It appears completely or not at all. What has that name is replaced and not written to, be it a
    link or a file of another user; unless it *replaces* anything, FileExistsError is raised. Raises
    OSError.
    """
    # The folder can be one in which other users put files, such as /tmp.
    channel, name = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
    draft = Path(name)
    try:
        with os.fdopen(channel, "wb") as writer:
            yield writer
            writer.flush()
            os.fsync(channel)
        if replaces:
            draft.replace(file)
        else:
            file.hardlink_to(draft)
    finally:
        draft.unlink(missing_ok=True)


def written_anew(file: Path, mode: int = 0o600) -> BinaryIO:
    """Open a draft that this program alone writes, and remove one that a crash left.

    For folders of our own, where a draft keeps its name so that none of them are left. Raises
    OSError.
    """
    file.unlink(missing_ok=True)
    channel = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode)
    return os.fdopen(channel, "wb")
