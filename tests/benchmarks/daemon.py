"""The whole referee: letters by LMTP to acknowledgements by SMTP, with a baseline.

``python -m tests.benchmarks.daemon [LETTERS]``. The letters use one connection: first as fast as
they are accepted, then each after the acknowledgement of the one before.
"""

import os
import smtplib
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count, cycle, islice
from pathlib import Path
from statistics import median
from typing import Final

from referee.testing.correspondents import Received
from tests.benchmarks.intake import HOUSE, House
from tests.benchmarks.sink import Log
from tests.benchmarks.storm import SETTINGS, Referee, cpu_seconds, sink_on, until
from tests.benchmarks.timing import size
from tests.support.ports import free_port

LETTERS: Final = 240
"""The number of letters in a round; sequential rounds have a third of it."""
_ROUNDS: Final = size(5, 1)
_WARM: Final = size(60, 1)
_LOOK: Final = 0.002
_IDS: Final = count()
_TICK: Final = 1 / os.sysconf("SC_CLK_TCK")
"""The least processor time that is measured."""


@dataclass(frozen=True, slots=True)
class Server:
    """A server that accepts letters by LMTP and sends an answer to each."""

    port: int
    log: Log
    cpu: Callable[[], float]
    """Returns the CPU time it has used in seconds."""


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of a letter in a round: seconds until the answer, and seconds of CPU time."""

    wall: float
    cpu: float


Post = Callable[[Server, Sequence[bytes]], None]


def stream(server: Server, letters: Sequence[bytes]) -> None:
    """Send letters as fast as they are accepted, and wait until all are answered."""
    before = len(server.log.taken())
    with smtplib.LMTP("127.0.0.1", server.port, timeout=60) as client:
        for raw in letters:
            _send(client, raw)
    until(lambda: len(server.log.taken()) >= before + len(letters), _LOOK * 10)


def one_by_one(server: Server, letters: Sequence[bytes]) -> None:
    """Send each letter after the answer to the one before."""
    with smtplib.LMTP("127.0.0.1", server.port, timeout=60) as client:
        for raw in letters:
            before = len(server.log.taken())
            _send(client, raw)
            until(lambda before=before: len(server.log.taken()) > before, _LOOK)  # type: ignore[misc]


def _send(client: smtplib.LMTP, raw: bytes) -> None:
    """Send a letter with a new Message-ID."""
    fresh = raw.replace(b"Message-ID: <", b"Message-ID: <%d." % next(_IDS), 1)
    client.sendmail("player@example.org", [Received(raw).recipient], fresh)


def cost(server: Server, post: Post, letters: Sequence[bytes]) -> Cost:
    """Return the cost of each letter; fail unless each was answered once."""
    before, cpu, begun = len(server.log.taken()), server.cpu(), time.time()
    post(server, letters)
    answers = server.log.taken()[before:]
    if len({answer.answers for answer in answers}) != len(letters):
        raise SystemExit(f"of {len(letters)} letters {len(answers)} were answered")
    worked = max(server.cpu() - cpu, _TICK)
    return Cost((answers[-1].at - begun) / len(letters), worked / len(letters))


@contextmanager
def referee(folder: Path) -> Iterator[tuple[Server, list[bytes]]]:
    """Run a referee with a game in progress; yield it, and an order letter of each player."""
    database = f"sqlite:///{folder}/referee.db"
    house = House(folder / "house", f'[database]\nurl = "{database}"\n')
    letters, state = house.letters(), folder / "house" / "state"
    house.app.close()
    with sink_on(folder / "answers", frozenset(os.sched_getaffinity(0))) as sink:
        port = free_port()
        settings = SETTINGS.format(
            state=state, house=HOUSE, receiver=port, sink=sink, database=database
        )
        run = Referee(folder / "run", settings, port)
        try:
            yield Server(port, Log(folder / "answers"), run.worked), letters
            run.stop()
        finally:
            run.program.kill()
            run.program.wait()


@contextmanager
def relay(folder: Path) -> Iterator[Server]:
    """Run the minimal server that accepts, commits and answers letters."""
    folder.mkdir()
    with sink_on(folder / "answers", frozenset(os.sched_getaffinity(0))) as sink:
        command = [sys.executable, "-m", "tests.benchmarks.relay", str(folder), str(sink)]
        run = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert run.stdout is not None
            port = int(run.stdout.readline())
            yield Server(port, Log(folder / "answers"), lambda: cpu_seconds(str(run.pid)))
        finally:
            run.kill()
            run.communicate()


def compare(name: str, ours: Server, least: Server, post: Post, letters: Sequence[bytes]) -> None:
    """Compare the answers of both to the letters, round after round, and print the times."""
    rounds = [(cost(ours, post, letters), cost(least, post, letters)) for _ in range(_ROUNDS)]
    of_ours, of_least = map(_typical, zip(*rounds, strict=True))
    sys.stdout.write(
        f"{name}\n{_told(of_ours)}{_told(of_least)}  taken, parsed, two durable commits, sent\n"
        f"  {of_ours.cpu / of_least.cpu:9.2f}     ratio of core time;"
        f" {of_ours.wall / of_least.wall:.2f} of wall time\n"
    )


def _typical(rounds: Sequence[Cost]) -> Cost:
    return Cost(median(each.wall for each in rounds), median(each.cpu for each in rounds))


def _told(each: Cost) -> str:
    core = f"{1000 * each.cpu:.1f} ms of a core"
    return f"  {1000 * each.wall:9.2f} ms  {1 / each.wall:,.0f} letters a second, {core}\n"


def main(number: int) -> None:
    """Compare the referee with the minimal server, with parallel and sequential letters."""
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        (here / "referee").mkdir()
        with referee(here / "referee") as (ours, letters), relay(here / "relay") as least:
            for server in (ours, least):
                stream(server, [*islice(cycle(letters), _WARM)])
            for name, post, many in (
                (f"{number} letters with orders by LMTP, answered by SMTP", stream, number),
                ("the same, each when the one before is answered", one_by_one, number // 3),
            ):
                compare(name, ours, least, post, [*islice(cycle(letters), many)])


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else LETTERS)
