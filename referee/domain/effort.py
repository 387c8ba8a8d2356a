"""The effort that one letter may cost: processor time, memory, and lines that get advice."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Final

from referee.domain.mail_transfer import Line
from referee.errors import LetterTooCostly

MOST_SECONDS: Final = 2.0
"""The processor time that the reading and the commands of one letter can take."""
MOST_OCTETS: Final = 500_000_000
"""The memory that one letter can take."""
MOST_ADVISED: Final = 300
"""The lines of one letter that can have advice; the others are only named as not read."""
_AS_ONE: Final = 100
"""The characters of a long line that count as one more line."""


@dataclass(slots=True, eq=False)
class Effort:
    """The effort for one letter, asked in each loop over its lines. It counts while it is `going`.

    *seconds* returns the processor time of this thread, and *octets* the most memory that the
    process has taken.
    """

    seconds: Callable[[], float]
    octets: Callable[[], int]
    _began: float = field(init=False)
    _octets_before: int = field(init=False)
    _stopped: tuple[float, int] = field(init=False)
    most_advised: int | None = MOST_ADVISED
    _advised: set[Line] = field(default_factory=set)
    _given: int = 0
    _left_out: float = 0.0

    def __post_init__(self) -> None:
        """Begin with nothing."""
        self._began, self._octets_before = self.seconds(), self.octets()
        self._stopped = self._began, self._octets_before

    @contextmanager
    def going(self) -> Iterator[None]:
        """Count the time inside, and leave out the time before it and after the last one."""
        seconds, octets = self._stopped
        self._began += self.seconds() - seconds
        self._octets_before += self.octets() - octets
        try:
            yield
        finally:
            self._stopped = self.seconds(), self.octets()

    @property
    def spent(self) -> float:
        """The processor time so far, in seconds, without what was left out."""
        return self.seconds() - self._began - self._left_out

    @property
    def taken(self) -> float:
        """The processor time so far, in seconds, with what was left out."""
        return self.seconds() - self._began

    def check(self) -> None:
        """Raise LetterTooCostly if the letter has used up its processor time or its memory."""
        if self.spent > MOST_SECONDS:
            raise LetterTooCostly(f"needs more than {MOST_SECONDS:g} s of processor time")
        if self.octets() - self._octets_before > MOST_OCTETS:
            raise LetterTooCostly(f"needs more than {MOST_OCTETS // 1_000_000} MB of memory")

    def advises(self, line: Line) -> bool:
        """Return whether *line*, which is not read, gets advice: it is among the first ones.

        The answer for the same line is the same, however often the letter is read.
        """
        if self.most_advised is None:
            return True
        if line not in self._advised and self._given < self.most_advised:
            self._advised.add(line)
            self._given += 1 + len(line.text) // _AS_ONE
        return line in self._advised

    def advised(self, lines: Iterable[Line]) -> Iterator[Line]:
        """Yield those of the *lines* that get advice, up to the first that does not."""
        return takewhile(self.advises, lines)

    @contextmanager
    def apart(self) -> Iterator[None]:
        """Leave out the time inside, which has a limit of its own."""
        began = self.seconds()
        try:
            yield
        finally:
            self._left_out += self.seconds() - began


FREE: Final = Effort(lambda: 0.0, lambda: 0, most_advised=None)
"""No limit, for text that is no letter."""

UNADVISED: Final = Effort(lambda: 0.0, lambda: 0, most_advised=0)
"""No limit and no advice, for a line of which only the orders are wanted."""
