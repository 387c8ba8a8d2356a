"""The table of what is public: each item, who decided that it is, and where."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from referee.desk.base.desk import Desk
from referee.desk.base.loaded_games import choose
from referee.desk.base.outbox_writer import Addressing, post
from referee.desk.gm import game_setup
from referee.desk.publishing.openness import Audience, Openness, mark, openness
from referee.domain.commands import Create
from referee.letters.incoming.letter import MailAddress
from referee.letters.outgoing.end_notices import Revealed
from referee.plugins import installed_rulesets
from referee.store.games import audit
from referee.store.models import Game, GameStatus
from referee.testing.conversation import Conversation

GM = "gm@example.org"
NONE, ALL = range(0), range(1, 11)
FORMING, RUNNING = GameStatus.FORMING, GameStatus.RUNNING
HELD, ENDED = GameStatus.HELD, GameStatus.ENDED


@pytest.fixture
def desk() -> Iterator[Desk]:
    with closing(Conversation(installed_rulesets())) as talk, talk.store.write() as session:
        yield Desk(session, talk.daemon.app.site, talk.now)


def made(desk: Desk, status: GameStatus, behind: int | None, *, revealed: bool = False) -> Game:
    """Return a game in its tenth turn, unless it is forming."""
    planned = game_setup.plan(desk, GM, Create("starweb", schedule="1 day"))
    game, _, _ = game_setup.create(desk, GM, planned)
    game.status, game.observers_behind = status, behind
    game.turn = 0 if status is FORMING else 10
    if revealed:
        notice = Revealed(game.name, "", 9, 0, 0, "", ())
        post(desk, notice, Addressing(MailAddress("", GM), "revealed", game=game))
    return game


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("status", "behind", "revealed", "reports", "maps"),
    [
        (FORMING, None, False, NONE, False),
        (FORMING, 3, False, NONE, False),
        (RUNNING, None, False, NONE, False),
        (RUNNING, 0, False, range(10, 11), False),
        (RUNNING, 3, False, range(7, 8), False),
        (RUNNING, 9, False, range(1, 2), False),
        (RUNNING, 10, False, NONE, False),
        (RUNNING, 50, False, NONE, False),
        (HELD, None, False, None, False),
        (HELD, 3, False, range(7, 8), False),
        (ENDED, None, False, None, False),
        (ENDED, 3, False, ALL, False),
        (ENDED, None, True, NONE, True),
        (ENDED, 3, True, ALL, True),
    ],
)
def test_everyone_reads_what_the_gm_has_opened(
    desk: Desk,
    status: GameStatus,
    behind: int | None,
    reports: range | None,
    *,
    revealed: bool,
    maps: bool,
) -> None:
    game = made(desk, status, behind, revealed=revealed)
    found = openness(desk.session, game, Audience.EVERYONE)
    if reports is None:
        assert found is None
    else:
        assert found is not None
        assert list(found.reports) == list(reports)
        assert (found.has_maps, found.has_words) == (maps, maps)
    # Whatever it is, a private game is open to nobody, nor is a game for one.
    choose(game, {"private": True})
    assert openness(desk.session, game, Audience.EVERYONE) is None
    choose(game, {"private": False})
    game.for_one = True
    assert openness(desk.session, game, Audience.EVERYONE) is None


def test_a_game_that_was_called_off_has_no_page(desk: Desk) -> None:
    game = made(desk, ENDED, 0)
    for turn in (0, 1):
        game.turn = turn
        assert openness(desk.session, game, Audience.EVERYONE) is None
        assert openness(desk.session, game, Audience.PLAYERS) is None


@pytest.mark.sampled
@pytest.mark.parametrize("status", [FORMING, RUNNING, HELD])
def test_there_is_no_book_before_the_end(desk: Desk, status: GameStatus) -> None:
    assert openness(desk.session, made(desk, status, 0), Audience.PLAYERS) is None


def test_the_players_of_a_private_game_have_a_book(desk: Desk) -> None:
    game = made(desk, ENDED, None)
    choose(game, {"private": True})
    found = openness(desk.session, game, Audience.PLAYERS)
    assert found == Openness(Audience.PLAYERS, ALL, has_maps=True, has_words=False)


def test_whatever_a_page_shows_changes_the_mark(desk: Desk) -> None:
    game = made(desk, FORMING, None)

    def now() -> str:
        desk.session.flush()
        opened = openness(desk.session, game, Audience.EVERYONE)
        assert opened is not None
        return mark(desk.session, desk.site, game, opened)

    seen = [now()]
    assert seen == [now()]
    for name, value in {
        "title": "Dune",
        "places": 3,
        "schedule": "2 days",
        "observers_behind": 4,
        "missed_limit": 5,
        "grace_seconds": 60,
        "press_limit": 3,
        "rules_changed_turn": 2,
        "call_off_at": desk.now,
    }.items():
        setattr(game, name, value)
        seen.append(now())
    choose(game, {"approve": True})
    seen.append(now())
    audit.note(desk.session, game, "GM", "The inn is closed.", desk.now)
    seen.append(now())
    assert len({*seen}) == len(seen)
