"""Metrics of a running referee in the Prometheus text format, without personal data."""

import logging
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Final

from referee.daemon.logs import line
from referee.daemon.loop import Daemon
from referee.domain.shares import Size
from referee.errors import StoreError
from referee.store import Session
from referee.store.database import engine
from referee.store.games import games
from referee.store.letter_states import InboxState, Lane, OutboxState
from referee.store.mail import inbox, levels, outbox
from referee.tally import Counted

_TO_READ: Final = (InboxState.WAITING, InboxState.HELD, InboxState.QUARANTINED)
_TO_SEND: Final = (OutboxState.WAITING, OutboxState.FAILED)
CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric: its values by its one *label*, or a single value without a label."""

    name: str
    words: str
    values: Mapping[str, float] = field(default_factory=dict)
    label: str = ""

    def written(self) -> str:
        """Return the lines of the text format; a name that ends in ``_total`` is a counter."""
        kind = "counter" if self.name.endswith(("_total", "_sum", "_count")) else "gauge"
        name = f"referee_{self.name}"
        lines = [f"# HELP {name} {self.words}", f"# TYPE {name} {kind}"]
        lines += [
            f"{name}{self._labelled(key)} {value:.10g}"
            for key, value in sorted(self.values.items())
        ]
        return "\n".join(lines) + "\n"

    def _labelled(self, key: str) -> str:
        if not self.label:
            return ""
        escaped = key.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
        labels = self.label.split(",")
        values = escaped.split(",", len(labels) - 1)
        each = (f'{label}="{value}"' for label, value in zip(labels, values, strict=True))
        return f"{{{','.join(each)}}}"


def metrics_of(daemon: Daemon, now: datetime) -> str:
    """Return all metrics of a daemon; if the database fails, those that do not need it."""
    found = list(_counted(daemon))
    try:
        with daemon.app.store.read() as session:
            found += _stored(session, daemon.app.site.sizes, now)
    except StoreError:
        found.append(_one("database_up", "Whether the database responds.", 0))
    else:
        found.append(_one("database_up", "Whether the database responds.", 1))
    return "".join(metric.written() for metric in found)


def _counted(daemon: Daemon) -> Iterator[Metric]:
    tally = daemon.app.tally
    received, tried = tally.of(Counted.RECEIVED), tally.of(Counted.TRIED)
    read, turns = tally.of(Counted.READ), tally.of(Counted.ADJUDICATED)
    seconds, failures = tally.of(Counted.ADJUDICATION_SECONDS), tally.of(Counted.FAILURES)
    ways = {source: bool(words) for source, words in daemon.sources.statuses().items()}
    yield Metric("letters_received_total", "Letters received, by mail source.", received, "source")
    yield _one("letters_read_total", "Letters read.", read.get("", 0))
    yield Metric("letters_tried_total", "Sending attempts, by result.", tried, "outcome")
    yield _one("turns_adjudicated_total", "Turns adjudicated.", turns.get("", 0))
    words = "Seconds spent adjudicating turns."
    yield _one("adjudication_seconds_total", words, seconds.get("", 0))
    words = "Failures, each with a reference in the log."
    yield _one("troubles_total", words, failures.get("", 0))
    words = "Whether a mail source is failing."
    yield Metric("way_in_trouble", words, ways, "source")
    yield _one("loop_seconds", "Duration of the last round of the loop.", daemon.round_seconds)
    words = "Seconds since the last progress of the loop and of sending."
    yield _one("loop_lag_seconds", words, daemon.silence)


def _stored(session: Session, sizes: Mapping[Size, int], now: datetime) -> Iterator[Metric]:
    came = {state.value: float(n) for state, n in inbox.counts(session, *_TO_READ).items()}
    went = {state.value: float(n) for state, n in outbox.counts(session, *_TO_SEND).items()}
    yield Metric("letters_in", "Received letters that are not finished.", came, "state")
    yield Metric("letters_out", "Letters not yet sent.", went, "state")
    oldest = inbox.oldest_waiting(session)
    unread = {lane.name.lower(): _age(oldest.get(lane), now) for lane in Lane}
    yield Metric("oldest_unread_seconds", "Age of the oldest unread letter.", unread, "lane")
    unsent = _age(outbox.next_due(session), now)
    yield _one("oldest_unsent_seconds", "How long the oldest unsent letter is overdue.", unsent)
    found = {status.value: float(n) for status, n in games.counts(session).items()}
    yield Metric("games", "Games, by status.", found, "status")
    taken = engine.room(session.connection()).taken
    yield _one("database_bytes", "Disk space used by the database.", taken)
    words = "Games whose turn cannot be resolved because of a failure."
    yield _one("games_stalled", words, len(games.stalled(session)))
    fullest = dict[str, float]()
    for level in levels.levels(session, sizes, now):
        kind = f"{level.share.thing.name.lower()},{level.share.key.name.lower()}"
        fullest[kind] = max(round(level.ratio, 4), fullest.get(kind, 0))
    yield Metric("spent_ratio", "Part of the fullest share that is used.", fullest, "thing,key")


def _one(name: str, words: str, value: float) -> Metric:
    return Metric(name, words, {"": value})


def _age(moment: datetime | None, now: datetime) -> float:
    return 0 if moment is None else max((now - moment).total_seconds(), 0)


log = logging.getLogger(__name__)

HOST: Final = "127.0.0.1"
PATH: Final = "/metrics"
ADDRESS_FIELD: Final = "Referee-Address"
"""The field of an answer that has the address of the site, which tells two referees apart."""
REMEDY: Final = "stop the program that uses it, or set another port in [metrics]"


class MetricsPage:
    """Answers ``GET /metrics`` on a local port, in its own threads, once the port is free.

    Games and mail do not wait for it.
    """

    def __init__(self, port: int, address: str, text: Callable[[], str]) -> None:
        """Serve *text* for the site with the *address*; nothing listens yet."""
        self._port, self._address, self._text = port, address, text
        self._server: _Server | None = None
        self._is_failure_logged = False

    def keep_open(self) -> None:
        """Start listening, unless it does already; log only the first failure."""
        if self._server is not None:
            return
        try:
            self._server = _Server(self._port, self._address, self._text)
        except OSError as error:
            self._log_once(error)
            return
        Thread(target=self._server.serve_forever, name="metrics", daemon=True).start()
        log.info("%s", line("metrics page open", port=self._port))

    def close(self) -> None:
        """Stop listening."""
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()

    def _log_once(self, error: OSError) -> None:
        if not self._is_failure_logged:
            self._is_failure_logged = True
            event = "the metrics page cannot be opened; everything else works"
            log.error("%s", line(event, port=self._port, error=error.strerror, to_do=REMEDY))


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, port: int, address: str, text: Callable[[], str]) -> None:
        super().__init__((HOST, port), _Answer)
        self.address, self.text = address, text


class _Answer(BaseHTTPRequestHandler):
    timeout = 10
    server: _Server

    def do_GET(self) -> None:
        """Answer with all metrics."""
        if self.path != PATH:
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        body = self.server.text().encode()
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", CONTENT_TYPE)
        self.send_header("Content-Length", str(len(body)))
        self.send_header(ADDRESS_FIELD, self.server.address)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Log nothing, because requests come every few seconds."""
