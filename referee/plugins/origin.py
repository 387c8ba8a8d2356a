"""The entry point of a plug-in: which package brings it, and how its faults are worded."""

from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from traceback import TracebackException
from typing import Final

from referee.errors import Finding

OURS: Final = "referee"
"""The distribution whose plug-ins are never blamed for what another one repeats."""
_LONGEST: Final = 400


@dataclass(frozen=True, slots=True)
class Kind:
    """What an entry point can bring: the word for it, its group, and a hint for its author."""

    word: str
    group: str
    hint: str


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a plug-in comes from."""

    kind: Kind
    point: EntryPoint

    @property
    def key(self) -> str:
        """The name of the entry point."""
        return self.point.name

    @property
    def distribution(self) -> str:
        """The name by which pip knows the package, or ""."""
        return one_line(self.point.dist.name or "") if self.point.dist else ""

    @property
    def is_ours(self) -> bool:
        """Whether it comes with the referee itself."""
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
        """Return the fault with its remedy; *other* has what the plug-in repeats."""
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


def faults_in(origin: Origin, doing: str, faults: Iterable[str]) -> list[str]:
    """Return *faults*; if finding them raises anything, that is the last one.

    Code of the plug-in runs meanwhile, which may raise anything or end the program as a script
    does. A Ctrl-C of the operator looks like a KeyboardInterrupt of its own, so only what comes
    with the referee is never blamed for one.
    """
    found: list[str] = []
    try:
        for fault in faults:
            found.append(fault)
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt) and origin.is_ours:
            raise
        # The words of a foreign error may raise, too.
        words = one_line(str(TracebackException.from_exception(error)))
        found.append(f"{type(error).__name__} {doing}{words and ': '}{words}")
    return found


def one_line(words: str) -> str:
    """Return *words* as one printable line of a bounded length."""
    plain = "".join(c if c.isprintable() else " " for c in words[: 2 * _LONGEST])
    return " ".join(plain.split())[:_LONGEST]
