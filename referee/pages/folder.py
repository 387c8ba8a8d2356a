"""The folder of the pages: every file is written completely or not at all.

A list in the folder names the files that are ours. Those of a part that is being written are in a
second, short list before they are written, so that a kill leaves none that nobody would delete. No
other file is ever changed or deleted, and a folder that has pages of somebody else is refused.
"""

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from referee.errors import Finding, ResourceError
from referee.fresh_file import written_anew
from referee.pages.document import PageFile

LIST: Final = ".referee-pages.json"
BEGUN: Final = ".referee-pages-begun.json"
SITE: Final = "index"
"""The part of the pages that is about all games. No game has this name."""
_READABLE: Final = 0o644
_ENTERED: Final = 0o755
_PRIVATE: Final = 0o600


@dataclass(frozen=True, slots=True)
class Shelf:
    """The files of a part of the pages, with the mark of what they were made from."""

    mark: str
    files: tuple[str, ...]


@dataclass(slots=True)
class PageFolder:
    """The folder with what is in it; *parts* are by name, such as ``sw-1``."""

    place: Path
    parts: dict[str, Shelf] = field(default_factory=dict)
    begun: list[str] = field(default_factory=list)
    """Files of ours that the list in the folder does not name yet."""

    def is_current(self, name: str, mark: str) -> bool:
        """Return whether a part has such a mark, or one with this beginning, and all its files."""
        shelf = self.parts.get(name)
        if shelf is None or not shelf.mark.startswith(mark):
            return False
        return all((self.place / file).is_file() for file in shelf.files)

    def listed(self) -> frozenset[str]:
        """Return the files that are ours."""
        return frozenset(file for shelf in self.parts.values() for file in shelf.files)

    def write(self, file: PageFile) -> None:
        """Write a file, readable for everyone, unless it is the same already.

        Raises ResourceError if it would be a file of somebody else, and OSError.
        """
        self._claim(file.path)
        _write(self.place, self.place / file.path, file.content, _READABLE)

    def keep(self, name: str, mark: str, files: Iterable[str]) -> None:
        """Record the files of a part after they were written, and delete its old ones."""
        before = self.parts.get(name, Shelf("", ())).files
        self.parts[name] = Shelf(mark, tuple(files))
        self._save()
        for file in set(before) - set(self.parts[name].files):
            self._delete(file)

    def remove(self, name: str) -> None:
        """Delete the files of a part."""
        for file in self.parts[name].files:
            self._delete(file)
        del self.parts[name]
        self._save()

    def _claim(self, file: str) -> None:
        """List a file as ours before it is written."""
        path = self.place / file
        name = _part_of(file)
        shelf = self.parts.get(name, Shelf("", ()))
        if path.parent != self.place and path.parent.is_symlink():
            raise _foreign(path.parent)
        if file in shelf.files:
            return
        # `referee publish` can write next to a running referee.
        if os.path.lexists(path) and file not in open_folder(self.place).listed():
            raise _foreign(path)
        self.begun.append(file)
        _write(self.place, self.place / BEGUN, json.dumps(self.begun).encode(), _PRIVATE)
        self.parts[name] = Shelf("", (*shelf.files, file))

    def _delete(self, file: str) -> None:
        path = self.place / file
        if path.parent != self.place and path.parent.is_symlink():
            # Somebody has put a link there since; what it leads to is not ours.
            return
        path.unlink(missing_ok=True)
        if path.parent != self.place and path.parent.is_dir() and not any(path.parent.iterdir()):
            path.parent.rmdir()

    def _save(self) -> None:
        told = {
            name: {"mark": shelf.mark, "files": list(shelf.files)}
            for name, shelf in sorted(self.parts.items())
        }
        _write(self.place, self.place / LIST, json.dumps(told, indent=1).encode(), _PRIVATE)
        self.begun.clear()
        (self.place / BEGUN).unlink(missing_ok=True)


def open_folder(place: Path) -> PageFolder:
    """Return the folder, made if necessary.

    Raises ResourceError if it has an index that we have not written, and OSError.
    """
    place.mkdir(parents=True, exist_ok=True)
    listed, begun = place / LIST, place / BEGUN
    if not listed.is_file() and not begun.is_file():
        if (place / "index.html").exists():
            remedy = "choose an empty folder, or move index.html away"
            what = "pages: the folder has an index.html that the referee has not written"
            raise ResourceError(Finding(what, remedy, "folder", str(place)))
        return PageFolder(place)
    try:
        told = json.loads(listed.read_bytes()) if listed.is_file() else {}
        files = json.loads(begun.read_bytes()) if begun.is_file() else []
        return PageFolder(place, _parts(told, files), files)
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        remedy = "delete the folder with all pages; they are written again"
        what = "pages: the list of the pages is damaged"
        raise ResourceError(Finding(what, remedy, "file", str(listed))) from error


def _part_of(file: str) -> str:
    return file.split("/")[0] if "/" in file else SITE


def _foreign(path: Path) -> ResourceError:
    what = "pages: the folder has a file or link that the referee has not written"
    remedy = "choose an empty folder, or move it away"
    return ResourceError(Finding(what, remedy, "file", str(path)))


def _parts(told: dict[str, Any], begun: list[str]) -> dict[str, Shelf]:
    parts = {
        name: Shelf(str(each["mark"]), tuple(map(str, each["files"])))
        for name, each in told.items()
    }
    for file in begun:
        name = _part_of(file)
        parts[name] = Shelf("", (*parts.get(name, Shelf("", ())).files, file))
    for shelf in parts.values():
        for file in shelf.files:
            if Path(file).is_absolute() or ".." in Path(file).parts:
                raise ValueError("leads out of the folder")
    return parts


def _write(root: Path, path: Path, content: bytes, mode: int) -> None:
    """Write a file under another name and rename it, so that nobody reads a part of it."""
    if path.is_file() and path.read_bytes() == content:
        return
    if path.parent != root and not path.parent.is_dir():
        path.parent.mkdir()
        # The service creates files and folders that only it can read.
        path.parent.chmod(_ENTERED)
    draft = path.with_name(f".{path.name}.new")
    with written_anew(draft, mode) as writer:
        os.fchmod(writer.fileno(), mode)
        writer.write(content)
        writer.flush()
        os.fsync(writer.fileno())
    draft.replace(path)
