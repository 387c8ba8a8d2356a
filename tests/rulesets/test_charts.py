"""The maps of all games: they show what the reports show, no more and no less."""

import re

import pytest

from referee.reports.text import text
from referee.rules.views import Table, Verbatim
from tests.support.golden_states import KEYS, games, ruleset, states

GAMES = [
    pytest.param(key, name, marks=[] if number == 0 else [pytest.mark.slow], id=f"{key}-{name}")
    for key in KEYS
    for number, name in enumerate(games(key))
]


@pytest.mark.slow
@pytest.mark.parametrize(("key", "name"), GAMES)
def test_every_unit_on_a_map_is_in_the_report(key: str, name: str) -> None:
    rules, played = ruleset(key), states(key, name)
    for state in (*played[3::9], played[-1]):
        seat = max(state.players)
        words = set(re.findall(r"[\w.-]+", text(rules.view(state, seat, ""))))
        units = {unit for node in rules.chart(state, seat).nodes for unit in node.units}
        # Ships of a world itself are in its record, and not under a name.
        assert {u.key for u in units if u.key != "?" and not re.match("[IP][0-9]", u.key)} <= words


@pytest.mark.sampled
@pytest.mark.parametrize(("key", "name"), [each for each in GAMES if each.values[0] != "starweb"])
def test_every_place_has_a_name_that_the_report_uses(key: str, name: str) -> None:
    rules, played = ruleset(key), states(key, name)
    for state in (*played[3::9], played[-1]):
        seat = min(state.players)
        report = text(rules.view(state, seat, ""))
        assert [n.key for n in rules.chart(state, seat).nodes if n.key not in report] == []


SHIPS = {
    "fistful": "Your fleets",
    "singularity": "Your ships",
    "star_empires": "Your ships",
    "starfarers": "Ships",
}
"""The tables with the ships of a seat."""


@pytest.mark.parametrize("key", SHIPS)
def test_every_ship_of_a_report_is_on_the_map(key: str) -> None:
    rules = ruleset(key)
    name = next(iter(games(key)))
    count = 0
    for state in states(key, name)[3::5]:
        seat = min(state.players)
        units = {unit.key for node in rules.chart(state, seat).nodes for unit in node.units}
        for block in rules.view(state, seat, ""):
            if isinstance(block, Table) and block.title == SHIPS[key]:
                for row in block.rows:
                    count += 1
                    assert units & {name for cell in row[:3] for name in cell.split(", ")}, row
    assert count > 10


def test_every_key_of_a_printout_is_on_the_map() -> None:
    rules, count = ruleset("starweb"), 0
    for state in states("starweb", "fifteen")[::9]:
        for seat in list(state.players)[:4]:
            units = {u.key for node in rules.chart(state, seat).nodes for u in node.units}
            blocks = rules.view(state, seat, "")
            printout = "\n".join(block.text for block in blocks if isinstance(block, Verbatim))
            keys = set(re.findall(r"(?m)^   (F[0-9]+)\[", printout))
            assert keys <= units
            count += len(keys)
    assert count > 30
