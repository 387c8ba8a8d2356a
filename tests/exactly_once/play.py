"""The conversation of the crash tests: a GM, two players and a stranger, step by step."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from referee.testing.correspondents import Correspondent, Received, signed

HOUSE = "games@referee.example"
GM, FRODO, SAM = "gm@example.org", "frodo@shire.example", "sam@shire.example"
STRANGER = "stranger@example.com"
CREATE = 'CREATE STARWEB SEATS 2 DEADLINE "72 hours"\nOPTION worlds=36 OPTION introduced=yes'
_BEGINNING = datetime(2026, 9, 1, 12, tzinfo=UTC)

ANSWERS = {
    f"<{number}.{address}>": 1
    for address, last in ((GM, 1), (FRODO, 3), (SAM, 2), (STRANGER, 1))
    for number in range(1, last + 1)
} | {f"<2.{SAM}>": 2}
"""The number of answers to each letter; a pending one also gets one when confirmed."""


class People:
    """The letters that everybody has received, and functions to write new ones."""

    def __init__(self, letters: Sequence[bytes], now: datetime) -> None:
        self._got = [Received(raw) for raw in letters]
        self._now = now

    def writes(self, address: str, number: int, body: str, subject: str = "") -> bytes:
        """Return a letter that is no reply; *number* is part of its Message-ID."""
        return signed(self._writer(address, number).letter(HOUSE, subject, body, self._now, {}))

    def replies(self, address: str, number: int, body: str, to: str) -> bytes:
        """Return a reply to the newest letter with these words in its subject."""
        got = [letter for letter in self._got if letter.recipient == address]
        answered = [letter for letter in got if to in letter.subject][-1]
        return signed(self._writer(address, number).reply(answered, body, self._now, {}))

    def home(self, address: str) -> int:
        """Return the number of a player's first world."""
        name = address.partition("@")[0].upper()
        text = "\n".join(letter.text for letter in self._got if letter.recipient == address)
        found = re.search(rf"^W(\d+) \([\d,]*\) \[{name}\]", text, re.MULTILINE)
        assert found is not None
        return int(found[1])

    def _writer(self, address: str, number: int) -> Correspondent:
        return Correspondent(address, wrote=number - 1)


@dataclass(frozen=True, slots=True)
class Step:
    """The letters that people write in an hour, based on earlier mail; the referee runs then.

    The letters are given by their file names.
    """

    hour: int
    write: Callable[[People], Mapping[str, bytes]]

    @property
    def now(self) -> datetime:
        """Return the time of the step."""
        return _BEGINNING + timedelta(hours=self.hour)


def _numbered(
    write: Callable[[People], Iterator[bytes]],
) -> Callable[[People], Mapping[str, bytes]]:
    def written(people: People) -> Mapping[str, bytes]:
        return {f"{write.__name__}{n}.host": raw for n, raw in enumerate(write(people))}

    return written


@_numbered
def _create(people: People) -> Iterator[bytes]:
    yield people.writes(GM, 1, CREATE)


@_numbered
def _join(people: People) -> Iterator[bytes]:
    yield people.writes(FRODO, 1, "JOIN SW-1 FRODO")
    yield people.writes(SAM, 1, "JOIN SW-1 SAM")


@_numbered
def _order(people: People) -> Iterator[bytes]:
    home = people.home(FRODO)
    press = "PRESS TO SAM\nGood morning.\nEND"
    yield people.replies(FRODO, 2, f"W{home}B1P\nF9X\n{press}", to="report")
    # It waits for a confirmation, because it has no token of ours.
    yield people.writes(SAM, 2, f"W{people.home(SAM)}B1I", "[SW-1 T1 SAM]")


@_numbered
def _confirm(people: People) -> Iterator[bytes]:
    yield people.replies(SAM, 3, "CONFIRM", to="confirm")
    # A copy of the same letter, as some servers deliver it.
    yield people.writes(SAM, 2, f"W{people.home(SAM)}B1I", "[SW-1 T1 SAM]")
    yield people.writes(STRANGER, 1, "HELP")


@_numbered
def _finish(people: People) -> Iterator[bytes]:
    yield people.replies(FRODO, 3, f"W{people.home(FRODO)}B2P\nFINAL", to="report")


@_numbered
def _wait(_people: People) -> Iterator[bytes]:
    yield from ()


STEPS = (
    Step(0, _create),
    Step(1, _join),
    Step(2, _order),
    Step(3, _confirm),
    # The deadline of the first turn, with its reports.
    Step(73, _wait),
    Step(74, _finish),
    # Sam is reminded, and then misses the second turn.
    Step(73 + 71, _wait),
    Step(73 + 72, _wait),
)
