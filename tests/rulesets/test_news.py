"""News says no more than the report of its turn, and its losses are on the first screen."""

import re
from collections import Counter
from collections.abc import Container, Iterator
from dataclasses import replace
from typing import Final

import pytest

from referee.letters.outgoing.compose import Composer
from referee.reports.structure import report_json
from referee.reports.text import text
from referee.rules.news import heard, news_of, with_log
from referee.rules.ruleset import Event, Seat, Weight
from referee.rules.views import Chart, UnitKind
from referee.testing.golden import Played
from tests.letters import notices
from tests.support.examples import is_few
from tests.support.golden_states import KEYS, games, ruleset, turns

COMPOSER: Final = Composer("games@referee.example")
SCREEN: Final = 18
"""The lines of a letter on the screen of a phone."""
_NAMES: Final = re.compile(r"\b[A-Z]+[0-9]+\b|\b[A-Z]{3,}\b")
"""Codes of places and units, and names of players."""
_SHIPS: Final = re.compile(r"(\S+) \((\d+) ships?\)")
"""The ships of a fleet, or of a player at a place."""
_LEFT: Final = re.compile(r"\((\d+) left\)")
EVERY: Final = 3 if is_few() else 1
GAMES: Final = [
    pytest.param(key, name, marks=[] if key == "fistful" else [pytest.mark.slow])
    for key in KEYS
    for name in games(key)
]


def readers(key: str, name: str, every: int = 1) -> Iterator[tuple[Played, Seat]]:
    """Yield each turn of a golden game, or each third or so, with each seat."""
    for turn in turns(key, name)[::every]:
        for signup in games(key)[name].beginning.seats:
            yield turn, signup.seat


def _news(turn: Played, seat: Seat) -> list[Event]:
    return [event for event in heard(turn.events, seat) if event.weight is not Weight.DETAIL]


def _ships(chart: Chart, places: Container[str]) -> set[int]:
    """Return the ships of each player at places, one for each unit that says no number."""
    ships: Counter[str] = Counter()
    for unit in (unit for node in chart.nodes if node.key in places for unit in node.units):
        if unit.kind in (UnitKind.FLEET, UnitKind.SHIP, UnitKind.UNKNOWN):
            count, _, what = unit.text.partition(" ")
            ships[unit.owner] += int(count) if what.startswith("ship") else 1
    return {*ships.values()}


@pytest.mark.sampled
@pytest.mark.parametrize(("key", "name"), GAMES)
def test_news_names_nothing_that_the_report_does_not_show(key: str, name: str) -> None:
    rules = ruleset(key)
    for turn, seat in readers(key, name, EVERY):
        view = with_log(rules.view(turn.state, seat, ""), turn.events, seat)
        chart = rules.chart(turn.state, seat)
        shown = f"{text(view)} {report_json((chart,))}"
        for event in _news(turn, seat):
            named = {*_NAMES.findall(event.text), *_LEFT.findall(event.text)}
            for at, count in _SHIPS.findall(event.text):
                # "at 9 places (11 ships)" counts those at all places of the event.
                places = event.places if at == "places" else {at}
                named |= {count} - {*map(str, _ships(chart, places))}
            assert {each for each in named if not re.search(rf"\b{each}\b", shown)} == set(), event
            assert {*event.places} <= {node.key for node in chart.nodes}, event


@pytest.mark.parametrize(("key", "name"), GAMES)
def test_the_first_screen_has_the_deadline_the_word_to_answer_and_all_losses(
    key: str, name: str
) -> None:
    rules = ruleset(key)
    for turn, seat in readers(key, name, EVERY):
        news = news_of(turn.events, seat)
        awaited = seat in rules.phase(turn.state).awaiting
        report = replace(notices.REPORT, news=tuple(news), awaited=awaited)
        lines = COMPOSER.words(report).text.splitlines()[:SCREEN]
        screen = " ".join(" ".join(lines).split())
        losses = [event.text for event in news if event.weight <= Weight.LOSS]
        wanted = ["Orders due: ", "the word FINAL"] if awaited else ["You need not send orders now"]
        assert [each for each in (*wanted, *losses) if each not in screen] == [], turn.turn


@pytest.mark.release
def test_the_golden_games_have_a_thousand_turns_of_seats() -> None:
    count = sum(len([*readers(key, name)]) for key in KEYS for name in games(key))
    assert count >= 1_000
