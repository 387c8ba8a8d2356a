"""The effort that one letter may cost: processor time, memory, and advice on what is not read."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final, TypeVar

from referee.errors import LetterTooCostly

T = TypeVar("T")

MOST_SECONDS: Final = 2.0
"""The processor time that the reading and the commands of one letter can take."""
MOST_OCTETS: Final = 500_000_000
"""The memory that one letter can take."""
_LEAST_ADVICE: Final = 0.1
"""The seconds of advice that every letter can have."""


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
    _advised: float = 0.0

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
        """The processor time so far, in seconds."""
        return self.seconds() - self._began

    def check(self) -> None:
        """Raise LetterTooCostly if the letter has used up its processor time or its memory."""
        if self.spent > MOST_SECONDS:
            raise LetterTooCostly(f"needs more than {MOST_SECONDS:g} s of processor time")
        if self.octets() - self._octets_before > MOST_OCTETS:
            raise LetterTooCostly(f"needs more than {MOST_OCTETS // 1_000_000} MB of memory")

    @property
    def has_advice(self) -> bool:
        """Whether there can be more advice: it costs at most as much as all the rest so far."""
        return self._advised < max(_LEAST_ADVICE, self.spent - self._advised)

    @contextmanager
    def advice(self) -> Iterator[None]:
        """Count the time inside as advice."""
        began = self.seconds()
        try:
            yield
        finally:
            self._advised += self.seconds() - began

    def advised(self, parts: Iterable[T]) -> Iterator[T]:
        """Yield parts of the letter to give advice on, as long as there can be more."""
        for part in parts:
            if not self.has_advice:
                return
            with self.advice():
                yield part

    @contextmanager
    def apart(self) -> Iterator[None]:
        """Leave out the time inside, which has a limit of its own."""
        began = self.seconds()
        try:
            yield
        finally:
            self._began += self.seconds() - began


FREE: Final = Effort(lambda: 0.0, lambda: 0)
"""No limit, for text that is no letter."""
