"""Orders of a turn with their results, or the results to expect."""

from dataclasses import dataclass
from typing import Final

from referee.rules.wording import counted


@dataclass(frozen=True, slots=True)
class OrderResult:
    """One order of the turn and its result."""

    text: str
    outcome: str


@dataclass(frozen=True, slots=True)
class StandingDoubts:
    """The standing orders that would be rejected, or warned of, if they ran now."""

    rejected: tuple[OrderResult, ...] = ()
    warned: tuple[OrderResult, ...] = ()

    @property
    def in_words(self) -> str:
        """How many they are, as a sentence; "" for none."""
        bad, doubtful = len(self.rejected), len(self.warned)
        have = "has a warning" if doubtful == 1 else "have a warning"
        if not bad:
            return f"{counted(doubtful, 'standing order')} {have}." if doubtful else ""
        rest = f", and {doubtful} {have}" if doubtful else ""
        return f"{counted(bad, 'standing order')} would be rejected now{rest}."


NO_DOUBTS: Final = StandingDoubts()
