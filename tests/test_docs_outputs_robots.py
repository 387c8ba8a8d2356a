"""The page about robots, compared with the tournaments that it describes."""

import re
from typing import Final

import pytest
from click.testing import CliRunner

from referee.cli import main
from referee.plugins import installed_rulesets
from referee.rules.dice import Dice
from referee.testing.casts.starweb import CONTEST
from tests.support.pages import read_page

pytestmark = pytest.mark.slow

PAGE: Final = read_page("docs/robots.md")
CPU: Final = re.compile(r"takes [0-9.]+ of")


@pytest.mark.release
def test_the_tournament_of_the_page_has_its_output() -> None:
    ((command, output),) = re.findall(
        r"^```console\n\$ referee (.*?)\n(.*?)^```", PAGE, re.M | re.S
    )
    result = CliRunner().invoke(main, [*command.split(), "--processes", "1"])
    assert CPU.sub("", result.output) == CPU.sub("", output)


def test_the_tournament_of_starweb_is_played_as_on_the_page() -> None:
    (players, turns, worlds) = re.findall(
        r"In StarWeb, two of each of (\w+) characters play (\w+) turns in (\d+) worlds",
        " ".join(PAGE.split()),
    )[0]
    assert (players, turns, CONTEST.turns) == ("two", "thirty", 30)
    played: dict[int, set[str]] = {0: set(), 1: set()}
    for lineup in CONTEST.lineups:
        characters = [player.choices["character"][0] for player in lineup]
        assert sorted(map(characters.count, {*characters})) == [2, 2]
        for place, character in enumerate(characters):
            played[place % 2].add(character)
    assert played[0] == played[1]
    assert len(played[0]) == 6
    starweb = installed_rulesets()["starweb"]
    state = starweb.setup(CONTEST.lineups[0], CONTEST.options, Dice(b"worlds"))
    assert len(state.worlds) == int(worlds)
