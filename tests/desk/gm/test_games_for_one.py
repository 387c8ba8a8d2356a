"""Games of one person against robots: what they do not count for, and their limits."""

from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import pytest

from referee.app import build
from referee.desk.base import ledger
from referee.desk.base.desk import Desk, Site
from referee.desk.games.attendance import own_reliability
from referee.desk.orders.readiness import MOST_TURNS_A_DAY
from referee.domain.reliability import Reliability
from referee.domain.shares import SHARES, SIZES, Charge, Key, Size, Thing
from referee.plugins import installed_rulesets
from referee.rules.ruleset import Ruleset
from referee.settings import load
from referee.store.games import games
from referee.store.models import Game, GameStatus, TurnRow
from referee.store.people import people
from referee.testing.conversation import Conversation

NOON: Final = datetime(2026, 9, 1, 12, tzinfo=UTC)
BEGUN: Final = """
=== frodo@shire.example writes

PLAY STARWEB ROBOTS 1

=== frodo@shire.example gets mail
"""
PLAYED: Final = f"=== it is 2026-09-01 12:00 UTC{BEGUN}"
ORDERED: Final = """
=== frodo@shire.example replies
FINAL

=== frodo@shire.example gets mail
"""
LEFT: Final = """
=== frodo@shire.example replies
RESIGN

=== frodo@shire.example gets mail
=== frodo@shire.example replies
CONFIRM

=== frodo@shire.example gets
SW-1 has ended. Thank you for playing.
"""
REFUSED: Final = """
=== {who}@shire.example writes

PLAY STARWEB ROBOTS 1

=== {who}@shire.example gets
{answer}
"""

SETTINGS: Final = """
[site]
address = "games@referee.example"
operator = "operator@example.org"
[sending]
kind = "maildir"
path = "sent"
"""

WAITING: Final = """
=== it is 2026-09-01 12:00 UTC
=== frodo@shire.example replies
FINAL

=== frodo@shire.example gets
Everyone is ready: the turn is resolved on Wed 2 Sep 2026, 12:00 UTC.
"""


class Limited(Conversation):
    """A conversation with a site that allows *most* games for one."""

    most = 100

    def _site(self, rulesets: Mapping[str, Ruleset[Any, Any]]) -> Site:
        return replace(super()._site(rulesets), sizes={**SIZES, Size.GAMES: self.most})


def test_a_site_has_so_many_games_for_one() -> None:
    class One(Limited):
        most = 1

    with closing(One(installed_rulesets())) as talk:
        talk.run(PLAYED)
        full = "Too many such games are being played here. Try again later."
        told = "=== operator@referee.example gets\nSubject: used up: games against robots\n"
        talk.run(REFUSED.format(who="sam", answer=full) + told)


def test_an_idle_game_gives_way_when_there_is_no_other_place() -> None:
    class One(Limited):
        most = 1

    with closing(One(installed_rulesets())) as talk:
        talk.run(PLAYED.replace("ROBOTS 1", "ROBOTS 1 WITHIN 7 days"))
        other = BEGUN.replace("frodo@shire", "sam@far")
        full = "Too many such games are being played here. Try again later."
        told = "=== operator@referee.example gets\nSubject: used up: games against robots\n"
        talk.run("=== 1 day passes\n" + REFUSED.format(who="sam", answer=full) + told)
        talk.run(ORDERED.replace("FINAL", "CHECK") + "=== 2 days pass\n")
        ended = "=== frodo@shire.example gets\nSW-1 has ended. It had no orders for 2 days\n"
        talk.run(other + ended)
        with talk.store.read() as session:
            found = {game.name: game.status for game in games.listing(session)}
        assert found == {"SW-1": GameStatus.ENDED, "SW-2": GameStatus.RUNNING}


def test_a_game_with_orders_on_file_gives_way_to_nobody() -> None:
    class One(Limited):
        most = 1

    with closing(One(installed_rulesets())) as talk:
        talk.run(PLAYED.replace("ROBOTS 1", "ROBOTS 1 WITHIN 7 days"))
        talk.run(ORDERED.replace("FINAL", "ENDING 8000") + "=== 3 days pass\n")
        full = "Too many such games are being played here. Try again later."
        told = "=== operator@referee.example gets\nSubject: used up: games against robots\n"
        talk.run(REFUSED.format(who="sam", answer=full) + told)


def test_no_game_gives_way_while_the_site_has_places() -> None:
    class Four(Limited):
        most = 4

    with closing(Four(installed_rulesets())) as talk:
        talk.run(PLAYED.replace("ROBOTS 1", "ROBOTS 1 WITHIN 7 days") + "=== 3 days pass\n")
        full = "People at shire.example play too many such games here. Try again later."
        told = "=== operator@referee.example gets\nSubject: used up: games against robots\n"
        talk.run(REFUSED.format(who="sam", answer=full) + told)


def test_the_operator_can_switch_games_for_one_off() -> None:
    class Off(Limited):
        most = 0

    off = "There is no such game for one person here. PLAY shows what there is."
    none = "Nobody can play against robots on this server. LIST shows games that you can join."
    with closing(Off(installed_rulesets())) as talk:
        talk.run(REFUSED.format(who="sam", answer=off))
        talk.run(REFUSED.format(who="sam", answer=none).replace("PLAY STARWEB ROBOTS 1", "PLAY"))


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("lines", "most"),
    [
        ("", 100),
        ("games = 7", 7),
        ("games = 0", 0),
    ],
)
def test_the_operator_limits_them_in_the_settings(tmp_path: Path, lines: str, most: int) -> None:
    file = tmp_path / "referee.toml"
    file.write_text(f"{SETTINGS}[play]\n{lines}\n")
    app = build(load(file))
    assert app.site.sizes[Size.GAMES] == most
    app.close()


@pytest.mark.slow
def test_a_game_for_one_does_not_count_for_reliability() -> None:
    with closing(Conversation(installed_rulesets())) as talk:
        talk.run(PLAYED + ORDERED)
        with talk.store.read() as session:
            game = games.by_name(session, "SW-1")
            person = people.by_address(session, "frodo@shire.example")
            assert game is not None
            assert person is not None
            assert (game.turn, game.status, game.gms) == (2, GameStatus.RUNNING, [])
            assert own_reliability(session, person) == Reliability()
        talk.run("=== 9 days pass\n=== frodo@shire.example gets mail\n")
        with talk.store.read() as session:
            game = games.by_name(session, "SW-1")
            person = people.by_address(session, "frodo@shire.example")
            assert game is not None
            assert person is not None
            assert (game.turn, game.status) == (2, GameStatus.ENDED)
            assert own_reliability(session, person) == Reliability()
            assert games.finished_by(session, person) == 0


def test_the_games_for_one_of_a_person_have_so_many_turns_a_day() -> None:
    with closing(Conversation(installed_rulesets())) as talk:
        talk.run(PLAYED)
        with talk.store.write() as session:
            game = games.by_name(session, "SW-1")
            assert game is not None
            for number in range(MOST_TURNS_A_DAY):
                session.add(_resolved(game, 100 + number))
        talk.run(WAITING)


@pytest.mark.slow
def test_the_turns_of_a_game_that_its_player_has_left_count_too() -> None:
    with closing(Conversation(installed_rulesets())) as talk:
        talk.run(PLAYED)
        with talk.store.write() as session:
            game = games.by_name(session, "SW-1")
            assert game is not None
            for number in range(MOST_TURNS_A_DAY):
                session.add(_resolved(game, 100 + number))
        talk.run(LEFT + PLAYED + WAITING)


@pytest.mark.slow
def test_a_person_can_begin_so_many_games_a_day() -> None:
    with closing(Conversation(installed_rulesets())) as talk:
        talk.run(PLAYED)
        (share,) = SHARES[Thing.BEGINNING]
        with talk.store.write() as session:
            desk = Desk(session, talk.daemon.app.site, talk.now)
            payers = {Key.PERSON: "frodo@shire.example"}
            ledger.book(desk, Charge(Thing.BEGINNING, payers, share.day - 1))
        most = f"You have begun {share.day} games against robots within a day"
        talk.run(REFUSED.format(who="frodo", answer=most))
        talk.run(f"=== 1 day passes{BEGUN}")


def _resolved(game: Game, number: int) -> TurnRow:
    made = {"edition": "1", "schema": 1, "state": b"", "digest": ""}
    return TurnRow(game_id=game.id, number=number, resolved_at=NOON, **made)
