"""The entry point of a plug-in: its package, and the wording of its faults."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import EntryPoint
from pathlib import Path
from traceback import TracebackException, extract_tb
from typing import Final

from referee.errors import Finding

OURS: Final = "referee"
"""The distribution whose plug-ins keep a name that another one repeats."""
_LONGEST: Final = 350


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of plug-in: the word for it, its group, and a hint for its author."""

    word: str
    group: str
    hint: str


@dataclass(frozen=True)
class Origin:
    """The origin of a plug-in."""

    kind: Kind
    point: EntryPoint

    @property
    def key(self) -> str:
        """The name of the entry point."""
        return self.point.name

    @cached_property
    def distribution(self) -> str:
        """The name by which pip knows the package, or ""."""
        return one_line(self.point.dist.name or "") if self.point.dist else ""

    @property
    def is_ours(self) -> bool:
        """Whether the plug-in comes with the referee itself."""
        return self.distribution == OURS

    @property
    def package(self) -> str:
        """The package and its version, in words."""
        if not self.distribution or self.point.dist is None:
            return "a package"
        return f"{self.distribution} {one_line(self.point.dist.version)}"

    @property
    def place(self) -> str:
        """The entry point as it is written, with its group."""
        return one_line(f"{self.point.group}: {self.key} = {self.point.value}")

    def __str__(self) -> str:
        return f"the {self.kind.word} {self.key!r} of {self.package}"

    def ships(self, top: str) -> bool:
        """Return whether the top-level package *top* is one of those that bring the plug-in."""
        if top == self.point.module.partition(".")[0]:
            return True
        files = (self.point.dist.files if self.point.dist else None) or ()
        return any(file.parts[0] == top for file in files)

    def finding(self, fault: str, other: "Origin | None" = None) -> Finding:
        """Return the fault with its remedy; *other* is the plug-in whose name is repeated."""
        return Finding(
            f"{self} cannot be used: {fault}",
            self._remedy(other),
            "entry",
            self.place,
        )

    def _remedy(self, other: "Origin | None") -> str:
        if other is not None and not other.is_ours:
            return f"remove one of the two: {self._removal}, or {other._removal}"
        if self.is_ours:
            return "install the referee again"
        return f"update the package, or remove it: {self._removal}; {self.kind.hint}"

    @property
    def _removal(self) -> str:
        return f"pip uninstall {self.distribution or 'it'}"


def faults_in(origin: Origin | None, doing: str, faults: Iterable[str]) -> list[str]:
    """Return *faults*; if finding them raises an exception, that is the last fault, with its place.

    The plug-in's code runs here. It can raise anything, or end the program as a script does. Its
    own KeyboardInterrupt cannot be told from the operator's Ctrl-C, so only plug-ins of other
    packages are blamed for one.
    """
    found: list[str] = []
    try:
        for fault in faults:
            found.append(fault)
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt) and (origin is None or origin.is_ours):
            raise
        # The text of a foreign error can raise an exception, too.
        words = one_line(str(TracebackException.from_exception(error)))
        place = _place(error, origin) if origin is not None else ""
        found.append(f"{type(error).__name__} {doing}{words and ': '}{words}{place}")
    return found


def _place(error: BaseException, origin: Origin) -> str:
    """Return the innermost place of an exception in the plug-in's package, or ""."""
    top = origin.point.module.partition(".")[0]
    for frame in reversed(extract_tb(error.__traceback__)):
        parts = Path(frame.filename).parts
        if {top, f"{top}.py"} & {*parts}:
            return f" ({'/'.join(parts[-2:])}, line {frame.lineno})"
    return ""


def one_line(words: str) -> str:
    """Return *words* as one printable line of limited length."""
    plain = "".join(c if c.isprintable() else " " for c in words[: 2 * _LONGEST])
    return " ".join(plain.split())[:_LONGEST]
