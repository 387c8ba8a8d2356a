"""Letters to the operator."""

from dataclasses import dataclass

from referee.letters.outgoing.notices import Notice


@dataclass(frozen=True, slots=True)
class OperatorAlert(Notice):
    """A failure, to the operator; *subject* is the fact in a few words."""

    subject: str
    what: str
    reference: str
    to_do: str


@dataclass(frozen=True, slots=True)
class OperatorDigest(Notice):
    """To the operator, once a day when there is something: a line for each thing to look at."""

    quarantined: tuple[str, ...]
    unasked: tuple[str, ...]
    failed: tuple[str, ...]
    bouncing: tuple[str, ...]
    stalled: tuple[str, ...]
    health: tuple[str, ...]
