"""What is made of a whole game costs work in proportion to its turns."""

import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from types import FrameType

import pytest

from referee.desk.base.atlases import atlas_file
from referee.desk.base.desk import Desk
from referee.desk.base.loaded_games import kept_states, load
from referee.desk.base.outbox_writer import Addressing, mailbox
from referee.desk.games import export
from referee.desk.games.replay import replay
from referee.desk.players.privacy import as_json, shown
from referee.desk.publishing import book
from referee.plugins import installed_rulesets
from referee.store.games import games
from referee.store.models import Game
from referee.store.privacy.disclosure import disclose
from referee.store.privacy.subject import subject_of
from tests.daemon.test_parts import Loud
from tests.daemon.test_trouble import BEGINNING


@contextmanager
def counted() -> Iterator[list[int]]:
    """Count the calls of Python functions."""
    calls = [0]

    def note(_frame: FrameType, event: str, _given: object) -> None:
        calls[0] += event == "call"

    before = sys.getprofile()
    sys.setprofile(note)
    yield calls
    sys.setprofile(before)


def an_atlas(desk: Desk, game: Game) -> None:
    row = game.seats[0]
    assert row.person is not None
    to = Addressing(mailbox(row.person), "atlas", game=game, seat=row)
    assert atlas_file(desk, load(desk.session, desk.site, game), row, to) is not None


def a_replay(desk: Desk, game: Game) -> None:
    assert replay(desk.session, desk.site, game) == []


def an_export(desk: Desk, game: Game) -> None:
    assert len(export.files(desk.session, desk.site, game)) == 2


def stored_data(desk: Desk, game: Game) -> None:
    person = game.seats[0].person
    assert person is not None
    assert as_json(shown(disclose(desk.session, subject_of(desk.session, person), 1_000_000)))


MADE: dict[str, Callable[[Desk, Game], None]] = {
    "atlas": an_atlas,
    "replay": a_replay,
    "export": an_export,
    "data": stored_data,
}


def costs(talk: Loud) -> dict[str, int]:
    """Return the calls that each thing takes, and the book of a seat, by its name."""
    found = {}
    for name, make in MADE.items():
        kept_states.cache_clear()
        with talk.store.read() as session:
            (game,) = games.listing(session)
            desk = Desk(session, talk.daemon.app.site, talk.now)
            with counted() as calls:
                make(desk, game)
        found[name] = calls[0]
    kept_states.cache_clear()
    with counted() as calls:
        reading, site = talk.store.read, talk.daemon.app.site
        pages = [*book.common_files(reading, site, 1), *book.own_files(reading, site, 1, 1)]
    assert pages != []
    return {**found, "book": calls[0]}


@pytest.mark.release
def test_work_grows_no_faster_than_the_turns_of_a_game() -> None:
    found = []
    with closing(Loud(installed_rulesets())) as talk:
        talk.run(BEGINNING.format(ruleset="STARWEB", game="SW-1").replace("5 days", "1 day"))
        for turns in (10, 10, 20):
            talk.run(f"=== {turns} days pass")
            # The first time fills caches.
            costs(talk)
            found.append(costs(talk))
    few, some, many = found
    growth = {name: (many[name] - some[name]) / (some[name] - few[name]) for name in few}
    # Twice as many turns came; what grows with their square would be at 4.
    assert {name: ratio for name, ratio in growth.items() if ratio > 2.6} == {}
