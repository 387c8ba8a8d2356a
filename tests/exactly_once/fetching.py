"""Letters fetched over IMAP, with a crash at every command and commit."""

import multiprocessing
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path

from referee.daemon import Daemon
from referee.testing.faults import run
from tests.exactly_once.disturbing import Story
from tests.exactly_once.house import MAILDIR, House
from tests.exactly_once.play import FRODO, GM, STEPS, People
from tests.mail.scripted_imap import Once, ScriptedImap

IMAP = """
[[imap]]
name = "games"
host = "127.0.0.1"
port = {port}
security = "none"
user = "games"
password_file = "password"
"""
NOW = STEPS[0].now
_PEOPLE = People((), NOW)
LETTERS = {
    3: _PEOPLE.writes(GM, 1, "HELP"),
    5: _PEOPLE.writes(FRODO, 1, "LIST"),
    # A copy of the first letter, with another UID.
    9: _PEOPLE.writes(GM, 1, "HELP"),
}

Mailbox = tuple[Mapping[int, bytes], list[int]]
"""The letters in the mailbox, and the UIDs that were moved."""


def tell(folder: Path, every: int) -> Story:
    """Fetch letters, with a crash at every *every*-th point, and fetch the remaining ones."""
    with _server() as (port, pipe):
        folder.mkdir(parents=True)
        (folder / "password").write_text("secret")
        house = House(folder, MAILDIR + IMAP.format(port=port))
        house.keep("before")
        fetch = partial(_fetch, house)
        story = Story(points=list(run(fetch, folder).points))
        aim = (house.picture(), house.sent(), _left(pipe))
        for at, point in enumerate(story.points, 1):
            if at % every:
                continue
            story.tried += 1
            house.return_to("before")
            killed = run(fetch, folder, at).killed
            run(fetch, folder)
            if not killed or (house.picture(), house.sent(), _left(pipe)) != aim:
                story.faults.append(f"point {at}, {point}")
    story.sent = [raw.decode() for raw in aim[1]]
    return story


def _fetch(house: House) -> None:
    daemon = Daemon(house.app)
    daemon.reclaim_stale_claims()
    daemon.sources.watch("games", Once(), lambda: NOW)
    daemon.step(NOW)
    assert daemon.send(NOW)
    house.app.close()


def _left(pipe: Connection) -> Mailbox:
    """Return the letters in the mailbox and those moved, and put all letters back."""
    pipe.send(True)
    left: Mailbox = pipe.recv()
    return left


@contextmanager
def _server() -> Iterator[tuple[int, Connection]]:
    """Run an IMAP server in its own process, because this one must have no threads."""
    fork = multiprocessing.get_context("fork")
    ours, theirs = fork.Pipe()
    child = fork.Process(target=_serve, args=(theirs,))
    child.start()
    try:
        yield ours.recv(), ours
    finally:
        child.kill()
        child.join()


def _serve(pipe: Connection) -> None:
    with ScriptedImap(LETTERS) as server:
        pipe.send(server.port)
        while pipe.recv():
            left = (dict(server.inbox), sorted(server.moved))
            server.inbox, server.moved = dict(LETTERS), []
            pipe.send(left)
